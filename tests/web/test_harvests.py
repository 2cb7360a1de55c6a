"""Runs that are started here: one that ends before it has begun says why, or can be gone on with."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from harvesting import add_source

from windrow.store import open_store
from windrow.store.runs import find_run
from windrow.web.harvests import Harvests
from windrow.web.run_states import RunSummary, summarise_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SLEEP = "import time; time.sleep(60)"
COMPLAIN = "import sys; sys.exit('There is no room.')"
SECONDS = 20


class Spawning(Harvests):
    """Starts something else than a harvest."""

    code = SLEEP

    def _spawn(self, *_: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", self.code], stderr=subprocess.PIPE)  # noqa: S603 - ours

    def look(self, number: int) -> RunSummary:
        with self._store.reading() as connection:
            row = find_run(connection, number)
            assert row is not None
            return summarise_run(row, self)

    def wait(self, number: int) -> RunSummary:
        """Return a run once nobody works at it."""
        deadline = time.monotonic() + SECONDS
        while self.look(number).is_under_way and time.monotonic() < deadline:
            time.sleep(0.05)
        return self.look(number)


@pytest.fixture
def harvests(tmp_path: Path) -> Iterator[Spawning]:
    with open_store(tmp_path / "windrow.db") as store:
        add_source(store, "barn")
        harvests = Spawning(store, str(tmp_path / "windrow.db"))
        yield harvests
        harvests.close()


def test_a_run_that_is_stopped_before_it_has_begun_did_not_fail(harvests: Spawning) -> None:
    number = harvests.start("barn")
    assert harvests.look(number).shown == "Running"
    assert harvests.stop("barn")
    stopped = harvests.wait(number)
    assert (stopped.shown, stopped.ended_at, stopped.sentence) == ("Stopped", None, "")
    assert harvests.start("barn") == number, "the next start goes on with it"
    assert harvests.look(number).shown == "Running"
    harvests.close()
    assert harvests.wait(number).shown == "Stopped"


def test_a_run_that_could_not_be_begun_says_why(harvests: Spawning) -> None:
    harvests.code = COMPLAIN
    failed = harvests.wait(harvests.start("barn"))
    assert (failed.shown, failed.sentence) == ("Failed", "There is no room.")
