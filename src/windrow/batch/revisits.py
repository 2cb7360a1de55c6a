"""Revisits: records that say "as before", and the records that they mean, wherever in the input those stand."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from windrow.batch.shard import MOST_RANGES, Range, Shard
from windrow.extras import library

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windrow.batch.output import Output
    from windrow.batch.schema import Row

WANTED = ("file", "offset", "part", "url", "record_id", "time", "digest")


@dataclass
class _Originals:
    """The records that revisits may mean, each by what a revisit can name it by; the first in the input counts."""

    by_id: dict[str, Row] = field(default_factory=dict)
    by_capture: dict[tuple[str, datetime], Row] = field(default_factory=dict)
    by_page: dict[tuple[str, str], Row] = field(default_factory=dict)
    by_digest: dict[str, Row] = field(default_factory=dict)

    def add(self, row: dict[str, Any]) -> None:
        place = (row["file"], row["offset"], row["part"])
        self.by_id.setdefault(_bare(row["record_id"]), place)
        if row["time"] is not None:
            self.by_capture.setdefault((row["url"], row["time"].replace(microsecond=0)), place)
        if row["digest"]:
            self.by_page.setdefault((row["url"], row["digest"]), place)
            self.by_digest.setdefault(row["digest"], place)

    def find(self, revisit: Row) -> Row | None:
        """Return the record that a revisit names; by its digest where it names none."""
        _, _, _, url, _, _, digest, refers_to, refers_to_url, refers_to_date = revisit
        if refers_to and (found := self.by_id.get(_bare(refers_to))):
            return found
        time = _time(refers_to_date)
        if refers_to_url and time is not None and (found := self.by_capture.get((refers_to_url, time))):
            return found
        if not digest:
            return None
        return self.by_page.get((refers_to_url or url, digest)) or self.by_digest.get(digest)


def find_originals(output: Output, waiting: Sequence[str], shards: Sequence[str]) -> list[tuple[Row, Row | None]]:
    """Return each revisit of some shards with the place of the record that it means, or None."""
    revisits = [tuple(row.values()) for name in waiting for row in _rows(output, "revisits", name, None)]
    known = _Originals()
    digests = {row[6] for row in revisits}
    ids = {_bare(row[7]) for row in revisits}
    urls = {row[8] for row in revisits}
    for table, columns in (("pages", WANTED), ("rejects", (*WANTED, "type"))):
        for name in shards:
            for row in _rows(output, table, name, columns):
                if row.get("type", "response") != "response":
                    continue
                if row["digest"] in digests or _bare(row["record_id"]) in ids or row["url"] in urls:
                    known.add(row)
    return [(row, known.find(row)) for row in revisits]


def plan_revisits(pairs: Sequence[tuple[Row, Row | None]], name: str) -> Iterator[tuple[Shard, list[Row]]]:
    """Yield shards of revisits, each with the rows of its revisits."""
    for number, start in enumerate(range(0, len(pairs), MOST_RANGES)):
        group = pairs[start : start + MOST_RANGES]
        ranges = [
            Range("revisit", found[0], found[1], found[1], part=found[2]) if found else Range("revisit", "", 0, 0)
            for _, found in group
        ]
        yield Shard(f"{name}{number:05d}", tuple(ranges)), [row for row, _ in group]


def _rows(output: Output, table: str, shard: str, columns: Sequence[str] | None) -> Iterator[dict[str, Any]]:
    file = library("pyarrow.parquet").ParquetFile(output.path(table, shard))
    for batch in file.iter_batches(columns=None if columns is None else list(columns)):
        yield from batch.to_pylist()


def _bare(record_id: str) -> str:
    return record_id.strip().removeprefix("<").removesuffix(">")


def _time(text: str) -> datetime | None:
    with suppress(ValueError):
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).replace(microsecond=0)
    return None
