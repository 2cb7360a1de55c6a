"""Taking a run back: the records as they were before it, kept while it is under way, so that it can be held for review.

What a page gave is stored when the page is done; whether a run as a whole can be believed is known when it has ended.
One that can't is taken back in one transaction, and what it would have changed is held for a person to look at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, insert, select, update

from windrow.store import schema
from windrow.store.batches import in_batches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.engine import Connection

    from windrow.store.runs import Run

_KEPT = ("address_id", "last_run", "gone_run", "url", "texts", "typed", "lacking")


def remember(connection: Connection, run: Run, records: Sequence[int]) -> None:
    """Keep records as they are before a run changes them for the first time."""
    table, undo = schema.record, schema.undo
    for batch in in_batches(records):
        known = set(
            connection.execute(
                select(undo.c.record_id).where(undo.c.run_id == run.id, undo.c.record_id.in_(batch))
            ).scalars()
        )
        columns = [table.c[name] for name in ("id", "digest", *_KEPT)]
        chosen = select(*columns).where(table.c.id.in_(batch), table.c.first_run != run.id)
        rows = [
            {
                "run_id": run.id,
                "record_id": row["id"],
                "row": {"digest": row["digest"].hex(), **{name: row[name] for name in _KEPT}},
            }
            for row in connection.execute(chosen).mappings()
            if row["id"] not in known
        ]
        if rows:
            connection.execute(insert(undo), rows)


def take_back(connection: Connection, run: Run) -> int:
    """Make the records what they were before a run, hold what it would have changed, and return how many they are."""
    mine = schema.change.c.run_id == run.id
    _hold_changes(connection, run)
    held = set(connection.execute(select(schema.change.c.record_id).where(mine)).scalars())
    connection.execute(delete(schema.change).where(mine))
    connection.execute(delete(schema.claim).where(schema.claim.c.run_id == run.id))
    for batch in in_batches(connection.execute(select(schema.undo).where(schema.undo.c.run_id == run.id)).all()):
        rows = [{"number": each.record_id, **each.row, "digest": bytes.fromhex(each.row["digest"])} for each in batch]
        change = update(schema.record).where(schema.record.c.id == bindparam("number"))
        values: dict[str, Any] = {name: bindparam(name) for name in ("digest", *_KEPT)}
        connection.execute(change.values(values), rows)
    connection.execute(delete(schema.undo).where(schema.undo.c.run_id == run.id))
    connection.execute(
        delete(schema.record).where(schema.record.c.source_id == run.source_id, schema.record.c.first_run == run.id)
    )
    # Pages that this run read are to be read again next time, whatever their servers say of them.
    address = schema.address
    seen = address.c.source_id == run.source_id, address.c.seen_run == run.id
    connection.execute(update(address).where(*seen).values(validators=None, read_by=None))
    return len(held)


def _hold_changes(connection: Connection, run: Run) -> None:
    change, record, field = schema.change, schema.record, schema.field
    connection.execute(delete(schema.held).where(schema.held.c.source_id == run.source_id))
    columns = change.c.at, change.c.kind, record.c.key, field.c.label, change.c.old, change.c.new, record.c.url
    chosen = select(*columns).join(record, record.c.id == change.c.record_id)
    chosen = chosen.outerjoin(field, field.c.id == change.c.field_id).where(change.c.run_id == run.id)
    rows = [
        {"source_id": run.source_id, "run_id": run.id, **row}
        for row in connection.execute(chosen.order_by(change.c.id)).mappings()
    ]
    for batch in in_batches(rows):
        connection.execute(insert(schema.held), batch)


def forget_undo(connection: Connection, run: Run) -> None:
    """Let a run stand."""
    connection.execute(delete(schema.undo).where(schema.undo.c.run_id == run.id))
    connection.execute(delete(schema.held).where(schema.held.c.source_id == run.source_id))
