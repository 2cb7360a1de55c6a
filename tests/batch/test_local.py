"""Worker processes under their supervisors: poison is set aside, kills change nothing, the same command goes on."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import poison
import psutil
import pytest
from archives import contents, pack, page, response, rows, run_batch

from windrow.batch.counts import Counts
from windrow.batch.job import RecordLimits
from windrow.batch.schema import rows_to_batch
from windrow.batch.shard import Span
from windrow.batch.spool import Spool
from windrow.batch.unit import Place

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ("CRASH", "HANG", "MEMORY", "FAULT")
REASONS = {"crash": 1, "timeout": 1, "memory": 1, "fault": 1}

SHARDS_OF_A_FILE = "from windrow.batch import shard; shard.SMALLEST = 1; from windrow.cli import main; main()"


def write_archive(path: Path, count: int, poisons: tuple[str, ...] = ()) -> Path:
    """Write pages, with poison evenly between them."""
    records = [response(f"sort-{number}") for number in range(count)]
    for number, kind in enumerate(poisons):
        body = page(f"poison-{kind.lower()}", f"POISON-{kind}")
        records.insert((number + 1) * count // (len(poisons) + 1) + number, response(f"poison-{kind}", body=body))
    path.write_bytes(pack(records))
    return path


def test_poison_is_named_and_nothing_else_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    poison.install(tmp_path / "site", monkeypatch)
    path = write_archive(tmp_path / "x.warc.gz", 40, KINDS)
    counts = run_batch([path], tmp_path / "out", workers=1, limits=RecordLimits(3.0, 300 << 20))
    assert (counts.records, counts.read, dict(counts.failed)) == (44, 40, REASONS)
    named = {row["url"].rpartition("-")[2]: row["reason"] for row in rows(tmp_path / "out", "rejects")}
    assert named == {"CRASH": "crash", "HANG": "timeout", "MEMORY": "memory", "FAULT": "fault"}


@pytest.mark.parametrize("form", ["gzip", "plain", "shared"])
def test_what_ends_the_process_as_it_is_unpacked_is_named_too(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison.install(tmp_path / "site", monkeypatch)
    records = [response(f"sort-{number}") for number in range(12)]
    records[4] = response("poison-early", "X-Note: POISON-UNPACK")
    records[11] = response("poison-late", "X-Note: POISON-UNPACK")
    if form == "shared":
        records[5:7] = [records[5] + records[6]]
    path = tmp_path / "x.warc"
    path.write_bytes(b"".join(records) if form == "plain" else pack(records))
    counts = run_batch([path], tmp_path / "out", workers=1, dedup=True)
    assert (counts.records, counts.read, dict(counts.failed)) == (12, 10, {"crash": 2})
    named = [(row["url"].rpartition("/")[2], row["reason"]) for row in rows(tmp_path / "out", "rejects")]
    assert named == [("poison-early", "crash"), ("poison-late", "crash")]


def test_killed_workers_and_a_killed_driver_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = close_gate(tmp_path / "site", monkeypatch)
    path = write_archive(tmp_path / "x.warc.gz", 300, ("SLOW", "GATE"))
    command = [sys.executable, "-m", "windrow", "batch", str(path), "-o", str(tmp_path / "out"), "--read", "title"]
    driver = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
    for _ in range(2):
        worker = wait_at_gate(driver, gate)
        worker.kill()
        worker.wait(10)
    wait_at_gate(driver, gate)
    assert list((tmp_path / "out").glob("_work/pieces/*/*.piece"))
    driver.kill()
    driver.wait()
    gate.unlink()
    run_batch([path], tmp_path / "calm")
    done = subprocess.run([*command, "--json"], check=True, capture_output=True)  # noqa: S603 - as above
    assert b'"records": 302' in done.stdout
    assert contents(tmp_path / "out") == contents(tmp_path / "calm")
    assert not (tmp_path / "out/_work").exists()


def close_gate(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Return a file; while it is there, readers wait at the page that holds the gate."""
    poison.install(folder, patch)
    gate = folder / "gate"
    gate.touch()
    return gate


def wait_at_gate(driver: subprocess.Popen[bytes], gate: Path) -> psutil.Process:
    """Return the worker of a command that came to the gate; each comes once."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and driver.poll() is None:
        for arrived in gate.parent.glob("gate-*"):
            arrived.unlink()
            return psutil.Process(int(arrived.name.removeprefix("gate-")))
        time.sleep(0.02)
    pytest.fail("no worker came to the gate")


def test_ctrl_c_stops_and_the_same_command_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = close_gate(tmp_path / "site", monkeypatch)
    path = write_archive(tmp_path / "x.warc.gz", 100, ("GATE",))
    command = [sys.executable, "-m", "windrow", "batch", str(path), "-o", str(tmp_path / "out"), "--read", "title"]
    driver = subprocess.Popen(command, stderr=subprocess.PIPE)  # noqa: S603 - our own command
    worker = wait_at_gate(driver, gate)
    os.kill(driver.pid, signal.SIGINT)
    said = driver.communicate(timeout=30)[1]
    assert driver.returncode == 130
    assert b"goes on" in said
    assert not worker.is_running()
    gate.unlink()
    assert run_batch([path], tmp_path / "out").read == 101


def test_a_full_disk_is_told_once_and_the_same_command_goes_on(tmp_path: Path) -> None:
    names = [write_archive(tmp_path / f"{number}.warc.gz", 100, ()) for number in range(3)]
    words = [*map(str, names), "-o", str(tmp_path / "out"), "--read", "text"]
    command = [sys.executable, "-c", SHARDS_OF_A_FILE, "batch", *words]

    def small_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000))

    done = subprocess.run(command, preexec_fn=small_disk, capture_output=True, text=True, check=False)  # noqa: S603 - ours, no threads
    assert (done.returncode, done.stderr.count("could not be written")) == (3, 1), done.stderr
    assert len(list((tmp_path / "out").glob("_work/done/*.json"))) == 0
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)  # noqa: S603 - as above
    assert '"read": 300' in done.stdout


def test_two_at_a_time_are_refused(tmp_path: Path) -> None:
    from windrow.batch.output import Output  # noqa: PLC0415 - here only
    from windrow.errors import BusyError  # noqa: PLC0415 - here only

    path = write_archive(tmp_path / "x.warc.gz", 1)
    with Output(tmp_path / "out").locked(), pytest.raises(BusyError, match="Another process"):
        run_batch([path], tmp_path / "out")


def test_pieces_chain_up_to_where_one_is_missing(tmp_path: Path) -> None:
    spool = Spool(tmp_path, ("rejects",))
    spans = [Span(0, 9)]
    for number in range(3):
        spool.add({}, Counts(records=1), Place(0, number + 1), spans)
    (tmp_path / spool.pieces[1].path.name).unlink()
    again = Spool(tmp_path, ("rejects",))
    assert (again.next, again.counts.records) == (Place(0, 1), 1)
    again.add({}, Counts(records=5), None, spans)
    assert (again.next, again.counts.records, again.spans()) == (None, 6, spans)


def test_text_that_utf8_has_no_form_for_is_replaced() -> None:
    batch = rows_to_batch("text", [("f", 0, 0, "u", "half \ud800 pair")])
    assert batch.to_pylist()[0]["text"] == "half ? pair"


def test_a_worker_imports_what_its_job_reads() -> None:
    code = "import sys, windrow.batch.worker; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()  # noqa: S603 - ours
    assert {"windrow.region", "windrow.table", "windrow.toplist", "urllib3", "pandas"}.isdisjoint(loaded)
    assert "windrow.title" in loaded
