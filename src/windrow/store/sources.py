"""Sources: their settings and wrappers, each with every version that there was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sqlalchemy import bindparam, delete, func, insert, select, update

from windrow.errors import UsageError
from windrow.store import schema
from windrow.store.moments import now

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy.engine import Connection

    from windrow.store.engine import Store

State: TypeAlias = Literal["active", "paused", "deferred"]


@dataclass(frozen=True)
class SourceRow:
    """A source as it is stored."""

    id: int
    name: str
    state: State
    reason: str
    """Why it is paused or deferred, as a sentence."""
    version: int
    """Of its settings."""
    settings: Mapping[str, Any]
    made_at: str
    due_at: str | None
    ignored: Sequence[str] | None = None
    """Parameters of addresses that do not decide which record a page shows."""


@dataclass(frozen=True)
class WrapperRow:
    """A version of a source's wrapper."""

    version: int
    body: str
    made_by: str
    report: Any
    made_at: str


_LATEST = (
    select(schema.settings.c.source_id, func.max(schema.settings.c.version).label("version"))
    .group_by(schema.settings.c.source_id)
    .subquery()
)
_SOURCES = (
    select(
        schema.source.c.id,
        schema.source.c.name,
        schema.source.c.state,
        schema.source.c.reason,
        schema.settings.c.version,
        schema.settings.c.body,
        schema.source.c.made_at,
        schema.source.c.due_at,
        schema.source.c.ignored,
    )
    .join(_LATEST, _LATEST.c.source_id == schema.source.c.id)
    .join(
        schema.settings,
        (schema.settings.c.source_id == schema.source.c.id) & (schema.settings.c.version == _LATEST.c.version),
    )
)
_SOURCE = _SOURCES.where(schema.source.c.name == bindparam("name"))


def list_sources(connection: Connection) -> list[SourceRow]:
    """Return all sources, by name."""
    return [SourceRow(*row) for row in connection.execute(_SOURCES.order_by(schema.source.c.name))]


def find_source(connection: Connection, name: str) -> SourceRow | None:
    """Return a source by its name, or None."""
    row = connection.execute(_SOURCE, {"name": name}).first()
    return None if row is None else SourceRow(*row)


def get_source(connection: Connection, name: str) -> SourceRow:
    """Return a source by its name; ``UsageError`` where there is none."""
    if (found := find_source(connection, name)) is not None:
        return found
    names = [each.name for each in list_sources(connection)]
    known = f"there are: {', '.join(names)}" if names else "there is none yet; add one with `windrow source add`"
    raise UsageError(f"There is no source {name!r}; {known}.")


def find_settings(connection: Connection, source_id: int, version: int) -> Mapping[str, Any]:
    """Return a version of a source's settings."""
    table = schema.settings
    mine = table.c.source_id == source_id, table.c.version == version
    found: Mapping[str, Any] = connection.execute(select(table.c.body).where(*mine)).scalar_one()
    return found


def save_source(connection: Connection, name: str, settings: Mapping[str, Any]) -> SourceRow:
    """Add a source, or give it new settings; settings that are the same make no version."""
    moment = now()
    found = find_source(connection, name)
    if found is None:
        row = {"name": name, "state": "active", "reason": "", "made_at": moment, "changed_at": moment}
        source_id = connection.execute(insert(schema.source).values(row).returning(schema.source.c.id)).scalar_one()
        _add_settings(connection, source_id, 1, settings)
    elif found.settings != settings:
        change = update(schema.source).where(schema.source.c.id == found.id)
        connection.execute(change.values(changed_at=moment))
        if found.settings.get("schedule") != settings.get("schedule"):
            connection.execute(change.values(due_at=None, plan=None))
        _add_settings(connection, found.id, found.version + 1, settings)
    return get_source(connection, name)


def _add_settings(connection: Connection, source_id: int, version: int, body: Mapping[str, Any]) -> None:
    row = {"source_id": source_id, "version": version, "body": dict(body), "made_at": now()}
    connection.execute(insert(schema.settings).values(row))


def set_state(connection: Connection, source_id: int, state: State, reason: str = "") -> None:
    """Make a source active, paused or deferred, for a reason."""
    change = update(schema.source).where(schema.source.c.id == source_id)
    connection.execute(change.values(state=state, reason=reason, changed_at=now()))
    if state == "paused":
        # What a pause leaves out is not missed.
        connection.execute(change.values(due_at=None, plan=None))


def ignore_parameters(connection: Connection, source_id: int, names: Iterable[str]) -> None:
    """Keep the parameters of addresses that do not decide which record a page shows."""
    change = update(schema.source).where(schema.source.c.id == source_id)
    connection.execute(change.values(ignored=sorted(names)))


def add_wrapper(connection: Connection, source_id: int, body: str, made_by: str, report: Any = None) -> int:  # noqa: ANN401 - JSON
    """Add a version of a source's wrapper, and return its number; one that is the same makes no version."""
    current = find_wrapper(connection, source_id)
    if current is not None and current.body == body:
        return current.version
    version = 1 if current is None else current.version + 1
    row = {"source_id": source_id, "version": version, "body": body, "made_by": made_by, "report": report}
    connection.execute(insert(schema.wrapper).values(made_at=now(), **row))
    return version


def find_wrapper(connection: Connection, source_id: int, version: int | None = None) -> WrapperRow | None:
    """Return a version of a source's wrapper, or the newest; None where there is none."""
    versions = list_wrappers(connection, source_id, version)
    return versions[-1] if versions else None


def list_wrappers(connection: Connection, source_id: int, version: int | None = None) -> list[WrapperRow]:
    """Return the versions of a source's wrapper, oldest first."""
    table = schema.wrapper
    chosen = select(table.c.version, table.c.body, table.c.made_by, table.c.report, table.c.made_at)
    chosen = chosen.where(table.c.source_id == source_id)
    if version is not None:
        chosen = chosen.where(table.c.version == version)
    return [WrapperRow(*row) for row in connection.execute(chosen.order_by(table.c.version))]


OF_RUNS = (schema.queue, schema.claim, schema.undo, schema.page)
OF_SOURCES = (
    schema.fire, schema.held, schema.change, schema.record, schema.field, schema.warning, schema.capture, schema.run,
    schema.address, schema.wrapper, schema.settings,
)  # fmt: skip


def remove_source(connection: Connection, source_id: int) -> None:
    """Remove a source with everything that was stored of it."""
    runs = select(schema.run.c.id).where(schema.run.c.source_id == source_id)
    for table in OF_RUNS:
        connection.execute(delete(table).where(table.c.run_id.in_(runs)))
    addresses = select(schema.address.c.id).where(schema.address.c.source_id == source_id)
    connection.execute(delete(schema.body).where(schema.body.c.address_id.in_(addresses)))
    for table in OF_SOURCES:
        connection.execute(delete(table).where(table.c.source_id == source_id))
    connection.execute(delete(schema.source).where(schema.source.c.id == source_id))


def retire(connection: Connection, source_id: int) -> None:
    """Pause a source for good, and keep what was stored of it."""
    set_state(connection, source_id, "paused", "It was removed, and its data were kept.")


def copy_source(store: Store, other: Store, name: str) -> None:
    """Copy a source with its settings and its newest wrapper into another store, without its data."""
    with store.reading() as connection:
        source = get_source(connection, name)
        wrapper = find_wrapper(connection, source.id)
    with other.writing() as connection:
        copy = save_source(connection, name, source.settings)
        if wrapper is not None:
            add_wrapper(connection, copy.id, wrapper.body, wrapper.made_by, wrapper.report)
