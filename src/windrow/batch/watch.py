"""What a worker process is at, in memory that it shares with its supervisor: no message is sent for a record."""

from __future__ import annotations

import mmap
import os
import resource
import struct
import subprocess
import tempfile
import time
import weakref
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

from windrow.batch.unit import Place

STARTED = struct.Struct("<d")
AT = struct.Struct("<qqqqq")
DONE = struct.Struct("<qqq")
SIZE = STARTED.size + AT.size + DONE.size
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Glance:
    """What the process is at: the record that it reads, since when, and how far it is."""

    started: float
    """By the clock that never goes back; 0 where it is between records."""
    place: Place
    resident: int
    """Bytes that it had in memory when it began the record."""
    is_unpacking: bool
    """Whether it takes the record out of its archive yet."""
    records: int
    rejects: int
    done: int
    """Bytes of the shard behind it."""


class Watch:
    """The shared memory, the same value on both sides."""

    def __init__(self, handle: int) -> None:
        """Map the memory behind an open file."""
        self.handle = handle
        self._memory = mmap.mmap(handle, SIZE)
        weakref.finalize(self, os.close, handle)

    @classmethod
    def new(cls) -> Self:
        """Return fresh shared memory."""
        with tempfile.TemporaryFile(prefix="windrow-") as file:
            file.truncate(SIZE)
            return cls(os.dup(file.fileno()))

    def begin(self, place: Place, records: int, rejects: int, done: int) -> None:
        """Say that a record is begun."""
        STARTED.pack_into(self._memory, 0, 0.0)
        AT.pack_into(self._memory, STARTED.size, *place, resident_bytes(), 0)
        DONE.pack_into(self._memory, STARTED.size + AT.size, records, rejects, done)
        STARTED.pack_into(self._memory, 0, time.monotonic())

    def unpack(self, place: Place) -> None:
        """Say that a record is about to be taken out of its archive."""
        STARTED.pack_into(self._memory, 0, 0.0)
        AT.pack_into(self._memory, STARTED.size, *place, resident_bytes(), 1)
        STARTED.pack_into(self._memory, 0, time.monotonic())

    def rest(self) -> None:
        """Say that no record is being read."""
        STARTED.pack_into(self._memory, 0, 0.0)

    def glance(self) -> Glance:
        """Return what the process is at."""
        while True:
            (started,) = STARTED.unpack_from(self._memory, 0)
            *place, resident, phase = AT.unpack_from(self._memory, STARTED.size)
            done = DONE.unpack_from(self._memory, STARTED.size + AT.size)
            if STARTED.unpack_from(self._memory, 0)[0] == started:
                return Glance(started, Place(*place), resident, bool(phase), *done)

    def clear(self) -> None:
        """Forget what was said, before another process takes over."""
        self._memory[:] = bytes(len(self._memory))


def resident_bytes(process: int | None = None) -> int:
    """Return the bytes that a process has in memory, this one by default; 0 where it is gone."""
    try:
        if process is None:
            return int(os.pread(_own_memory(), 128, 0).split()[1]) * PAGE_BYTES
        return int(Path(f"/proc/{process}/statm").read_bytes().split()[1]) * PAGE_BYTES
    except FileNotFoundError:
        if Path("/proc/self").exists():
            return 0
    except (OSError, IndexError, ValueError):
        return 0
    if process is None:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes, where there is no /proc
    return _ask_system(process)


@cache
def _own_memory() -> int:
    """Return the file that says what this process has in memory, kept open, which is most of the cost."""
    return os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)


def _ask_system(process: int) -> int:
    """Return the same where there is no /proc."""
    told = subprocess.run(  # noqa: S603 - a program of the system with a number
        ["/bin/ps", "-o", "rss=", "-p", str(process)], capture_output=True, check=False
    )
    return int(told.stdout.split()[0]) * 1024 if told.stdout.split() else 0
