"""What was read of a shard so far, in pieces on disk: whatever ends the process, the next one goes on behind the last.

A piece is a line of JSON, with the places between which it was read and the counts, and the rows of each table as an
Arrow stream. Its name has the number of the process, since one that is about to end may still write.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windrow.atomic import written
from windrow.batch.counts import Counts
from windrow.batch.schema import Row, rows_to_batch, schema_of
from windrow.batch.shard import Span
from windrow.batch.unit import Place
from windrow.extras import library

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

ENDING = ".piece"


@dataclass(frozen=True)
class Piece:
    """Some of the rows of a shard."""

    path: Path
    begin: Place
    next: Place | None
    """Where reading goes on; None where the shard is done."""
    counts: Counts
    spans: list[Span | None]
    length: int
    """Bytes of the line above the rows."""


class Spool:
    """The pieces of one shard, in a folder of its own."""

    def __init__(self, folder: Path, tables: Sequence[str]) -> None:
        """Take the pieces that are there already, as far as one begins where the one before ends."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._tables = tables
        self.pieces: list[Piece] = []
        found = {piece.begin: piece for piece in map(_read_head, sorted(folder.glob(f"*{ENDING}"))) if piece}
        place: Place | None = Place(0, 0)
        while place is not None and place in found:
            self.pieces.append(found.pop(place))
            place = self.pieces[-1].next

    @property
    def next(self) -> Place | None:
        """Where reading goes on; None where the shard is done."""
        return self.pieces[-1].next if self.pieces else Place(0, 0)

    @property
    def counts(self) -> Counts:
        """The counts of all pieces."""
        total = Counts()
        for piece in self.pieces:
            total.add(piece.counts)
        return total

    def add(
        self, rows: Mapping[str, list[Row]], counts: Counts, following: Place | None, spans: Sequence[Span | None]
    ) -> None:
        """Write a piece."""
        begin = self.next
        assert begin is not None  # noqa: S101 - nothing is read behind the end
        known = [None if span is None else [span.first, span.reached] for span in spans]
        about = {"begin": begin, "next": following, "counts": counts.to_dict(), "spans": known}
        head = json.dumps(about).encode() + b"\n"
        path = self._folder / f"{len(self.pieces):06d}-{os.getpid()}{ENDING}"
        with written(path) as file:
            file.write(head)
            for table in self._tables:
                batch = rows_to_batch(table, rows.get(table, ()))
                sink = library("pyarrow").BufferOutputStream()
                with library("pyarrow").ipc.new_stream(sink, batch.schema) as stream:
                    stream.write_batch(batch)
                data = sink.getvalue()
                file.write(len(data).to_bytes(8, "little"))
                file.write(memoryview(data))
        self.pieces.append(Piece(path, begin, following, counts, list(spans), len(head)))

    def spans(self) -> list[Span | None]:
        """Return what was read of each range."""
        return [
            next((span for span in spans if span is not None), None)
            for spans in zip(*(piece.spans for piece in self.pieces), strict=True)
        ]

    def batches(self, table: str) -> Iterator[Any]:
        """Yield the rows of a table, piece by piece."""
        number = self._tables.index(table)
        for piece in self.pieces:
            with piece.path.open("rb") as file:
                file.seek(piece.length)
                for _ in range(number):
                    file.seek(int.from_bytes(file.read(8), "little"), os.SEEK_CUR)
                data = file.read(int.from_bytes(file.read(8), "little"))
            yield from library("pyarrow").ipc.open_stream(data)


def _read_head(path: Path) -> Piece | None:
    with path.open("rb") as file:
        head = file.readline()
    try:
        about = json.loads(head)
        following = None if about["next"] is None else Place(*about["next"])
        spans = [None if each is None else Span(*each) for each in about["spans"]]
        return Piece(path, Place(*about["begin"]), following, Counts.from_dict(about["counts"]), spans, len(head))
    except (ValueError, KeyError, TypeError):
        return None


def in_groups(batches: Iterable[Any], table: str, count: int) -> Iterator[Any]:
    """Yield Arrow tables of so many rows, wherever the pieces end, so that the files are the same byte for byte."""
    pyarrow = library("pyarrow")
    waiting: list[Any] = []
    number = 0
    for batch in batches:
        waiting.append(batch)
        number += batch.num_rows
        while number >= count:
            whole = pyarrow.Table.from_batches(waiting, schema_of(table))
            yield whole.slice(0, count).combine_chunks()
            rest = whole.slice(count)
            waiting, number = rest.to_batches(), rest.num_rows
    if number:
        yield pyarrow.Table.from_batches(waiting, schema_of(table)).combine_chunks()
