"""The timetable in the store: the next fire of each source, shared by all processes that keep the schedule."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from windrow.harvest.settings import SourceSettings
from windrow.schedule import Entry, Plan, Schedule, Timetable
from windrow.schedule import Scheduler as AnyScheduler
from windrow.store import Store, open_store, schema
from windrow.store.moments import from_text, shown, to_text
from windrow.store.runs import announce_run, is_at_work
from windrow.store.sources import find_source, get_source, list_sources

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection


class StoreTimetable:
    """The sources of a store and their fires."""

    def __init__(self, store: Store) -> None:
        """Take the store that they are in."""
        self.store = store

    def entries(self) -> list[Entry]:
        """Return the sources that have a schedule and are not paused; one that is deferred is looked at again."""
        with self.store.reading() as connection:
            plans = {row.id: row.plan for row in connection.execute(select(schema.source.c.id, schema.source.c.plan))}
            sources = list_sources(connection)
        found = []
        for source in sources:
            schedule = SourceSettings.from_dict(source.settings).schedule
            if schedule is not None and source.state != "paused":
                plan = plans.get(source.id)
                found.append(Entry(source.name, schedule, None if plan is None else Plan.from_dict(plan)))
        return found

    def fired(self, source: str, since: datetime) -> list[datetime]:
        """Return the due times that were claimed from an instant on."""
        with self.store.reading() as connection:
            number = _number_of(connection, source)
            mine = schema.fire.c.source_id == number, schema.fire.c.due_at >= to_text(since)
            return [from_text(due) for due in connection.execute(select(schema.fire.c.due_at).where(*mine)).scalars()]

    def plan(self, source: str, plan: Plan, instead_of: Plan | None) -> bool:
        """Keep a plan if the one that is kept is still the one that it replaces."""
        with self.store.writing() as connection:
            return self._replace(connection, _number_of(connection, source), plan, instead_of)

    def claim(self, source: str, plan: Plan, following: Plan) -> bool:
        """Say that a fire is this caller's, unless it is another's or the source is in hand."""
        with self.store.writing() as connection:
            number = _number_of(connection, source)
            table = schema.run
            under_way = table.c.source_id == number, table.c.ended_at.is_(None)
            run = connection.execute(select(table).where(*under_way)).first()
            if number is None or (run is not None and is_at_work(run)):
                return False
            due = to_text(plan.due)
            known = schema.fire.c.source_id == number, schema.fire.c.due_at == due
            if connection.execute(select(schema.fire.c.due_at).where(*known)).first() is not None:
                return False
            if not self._replace(connection, number, following, plan):
                return False
            connection.execute(insert(schema.fire).values(source_id=number, due_at=due))
            if run is None:
                # Whatever ends this process now, the run is there to be gone on with.
                version = get_source(connection, source).version
                announce_run(connection, number, version, "schedule", due)
            return True

    def _replace(self, connection: Connection, number: int | None, plan: Plan, instead_of: Plan | None) -> bool:
        table = schema.source
        mine = select(table.c.plan).where(table.c.id == number).with_for_update()
        row = connection.execute(mine).first()
        if row is None or (None if row.plan is None else Plan.from_dict(row.plan)) != instead_of:
            return False
        values = {"plan": plan.to_dict(), "due_at": to_text(plan.due)}
        connection.execute(update(table).where(table.c.id == number).values(values))
        return True


class Scheduler(AnyScheduler):
    """Keeps the schedule of a store, which may be named by its file or address."""

    def _open(self, store: object) -> Timetable:
        if isinstance(store, str | Path):
            store = open_store(store)
        return StoreTimetable(store) if isinstance(store, Store) else super()._open(store)


def _number_of(connection: Connection, name: str) -> int | None:
    found = find_source(connection, name)
    return None if found is None else found.id


def next_runs(connection: Connection) -> dict[str, str]:
    """Return when each source with a schedule would be due, also where nobody keeps the schedule yet."""
    found = {}
    for source in list_sources(connection):
        if (plain := source.settings.get("schedule")) and source.state != "paused":
            due = Schedule.from_dict(plain).after(datetime.now(UTC), source=source.name)
            found[source.name] = source.due_at or to_text(due)
    return {name: str(shown(due)) for name, due in found.items()}


def next_fires(connection: Connection, name: str, schedule: Schedule | None, count: int = 5) -> list[datetime]:
    """Return the next runs of a source that would be saved now; one that has the schedule already keeps its plan."""
    if schedule is None:
        return []
    plain = connection.execute(select(schema.source.c.plan).where(schema.source.c.name == name)).scalar()
    plan = None if plain is None else Plan.from_dict(plain)
    now = datetime.now(UTC)
    if plan is None or plan.schedule != schedule or plan.due <= now:
        return schedule.fires(count, now, source=name)
    return [plan.due, *schedule.fires(count - 1, plan.due, source=name, anchor=plan.anchor)]
