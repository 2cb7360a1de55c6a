"""Runs that are started here, each in a process of its own: ``windrow harvest``, which the next start goes on with.

A harvest keeps a core busy and may meet pages that end its process; neither must be felt by who looks at the pages.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from windrow.errors import BusyError
from windrow.store.runs import announce_run, close_announced, find_run, find_under_way, is_at_work
from windrow.store.sources import get_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.store import Store

SECONDS_TO_STOP = 20.0
"""How long processes have to end at the border of a page before they are ended at once."""
MOST_SAID = 2000
"""Characters of what a process said that are kept."""


class Harvests:
    """The processes that were started here."""

    def __init__(self, store: Store, where: str) -> None:
        """Know of none; ``where`` is the address of the store, which goes to them by their environment."""
        self._store, self._where = store, where
        self._lock = threading.Lock()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._schedule: subprocess.Popen[bytes] | None = None
        self._stopping: set[subprocess.Popen[bytes]] = set()
        self._stopped: set[int] = set()

    def start(self, name: str, choices: Sequence[str] = ()) -> int:
        """Begin a run of a source, or go on with one that was interrupted, and return its number.

        ``choices`` are options of ``windrow harvest``. ``BusyError`` where the source is being read already.
        """
        self._let_end(name)
        with self._lock, self._store.writing() as connection:
            source = get_source(connection, name)
            found = find_under_way(connection, source.id)
            if (found is not None and is_at_work(found)) or self.is_running(name):
                raise BusyError(f"{name} is being read already. Wait for the run to end, or stop it.")
            trigger = "offline" if "--offline" in choices else "hand"
            number = announce_run(connection, source.id, source.version, trigger) if found is None else int(found.id)
        with self._lock:
            process = self._spawn("harvest", "--json", *choices, "--", name)
            self._processes[name] = process
            self._stopped.discard(number)
        threading.Thread(target=self._watch, args=(name, number, process), daemon=True, name="windrow-run").start()
        return number

    def _let_end(self, name: str) -> None:
        """Wait for the process of a run that has ended: it tells people of warnings, and tidies up."""
        with self._store.reading() as connection:
            is_under_way = find_under_way(connection, get_source(connection, name).id) is not None
        process = self._processes.get(name)
        if process is not None and not is_under_way:
            with suppress(subprocess.TimeoutExpired):
                process.wait(SECONDS_TO_STOP)

    def keep_schedule(self) -> None:
        """Keep the schedule of all sources, too."""
        self._schedule = self._spawn("run")

    def is_running(self, name: str) -> bool:
        """Whether a process that was started here reads a source."""
        process = self._processes.get(name)
        return process is not None and process.poll() is None

    def stop(self, name: str) -> bool:
        """Ask a run that was started here to end at the border of a page; return whether there is one."""
        process = self._processes.get(name)
        if process is None or process.poll() is not None:
            return False
        self._stopping.add(process)
        process.send_signal(signal.SIGTERM)
        return True

    def was_stopped(self, number: int) -> bool:
        """Whether a run was stopped here before it had begun; the next start goes on with it."""
        return number in self._stopped

    def close(self) -> None:
        """End all processes."""
        alive = [each for each in (*self._processes.values(), self._schedule) if each and each.poll() is None]
        for process in alive:
            self._stopping.add(process)
            process.send_signal(signal.SIGTERM)
        for process in alive:
            try:
                process.wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _spawn(self, *words: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "WINDROW_STORE": self._where}
        environment.pop("WINDROW_WEB_PASSWORD", None)
        command = [sys.executable, "-m", "windrow", *words]
        return subprocess.Popen(  # noqa: S603 - our own command; names stand behind "--"
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def _watch(self, name: str, number: int, process: subprocess.Popen[bytes]) -> None:
        """Wait for a process; a run that it did not even begin is ended with what it said, unless it was stopped."""
        _, said = process.communicate()
        with self._lock:
            if process in self._stopping:
                self._stopping.discard(process)
                self._stopped.add(number)
            if self._processes.get(name) is process:
                del self._processes[name]
            if number in self._stopped:
                return
        with self._store.writing() as connection:
            run = find_run(connection, number)
            if run is not None and run.ended_at is None and run.owner is None and not run.counts.get("pages"):
                sentence = said.decode("utf-8", "replace").strip()[-MOST_SAID:] or "The run could not be started."
                close_announced(connection, number, sentence)
