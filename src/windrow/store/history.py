"""What happened to records: every change, and the difference between two points of their history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, select

from windrow.errors import UsageError
from windrow.store import schema
from windrow.store.fields import list_fields
from windrow.store.moments import shown
from windrow.store.points import Point, find_point
from windrow.store.rows import Rows
from windrow.store.runs import last_whole_run
from windrow.store.text import lookup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.engine import Connection

    from windrow.store.batches import AnyRow
    from windrow.store.rows import Key
    from windrow.store.sightings import Texts
    from windrow.store.sources import SourceRow

A_BATCH = 2_000
"""How many changes are looked at together."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that happened to a record."""

    id: int
    source: str
    run: int
    at: str | None
    key: Key
    kind: str
    """Added, changed, removed or returned."""
    label: str | None
    """Of the value that changed."""
    old: Texts | None
    new: Texts | None
    url: str | None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True)
class Asked:
    """Which changes are asked for."""

    key: str | None = None
    label: str | None = None
    since: Point | None = None
    """Those after it, or in its second."""
    after: int | None = None
    """Those with a larger number than this."""
    record: int | None = None
    """Those of the record with this number."""


_EVERYTHING = Asked()


class History:
    """The changes of a source's records, read in one transaction."""

    def __init__(self, connection: Connection, source: SourceRow) -> None:
        """Look up the source's labels."""
        self.source = source
        self._connection = connection
        self._rows = Rows(connection, source)
        self._labels = self._rows.labels

    def changes(self, asked: Asked = _EVERYTHING, at_once: int = A_BATCH) -> Iterator[Change]:
        """Yield the changes, oldest first; ``at_once`` are looked up together."""
        # The sum keeps a database from gathering all changes by their source and sorting them, for every batch again.
        last = -1 if asked.after is None else asked.after
        chosen = _changes(schema.change.c.source_id + 0 == self.source.id, *self._conditions(asked))
        while rows := self._connection.execute(chosen.where(schema.change.c.id > last).limit(at_once)).all():
            last = rows[-1].id
            yield from (self._change(row, row.kind, row.old, row.new) for row in rows)

    def _conditions(self, asked: Asked) -> Iterator[ColumnElement[bool]]:
        if asked.key is not None:
            numbers = self.find(asked.key)
            yield schema.change.c.record_id.in_(numbers)
        if asked.record is not None:
            yield schema.change.c.record_id == asked.record
        if asked.label is not None:
            labels = {field.label: field.id for field in list_fields(self._connection, self.source.id)}
            if asked.label not in labels:
                known = f"there are: {', '.join(labels)}" if labels else "there is none yet"
                raise UsageError(f"{self.source.name} has no label {asked.label!r}; {known}.")
            yield schema.change.c.field_id == labels[asked.label]
        if asked.since is not None:
            yield asked.since.since

    def find(self, key: str) -> list[int]:
        """Return the number of the record with a key; of one that several labels make, any of its parts will do."""
        table = schema.record
        exact = select(table.c.id).where(table.c.source_id == self.source.id, table.c.lookup == lookup(key))
        numbers = list(self._connection.execute(exact).scalars())
        if not numbers and self._rows.has_parts:
            chosen = select(table.c.id, table.c.key).where(table.c.source_id == self.source.id)
            numbers = [row.id for row in self._connection.execute(chosen) if key in self._rows.key_of(row.key)]
        if not numbers:
            raise UsageError(
                f"{self.source.name} has no record with the key {key!r}. `windrow export {self.source.name} --gone` "
                "shows all keys."
            )
        return numbers

    def difference(self, older: Point, newer: Point) -> Iterator[Change]:
        """Yield what two points differ in, by key: a value that went and came back is no difference."""
        between = and_(older.after, newer.before)
        chosen = _changes(schema.change.c.source_id == self.source.id, between).order_by(None)
        group: list[AnyRow] = []
        for row in self._connection.execute(chosen.order_by(schema.change.c.record_id, schema.change.c.id)):
            if group and group[0].record_id != row.record_id:
                yield from self._net(group)
                group = []
            group.append(row)
        if group:
            yield from self._net(group)

    def held(self) -> Iterator[Change]:
        """Yield what a run would have changed that is held for review."""
        table = schema.held
        chosen = select(table).where(table.c.source_id == self.source.id).order_by(table.c.id)
        for row in self._connection.execute(chosen):
            about = row.id, self.source.name, row.run_id, shown(row.at), self._rows.key_of(row.key)
            yield Change(*about, row.kind, row.label, row.old, row.new, row.url)

    def _net(self, group: Sequence[AnyRow]) -> Iterator[Change]:
        """Yield what changes of one record come to."""
        states = [row for row in group if row.kind != "changed"]
        was_there = not states or states[0].kind == "removed"
        is_there = not states or states[-1].kind != "removed"
        if was_there and not is_there:
            yield self._change(states[-1], "removed")
        if not is_there:
            return
        if not was_there:
            yield self._change(states[-1], states[0].kind)
            if states[0].kind == "added":
                return
        first: dict[int, Any] = {}
        last: dict[int, AnyRow] = {}
        for row in group:
            if row.kind == "changed":
                first.setdefault(row.field_id, row.old)
                last[row.field_id] = row
        for field, row in last.items():
            if first[field] != row.new:
                yield self._change(row, "changed", first[field], row.new)

    def _change(self, row: AnyRow, kind: str, old: Texts | None = None, new: Texts | None = None) -> Change:
        label = None if row.field_id is None else self._labels[row.field_id]
        about = row.id, self.source.name, row.run_id, shown(row.at), self._rows.key_of(row.key)
        return Change(*about, kind, label, old, new, row.url)


_OF_CHANGE = ("id", "record_id", "run_id", "at", "kind", "field_id", "old", "new")


def _changes(*conditions: ColumnElement[bool]) -> Select[Any]:
    change, record, address = schema.change, schema.record, schema.address
    url = func.coalesce(record.c.url, address.c.url, type_=record.c.url.type).label("url")
    chosen = select(*(change.c[name] for name in _OF_CHANGE), record.c.key, url)
    chosen = chosen.join(record, record.c.id == change.c.record_id).outerjoin(
        address, address.c.id == record.c.address_id
    )
    return chosen.where(*conditions).order_by(change.c.id)


def choose_points(connection: Connection, source: SourceRow, given: Sequence[str]) -> tuple[Point, Point]:
    """Return the points to compare, the older first: the last whole run and the one before it, unless others are given.

    One that is given is compared with the last whole run before it.
    """
    points = [find_point(connection, source, text) for text in given]
    if len(points) > 1:
        older, newer = sorted(points, key=lambda point: _moment_of(connection, point))
        return older, newer
    if not points and (last := last_whole_run(connection, source.id)) is not None:
        points = [Point(last.id)]
    if points:
        run = points[0].run or _run_until(connection, source.id, points[0].moment)
        before = last_whole_run(connection, source.id, run)
        if before is not None:
            return Point(before.id), points[0]
    raise UsageError(
        f"There are no two whole runs of {source.name} to compare yet. `windrow runs {source.name}` lists its runs."
    )


def _moment_of(connection: Connection, point: Point) -> str:
    if point.run is None:
        return point.moment
    chosen = select(schema.run.c.started_at, schema.run.c.ended_at).where(schema.run.c.id == point.run)
    started, ended = connection.execute(chosen).one()
    return str(ended or started)


def _run_until(connection: Connection, source_id: int, moment: str) -> int:
    """Return the last run of a source that had begun at a moment."""
    chosen = select(func.max(schema.run.c.id)).where(schema.run.c.source_id == source_id)
    return int(connection.execute(chosen.where(schema.run.c.started_at <= moment)).scalar() or 0)
