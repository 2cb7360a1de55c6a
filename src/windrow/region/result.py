"""What a reader of regions gives: regions, best first, with their records, columns and rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Box: TypeAlias = tuple[float, float, float, float]
Cell: TypeAlias = str | list[str]


@dataclass(frozen=True)
class Record:
    """One thing of a list: what the page says of it, and where."""

    nodes: tuple[int, ...]
    """The nodes that it was read from, siblings in document order."""
    text: str
    box: Box | None
    """Left, top, right, bottom; None where the page was not laid out."""
    url: str | None
    """Where its own page is."""
    fields: dict[str, Cell]
    """By column; columns that are empty here are left out."""
    places: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The nodes that each field was read from."""


@dataclass(frozen=True)
class Region:
    """A list of records on a page."""

    records: list[Record]
    columns: list[str]
    box: Box | None
    next_url: str | None
    """The next page of the list, where the page links to it."""
    confidence: float
    """From 0 to 1: how clearly this is a list of records; comparable on one page only."""
    rendered: bool
    """Whether boxes took part; without them, structure alone spoke."""
    method: str = "best"
    kinds: dict[str, str] = field(default_factory=dict)
    """What each column holds: text, price, date, number, rating, link or image."""

    @property
    def rows(self) -> list[list[Cell]]:
        """The fields as a table: one row a record, an empty text where a record has no such field."""
        return [[record.fields.get(name, "") for name in self.columns] for record in self.records]

    def to_dicts(self) -> list[dict[str, Cell]]:
        """Give one mapping a record, with every column in it."""
        return [{name: record.fields.get(name, "") for name in self.columns} for record in self.records]
