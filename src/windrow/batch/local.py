"""The embedded engine: worker processes of our own on this machine, each under its supervisor."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windrow.batch.supervisor import Stopped, Supervisor
from windrow.errors import SourceError, UnwrittenError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from windrow.batch.assignment import Assignment
    from windrow.batch.job import RecordLimits
    from windrow.batch.output import Report
    from windrow.batch.progress import Progress

PROGRESS_SECONDS = 0.2
"""How often it is told how far the batch is."""


@dataclass(frozen=True)
class LocalEngine:
    """Reads shards in so many processes at a time."""

    workers: int
    limits: RecordLimits
    watch: Callable[[Progress], None]
    stop: threading.Event

    def run(self, assignments: Sequence[Assignment], progress: Progress) -> Iterator[Report]:
        """Yield what came of each shard, as they come; ``Stopped`` where somebody asked to stop.

        A shard whose archive can't be read stops no other: that is raised when all others are done.
        """
        waiting: queue.SimpleQueue[Assignment] = queue.SimpleQueue()
        for assignment in assignments:
            waiting.put(assignment)
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        halt = threading.Event()
        supervisors = [Supervisor(self.limits, halt) for _ in range(min(self.workers, len(assignments)))]
        threads = [
            threading.Thread(target=_serve, args=(each, waiting, done, halt), name="windrow-shard", daemon=True)
            for each in supervisors
        ]
        for thread in threads:
            thread.start()
        sizes = {assignment.shard.name: assignment.shard.size for assignment in assignments}
        away: list[SourceError] = []
        try:
            for _ in assignments:
                report = self._next(done, supervisors, progress)
                if isinstance(report, SourceError):
                    away.append(report)
                    continue
                progress = progress.plus(sizes[report.shard], report.counts.records, report.counts.rejects)
                yield report
            if away:
                raise SourceError("\n".join(dict.fromkeys(map(str, away))))
        finally:
            halt.set()
            for thread in threads:
                thread.join()

    def _next(
        self, done: queue.SimpleQueue[Any], supervisors: Sequence[Supervisor], progress: Progress
    ) -> Report | SourceError:
        while True:
            if self.stop.is_set():
                raise Stopped
            self.watch(progress.at([each.glance() for each in supervisors]))
            try:
                found = done.get(timeout=PROGRESS_SECONDS)
            except queue.Empty:
                continue
            if isinstance(found, BaseException) and not _is_away(found):
                raise found
            report: Report | SourceError = found
            return report


def _is_away(error: BaseException) -> bool:
    """Whether one archive can't be read; where nothing can be written, the other shards need not be tried."""
    return isinstance(error, SourceError) and not isinstance(error, UnwrittenError)


def _serve(
    supervisor: Supervisor, waiting: queue.SimpleQueue[Assignment], done: queue.SimpleQueue[Any], halt: threading.Event
) -> None:
    try:
        while not halt.is_set():
            assignment = waiting.get_nowait()
            try:
                done.put(supervisor.run(assignment))
            except SourceError as error:
                if not _is_away(error):
                    raise
                done.put(error)  # the others can be read
    except (queue.Empty, Stopped):
        pass
    except BaseException as error:  # noqa: BLE001 - raised again where the reports are taken
        done.put(error)
    finally:
        supervisor.close()
