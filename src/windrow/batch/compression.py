"""Members of a compressed archive: where each begins, and what is in it as far as it can be unpacked.

An archive of records is a chain of gzip members or Zstandard frames, one a record. What reads it quickly stops at the
first that is damaged; here each is unpacked by itself, so that those behind a damaged one are found again.
"""

from __future__ import annotations

import mmap
import re
import sys
import zlib
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BLOCK_BYTES = 16 * 1024
"""Compressed bytes that are unpacked at a time; a thousandfold of it is the most that they become."""
FIRST_BYTES = 512
"""The first of them: what is damaged further on should not take the header with it, which says what is lost."""
STRIDE_BYTES = 4 << 20
"""Bytes of the file after which those behind us are let go; as long as they are mapped, they count as our memory."""
PROBED_BYTES = 4096
"""Bytes of a member that show whether a record begins in it."""
VERSION = b"WARC/"
FAULTS = (zlib.error, zstd.ZstdError, EOFError)
"""What decoders raise over damage."""
GZIP, ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
DICTIONARY = b"\x5d\x2a\x4d\x18"
"""The skippable frame at the beginning of a file that holds the dictionary of all others."""
EMPTY_LINE = re.compile(rb"\r?\n\r?\n")
PLAIN_START = re.compile(rb"WARC/\d\.\d+\s*\r?\n(?:[^\r\n]+\r?\n){1,200}?\r?\n")
LENGTH = re.compile(rb"^Content-Length[ \t]*:[ \t]*(\d{1,15})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
BLANK = re.compile(rb"\n\r?\n\Z")
END = b"\r\n\r\n"
"""What ends a record."""
TYPED = re.compile(rb"^WARC-Type[ \t]*:", re.IGNORECASE | re.MULTILINE)


class Members(ABC):
    """The members of one file, by where they begin."""

    def __init__(self, data: mmap.mmap) -> None:
        """Take a file as bytes."""
        self.data = data

    @abstractmethod
    def begins(self, offset: int) -> bool:
        """Whether a member may begin at a place."""

    @abstractmethod
    def open(self, offset: int) -> Member:
        """Return the member that begins at a place."""

    @abstractmethod
    def find(self, offset: int) -> int:
        """Return the first place, there or later, at which a record begins; the end of the file where there is none."""

    def size(self, begin: int, end: int) -> int | None:
        """Return how long a member is when it is unpacked, as its own bytes say; None where they don't."""
        del begin, end
        return None


class Member:
    """What is in one member, unpacked as it is asked for."""

    def __init__(self, data: mmap.mmap, offset: int, decoder: Callable[[], Any]) -> None:
        """Begin to unpack at a place, by what makes a decoder of zlib, of zstd or of our own."""
        self._data = data
        self._begin = self._next = offset
        self._new_decoder = decoder
        self._decoder = decoder()
        self._step = FIRST_BYTES
        self._ready = bytearray()
        self.taken = 0
        """How many bytes of it were taken so far."""
        self.state = "open"
        """``open``, ``whole``, ``torn`` where the file ends in it, or ``broken``."""

    @property
    def end(self) -> int:
        """Where it ends in the file, once it is whole."""
        return self._next

    def peek(self, count: int) -> bytes:
        """Return what comes next, fewer bytes only where there are no more."""
        while len(self._ready) < count and self.state == "open":
            self._unpack()
        return bytes(self._ready[:count])

    def take(self, count: int) -> bytes:
        """Return what comes next and go on behind it."""
        taken = self.peek(count)
        del self._ready[: len(taken)]
        self.taken += len(taken)
        return taken

    def skip(self, count: int) -> int:
        """Go on behind as many bytes as there are up to a number; return how many those were."""
        left = count
        while left and (taken := len(self.take(min(left, BLOCK_BYTES)))):
            left -= taken
        return count - left

    def take_head(self, most: int) -> bytes | None:
        """Return what comes next up to an empty line, which ends it; None where there is none."""
        wanted = BLOCK_BYTES
        while True:
            seen = self.peek(wanted)
            if (found := EMPTY_LINE.search(seen)) is not None:
                return self.take(found.end())
            if len(seen) < wanted or wanted >= most:
                return None
            wanted *= 2

    def _unpack(self) -> None:
        block = self._data[self._next : self._next + self._step]
        self._step = BLOCK_BYTES
        if not block:
            self.state = "torn"
            return
        let_go(self._data, self._next, self._next + len(block))
        self._next += len(block)
        try:
            self._ready += self._decoder.decompress(block)
        except FAULTS:
            self.state = "broken"
            if not (self.taken or self._ready):
                self._ready += self._unpack_slowly()
            return
        if self._decoder.eof:
            self._next -= len(self._decoder.unused_data)
            self.state = "whole"

    def _unpack_slowly(self) -> bytes:
        """Return what there is before the damage, which a decoder that is given all at once keeps back."""
        decoder, found = self._new_decoder(), bytearray()
        with suppress(*FAULTS):
            for byte in self._data[self._begin : self._next]:
                found += decoder.decompress(bytes((byte,)))
        return bytes(found)


class GzipMembers(Members):
    """The members of a gzip file."""

    def begins(self, offset: int) -> bool:
        """Whether a member may begin at a place."""
        return self.data[offset : offset + 3] == GZIP

    def open(self, offset: int) -> Member:
        """Return the member that begins at a place."""
        return Member(self.data, offset, lambda: zlib.decompressobj(16 + zlib.MAX_WBITS))

    def find(self, offset: int) -> int:
        """Return the first place at which a member with a record begins."""
        return _find_magic(self, GZIP, offset)

    def size(self, begin: int, end: int) -> int | None:
        """Return what the last bytes of a member say, which is its length modulo four gibibytes."""
        return int.from_bytes(self.data[end - 4 : end], "little") if end - begin > len(GZIP) else None


class ZstdMembers(Members):
    """The frames of a Zstandard file, which may share a dictionary."""

    def __init__(self, data: mmap.mmap) -> None:
        """Take a file as bytes, and its dictionary out of it."""
        super().__init__(data)
        self.dictionary = _find_dictionary(data)

    def begins(self, offset: int) -> bool:
        """Whether a frame may begin at a place."""
        return self.data[offset : offset + 4] == ZSTD

    def open(self, offset: int) -> Member:
        """Return the frame that begins at a place."""
        return Member(self.data, offset, lambda: zstd.ZstdDecompressor(self.dictionary))

    def find(self, offset: int) -> int:
        """Return the first place at which a frame with a record begins."""
        return _find_magic(self, ZSTD, offset)

    def size(self, begin: int, end: int) -> int | None:
        """Return what the head of a frame says, where it says it."""
        try:
            found: int | None = zstd.get_frame_info(self.data[begin : min(end, begin + 18)]).decompressed_size
        except zstd.ZstdError:
            return None
        return found


class _Plain:
    """Unpacks nothing."""

    eof = False

    def decompress(self, block: bytes) -> bytes:
        return block


class PlainMembers(Members):
    """A file without compression: every record is a member of its own."""

    def begins(self, offset: int) -> bool:
        """Whether a record may begin at a place."""
        return self.data[offset : offset + len(VERSION)] == VERSION

    def open(self, offset: int) -> Member:
        """Return everything from a place on."""
        return Member(self.data, offset, _Plain)

    def find(self, offset: int) -> int:
        """Return the first place at which the whole header of a record stands."""
        return find_start(self.data, offset)


def find_start(data: bytes | mmap.mmap, offset: int = 0) -> int:
    """Return the first place, there or later, at which the whole header of a record stands; the end if none does.

    A page may quote a record. What does not stand where one ends, and is not followed by another, is taken for quoted.
    """
    found = PLAIN_START.search(data, offset)
    while found is not None and (not TYPED.search(found[0]) or _is_quoted(data, found.start(), found.end())):
        found = PLAIN_START.search(data, found.start() + 1)
    return len(data) if found is None else found.start()


def _is_quoted(data: bytes | mmap.mmap, start: int, head_end: int) -> bool:
    """Whether a header neither follows an empty line nor leads to the next record; what can't be seen may be either."""
    if start < len(END) or BLANK.search(data, start - len(END), start) is not None:
        return False
    said = LENGTH.search(data, start, head_end)
    end = head_end + int(said[1]) if said is not None else len(data)
    rest = data[end : end + len(END) + len(VERSION)].lstrip(END)
    return not VERSION.startswith(rest[: len(VERSION)])


def let_go(data: mmap.mmap, since: int, place: int) -> None:
    """Take what is behind a place out of this process's memory, every few mebibytes; the file is still there."""
    begin, end = since - since % STRIDE_BYTES, place - place % STRIDE_BYTES
    if begin < end:
        data.madvise(mmap.MADV_DONTNEED, begin, end - begin)


def find_members(data: mmap.mmap, name: str) -> Members:
    """Return the members of a file by its first bytes, or by its name where those are damaged."""
    start = data[:4]
    if start[:3] == GZIP:
        return GzipMembers(data)
    if start in (ZSTD, DICTIONARY):
        return ZstdMembers(data)
    lower = name.lower()
    if start != VERSION[:4] and lower.endswith(".gz"):
        return GzipMembers(data)
    if start != VERSION[:4] and lower.endswith((".zst", ".zstd")):
        return ZstdMembers(data)
    return PlainMembers(data)


def _find_magic(members: Members, magic: bytes, offset: int) -> int:
    data = members.data
    place = data.find(magic, offset)
    while place >= 0:
        if members.open(place).peek(PROBED_BYTES).lstrip(b"\r\n").startswith(VERSION):
            return place
        place = data.find(magic, place + 1)
    return len(data)


def _find_dictionary(data: mmap.mmap) -> Any:  # noqa: ANN401 - of a library without types
    """Return the dictionary at the beginning of a file, which may itself be compressed, or None."""
    if data[:4] != DICTIONARY:
        return None
    content = data[8 : 8 + int.from_bytes(data[4:8], "little")]
    try:
        if content.startswith(ZSTD):
            content = zstd.decompress(content)
        return zstd.ZstdDict(content)
    except (zstd.ZstdError, ValueError):
        return None
