"""The program of a worker process: it reads whole shards and writes their files; its supervisor only watches."""

from __future__ import annotations

import os
import queue
import shutil
import sys
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windrow.batch.counts import Counts
from windrow.batch.elsewhere import brought
from windrow.batch.imports import pandas_hidden
from windrow.batch.output import Output
from windrow.batch.reading import RecordReader
from windrow.batch.record import Origin, Reading
from windrow.batch.resources import open_resources
from windrow.batch.spool import Spool
from windrow.batch.survey import SurveyReader
from windrow.batch.unit import Place, Unit
from windrow.batch.walk import Walk
from windrow.batch.watch import Watch
from windrow.extras import library
from windrow.loader.outcome import to_fault
from windrow.process.channel import ChannelClosed, read_message, write_message
from windrow.process.memory import give_back_large_blocks
from windrow.process.program import take_pipes

if TYPE_CHECKING:
    from pathlib import Path

    from windrow.batch.assignment import Assignment
    from windrow.batch.job import Job
    from windrow.batch.output import Report
    from windrow.batch.schema import Row
    from windrow.batch.shard import Range

PIECE_SECONDS, PIECE_RECORDS, PIECE_CELLS = 1.0, 5_000, 200_000
"""How much may be read again when the process ends: what takes so long, so many records, or so many values."""


def main() -> None:
    """Serve until the program that started this process closes the pipe, or ends in whatever way."""
    give_back_large_blocks()
    tasks_in, out = take_pipes()
    watch = Watch(int(sys.argv[3]))
    waiting: queue.SimpleQueue[Assignment] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(tasks_in, waiting), daemon=True).start()
    with pandas_hidden():
        library("pyarrow.parquet")  # takes a while, which is no record's time
        write_message(out, ("ready", os.getpid()))
        _serve(waiting, out, watch)


def _serve(waiting: queue.SimpleQueue[Assignment], out: int, watch: Watch) -> None:
    readers = Readers()
    while True:
        assignment = waiting.get()
        try:
            answer: tuple[str, Any] = ("done", ShardReading(assignment, readers, watch).run())
        except Exception as error:  # noqa: BLE001 - raised again in the program that wants the result
            answer = ("failed", to_fault(error))
        watch.clear()  # the report counts from now on
        write_message(out, answer)


def _receive(pipe: int, waiting: queue.SimpleQueue[Any]) -> None:
    """Take tasks in while another is worked on, so that the end of the program is noticed at once."""
    while True:
        try:
            waiting.put(read_message(pipe))
        except ChannelClosed:
            os._exit(0)


class Readers:
    """The reader of the job at hand, kept from shard to shard."""

    def __init__(self) -> None:
        """Load nothing yet."""
        self._for: tuple[Job, Path | None] | None = None
        self._reader: RecordReader | None = None

    def find(self, assignment: Assignment) -> RecordReader:
        """Return the reader of an assignment's job."""
        wanted = (assignment.job, assignment.resources)  # which are not known yet where an archive is looked through
        if self._reader is None or self._for != wanted:
            if self._reader is not None:
                self._reader.close()
            self._for = wanted
            self._reader = RecordReader(assignment.job, open_resources(assignment.resources))
        return self._reader


@dataclass(frozen=True)
class Unpacking:
    """Lets the supervisor know which record is being unpacked, and passes over those that ended a process so."""

    watch: Watch
    closed: frozenset[Place]

    def begin(self, place: Place) -> bool:
        """Say which record comes next; whether it may be unpacked."""
        if place in self.closed:
            return False
        self.watch.unpack(place)
        return True

    def rest(self) -> None:
        """Say that none is being unpacked."""
        self.watch.rest()


class ShardReading:
    """One shard on its way from records to files."""

    def __init__(self, assignment: Assignment, readers: Readers, watch: Watch) -> None:
        """Go on behind what is read already."""
        self._assignment = assignment
        self._reader = readers.find(assignment)
        is_survey = assignment.task == "survey"
        self._survey = SurveyReader(assignment.job, self._reader.selection) if is_survey else None
        self._watch = watch
        self._tables = ("survey",) if self._survey else (*assignment.job.tables, "revisits")
        self._spool = Spool(assignment.spool, self._tables)
        self._walk = Walk(assignment.shard, self._reader.selection.asks_for, Unpacking(watch, assignment.closed))
        self._rows: dict[str, list[Row]] = defaultdict(list)
        self._counts = Counts()
        self._since = time.monotonic()
        self._cells = 0

    def run(self) -> Report:
        """Read what is left of the shard, and write its files."""
        assignment, counts = self._assignment, self._counts
        start, ranges = self._spool.next, assignment.shard.ranges
        before = self._spool.counts
        behind = [0]
        for each in ranges:
            behind.append(behind[-1] + each.size)
        if start is not None:
            for place, unit in self._walk.units(start):
                self._watch.rest()
                if self._is_due(place):
                    self._write_piece(place)
                    before, counts = self._spool.counts, self._counts
                done = behind[place.range] + max(0, place.offset - ranges[place.range].start)
                records = before.records + counts.records
                self._watch.begin(place, records, records - before.read - counts.read, done)
                self._take(self._read(place, unit))
                self._watch.rest()
            self._write_piece(None)
        report = Output(assignment.folder).write(assignment.shard, self._tables, self._spool)
        shutil.rmtree(assignment.spool, ignore_errors=True)
        return report

    def _read(self, place: Place, unit: Unit) -> Reading:
        assignment, each = self._assignment, self._assignment.shard.ranges[place.range]
        if self._survey is not None:
            is_passed = each.kind == "saved" or place in assignment.aside
            return Reading({}) if is_passed else self._survey.read(place, each.file, unit)
        is_revisit = each.kind == "revisit"
        origin = revisit_origin(assignment.revisits[place.range], each) if is_revisit else Origin(each.file, unit)
        if place in assignment.aside:
            return origin.reject(*assignment.aside[place], is_html=place not in assignment.closed)
        if place in assignment.duplicates:
            return origin.reject("duplicate", is_html=True)
        try:
            return self._read_origin(origin, each, unit)
        except Exception as fault:  # noqa: BLE001 - one record's fault, which stops no other
            what = " ".join(f"{type(fault).__name__}: {fault}".split())
            return origin.reject("memory" if isinstance(fault, MemoryError) else "fault", what, is_html=True)

    def _read_origin(self, origin: Origin, each: Range, unit: Unit) -> Reading:
        if each.kind == "saved":
            with brought(each.file) as path:
                return self._reader.read_saved(origin, path)
        return self._read_revisit(origin, unit) if each.kind == "revisit" else self._reader.read(origin)

    def _read_revisit(self, origin: Origin, unit: Unit) -> Reading:
        if unit.reason:
            return origin.reject(unit.reason, unit.detail or "Its original is not in the input.")
        return self._reader.read_response(origin, unit)

    def _take(self, reading: Reading) -> None:
        reading.count(self._counts)
        for table, rows in reading.rows.items():
            self._rows[table] += rows
            self._cells += sum(len(entry) for row in rows for entry in row if isinstance(entry, list))

    def _is_due(self, place: Place) -> bool:
        """Whether what was read is written down before the next record is begun."""
        return (
            place == self._assignment.suspect
            or time.monotonic() - self._since > PIECE_SECONDS
            or self._counts.records >= PIECE_RECORDS
            or self._cells >= PIECE_CELLS
        )

    def _write_piece(self, following: Place | None) -> None:
        if following is not None and not (self._rows or self._counts.records):
            return
        self._spool.add(self._rows, self._counts, following, self._walk.spans)
        self._rows = defaultdict(list)
        self._counts = Counts()
        self._since = time.monotonic()
        self._cells = 0


def revisit_origin(row: Row, original: Range) -> Origin:
    """Return a revisit as the record that its page is from; what it holds stands elsewhere."""
    own, place, part, url, record_id, date, digest, *_ = row
    names = (b"WARC-Type", b"WARC-Target-URI", b"WARC-Record-ID", b"WARC-Date", b"WARC-Payload-Digest")
    texts = ("revisit", url, record_id, date, digest)
    headers = tuple((name, text.encode()) for name, text in zip(names, texts, strict=True))
    return Origin(own, Unit(place, headers, None, part), (original.file, original.start) if original.file else None)
