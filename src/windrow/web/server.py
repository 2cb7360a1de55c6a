"""Serving the application: who may listen where, and connections that never finish what they began."""

from __future__ import annotations

import logging
import socket
from typing import TYPE_CHECKING

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from windrow.errors import SourceError, UsageError
from windrow.web.application import make_application
from windrow.web.gate import HEADERS
from windrow.web.problems import MEDIA_TYPE, problem

if TYPE_CHECKING:
    import asyncio

    from windrow.web.desk import Desk

logger = logging.getLogger(__name__)

SECONDS_OF_SILENCE = 15.0
"""How long a client may be silent in the middle of a request, and how long the head of one may take in all."""
SECONDS_TO_END = 5
SECONDS_TO_TAKE = 2.0
"""How long the rest of a request that was refused is taken and thrown away, so that its sender gets to read why."""
NO_REQUEST = "That is no HTTP request, or one whose head is longer than 64 kB. Ask for less at a time."


class PatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, but for clients that send half a request and wait for ever, or send something else."""

    _deadline: asyncio.TimerHandle | None = None
    _is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # a narrower transport
        """Wait for the first request, for a while; let no part of an answer wait for the one before to arrive."""
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a request: for its head no longer than before, for its body anew with every part."""
        if self._is_refused:
            return
        super().data_received(data)
        if self.transport.is_closing() or self._is_refused:
            return
        if self.conn.their_state is h11.SEND_BODY:
            self._wait()
        elif self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._deadline is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what can't be understood as every other error is answered, and hang up once that was heard."""
        logger.info("refused: %s", msg)
        body = bytes(problem(400, NO_REQUEST).body)
        headers = {**HEADERS, "content-type": MEDIA_TYPE, "content-length": str(len(body)), "connection": "close"}
        answer = h11.Response(status_code=400, headers=list(headers.items()), reason="Bad Request")
        for event in (answer, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self._is_refused = True
        self._wait(SECONDS_TO_TAKE)

    def _wait(self, seconds: float | None = None) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(seconds or SECONDS_OF_SILENCE, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def serve(desk: Desk) -> None:
    """Serve until SIGTERM or Ctrl-C."""
    reach = desk.reach
    config = uvicorn.Config(
        make_application(desk),
        host=reach.host,
        port=reach.port,
        http=PatientProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=SECONDS_TO_END,
        timeout_graceful_shutdown=SECONDS_TO_END,
    )
    server = uvicorn.Server(config)
    try:
        sock = config.bind_socket()
    except SystemExit:
        raise SourceError(
            f"{reach.host}:{reach.port} can't be listened on; another program may do so. Choose another --port."
        ) from None
    server.run(sockets=[sock])


def check_reach(desk: Desk, *, has_password: bool) -> None:
    """Refuse to be reached from elsewhere without a password."""
    if not has_password and not desk.reach.is_loopback:
        raise UsageError(
            f"{desk.reach.host} can be reached by others, so a password is needed. Set WINDROW_WEB_PASSWORD, or start "
            "`windrow web` once on a terminal without --host."
        )
