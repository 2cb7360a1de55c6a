"""What the driver does while Spark works: it tells how far the batch is, and ends when it is asked to."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from archives import Here, pack, page, response

from windrow.batch import read_warc
from windrow.batch.assignment import Assignment
from windrow.batch.inputs import find_inputs
from windrow.batch.job import Job, RecordLimits
from windrow.batch.output import Output
from windrow.batch.progress import Progress
from windrow.batch.shard import plan_shards
from windrow.batch.spark import SparkEngine
from windrow.batch.supervisor import Stopped
from windrow.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class StuckSpark:
    """A session whose only job ends when it is cancelled."""

    group: str = ""
    cancelled: threading.Event = field(default_factory=threading.Event)

    @property
    def sparkContext(self) -> StuckSpark:  # noqa: N802 - as Spark calls it
        return self

    def parallelize(self, *_: object) -> StuckSpark:
        return self

    def map(self, _: object) -> StuckSpark:
        return self

    def collect(self) -> list[Any]:
        assert self.cancelled.wait(20)
        return []

    def setJobGroup(self, group: str, _: str) -> None:  # noqa: N802 - as Spark calls it
        self.group = group

    def cancelJobGroup(self, group: str) -> None:  # noqa: N802 - as Spark calls it
        if group == self.group:  # jobs of others go on
            self.cancelled.set()


def test_progress_is_told_and_a_stop_cancels_the_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("windrow.batch.spark.MARK_SECONDS", 0.01)
    (tmp_path / "x.warc.gz").write_bytes(pack([response("amber"), response("russet")]))
    job, output, stop = Job(readers=("title",)), Output(tmp_path / "out"), threading.Event()
    (shard,) = plan_shards(find_inputs([str(tmp_path / "x.warc.gz")]), workers=1)
    output.prepare(job)
    assignment = Assignment(job, shard, output.folder, output.spool_folder(shard.name))
    list(Here().run([assignment], Progress(shard.size)))  # as an executor would
    told: list[Progress] = []

    def watch(progress: Progress) -> None:
        told.append(progress)
        stop.set()

    spark = StuckSpark()
    with pytest.raises(Stopped):
        list(SparkEngine(spark.sparkContext, RecordLimits(), watch, stop).run([assignment], Progress(shard.size)))
    assert spark.cancelled.is_set()
    assert told == [Progress(shard.size, done=shard.size, records=2)]


def test_a_data_frame_has_no_saved_pages(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_bytes(page("amber"))
    with pytest.raises(UsageError, match=r"x\.html is no archive"):
        read_warc(StuckSpark(), str(tmp_path))
