"""Content codings undone in bounded blocks, so that a small body that unpacks to a huge one is noticed on the way.

Each coding is a stage that pulls from the one before it. Nothing is unpacked before somebody asks for it, and no stage
ever holds more than a block of what it unpacked.
"""

from __future__ import annotations

import sys
import zlib
from typing import TYPE_CHECKING, Protocol

import brotli  # type: ignore[import-untyped]

from windrow.errors import SourceError, UnreachableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BLOCK_BYTES = 256 * 1024
MAX_CODINGS = 5
ZSTD_WINDOW_LOG = 23  # 8 MiB, the most that RFC 9659 lets a server ask for


class _Decoder(Protocol):
    hungry: bool
    """Whether it needs input to produce more output."""
    done: bool
    """Whether the data may end here."""

    def feed(self, data: bytes) -> bytes:
        """Take input, which is empty unless the decoder needs some, and return at most a block of output."""


class _Zlib:
    """Takes gzip, of one or more members, or deflate in either of its two forms."""

    def __init__(self, window_bits: int | None) -> None:
        self.hungry, self.done = True, False
        self._window_bits = window_bits
        self._decoder = None if window_bits is None else zlib.decompressobj(window_bits)
        self._waiting = b""

    def feed(self, data: bytes) -> bytes:
        data = self._waiting + data
        self._waiting = b""
        if self.done:
            # Another member may follow the first; anything else that follows is padding.
            if self._window_bits is None or not data.startswith(b"\x1f\x8b"):
                self.hungry = True
                return b""
            self._decoder, self.done = zlib.decompressobj(self._window_bits), False
        if self._decoder is None:
            if len(data) < 2:  # noqa: PLR2004 - the header of zlib
                self._waiting = data
                return b""
            is_wrapped = data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:2]) % 31 == 0
            self._decoder = zlib.decompressobj(zlib.MAX_WBITS if is_wrapped else -zlib.MAX_WBITS)
        output = self._decoder.decompress(data, BLOCK_BYTES)
        self.done = self._decoder.eof
        self._waiting = self._decoder.unused_data if self.done else self._decoder.unconsumed_tail
        self.hungry = not self._waiting
        return output


class _Brotli:
    def __init__(self) -> None:
        self.hungry, self.done = True, False
        self._decoder = brotli.Decompressor()

    def feed(self, data: bytes) -> bytes:
        if self.done:
            return b""
        output: bytes = self._decoder.process(data, output_buffer_limit=BLOCK_BYTES)
        self.done = self._decoder.is_finished()
        # It takes more input while it still holds output back, so only silence means that it has given all.
        self.hungry = self.done or (not output and self._decoder.can_accept_more_data())
        return output


class _Zstd:
    def __init__(self) -> None:
        self.hungry, self.done = True, False
        self._new_frame()

    def _new_frame(self) -> None:
        self._decoder = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW_LOG})

    def feed(self, data: bytes) -> bytes:
        if self._decoder.eof:
            data = self._decoder.unused_data + data
            self._new_frame()
        output = self._decoder.decompress(data, BLOCK_BYTES)
        self.done = self._decoder.eof
        self.hungry = not self._decoder.unused_data if self.done else self._decoder.needs_input
        return output


_DECODERS: dict[str, Callable[[], _Decoder]] = {
    "gzip": lambda: _Zlib(16 + zlib.MAX_WBITS),
    "x-gzip": lambda: _Zlib(16 + zlib.MAX_WBITS),
    "deflate": lambda: _Zlib(None),
    "br": _Brotli,
    "zstd": _Zstd,
}
CODINGS = frozenset(_DECODERS)
"""The codings that can be undone."""
ACCEPTED = "gzip, deflate, br, zstd"


def decoded(blocks: Iterable[bytes], content_encoding: str, name: str) -> Iterator[bytes]:
    """Undo the codings of a ``Content-Encoding`` header, the last one first; codings unknown to browsers are ignored.

    ``name`` is what the body is called in messages.
    """
    codings = [
        coding for coding in (part.strip().lower() for part in content_encoding.split(",")) if coding in _DECODERS
    ]
    if len(codings) > MAX_CODINGS:
        raise SourceError(
            f"{name} is compressed {len(codings)} times over, so it was not read; no browser would either."
        )
    stage = iter(blocks)
    for coding in reversed(codings):
        stage = _stage(stage, _DECODERS[coding](), f"{name} is not the {coding} data that it claims to be")
    return stage


def _stage(blocks: Iterable[bytes], decoder: _Decoder, complaint: str) -> Iterator[bytes]:
    started = False
    for block in blocks:
        started = started or bool(block)
        data = block
        while True:
            try:
                output = decoder.feed(data)
            except (zlib.error, brotli.error, zstd.ZstdError, EOFError):
                raise SourceError(f"{complaint}. Try again; if it stays so, the server is broken.") from None
            if output:
                yield output
            if decoder.hungry:
                break
            data = b""
    if started and not decoder.done:
        raise UnreachableError(f"{complaint}: it breaks off. Try again; if it stays so, the server is broken.")
