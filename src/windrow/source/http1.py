"""HTTP/1 messages, as far as a proxy needs them: heads parsed, bodies copied in bounded blocks."""

from __future__ import annotations

import asyncio
import re
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Stream: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]

HEAD_BYTES = 64 * 1024
BLOCK_BYTES = 64 * 1024

# How a body ends when it is not by a number of bytes.
CHUNKED = -1
UNTIL_CLOSE = -2

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;.*)?\r?\n")
_HOP_BY_HOP = {"connection", "keep-alive", "te", "trailer", "upgrade", "transfer-encoding"}


class MessageError(Exception):
    """What came over the connection is not HTTP as we understand it."""


@dataclass(frozen=True)
class Head:
    """The start line and the header fields of a message."""

    start: str
    fields: tuple[tuple[str, str], ...]

    def values(self, name: str) -> list[str]:
        """Return the comma-separated values of a field, in lower case."""
        found = [value for field, value in self.fields if field.lower() == name]
        return [part.strip().lower() for value in found for part in value.split(",") if part.strip()]

    def end_to_end(self) -> list[tuple[str, str]]:
        """Return the end-to-end fields: neither those of this connection nor those meant for a proxy.

        A body in chunks stays in chunks, and then its length, if one is claimed as well, is a lie that must not travel.
        """
        chunked = self.is_chunked()
        dropped = _HOP_BY_HOP | set(self.values("connection")) | ({"content-length"} if chunked else set())
        kept = [(n, v) for n, v in self.fields if n.lower() not in dropped and not n.lower().startswith("proxy-")]
        return [*kept, ("Transfer-Encoding", "chunked")] if chunked else kept

    def is_chunked(self) -> bool:
        """Whether the body comes in chunks."""
        return self.values("transfer-encoding")[-1:] == ["chunked"]

    def length(self) -> int | None:
        """Return the declared length of the body: a number of bytes, CHUNKED, or None."""
        codings = self.values("transfer-encoding")
        lengths = set(self.values("content-length"))
        if codings:
            if codings != ["chunked"]:
                raise MessageError("a transfer coding that is not understood")
            return CHUNKED
        if not lengths:
            return None
        length = lengths.pop()
        if lengths or not (length.isascii() and length.isdecimal()) or len(length) > 18:  # noqa: PLR2004 - fits 64 bits
            raise MessageError("lengths that contradict each other")
        return int(length)


def encode_head(start: str, fields: list[tuple[str, str]]) -> bytes:
    """Return a head as it is sent."""
    lines = [start, *(f"{name}: {value}" for name, value in fields)]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode("latin-1")


async def read_head(reader: asyncio.StreamReader, *, lenient: bool = False) -> Head | None:
    """Read a head of bounded size, or None when the other side has closed instead.

    A line that continues the one before it, or has no proper name, is how one message is made to look like two, so it
    is an error; ``lenient`` leaves it out, for servers that are asked for one message only.
    """
    lines: list[str] = []
    size = 0
    while True:
        line = await _read_line(reader)
        size += len(line)
        if size > HEAD_BYTES:
            raise MessageError("a head that is too long")
        text = line.rstrip(b"\r\n").decode("latin-1")
        if not line.endswith(b"\n"):
            if lines or text:
                raise MessageError("a head that breaks off")
            return None
        if text:
            lines.append(text)
        elif lines:
            fields = [_field(entry) for entry in lines[1:]]
            if None in fields and not lenient:
                raise MessageError("a header line that is not understood")
            return Head(lines[0], tuple(field for field in fields if field is not None))


def _field(line: str) -> tuple[str, str] | None:
    name, colon, value = line.partition(":")
    if not colon or not _TOKEN.fullmatch(name) or "\r" in value or "\0" in value:
        return None
    return name, value.strip(" \t")


async def _read_line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except ValueError:  # longer than the reader's limit
        raise MessageError("a line that is too long") from None


def reset(writer: asyncio.StreamWriter) -> None:
    """Break a connection off so that the other side sees a broken one and not a regular end."""
    with suppress(OSError, AttributeError):
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@dataclass(frozen=True)
class Flow:
    """One direction of a conversation: what is read from one side and written to the other, if there is another."""

    source: asyncio.StreamReader
    sink: asyncio.StreamWriter | None
    touch: Callable[[], None]
    """Called whenever something moves, so that only a silent connection counts as idle."""

    async def send(self, data: bytes) -> None:
        """Write, and wait until the other side has taken most of it."""
        self.touch()
        if self.sink is not None:
            self.sink.write(data)
            await self.sink.drain()

    async def copy(self, length: int) -> None:
        """Copy one body."""
        if length == CHUNKED:
            await self._copy_chunks()
        elif length == UNTIL_CLOSE:
            while block := await self.source.read(BLOCK_BYTES):
                await self.send(block)
        else:
            await self._copy_bytes(length)

    async def _copy_bytes(self, length: int) -> None:
        while length:
            block = await self.source.read(min(length, BLOCK_BYTES))
            if not block:
                raise MessageError("a body that breaks off")
            length -= len(block)
            await self.send(block)

    async def _copy_chunks(self) -> None:
        while True:
            line = _CHUNK_SIZE.fullmatch(await _read_line(self.source))
            if line is None:
                raise MessageError("a chunk without a size")
            size = int(line[1], 16)
            await self.send(b"%x\r\n" % size)
            if not size:
                break
            await self._copy_bytes(size)
            if (await _read_line(self.source)).strip(b"\r\n"):
                raise MessageError("a chunk that is longer than it says")
            await self.send(b"\r\n")
        await self._skip_trailers()
        await self.send(b"\r\n")

    async def _skip_trailers(self) -> None:
        budget = HEAD_BYTES
        while (line := await _read_line(self.source)).strip(b"\r\n"):
            budget -= len(line)
            if budget < 0:
                raise MessageError("trailers that are too long")
