"""What a reader of regions gives: regions, best first, with their records, columns and rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.region import export
from windrow.region.kinds import read_rating
from windrow.value import Mark, Value, read_value

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Box: TypeAlias = tuple[float, float, float, float]
Cell: TypeAlias = str | list[str]


@dataclass(frozen=True)
class Record:
    """One thing of a list: what the page says of it, and where."""

    nodes: tuple[int, ...]
    """The nodes that it was read from, siblings in document order; ``page.xpath(node)`` finds each again."""
    text: str
    box: Box | None
    """Left, top, right, bottom; None where the page was not laid out."""
    url: str | None
    """Where its own page is."""
    fields: dict[str, Cell]
    """By column; columns that are empty here are left out. What is repeated in a record is a list."""
    places: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The nodes that each field was read from."""
    marks: dict[str, Mark] = field(default_factory=dict)
    """The mark that parts decimals, by column, where the texts of the column tell."""
    bracketed: frozenset[str] = frozenset()
    """Columns whose texts all stand in brackets, which are then no sign of a number below zero."""

    @cached_property
    def values(self) -> dict[str, Value | list[Value]]:
        """The fields as numbers, amounts, ratings, dates and durations where they are such, each with its own text."""
        return {name: self._read(name, cell) for name, cell in self.fields.items()}

    def _read(self, name: str, cell: Cell) -> Value | list[Value]:
        several = [self._read_one(name, text) for text in ([cell] if isinstance(cell, str) else cell)]
        return several[0] if isinstance(cell, str) else several

    def _read_one(self, name: str, text: str) -> Value:
        plain = text[1:-1] if name in self.bracketed else text
        return replace(read_rating(plain) or read_value(plain, self.marks.get(name)), raw=text)


@dataclass(frozen=True, repr=False)
class Region:
    """A list of records on a page. Everything in it is text that stands on the page, or an address that it links to."""

    records: list[Record]
    columns: list[str]
    box: Box | None
    next_url: str | None
    """The next page of the list, where the page links to it."""
    confidence: float
    """From 0 to 1: how clearly this is a list of records, measured against the best one of the page."""
    rendered: bool
    """Whether boxes took part; where not, structure alone spoke."""
    method: str = "best"
    kinds: dict[str, str] = field(default_factory=dict)
    """What each column holds: text, price, date, number, duration, rating, address, link or image."""

    def __repr__(self) -> str:
        """Say what the region is, in a line."""
        how = "rendered" if self.rendered else "structure only"
        return f"<Region of {len(self.records)} records ({', '.join(self.columns)}; {how})>"

    @cached_property
    def rows(self) -> list[list[Cell]]:
        """The fields as a table: one row a record, an empty text where a record has no such field."""
        return [[record.fields.get(name, "") for name in self.columns] for record in self.records]

    def to_dicts(self) -> list[dict[str, Cell]]:
        """Give one mapping a record, with every column in it."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_csv(self) -> str:
        """Write the columns' names and the rows as CSV; several values of a cell stand on lines of their own."""
        return export.to_csv(self)

    def to_value(self) -> dict[str, Any]:
        """Give everything that is known as plain values, as ``to_json`` writes it."""
        return export.to_value(self)

    def to_json(self) -> str:
        """Write everything that is known as JSON."""
        return export.to_json(self)

    def to_pandas(self) -> pd.DataFrame:
        """Give the rows as a data frame of texts."""
        return export.to_pandas(self)

    def to_arrow(self) -> pa.Table:
        """Give the rows as an Arrow table; a column with several values in some cell is one of lists."""
        return export.to_arrow(self)

    def to_xlsx(self) -> bytes:
        """Write a workbook with one sheet; every cell is text, never a formula."""
        return export.to_xlsx(self)
