"""Reads a family's page once, and tells what came of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stage import HOME, SECRET, Canaries, Site, staged

import windrow

if TYPE_CHECKING:
    from family import Family

LINGER_SECONDS = 0.3
"""Seconds that canaries still listen after a page has been read with a browser."""
PART = "+part"
"""Added to the kind of an error that brings the part of the page that was read."""


@dataclass
class Attempt:
    """One family, read one way."""

    outcome: str = "crash"
    """``page``, or the kind of the error."""
    message: str = ""
    seconds: float = 0.0
    caught: list[str] = field(default_factory=list)
    """What reached a canary."""
    missing: list[str] = field(default_factory=list)
    """Rows that should be in the text and are not."""

    def faults(self, family: Family) -> list[str]:
        """Return what is wrong with it, costs aside."""
        kind = self.outcome.removesuffix(PART)
        wrong = kind != "page" and kind not in family.ends
        return [
            *([f"ended in {kind}: {self.message}"] if wrong else []),
            *(f"lost “{row}”" for row in self.missing),
            *(f"reached {place}" for place in dict.fromkeys(self.caught)),
        ]


def attempt(family: Family, *, render: bool, seconds: float) -> Attempt:
    """Read a family's page in this process, on the stage."""
    options = windrow.Options(limits=windrow.Limits(seconds=seconds))
    canaries = Canaries()
    document = family.document(canaries.targets) if not (family.live and render) else None
    done = Attempt()
    page: windrow.Page | None = None
    with Site({} if document is not None else family.routes(canaries.targets)) as site, staged(site):
        started = time.monotonic()
        try:
            if document is not None:
                page = windrow.parse(document, render=render, options=options)
            else:
                page = windrow.load(HOME, render=render, options=options)
            done.outcome = "page"
            rows = family.expected(render=render)
        except windrow.WindrowError as error:
            done.outcome, done.message = error.kind, str(error)
            page = getattr(error, "page", None)
            rows = family.expected(render=render)[:1]
        text = page.text if page is not None else ""
        done.seconds = time.monotonic() - started
        if page is not None:
            done.outcome += "" if done.outcome == "page" else PART
            done.missing = [row for row in rows if row not in text]
        time.sleep(LINGER_SECONDS if render else 0)
    done.caught = [*canaries.caught, *(["the file"] if SECRET in text else [])]
    canaries.close()
    return done
