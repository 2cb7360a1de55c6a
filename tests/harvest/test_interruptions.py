"""Harvests in processes of their own: two at a time, killed, stopped, on a full disk, and by schedule."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from fields import Field
from nursery import Server, Site, changed, grow

from windrow.cli import main, scheduling
from windrow.errors import UsageError
from windrow.store import open_store
from windrow.store.rules import find_faults
from windrow.store.runs import list_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Farm(Field):
    """A field that is harvested by commands."""

    def start(self, *words: str, **choices: Any) -> subprocess.Popen[str]:  # noqa: ANN401 - passed on
        command = [sys.executable, "-m", "windrow", *words, "--store", self.store.name]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, "text": True}
        return subprocess.Popen(command, start_new_session=True, **{**pipes, **choices})  # noqa: S603 - the program under test

    def call(self, *words: str, **choices: Any) -> tuple[int, str, str]:  # noqa: ANN401 - passed on
        process = self.start(*words, **choices)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def check(self) -> None:
        with self.store.reading() as connection:
            assert find_faults(connection) == []

    def runs(self) -> list[Any]:
        with self.store.reading() as connection:
            return list_runs(connection)


@pytest.fixture
def farm(tmp_path: Path) -> Iterator[Farm]:
    with Server(Site(trees=grow(24))) as server, open_store(tmp_path / "windrow.db") as store:
        yield Farm(store, server)


@contextmanager
def slowed(farm: Farm, seconds: float) -> Iterator[None]:
    """Let every page take its time."""
    original = farm.site.page

    def page(path: str, query: str) -> tuple[int, str]:
        time.sleep(seconds)
        return original(path, query)

    farm.site.page = page  # type: ignore[method-assign] # a slow site
    try:
        yield
    finally:
        farm.site.page = original  # type: ignore[method-assign] # as it was


@contextmanager
def held(farm: Farm, sku: str, is_asked: threading.Event) -> Iterator[None]:
    """Let a page that is asked for come only when the block has ended."""
    original, is_free = farm.site.page, threading.Event()

    def page(path: str, query: str) -> tuple[int, str]:
        if path == f"/p/{sku}":
            is_asked.set()
            is_free.wait(20)
        return original(path, query)

    farm.site.page = page  # type: ignore[method-assign] # a site that lets one page wait
    try:
        yield
    finally:
        is_free.set()
        farm.site.page = original  # type: ignore[method-assign] # as it was


def wait_until(is_so: Callable[[], object], seconds: float = 20.0) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.02)


def test_the_second_process_says_who_has_the_source(farm: Farm) -> None:
    farm.add(farm.learn())
    wrong = threading.Event()
    with held(farm, "T-0006", wrong):
        first = farm.start("harvest", "orchard", "--json")
        wait_until(wrong.is_set)
        code, out, _ = farm.call("harvest", "orchard", "--json")
        said = json.loads(out)
        assert (code, said["state"]) == (7, "busy")
        assert f"number {first.pid} on {socket.gethostname()}" in said["sentence"]
    out, _ = first.communicate(timeout=60)
    assert (first.returncode, json.loads(out)["state"]) == (0, "whole")
    assert farm.records() == farm.site.truth()


def has_asked(farm: Farm, count: int) -> bool:
    return len(farm.server.requests) > count


def test_kills_lose_nothing_double_nothing_and_tear_nothing(farm: Farm) -> None:
    farm.add(farm.learn(), manners={"concurrency": 2})
    farm.harvest()
    dice = random.Random(4)  # noqa: S311 - moments, no secret
    for _ in range(2):
        for place in dice.sample(range(5, len(farm.site.trees)), 6):
            farm.site.trees[place] = changed(farm.site.trees[place], cents=dice.randrange(900, 24_900))
        del farm.site.trees[dice.randrange(6, len(farm.site.trees))]
        asked = len(farm.server.requests)
        with slowed(farm, 0.02):
            process = farm.start("harvest", "orchard")
            some = dice.randrange(1, 20)
            wait_until(partial(has_asked, farm, asked + some))
            seen = farm.records()
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        assert seen.keys() <= farm.records().keys()
        assert farm.harvest().state == "whole"
        assert farm.records() == farm.site.truth()
        paths = [request.path for request in farm.server.requests[asked:] if request.path.startswith("/p/")]
        assert len(paths) - len(set(paths)) <= 2 + 2 + 1
    farm.check()


def test_a_full_disk_is_a_sentence_and_the_next_start_goes_on(farm: Farm) -> None:
    farm.add(farm.learn())
    size = Path(farm.store.name).stat().st_size

    def small_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 40_000, size + 40_000))

    farm.store.close()
    code, out, err = farm.call("harvest", "orchard", preexec_fn=small_disk)
    assert code == 3, (out, err)
    assert "no room is left" in err
    assert "Traceback" not in err
    report = farm.harvest()
    assert report.state == "whole"
    assert farm.records() == farm.site.truth()
    farm.check()


def test_the_schedule_on_a_full_disk_is_a_sentence_and_goes_on_when_there_is_room(farm: Farm) -> None:
    farm.add(farm.learn(), schedule={"every": "1 second"})
    farm.store.close()
    size = Path(farm.store.name).stat().st_size

    def small_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 40_000, size + 40_000))

    code, out, err = farm.call("run", preexec_fn=small_disk)
    assert code == 3, (out, err)
    assert "no room is left" in err
    assert "Traceback" not in err
    farm.check()
    wait_until(lambda: farm.call("run", "--once")[0] == 0 and farm.records() == farm.site.truth())
    assert {run.state for run in farm.runs()} == {"whole"}
    farm.check()


def test_a_run_that_fails_by_schedule_is_told(farm: Farm, monkeypatch: pytest.MonkeyPatch) -> None:
    farm.add(farm.learn(), schedule={"every": "1 second"})

    def fail(*_: object) -> None:
        raise UsageError("The hay is wet.")

    monkeypatch.setattr(scheduling, "_harvest", fail)
    monkeypatch.setattr(scheduling, "_wake_on_stop", lambda _: None)
    words = ["run", "--once", "--store", farm.store.name]
    wait_until(lambda: "failed: The hay is wet." in CliRunner().invoke(main, words).stderr)


@contextmanager
def listening(path: str) -> Iterator[Callable[[], str]]:
    """Listen to what a service says, as systemd does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(path)
        listener.settimeout(20)
        yield lambda: listener.recv(4096).decode()


def test_the_schedule_is_kept_until_somebody_says_stop(farm: Farm, tmp_path: Path) -> None:
    farm.add(farm.learn(), schedule={"every": "1 second"})
    place = str(tmp_path / "notify")
    environment = {**os.environ, "NOTIFY_SOCKET": place, "WATCHDOG_USEC": "2000000"}
    with listening(place) as heard:
        process = farm.start("run", env=environment)
        assert "READY=1" in heard()
        wait_until(lambda: sum(run.state == "whole" for run in farm.runs()) >= 2)
        is_asked = threading.Event()
        with held(farm, "T-0006", is_asked):
            farm.site.trees = [changed(tree, cents=tree.cents + 100) for tree in farm.site.trees]
            wait_until(is_asked.is_set)
            process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
        out, err = process.communicate(timeout=30)
        said = [heard()]
        while "STOPPING=1" not in said[-1]:
            said.append(heard())
    assert process.returncode == 0, err
    assert "Traceback" not in err
    assert "orchard: whole" in out
    assert any("WATCHDOG=1" in each for each in said)
    assert farm.runs()[0].state == "running"
    pages = farm.runs()[0].counts["pages"]
    assert 0 < pages < 27
    code, out, err = farm.call("run", "--once")
    assert (code, farm.records()) == (0, farm.site.truth()), err
    assert farm.runs()[0].ended_at or farm.runs()[1].ended_at
    dues = [run.due_at for run in farm.runs() if run.due_at]
    assert len(dues) == len(set(dues))
    farm.check()


def test_a_run_that_was_killed_is_gone_on_with_by_the_next_start(farm: Farm) -> None:
    farm.add(farm.learn(), schedule={"every": "1 hour"})
    with slowed(farm, 0.05):
        process = farm.start("harvest", "orchard")
        wait_until(lambda: len(farm.server.asked_for("/p/")) > 6)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    [run] = farm.runs()
    code, _, err = farm.call("run", "--once")
    assert (code, farm.records()) == (0, farm.site.truth()), err
    again = next(each for each in farm.runs() if each.id == run.id)
    assert (again.state, again.trigger) == ("whole", "resume")


def test_a_unit_for_systemd(farm: Farm) -> None:
    code, out, _ = farm.call("run", "--unit")
    assert code == 0
    assert re.search(r"^Type=notify$", out, re.MULTILINE)
    assert farm.store.name in out


def test_retry_after_is_kept_across_a_restart(tmp_path: Path) -> None:
    asked: list[float] = []

    def fault(path: str, _: int) -> str | None:
        if path == "/p/T-0004":
            asked.append(time.time())
            return "503 4" if len(asked) == 1 else None
        return None

    with Server(Site(trees=grow(6)), fault) as server, open_store(tmp_path / "windrow.db") as store:
        farm = Farm(store, server)
        farm.add(farm.learn())
        process = farm.start("harvest", "orchard")
        wait_until(lambda: asked)
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        before = len(server.requests)
        assert farm.call("harvest", "orchard")[0] == 0
        first = server.requests[before]
        assert first.at - asked[0] >= 4.0
        assert farm.records() == farm.site.truth()
