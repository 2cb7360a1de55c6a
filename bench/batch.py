"""What a batch costs beside the work itself, and beside other tools, over an archive made of real pages.

    python bench/batch.py [--records 20000] [--rounds 3] [--compared 500] [--parts readers,reading,start,engine,memory]
    python bench/batch.py --parts spark --records 40000    # local[2], and a standalone cluster of two workers

Processor time counts, not the clock, but for the two workers; rounds are interleaved, and the best of each counts. The
pure loop is fastwarc, ``windrow.parse`` and the reader in one process, without any output.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tempfile
import threading
import time
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import psutil
from cluster import running_cluster, spark_environment
from data import titled_pages, verdict
from fastwarc.stream_io import GzipWriter
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

import windrow
from windrow.batch.batch import Batch
from windrow.batch.inputs import find_inputs
from windrow.batch.job import Job, RecordLimits
from windrow.batch.local import LocalEngine
from windrow.batch.output import Output
from windrow.batch.warc import open_archive

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windrow.batch.progress import Progress

WINDROW = (sys.executable, "-m", "windrow")
MOST_CPU, LEAST_SPEED, MOST_READY, MOST_READING = 1.15, 1.8, 1.0, 1.2
LEAST_TITLE, LEAST_TABLES, MOST_GROWTH = 8.0, 1.0, 1.2
MOST_SPARK_PYTHON, MOST_SPARK, MOST_CLUSTER = 1.15, 1.4, 1.1
PARTS = ("readers", "reading", "start", "engine", "memory")
"""What is measured where nothing else is asked for; Spark takes as long as all of it."""
FILES = 4
PURE = """
import sys, windrow
from fastwarc.warc import ArchiveIterator, WarcRecordType
for name in sys.argv[1:]:
    for record in ArchiveIterator(name, record_types=WarcRecordType.response):
        url = record.headers.get("WARC-Target-URI")
        windrow.parse(record.reader.read(), url=url, content_type=record.http_headers.get("Content-Type")).title()
"""


def write_archives(folder: Path, count: int) -> list[Path]:
    """Write real pages, again and again, into a few archives."""
    pages = [(page.url, page.html) for page in titled_pages()]
    paths = [folder / f"{number}.warc.gz" for number in range(FILES)]
    chosen = list(islice(cycle(pages), count))
    for number, path in enumerate(paths):
        with path.open("wb") as file:
            writer = GzipWriter(file)
            for url, html in chosen[number::FILES]:
                record = WarcRecord()
                record.init_headers(record_type=WarcRecordType.response)
                record.headers["WARC-Target-URI"] = url
                record.headers["WARC-Date"] = "2026-01-01T00:00:00Z"
                record.headers["Content-Type"] = "application/http; msgtype=response"
                head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(html)}\r\n\r\n"
                record.set_bytes_content(head.encode() + html)
                record.write(writer, checksum_data=True)
                writer.finish()
    return paths


def cost(command: Sequence[str | Path]) -> tuple[float, float]:
    """Return the processor time of a command with all its children, and how long it took."""
    began = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)  # noqa: S603 - ours
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[:4]} ended with {process.returncode}.")
    return used.ru_utime + used.ru_stime, time.monotonic() - began


def side_by_side(*programs: Sequence[str]) -> float:
    """Return how long Python programs take that run at the same time."""
    began = time.monotonic()
    started = [subprocess.Popen([sys.executable, *program]) for program in programs]  # noqa: S603 - ours
    if any(process.wait() for process in started):
        sys.exit("A loop over half of the archives failed.")
    return time.monotonic() - began


def tree_cost(
    command: Sequence[str | Path], environment: dict[str, str], machines: Sequence[psutil.Process] = ()
) -> dict[str, float]:
    """Return the processor time of a command and of everything below, Java apart from Python.

    What machines beside it used for their own start, before the command began, is left out.
    """
    before = sum(sum(machine.cpu_times()[:2]) for machine in machines)
    process = psutil.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, env=environment)
    seen: dict[int, tuple[str, float]] = {}
    while process.poll() is None:
        for root in (process, *machines):
            for each in [root, *root.children(recursive=True)]:
                try:
                    used = each.cpu_times()
                    seen[each.pid] = ("java" if "java" in each.name() else "python", used.user + used.system)
                except psutil.Error:
                    continue
        time.sleep(0.1)
    if process.returncode:
        sys.exit(f"Spark ended with {process.returncode}.")
    total = {kind: sum(used for name, used in seen.values() if name == kind) for kind in ("java", "python")}
    return total | {"java": total["java"] - before}


def read_quickly(paths: Sequence[Path]) -> int:
    """Read everything by fastwarc alone."""
    return sum(len(record.reader.read()) for path in paths for record in ArchiveIterator(str(path), parse_http=False))


def read_surely(paths: Sequence[Path]) -> int:
    """Read everything as a batch does."""
    found = 0
    for path in paths:
        with open_archive(path) as archive:
            assert archive is not None  # noqa: S101 - written above
            found += sum(len(unit.content or b"") for unit in archive.read(0, archive.size, lambda _, length: length))
    return found


def best(rounds: int, *works: Callable[[], object]) -> list[float]:
    """Return the least processor time of each work, in interleaved rounds."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for place, work in zip(times, works, strict=True):
            began = time.process_time()
            work()
            place.append(time.process_time() - began)
    return [min(each) for each in times]


def measure_engine(paths: Sequence[Path], folder: Path, rounds: int, records: int) -> None:
    """Print what the embedded engine costs beside the pure loop, and what a second worker brings."""
    costs: dict[str, list[tuple[float, float]]] = {"pure": [], "one": [], "two": []}
    halves: list[float] = []
    for number in range(rounds):
        costs["pure"].append(cost([sys.executable, "-c", PURE, *paths]))
        halves.append(side_by_side(*(["-c", PURE, *map(str, paths[half::2])] for half in range(2))))
        for name, workers in (("one", "1"), ("two", "2")):
            out = folder / f"{name}{number}"
            costs[name].append(cost([*WINDROW, "batch", *paths, "-o", out, "--read", "title", "--workers", workers]))
    pure, one = (min(cpu for cpu, _ in costs[name]) for name in ("pure", "one"))
    verdict("CPU of a batch ÷ the pure loop", one / pure, MOST_CPU, most=True)
    print(f"  {1000 * pure / records:.2f} ms a record in the pure loop, {1000 * one / records:.2f} ms in a batch")
    speed = min(wall for _, wall in costs["one"]) / min(wall for _, wall in costs["two"])
    verdict("one worker's time ÷ two workers'", speed, LEAST_SPEED)
    print(f"  {min(wall for _, wall in costs['pure']) / min(halves):.2f} for two pure loops over half of it each")


def measure_start(folder: Path) -> None:
    """Print what it costs until a record is read."""
    (folder / "start").mkdir()
    path = write_archives(folder / "start", FILES)[0]
    ready = min(cost([*WINDROW, "batch", path, "-o", folder / f"ready{n}", "--read", "title"])[0] for n in range(3))
    verdict("CPU seconds of a batch of one record, in all", ready, MOST_READY, most=True)


def measure_memory(paths: Sequence[Path], folder: Path, records: int) -> None:
    """Print how the memory of a worker grows from a tenth of the records to all of them."""
    seen: list[tuple[int, int]] = []

    def watch(progress: Progress) -> None:
        children = psutil.Process().children()
        if children and progress.records:
            seen.append((progress.records, max(child.memory_info().rss for child in children)))

    engine = LocalEngine(1, RecordLimits(), watch, threading.Event())
    Batch(Job(readers=("title",)), find_inputs(map(str, paths)), Output(folder / "memory"), engine).run()
    tenth = records / 10
    early, late = (median(rss for count, rss in seen if last - tenth < count <= last) for last in (tenth, records))
    verdict(f"memory of a worker after {records:,} pages ÷ after a tenth of them", late / early, MOST_GROWTH, most=True)
    most = max(rss for _, rss in seen)
    print(f"  {early / 1e6:.0f} MB, then {late / 1e6:.0f} MB; {most / 1e6:.0f} MB at most, over a large page")


def measure_others(compared: int, rounds: int) -> None:
    """Print how our readers fare beside other tools on the same pages."""
    import pandas as pd  # noqa: PLC0415 - only here
    from trafilatura import extract_metadata  # noqa: PLC0415 - only here

    pages = [(page.url, page.html) for page in titled_pages(compared)]

    def read_html() -> None:
        for _, html in pages:
            try:
                pd.read_html(io.StringIO(html.decode("utf-8", "replace")))
            except (ValueError, ImportError, UnicodeError, IndexError):  # an empty heading ends pandas
                continue

    title, metadata, tables, frames = best(
        rounds,
        lambda: [windrow.parse(html, url=url).title() for url, html in pages],
        lambda: [extract_metadata(html.decode("utf-8", "replace"), default_url=url) for url, html in pages],
        lambda: [windrow.parse(html, url=url).tables() for url, html in pages],
        read_html,
    )
    verdict("trafilatura's metadata ÷ title", metadata / title, LEAST_TITLE)
    verdict("pandas.read_html ÷ tables", frames / tables, LEAST_TABLES)


def measure_spark(paths: Sequence[Path], folder: Path) -> None:
    """Print what Spark costs beside the pure loop, on one machine and on a cluster of two."""
    pure, _ = cost([sys.executable, "-c", PURE, *paths])
    environment = spark_environment()

    def words(name: str, inputs: Sequence[Path], master: str) -> list[str | Path]:
        job = ("--read", "title", "--engine", "spark", "--master", master)
        return [*WINDROW, "batch", *inputs, "-o", folder / name, *job]

    (folder / "spark-start").mkdir()
    few = write_archives(folder / "spark-start", FILES)
    start = tree_cost(words("spark-ready", few, "local[2]"), environment)
    used = tree_cost(words("spark", paths, "local[2]"), environment)
    verdict("CPU of Python under Spark local[2] ÷ the pure loop", used["python"] / pure, MOST_SPARK_PYTHON, most=True)
    verdict("CPU in all, with the JVM, ÷ the pure loop", sum(used.values()) / pure, MOST_SPARK, most=True)
    print(f"  {start['python']:.1f} s of Python and {start['java']:.1f} s of Java are the start, whatever is read")
    rest = {kind: used[kind] - start[kind] for kind in used}
    print(f"  {rest['python'] / pure:.2f} in Python and {sum(rest.values()) / pure:.2f} in all without the start")
    with running_cluster(folder / "cluster", environment) as cluster:
        wide = tree_cost(words("spark-wide", paths, cluster.url), environment, cluster.machines)
    ratio = sum(wide.values()) / sum(used.values())
    verdict("CPU of a cluster of two workers ÷ local[2]", ratio, MOST_CLUSTER, most=True)
    print(f"  {wide['python']:.1f} s of Python and {wide['java']:.1f} s of Java")


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--compared", type=int, default=500)
    parser.add_argument("--parts", default=",".join(PARTS), help=f"of {', '.join((*PARTS, 'spark'))}")
    chosen = parser.parse_args()
    parts = chosen.parts.split(",")
    if "readers" in parts:
        measure_others(chosen.compared, chosen.rounds)
    with tempfile.TemporaryDirectory(prefix="windrow-bench-") as name:
        folder = Path(name)
        if "start" in parts:
            measure_start(folder)
        paths = write_archives(folder, chosen.records)
        if "reading" in parts:
            quick, sure = best(chosen.rounds, lambda: read_quickly(paths), lambda: read_surely(paths))
            verdict("reading ÷ fastwarc's own loop", sure / quick, MOST_READING, most=True)
        if "engine" in parts:
            measure_engine(paths, folder, chosen.rounds, chosen.records)
        if "memory" in parts:
            measure_memory(paths, folder, chosen.records)
        if "spark" in parts:
            measure_spark(paths, folder)


if __name__ == "__main__":
    main()
