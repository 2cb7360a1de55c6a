"""How a source is, in the one word that people see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.harvest.timetable import next_runs
from windrow.store.overview import describe_sources
from windrow.store.warnings import list_warnings

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from windrow.store.overview import SourceStatus

NAMES = {
    "new": "Not run yet",
    "running": "Running",
    "good": "Good",
    "healed": "Healed",
    "deferred": "Deferred",
    "blocked": "Blocked",
    "paused": "Paused",
    "failed": "Failed",
}


@dataclass(frozen=True)
class SourceSummary:
    """A source as the lists of sources show it."""

    name: str
    state: str
    """A key of ``NAMES``."""
    shown: str
    reason: str
    records: int
    gone: int
    run: int | None
    last_run: str | None
    last_state: str | None
    next_run: str | None
    warnings: int


def summarise_sources(connection: Connection, only: str | None = None) -> list[SourceSummary]:
    """Return how all sources are, or one of them."""
    kinds: dict[str, set[str]] = {}
    for warning in list_warnings(connection):
        kinds.setdefault(warning["source"] or "", set()).add(warning["kind"])
    planned = next_runs(connection)
    return [
        _summarise(status, kinds.get(status.source, set()), planned.get(status.source))
        for status in describe_sources(connection)
        if only is None or status.source == only
    ]


def _summarise(status: SourceStatus, open_kinds: set[str], planned: str | None) -> SourceSummary:
    state = state_of(status, open_kinds)
    return SourceSummary(
        name=status.source,
        state=state,
        shown=NAMES[state],
        reason=status.reason,
        records=status.records,
        gone=status.gone,
        run=status.run,
        last_run=status.last_run,
        last_state=status.last_state,
        next_run=status.next_run or planned,
        warnings=status.warnings,
    )


def state_of(status: SourceStatus, open_kinds: set[str]) -> str:
    """Return the key of the word for a source's state."""
    if status.state in {"running", "paused"}:
        return status.state
    if status.state == "deferred":
        return "blocked" if "blocked" in open_kinds else "deferred"
    if status.last_state is None:
        return "new"
    if status.last_state == "failed":
        return "failed"
    return "healed" if "healed" in open_kinds else "good"
