"""``Grid``: rows on their way into files, of one result or of many pages, read anew for each pass over them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from windrow.extras import library
from windrow.result.columns import Column, free_name
from windrow.result.typed_rows import TypedRows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pandas as pd
    import pyarrow as pa

    from windrow.result.result import Result

Cell: TypeAlias = "str | list[str] | None"
"""A text, several in the page's order, or nothing."""
Row: TypeAlias = "Sequence[Cell]"


def _pass() -> None:
    """Count nothing."""


@dataclass(frozen=True)
class Grid:
    """Columns, and rows that are read anew for each pass over them."""

    label: str
    columns: tuple[Column, ...]
    rows: Callable[[], Iterable[Row]]
    about: int = 0
    """How many columns at the beginning are about the row and no texts of a page."""

    passing: Callable[[], None] = _pass
    """What is called for each row that is written, for whoever shows how far one is."""

    def passing_rows(self) -> Iterator[Row]:
        """Yield the rows on their way into a file."""
        for row in self.rows():
            self.passing()
            yield row

    def to_arrow(self) -> pa.Table:
        """Return an Arrow table; kind and unit of a column stand in its metadata."""
        table: pa.Table = library("pyarrow").concat_tables(TypedRows(self).groups())
        return table

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame."""
        library("pandas")
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame


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
