"""What a family of hostile pages is: a name, a sentence, a generator, and what must come out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from stage import Reply, Targets, html

Made: TypeAlias = str | bytes | Mapping[str, Reply]
Make: TypeAlias = Callable[[Targets], Made]

FIRST = "First row of hay"
LAST = "Last row of hay"
BOTH = (FIRST, LAST)

FAMILIES: dict[str, Family] = {}


@dataclass(frozen=True)
class Family:
    """One way to be hostile."""

    name: str
    sentence: str
    make: Make
    live: bool = False
    """Whether it needs a server: its scripts run, or the server is what is hostile."""
    shown: tuple[str, ...] = BOTH
    """What must be in the text of a page that is read without a browser."""
    laid_out: tuple[str, ...] | None = None
    """The same with a browser, where it is something else."""
    ends: tuple[str, ...] = ()
    """Kinds of error that are right answers too."""

    def expected(self, *, render: bool) -> tuple[str, ...]:
        """Return the rows that must be in the text."""
        return self.laid_out if render and self.laid_out is not None else self.shown

    def routes(self, targets: Targets) -> Mapping[str, Reply]:
        """Return what a server would answer; the page itself is at the root."""
        made = self.make(targets)
        if isinstance(made, str):
            return {"/": html(made)}
        return {"/": Reply(made, media_type="text/html")} if isinstance(made, bytes) else made

    def document(self, targets: Targets) -> str | bytes | None:
        """Return the page for reading from memory, where there is one."""
        made = self.make(targets)
        return made if isinstance(made, str | bytes) else None


def family(
    sentence: str,
    *,
    live: bool = False,
    shown: tuple[str, ...] = BOTH,
    laid_out: tuple[str, ...] | None = None,
    ends: tuple[str, ...] = (),
) -> Callable[[Make], Make]:
    """Enter a generator into the list under its own name."""

    def enter(make: Make) -> Make:
        name = make.__name__.replace("_", "-")
        if name in FAMILIES:
            raise ValueError(f"There are two families {name}.")
        FAMILIES[name] = Family(name, sentence, make, live, shown, laid_out, ends)
        return make

    return enter


def page(middle: str, head: str = "") -> str:
    """Put something hostile between two rows of text that must not get lost."""
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>Hay</title>{head}</head>"
        f"<body><p>{FIRST}</p>{middle}<p>{LAST}</p></body></html>"
    )
