"""The rules that hold in every store, looked at as they stand in its tables; what breaks one is a sentence."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, inspect, or_, select

from windrow.store import schema
from windrow.store.runs import OFFLINE
from windrow.store.schema import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Select, Table
    from sqlalchemy.engine import Connection

    from windrow.store.batches import AnyRow

PASSING = (schema.queue, schema.claim, schema.undo)
"""What is kept for a run only while it is under way."""
REFERENCES = (
    (schema.record, "first_run", schema.run),
    (schema.record, "last_run", schema.run),
    (schema.record, "gone_run", schema.run),
    (schema.record, "page_id", schema.page),
    (schema.change, "page_id", schema.page),
    (schema.change, "field_id", schema.field),
    (schema.address, "seen_run", schema.run),
)
"""References that no database looks after, since they are written by the million."""
STREAMED = 1000


def find_faults(connection: Connection) -> list[str]:
    """Return what breaks a rule, a sentence each."""
    faults = []
    for query, sentence in (*_uniqueness(), *_references(), *_runs(), *_presence()):
        rows = connection.execute(query).all()
        if rows:
            faults.append(f"{sentence.format(*rows[0])}{_more(len(rows))}")
    faults += _histories(connection)
    faults += _counters(connection)
    return faults + _views(connection)


def _more(count: int) -> str:
    return f" So it is with {count - 1:,} more." if count > 1 else ""


def _uniqueness() -> Iterator[tuple[Select[Any], str]]:
    page, record, warning, source = schema.page, schema.record, schema.warning, schema.source
    doubled = func.count() > 1
    query = select(page.c.run_id, page.c.address_id).group_by(page.c.run_id, page.c.address_id).having(doubled)
    yield query, "Run {0} has stored the page of address {1} more than once."
    named = select(source.c.name, func.min(record.c.key)).join(source, source.c.id == record.c.source_id)
    yield named.group_by(source.c.name, record.c.lookup).having(doubled), "{0} has the key {1!r} more than once."
    query = select(source.c.name, warning.c.kind).join(source, source.c.id == warning.c.source_id)
    query = query.where(warning.c.state != "resolved").group_by(source.c.name, warning.c.kind).having(doubled)
    yield query, "{0} has more than one open warning of the kind {1}."


def _references() -> Iterator[tuple[Select[Any], str]]:
    for table, name, target in REFERENCES:
        query = select(table.c.id).outerjoin(target, target.c.id == table.c[name])
        lost = table.c[name].is_not(None), target.c.id.is_(None)
        yield query.where(*lost), f"{_called(table).capitalize()} {{0}} names a {_called(target)} that there is not."


def _called(table: Table) -> str:
    return table.name.removeprefix(PREFIX)


def _runs() -> Iterator[tuple[Select[Any], str]]:
    run, source = schema.run, schema.source
    query = select(source.c.name).join(run, run.c.source_id == source.c.id).where(run.c.ended_at.is_(None))
    yield query.group_by(source.c.name).having(func.count() > 1), "{0} has two runs under way."
    differs = or_(
        and_(run.c.state == "running", run.c.ended_at.is_not(None)),
        and_(run.c.state != "running", run.c.ended_at.is_(None)),
    )
    yield select(run.c.id, run.c.state).where(differs), "Run {0} is said to be {1}, which its end contradicts."
    for table in PASSING:
        query = select(run.c.id).join(table, table.c.run_id == run.c.id).where(run.c.ended_at.is_not(None)).distinct()
        yield query, f"Run {{0}} has ended, and left something in its {_called(table)}."


def _presence() -> Iterator[tuple[Select[Any], str]]:
    record, run, source = schema.record, schema.run, schema.source
    named = select(source.c.name, record.c.key).join(source, source.c.id == record.c.source_id)
    attached = record.c.gone_run.is_not(None), record.c.address_id.is_not(None)
    yield named.where(*attached), "{0} has the record {1!r}, which is gone and yet belongs to an address."
    # A run under way, or one that was cut, lets go of records that another page may show.
    last = select(func.max(run.c.id)).group_by(run.c.source_id)
    settled = select(run.c.source_id).where(run.c.id.in_(last), run.c.state == "whole", run.c.trigger != OFFLINE)
    loose = record.c.gone_run.is_(None), record.c.address_id.is_(None), record.c.source_id.in_(settled)
    yield named.where(*loose), "{0} has the record {1!r}, which is there though no page of its last whole run shows it."


_OF_CHANGE = ("record_id", "kind", "field_id", "old", "new")


def _histories(connection: Connection) -> list[str]:
    """Return what is wrong with the histories of records: each is a chain from what was added to what is there now."""
    faults: dict[str, list[str]] = {}
    for records, changes in _histories_of(connection):
        for record in records:
            if said := _history_fault(record, changes.get(record.id, [])):
                faults.setdefault(said, []).append(record.key)
    return [f"The record {keys[0]!r} {said}.{_more(len(keys))}" for said, keys in faults.items()]


def _histories_of(connection: Connection) -> Iterator[tuple[Sequence[AnyRow], dict[int, list[AnyRow]]]]:
    """Yield records with all their changes, some at a time."""
    record, change, last = schema.record, schema.change, -1
    columns = [record.c[name] for name in ("id", "key", "texts", "gone_run")]
    chosen = select(*columns).order_by(record.c.id).limit(STREAMED)
    while records := connection.execute(chosen.where(record.c.id > last)).all():
        first, last = records[0].id, records[-1].id
        query = select(*(change.c[name] for name in _OF_CHANGE)).where(change.c.record_id.between(first, last))
        rows = connection.execute(query.order_by(change.c.record_id, change.c.id))
        yield records, {number: list(each) for number, each in groupby(rows, lambda row: row.record_id)}


def _history_fault(record: AnyRow, changes: Sequence[AnyRow]) -> str:
    states = [row.kind for row in changes if row.kind != "changed"]
    if states[:1] != ["added"]:
        return "was never added"
    wanted = ["added", *(("removed", "returned")[number % 2] for number in range(len(states) - 1))]
    if states != wanted:
        return "went or came twice in a row"
    if (states[-1] == "removed") != (record.gone_run is not None):
        return "is gone without having been removed, or the other way round"
    values: dict[str, Any] = {}
    for row in changes:
        name = str(row.field_id)
        if row.kind != "changed":
            continue
        if name in values and values[name] != row.old:
            return "has a value that changed from something that it never was"
        values[name] = row.new
    if any(record.texts.get(name) != value for name, value in values.items()):
        return "has a value that its last change did not bring"
    return ""


def _counters(connection: Connection) -> list[str]:
    known = {row.name: row.next for row in connection.execute(select(schema.counter))}
    faults = []
    for table in (schema.record, schema.change):
        highest = connection.execute(select(func.max(table.c.id))).scalar()
        if highest is not None and known.get(_called(table), 0) <= highest:
            faults.append(f"The next {_called(table)} would get a number that is taken.")
    return faults


def _views(connection: Connection) -> list[str]:
    there = set(inspect(connection).get_view_names())
    chosen = select(schema.source.c.name, schema.source.c.view).where(schema.source.c.view.is_not(None))
    return [
        f"The view {view!r} of {name} is missing. The next run of it makes it anew."
        for name, view in connection.execute(chosen)
        if view not in there
    ]
