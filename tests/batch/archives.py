"""Archives for tests: records written by hand, whole and broken, and a batch over them."""

from __future__ import annotations

import base64
import gzip
import hashlib
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from windrow.batch.batch import Batch
from windrow.batch.inputs import find_inputs
from windrow.batch.job import Job, RecordLimits
from windrow.batch.local import LocalEngine
from windrow.batch.output import Output
from windrow.batch.watch import Watch
from windrow.batch.worker import Readers, ShardReading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from windrow.batch.assignment import Assignment
    from windrow.batch.batch import Engine
    from windrow.batch.counts import Counts
    from windrow.batch.output import Report
    from windrow.batch.progress import Progress

DATE = "2026-03-01T10:00:00Z"
PAGE = """<!doctype html><html lang="en"><head><title>{name} – Quillfold</title></head><body><h1>{name}</h1>
<table><tr><th>Sort<th>Price<tr><td>Amber<td>28.00 €<tr><td>Russet<td>31.50 €</table><p>{more}</p></body></html>"""


def page(name: str, more: str = "Trees of our own nursery, grown from grafts.") -> bytes:
    """Return a page of a nursery."""
    return PAGE.format(name=name, more=more).encode()


def http(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """Return an answer with a body."""
    given = headers or ("Content-Type: text/html; charset=utf-8",)
    return "\r\n".join([f"HTTP/1.1 {status}", *given, "", ""]).encode() + body


def digest(data: bytes) -> str:
    """Return a digest as archives write it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()


def record(
    url: str, content: bytes, *headers: str, kind: str = "response", length: int | None = None, number: str = ""
) -> bytes:
    """Return a record; ``length`` is what its header says where that is a lie."""
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:{number or hashlib.md5(url.encode(), usedforsecurity=False).hexdigest()}>",
        f"WARC-Date: {DATE}",
        f"WARC-Target-URI: {url}",
        *headers,
        f"Content-Length: {len(content) if length is None else length}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + content + b"\r\n\r\n"


def response(name: str, *headers: str, body: bytes | None = None, length: int | None = None) -> bytes:
    """Return the record of a page."""
    content = page(name) if body is None else body
    return record(
        f"https://quillfold.example/{name}",
        http(content),
        f"WARC-Payload-Digest: {digest(content)}",
        *headers,
        length=length,
    )


def pack(records: Iterable[bytes]) -> bytes:
    """Return records as gzip members, one each."""
    return b"".join(gzip.compress(each, mtime=0) for each in records)


@dataclass(frozen=True)
class Here:
    """Reads shards in this process, which takes no time to start."""

    workers: int = 1

    def run(self, assignments: Sequence[Assignment], _: Progress) -> Iterator[Report]:
        """Yield what came of each shard."""
        readers, watch = Readers(), Watch.new()
        try:
            for assignment in assignments:
                yield ShardReading(assignment, readers, watch).run()
        finally:
            readers.find(assignments[0]).close()


def run_batch(
    names: Iterable[Path | str],
    folder: Path,
    *,
    limits: RecordLimits | None = None,
    workers: int = 0,
    **settings: Any,  # noqa: ANN401
) -> Counts:
    """Run a batch, in this process or in others; every record must be counted once, and stand in the output once."""
    may_grow, base = settings.pop("may_grow", False), settings.pop("base", None)
    engine: Engine = Here()
    if workers:
        engine = LocalEngine(workers, limits or RecordLimits(), lambda _: None, threading.Event())
    job = Job(**({"readers": ("title",)} | settings))
    counts = Batch(job, find_inputs(map(str, names), base), Output(folder), engine, may_grow).run()
    check_counts(counts, folder)
    return counts


def check_counts(counts: Counts, folder: Path) -> None:
    """Hold the counts against each other and against the files."""
    assert counts.records == counts.read + sum(counts.skipped.values()) + sum(counts.failed.values())
    pages, rejects = rows(folder, "pages"), rows(folder, "rejects")
    assert (len(pages), len(rejects)) == (counts.read, counts.records - counts.read)
    places = [(row["file"], row["offset"], row["part"], row["url"]) for row in (*pages, *rejects)]
    assert len(set(places)) == len(places)


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table."""
    return [row for path in sorted((folder / table).glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files of the output but for the manifest."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}
