"""Servers on the loopback interface whose every byte is scripted."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable
    from typing import Self

    Script = Callable[[socket.socket], None]

PAGE = b"<!doctype html><title>Hay</title><p>Rows of hay</p>"


def read_request(connection: socket.socket) -> bytes:
    """Read up to the end of a request's head, and no further than one reading goes."""
    data = b""
    while b"\r\n\r\n" not in data:
        block = connection.recv(65536)
        if not block:
            break
        data += block
    return data


def response(body: bytes = PAGE, *fields: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html", f"Content-Length: {len(body)}", *fields, "", ""]
    return "\r\n".join(lines).encode() + body


def redirect(location: str, *fields: str) -> bytes:
    return response(b"", f"Location: {location}", *fields, status="302 Found")


class Server:
    """Answers each connection with the next of the given bytes or scripts, and all later ones with the last."""

    def __init__(self, *answers: bytes | Script, tls: ssl.SSLContext | None = None) -> None:
        self.requests: list[bytes] = []
        self.connections = 0
        self.answers: tuple[bytes | Script, ...] = answers or (response(),)
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._closing = False
        self._threads[0].start()

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}/"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing = True
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            pass
        for thread in self._threads:
            thread.join(2)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            if self._closing:
                connection.close()
                return
            answer = self.answers[min(self.connections, len(self.answers) - 1)]
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(connection, answer), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, plain: socket.socket, answer: bytes | Script) -> None:
        plain.settimeout(5)
        with plain, suppress(OSError):
            connection = self._tls.wrap_socket(plain, server_side=True) if self._tls else plain
            with connection:
                if callable(answer):
                    answer(connection)
                    return
                self.requests.append(read_request(connection))
                connection.sendall(answer)
