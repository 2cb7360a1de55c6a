"""``Grid``: rows on their way into files, of one result or of many pages, with types where columns have them.

A typed column stands under its own name; its texts, as the pages show them, stand beside it. What does not fit its
column is null there and a text beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.extras import library
from windrow.result import export
from windrow.result.columns import Column, decide_columns, free_name
from windrow.result.data import Source, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pandas as pd
    import pyarrow as pa

    from windrow.result.result import Result

Cell: TypeAlias = "str | list[str] | None"
"""A text, several in the page's order, or nothing."""
Row: TypeAlias = "Sequence[Cell]"
MOST_EVIDENCE = 10_000
"""How many texts tell what a column is; what does not fit it stays as text beside it."""
UNTYPED = ("text", "link", "image")


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
        return columns_to_arrow(self.typed_columns())

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame."""
        library("pandas")
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def typed_columns(self) -> Iterator[TypedColumn]:
        """Yield the columns of a typed file, each with its entries; one column's values are held at a time."""
        cells: list[list[Cell]] = [[] for _ in self.columns]
        for row in self.rows():
            for several, cell in zip(cells, row, strict=True):
                several.append(cell)
        texts = [_evidence(several) for several in cells]
        decided = decide_columns(self.columns, texts, [column.name for column in self.columns])
        taken = {column.name for column in decided}
        for number, column in enumerate(decided):
            own, cells[number] = cells[number], []
            if column.kind in UNTYPED:
                yield TypedColumn(column.name, _as_texts(own), column)
                continue
            values, misfits = _typed(column, own)
            yield TypedColumn(column.name, values, column, misfits)
            if number >= self.about and not column.counted:
                beside = free_name(f"{column.name} (text)", taken)
                taken.add(beside)
                yield TypedColumn(beside, _as_texts(own))


@dataclass(frozen=True)
class TypedColumn:
    """A column of a typed file, with an entry a row."""

    name: str
    entries: list[Any]
    column: Column | None = None
    """What is known of it; nothing of the texts beside a typed column."""
    misfits: int = 0
    """How many texts do not fit its type, and are null."""


def columns_to_arrow(columns: Iterable[TypedColumn]) -> pa.Table:
    """Return columns as an Arrow table."""
    pyarrow = library("pyarrow")
    made = [export.to_arrow_column(pyarrow, each.name, each.entries, each.column) for each in columns]
    schema = pyarrow.schema([field for _, field in made])
    table: pa.Table = pyarrow.Table.from_arrays([array for array, _ in made], schema=schema)
    return table


def _evidence(cells: Sequence[Cell]) -> list[str]:
    """Return the texts that a column is decided from, taken evenly from all of it."""
    texts = [text for cell in cells for text in texts_of(cell)]
    return texts[:: -(-len(texts) // MOST_EVIDENCE) or 1]


def texts_of(cell: Cell) -> Sequence[str]:
    """Return the texts of a cell, however many."""
    return () if cell is None else (cell,) if isinstance(cell, str) else cell


def _typed(column: Column, cells: Sequence[Cell]) -> tuple[list[Any], int]:
    """Return the values of a column, and how many of its texts have none though they say something."""
    data = read_rows([column], ([[Source(text) for text in texts_of(cell)]] for cell in cells))
    misfits = sum(not value.fits for (cell,) in data.rows for value in cell)
    return export.to_columns(data, typed=True)[column.name], misfits


def _as_texts(cells: Sequence[Cell]) -> list[Any]:
    """Return one entry a cell: its text, or a list where some cell has several."""
    if any(isinstance(cell, list) for cell in cells):
        return [list(texts_of(cell)) for cell in cells]
    return list(cells)


@dataclass(frozen=True)
class Part:
    """The rows of one result, as they can be sent and kept, to be stacked with those of others."""

    label: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    about: tuple[tuple[str, str], ...] = ()
    """What is said of each of its rows before its columns, by name: which page it is from."""

    @classmethod
    def of(cls, result: Result, about: Sequence[tuple[str, str]] = ()) -> Part:
        """Take the rows of a result; what its columns are is decided anew when they are stacked."""
        data = result.data
        columns = tuple(
            column if column.counted or column.kind in ("link", "image") else _undecided(column)
            for column in data.columns
        )
        rows = tuple(tuple(_cell([value.text for value in cell]) for cell in row) for row in data.rows)
        return cls(result.label, columns, rows, tuple(about))


def _undecided(column: Column) -> Column:
    return replace(column, kind="text", unit="", unit_in_heading=False, separator=None, order=None)


def _cell(texts: list[str]) -> Cell:
    return None if not texts else texts[0] if len(texts) == 1 else texts


def stack(parts: Sequence[Part], label: str | None = None) -> Grid:
    """Return the rows of several results as one grid: columns of the same name are one, in the order they appear."""
    own: dict[str, Column] = {}
    for part in parts:
        for column in part.columns:
            known = own.setdefault(column.name, column)
            if column.language != known.language:  # pages that write numbers in different ways
                own[column.name] = replace(known, language="")
    about = list(dict.fromkeys(name for part in parts for name, _ in part.about))
    columns = [Column(free_name(name, own), wordy=True) for name in about] + list(own.values())

    def read() -> Iterator[Row]:
        for part in parts:
            said = dict(part.about)
            before = [said.get(name) for name in about]
            places = {column.name: number for number, column in enumerate(part.columns)}
            order = [places.get(name) for name in own]
            for row in part.rows:
                yield [*before, *(None if place is None else row[place] for place in order)]

    return Grid(label or parts[0].label, tuple(columns), read, len(about))
