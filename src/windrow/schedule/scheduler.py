"""``Scheduler``: calls the work of each source when it is due, whatever happens to the clocks and to the machine."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeAlias

from windrow.errors import UsageError, WindrowError
from windrow.schedule.clock import Clock, Clocks, Reading, read_clocks
from windrow.schedule.planning import plan_following, plan_now
from windrow.schedule.timetable import Entry, Plan, Timetable

if TYPE_CHECKING:
    from collections.abc import Iterator

Work: TypeAlias = Callable[[str, datetime], object]
SLICE = 30.0
"""The longest wait, in seconds: a clock that was set, and a machine that has slept, are noticed after it."""
GRACE = 60.0
"""A fire that is noticed later than this, in seconds, was missed: two slices."""
_log = logging.getLogger(__name__)


class Scheduler:
    """Keeps the schedule of all sources of a store.

    ``work(source, due)`` is called once for each fire, the oldest first, never twice at a time for a source; what it
    raises is logged. The plan for the next fire is kept before the work begins, and a fire is claimed in the store, so
    that it happens once however many processes keep the schedule, and however often they are killed.
    """

    def __init__(
        self,
        store: object,
        work: Work,
        clock: Clocks | None = None,
        *,
        workers: int = 1,
        heartbeat: Callable[[], object] | None = None,
    ) -> None:
        """Take the store, what is done for a source, and the clocks.

        With one worker the work is done in the thread that calls; with more, each source that is due gets a thread.
        ``heartbeat`` is called at every look, at least twice a minute while no work is done.
        """
        if workers < 1:
            raise UsageError(f"{workers} is not a number of workers. Give 1 or more.")
        self._timetable = self._open(store)
        self._work = work
        self._clock: Clocks = Clock() if clock is None else clock
        self._workers = workers
        self._heartbeat = heartbeat
        self._stopping = False
        self._running: dict[str, threading.Thread] = {}
        self._ended: dict[str, float] = {}
        """The steady clock when the last run of a source ended."""
        self._busy: tuple[float, float] | None = None
        """The steady clock since when other sources have had to wait for work, and until when."""

    @property
    def stopping(self) -> bool:
        """Whether ``stop`` was called; long work may ask."""
        return self._stopping

    def stop(self) -> None:
        """Let ``run`` return once the work under way is done; safe from a signal handler and from other threads."""
        self._stopping = True
        wake = getattr(self._clock, "wake", None)
        if wake is not None:
            wake()

    def run(self, until: datetime | None = None) -> None:
        """Keep the schedule until ``stop`` is called, or until the wall clock shows a time."""
        try:
            while not self._stopping and (until is None or self._clock.wall() < until):
                pause = self.step()
                if until is not None:
                    pause = min(pause, (until - self._clock.wall()).total_seconds())
                if pause > 0 and not self._stopping:
                    self._clock.wait(pause)
        finally:
            for thread in list(self._running.values()):
                thread.join()

    def step(self) -> float:
        """Look at the clocks once, do or begin work that is due, and return the seconds until the next look."""
        if self._heartbeat is not None:
            self._heartbeat()
        now = read_clocks(self._clock)
        due: list[tuple[datetime, str, Plan]] = []
        pause = SLICE
        for source, plan in self._plans(now):
            if plan.due <= now.wall:
                due.append((plan.due, source, plan))
            else:
                pause = min(pause, (plan.due - now.wall).total_seconds())
        due.sort(key=lambda item: item[:2])
        if self._workers > 1:
            for _, source, plan in due:
                self._fire(source, plan, now)
            full = len(self._running) >= self._workers
            self._busy = (self._busy[0] if self._busy else now.steady, math.inf) if full else None
            return pause
        # One at a time, since much may have changed when it is done.
        if any(self._fire(source, plan, now) for _, source, plan in due):
            self._busy = (self._busy[0] if self._busy else now.steady, self._clock.steady())
            return 0.0
        self._busy = None
        return pause

    def count_due(self) -> int:
        """Return how many sources are due now."""
        now = read_clocks(self._clock)
        return sum(plan.due <= now.wall for _, plan in self._plans(now))

    def _open(self, store: object) -> Timetable:
        """Return the timetable of a store; whoever knows of paths and addresses of stores overrides this."""
        if isinstance(store, Timetable):
            return store
        raise UsageError("The scheduler was given no store. Give one that keeps a timetable.")

    def _plans(self, now: Reading) -> Iterator[tuple[str, Plan]]:
        """Yield the next fire of each source, planned anew where that is due to the clocks, the settings or a miss."""
        for entry in list(self._timetable.entries()):
            plan = plan_now(entry, now, self._timetable)
            if plan.due <= now.wall and entry.source in self._running:
                continue
            if plan.due <= now.wall and entry.schedule.missed == "skip" and self._is_missed(entry, plan, now):
                _log.info("%s: the run that was due %s was missed.", entry.source, plan.due)
                plan = plan_following(entry.source, plan, now, self._timetable)
            if plan is entry.plan or self._timetable.plan(entry.source, plan, entry.plan):
                yield entry.source, plan

    def _is_missed(self, entry: Entry, plan: Plan, now: Reading) -> bool:
        """Whether nobody could fire in time; waiting for the work of other sources is not missing."""
        late = (now.wall - plan.due) / timedelta(seconds=1)
        came = now.steady - late
        if self._ended.get(entry.source, -1.0) >= came:
            return True
        return late > GRACE and (self._busy is None or not self._busy[0] - GRACE <= came <= self._busy[1])

    def _fire(self, source: str, plan: Plan, now: Reading) -> bool:
        """Claim a fire and do its work, or begin it in a thread; whether it was this scheduler's to do."""
        if self._stopping or len(self._running) >= self._workers:
            return False
        if not self._timetable.claim(source, plan, plan_following(source, plan, now, self._timetable)):
            return False
        if self._workers == 1:
            self._do(source, plan.due)
        else:
            thread = threading.Thread(target=self._do, args=(source, plan.due), name=f"windrow-{source}")
            self._running[source] = thread
            thread.start()
        return True

    def _do(self, source: str, due: datetime) -> None:
        try:
            self._work(source, due)
        except WindrowError as error:
            _log.error("%s: the run that was due %s failed: %s", source, due, error)
        except Exception:  # noqa: BLE001 - one source that fails must not stop the others
            _log.exception("%s: the run that was due %s failed.", source, due)
        finally:
            self._ended[source] = self._clock.steady()
            self._running.pop(source, None)
            wake = getattr(self._clock, "wake", None)
            if self._workers > 1 and wake is not None:
                wake()
