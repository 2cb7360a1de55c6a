"""``-o``: the file that results go into. Its ending says in which form; it is written as a whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from windrow.atomic import NewFile
from windrow.cli.terminal import say
from windrow.errors import SourceError, UsageError
from windrow.pagefile import page_to_bytes
from windrow.readers.registry import READERS
from windrow.result.files import FOR_SEVERAL, FORMS, check_form, write_grids
from windrow.result.grid import Part, stack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from windrow.loader import Outcome
    from windrow.page import Page
    from windrow.readers.names import Settings
    from windrow.result import Result
    from windrow.result.grid import Grid

ENDINGS = {
    ".json": "an array with one object a source",
    ".jsonl": "one object a source, each on a line",
    ".txt": "the visible text",
    ".html": "the source of one page",
    ".windrow": "one page, to be read again",
    **FORMS,
}
JSON_ENDINGS = frozenset({".json", ".jsonl"})
FOR_ONE = frozenset({".html", ".windrow"})
"""Forms that hold one page and no more."""
ROW_ENDINGS = frozenset(FORMS)
"""Forms that hold rows."""
LACKING = {"tables": "no table", "regions": "no list of records", "toplist": "no ranked list"}
"""What a page has nothing of, by the readers whose results have rows, the usual one first."""
ONE = {"tables": "table", "regions": "region", "toplist": "toplist"}
LISTS = "With --only regions, the best list of records is written."


@dataclass(frozen=True)
class RowsWanted:
    """Which rows of each page go into a file."""

    readers: Mapping[str, Settings]
    ending: str
    every: bool = False
    """Whether all that a reader finds is wanted, and not only the best."""
    apart: bool = False
    """Whether there are several pages, so that each row says which one it is from."""

    @property
    def is_divided(self) -> bool:
        """Whether the file has room for several things, and may get several of a page."""
        return self.ending in FOR_SEVERAL and (self.every or any(map(self._takes_all, self.readers)))

    def of(self, page: Page, source: str) -> tuple[Part, ...]:
        """Return the rows that a page gives."""
        parts: list[Part] = []
        for name in self.readers:
            for number, result in enumerate(self._results(page, name), 1):
                about = [("source", source)] if self.apart else []
                about += [(ONE[name], str(number))] if self._takes_all(name) and not self.is_divided else []
                parts.append(Part.of(result, about))
        return tuple(parts)

    def _results(self, page: Page, name: str) -> list[Result]:
        found = READERS[name].results(page.read(name, **self.readers[name]))
        if name == "regions" and "tables" in self.readers:
            found = [region for region in found if not getattr(region, "table", "")]  # given as a table already
        return found if self._takes_all(name) else found[:1]

    def _takes_all(self, name: str) -> bool:
        is_usual = name == "tables" and self.ending in FOR_SEVERAL
        return (self.every or is_usual) and "number" not in self.readers[name]

    def describe_lack(self) -> str:
        """Return what a page without rows lacks, in words."""
        if keyword := self.readers.get("tables", {}).get("keyword"):
            return f"no table with {keyword!r}"
        for name, settings in self.readers.items():
            if "number" in settings:
                return f"{LACKING[name]} {settings['number']}"
        return " and ".join(LACKING[name] for name in self.readers)

    def to_grids(self, parts: Sequence[Sequence[Part]]) -> list[Grid]:
        """Stack the rows of all pages: as one grid, or what has the same columns together where there is room."""
        if not self.is_divided:
            return [stack([part for several in parts for part in several])]
        together: dict[tuple[object, ...], list[Part]] = {}
        for several in parts:
            seen: dict[tuple[str, ...], int] = {}
            for part in several:
                names = tuple(column.name for column in part.columns)
                seen[names] = seen.get(names, 0) + 1  # tables of one page stay apart, whatever their columns
                together.setdefault((*names, seen[names]), []).append(part)
        return [stack(each) for each in together.values()]


@dataclass(frozen=True)
class Contribution:
    """What one source gives to a file, as it can be sent from a worker process and kept until the file is written."""

    data: bytes = b""
    """Its JSON object, its text, its page."""
    parts: tuple[Part, ...] = field(default=())
    """Its rows."""
    is_page: bool = True
    """Whether there was a page."""


def contribute(outcome: Outcome, ending: str, rows: RowsWanted | None, json: bytes) -> Contribution:
    """Return what a source gives to a file of a form."""
    page = outcome.page
    if ending in JSON_ENDINGS:
        return Contribution(json, is_page=page is not None)
    if page is None:
        return Contribution(is_page=False)
    if rows is not None:
        return Contribution(parts=rows.of(page, outcome.source))
    if ending == ".txt":
        return Contribution(page.text.encode("utf-8", "replace") + b"\n")
    if ending == ".html":
        if not page.html:
            raise SourceError(f"The source of {outcome.source} was not kept, so there is nothing to write as HTML.")
        # The mark at the beginning counts for more than a charset that the page declares and no longer has.
        return Contribution(page.html.encode("utf-8" if page.html.isascii() else "utf-8-sig", "replace"))
    return Contribution(page_to_bytes(page))


class Output:
    """Results on their way into a file."""

    def __init__(self, path: Path, rows: RowsWanted | None = None) -> None:
        """Begin the file, in the form that its ending names; ``rows`` says which rows go into one that has rows."""
        self.ending = check_ending(path)
        self._file = NewFile(path)
        self._rows = rows
        self._parts: list[tuple[Part, ...]] = []
        self._count = 0

    def add(self, source: str, given: Contribution) -> None:
        """Add what one source gives."""
        if self.ending == ".jsonl":
            self._file.write(given.data + b"\n")
        elif self.ending == ".json":
            self._file.write((b",\n" if self._count else b"[\n") + given.data)
        elif not given.is_page:
            return
        elif self._rows is not None:
            if not given.parts and self._rows.apart:
                say(f"{source}: there is {self._rows.describe_lack()} on this page.")
            self._parts.append(given.parts)
        else:
            self._file.write(b"\n" * bool(self._count) + given.data)
        self._count += 1

    def finish(self) -> None:
        """Close the file; where no page was read there is none, unless the form can say why."""
        if self.ending == ".json":
            self._file.write(b"\n]\n" if self._count else b"[]\n")
        if self._count and self._rows is not None:
            self._write_rows(self._rows)
        if self._count:
            self._file.finish()

    def _write_rows(self, rows: RowsWanted) -> None:
        if not any(self._parts):
            what = rows.describe_lack()
            advice = LISTS if what == LACKING["tables"] else "Look at the page without -o."
            raise SourceError(f"There is {what} to write into {self._file.path}. {advice}")
        for sentence in write_grids(self._file, self.ending, rows.to_grids(self._parts)):
            say(sentence)

    def __enter__(self) -> Self:
        """Use it until ``finish``."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Throw away what was not finished."""
        self._file.__exit__(kind, error, trace)


def check_ending(path: Path) -> str:
    """Return the suffix of a file's name; an error where it names no form, or the form needs what is not there."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(f"{known} ({what})" for known, what in ENDINGS.items())
        raise UsageError(f"The name {path} does not say in which form to write; end it in one of: {known}.")
    check_form(ending)
    return ending
