"""Supervises one browser, so that nothing of it outlives the program that wanted it. Runs as a script of its own.

It starts the browser in a session of its own, under an unprivileged user where we are root, and waits. When the
program closes its end of standard input, dies in whatever way, or the browser takes more memory than it may, the whole
session is killed and the profile folder removed.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

TICK = 0.1
"""Seconds between two looks at memory and at the program that we serve; a page can fill a gigabyte in half a second."""
TICKS_PER_SEARCH = 10
"""Looking through all processes of the machine costs more, so it is done less often."""
TOO_MUCH_MEMORY = 77
"""Exit status that tells the program why its browser is gone."""
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")


class Job(TypedDict):
    """What the program asks for, as JSON in the first argument."""

    command: list[str]
    read: int
    write: int
    parent: int
    profile: str
    log: str
    memory: int
    user: int | None


def keep(job: Job) -> int:
    """Run the browser until it ends or must end; return the exit status."""
    os.dup2(job["read"], 3)
    os.dup2(job["write"], 4)
    Path(job["profile"]).mkdir(mode=0o700)
    if job["user"] is not None:
        os.chown(job["profile"], job["user"], job["user"])
    browser = subprocess.Popen(  # noqa: S603 - the command is ours
        job["command"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=(3, 4),
        start_new_session=True,
        cwd="/",
        env={
            "HOME": job["profile"],
            "TMPDIR": job["profile"],
            "PATH": os.defpath,
            "LANG": "C.UTF-8",
            **{name: os.environ[name] for name in ("DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY") if name in os.environ},
        },
        user=job["user"],
        group=job["user"],
        extra_groups=None if job["user"] is None else [],
    )
    for inherited in {3, 4, job["read"], job["write"]}:
        os.close(inherited)
    try:
        return _watch(browser, job)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(browser.pid, signal.SIGKILL)
        browser.wait()
        shutil.rmtree(job["profile"], ignore_errors=True)


def _watch(browser: subprocess.Popen[bytes], job: Job) -> int:
    processes: set[int] = set()
    for tick in itertools.count():
        if browser.poll() is not None:
            break
        gone, _, _ = select.select([sys.stdin], [], [], TICK)
        if gone or os.getppid() != job["parent"]:
            Path(job["log"]).unlink(missing_ok=True)  # nobody is left to read it
            return 0
        if tick % TICKS_PER_SEARCH == 0:
            processes = _processes_of_session(browser.pid)
        processes.update(*map(_children, tuple(processes)))
        if sum(map(_memory, processes)) > job["memory"]:
            return TOO_MUCH_MEMORY
    return browser.returncode


def _processes_of_session(session: int) -> set[int]:
    """Return the processes of a session; none where the system does not tell."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (process / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[3]) == session:
                found.add(int(process.name))
    return found


def _children(process: int) -> list[int]:
    """Return what a process has started from its main thread, as the parent of all pages does."""
    return [int(child) for child in _read(f"/proc/{process}/task/{process}/children").split()]


def _memory(process: int) -> int:
    """Return the memory that a process shares with nobody; 0 for one that is gone."""
    fields = _read(f"/proc/{process}/statm").split()
    return (int(fields[1]) - int(fields[2])) * PAGE_SIZE if fields else 0


def _read(name: str) -> bytes:
    """Read a small file of the system's, the short way: this happens often; nothing where it is gone."""
    try:
        file = os.open(name, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(file, 4096)
    except OSError:
        return b""
    finally:
        os.close(file)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the program's to handle; it will let go of us
    sys.exit(keep(json.loads(sys.argv[1])))
