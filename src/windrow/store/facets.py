"""Facets: which values the labels of records have most often, for whoever wants to see only those."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from sqlalchemy import Text as SqlText
from sqlalchemy import select, type_coerce

from windrow.store import schema
from windrow.store.batches import in_batches
from windrow.store.fields import list_fields
from windrow.store.selection import remember, scan, select_records
from windrow.store.text import load

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.engine import Connection

    from windrow.store.selection import Chosen
    from windrow.store.sources import SourceRow

MOST_COUNTED = 200_000
"""Records whose values are counted; beyond, the first of them are, and that is said."""
MOST_VALUES = 8
"""Values of a label that are offered."""
LONGEST = 80
"""Longer texts are no values that several records share."""


@dataclass(frozen=True)
class Facet:
    """The values that a label has most often."""

    label: str
    values: list[tuple[str, int]]
    """Each with the number of records that have it."""
    others: int
    """How many other values there are."""


@dataclass(frozen=True)
class Facets:
    """What records have in common."""

    counted: int
    """How many records were looked at."""
    facets: list[Facet]


def find_facets(connection: Connection, source: SourceRow, chosen: Chosen) -> Facets:
    """Return the labels some of whose values several records have, with those values."""
    about = "facets", chosen
    found: Facets = remember(connection, source, about, lambda: _count(connection, source, chosen), lambda _: 1_000)
    return found


def _count(connection: Connection, source: SourceRow, chosen: Chosen) -> Facets:
    fields = list_fields(connection, source.id)
    counters: dict[str, Counter[str]] = {str(field.id): Counter() for field in fields}
    counted = 0
    for raw in islice(_texts(connection, source, chosen), MOST_COUNTED):
        counted += 1
        for field, texts in load(raw).items():
            for text in {texts} if isinstance(texts, str) else set(texts):
                if len(text) <= LONGEST:
                    counters[field][text] += 1
    found = []
    for field in fields:
        values = counters[str(field.id)]
        common = [(text, number) for text, number in values.most_common(MOST_VALUES) if number > 1]
        if common and len(values) > 1:
            found.append(Facet(field.label, common, len(values) - len(common)))
    return Facets(counted, found)


def _texts(connection: Connection, source: SourceRow, chosen: Chosen) -> Iterable[str]:
    if chosen.is_plain:
        yield from (row.texts for row in scan(connection, source, chosen.state))
        return
    table = schema.record
    columns: Any = type_coerce(table.c.texts, SqlText)
    for numbers in in_batches(select_records(connection, source, chosen).tolist()):
        yield from connection.execute(select(columns).where(table.c.id.in_(numbers))).scalars()
