"""``TypedRows``: a grid on its way into a typed file, some rows at a time, however many there are.

A first pass over the rows decides what the columns are; a second one writes them. A typed column stands under its own
name; its texts, as the pages show them, stand beside it. What does not fit its column is null there and a text beside
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from windrow.extras import library
from windrow.result import export
from windrow.result.columns import decide_columns, free_name

if TYPE_CHECKING:
    import pyarrow as pa

    from windrow.result.columns import Column
    from windrow.result.grid import Cell, Grid, Row

MOST_EVIDENCE = 10_000
"""How many texts tell what a column is; what does not fit it stays as text beside it."""
AT_ONCE = 2_000
"""Rows that are typed together."""
A_GROUP = 20_000
"""Rows that are stored together in a file that is read by its columns."""
UNTYPED = ("text", "link", "image")


def texts_of(cell: Cell) -> Sequence[str]:
    """Return the texts of a cell, however many."""
    return () if cell is None else (cell,) if isinstance(cell, str) else cell


class _Evidence:
    """Texts of a column, taken evenly from all of it, and whether some cell has several."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.several = False
        """Whether some cell has more than one text."""
        self.lists = False
        """Whether some cell is a list, of whatever length."""
        self._every, self._seen = 1, 0

    def add(self, cell: Cell) -> None:
        if isinstance(cell, list):
            self.lists, self.several = True, self.several or len(cell) > 1
        for text in texts_of(cell):
            if self._seen % self._every == 0:
                self.texts.append(text)
            self._seen += 1
            if len(self.texts) > MOST_EVIDENCE:
                del self.texts[1::2]
                self._every *= 2


@dataclass
class TypedColumn:
    """A column of a typed file."""

    name: str
    place: int
    """Which column of the grid it is of."""
    column: Column | None
    """What is known of it; nothing of the texts beside a typed column."""
    several: bool
    """Whether its entries are lists."""
    misfits: int = field(default=0, compare=False)
    """How many texts did not fit its type so far, and are null."""

    @property
    def is_typed(self) -> bool:
        """Whether its entries are what texts say, not the texts."""
        return self.column is not None and self.column.kind not in UNTYPED

    def entries(self, cells: Sequence[Cell]) -> list[Any]:
        """Return an entry a cell: what its text says, or the text; a list where some cell of the column has several."""
        read = self._read if self.is_typed else str
        if self.several:
            return [[read(text) for text in texts_of(cell)] for cell in cells]
        return [read(texts[0]) if (texts := texts_of(cell)) else None for cell in cells]

    def _read(self, text: str) -> Any:  # noqa: ANN401 - a number, a date, a duration
        assert self.column is not None, "only typed columns are read"  # noqa: S101 - for the type checker
        typed = self.column.read(text)
        if self.column.fits(typed):
            return typed.value
        self.misfits += 1
        return None


class TypedRows:
    """The rows of a grid with their types; it is read once for what the columns are, and again for each use."""

    def __init__(self, grid: Grid) -> None:
        """Look through all rows."""
        self.label, self._grid, self.count = grid.label, grid, 0
        evidence = [_Evidence() for _ in grid.columns]
        for row in grid.rows():
            self.count += 1
            for each, cell in zip(evidence, row, strict=True):
                each.add(cell)
        names = [column.name for column in grid.columns]
        decided = decide_columns(grid.columns, [each.texts for each in evidence], names)
        self.columns = list(_typed_columns(decided, evidence, grid.about))

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [each.name for each in self.columns]

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the entries of each row; whoever counts them is told of each."""
        for entries in self._batches(self._grid.passing_rows()):
            yield from zip(*entries, strict=True)

    def groups(self) -> Iterator[pa.Table]:
        """Yield Arrow tables of one schema, at least one; kind and unit of a column stand in its metadata."""
        pyarrow = library("pyarrow")
        schema = pyarrow.schema([export.to_arrow_field(pyarrow, *each) for each in self._samples()])
        gathered: list[Any] = []
        for entries in self._batches(self._grid.passing_rows()):
            made = [
                export.to_arrow_array(pyarrow, each, field.type) for each, field in zip(entries, schema, strict=True)
            ]
            gathered.append(pyarrow.record_batch(made, schema=schema))
            if sum(batch.num_rows for batch in gathered) >= A_GROUP:
                yield pyarrow.Table.from_batches(gathered, schema)
                gathered = []
        if gathered or not self.count:
            yield pyarrow.Table.from_batches(gathered, schema)

    def _samples(self) -> Iterable[tuple[str, list[Any], Column | None]]:
        """Yield, for each column, entries that tell its type in Arrow: the first of each class of its values."""
        known: list[dict[type, Any]] = [{} for _ in self.columns]
        typed = [number for number, each in enumerate(self.columns) if each.is_typed]
        for entries in self._batches(self._grid.rows(), typed) if typed else ():
            for number, some in zip(typed, entries, strict=True):
                for entry in some:
                    for value in entry if isinstance(entry, list) else (entry,):
                        known[number].setdefault(type(value), value)
        for each in self.columns:
            each.misfits = 0  # counted as they are written
        for each, values in zip(self.columns, known, strict=True):
            yield each.name, [[*values.values()]] if each.several else [*values.values()], each.column

    def _batches(self, rows: Iterable[Row], only: Sequence[int] | None = None) -> Iterator[list[list[Any]]]:
        """Yield the entries of some rows at a time, by their columns, or by some of these."""
        columns = self.columns if only is None else [self.columns[number] for number in only]
        remaining = iter(rows)
        while some := list(islice(remaining, AT_ONCE)):
            cells = list(zip(*some, strict=True))
            yield [each.entries(cells[each.place]) for each in columns]


def _typed_columns(decided: Sequence[Column], evidence: Sequence[_Evidence], about: int) -> Iterator[TypedColumn]:
    taken = {column.name for column in decided}
    for number, (column, seen) in enumerate(zip(decided, evidence, strict=True)):
        if column.kind in UNTYPED:
            yield TypedColumn(column.name, number, column, seen.lists)
            continue
        yield TypedColumn(column.name, number, column, seen.several)
        if number >= about and not column.counted:
            beside = free_name(f"{column.name} (text)", taken)
            taken.add(beside)
            yield TypedColumn(beside, number, None, seen.lists)
