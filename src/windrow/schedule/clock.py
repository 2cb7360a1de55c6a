"""The clocks of the machine: the one on the wall, which people set, and a steady one, which goes on in sleep."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Protocol

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
# On macOS the monotonic clock goes on in sleep, on Linux only this one does.
STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Clocks(Protocol):
    """What the scheduler needs of time; ``boot`` and ``wake()`` are used where they exist."""

    def wall(self) -> datetime:
        """Return the time of day, with a zone."""

    def steady(self) -> float:
        """Return seconds that never go back and go on in sleep."""

    def wait(self, seconds: float) -> None:
        """Return after at most so many seconds."""


class Clock:
    """The clocks of this machine. ``wake`` ends a wait, also from a signal handler."""

    def __init__(self) -> None:
        """Open the pipe that waits are ended through."""
        self.boot = read_boot()
        # A lock could be held by the very code that a signal interrupts; a pipe can be written to at any moment.
        self._reads, self._writes = os.pipe()
        os.set_blocking(self._reads, False)
        os.set_blocking(self._writes, False)
        weakref.finalize(self, _close, self._reads, self._writes)

    def wall(self) -> datetime:
        """Return the time of day, in UTC."""
        return datetime.now(UTC)

    def steady(self) -> float:
        """Return the seconds since the machine was started, sleep included."""
        return time.clock_gettime(STEADY)

    def wait(self, seconds: float) -> None:
        """Return after so many seconds, or when somebody calls ``wake``."""
        ready, _, _ = select.select([self._reads], [], [], max(0.0, seconds))
        if ready:
            with suppress(BlockingIOError):
                os.read(self._reads, 4096)

    def wake(self) -> None:
        """End the wait that is under way, or the next one."""
        # A full pipe wakes as well.
        with suppress(BlockingIOError):
            os.write(self._writes, b"\0")


@dataclass(frozen=True)
class Reading:
    """What both clocks say, and since which start of the machine."""

    wall: datetime
    steady: float
    boot: str


def read_clocks(clock: Clocks) -> Reading:
    """Return what the clocks say now."""
    boot = getattr(clock, "boot", None)
    return Reading(clock.wall().astimezone(UTC), clock.steady(), read_boot() if boot is None else str(boot))


@cache
def read_boot() -> str:
    """Return a name of this start of the machine, and nothing where the system gives it none."""
    if sys.platform == "darwin":
        command = ["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"]
        with suppress(OSError, subprocess.SubprocessError):
            return subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout.strip()  # noqa: S603 - a fixed command
        return ""
    try:
        return BOOT_ID.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _close(*handles: int) -> None:
    for handle in handles:
        os.close(handle)
