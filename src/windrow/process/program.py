"""Starts a fresh Python that runs a module of ours, with pipes to talk to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = (
    "import json, sys; from importlib import import_module; sys.path[:] = json.loads(sys.argv[1]); "
    "import_module(sys.argv[2]).main()"
)


def core_count() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_program(
    module: str, *arguments: str, handles: Sequence[int] = ()
) -> tuple[subprocess.Popen[bytes], int, int]:
    """Start a fresh Python that runs ``main`` of a module; return it with the pipes to write to it and read from it."""
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM, json.dumps(sys.path), module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=handles,
        start_new_session=True,  # Ctrl-C is the program's to handle; it will let go of us
    )
    assert process.stdin is not None  # noqa: S101 - as asked for
    assert process.stdout is not None  # noqa: S101 - as asked for
    return process, process.stdin.fileno(), process.stdout.fileno()


def take_pipes() -> tuple[int, int]:
    """Return the pipes to read from and to write to; whatever prints something must not get between two messages."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipes = os.dup(0), os.dup(1)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - its number is wanted, and nothing else
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return pipes


def tell_status(status: int | None) -> str:
    """Return how a process ended, from its exit status."""
    if status is None:
        return "it stopped answering"
    if status == -9:  # noqa: PLR2004 - SIGKILL
        return "the system killed it, perhaps for want of memory"
    return f"signal {-status}" if status < 0 else f"exit status {status}"
