"""What a worker process is told to do with a shard."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from windrow.batch.job import Job
    from windrow.batch.schema import Row
    from windrow.batch.shard import Shard
    from windrow.batch.unit import Place

Task: TypeAlias = Literal["read", "survey"]


@dataclass(frozen=True)
class Assignment:
    """A shard, what is to be read from it, and where it goes."""

    job: Job
    shard: Shard
    folder: Path
    """The folder of the output."""
    spool: Path
    """The folder of the shard's pieces."""
    task: Task = "read"
    aside: Mapping[Place, tuple[str, str]] = field(default_factory=dict)
    """Records that cost a process too much before, with the reason and a sentence; they are not read again."""
    closed: frozenset[Place] = frozenset()
    """Those of them that are not even unpacked."""
    suspect: Place | None = None
    """The record over which a process ended; everything before it is written down before it is tried again."""
    duplicates: frozenset[Place] = frozenset()
    """Records whose pages stand in the input before them."""
    resources: Path | None = None
    """The index of what the archive holds, by address."""
    revisits: tuple[Row, ...] = ()
    """For a shard of revisits, the row of each; its range is the original, or empty where that is not there."""
