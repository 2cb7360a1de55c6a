"""The fields of a source: its labels in the order in which they came, with column names that any database takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select, update

from windrow.result.database import free_column_name
from windrow.store import schema
from windrow.store.text import digest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from sqlalchemy.engine import Connection

ABOUT_RECORDS = ("id", "key", "url", "state", "first_seen", "last_seen", "kept")
"""The columns of a view that say something about the record."""
# Made once: every page and every screen asks this.
_FIELDS = (
    select(schema.field.c.id, schema.field.c.label, schema.field.c.kind, schema.field.c.column_name)
    .where(schema.field.c.source_id == bindparam("source"))
    .order_by(schema.field.c.place)
)


@dataclass(frozen=True)
class FieldRow:
    """A field as it is stored."""

    id: int
    label: str
    kind: str | None
    """The type that was declared for it: number, money, date, address or text."""
    column_name: str


def list_fields(connection: Connection, source_id: int) -> list[FieldRow]:
    """Return the fields of a source, in their order."""
    return [FieldRow(*row) for row in connection.execute(_FIELDS, {"source": source_id})]


def save_fields(
    connection: Connection, source_id: int, labels: Iterable[str], kinds: Mapping[str, str | None] | None = None
) -> tuple[dict[str, FieldRow], bool]:
    """Return the fields of some labels, made where they are new, and whether anything changed that a view shows."""
    known = {field.label: field for field in list_fields(connection, source_id)}
    taken = {field.column_name.casefold() for field in known.values()} | set(ABOUT_RECORDS)
    changed = False
    for label in labels:
        kind = (kinds or {}).get(label)
        if label in known:
            if kind is not None and known[label].kind != kind:
                connection.execute(update(schema.field).where(schema.field.c.id == known[label].id).values(kind=kind))
                changed = True
            continue
        name = free_column_name(label, taken)
        taken.add(name.casefold())
        row = {"source_id": source_id, "digest": digest(label), "label": label, "kind": kind}
        connection.execute(insert(schema.field).values(column_name=name, place=len(known), **row))
        known[label] = FieldRow(-1, label, kind, name)
        changed = True
    if changed:
        known = {field.label: field for field in list_fields(connection, source_id)}
    return known, changed


def forget_unused(connection: Connection, source_id: int, wanted: Collection[str]) -> bool:
    """Forget the fields of a source that neither a record nor its history has, nor somebody wants; whether any was."""
    record, change = schema.record, schema.change
    used = set(
        connection.execute(select(change.c.field_id).where(change.c.source_id == source_id).distinct()).scalars()
    )
    for texts in connection.execute(select(record.c.texts).where(record.c.source_id == source_id)).scalars():
        used.update(map(int, texts))
    unused = [
        field.id for field in list_fields(connection, source_id) if field.id not in used and field.label not in wanted
    ]
    for number in unused:
        connection.execute(delete(schema.field).where(schema.field.c.id == number))
    return bool(unused)
