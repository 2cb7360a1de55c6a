"""Revisits: records that say "as before", and the records that they mean, wherever in the input those stand."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from windrow.batch.shard import MOST_RANGES, Range, Shard
from windrow.extras import library

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from windrow.batch.job import Job
    from windrow.batch.output import Output
    from windrow.batch.schema import Row

WANTED = ("file", "offset", "part", "url", "record_id", "time", "digest")


class Reference(NamedTuple):
    """What a revisit says of the record that it means."""

    url: str
    """Its own address."""
    digest: str
    id: str
    refers_to_url: str
    date: str


@dataclass(frozen=True)
class Revisit:
    """A revisit and the record that it means."""

    row: Row
    original: Row | None
    """Where that record is; None where it is not in the input."""
    is_copy: bool = False
    """Whether its page is read elsewhere, and once is enough."""


class Originals:
    """The records that some revisits may mean, by what a revisit can name them by; the first that is added counts."""

    def __init__(self, references: Iterable[Reference]) -> None:
        """Take what the revisits say, so that no other record is kept."""
        wanted = list(references)
        self._digests = {each.digest for each in wanted}
        self._ids = {_bare(each.id) for each in wanted}
        self._urls = {each.refers_to_url for each in wanted}
        self._by_id: dict[str, Row] = {}
        self._by_capture: dict[tuple[str, datetime], Row] = {}
        self._by_page: dict[tuple[str, str], Row] = {}
        self._by_digest: dict[str, Row] = {}

    def add(self, row: dict[str, Any]) -> bool:
        """Keep a record that may be meant; whether it may."""
        digest, record_id, url = row["digest"], _bare(row["record_id"]), row["url"]
        if not (digest in self._digests or record_id in self._ids or url in self._urls):
            return False
        place = place_of(row)
        self._by_id.setdefault(record_id, place)
        if row["time"] is not None:
            self._by_capture.setdefault((url, row["time"].replace(microsecond=0)), place)
        if digest:
            self._by_page.setdefault((url, digest), place)
            self._by_digest.setdefault(digest, place)
        return True

    def find(self, reference: Reference) -> Row | None:
        """Return the place of the record that a revisit names; by its digest where it names none."""
        if reference.id and (found := self._by_id.get(_bare(reference.id))):
            return found
        named, digest, time = reference.refers_to_url, reference.digest, _time(reference.date)
        if named and time is not None and (found := self._by_capture.get((named, time))):
            return found
        if not digest:
            return None
        return self._by_page.get((named or reference.url, digest)) or self._by_digest.get(digest)


def reference_of(row: dict[str, Any]) -> Reference:
    """Return what the row of a revisit says."""
    return Reference(*(row[name] for name in ("url", "digest", "refers_to", "refers_to_url", "refers_to_date")))


def place_of(row: dict[str, Any]) -> Row:
    """Return where the record of a row is."""
    return row["file"], row["offset"], row["part"]


def find_originals(output: Output, waiting: Sequence[str], shards: Sequence[str], job: Job) -> list[Revisit]:
    """Return each revisit of some shards with the place of the record that it means."""
    rows = [row for name in waiting for row in read_rows(output.path("revisits", name))]
    known = Originals(map(reference_of, rows))
    read: set[Row] = set()
    for table, columns in (("pages", WANTED), ("rejects", (*WANTED, "type"))):
        for name in shards:
            for row in read_rows(output.path(table, name), columns):
                is_kept = row.get("type", "response") == "response" and known.add(row)
                if is_kept and table == "pages":
                    read.add(place_of(row))
    found = []
    for row in rows:
        place = known.find(reference_of(row))
        is_copy = job.dedup and place in read
        if place is not None and not is_copy and not job.filters.refuse_address(row["url"]):
            read.add(place)  # by this revisit, where the original itself was left out
        found.append(Revisit(tuple(row.values()), place, is_copy))
    return found


def plan_revisits(revisits: Sequence[Revisit], name: str) -> Iterator[tuple[Shard, Sequence[Revisit]]]:
    """Yield shards of revisits, each with what is known of those."""
    for number, start in enumerate(range(0, len(revisits), MOST_RANGES)):
        group = revisits[start : start + MOST_RANGES]
        yield Shard(f"{name}{number:05d}", tuple(_range(each.original) for each in group)), group


def _range(original: Row | None) -> Range:
    if original is None:
        return Range("revisit", "", 0, 0)
    file, offset, part = original
    return Range("revisit", file, offset, offset, part=part)


def read_rows(path: Path, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file, by columns."""
    file = library("pyarrow.parquet").ParquetFile(path)
    for batch in file.iter_batches(columns=None if columns is None else list(columns)):
        yield from batch.to_pylist()


def _bare(record_id: str) -> str:
    return record_id.strip().removeprefix("<").removesuffix(">")


def _time(text: str) -> datetime | None:
    with suppress(ValueError):
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).replace(microsecond=0)
    return None
