"""What became of the pages of a run, some at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from windrow.store import schema
from windrow.store.moments import shown

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection


def count_verdicts(connection: Connection, run_id: int) -> dict[str, int]:
    """Return how many pages of a run turned out to be what."""
    table = schema.page
    chosen = (
        select(table.c.verdict, func.count().label("number")).where(table.c.run_id == run_id).group_by(table.c.verdict)
    )
    return {row.verdict: row.number for row in connection.execute(chosen.order_by(table.c.verdict))}


def list_pages(
    connection: Connection, run_id: int, *, verdict: str = "", after: int = 0, limit: int = 100
) -> list[dict[str, Any]]:
    """Return the pages of a run that were read after another one, in the order in which they were read."""
    table, address = schema.page, schema.address
    names = ("id", "status", "at", "millis", "bytes", "verdict", "wrapper_version", "error")
    chosen = select(*(table.c[name] for name in names), address.c.url).join(address)
    chosen = chosen.where(table.c.run_id == run_id, table.c.id > after)
    if verdict:
        chosen = chosen.where(table.c.verdict == verdict)
    rows = connection.execute(chosen.order_by(table.c.id).limit(limit)).mappings()
    return [{**row, "at": shown(row["at"])} for row in rows]
