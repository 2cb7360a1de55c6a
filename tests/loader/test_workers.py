"""Worker processes: they keep the order, survive pages that kill them, and leave nothing behind."""

from __future__ import annotations

import logging
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import jobs
import psutil
import pytest

import windrow
from windrow.errors import LimitError
from windrow.loader import Task, workers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HERE = str(Path(__file__).parent)


def tasks(texts: Iterable[str]) -> Iterator[Task]:
    return (Task(html=f"<p>{text}", render=False) for text in texts)


@pytest.fixture
def loader() -> Iterator[windrow.Loader]:
    with windrow.Loader(workers=2) as found:
        yield found
    assert not find_workers()


def find_workers(process: int | None = None) -> list[psutil.Process]:
    children = psutil.Process(process).children(recursive=True)
    return [child for child in children if child.is_running() and "windrow.loader.worker" in " ".join(_words(child))]


def _words(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


def wait_until_gone(processes: list[psutil.Process]) -> bool:
    return not psutil.wait_procs(processes, timeout=10)[1]


def test_many_pages_are_read_by_several_processes_in_order(loader: windrow.Loader) -> None:
    texts = [str(number) for number in range(200)]
    results = list(loader.map(jobs.text_and_process, tasks(texts)))
    assert [text for text, _ in results] == texts
    processes = {process for _, process in results}
    assert os.getpid() not in processes
    assert len(processes) == 2


def test_one_page_starts_no_process(loader: windrow.Loader) -> None:
    assert list(loader.map(jobs.text_and_process, tasks(["hay"]))) == [("hay", os.getpid())]
    assert not find_workers()
    assert list(windrow.Loader(workers=1).map(jobs.text_and_process, tasks(["a", "b"]))) == [
        ("a", os.getpid()),
        ("b", os.getpid()),
    ]


@pytest.mark.parametrize(("order", "sentence"), [("die", "the system killed it"), ("leave", "exit status 3")])
def test_a_page_that_kills_its_process_becomes_an_error_and_stops_no_other(
    loader: windrow.Loader, order: str, sentence: str
) -> None:
    texts = ["a", "b", order, "c", "d", "e"]
    results = list(loader.map(jobs.obey, tasks(texts)))
    assert [*results[:2], *results[3:]] == ["a", "b", "c", "d", "e"]
    assert sentence in results[2]


def test_a_process_that_hangs_is_replaced(loader: windrow.Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "READING_SECONDS", 0.0)
    limits = windrow.Limits(seconds=3)
    slow = [
        Task(html=f"<p>{text}", render=False, options=windrow.Options(limits=limits))
        for text in ("a", "hang", "b", "c")
    ]
    results = list(loader.map(jobs.obey, slow))
    assert [results[0], *results[2:]] == ["a", "b", "c"]
    assert results[1].startswith("Reading the page took longer than 3 seconds")


def test_the_slowest_page_does_not_hold_up_the_others(loader: windrow.Loader) -> None:
    texts = ["sleep 2", *(f"sleep {number / 1000}" for number in range(60))]
    assert list(loader.map(jobs.obey, tasks(texts))) == texts
    early = loader.map(jobs.obey, tasks(texts), as_completed=True)
    assert next(early) == "sleep 0.0"
    assert sorted([*early, "sleep 0.0"]) == sorted(texts)


def test_what_the_work_raises_is_raised(loader: windrow.Loader) -> None:
    with pytest.raises(ZeroDivisionError, match="as told"):
        list(loader.map(jobs.obey, tasks(["a", "fail", "b"])))
    with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
        list(loader.map(jobs.unpicklable, tasks(["a", "b"])))
    assert list(loader.map(jobs.obey, tasks(["a", "b"]))) == ["a", "b"]


def test_a_function_that_can_not_be_imported_is_refused(loader: windrow.Loader) -> None:
    with pytest.raises(windrow.UsageError, match="can't be imported"):
        loader.map(lambda outcome: outcome.source, tasks(["a", "b"]))
    assert list(loader.map(lambda outcome: outcome.source, tasks(["a"]))) == ["memory"]


def test_outcomes_come_back_without_their_pages(tmp_path: Path) -> None:
    good, long = tmp_path / "good.html", tmp_path / "long.html"
    good.write_bytes("<meta charset=windows-1252><p>Привет".encode())
    long.write_bytes(b"<p>row</p>" * 100)
    with windrow.Loader(windrow.Options(limits=windrow.Limits(nodes=100)), workers=2) as limited:
        whole, cut, gone = limited.map(jobs.describe, [good, long, tmp_path / "gone.html"], render=False)
    assert (whole.source, whole.page, whole.error) == (str(good), None, None)
    assert whole.provenance is not None
    assert [notice.kind for notice in whole.warnings] == ["charset"]
    assert cut.provenance is not None
    assert isinstance(cut.error, LimitError)
    assert cut.error.page is None
    assert (gone.provenance, gone.is_whole) == (None, False)
    assert "gone.html" in str(gone.error)


def test_an_outcome_among_the_sources_is_passed_on(loader: windrow.Loader) -> None:
    known = windrow.Outcome.of_error("known", windrow.errors.SourceError("Known before."))
    assert list(loader.map(jobs.obey, [*tasks(["a"]), known, *tasks(["b"])])) == ["a", "Known before.", "b"]


def test_closing_the_results_early_leaves_nothing_at_work(loader: windrow.Loader) -> None:
    results = loader.map(jobs.obey, tasks(["a", "hang", "hang", *"bcdefg"]))
    assert next(results) == "a"
    began = time.monotonic()
    results.close()
    assert time.monotonic() - began < 10
    assert list(loader.map(jobs.obey, tasks(["a", "b"]))) == ["a", "b"]


def test_a_closed_loader_reads_no_further_pages_but_may_be_used_again(loader: windrow.Loader) -> None:
    results = loader.map(jobs.obey, tasks(str(number) for number in range(1000)))
    assert next(results) == "0"
    loader.close()
    with pytest.raises(windrow.UsageError, match="closed before"):
        list(results)
    assert list(loader.map(jobs.obey, tasks(["a", "b"]))) == ["a", "b"]


SCRIPT = """
import sys, windrow
sys.path.insert(0, {here!r})
import jobs
from windrow.loader import Task
loader = windrow.Loader(workers=2)
print("ready", flush=True)
for text in loader.map(jobs.obey, [Task(html="<p>" + text, render=False) for text in sys.argv[1:]]):
    print(text, flush=True)
"""


def start(*texts: str) -> subprocess.Popen[bytes]:
    """Start a script without a main guard that reads pages in worker processes."""
    script = textwrap.dedent(SCRIPT.format(here=HERE))
    return subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-c", script, *texts],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - ours may be ignored
    )


def test_a_script_without_a_main_guard() -> None:
    with start("a", "b", "c") as script:
        said, cried = script.communicate(timeout=60)
    assert (script.returncode, said.split(), cried) == (0, [b"ready", b"a", b"b", b"c"], b"")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_whatever_ends_the_program_ends_its_workers(name: str) -> None:
    with start("a", "hang", "hang", "hang") as script:
        assert script.stdout is not None
        assert script.stdout.readline() == b"ready\n"
        assert script.stdout.readline() == b"a\n"
        started = find_workers(script.pid)
        assert started
        script.send_signal(getattr(signal, name))
        _, cried = script.communicate(timeout=20)
    assert (b"KeyboardInterrupt" in cried) == (name == "SIGINT")
    assert wait_until_gone(started)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_has_workers_of_its_own(loader: windrow.Loader) -> None:
    mine = {process for _, process in loader.map(jobs.text_and_process, tasks("ab"))}
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            theirs = {process for _, process in loader.map(jobs.text_and_process, tasks("ab"))}
            os.write(write, b"yes" if theirs and not theirs & mine else b"no")
            loader.close()
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        assert answer.read() == b"yes"
    os.waitpid(child, 0)
    assert {process for _, process in loader.map(jobs.text_and_process, tasks("ab"))} <= mine


def test_readers_run_in_worker_processes_and_pages_stay_there(loader: windrow.Loader) -> None:
    pages = [Task(html=f"<title>{name}</title><p>{name}", render=False) for name in ("Pears", "Plums")]
    outcomes = list(loader.read_many([*pages, Task(html=b"%PDF-1.7", render=False)], ["title", "tables"]))
    assert [outcome.page for outcome in outcomes] == [None] * 3
    assert [outcome.results["title"].text for outcome in outcomes[:2]] == ["Pears", "Plums"]
    assert (outcomes[0].results["tables"], outcomes[2].results) == ([], {})
    assert isinstance(outcomes[2].error, windrow.errors.NotHtmlError)
    table = "<table><tr><th>Fruit<th>Price<tr><td>Pears<td>4<tr><td>Plums<td>5</table>"
    tabled = [Task(html=table, render=False)] * 2
    for keyword, count in (("plums", 1), ("hay", 0)):
        (first, _) = loader.read_many(tabled, {"tables": {"keyword": keyword}}, pages=True)
        assert len(first.results["tables"]) == count
        assert first.page is not None
    with pytest.raises(windrow.UsageError, match="no reader 'hay'"):
        loader.read_many(pages, ["hay"])


def test_a_fault_of_a_reader_leaves_the_rest_of_its_page(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("no hay")

    monkeypatch.setitem(windrow.READERS, "title", replace(windrow.READERS["title"], read=fail))
    options = windrow.Options(limits=windrow.Limits(nodes=9))
    long = Task(html=b"<meta charset=windows-1252><p>\xd0\x9f" + b"<p>row" * 20, render=False, options=options)
    with windrow.Loader(workers=1) as loader:
        (outcome,) = loader.read_many(tasks(["a"]), ["title", "text"])
        (cut,) = loader.read_many([long], ["title", "text"])
    assert outcome.error is not None
    assert (outcome.error.kind, [*outcome.results]) == ("error", ["text"])
    assert "ZeroDivisionError: no hay" in str(outcome.error)
    assert "ZeroDivisionError: no hay" in caplog.text
    assert cut.provenance is not None
    assert cut.provenance.sha256
    assert "no hay" in str(cut.error)
    assert "more than 9 nodes" in str(cut.error)
    assert cut.results["text"].text


def test_wrong_use_of_a_reader_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    with windrow.Loader(workers=1) as loader:
        (outcome,) = loader.read_many(tasks(["a"]), {"title": {"method": "nope"}, "text": {}})
        with pytest.raises(windrow.UsageError, match="no setting 'foo'"):
            loader.read_many(tasks(["a"]), {"title": {"foo": 1}})
    assert outcome.error is not None
    assert (outcome.error.kind, [*outcome.results]) == ("usage", ["text"])
    assert "no title method 'nope'" in str(outcome.error)
    assert not caplog.records


def test_closing_one_run_leaves_the_workers_of_another(loader: windrow.Loader) -> None:
    texts = ["a", "sleep 1", "sleep 1.1", "b"]
    one = loader.map(jobs.obey, tasks(["a", "hang", "hang"]))
    two = loader.map(jobs.obey, tasks(texts))
    assert (next(one), next(two)) == ("a", "a")
    one.close()
    assert list(two) == texts[1:]


def test_a_page_that_was_given_up_does_not_blame_the_system() -> None:
    pool, errors = workers.Workers(), list[windrow.WindrowError]()

    def work() -> None:
        with pytest.raises(workers.WorkerFailed) as failed:
            pool.run(jobs.obey, next(tasks(["hang"])), "run")
        errors.append(failed.value.error)

    thread = threading.Thread(target=work)
    thread.start()
    while not find_workers():
        time.sleep(0.05)
    pool.close()
    thread.join(20)
    assert isinstance(errors[0], windrow.UsageError)
    assert "the loader was closed" in str(errors[0])


def test_what_a_worker_says_before_it_is_ready_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    record = logging.LogRecord("windrow.jobs", logging.WARNING, "", 0, "early", None, None)
    messages = [("log", record), ("ready", 1), ("ready", 1), ("log", record), ("done", "hay")]
    monkeypatch.setattr(workers, "read_message", lambda *_: messages.pop(0))
    pool = workers.Workers()
    assert pool.run(jobs.obey, next(tasks(["a"])), "run") == "hay"
    assert not messages
    pool.close()


def test_a_trace_comes_back_as_text(loader: windrow.Loader, caplog: pytest.LogCaptureFixture) -> None:
    assert list(loader.map(jobs.log, tasks(["a", "b"]))) == ["a", "b"]
    assert [record.exc_text is not None for record in caplog.records] == [True, True]
    assert "ValueError: invalid literal" in caplog.text


@pytest.mark.parametrize("count", [0, -1])
def test_a_loader_without_workers_is_refused(count: int) -> None:
    with pytest.raises(windrow.UsageError, match="at least one worker"):
        windrow.Loader(workers=count)
