"""Many jobs over a few threads: results in order, or as they come, and never more waiting than is bounded.

While the first result is missing, the threads go on with later jobs, up to a limit, so that one slow page does not
idle the cores; while results are taken as they come, hardly anything is read ahead.
"""

from __future__ import annotations

import queue
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from windrow.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

Job = TypeVar("Job")
Made = TypeVar("Made")

POLL_SECONDS = 0.5
AHEAD = 2
"""Jobs under way for each thread: enough to keep it busy."""


@dataclass(frozen=True)
class Crew:
    """How many threads do the jobs, and how their results are given."""

    threads: int
    waiting: int
    """How many results may wait for one that comes before them."""
    as_completed: bool = False
    """Whether results are given as they come instead of in order."""
    abort: Callable[[], None] = lambda: None
    """Called where nobody wants further results; it may end jobs that are under way."""
    closed: threading.Event = field(default_factory=threading.Event)
    """Set where no further job may begin."""
    interrupt: Callable[[], None] = lambda: None
    """Called at Ctrl-C, which is answered at once: it should end everything."""


def run_jobs(jobs: Iterable[Job], work: Callable[[Job], Made], crew: Crew) -> Generator[Made, None, None]:
    """Yield the result of each job; what a job raises is raised here."""
    run = _Run(jobs, work, crew)
    try:
        yield from run.results()
    except KeyboardInterrupt:
        crew.interrupt()
        run.stop(wait=False)
        raise
    except BaseException:
        crew.abort()
        run.stop(wait=True)
        raise
    run.stop(wait=True)


class _Raised:
    def __init__(self, error: BaseException) -> None:
        self.error = error


class _Run(Generic[Job, Made]):
    """One round of jobs, from the first to the last."""

    def __init__(self, jobs: Iterable[Job], work: Callable[[Job], Made], crew: Crew) -> None:
        self._jobs = enumerate(jobs)
        self._work = work
        self._crew = crew
        self._threads: list[threading.Thread] = []
        self._todo: queue.SimpleQueue[tuple[int, Job] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[int, Made | _Raised]] = queue.SimpleQueue()
        self._ready: dict[int, Made | _Raised] = {}
        self._under_way = 0
        self._next = 0

    def results(self) -> Iterator[Made]:
        self._fill()
        while self._under_way or self._ready:
            while (number := self._first_ready()) is None:
                # Woken now and then, since a signal that comes just before the wait begins does not end it.
                with suppress(queue.Empty):
                    self._take(self._done.get(timeout=POLL_SECONDS))
                self._fill()
            result = self._ready.pop(number)
            self._next += 1
            if isinstance(result, _Raised):
                raise result.error
            yield result
            while not self._done.empty():
                self._take(self._done.get())
            self._fill()

    def stop(self, *, wait: bool) -> None:
        while not self._todo.empty():
            self._todo.get()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def _first_ready(self) -> int | None:
        if self._crew.as_completed:
            return next(iter(self._ready), None)
        return self._next if self._next in self._ready else None

    def _take(self, done: tuple[int, Made | _Raised]) -> None:
        number, result = done
        self._ready[number] = result
        self._under_way -= 1

    def _fill(self) -> None:
        """Have as many jobs under way as keep the threads busy, fewer where too many results wait already."""
        busy = AHEAD * self._crew.threads
        most = busy if self._first_ready() is not None else self._crew.waiting + busy
        while self._under_way < busy and self._under_way + len(self._ready) < most:
            job = next(self._jobs, None)
            if job is None:
                return
            if len(self._threads) < self._crew.threads:
                self._threads.append(threading.Thread(target=self._serve, name="windrow-reading", daemon=True))
                self._threads[-1].start()
            self._under_way += 1
            self._todo.put(job)

    def _serve(self) -> None:
        while (job := self._todo.get()) is not None:
            number, task = job
            try:
                if self._crew.closed.is_set():
                    raise UsageError("The loader was closed before all pages were read. Close it after the last one.")  # noqa: TRY301
                result: Made | _Raised = self._work(task)
            except BaseException as error:  # noqa: BLE001 - raised again where the results are taken
                result = _Raised(error)
            self._done.put((number, result))
            del job, task, result
