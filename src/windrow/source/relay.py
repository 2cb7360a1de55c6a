"""One connection to the proxy: what its client asks for is passed on, through the guard, and answered.

A server gets one request per connection of ours, so bytes of one exchange can never be taken for those of the next. The
client's connection stays open where the framing of the answer permits it.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TypeAlias

import ada_url

from windrow.errors import RefusedError, WindrowError
from windrow.source.http1 import UNTIL_CLOSE, Flow, Head, MessageError, Stream, encode_head, read_head, reset

Connect: TypeAlias = Callable[[str, int], Awaitable[Stream]]

IDLE_SECONDS = 120.0
MAX_INTERIM = 16

GUARD_HEADER = "Windrow-Guard"
"""Marks an answer of the proxy itself; its value is the proxy's token, and no server's answer gets through with it."""
DEADLINE_HEADER = "Proxy-Deadline"
"""Asks the proxy to break the connection off after so many seconds, however busy it is by then."""

_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s\[\]:/?#@\\]+):(\d{1,5})")
_PORTS = 65536
_SWITCHING, _OK, _NO_CONTENT, _NOT_MODIFIED = 101, 200, 204, 304
_BAD_REQUEST, _FORBIDDEN, _BAD_GATEWAY = 400, 403, 502
_REASONS = {_BAD_REQUEST: "Bad Request", _FORBIDDEN: "Forbidden", _BAD_GATEWAY: "Bad Gateway"}


@dataclass(frozen=True)
class _Request:
    method: str
    version: str
    head: Head
    length: int

    @property
    def keeps_alive(self) -> bool:
        options = {*self.head.values("connection"), *self.head.values("proxy-connection")}
        return self.version == "HTTP/1.1" and "close" not in options

    @property
    def upgrade(self) -> str:
        asked = "upgrade" in self.head.values("connection")
        return ", ".join(self.head.values("upgrade")) if asked else ""


class Relay:
    """Serves one client until it leaves, falls silent, or its deadline passes."""

    def __init__(self, connect: Connect, token: str, client: Stream) -> None:
        """Serve a client's connection; ``connect`` is the guarded way out, ``token`` the proxy's."""
        self._connect = connect
        self._token = token
        self._reader, self._writer = client
        self._idle: asyncio.Timeout
        self._patience = IDLE_SECONDS

    async def run(self) -> None:
        """Serve the client, and leave its connection closed, or reset if an answer broke off."""
        with suppress(OSError, MessageError, TimeoutError):
            async with asyncio.timeout(IDLE_SECONDS) as self._idle, _closing(self._writer):
                while await self._serve_one():
                    self._touch()

    def _touch(self) -> None:
        if not self._idle.expired():
            self._idle.reschedule(asyncio.get_running_loop().time() + self._patience)

    async def _serve_one(self) -> bool:
        """Serve one request; return whether another may follow on the connection."""
        try:
            head = await read_head(self._reader)
            if head is None:
                return False
            method, target, version = head.start.split(" ")
            request = _Request(method, version, head, head.length() or 0)
            deadline = _deadline(head)
        except (MessageError, ValueError):
            await self._answer(_BAD_REQUEST, "The request is not understood.")
            return False
        # Who sets a deadline has decided how long to wait for a silent server, too.
        self._patience = max(IDLE_SECONDS, deadline or 0.0)
        self._touch()
        async with asyncio.timeout(deadline):
            if method == "CONNECT":
                return await self._tunnel(target)
            return await self._forward(request, target)

    async def _tunnel(self, target: str) -> bool:
        authority = _AUTHORITY.fullmatch(target)
        if authority is None or int(authority[2]) >= _PORTS:
            await self._answer(_BAD_REQUEST, "CONNECT asks for a host and a port.")
            return False
        server = await self._reach(authority[1], int(authority[2]))
        if server is None:
            return False
        async with _closing(server[1]):
            self._writer.write(encode_head(f"HTTP/1.1 {_OK} Connection established", []))
            await self._join(server)
        return False

    async def _join(self, server: Stream) -> None:
        """Pass bytes both ways until one side is done."""
        up = asyncio.create_task(Flow(self._reader, server[1], self._touch).copy(UNTIL_CLOSE))
        down = asyncio.create_task(Flow(server[0], self._writer, self._touch).copy(UNTIL_CLOSE))
        try:
            done, _ = await asyncio.wait((up, down), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await _cancel(up, down)

    async def _forward(self, request: _Request, target: str) -> bool:
        try:
            url = ada_url.URL(target)
        except ValueError:
            url = None
        if url is None or url.protocol != "http:":
            await self._answer(_BAD_REQUEST, "This is a proxy: it takes CONNECT, and requests for http:// addresses.")
            return False
        server = await self._reach(url.hostname, int(url.port or 80))
        if server is None:
            await Flow(self._reader, None, self._touch).copy(request.length)
            return request.keeps_alive
        async with _closing(server[1]):
            upload = asyncio.create_task(self._upload(request, url, server[1]))
            try:
                keeps_alive = await self._pass_answer(request, server)
                return keeps_alive and upload.done() and upload.exception() is None
            finally:
                await _cancel(upload)

    async def _upload(self, request: _Request, url: ada_url.URL, server: asyncio.StreamWriter) -> None:
        fields = [(name, value) for name, value in request.head.end_to_end() if name.lower() != "host"]
        upgrade = request.upgrade
        link = [("Connection", "Upgrade"), ("Upgrade", upgrade)] if upgrade else [("Connection", "close")]
        start = f"{request.method} {url.pathname}{url.search} {request.version}"
        flow = Flow(self._reader, server, self._touch)
        await flow.send(encode_head(start, [("Host", url.host), *fields, *link]))
        await flow.copy(request.length)

    async def _pass_answer(self, request: _Request, server: Stream) -> bool:
        flow = Flow(server[0], self._writer, self._touch)
        try:
            head, status = await self._final_head(flow, request)
            length = _answer_length(request.method, status, head)
        except (MessageError, OSError):
            await self._answer(_BAD_GATEWAY, "The server broke the connection off, or does not speak HTTP.")
            return False
        fields = [(name, value) for name, value in head.end_to_end() if name.lower() != GUARD_HEADER.lower()]
        if status == _SWITCHING:
            link = [("Connection", "Upgrade"), ("Upgrade", ", ".join(head.values("upgrade")))]
            await flow.send(encode_head(head.start, [*fields, *link]))
            await self._join(server)
            return False
        keeps_alive = request.keeps_alive and length != UNTIL_CLOSE
        await flow.send(encode_head(head.start, [*fields, ("Connection", "keep-alive" if keeps_alive else "close")]))
        await flow.copy(length)
        return keeps_alive

    async def _final_head(self, flow: Flow, request: _Request) -> tuple[Head, int]:
        """Read heads up to the one of the answer itself; those that only announce it are passed on."""
        for _ in range(MAX_INTERIM):
            head = await read_head(flow.source, lenient=True)
            found = re.match(r"HTTP/1\.[01] (\d{3})(?: |$)", head.start) if head else None
            if head is None or found is None:
                raise MessageError("no answer")
            status = int(found[1])
            if status >= _OK or (status == _SWITCHING and request.upgrade):
                return head, status
            if status == _SWITCHING:
                raise MessageError("a protocol that nobody asked for")
            await flow.send(encode_head(head.start, head.end_to_end()))
        raise MessageError("announcements without an answer")

    async def _reach(self, host: str, port: int) -> Stream | None:
        """Connect through the guard, or tell the client why not."""
        try:
            return await self._connect(host, port)
        except RefusedError as error:
            await self._answer(_FORBIDDEN, str(error))
        except WindrowError as error:
            await self._answer(_BAD_GATEWAY, str(error))
        return None

    async def _answer(self, status: int, sentence: str) -> None:
        body = f"{sentence}\n".encode()
        fields = [
            (GUARD_HEADER, self._token),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
        ]
        self._writer.write(encode_head(f"HTTP/1.1 {status} {_REASONS[status]}", fields) + body)
        await self._writer.drain()


def _deadline(head: Head) -> float | None:
    for value in head.values(DEADLINE_HEADER.lower()):
        seconds = float(value)
        if not 0 <= seconds < math.inf:
            raise ValueError
        return seconds
    return None


def _answer_length(method: str, status: int, head: Head) -> int:
    if method == "HEAD" or status in {_SWITCHING, _NO_CONTENT, _NOT_MODIFIED}:
        return 0
    length = head.length()
    return UNTIL_CLOSE if length is None else length


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # looked at, so that it is not reported as forgotten


@asynccontextmanager
async def _closing(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    """Close a connection when all has been sent, or reset it when something went wrong."""
    try:
        yield
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    except BaseException:
        reset(writer)
        raise
