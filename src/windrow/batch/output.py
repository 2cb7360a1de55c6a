"""The folder that a batch writes: tables as Parquet files, one a shard, and the manifest of what is done.

A file takes its place when it is complete, and the mark of its shard when all its files have theirs. A shard without a
mark is read again, into files of the same names and the same bytes; so every record is in the output once.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windrow.atomic import NewFile, Sink, written
from windrow.batch.counts import Counts
from windrow.batch.schema import VERSION, schema_of
from windrow.batch.shard import Span
from windrow.batch.spool import in_groups
from windrow.errors import BusyError, SourceError, UsageError
from windrow.extras import library

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from windrow.batch.job import Job
    from windrow.batch.shard import Shard
    from windrow.batch.spool import Spool

WORK = "_work"
"""What is of no use once the job is done; tools that read folders of Parquet pass over such names."""
LOCK = ".windrow-lock"
UNFINISHED = ".windrow-*"
"""The names of files that have not taken their places, and of the lock."""
INTERNAL = ("revisits", "survey")
ROWS_PER_GROUP = {"pages": 20_000, "rejects": 50_000, "title": 50_000}
OTHER_ROWS_PER_GROUP = 2_000
"""Results with all their cells are long rows."""


@dataclass(frozen=True)
class Report:
    """What came of a shard."""

    shard: str
    counts: Counts
    files: dict[str, dict[str, int]]
    """Rows and bytes of each table's file."""
    spans: list[Span | None]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for the mark and the manifest."""
        spans = [None if span is None else [span.first, span.reached] for span in self.spans]
        return {"shard": self.shard, "counts": self.counts.to_dict(), "files": self.files, "spans": spans}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Report:
        """Return what ``to_dict`` described."""
        spans = [None if span is None else Span(*span) for span in plain["spans"]]
        return cls(plain["shard"], Counts.from_dict(plain["counts"]), plain["files"], spans)


@dataclass(frozen=True)
class Output:
    """One folder of output."""

    folder: Path

    @property
    def work(self) -> Path:
        """The folder for what is not done yet."""
        return self.folder / WORK

    def prepare(self, job: Job) -> None:
        """Make the folders, and remove what a process left in them that was killed as it wrote."""
        try:
            for table in job.tables:
                (self.folder / table).mkdir(parents=True, exist_ok=True)
            for torn in (*self.folder.glob(UNFINISHED), *self.folder.glob(f"*/{UNFINISHED}")):
                if torn.name != LOCK:
                    torn.unlink(missing_ok=True)
            for name in ("done", *INTERNAL):
                (self.work / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._unmade(error) from None

    def _unmade(self, error: OSError) -> SourceError:
        return SourceError(f"{self.folder} can't be written to: {error.strerror}. Choose another place.")

    def path(self, table: str, shard: str) -> Path:
        """Return where the rows of a shard's table stand."""
        return (self.work if table in INTERNAL else self.folder) / table / f"{shard}.parquet"

    def write(self, shard: Shard, tables: tuple[str, ...], spool: Spool) -> Report:
        """Write the files of a shard and its mark."""
        files = {table: self._write_table(table, shard.name, spool) for table in tables}
        report = Report(shard.name, spool.counts, files, spool.spans())
        self.write_json(self.work / "done" / f"{shard.name}.json", report.to_dict())
        return report

    def _write_table(self, table: str, shard: str, spool: Spool) -> dict[str, int]:
        parquet = library("pyarrow.parquet")
        rows, path = 0, self.path(table, shard)
        count = ROWS_PER_GROUP.get(table, OTHER_ROWS_PER_GROUP)
        with NewFile(path) as file:
            with parquet.ParquetWriter(Sink(file), schema_of(table), compression="zstd") as writer:
                for group in in_groups(spool.batches(table), table, count):
                    writer.write_table(group, row_group_size=count)
                    rows += group.num_rows
            file.finish()
        return {"rows": rows, "bytes": path.stat().st_size}

    def reports(self) -> dict[str, Report]:
        """Return what came of the shards that are done."""
        marks = sorted((self.work / "done").glob("*.json")) if self.work.is_dir() else []
        return {mark.stem: Report.from_dict(json.loads(mark.read_bytes())) for mark in marks}

    def report(self, shard: str) -> Report | None:
        """Return what came of one shard; None where it is not done."""
        mark = self.work / "done" / f"{shard}.json"
        return Report.from_dict(json.loads(mark.read_bytes())) if mark.exists() else None

    def forget(self, shard: str) -> None:
        """Take the mark of a shard away, which is to be read again."""
        (self.work / "done" / f"{shard}.json").unlink(missing_ok=True)
        shutil.rmtree(self.spool_folder(shard), ignore_errors=True)

    def spool_folder(self, shard: str) -> Path:
        """Return where the pieces of a shard stand."""
        return self.work / "pieces" / shard

    def read_manifest(self) -> dict[str, Any] | None:
        """Return the manifest; None where there is none yet."""
        try:
            plain: dict[str, Any] = json.loads((self.folder / "manifest.json").read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise UsageError(f"The manifest in {self.folder} can't be read: {error}. Choose another folder.") from None
        if plain.get("format") != "windrow-batch" or plain.get("schema") != VERSION:
            raise UsageError(
                f"{self.folder} holds a batch of another version (schema {plain.get('schema')}, this Windrow writes "
                f"{VERSION}). Choose another folder."
            )
        return plain

    def write_manifest(self, plain: dict[str, Any]) -> None:
        """Write the manifest anew."""
        self.write_json(self.folder / "manifest.json", {"format": "windrow-batch", "schema": VERSION, **plain})

    def write_json(self, path: Path, plain: dict[str, Any]) -> None:
        """Write a file as a whole or not at all."""
        with written(path) as file:
            file.write(json.dumps(plain, ensure_ascii=False, indent=1).encode() + b"\n")

    def clear(self) -> None:
        """Remove what is of no use any more."""
        shutil.rmtree(self.work, ignore_errors=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep the folder for this process alone."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise self._unmade(error) from None
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BusyError(f"Another process writes into {self.folder}. Wait for it, or choose another.") from None
            yield
        finally:
            os.close(handle)
