"""Where values came from: the page, the place on it, the wrapper that read it, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from windrow.store import schema
from windrow.store.batches import in_batches
from windrow.store.moments import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy.engine import Connection

    from windrow.store.batches import AnyRow
    from windrow.store.points import Point

_OF_CHANGE = ("record_id", "field_id", "page_id", "wrapper_version", "origin")


class Origins:
    """The origins of the values of some records."""

    def __init__(self, connection: Connection, records: Sequence[AnyRow], at: Point | None) -> None:
        """Look up the changes that brought values until a point, and what is known of the pages and places."""
        table = schema.change
        self._changes: dict[int, dict[int, AnyRow]] = {}
        spots, pages = set[int](), {row.page_id for row in records}
        for numbers in in_batches(row.id for row in records):
            chosen = select(*(table.c[name] for name in _OF_CHANGE)).order_by(table.c.id)
            chosen = chosen.where(table.c.record_id.in_(numbers), table.c.kind == "changed")
            for change in connection.execute(chosen if at is None else chosen.where(at.before)):
                self._changes.setdefault(change.record_id, {})[change.field_id] = change
        for changes in self._changes.values():
            pages |= {change.page_id for change in changes.values()}
            spots |= {change.origin[0] for change in changes.values() if change.origin}
        spots |= {place[0] for row in records for place in (row.origin or {}).values()}
        self._pages = _pages(connection, pages - {None})
        self._spots = _paths(connection, spots)

    def of(self, record: AnyRow, labels: Mapping[int, str], texts: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Return the origin of each value of a record, by label."""
        found, changes = {}, self._changes.get(record.id, {})
        for name in texts:
            change = changes.get(int(name))
            if change is None or (record.wrapper_version or 0) > (change.wrapper_version or 0):
                about = record.page_id, record.wrapper_version, (record.origin or {}).get(name)
            else:
                about = change.page_id, change.wrapper_version, change.origin
            found[labels[int(name)]] = self._plain(*about)
        return found

    def _plain(self, page_id: int | None, wrapper: int | None, place: Sequence[Any] | None) -> dict[str, Any]:
        url, at = self._pages.get(page_id, (None, None))
        spot, confidence, box = (*(place or ()), None, None, None)[:3]
        about = {"page": page_id, "url": url, "at": at, "path": self._spots.get(spot), "box": box}
        return {**about, "wrapper": wrapper, "confidence": confidence}


def _pages(connection: Connection, numbers: Iterable[int]) -> dict[int | None, tuple[str, str | None]]:
    """Return the address of each page, and when it was read."""
    page, address = schema.page, schema.address
    known: dict[int | None, tuple[str, str | None]] = {}
    for batch in in_batches(numbers):
        chosen = select(page.c.id, page.c.final_url, address.c.url, page.c.at).join(address)
        for row in connection.execute(chosen.where(page.c.id.in_(batch))):
            known[row.id] = (row.final_url or row.url, shown(row.at))
    return known


def _paths(connection: Connection, numbers: Iterable[int]) -> dict[int | None, str]:
    table, known = schema.spot, dict[int | None, str]()
    for batch in in_batches(numbers):
        known |= {
            row.id: row.path
            for row in connection.execute(select(table.c.id, table.c.path).where(table.c.id.in_(batch)))
        }
    return known
