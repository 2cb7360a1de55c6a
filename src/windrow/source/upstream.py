"""The user's own proxy, through which connections leave once the guard has checked them."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass, field
from urllib.parse import unquote

from windrow.errors import SourceError, UnreachableError
from windrow.options import parse_proxy
from windrow.source.http1 import HEAD_BYTES, MessageError, Stream, read_head, reset

_OK = 200
_MULTIPLE_CHOICES = 300
_LOGIN_REQUIRED = 407


@dataclass(frozen=True)
class Upstream:
    """An HTTP proxy that opens tunnels with CONNECT."""

    host: str
    port: int
    credentials: str = field(default="", repr=False)

    @classmethod
    def parse(cls, proxy: str) -> Upstream:
        """Read ``http://[user:password@]host:port``."""
        url = parse_proxy(proxy)
        pair = f"{unquote(url.username)}:{unquote(url.password)}" if url.username or url.password else ""
        return cls(url.hostname.strip("[]"), int(url.port or 80), base64.b64encode(pair.encode()).decode())

    async def open(self, address: str, port: int) -> Stream:
        """Open a tunnel to an address that was checked; the proxy is not told the name, lest it look it up anew."""
        try:
            reader, writer = await asyncio.open_connection(self.host, self.port, limit=HEAD_BYTES)
        except OSError:
            raise UnreachableError(
                f"Your proxy {self.host}:{self.port} does not answer. Check that it runs, or go without it."
            ) from None
        try:
            target = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
            login = f"Proxy-Authorization: Basic {self.credentials}\r\n" if self.credentials else ""
            writer.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{login}\r\n".encode())
            await writer.drain()
            self._require_tunnel(await self._status(reader))
        except BaseException:
            reset(writer)
            raise
        return reader, writer

    async def _status(self, reader: asyncio.StreamReader) -> int:
        try:
            head = await read_head(reader, lenient=True)
        except MessageError:
            head = None
        words = head.start.split(maxsplit=2) if head else []
        if len(words) < 2 or not words[0].startswith("HTTP/") or not words[1].isdecimal():  # noqa: PLR2004 - version, status
            raise SourceError(f"Your proxy {self.host}:{self.port} does not speak HTTP. Check its address.")
        return int(words[1])

    def _require_tunnel(self, status: int) -> None:
        if status == _LOGIN_REQUIRED:
            raise SourceError(
                f"Your proxy {self.host}:{self.port} asks for a name and a password. "
                "Write them into its address: http://user:password@host:port."
            )
        if not _OK <= status < _MULTIPLE_CHOICES:
            raise OSError(f"your proxy answered with status {status}")
