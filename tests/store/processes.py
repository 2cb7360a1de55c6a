"""Other processes for tests, forked from one that has imported the store already, since importing takes a second."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerProcess

_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload(["windrow.store.visits", "windrow.store.views", "alembic.command", "psycopg"])
SECONDS = 60


def start(function: Callable[..., None], *words: Any) -> tuple[ForkServerProcess, Connection]:  # noqa: ANN401 - passed on
    """Start a process that calls a function with words and, before them, the end of a pipe to tell something by."""
    here, there = _FORKING.Pipe(duplex=False)
    process = _FORKING.Process(target=function, args=(there, *words), daemon=True)
    process.start()
    there.close()
    return process, here


def finish(process: ForkServerProcess, pipe: Connection) -> tuple[int | None, str]:
    """Wait for a process; return its exit status, and what it told."""
    try:
        said = str(pipe.recv()) if pipe.poll(SECONDS) else ""
    except EOFError:
        said = ""
    process.join(SECONDS)
    pipe.close()
    status = process.exitcode
    process.close()
    return status, said


def begin(pipe: Connection, where: str, seconds: float) -> None:
    """Take source 1 in hand for some seconds."""
    from windrow.errors import BusyError  # noqa: PLC0415 - in the other process
    from windrow.store import open_store  # noqa: PLC0415 - as above
    from windrow.store.runs import begin_run  # noqa: PLC0415 - as above

    with open_store(where) as store:
        try:
            with store.writing() as connection:
                run = begin_run(connection, 1, 1, "hand")
        except BusyError as error:
            pipe.send(f"busy {error}")
        else:
            pipe.send(f"begun {run.id} {run.epoch} {run.resumed}")
            time.sleep(seconds)


def make(pipe: Connection, where: str) -> None:
    """Open a store, which makes it."""
    from windrow.store import open_store  # noqa: PLC0415 - in the other process

    open_store(where).close()
    pipe.send("made")


def upgrade(_: Connection, where: str, scripts: str, how: str) -> None:
    """Bring a store up by scripts that do not end well."""
    from windrow.store import migration, open_store  # noqa: PLC0415 - in the other process

    os.environ[how] = "1"
    with open_store(where) as store:
        migration.bring_up(store, "9002", scripts)


def fill(pipe: Connection, where: str) -> None:
    """Harvest more than a file may grow by."""
    from harvesting import harvest, many_pages  # noqa: PLC0415 - in the other process

    from windrow.errors import StoreError  # noqa: PLC0415 - as above
    from windrow.store import open_store  # noqa: PLC0415 - as above

    with open_store(where) as store:
        assert store.path is not None
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        most = store.path.stat().st_size + 200_000
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
        try:
            harvest(store, many_pages())
        except StoreError as error:
            pipe.send(f"{error.exit_code} {error}")
