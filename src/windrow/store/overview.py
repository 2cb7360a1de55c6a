"""How all sources are: their state, how many records they have, their last run and their next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from windrow.store import schema
from windrow.store.moments import shown
from windrow.store.sources import list_sources
from windrow.store.warnings import count_open

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection


@dataclass(frozen=True)
class SourceStatus:
    """How a source is."""

    source: str
    state: str
    """Active, paused or deferred; running while a run of it is under way."""
    reason: str
    """Why it is paused or deferred."""
    records: int
    """Those that are there."""
    gone: int
    run: int | None
    """The number of its last run."""
    last_run: str | None
    """When that began."""
    last_state: str | None
    next_run: str | None
    warnings: int
    """Those that are open."""


def describe_sources(connection: Connection) -> list[SourceStatus]:
    """Return how all sources are, by name."""
    record, run = schema.record, schema.run
    chosen = select(record.c.source_id, func.count(), func.count(record.c.gone_run)).group_by(record.c.source_id)
    counts: dict[int, tuple[int, int]] = {
        source: (total - gone, gone) for source, total, gone in connection.execute(chosen)
    }
    newest = select(func.max(run.c.id)).group_by(run.c.source_id)
    last = {row.source_id: row for row in connection.execute(select(run).where(run.c.id.in_(newest)))}
    warnings = count_open(connection)
    found = []
    for source in list_sources(connection):
        latest = last.get(source.id)
        is_running = latest is not None and latest.ended_at is None
        present, gone = counts.get(source.id, (0, 0))
        status = SourceStatus(
            source.name,
            "running" if is_running else source.state,
            source.reason,
            present,
            gone,
            run=None if latest is None else latest.id,
            last_run=None if latest is None else shown(latest.started_at),
            last_state=None if latest is None else latest.state,
            next_run=None if source.state == "paused" else shown(source.due_at),
            warnings=warnings.get(source.id, 0),
        )
        found.append(status)
    return found
