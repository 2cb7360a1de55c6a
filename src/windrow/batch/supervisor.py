"""Watches one worker process over a shard: what hangs, crashes or eats the process is named and set aside.

The same on one machine and within a task of a cluster. A record that takes too long or too much memory is set aside at
once. One over which the process ended is tried again, since somebody else may have ended it, and then set aside.
"""

from __future__ import annotations

import logging
import os
import select
import signal
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from subprocess import TimeoutExpired
from typing import TYPE_CHECKING, Any

from windrow.batch.watch import Watch, resident_bytes
from windrow.errors import WindrowError
from windrow.process.channel import ChannelClosed, read_message, write_message
from windrow.process.program import start_program, tell_status

if TYPE_CHECKING:
    from windrow.batch.assignment import Assignment
    from windrow.batch.job import RecordLimits
    from windrow.batch.output import Report
    from windrow.batch.unit import Place
    from windrow.batch.watch import Glance

logger = logging.getLogger(__name__)

GLANCE_SECONDS = 0.1
"""How often a process is looked at."""
END_SECONDS = 2.0
TRIES, TRIES_WHEN_KILLED = 2, 4
"""How often a record is begun before it is set aside; a process that was killed may have been killed by others."""
UNPACKING = 10
"""How many times the deadline a record has to be unpacked, which may be gigabytes that nobody wants."""
MOST_FALSE_STARTS = 5
"""How often the process may end in a row without having begun a record."""
KILLED = frozenset({-signal.SIGKILL, -signal.SIGTERM})


class Stopped(Exception):  # noqa: N818 - what happened
    """Somebody asked to stop; what is done stays done."""


class _Lost(Exception):  # noqa: N818 - what happened
    """The process is gone; ``reason`` is empty where it ended by itself, and ``status`` is how."""

    def __init__(self, glance: Glance, reason: str, detail: str, status: int | None = None) -> None:
        super().__init__(detail)
        self.place = glance.place if glance.started else None
        self.is_unpacking = glance.is_unpacking
        self.reason, self.detail, self.status = reason, detail, status


class Supervisor:
    """Reads shards in a process of its own, which is replaced as often as needed."""

    def __init__(self, limits: RecordLimits, stop: threading.Event | None = None) -> None:
        """Start nothing yet."""
        self._limits = limits
        self._stop = stop or threading.Event()
        self._watch = Watch.new()
        self._process: Any = None
        self._write = self._read = -1

    def run(self, assignment: Assignment) -> Report:
        """Return what came of a shard; ``Stopped`` where somebody asked to stop."""
        aside = dict(assignment.aside)
        tries: Counter[Place] = Counter()
        false_starts = 0
        suspect: Place | None = None
        closed = assignment.closed
        while True:
            try:
                return self._try(replace(assignment, aside=aside, closed=closed, suspect=suspect))
            except _Lost as lost:
                logger.warning("shard %s lost its process at %s: %s", assignment.shard.name, lost.place, lost.detail)
                self.kill()
                if lost.place is None or lost.place in (closed if lost.is_unpacking else aside):
                    false_starts += 1
                    if false_starts == MOST_FALSE_STARTS:
                        raise WindrowError(
                            f"The process that reads shard {assignment.shard.name} ends before it begins: "
                            f"{lost.detail}. Check the memory and the space on the disk, then run the same command."
                        ) from None
                    continue
                false_starts, suspect = 0, lost.place
                tries[lost.place] += 1
                most = TRIES_WHEN_KILLED if lost.status in KILLED else TRIES
                if lost.reason or tries[lost.place] >= most:
                    aside.setdefault(lost.place, (lost.reason or "crash", lost.detail))
                    closed |= {lost.place} if lost.is_unpacking else set()

    def glance(self) -> Glance:
        """Return what the process is at."""
        return self._watch.glance()

    def _try(self, assignment: Assignment) -> Report:
        if self._process is None:
            self._watch.clear()
            handles = (self._watch.handle,)
            program = start_program("windrow.batch.worker", str(self._watch.handle), handles=handles)
            self._process, self._write, self._read = program
            logger.info("started worker process %d", self._process.pid)
        try:
            write_message(self._write, assignment)
            while True:
                if self._stop.is_set():
                    self.kill()
                    raise Stopped
                if select.select([self._read], [], [], GLANCE_SECONDS)[0]:
                    kind, value = read_message(self._read)
                    if kind == "done":
                        report: Report = value
                        return report
                    if kind == "failed":
                        raise value
                self._check()
        except ChannelClosed:
            with suppress(TimeoutExpired):
                self._process.wait(END_SECONDS)
            status = self._process.returncode
            glance = self._watch.glance()
            raise _Lost(glance, "", tell_status(status), status) from None

    def _check(self) -> None:
        """Raise where the record at hand takes too long, or too much."""
        glance, limits = self._watch.glance(), self._limits
        if not glance.started:
            return
        seconds = time.monotonic() - glance.started
        most = limits.seconds * (UNPACKING if glance.is_unpacking else 1)
        if seconds > most:
            detail = f"It took longer than {most:g} seconds. Raise the limit (--seconds)."
            raise _Lost(glance, "timeout", detail)
        grown = resident_bytes(self._process.pid) - glance.resident if seconds > GLANCE_SECONDS / 2 else 0
        if grown > limits.memory and self._watch.glance().started == glance.started:
            detail = f"It took more than {limits.memory >> 20:,} MiB of memory. Raise the limit (--memory)."
            raise _Lost(glance, "memory", detail)

    def kill(self) -> None:
        """End the process at once, and whatever browser it started."""
        if self._process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._drop()

    def close(self) -> None:
        """Let the process end, and see to it that it does."""
        if self._process is not None:
            with suppress(OSError):
                self._process.stdin.close()
            try:
                self._process.wait(END_SECONDS)
                self._drop()
            except TimeoutExpired:
                self.kill()
        self._watch.clear()

    def _drop(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe.close()
        self._process = None
