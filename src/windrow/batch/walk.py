"""The records of a shard, one after the other, from any of them on."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from windrow.batch.elsewhere import Parts, brought, is_gone, told, tried
from windrow.batch.shard import Span
from windrow.batch.unit import Place, Unit
from windrow.batch.warc import ALL, Guide, open_archive
from windrow.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.batch.shard import Range, Shard
    from windrow.batch.warc import Archive, Wanted

MOST_BYTES = 64 << 20
"""What is fetched of a record elsewhere whose length nobody knows."""


class Overseer(Protocol):
    """Is told which record is unpacked."""

    def begin(self, place: Place) -> bool:
        """Take note that a record is about to be unpacked; whether it may be."""

    def rest(self) -> None:
        """Take note that none is being unpacked."""


@dataclass(frozen=True)
class _WithinRange(Guide):
    """Tells an overseer where in the shard a record of one range is."""

    overseer: Overseer
    number: int

    def begin(self, offset: int, part: int = 0) -> bool:
        return self.overseer.begin(Place(self.number, offset, part))

    def rest(self) -> None:
        self.overseer.rest()


class Walk:
    """Goes through a shard; ``spans`` says afterwards what was read of each range."""

    def __init__(self, shard: Shard, wanted: Wanted, overseer: Overseer | None = None) -> None:
        """Take a shard, what tells whose content is needed, and who is told what is unpacked."""
        self._shard = shard
        self._wanted = wanted
        self._overseer = overseer
        self.spans: list[Span | None] = [None] * len(shard.ranges)
        self._open: tuple[str, Archive | None] | None = None
        self._stack = ExitStack()
        self._parts: Parts | None = None

    def units(self, start: Place) -> Iterator[tuple[Place, Unit]]:
        """Yield every record from a place on, with its place."""
        with ExitStack() as ending, self._stack:
            ending.callback(self._close_parts)
            for number, each in enumerate(self._shard.ranges[start.range :], start.range):
                since = start if number == start.range else Place(number, 0)
                if each.kind == "saved":
                    if not since.offset:
                        yield Place(number, 0), Unit(0, (), None)
                elif each.kind in ("row", "revisit"):
                    if not since.offset:
                        yield from self._row(number, each)
                else:
                    yield from self._archive(number, each, since)

    def _archive(self, number: int, each: Range, since: Place) -> Iterator[tuple[Place, Unit]]:
        archive = self._opened(each)
        if archive is None:
            return
        first = each.start if each.is_exact else archive.find(each.start)
        reading = archive.read(max(first, since.offset), each.end, self._wanted, self._guide(number))
        try:
            while True:
                unit = next(reading)
                if (unit.offset, unit.part) >= (since.offset, since.part):
                    yield Place(number, unit.offset, unit.part), unit
        except StopIteration as end:
            self.spans[number] = Span(first, max(end.value, first))

    def _guide(self, number: int) -> Guide:
        return ALL if self._overseer is None else _WithinRange(self._overseer, number)

    def _row(self, number: int, each: Range) -> Iterator[tuple[Place, Unit]]:
        place = Place(number, 0)
        if not each.file:
            yield place, Unit(0, (), None, reason="revisit")
            return
        try:
            archive, offset = self._at(each)
        except SourceError as error:
            if not is_gone(error):
                raise  # as for whole archives: what is there, but can't be had now, is read when it can
            yield place, Unit(each.start, (), None, reason="missing", detail=str(error))
            return
        if not self._guide(number).begin(0):
            yield place, Unit(each.start, (), None, reason="damaged")
            return
        within = archive.read_member(offset, self._wanted) if archive and offset < archive.size else iter(())
        found = next((unit for unit in within if unit.part == each.part), None)
        if found is None or not (found.headers or found.reason):
            found = Unit(each.start, (), None, reason="missing", detail="There is no record at this place of the file.")
        yield place, replace(found, offset=each.start)

    def _at(self, each: Range) -> tuple[Archive | None, int]:
        """Return the archive in which the record of an index row stands, and where."""
        if not each.is_remote:
            return self._opened(each), each.start
        found = tried(lambda: self._part(each))
        self._close()
        with tempfile.NamedTemporaryFile(prefix="windrow-", delete=False) as file:
            self._stack.callback(Path(file.name).unlink, missing_ok=True)
            file.write(found)
        self._open = (f"{each.file}#{each.start}", self._stack.enter_context(open_archive(Path(file.name), each.file)))
        return self._open[1], 0

    def _part(self, each: Range) -> bytes:
        """Return the bytes of a record in a file elsewhere, which stays open for the rows behind it."""
        if self._parts is None or self._parts.name != each.file:
            self._close_parts()
            self._parts = Parts(each.file)
        try:
            return self._parts.read(each.start, each.end if each.size else each.start + MOST_BYTES)
        except SourceError:
            self._close_parts()
            raise

    def _close_parts(self) -> None:
        if self._parts is not None:
            self._parts.close()
        self._parts = None

    def _opened(self, each: Range) -> Archive | None:
        """Return a file, open; one that lies elsewhere is brought here first."""
        if self._open is not None and self._open[0] == each.file:
            return self._open[1]
        self._close()
        path = self._stack.enter_context(brought(each.file))
        with told(each.file):
            self._open = (each.file, self._stack.enter_context(open_archive(path, each.file)))
        return self._open[1]

    def _close(self) -> None:
        self._open = None
        self._stack.close()
