"""The proxy that the browser and our own client go through, so that one guard sees every connection of both."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from windrow.errors import RefusedError, WindrowError
from windrow.source.http1 import HEAD_BYTES, Stream, reset
from windrow.source.relay import Relay

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from windrow.source.guard import Guard

logger = logging.getLogger(__name__)

MAX_CONNECTIONS = 256
MAX_REMEMBERED = 1024
JOIN_SECONDS = 5.0


class GuardProxy:
    """An HTTP proxy on a port of 127.0.0.1, in one daemon thread; runs from construction until ``close``.

    Without a guard it refuses everything, for pages that must not reach the network at all. A request that is refused
    is answered with 403, one that fails with 502; both carry ``token`` in the header ``Windrow-Guard``.
    """

    def __init__(self, guard: Guard | None = None) -> None:
        """Listen and start serving."""
        self.token = secrets.token_hex(16)
        self._guard = guard
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=MAX_CONNECTIONS)
        self._port: int = self._listener.getsockname()[1]
        if guard is not None:
            guard.keep_out_of(self._port)
        self._failures: dict[tuple[str, int], tuple[type[WindrowError], str]] = {}
        self._clients: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="windrow-guard", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Where the proxy listens, as ``127.0.0.1:port``."""
        return f"127.0.0.1:{self._port}"

    def failure(self, host: str, port: int) -> WindrowError | None:
        """Return why the last connection to a host was not made, a refusal or no answer, or None if it was."""
        kind, sentence = self._failures.get(_key(host, port), (None, None))
        return kind(sentence) if kind else None

    def close(self) -> None:
        """Break all connections off and stop; closing twice does nothing."""
        with suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(JOIN_SECONDS)

    def abandon(self) -> None:
        """In a forked child, where the thread does not exist, give up the port that the parent serves."""
        self._listener.close()

    def __enter__(self) -> Self:
        """Return the running proxy."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the proxy."""
        self.close()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._accept, sock=self._listener, limit=HEAD_BYTES)
        await self._stopping.wait()
        server.close()
        for task in self._clients:
            task.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)
        await asyncio.sleep(0)  # lets the transports that were reset close their sockets

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._clients) >= MAX_CONNECTIONS:
            reset(writer)
            return
        task = asyncio.create_task(Relay(self._connect, self.token, (reader, writer)).run())
        self._clients.add(task)
        task.add_done_callback(self._clients.discard)

    async def _connect(self, host: str, port: int) -> Stream:
        try:
            if self._guard is None:
                raise RefusedError(f"{host} was refused, because this page may not use the network.")
            stream = await self._guard.connect(host, port)
        except WindrowError as error:
            self._remember(host, port, error)
            logger.info("no connection to %s port %d: %s", host, port, error)
            raise
        self._failures.pop(_key(host, port), None)
        logger.debug("connected to %s port %d", host, port)
        return stream

    def _remember(self, host: str, port: int, error: WindrowError) -> None:
        self._failures.pop(_key(host, port), None)
        if len(self._failures) >= MAX_REMEMBERED:
            del self._failures[next(iter(self._failures))]
        self._failures[_key(host, port)] = (type(error), str(error))


def _key(host: str, port: int) -> tuple[str, int]:
    return host.strip("[]").lower(), port
