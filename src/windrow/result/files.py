"""Grids in the forms of files: CSV, TSV, Markdown, Parquet, XLSX, SQLite; the ending of a name says which."""

from __future__ import annotations

import csv
import io
import re
from datetime import date, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

from windrow.errors import UsageError
from windrow.extras import library
from windrow.result import export
from windrow.result.database import tables_to_bytes
from windrow.result.grid import Grid, columns_to_arrow, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from windrow.atomic import NewFile
    from windrow.result.grid import TypedColumn

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
    typed = [(grid.label, list(grid.typed_columns())) for grid in (grids if ending in FOR_SEVERAL else grids[:1])]
    cut = 0
    if ending == ".parquet":
        file.write(_to_parquet(typed[0][1]))
    elif ending == ".xlsx":
        data, cut = _to_xlsx(typed)
        file.write(data)
    else:
        file.write(
            tables_to_bytes((label, [each.name for each in columns], _rows_of(columns)) for label, columns in typed)
        )
    return [*_tell_misfits(typed), *_tell_cut(cut)]


def _tell_misfits(typed: Iterable[tuple[str, list[TypedColumn]]]) -> Iterator[str]:
    for _, columns in typed:
        for each in columns:
            if each.misfits and each.column is not None:
                what, verb = ("1 text", "is") if each.misfits == 1 else (f"{each.misfits:,} texts", "are")
                yield f"{what} of {each.name} {verb} no {each.column.kind}: {each.name} (text) has them."


def _tell_cut(cut: int) -> Iterator[str]:
    if cut:
        what = f"{cut:,} texts" if cut > 1 else "1 text"
        yield f"{what} longer than a cell of a sheet can hold had to be cut; other forms have the whole."


def _rows_of(columns: Sequence[TypedColumn]) -> Iterator[tuple[Any, ...]]:
    return zip(*(each.entries for each in columns), strict=True)


def grid_to_csv(grid: Grid, *, for_sheets: bool = False, between: str = ",") -> Iterator[bytes]:
    """Yield a grid by RFC 4180, texts as they stand on the page, some rows at a time; several values are lines.

    ``for_sheets`` sets an apostrophe before a text that a spreadsheet would run as a formula; numbers stay numbers.
    """
    guard = without_formula if for_sheets else str
    yield _csv([[guard(column.name) for column in grid.columns]], between)
    rows = iter(grid.rows())
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
        for row in grid.rows():
            yield _markdown_line(["<br>".join(map(_in_markdown, texts_of(cell))) for cell in row])


def _markdown_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _in_markdown(text: str) -> str:
    return IN_MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _to_parquet(columns: Sequence[TypedColumn]) -> bytes:
    into = io.BytesIO()
    library("pyarrow.parquet").write_table(columns_to_arrow(columns), into)
    return into.getvalue()


def _to_xlsx(typed: Sequence[tuple[str, list[TypedColumn]]]) -> tuple[bytes, int]:
    """Return a workbook with a sheet a grid, and how many texts had to be cut; no text is taken for a formula."""
    openpyxl = library("openpyxl")
    book = openpyxl.Workbook(write_only=True)
    names = export.sheet_names(label for label, _ in typed)
    cut = sum(
        fill_sheet(openpyxl, book.create_sheet(name), columns) for name, (_, columns) in zip(names, typed, strict=True)
    )
    into = io.BytesIO()
    book.save(into)
    return into.getvalue(), cut


def fill_sheet(openpyxl: Any, sheet: Any, columns: Sequence[TypedColumn]) -> int:  # noqa: ANN401 - a library that may not be there
    """Write columns into a sheet: numbers, dates and durations as such. Return how many texts had to be cut."""
    rows = max((len(each.entries) for each in columns), default=0)
    if rows >= export.MOST_ROWS or len(columns) > export.MOST_COLUMNS:
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

    sheet.append([cell_of(each.name) for each in columns])
    for row in _rows_of(columns):
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
