"""The engine on a cluster: a shard a task, read by the same supervised process as on one machine.

Page bodies never go through Spark. A task that is tried again, or run twice at a time, writes files of the same names
and the same bytes, so the output has every record once. A record that would end the process is set aside before Spark
sees anything of it; what Spark counts as a failure is a machine that is gone.
"""

from __future__ import annotations

import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from windrow.batch.imports import pandas_hidden
from windrow.batch.inputs import find_inputs
from windrow.batch.job import Job, RecordLimits
from windrow.batch.output import Output
from windrow.batch.shard import Shard, plan_shards
from windrow.batch.supervisor import Stopped, Supervisor
from windrow.errors import UsageError
from windrow.extras import library

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from windrow.batch.assignment import Assignment
    from windrow.batch.output import Report
    from windrow.batch.progress import Progress

RECORD = (
    "file string, offset long, part int, url string, time timestamp, status int, content_type string, "
    "digest string, body binary"
)
"""The columns of ``read_warc``."""
MARK_SECONDS = 1.0
"""How often the marks of shards are looked for, which stand on a disk that all machines share."""

QUICK = ("spark.driver.defaultJavaOptions", "-XX:TieredStopAtLevel=1")
"""Java only hands tasks out, so thorough compiling is not paid back; ``extraJavaOptions`` of others count more."""


@dataclass(frozen=True)
class SparkEngine:
    """Reads shards as tasks of Spark."""

    context: Any
    limits: RecordLimits
    watch: Callable[[Progress], None]
    stop: threading.Event

    @property
    def workers(self) -> int:
        """How many tasks run at a time."""
        return int(self.context.defaultParallelism)

    def run(self, assignments: Sequence[Assignment], progress: Progress) -> Iterator[Report]:
        """Yield what came of each shard, when all are done; ``Stopped`` where somebody asked to stop."""
        context, limits = self.context, self.limits

        def work(assignment: Assignment) -> Report:
            return run_in_task(assignment, limits)

        tasks = context.parallelize(list(assignments), len(assignments)).map(work)
        group = f"windrow-{uuid4()}"  # others may work in the same session

        def collect() -> list[Report]:
            context.setJobGroup(group, "windrow batch")
            found: list[Report] = tasks.collect()
            return found

        with ThreadPoolExecutor(1, "windrow-spark") as thread:
            job = thread.submit(collect)
            waiting = list(assignments)
            while not wait([job], MARK_SECONDS).done:
                if self.stop.is_set():
                    while not wait([job], MARK_SECONDS).done:
                        context.cancelJobGroup(group)  # which does nothing to a job that has not come there yet
                    raise Stopped
                progress, waiting = _look(progress, waiting)
                self.watch(progress)
            yield from job.result()


def _look(progress: Progress, waiting: Sequence[Assignment]) -> tuple[Progress, list[Assignment]]:
    """Return how far a batch is by the marks of its shards, and the shards that have none yet."""
    left = []
    for each in waiting:
        if (report := Output(each.folder).report(each.shard.name)) is None:
            left.append(each)
        else:
            progress = progress.plus(each.shard.size, report.counts.records, report.counts.rejects)
    return progress, left


def run_in_task(assignment: Assignment, limits: RecordLimits) -> Report:
    """Read a shard in a process of its own, within a task; its pieces are this attempt's alone."""
    folder = Path(tempfile.mkdtemp(prefix="windrow-"))
    try:
        return _supervisor(limits).run(replace(assignment, spool=folder / "pieces"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def _supervisor(limits: RecordLimits) -> Supervisor:
    """Return the supervisor of this process of Spark's, kept from task to task; what it watches ends with it."""
    return Supervisor(limits)


def spark_context(master: str | None = None) -> Any:  # noqa: ANN401 - a library that may not be there
    """Return the context that is running, or a new one; a session for SQL, which takes a while, is not needed."""
    pyspark = library("pyspark")
    settings = pyspark.SparkConf().setAppName("windrow batch")
    if master:
        settings.setMaster(master)
    if master == "local" or (master or "").startswith("local["):
        settings.setIfMissing(*QUICK)  # a cluster has options of its own, which these would displace
    with pandas_hidden():
        return pyspark.SparkContext.getOrCreate(settings)


def read_warc(spark: Any, *inputs: str, base: str | None = None) -> Any:  # noqa: ANN401 - a library that may not be there
    """Return the web pages of archives as a data frame, one row a response with HTML, for jobs of your own.

    ``inputs`` are what ``windrow batch`` takes; ``base`` is what the paths in manifests and indexes start from. The
    body is as a reader of the page gets it, with the codings undone; ``windrow.parse`` takes it with ``content_type``.
    """
    found = find_inputs(inputs, base)
    if (saved := next((each.file for each in found if each.kind == "saved"), None)) is not None:
        raise UsageError(f"{saved} is no archive. read_warc reads archives; windrow.load reads a saved page.")
    shards = plan_shards(found, int(spark.sparkContext.defaultParallelism))
    plain = [(shard.to_dict(),) for shard in shards]
    rows = spark.sparkContext.parallelize(plain, max(1, len(plain))).flatMap(_pages_of)
    return spark.createDataFrame(rows, RECORD)


def _pages_of(row: tuple[dict[str, Any]]) -> Iterable[tuple[Any, ...]]:
    from windrow.batch.contents import read_pages  # noqa: PLC0415 - in the task

    return read_pages(Shard.from_dict(row[0]), Job(readers=("title",)))
