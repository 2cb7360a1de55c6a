"""Grids in the forms of files: CSV, TSV, Markdown, Parquet, XLSX, SQLite; the ending of a name says which."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from datetime import date, datetime, timedelta
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from windrow.atomic import Sink
from windrow.errors import UsageError
from windrow.extras import library
from windrow.result import export
from windrow.result.database import tables_to_bytes
from windrow.result.typed_rows import TypedRows, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from windrow.atomic import NewFile
    from windrow.result.grid import Grid

FORMS = {
    ".csv": "rows with commas between",
    ".tsv": "rows with tabs between",
    ".md": "Markdown tables",
    ".parquet": "columns with types",
    ".xlsx": "sheets with real numbers and dates",
    ".db": "a database of SQLite's",
    ".sqlite": "the same",
}
FOR_SEVERAL = frozenset({".md", ".xlsx", ".db", ".sqlite"})
"""Forms with room for more than one grid."""
LIBRARIES = {".parquet": "pyarrow.parquet", ".xlsx": "openpyxl"}
"""What some of them need."""
AT_ONCE = 1000
"""How many rows are written together."""
BYTES_AT_ONCE = 2**20
FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
"""How a text begins that spreadsheets may run; some read the full-width signs as well."""
NUMBER = re.compile(r"[+-]?\d[\d.,\u00a0\u202f' ]*\s?%?")
FIRST_YEAR_OF_SHEETS = 1900
LARGEST_IN_SHEETS = 10**15
"""A sheet keeps fifteen digits of a number."""
IN_MARKDOWN = re.compile(r"([\\|`*_<>\[\]])")


def check_form(ending: str) -> None:
    """Raise where a form needs a library that is not there."""
    if ending in LIBRARIES:
        library(LIBRARIES[ending])


def write_grids(file: NewFile, ending: str, grids: Sequence[Grid]) -> list[str]:
    """Write grids in the form that an ending names; only some forms have room for more than the first.

    Return what a person should know of it, in sentences: texts that do not fit a type, or were cut.
    """
    if ending in (".csv", ".tsv"):
        for chunk in grid_to_csv(grids[0], between="\t" if ending == ".tsv" else ","):
            file.write(chunk)
        return []
    if ending == ".md":
        for text in _to_markdown(grids):
            file.write(text.encode("utf-8", "replace"))
        return []
    typed = [TypedRows(grid) for grid in (grids if ending in FOR_SEVERAL else grids[:1])]
    cut = 0
    if ending == ".parquet":
        _write_parquet(file, typed[0])
    elif ending == ".xlsx":
        cut = _write_xlsx(file, typed)
    else:
        file.write(tables_to_bytes((each.label, each.names, each.rows()) for each in typed))
    return [*_tell_misfits(typed), *_tell_cut(cut)]


def _tell_misfits(typed: Iterable[TypedRows]) -> Iterator[str]:
    for rows in typed:
        for each in rows.columns:
            if each.misfits and each.column is not None:
                what, verb = ("1 text", "is") if each.misfits == 1 else (f"{each.misfits:,} texts", "are")
                yield f"{what} of {each.name} {verb} no {each.column.kind}: {each.name} (text) has them."


def _tell_cut(cut: int) -> Iterator[str]:
    if cut:
        what = f"{cut:,} texts" if cut > 1 else "1 text"
        yield f"{what} longer than a cell of a sheet can hold had to be cut; other forms have the whole."


def grid_to_csv(grid: Grid, *, for_sheets: bool = False, between: str = ",") -> Iterator[bytes]:
    """Yield a grid by RFC 4180, texts as they stand on the page, some rows at a time; several values are lines.

    ``for_sheets`` sets an apostrophe before a text that a spreadsheet would run as a formula; numbers stay numbers.
    """
    guard = without_formula if for_sheets else str
    yield _csv([[guard(column.name) for column in grid.columns]], between)
    rows = grid.passing_rows()
    while some := list(islice(rows, AT_ONCE)):
        yield _csv([[guard("\n".join(texts_of(cell))) for cell in row] for row in some], between)


def without_formula(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text


def _csv(rows: Sequence[Sequence[str]], between: str) -> bytes:
    into = io.StringIO()
    csv.writer(into, delimiter=between).writerows(rows)
    return into.getvalue().encode("utf-8", "replace")


def _to_markdown(grids: Sequence[Grid]) -> Iterator[str]:
    """Yield grids as tables, each under its name where there are several; several values have a line break between."""
    for number, grid in enumerate(grids):
        if len(grids) > 1:
            yield f"{chr(10) * bool(number)}## {_in_markdown(grid.label)}\n\n"
        yield _markdown_line([_in_markdown(column.name) for column in grid.columns])
        yield _markdown_line(["---"] * len(grid.columns))
        for row in grid.passing_rows():
            yield _markdown_line(["<br>".join(map(_in_markdown, texts_of(cell))) for cell in row])


def _markdown_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _in_markdown(text: str) -> str:
    return IN_MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _write_parquet(file: NewFile, rows: TypedRows) -> None:
    """Write rows some at a time, whatever their number."""
    groups = rows.groups()
    first = next(groups)
    with library("pyarrow.parquet").ParquetWriter(Sink(file), first.schema) as writer:
        for group in chain([first], groups):
            writer.write_table(group)


def _write_xlsx(file: NewFile, typed: Sequence[TypedRows]) -> int:
    """Write a workbook with a sheet a grid; return how many texts had to be cut. No text is taken for a formula.

    Sheets are written row by row into files of their own, which the workbook then takes in.
    """
    openpyxl = library("openpyxl")
    book = openpyxl.Workbook(write_only=True)
    names = export.sheet_names(each.label for each in typed)
    cut = sum(fill_sheet(openpyxl, book.create_sheet(name), rows) for name, rows in zip(names, typed, strict=True))
    with tempfile.TemporaryFile() as whole:
        book.save(whole)
        whole.seek(0)
        while some := whole.read(BYTES_AT_ONCE):
            file.write(some)
    return cut


def fill_sheet(openpyxl: Any, sheet: Any, rows: TypedRows) -> int:  # noqa: ANN401 - a library that may not be there
    """Write rows into a sheet: numbers, dates and durations as such. Return how many texts had to be cut."""
    if rows.count >= export.MOST_ROWS or len(rows.columns) > export.MOST_COLUMNS:
        raise UsageError(f"{sheet.title!r} is larger than an XLSX sheet can be. Write it as CSV instead.")
    cut = 0

    def cell_of(value: Any) -> Any:  # noqa: ANN401 - whatever a column holds
        nonlocal cut
        if value is None or _fits_in_sheet(value):
            return value
        text = "\n".join(map(str, value)) if isinstance(value, list) else _in_words(value)
        cut += len(text) > export.LONGEST_TEXT
        place = openpyxl.cell.WriteOnlyCell(sheet)
        export.put_text(place, text)
        return place

    sheet.append([cell_of(name) for name in rows.names])
    for row in rows.rows():
        sheet.append([cell_of(value) for value in row])
    return cut


def _in_words(value: Any) -> str:  # noqa: ANN401 - as above
    return value.isoformat() if isinstance(value, date) else str(value)


def _fits_in_sheet(value: Any) -> bool:  # noqa: ANN401 - as above
    """Whether a sheet holds a value as it is: no text, no moment with a zone, nothing before its calendar begins."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return False
    if isinstance(value, date):
        return value.year > FIRST_YEAR_OF_SHEETS
    return isinstance(value, int | float | timedelta) and (
        isinstance(value, timedelta) or abs(value) < LARGEST_IN_SHEETS
    )
