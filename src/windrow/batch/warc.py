"""The records of a WARC file between two bytes, every one once: quickly by fastwarc, carefully where it is in doubt.

fastwarc stops at a damaged member, and it takes the header of a record at its word. So a record counts as read only
once the next one begins where this one ends by its own header and by its member's length. Where that is not so, or
fastwarc stops, the member is unpacked by itself, what is wrong with it gets its name, and fastwarc goes on behind it.
"""

from __future__ import annotations

import mmap
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.batch.compression import (
    END,
    VERSION,
    Member,
    Members,
    PlainMembers,
    ZstdMembers,
    find_members,
    find_start,
    let_go,
)
from windrow.batch.unit import Headers, Unit
from windrow.extras import library

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    Wanted: TypeAlias = Callable[[Headers, int], int | None]

LONGEST_HEAD = 256 * 1024
MOST_FAULTS = 100
"""Damaged records of one member; it is unpacked anew behind each, and given up behind the last."""
NEXT_RECORD = END + b"WARC/1."
MODULUS = 1 << 32
WHITE = b"\r\n\t \0"


class Guide:
    """Is told which record is unpacked, and may have it passed over; this one lets all be."""

    def begin(self, offset: int, part: int = 0) -> bool:
        """Take note that a record is about to be unpacked; whether it may be."""
        del offset, part
        return True

    def rest(self) -> None:
        """Take note that none is being unpacked."""


ALL = Guide()


@dataclass(frozen=True)
class Archive:
    """A WARC file that lies here, open."""

    path: Path
    members: Members

    @property
    def size(self) -> int:
        """Its length in bytes."""
        return len(self.members.data)

    def find(self, offset: int) -> int:
        """Return the first place, there or later, at which a record begins."""
        return self.members.find(offset)

    def read(self, start: int, end: int, wanted: Wanted, guide: Guide = ALL) -> Generator[Unit, None, int]:
        """Yield what begins between two places; return where the first record begins that does not.

        ``wanted`` is asked, with the header and the length, how many bytes of the content are needed; None for none.
        """
        place, end = start, min(end, self.size)
        while place < end:
            if guide.begin(place):
                place = yield from self._read_quickly(place, end, wanted, guide)
            if place < end:
                place = yield from self.read_member(place, wanted, guide)
        return place

    def _read_quickly(self, start: int, end: int, wanted: Wanted, guide: Guide) -> Generator[Unit, None, int]:
        """Yield records as long as each is sound; return the place of the first that is not, or is not wanted."""
        held: Unit | None = None
        with self.path.open("rb") as file:
            file.seek(start)
            for record in self._iterate(file):
                place = record.stream_pos
                if held is None:
                    if place != start:
                        return start
                elif not self._is_sound(held, place):
                    return held.offset
                else:
                    let_go(self.members.data, held.offset, place)
                    yield held
                if place >= end or not guide.begin(place):
                    return int(place)
                headers = record.headers.items_bytes()
                length = record.content_length
                content = None
                if (most := wanted(headers, length)) is not None:
                    most = min(most, length)
                    try:
                        content = record.reader.read(most) if most else b""
                    except OSError:
                        return int(place)
                    if len(content) < most:
                        return int(place)
                held = Unit(place, headers, content, length=length)
        return start if held is None else held.offset

    def _iterate(self, file: Any) -> Iterator[Any]:  # noqa: ANN401 - of a library without types
        """Yield fastwarc's records up to where it stops, for whatever reason."""
        try:
            yield from library("fastwarc.warc").ArchiveIterator(file, parse_http=False)
        except OSError:
            return

    def _is_sound(self, unit: Unit, following: int) -> bool:
        """Whether a record ends where the next begins, by its own header and by what its member says."""
        head = len(b"WARC/1.0\r\n\r\n") + sum(len(name) + len(value) + 4 for name, value in unit.headers)
        whole = head + unit.length + len(END)
        if isinstance(self.members, PlainMembers):
            return following == unit.offset + whole and _count_types(unit.headers) == 1
        if following <= unit.offset or not self.members.begins(following):
            return False
        size = self.members.size(unit.offset, following)
        if size is not None:
            return size == whole % MODULUS
        return _count_types(unit.headers) == 1 and (unit.content is None or NEXT_RECORD not in unit.content)

    def read_member(self, offset: int, wanted: Wanted, guide: Guide = ALL) -> Generator[Unit, None, int]:
        """Yield the records of the member at a place, or what is wrong there; return where the next member begins."""
        if self.members.begins(offset):
            following = yield from self._read_records(offset, wanted, guide)
            if following is not None:
                return following
            guide.rest()
            return self.members.find(offset + 1)
        guide.rest()
        following = self.members.find(offset)
        between = self.members.data[offset:following]
        if between.strip(WHITE) or b"\0" in between:
            yield Unit(offset, (), None, reason="damaged", detail="There is no record here, but something else.")
        return following

    def _read_records(self, offset: int, wanted: Wanted, guide: Guide) -> Generator[Unit, None, int | None]:
        """Yield the records of a member; return where it ends, None where that has to be looked for."""
        members = self.members
        member = members.open(offset)
        part = faults = 0
        while guide.begin(offset, part):
            _skip_gap(member)
            start = member.taken
            unit = _read_unit(member, offset, part, wanted)
            if unit is None:
                is_done = member.state == "whole" and (part or not _is_dictionary(members, offset))
                return member.end if is_done else None
            fault = unit if unit.reason else _check_end(member, unit)
            yield fault
            if isinstance(members, PlainMembers):
                _skip_gap(member)
                return None if fault.reason else offset + member.taken
            if fault.reason:
                faults += 1
                member = members.open(offset)
                member.skip(start + 1)
                if faults == MOST_FAULTS or not _find_record(member):
                    return member.end if member.state == "whole" else None
            part += 1
        yield Unit(offset, self._find_headers(offset, part), None, part, reason="damaged")
        return None

    def _find_headers(self, offset: int, part: int) -> Headers:
        """Return the header of a member that is not unpacked; nothing where it is not the first record's."""
        head = None if part else self.members.open(offset).take_head(LONGEST_HEAD)
        return () if head is None else parse_head(head)


def _is_dictionary(members: Members, offset: int) -> bool:
    return isinstance(members, ZstdMembers) and offset == 0 and members.dictionary is not None


def _find_record(member: Member) -> bool:
    """Go on to the next record of a member; whether there is one."""
    while True:
        seen = member.peek(2 * LONGEST_HEAD)
        start = find_start(seen)
        if start < len(seen):
            member.skip(start)
            return True
        member.skip(len(seen) if len(seen) < 2 * LONGEST_HEAD else LONGEST_HEAD)
        if len(seen) < 2 * LONGEST_HEAD:
            return False


def _read_unit(member: Member, offset: int, part: int, wanted: Wanted) -> Unit | None:
    """Return the next record of a member, or what is wrong with it; None where the member has no more."""
    if not member.peek(1):
        if member.state == "whole" or (member.state == "torn" and part):
            return None
        return Unit(offset, (), None, part, reason=_name(member), detail="The member can't be unpacked.")
    head = member.take_head(LONGEST_HEAD)
    if head is None or not head.startswith(VERSION):
        headers = parse_head(member.peek(LONGEST_HEAD)) if head is None else ()
        reason = _name(member) if member.state in ("torn", "broken") else "damaged"
        return Unit(offset, headers, None, part, reason=reason, detail="There is no whole header of a record.")
    headers = parse_head(head)
    said = [value.strip() for name, value in headers if name.lower() == b"content-length"]
    is_mixed = _count_types(headers) > 1
    if is_mixed or len(said) != 1 or not said[0].isdigit():
        detail = "Its header runs into that of another record." if is_mixed else "It does not say how long it is."
        return Unit(offset, () if is_mixed else headers, None, part, reason="damaged", detail=detail)
    length = int(said[0])
    most = wanted(headers, length)
    content = None if most is None else member.take(min(most, length))
    there = len(content or b"")
    there += member.skip(length - there)
    if there < length:
        detail = f"The record should have {length:,} bytes and has {there:,}."
        reason = "damaged" if member.state == "broken" else "truncated"
        return Unit(offset, headers, None, part, length, reason, detail)
    return Unit(offset, headers, content, part, length)


def _count_types(headers: Headers) -> int:
    """Return how many records a header speaks of; more than one where the end of the first was destroyed."""
    return sum(name.lower() == b"warc-type" for name, _ in headers)


def _skip_gap(member: Member) -> None:
    while member.peek(1) in (b"\r", b"\n"):
        member.take(1)


def _name(member: Member) -> str:
    return "truncated" if member.state == "torn" else "damaged"


def _check_end(member: Member, unit: Unit) -> Unit:
    """Return a record, or the same as damaged where something else follows it than the next one or nothing."""
    after = member.peek(len(END) + len(VERSION))
    rest = after.lstrip(b"\r\n")
    is_clean = not rest or rest.startswith(VERSION[: len(rest)])
    has_swallowed = unit.content is not None and NEXT_RECORD in unit.content
    if not is_clean and (has_swallowed or not after.startswith(END)):
        detail = f"The record goes on behind the {unit.length:,} bytes that it should have."
        return Unit(unit.offset, unit.headers, None, unit.part, unit.length, "damaged", detail)
    if member.state == "broken":
        detail = "The checksum of the member is wrong."
        return Unit(unit.offset, unit.headers, None, unit.part, unit.length, "damaged", detail)
    return unit


def parse_head(head: bytes) -> Headers:
    """Return the named fields of a header; a line that begins with a space goes on with the one before."""
    found: list[tuple[bytes, bytes]] = []
    for line in head.splitlines()[1:]:
        if line[:1] in (b" ", b"\t") and found:
            name, value = found[-1]
            found[-1] = (name, value + b" " + line.strip())
            continue
        name, colon, value = line.partition(b":")
        if colon:
            found.append((name.strip(), value.strip()))
    return tuple(found)


@contextmanager
def open_archive(path: Path, name: str | None = None) -> Iterator[Archive | None]:
    """Open a file; None where there is nothing in it. ``name`` is what it is called, where that differs."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            yield None
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield Archive(path, find_members(data, name or path.name))
