"""Values that are kept though the page of their record, when it was read last, did not surely show them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from windrow.store import schema
from windrow.store.fields import list_fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.engine import Connection


@dataclass(frozen=True)
class Outdated:
    """The records of a source with such values."""

    records: int
    labels: Mapping[str, int]
    """How many values of each label, most first."""
    key: str
    """One of the records."""
    url: str | None


def find_outdated(connection: Connection, source_id: int) -> Outdated | None:
    """Return which present records of a source have values that were last not seen; None where there are none."""
    table = schema.record
    chosen = select(table.c.key, table.c.url, table.c.lacking).where(
        table.c.source_id == source_id, table.c.gone_run.is_(None), table.c.lacking.is_not(None)
    )
    rows = connection.execute(chosen.order_by(table.c.id)).all()
    if not rows:
        return None
    known = {field.id: field.label for field in list_fields(connection, source_id)}
    labels = Counter(known[number] for row in rows for number in row.lacking)
    return Outdated(len(rows), dict(labels.most_common()), rows[0].key, rows[0].url)
