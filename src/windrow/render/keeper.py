"""Keeps one browser, so that nothing of it outlives the program that wanted it. Runs as a script of its own.

It starts the browser in a session of its own, under an unprivileged user where we are root, and waits. When the
program closes its end of standard input, dies in whatever way, or the browser takes more memory than it may, the whole
session is killed and the profile folder removed.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess  # noqa: S404 - starting the browser is the purpose
import sys
from pathlib import Path
from typing import TypedDict

TICK = 0.5
"""Seconds between two looks at memory and at the program that we serve."""
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
    """Run the browser until it ends or must end; give the exit status."""
    os.dup2(job["read"], 3)
    os.dup2(job["write"], 4)
    owner = {} if job["user"] is None else {"user": job["user"], "group": job["user"], "extra_groups": []}
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
        env={"HOME": job["profile"], "TMPDIR": job["profile"], "PATH": os.defpath, "LANG": "C.UTF-8",
             **{name: os.environ[name] for name in ("DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY") if name in os.environ}},
        **owner,
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
    while browser.poll() is None:
        gone, _, _ = select.select([sys.stdin], [], [], TICK)
        if gone or os.getppid() != job["parent"]:
            Path(job["log"]).unlink(missing_ok=True)  # nobody is left to read it
            return 0
        if _memory_of_session(browser.pid) > job["memory"]:
            return TOO_MUCH_MEMORY
    return browser.returncode


def _memory_of_session(session: int) -> int:
    """Add up the memory that the session's processes share with nobody; 0 where the system does not tell."""
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (process / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[3]) == session:
                _, resident, shared, *_ = (process / "statm").read_text(encoding="ascii").split()
                total += (int(resident) - int(shared)) * PAGE_SIZE
    return total


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the program's to handle; it will let go of us
    sys.exit(keep(json.loads(sys.argv[1])))
