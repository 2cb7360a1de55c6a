"""A record: its values with where they came from, and what happened to it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from windrow.store import schema
from windrow.store.history import Asked, History
from windrow.store.rows import Rows, Wanted
from windrow.web.problems import MissingError
from windrow.web.screen import View

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from windrow.store.fields import FieldRow
    from windrow.store.rows import Record
    from windrow.web.screen import Call

MOST_CHANGES = 200
"""The latest changes of a record, which are shown."""
KINDS = {
    "added": "Seen for the first time",
    "changed": "Changed",
    "removed": "No longer there",
    "returned": "There again",
}


def overview(call: Call) -> View:
    """Show a record."""
    source = call.source()
    number = int(call.param("number"))
    with call.desk.store.reading() as connection:
        rows = Rows(connection, source, Wanted(gone=True, origin=True))
        record = next(rows.pick([number]), None) if number.bit_length() < 63 else None  # noqa: PLR2004 - as a database knows them
        if record is None:
            raise MissingError(f"{source.name} has no record {number}; it may have been removed.")
        key, lacking = _about(connection, number)
        changes = deque(History(connection, source).changes(Asked(key=key)), maxlen=MOST_CHANGES)
        data: dict[str, Any] = {
            "source": source.name,
            "id": number,
            "record": record,
            "values": [_value(field, record, lacking) for field in rows.fields],
            "history": list(reversed(changes)),
        }
    heading = record.key if isinstance(record.key, str) else " | ".join(record.key)
    return View("record.html", f"{heading[:200]} ({source.name})", data, shown={"kinds": KINDS})


def _about(connection: Connection, number: int) -> tuple[str, set[int]]:
    """Return the key of a record as it is stored, and the fields that are kept though they were last not seen."""
    table = schema.record
    row = connection.execute(select(table.c.key, table.c.lacking).where(table.c.id == number)).one()
    return row.key, {int(each) for each in row.lacking or ()}


def _value(field: FieldRow, record: Record, lacking: set[int]) -> dict[str, Any]:
    origin = (record.origin or {}).get(field.label, {})
    typed = record.typed.get(field.label)
    return {
        "label": field.label,
        "texts": record.values.get(field.label),
        "typed": typed,
        "kind": field.kind or ("text" if typed is None else "number" if isinstance(typed, int | float) else "other"),
        "confidence": origin.get("confidence"),
        "page": origin.get("url"),
        "at": origin.get("at"),
        "path": origin.get("path"),
        "wrapper": origin.get("wrapper"),
        "is_kept": field.id in lacking,
    }
