"""``Grid``: rows that are too many to be held as values, on their way into files, with types where columns have them.

A typed column stands under its own name; its texts, as the pages show them, stand beside it.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.errors import UsageError
from windrow.extras import library
from windrow.result import export
from windrow.result.columns import Column, decide_columns, free_name
from windrow.result.data import Source, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pandas as pd
    import pyarrow as pa

    from windrow.atomic import NewFile

Cell: TypeAlias = "str | list[str] | None"
"""A text, several in the page's order, or nothing."""
Row: TypeAlias = "Sequence[Cell]"
AT_ONCE = 1000
"""How many rows are written together."""
MOST_EVIDENCE = 10_000
"""How many texts tell what a column is; what does not fit it stays as text beside it."""
UNTYPED = ("text", "link", "image")
FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
"""How a text begins that spreadsheets may run; some read the full-width signs as well."""
NUMBER = re.compile(r"[+-]?\d[\d.,\u00a0\u202f' ]*\s?%?")
FIRST_YEAR_OF_SHEETS = 1900
LARGEST_IN_SHEETS = 10**15
"""A sheet keeps fifteen digits of a number."""


@dataclass(frozen=True)
class Grid:
    """Columns, and rows that are read anew for each pass over them."""

    label: str
    columns: tuple[Column, ...]
    rows: Callable[[], Iterable[Row]]
    about: int = 0
    """How many columns at the beginning are about the row and no texts of a page."""

    def to_arrow(self) -> pa.Table:
        """Return an Arrow table; kind and unit of a column stand in its metadata."""
        pyarrow = library("pyarrow")
        arrays, fields = [], []
        for name, entries, column in self._typed_columns():
            array, field = export.to_arrow_column(pyarrow, name, entries, column)
            arrays.append(array)
            fields.append(field)
        table: pa.Table = pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))
        return table

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame."""
        library("pandas")
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def _typed_columns(self) -> Iterator[tuple[str, list[Any], Column | None]]:
        """Yield the columns of a typed file, each with its entries; one column's values are held at a time."""
        cells: list[list[Cell]] = [[] for _ in self.columns]
        for row in self.rows():
            for several, cell in zip(cells, row, strict=True):
                several.append(cell)
        texts = [_evidence(several) for several in cells]
        decided = decide_columns(self.columns, texts, [column.name for column in self.columns])
        taken = {column.name for column in decided}
        for number, known in enumerate(decided):
            column = known
            own, cells[number] = cells[number], []
            values = _typed(column, own) if column.kind not in UNTYPED else None
            if values is not None and not column.declared and _lacks_value(values, own):
                values = None  # one text that does not fit would otherwise be missed by whoever reads the numbers
                column = replace(column, kind="text", unit="")
            yield column.name, _as_texts(own) if values is None else values, column
            if values is not None and number >= self.about:
                beside = free_name(f"{column.name} (text)", taken)
                taken.add(beside)
                yield beside, _as_texts(own), None


def _evidence(cells: Sequence[Cell]) -> list[str]:
    """Return the texts that a column is decided from, taken evenly from all of it."""
    texts = [text for cell in cells for text in _texts(cell)]
    return texts[:: -(-len(texts) // MOST_EVIDENCE) or 1]


def _texts(cell: Cell) -> Sequence[str]:
    return () if cell is None else (cell,) if isinstance(cell, str) else cell


def _typed(column: Column, cells: Sequence[Cell]) -> list[Any]:
    data = read_rows([column], ([[Source(text) for text in _texts(cell)]] for cell in cells))
    return export.to_columns(data, typed=True)[column.name]


def _lacks_value(values: Sequence[Any], cells: Sequence[Cell]) -> bool:
    """Whether a text of a column has no value of the column's type."""
    pairs = zip(values, cells, strict=True)
    return any(_texts(cell) and (None in value if isinstance(value, list) else value is None) for value, cell in pairs)


def _as_texts(cells: Sequence[Cell]) -> list[Any]:
    """Return one entry a cell: its text, or a list where some cell has several."""
    if any(isinstance(cell, list) for cell in cells):
        return [list(_texts(cell)) for cell in cells]
    return list(cells)


def write_csv(file: NewFile, grid: Grid) -> None:
    """Write a grid by RFC 4180, texts as they stand on the page; several values are lines of a cell."""
    for chunk in grid_to_csv(grid):
        file.write(chunk)


def grid_to_csv(grid: Grid, *, for_sheets: bool = False) -> Iterator[bytes]:
    """Yield a grid as CSV, some rows at a time.

    ``for_sheets`` sets an apostrophe before a text that a spreadsheet would run as a formula; numbers stay numbers.
    """
    guard = without_formula if for_sheets else str
    yield _csv([[guard(column.name) for column in grid.columns]])
    rows = iter(grid.rows())
    while some := list(islice(rows, AT_ONCE)):
        yield _csv([[guard("\n".join(_texts(cell))) for cell in row] for row in some])


def without_formula(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text


def _csv(rows: Sequence[Sequence[str]]) -> bytes:
    return export.to_csv(rows).encode("utf-8", "replace")


def write_parquet(file: NewFile, grid: Grid) -> None:
    """Write a grid as a Parquet file."""
    into = io.BytesIO()
    library("pyarrow.parquet").write_table(grid.to_arrow(), into)
    file.write(into.getbuffer())


def write_xlsx(file: NewFile, grids: Sequence[Grid]) -> int:
    """Write a workbook with a sheet a grid; no text is taken for a formula. Return how many texts had to be cut."""
    openpyxl = library("openpyxl")
    book = openpyxl.Workbook(write_only=True)
    cut = 0
    for name, grid in zip(export.sheet_names(grid.label for grid in grids), grids, strict=True):
        cut += _fill(openpyxl, book.create_sheet(name), grid)
    into = io.BytesIO()
    book.save(into)
    file.write(into.getbuffer())
    return cut


def write_grids(file: NewFile, form: str, grids: Sequence[Grid]) -> int:
    """Write grids in a form, ``csv``, ``parquet`` or ``xlsx``; only a workbook has room for more than the first.

    Return how many texts had to be cut.
    """
    if form == "csv":
        write_csv(file, grids[0])
    elif form == "parquet":
        write_parquet(file, grids[0])
    else:
        return write_xlsx(file, grids)
    return 0


def _fill(openpyxl: Any, sheet: Any, grid: Grid) -> int:  # noqa: ANN401 - a library that may not be there
    columns = [(name, entries) for name, entries, _ in grid._typed_columns()]  # noqa: SLF001 - of this module
    rows = max((len(entries) for _, entries in columns), default=0)
    if rows >= export.MOST_ROWS or len(columns) > export.MOST_COLUMNS:
        raise UsageError(f"{grid.label!r} is larger than an XLSX sheet can be. Write it as CSV instead.")
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

    sheet.append([cell_of(name) for name, _ in columns])
    for number in range(rows):
        sheet.append([cell_of(entries[number]) for _, entries in columns])
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
