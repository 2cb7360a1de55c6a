"""Records that a run did not come upon: who they are, and what becomes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, or_, select

from windrow.store import schema
from windrow.store.frontier import FORMER, Lead

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.engine import Connection

    from windrow.store.runs import Run


def select_absent(run: Run, *columns: ColumnElement[Any], by_page: bool = False) -> Select[Any]:
    """Return a selection of the records that are present and that no page of a run has shown, beside their addresses.

    With ``by_page`` of those alone whose own page was read and shows them no more.
    """
    table, address = schema.record, schema.address
    unseen: ColumnElement[bool] = table.c.address_id.is_(None)
    if not by_page:
        unseen = or_(unseen, address.c.seen_run != run.id)
    chosen = select(*columns).select_from(table).outerjoin(address, address.c.id == table.c.address_id)
    return chosen.where(and_(table.c.source_id == run.source_id, table.c.gone_run.is_(None), unseen))


def count_absent(connection: Connection, run: Run) -> int:
    """Return how many records no page of a run has shown; those that another address claims have moved there."""
    claimed = select(schema.claim.c.record_id).where(schema.claim.c.run_id == run.id)
    chosen = select_absent(run, func.count()).where(schema.record.c.id.not_in(claimed))
    return int(connection.execute(chosen).scalar_one())


def sample_absent(connection: Connection, run: Run, most: int) -> list[Lead]:
    """Return the pages of some records that no page of a run has shown, spread over all of them."""
    address = schema.address
    chosen = select_absent(run, address.c.url, address.c.as_found).where(address.c.id.is_not(None)).distinct()
    found = connection.execute(chosen.order_by(address.c.url)).all()
    count = min(most, len(found))
    # From the first to the last: behind a link that broke may be only the end of them.
    places = [number * (len(found) - 1) // max(1, count - 1) for number in range(count)]
    return [Lead(found[place].url, found[place].as_found, f"{FORMER}detail") for place in places]
