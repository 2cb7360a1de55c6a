"""Worker processes: each reads one page at a time and runs the readers on it, on a core of its own.

A worker is a fresh Python that runs ``windrow.loader.worker``, so it can be started from any program, whatever threads
that has, and needs no main guard. One that dies or hangs is replaced; the page that it had becomes an error.
"""

from __future__ import annotations

import logging
import math
import subprocess
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.errors import LimitError, UsageError, WindrowError
from windrow.process.channel import ChannelClosed, ChannelLate, read_message, write_message
from windrow.process.program import start_program, tell_status

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.loader.outcome import Outcome
    from windrow.loader.siblings import Introduction
    from windrow.loader.task import Task
    from windrow.title import PageNames

    Meeting: TypeAlias = Callable[[Introduction | None], PageNames | None]

logger = logging.getLogger(__name__)

READING_SECONDS = 120.0
"""What a page may take beyond its own limit: the start of a browser, and the readers."""
START_SECONDS = 60.0
END_SECONDS = 2.0
"""How long a worker may take to notice that it is not needed any more."""


class WorkerFailed(Exception):  # noqa: N818 - what happened
    """A worker process did not bring its page back; ``error`` is what became of it."""

    def __init__(self, error: WindrowError) -> None:
        """Keep the error of the page."""
        super().__init__(str(error))
        self.error = error


class Worker:
    """A process that works on one page at a time."""

    def __init__(self) -> None:
        """Start the process."""
        self._process, self._write, self._read = start_program("windrow.loader.worker")
        self._is_ready = self._is_killed = False
        logger.info("started worker process %d", self._process.pid)
        with suppress(ChannelClosed):  # found out when it is first used
            write_message(self._write, logging.getLogger("windrow").getEffectiveLevel())

    def run(self, work: Callable[[Outcome], Any], task: Task, meet: Meeting | None = None) -> Any:  # noqa: ANN401 - whatever the work returns
        """Return what ``work`` makes of the outcome of a task; ``WorkerFailed`` where the process fails over it.

        Before that, ``meet`` is told what the page says to others of its host, and returns what they say.
        """
        seconds = task.options.limits.seconds + READING_SECONDS
        try:
            self._await_start()
            write_message(self._write, (work, task, meet is not None))
            if meet is not None:
                write_message(self._write, meet(self._await("says", _begin(seconds))))  # waiting is not the page's time
            return self._await("done", _begin(seconds))
        except ChannelLate:
            self.kill()
            logger.warning("killed worker process %d, which had %s for too long", self._process.pid, task.name)
            raise WorkerFailed(
                LimitError(
                    f"Reading the page took longer than {seconds:g} seconds, so it was given up. "
                    "Leave out the reader that takes so long (--only), or lower the limits of what is read."
                )
            ) from None
        except ChannelClosed:
            raise WorkerFailed(self._ending(task)) from None

    def _await_start(self) -> None:
        """Wait until the process has imported what it needs, which is not the page's time."""
        if not self._is_ready:
            self._await("ready", time.monotonic() + START_SECONDS)
            self._is_ready = True

    def _await(self, wanted: str, deadline: float | None) -> Any:  # noqa: ANN401 - whatever was sent
        """Return the value of the next message of a kind, passing on what is logged before it."""
        while True:
            kind, value = read_message(self._read, deadline)
            if kind == wanted:
                return value
            if kind == "log":
                logging.getLogger(value.name).handle(value)
            elif kind == "raised":
                raise value

    def _ending(self, task: Task) -> WindrowError:
        """Return the error of a page whose process ended."""
        if self._is_killed:
            return UsageError("Reading this page was given up, as the loader was closed. Close it after the last page.")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)
        why = tell_status(self._process.returncode)
        logger.warning("worker process %d ended over %s: %s", self._process.pid, task.name, why)
        return WindrowError(
            f"The process that read this page ended: {why}. Read it alone to see whether it happens again."
        )

    def close(self) -> None:
        """Let the process end, and see to it that it does."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def is_running(self) -> bool:
        """Whether the process is there to be used again."""
        return self._process.returncode is None

    def kill(self) -> None:
        """End the process at once; safe from any thread."""
        self._is_killed = True
        self._process.kill()
        self._process.wait()

    def abandon(self) -> None:
        """In a forked child, let go of a process that belongs to the parent."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.returncode = 0  # not ours to wait for


def _begin(seconds: float) -> float | None:
    """Return the end of a time that begins now; None where it has no end."""
    return time.monotonic() + seconds if seconds < math.inf else None


class Workers:
    """The worker processes of one loader, lent to one thread at a time."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._busy: dict[Worker, object] = {}
        """The processes that are at work, and the run for which each is."""

    def run(self, work: Callable[[Outcome], Any], task: Task, run: object, meet: Meeting | None = None) -> Any:  # noqa: ANN401 - what the work returns
        """Run a task in a process that is free, or in a new one; ``run`` stands for all tasks that end together."""
        with self._lock:
            worker = self._idle.pop() if self._idle else Worker()
            self._busy[worker] = run
        try:
            return worker.run(work, task, meet)
        finally:
            with self._lock:
                if is_wanted := worker in self._busy and worker.is_running:
                    self._idle.append(worker)
                self._busy.pop(worker, None)
            if not is_wanted:
                worker.close()

    def abort(self, run: object) -> None:
        """End the processes that are at work for one run just now."""
        with self._lock:
            ended = [worker for worker, whose in self._busy.items() if whose is run]
            for worker in ended:
                del self._busy[worker]
        for worker in ended:
            worker.kill()

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            busy, self._busy = self._busy, {}
            idle, self._idle = self._idle, []
        for worker in busy:
            worker.kill()
        for worker in idle:
            worker.close()

    def abandon(self) -> None:
        """In a forked child, let go of the parent's processes without ending them."""
        self._lock = threading.Lock()
        for worker in (*self._idle, *self._busy):
            worker.abandon()
        self._idle, self._busy = [], {}
