"""``-o``: the file that results go into. Its ending says in which form; it is written as a whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from windrow.atomic import NewFile
from windrow.errors import SourceError, UsageError
from windrow.pagefile import page_to_bytes
from windrow.result import results_to_xlsx

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from windrow.loader import Outcome
    from windrow.page import Page
    from windrow.table import Table

ENDINGS = {
    ".json": "an array with one object a source",
    ".jsonl": "one object a source, each on a line",
    ".txt": "the visible text",
    ".html": "the source of one page",
    ".windrow": "one page, to be read again",
    ".csv": "the best table of one page; with --only regions or toplist, that list",
    ".xlsx": "every table, each on a sheet of its own; with --only regions, the best list",
}
JSON_ENDINGS = frozenset({".json", ".jsonl"})
FOR_ONE = frozenset({".html", ".windrow", ".csv"})
"""Forms that hold one page and no more."""
TABLE_ENDINGS = frozenset({".csv", ".xlsx"})
LACKING = {"tables": "no table", "regions": "no list of records", "toplist": "no ranked list"}
"""What a sheet has nothing of."""
LISTS = "With --only regions, the best list of records is written."


class Output:
    """Results on their way into a file."""

    def __init__(self, path: Path, keyword: str | None = None, rows: str = "tables") -> None:
        """Begin the file, in the form that its ending names; ``rows`` is the reader whose rows a sheet holds.

        Of tables, those with the keyword.
        """
        self.ending = check_ending(path)
        self._file = NewFile(path)
        self._keyword = keyword
        self._rows = rows
        self._sheet: bytes | None = None
        self._tables: list[Table] = []
        self._count = 0

    def add(self, outcome: Outcome, json: bytes) -> None:
        """Add what came of one source; ``json`` is its JSON object."""
        if self.ending == ".jsonl":
            self._file.write(json + b"\n")
        elif self.ending == ".json":
            self._file.write((b",\n" if self._count else b"[\n") + json)
        elif outcome.page is None:
            return
        elif self.ending in TABLE_ENDINGS and self._rows == "tables":
            self._tables += outcome.page.tables(self._keyword)
        elif self.ending in TABLE_ENDINGS:
            self._sheet = self._sheet or _rows_of(outcome.page, self._rows, self.ending)
        elif self.ending == ".txt":
            self._file.write(b"\n" * bool(self._count) + outcome.page.text.encode("utf-8", "replace") + b"\n")
        elif self.ending == ".html":
            if not outcome.page.html:
                raise SourceError(f"The source of {outcome.source} was not kept, so there is nothing to write as HTML.")
            # The mark at the beginning counts for more than a charset that the page declares and no longer has.
            encoding = "utf-8" if outcome.page.html.isascii() else "utf-8-sig"
            self._file.write(outcome.page.html.encode(encoding, "replace"))
        else:
            self._file.write(page_to_bytes(outcome.page))
        self._count += 1

    def finish(self) -> None:
        """Close the file; where no page was read there is none, unless the form can say why."""
        if self.ending == ".json":
            self._file.write(b"\n]\n" if self._count else b"[]\n")
        if self._count and self.ending in TABLE_ENDINGS:
            self._write_tables()
        if self._count:
            self._file.finish()

    def _write_tables(self) -> None:
        if self._sheet is not None:
            self._file.write(self._sheet)
            return
        if not self._tables:
            what = f"no table with {self._keyword!r}" if self._keyword else LACKING[self._rows]
            advice = LISTS if what == LACKING["tables"] else "Look at the page without -o."
            raise SourceError(f"There is {what} to write into {self._file.path}. {advice}")
        if self.ending == ".csv":
            self._file.write(self._tables[0].to_csv().encode("utf-8", "replace"))
        else:
            self._file.write(results_to_xlsx(self._tables))

    def __enter__(self) -> Self:
        """Use it until ``finish``."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Throw away what was not finished."""
        self._file.__exit__(kind, error, trace)


def _rows_of(page: Page, reader: str, ending: str) -> bytes | None:
    """Write the best list of records, or the ranked list, as a sheet; None where the page has none."""
    found = next(iter(page.regions()), None) if reader == "regions" else page.toplist()
    if found is None:
        return None
    return found.to_csv().encode("utf-8", "replace") if ending == ".csv" else found.to_xlsx()


def check_ending(path: Path) -> str:
    """Return the suffix of a file's name, or raise if it names no form."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(f"{known} ({what})" for known, what in ENDINGS.items())
        raise UsageError(f"The name {path} does not say in which form to write; end it in one of: {known}.")
    return ending
