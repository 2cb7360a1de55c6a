"""How a run is, in the one word that people see, with what it counted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from windrow.store import schema
from windrow.store.moments import from_text, shown
from windrow.store.runs import is_at_work

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.engine import Connection

    from windrow.store.batches import AnyRow
    from windrow.web.harvests import Harvests

NAMES = {
    "running": "Running",
    "stopped": "Stopped",
    "whole": "Finished",
    "partial": "Finished in part",
    "deferred": "Deferred",
    "failed": "Failed",
}
TRIGGERS = {"hand": "by hand", "schedule": "by schedule", "resume": "resumed", "offline": "over the kept pages"}
STARTING = timedelta(seconds=20)
"""How long a run that was announced may take until somebody has it in hand."""


@dataclass(frozen=True)
class RunSummary:
    """A run as people see it."""

    run: int
    source: str
    state: str
    """A key of ``NAMES``."""
    shown: str
    sentence: str
    trigger: str
    started_at: str | None
    ended_at: str | None
    counts: Mapping[str, int]
    done: int = 0
    """Addresses of the frontier that were dealt with, while it is under way."""
    total: int = 0

    @property
    def is_under_way(self) -> bool:
        """Whether somebody works at it."""
        return self.state == "running"


def summarise_run(row: AnyRow, harvests: Harvests, connection: Connection | None = None) -> RunSummary:
    """Return a run as people see it; with a connection, how far it is as well."""
    state = row.state if row.ended_at else "running" if _is_worked_at(row, harvests) else "stopped"
    done, total = (0, 0) if connection is None or row.ended_at else _frontier(connection, row.id)
    return RunSummary(
        row.id,
        row.name,
        state,
        NAMES.get(state, state),
        row.sentence,
        TRIGGERS.get(row.trigger, row.trigger),
        shown(row.started_at),
        shown(row.ended_at),
        row.counts,
        done,
        total,
    )


def _is_worked_at(row: AnyRow, harvests: Harvests) -> bool:
    if is_at_work(row) or harvests.is_running(row.name):
        return True
    if harvests.was_stopped(row.id):
        return False
    is_new = datetime.now(UTC) - from_text(row.started_at) < STARTING
    return is_new and row.owner is None and row.epoch == 1 and not row.counts.get("pages")


def _frontier(connection: Connection, run_id: int) -> tuple[int, int]:
    table = schema.queue
    done, total = connection.execute(select(func.sum(table.c.done), func.count()).where(table.c.run_id == run_id)).one()
    return int(done or 0), int(total)
