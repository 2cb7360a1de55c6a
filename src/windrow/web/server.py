"""Serving the application: who may listen where, and connections that never finish what they began."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from windrow.errors import SourceError, UsageError
from windrow.web.application import make_application

if TYPE_CHECKING:
    import asyncio

    from windrow.web.desk import Desk

logger = logging.getLogger(__name__)

SECONDS_OF_SILENCE = 15.0
"""How long a client may be silent in the middle of a request, and how long the head of one may take in all."""
SECONDS_TO_END = 5


class PatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, but for clients that send half a request and then wait for ever."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # a narrower transport
        """Wait for the first request, for a while."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a request: for its head no longer than before, for its body anew with every part."""
        super().data_received(data)
        if self.transport.is_closing():
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

    def _wait(self) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(SECONDS_OF_SILENCE, self.transport.close)

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
