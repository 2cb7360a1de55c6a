"""What pages show of records, and what the store knows of them to compare it with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from windrow.store.text import unescape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Texts: TypeAlias = "str | list[str]"
"""One text, or several in the page's order."""


class Origin(NamedTuple):
    """Where a value stood on its page."""

    path: str
    confidence: float | None = None
    box: tuple[int, int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Sighting:
    """A record as a page showed it."""

    key: str
    values: Mapping[str, Texts]
    """By label; a label that the page does not have is left out."""
    typed: Mapping[str, Any] = field(default_factory=dict)
    """Numbers and dates, by label, where they say more than the text."""
    origin: Mapping[str, Origin] = field(default_factory=dict)
    url: str | None = None


class Place(NamedTuple):
    """The page that sightings are of."""

    address_id: int
    page_id: int | None
    wrapper_version: int | None
    at: str


class Seen(NamedTuple):
    """A sighting, with what tells whether anything changed."""

    sighting: Sighting
    digest: bytes


class Known(NamedTuple):
    """A record as far as its sightings are compared with it."""

    id: int
    key: str
    digest: bytes
    address_id: int | None
    gone_run: int | None
    wrapper_version: int | None
    """That read where its values stand."""

    @classmethod
    def of(cls, row: Sequence[Any]) -> Known:
        """Return a record by its columns as the database has them."""
        number, key, seen, *rest = row
        return cls(number, unescape(key), bytes(seen), *rest)
