"""What came of a source, the same value for one source and for many."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from windrow.errors import LimitError, WindrowError
from windrow.readers.registry import find_left_out, page_to_plain
from windrow.result import Members
from windrow.source.guard import without_credentials

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windrow.loader.siblings import Introduction
    from windrow.page import Page
    from windrow.provenance import Notice, Provenance
    from windrow.readers.names import Settings
    from windrow.result import Plain

logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a source: a page, a page that was cut together with the error that says why, or an error alone."""

    source: str
    """The source as it was named, but for a password in it."""
    page: Page | None = None
    """The page; None where there is none, or where it stayed in the worker process that read it."""
    error: WindrowError | None = None
    """What went wrong, where something did."""
    provenance: Provenance | None = None
    """The page's provenance, also where the page itself stayed behind; None where nothing was read."""
    warnings: tuple[Notice, ...] = ()
    """The page's warnings, and what the readers that were asked for left out."""
    results: Mapping[str, Any] = field(default_factory=dict)
    """What the readers that were asked for found, by their names."""
    says: Introduction | None = None
    """What its page tells others of its host, where that is wanted."""

    @classmethod
    def of_page(cls, page: Page, source: str | None = None) -> Outcome:
        """Return the outcome of a source whose page was read, as a whole or in part."""
        error = LimitError(page.cut, page) if page.cut else None
        return cls(page.source if source is None else source, page, error, page.provenance, page.warnings)

    @classmethod
    def of_error(cls, source: str, error: WindrowError) -> Outcome:
        """Return the outcome of a source that failed; where it was cut, the part that was read is the page."""
        page: Page | None = error.page if isinstance(error, LimitError) else None
        if page is None:
            return cls(source, None, error)
        return cls(source, page, error, page.provenance, page.warnings)

    def __repr__(self) -> str:
        """Return the source and what came of it, in a line."""
        what = "nothing" if self.provenance is None else "cut" if self.error else "whole"
        return f"<Outcome {self.source} ({what}{f', {self.error.kind}' if self.error else ''})>"

    @property
    def is_whole(self) -> bool:
        """Whether everything was read."""
        return self.error is None

    def require_page(self) -> Page:
        """Return the page if it is whole; raise the error otherwise."""
        if self.error is not None:
            raise self.error
        if self.page is None:
            raise WindrowError(f"The page of {self.source} stayed in its worker process. Ask for pages as well.")
        return self.page

    def without_page(self) -> Outcome:
        """Return the same without the page, which costs more to send to another process than to read."""
        error = LimitError(str(self.error)) if isinstance(self.error, LimitError) else self.error
        return replace(self, page=None, error=error)


def to_fault(error: Exception, before: WindrowError | None = None) -> WindrowError:
    """Return an exception as an error of its page: a fault of Windrow's own, unless it is an error on purpose.

    The sentence of what went wrong ``before``, such as a limit that was reached, follows its own.
    """
    if isinstance(error, WindrowError):
        error.args = (f"{error} {before}" if before else str(error),)
        return error
    what = " ".join(f"{type(error).__name__}: {error}".split())
    fault = WindrowError(f"Windrow failed on this page: {what}{f'. {before}' if before else ''}")
    fault.__cause__ = error
    return fault


def read_outcome(outcome: Outcome, readers: Mapping[str, Settings], *, pages: bool) -> Outcome:
    """Return an outcome with what readers found on its page, and without the page unless that is wanted, too.

    A reader that fails is missing from the results, and the first that did is the error.
    """
    if (page := outcome.page) is None:
        return outcome
    found: dict[str, Any] = {}
    fault: WindrowError | None = None
    for name, settings in readers.items():
        try:
            found[name] = page.read(name, **settings)
        except Exception as error:
            if not isinstance(error, WindrowError):
                logger.exception("the reader %s failed on %s", name, outcome.source)
            fault = fault or to_fault(error, outcome.error)
    left_out = find_left_out(page, {name: settings for name, settings in readers.items() if name in found})
    warnings = (*outcome.warnings, *left_out)
    outcome = replace(outcome, results=found, error=fault or outcome.error, warnings=warnings)
    return outcome if pages else outcome.without_page()


def outcome_to_plain(outcome: Outcome, readers: Mapping[str, Settings], *, keep: bool = True) -> Members:
    """Return what JSON says of one source; readers read as their turns come, and the page may keep what they find."""
    return Members(_outcome_to_members(outcome, readers, keep=keep))


def _outcome_to_members(
    outcome: Outcome, readers: Mapping[str, Settings], *, keep: bool
) -> Iterator[tuple[str, Plain]]:
    page, error = outcome.page, outcome.error
    yield "source", outcome.source
    if page is None:
        error = error or WindrowError("Nothing was read.")
        yield "error", {"kind": error.kind, "message": str(error)}
        return
    provenance = page.provenance.to_dict()
    yield "url", _without_password(provenance.pop("url"))
    yield "provenance", provenance
    yield from page_to_plain(page, readers, keep=keep)
    yield "warnings", [notice.to_dict() for notice in (*page.warnings, *find_left_out(page, readers))]
    if page.cut or isinstance(error, LimitError):
        yield "cut", page.cut or str(error)
    if error is not None and not isinstance(error, LimitError):
        yield "error", {"kind": error.kind, "message": str(error)}


def _without_password(url: str) -> str:
    return without_credentials(url) if "@" in url else url
