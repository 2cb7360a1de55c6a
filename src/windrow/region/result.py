"""What a reader of regions returns: regions, best first, with their records, columns and rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from windrow.result import Box, Column, Data, Result, Source, SourceRows, Value, read_data
from windrow.value import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

Cell: TypeAlias = str | list[str]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, repr=False)
class Region(Result, name="region"):
    """A list of records on a page. Everything in it is text that stands on the page, or an address that it links to."""

    records: tuple[Record, ...]
    names: tuple[str, ...]
    """The names of the columns."""
    box: Box | None
    next_url: str | None
    """The next page of the list, where the page links to it."""
    confidence: float
    """The share of such regions that are right."""
    rendered: bool
    """Whether boxes took part; where not, structure alone spoke."""
    method: str = "best"
    addresses: dict[str, Kind] = field(default_factory=dict)
    """Which columns hold no text of the page but addresses, of links or of images."""
    constants: dict[str, str] = field(default_factory=dict)
    """What every record says alike ("Quick view"), by the name that its column would have: no columns, but not lost."""
    node: int = -1
    """The smallest element that holds all of it."""
    table: str = ""
    """The XPath of the table that it is, where ``page.tables()`` gives the same rows once more."""
    language: str = ""
    """The language that the page says it is in."""
    left_out: int = 0
    """Records that go on behind these and were not read, since the page has more than may be read of it."""

    @property
    def lack(self) -> str:
        """What was left out, in a sentence; empty where nothing was. ``Limits.nodes`` says how much is read."""
        if not self.left_out:
            return ""
        return f"A list has {self.left_out:,} more records than the {len(self.records):,} that were read."

    def __repr__(self) -> str:
        """Return the region in a line."""
        how = "rendered" if self.rendered else "structure only"
        more = f" and {self.left_out} more" if self.left_out else ""
        return f"<Region of {len(self.records)} records{more} ({', '.join(self.names)}; {how}; {self.confidence:.0%})>"

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.names)

    @property
    def nodes(self) -> tuple[int, ...]:  # type: ignore[override] # follows from the records
        """The nodes of all records."""
        return tuple(node for record in self.records for node in record.nodes)

    @property
    def rows(self) -> list[list[Cell]]:
        """The fields as a table: one row a record, an empty text where a record has no such field."""
        return [[record.fields.get(name, "") for name in self.names] for record in self.records]

    @cached_property
    def data(self) -> Data:
        """One row a record, with the columns' types and units."""
        columns = [
            Column(name, self.addresses.get(name, "text"), language=self.language, bracketed=not self.table)
            for name in self.names
        ]
        return read_data(columns, SourceRows(self._source_rows))

    def _source_rows(self) -> Iterator[list[list[Source]]]:
        return ([_sources(record, name) for name in self.names] for record in self.records)

    def values(self, record: int) -> dict[str, list[Value]]:
        """Return the values of a record by column, several where the page repeats a field; absent ones are left out."""
        row = zip(self.names, self.data.rows[record], strict=True)
        return {name: list(cell) for name, cell in row if cell}


def _sources(record: Record, name: str) -> list[Source]:
    cell = record.fields.get(name)
    if cell is None:
        return []
    texts = [cell] if isinstance(cell, str) else cell
    nodes = record.places.get(name, ())
    return [Source(text, node=nodes[n] if n < len(nodes) else -1) for n, text in enumerate(texts)]
