"""``Shard``: a part of the input that one process reads from its beginning to its end, and how an input is divided."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from windrow.batch.elsewhere import is_elsewhere

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Kind: TypeAlias = Literal["warc", "row", "saved", "revisit"]

SMALLEST, LARGEST = 1 << 20, 1 << 30
"""Bytes of a shard: below, starting it costs more than it saves; above, too much is done again after a crash."""
SHARDS_PER_WORKER = 4
"""So that a slow one at the end does not keep all others waiting."""
MOST_RANGES = 5_000


@dataclass(frozen=True)
class Range:
    """A part of a file: records that begin within it, one record of an index row or of a revisit, or a saved page."""

    kind: Kind
    file: str
    """A path, or an address that fsspec opens."""
    start: int
    end: int
    is_exact: bool = True
    """Whether a record is known to begin at its start; otherwise the first one after it is looked for."""
    part: int = 0
    """Which record of a member is meant, where one is."""
    changed: str = field(default="", compare=False)
    """What tells the file from what it was before: its time of change, or its tag; empty where nobody said."""

    @property
    def size(self) -> int:
        """Its length in bytes."""
        return self.end - self.start

    @property
    def is_remote(self) -> bool:
        """Whether the file lies elsewhere."""
        return is_elsewhere(self.file)


@dataclass(frozen=True)
class Shard:
    """Ranges that are read one after the other, into one file a table."""

    name: str
    ranges: tuple[Range, ...]

    @property
    def size(self) -> int:
        """Its length in bytes."""
        return sum(each.size for each in self.ranges)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for the manifest."""
        ranges = [[each.kind, each.file, each.start, each.end, each.is_exact, each.part] for each in self.ranges]
        return {"name": self.name, "ranges": ranges}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """Return what ``to_dict`` described."""
        return cls(plain["name"], tuple(Range(*each) for each in plain["ranges"]))


def plan_shards(inputs: Sequence[Range], workers: int, first: int = 0) -> list[Shard]:
    """Divide an input: large files are split, small ones joined; numbers go on from ``first``."""
    total = sum(each.size for each in inputs)
    target = min(max(total // (workers * SHARDS_PER_WORKER), SMALLEST), LARGEST)
    shards: list[Shard] = []
    waiting: list[Range] = []
    for each in _split(inputs, target):
        if waiting and (sum(other.size for other in waiting) + each.size > target or len(waiting) == MOST_RANGES):
            shards.append(Shard(f"{first + len(shards):05d}", tuple(waiting)))
            waiting = []
        waiting.append(each)
    if waiting:
        shards.append(Shard(f"{first + len(shards):05d}", tuple(waiting)))
    return shards


def _split(inputs: Iterable[Range], target: int) -> Iterable[Range]:
    for each in inputs:
        parts = 1 if each.kind != "warc" or each.is_remote else max(1, math.ceil(each.size / target))
        step = math.ceil(each.size / parts) if each.size else 0
        for number in range(parts):
            start = each.start + number * step
            yield replace(each, start=start, end=min(start + step, each.end), is_exact=number == 0)


@dataclass(frozen=True)
class Span:
    """What was read of a range that is a part of a file: where its first record begins, and the first after it."""

    first: int
    reached: int


def find_mismatches(shards: Sequence[Shard], spans: dict[str, list[Span | None]]) -> list[Shard]:
    """Return the shards to read again, as a range of them began within a record of the range before.

    What looks like a record may stand within one, where an archive was archived. Each has the true start now.
    """
    wrong = []
    before: tuple[str, int] | None = None
    for shard in shards:
        mended = list(shard.ranges)
        for number, (each, span) in enumerate(zip(shard.ranges, spans[shard.name], strict=True)):
            if not each.is_exact and span is not None and before is not None and before[0] == each.file:
                reached = before[1]
                if span.first != reached:
                    mended[number] = replace(each, start=reached, end=max(each.end, reached), is_exact=True)
            before = (each.file, span.reached) if span is not None else None
        if tuple(mended) != shard.ranges:
            wrong.append(replace(shard, ranges=tuple(mended)))
            return wrong  # what comes after it depends on where this one ends
    return wrong
