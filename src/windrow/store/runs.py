"""Runs: who has a source in hand, what a run counted, and how it ended.

A source has at most one run under way. Its owner says so from time to time; where the owner is dead, or was silent for
longer than its lease, another process takes the run over. That raises the epoch, which every transaction of a run looks
at first, so that the late writes of a former owner are refused.
"""

from __future__ import annotations

import os
import socket
import sys
import uuid
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, insert, select, update

from windrow.errors import BusyError
from windrow.store import schema
from windrow.store.moments import from_text, now, shown, to_text
from windrow.store.statements import Statement
from windrow.store.text import dump

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from windrow.store.batches import AnyRow

LEASE = timedelta(seconds=120)
"""How long a silent owner on another machine keeps a source."""
OFFLINE = "offline"
"""What triggers a run over the pages that were kept."""
_mine: set[str] = set()
"""The runs that this process has in hand, by their token."""


@dataclass(frozen=True)
class Counts:
    """What a run counted, so far or in all."""

    pages: int = 0
    not_modified: int = 0
    failed: int = 0
    records: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    returned: int = 0
    requests: int = 0

    def __add__(self, other: Counts) -> Counts:
        """Return the sums."""
        mine, theirs = vars(self), vars(other)
        return Counts(**{name: mine[name] + theirs[name] for name in mine})


@dataclass(frozen=True)
class Run:
    """A run that this process has in hand."""

    id: int
    source_id: int
    trigger: str
    started_at: str
    settings_version: int
    epoch: int
    token: str
    counts: Counts
    resumed: bool = False
    stats: Any = None


def begin_run(
    connection: Connection, source_id: int, settings_version: int, trigger: str, due_at: str | None = None
) -> Run:
    """Take a source in hand: begin a run, or go on with the one whose owner is gone; ``BusyError`` where one works.

    A run that reads kept pages follows no link, so it is not gone on with by one that does, nor the other way round.
    """
    table = schema.run
    # Two processes that meet here come one after the other; SQLite's transactions that write always do.
    connection.execute(select(schema.source.c.id).where(schema.source.c.id == source_id).with_for_update())
    found = find_under_way(connection, source_id)
    if found is not None and not is_at_work(found) and (found.trigger == OFFLINE) != (trigger == OFFLINE):
        _close(connection, found.id, "partial", "It was interrupted, and another run was begun in its place.")
        found = None
    token = uuid.uuid4().hex
    owner = describe_owner() | {"token": token}
    if found is None:
        number = announce_run(connection, source_id, settings_version, trigger, due_at)
        found = connection.execute(select(table).where(table.c.id == number)).one()
        connection.execute(update(table).where(table.c.id == number).values(owner=owner, lease_until=_lease()))
        begun = Run(number, source_id, trigger, found.started_at, settings_version, 1, token, Counts())
    else:
        if is_at_work(found):
            raise BusyError(_who(found))
        change = update(table).where(table.c.id == found.id)
        # Kept pages lead nowhere: a run over them stays one, whoever goes on with it.
        trigger = "resume" if found.counts["pages"] and found.trigger != OFFLINE else found.trigger
        row = {"owner": owner, "epoch": found.epoch + 1, "lease_until": _lease(), "trigger": trigger}
        connection.execute(change.values(row))
        counts = Counts(**found.counts)
        version, epoch = found.settings_version, found.epoch + 1
        begun = Run(
            found.id,
            source_id,
            trigger,
            found.started_at,
            version,
            epoch,
            token,
            counts,
            resumed=True,
            stats=found.stats,
        )
    _mine.add(token)
    return begun


def announce_run(
    connection: Connection, source_id: int, settings_version: int, trigger: str, due_at: str | None = None
) -> int:
    """Write a run down that nobody has in hand yet, and return its number; whoever begins it goes on with it."""
    row = {"source_id": source_id, "trigger": trigger, "state": "running", "due_at": due_at, "started_at": now()}
    row |= {"settings_version": settings_version, "epoch": 1, "counts": asdict(Counts()), "sentence": ""}
    return int(connection.execute(insert(schema.run).values(row).returning(schema.run.c.id)).scalar_one())


def is_at_work(row: AnyRow) -> bool:
    """Whether the owner of a run under way is alive, as far as can be known."""
    owner, here = row.owner or {}, describe_owner()
    is_here = all(owner.get(name) == here[name] for name in ("host", "machine"))
    if not is_here or owner.get("boot") != here["boot"]:
        # A machine that was started anew has another boot id, and none of its old processes.
        return not is_here and row.lease_until is not None and from_text(row.lease_until) > datetime.now(UTC)
    if owner.get("pid") == here["pid"] and owner.get("start") == here["start"]:
        return owner.get("token") in _mine
    return owner.get("start") is not None and _start_of(int(owner.get("pid", 0))) == owner["start"]


def _who(row: AnyRow) -> str:
    owner = row.owner or {}
    since = row.started_at[:19].replace("T", " ")
    return (
        f"Another process harvests this source: number {owner.get('pid')} on {owner.get('host')}, run {row.id}, "
        f"since {since} UTC. Wait for it to end."
    )


def describe_owner() -> dict[str, Any]:
    """Return what tells this process from any other that ever was: its machine, boot, number and start."""
    machine = {"host": socket.gethostname(), "machine": _said_by("/etc/machine-id"), "boot": boot_id()}
    return {**machine, "pid": os.getpid(), "start": _start_of(os.getpid())}


def boot_id() -> str:
    """Return what tells this boot of the machine from the others; empty where the system does not say."""
    return _said_by("/proc/sys/kernel/random/boot_id")


@lru_cache(maxsize=2)
def _said_by(file: str) -> str:
    try:
        return Path(file).read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _start_of(pid: int) -> str | None:
    """Return when a process was started, in the system's own words; None where there is none."""
    if sys.platform == "linux":
        try:
            status = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            return None
        return None if status[0] in {"Z", "X"} else status[19]
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return "alive"


def _lease() -> str:
    return to_text(datetime.now(UTC) + LEASE)


_MINE = update(schema.run).where(
    schema.run.c.id == bindparam("number"), schema.run.c.epoch == bindparam("mine"), schema.run.c.ended_at.is_(None)
)
_HOLD = Statement(_MINE.values(lease_until=bindparam("lease")), "lease", "number", "mine")
_HOLD_WITH_COUNTS = Statement(
    _MINE.values(lease_until=bindparam("lease"), counts=bindparam("counted")), "lease", "counted", "number", "mine"
)


def hold(connection: Connection, run: Run, counts: Counts | None = None) -> None:
    """Say that this process is still at it, with what it counted; ``BusyError`` where another took the run over."""
    if counts is None:
        held = _HOLD.execute(connection, _lease(), run.id, run.epoch)
    else:
        held = _HOLD_WITH_COUNTS.execute(connection, _lease(), dump(vars(counts)), run.id, run.epoch)
    if held.rowcount != 1:
        raise BusyError(f"Another process has taken run {run.id} over. Nothing more is stored here.")


_KEEP_STATS = Statement(
    update(schema.run).where(schema.run.c.id == bindparam("number")).values(stats=bindparam("stats")), "stats", "number"
)


def keep_stats(connection: Connection, run: Run, stats: Any) -> None:  # noqa: ANN401 - JSON
    """Keep what runs are compared by."""
    _KEEP_STATS.execute(connection, dump(stats), run.id)


def end_run(connection: Connection, run: Run, state: str, counts: Counts, sentence: str) -> None:
    """End a run: what is left of its frontier is thrown away."""
    hold(connection, run, counts)
    _close(connection, run.id, state, sentence)
    _mine.discard(run.token)


def _close(connection: Connection, number: int, state: str, sentence: str) -> None:
    change = update(schema.run).where(schema.run.c.id == number)
    connection.execute(change.values(state=state, ended_at=now(), sentence=sentence, lease_until=None, owner=None))
    for table in (schema.queue, schema.claim, schema.undo):
        connection.execute(delete(table).where(table.c.run_id == number))


def release(connection: Connection, run: Run) -> None:
    """Let go of a run that is to be gone on with later."""
    mine = schema.run.c.id == run.id, schema.run.c.epoch == run.epoch
    connection.execute(update(schema.run).where(*mine).values(owner=None, lease_until=None))
    forget(run)


def forget(run: Run) -> None:
    """Let go of a run in this process, whatever the store says of it."""
    _mine.discard(run.token)


def with_counts(run: Run, counts: Counts) -> Run:
    """Return a run with what it counted since."""
    return replace(run, counts=counts)


def list_runs(
    connection: Connection, source_id: int | None = None, *, before: int | None = None, most: int | None = None
) -> list[AnyRow]:
    """Return the runs, newest first, each with the name of its source; ``before`` a run, and at ``most`` so many."""
    chosen = select(schema.run, schema.source.c.name).join(schema.source)
    if source_id is not None:
        chosen = chosen.where(schema.run.c.source_id == source_id)
    if before is not None:
        chosen = chosen.where(schema.run.c.id < before)
    return list(connection.execute(chosen.order_by(schema.run.c.id.desc()).limit(most)))


def run_to_dict(row: AnyRow) -> dict[str, Any]:
    """Return what is told of a run, as JSON can hold it."""
    seconds = (from_text(row.ended_at) - from_text(row.started_at)).total_seconds() if row.ended_at else None
    about = {"run": row.id, "source": row.name, "state": row.state, "trigger": row.trigger, "due": shown(row.due_at)}
    times = {"started": shown(row.started_at), "ended": shown(row.ended_at)}
    return {**about, **times, **row.counts, "seconds": seconds, "sentence": row.sentence}


def find_run(connection: Connection, number: int) -> AnyRow | None:
    """Return a run by its number, with the name of its source, or None."""
    chosen = select(schema.run, schema.source.c.name).join(schema.source)
    return connection.execute(chosen.where(schema.run.c.id == number)).first()


def find_under_way(connection: Connection, source_id: int) -> AnyRow | None:
    """Return the run of a source that has not ended, whoever has it in hand, or None."""
    table = schema.run
    return connection.execute(select(table).where(table.c.source_id == source_id, table.c.ended_at.is_(None))).first()


def close_announced(connection: Connection, number: int, sentence: str) -> None:
    """End a run that nobody could begin, and say why."""
    _close(connection, number, "failed", sentence)


def last_whole_run(
    connection: Connection, source_id: int, before: int | None = None, *, of_the_site: bool = False
) -> AnyRow | None:
    """Return the last whole run, or the last before another; one ``of_the_site`` is not of kept pages, maybe a few."""
    table = schema.run
    chosen = select(table).where(table.c.source_id == source_id, table.c.state == "whole")
    if before is not None:
        chosen = chosen.where(table.c.id < before)
    if of_the_site:
        chosen = chosen.where(table.c.trigger != OFFLINE)
    return connection.execute(chosen.order_by(table.c.id.desc()).limit(1)).first()


def list_interrupted(connection: Connection) -> list[str]:
    """Return the names of the sources that are not paused and whose run is under way, but in nobody's hand."""
    table = schema.run
    chosen = select(table, schema.source.c.name).join(schema.source)
    chosen = chosen.where(table.c.ended_at.is_(None), schema.source.c.state != "paused")
    return [row.name for row in connection.execute(chosen.order_by(table.c.id)) if not is_at_work(row)]
