"""One run over many sources, whose pages are worked on in the worker processes that read them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

from windrow import pagefile
from windrow.loader.introductions import Introductions
from windrow.loader.outcome import Outcome
from windrow.loader.siblings import find_host
from windrow.loader.workers import WorkerFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from windrow.loader.introductions import Seat
    from windrow.loader.task import Task
    from windrow.loader.workers import Workers

Made = TypeVar("Made")


class ProcessRun(Generic[Made]):
    """Work on the pages of many sources; all of it ends together."""

    def __init__(self, workers: Workers, work: Callable[[Outcome], Made], closed: threading.Event) -> None:
        """Begin a run, which is over when it is aborted or ``closed`` is set."""
        self._workers = workers
        self._work = work
        self._closed = closed
        self._aborted = threading.Event()

    def seat(self, tasks: Iterable[Task | Outcome], *, has_siblings: bool) -> Iterator[Seat[Task | Outcome]]:
        """Yield the tasks, with those together whose pages shall tell each other what is the site's."""
        meeting: Introductions[Task | Outcome] = Introductions(self._is_over)
        return meeting.seat(tasks, _find_host if has_siblings else lambda _: "")

    def work_in_process(self, seat: Seat[Task | Outcome]) -> Made:
        """Return what the work makes of a task, in a process that reads its page, or of an outcome, here."""
        task = seat.job
        if isinstance(task, Outcome):
            seat.say(task.says)
            return self._work(task)
        try:
            made: Made = self._workers.run(self._work, task, self, seat.meet if seat.table is not None else None)
        except WorkerFailed as failure:
            return self._work(Outcome.of_error(task.name, failure.error))
        finally:
            seat.say(None)
        return made

    def abort(self) -> None:
        """End what is under way."""
        self._aborted.set()
        self._workers.abort(self)

    def _is_over(self) -> bool:
        return self._aborted.is_set() or self._closed.is_set()


def _find_host(task: Task | Outcome) -> str:
    """Return by what is known before a page is read which others it may meet; nothing where it has no host."""
    name = str(task.source)
    if name.endswith(pagefile.SUFFIX):
        return pagefile.SUFFIX  # which knows its address, as others of these do
    return find_host(name if isinstance(task, Outcome) else task.url or name)
