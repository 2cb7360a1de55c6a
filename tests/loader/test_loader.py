"""Loaders own what they start: several at a time, closed with their block, used by forked children and daemons."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import psutil
import pytest

import windrow
from windrow.errors import LimitError
from windrow.loader.backend import Backend
from windrow.loader.schedule import Crew, run_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def browsers(process: int | None = None) -> int:
    children = psutil.Process(process).children(recursive=True)
    return sum("supervisor.py" in " ".join(child.cmdline()) for child in children)


def test_a_loader_has_options_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "long.html").write_text("<p>start</p>" + "x" * 1000, encoding="utf-8")
    options = windrow.Options(limits=windrow.Limits(bytes=100))
    with windrow.Loader(options) as loader:
        with pytest.raises(LimitError):
            loader.load(tmp_path / "long.html", render=False)
        assert loader.load(tmp_path / "long.html", render=False, options=windrow.Options()).text.startswith("start")
        (cut,) = loader.load_many([tmp_path / "long.html"], render=False)
    assert isinstance(cut, windrow.Outcome)
    assert cut.page is not None
    assert cut.page.cut
    with pytest.raises(LimitError):
        cut.require_page()


def test_pages_as_they_come_name_their_sources(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.html").write_text(f"<p>{name}", encoding="utf-8")
    files = [tmp_path / f"{name}.html" for name in "abc"]
    with windrow.Loader() as loader:
        found = {page.source for page in loader.load_many(files, render=False, as_completed=True)}
    assert found == set(map(str, files))


def test_proxies_are_shared_by_their_settings() -> None:
    backend = Backend(1)
    private, public = windrow.Options(allow_private=True), windrow.Options()
    first = backend.proxy(private)
    assert backend.proxy(private) is first
    assert backend.proxy(public) is not first
    backend.close()
    assert backend.proxy(private) is not first
    backend.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_opens_a_proxy_of_its_own() -> None:
    program = """
import os, socket
from windrow import Loader, Options
loader = Loader()
options = Options(allow_private=True)
mine = loader._backend.proxy(options)
child = os.fork()
if not child:
    other = loader._backend.proxy(options)
    host, port = other.address.split(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(b"GET / HTTP/1.1\\r\\n\\r\\n")
        answer = connection.recv(100)
    os._exit(0 if other is not mine and other.address != mine.address and b" 400 " in answer else 1)
_, status = os.waitpid(child, 0)
raise SystemExit(os.waitstatus_to_exitcode(status))
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=False, timeout=30)  # noqa: S603 - ours
    assert done.returncode == 0


DAEMON = """
import multiprocessing, windrow
def read(pipe):
    pipe.send(windrow.parse("<p>Hay").text)
if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=read, args=(theirs,), daemon=True)
    process.start()
    print(ours.recv())
    process.join()
"""


def test_a_daemonic_process_may_read_a_page() -> None:
    done = subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-W", "ignore", "-c", DAEMON], check=False, timeout=60, capture_output=True
    )
    assert done.stdout == b"Hay\n"


def test_a_slow_job_does_not_idle_the_threads_and_what_waits_is_bounded() -> None:
    release = threading.Event()
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        if number == 0:
            release.wait(20)
        if number == 29:
            release.set()
        return number

    assert list(run_jobs(range(100), work, Crew(2, waiting=40))) == [*range(100)]
    begun.clear()
    release.clear()
    timer = threading.Timer(1.0, release.set)
    timer.start()
    results = run_jobs(range(1000), work, Crew(2, waiting=10))
    assert next(results) == 0
    assert len(begun) <= 10 + 4
    results.close()
    timer.join()


def test_what_a_job_raises_comes_in_its_turn() -> None:
    def work(number: int) -> int:
        return 6 // number

    results = run_jobs([3, 2, 0, 1], work, Crew(2, waiting=10))
    assert [next(results), next(results)] == [2, 3]
    with pytest.raises(ZeroDivisionError):
        next(results)


@pytest.mark.browser
def test_loaders_have_browsers_of_their_own_and_end_them() -> None:
    windrow.close()
    before = browsers()
    with windrow.Loader(workers=1) as one, windrow.Loader(workers=1) as other:
        for loader in (one, other, one, other):
            assert loader.parse("<p>Hay", render=True).text == "Hay"
        assert browsers() == before + 2
    assert browsers() == before


@pytest.mark.browser
def test_each_worker_process_has_one_browser(tmp_path: Path) -> None:
    for name in "abcdef":
        (tmp_path / f"{name}.html").write_text(f"<p>{name}", encoding="utf-8")
    with windrow.Loader(workers=2) as loader:
        results: Iterator[bool] = loader.map(is_rendered, sorted(tmp_path.iterdir()))
        assert list(results) == [True] * 6
        assert browsers() <= 2


def is_rendered(outcome: windrow.Outcome) -> bool:
    return outcome.page is not None and outcome.page.rendered
