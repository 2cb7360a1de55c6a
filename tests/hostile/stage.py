"""A stage for hostile pages: servers with public-looking names, and canaries at every place that must not be reached.

``page.test`` and ``other.test`` look public to the guard and are served from the loopback interface; everything else is
what the guard makes of it. Whatever arrives at a canary has found a way around.
"""

from __future__ import annotations

import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from unittest import mock

from windrow.source.guard import Guard
from windrow.source.proxy import GuardProxy

if TYPE_CHECKING:
    from typing import Self

    from windrow.source.http1 import Stream

PUBLIC = {"page.test": "93.184.215.14", "other.test": "93.184.215.15"}
HOME = "http://page.test/"
SECRET = "the-secret-of-the-canary-file"  # noqa: S105 - text to be looked for, no password


@dataclass(frozen=True)
class Reply:
    """What a path of the server answers: bytes, or a function that writes them one by one to the connection."""

    body: bytes | Callable[[socket.socket], None] = b""
    media_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Routes: TypeAlias = Mapping[str, Reply]
Received: TypeAlias = tuple[str, str, dict[str, str]]


@dataclass(frozen=True)
class Targets:
    """What hostile pages try to reach."""

    http: str = "http://127.0.0.1:9999"
    ipv6: str = "http://[::1]:9999"
    udp: str = "127.0.0.1:9999"
    file: str = "file:///etc/hostname"


class Canaries:
    """Listeners that note every connection and datagram, and a file that nobody may read."""

    def __init__(self) -> None:
        """Listen."""
        self.caught: list[str] = []
        self._folder = tempfile.TemporaryDirectory(prefix="canary-")
        Path(self._folder.name).chmod(0o755)
        secret = Path(self._folder.name) / "secret.html"
        secret.write_text(f"<p>{SECRET}</p>", "utf-8")
        secret.chmod(0o644)
        tcp = socket.create_server(("127.0.0.1", 0))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", 0))
        self._sockets = [tcp, udp]
        port = tcp.getsockname()[1]
        with suppress(OSError):
            self._sockets.append(socket.create_server(("::1", port), family=socket.AF_INET6))
        self.targets = Targets(
            http=f"http://127.0.0.1:{port}",
            ipv6=f"http://[::1]:{port}",
            udp=f"127.0.0.1:{udp.getsockname()[1]}",
            file=secret.as_uri(),
        )
        for listener in self._sockets:
            threading.Thread(target=self._watch, args=(listener,), daemon=True).start()

    def _watch(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                if listener.type == socket.SOCK_DGRAM:
                    data = listener.recv(2048)
                    self.caught.append(f"UDP {data[:60]!r}")
                    continue
                connection, _ = listener.accept()
                with connection, suppress(OSError):
                    connection.settimeout(0.5)
                    self.caught.append("TCP")
                    self.caught[-1] = f"TCP {connection.recv(200)[:80]!r}"

    def close(self) -> None:
        """Stop listening."""
        for listener in self._sockets:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self._folder.cleanup()


class Site:
    """An HTTP server on a loopback port; the same routes answer for every host name."""

    def __init__(self, routes: Routes) -> None:
        """Serve."""
        self.routes = dict(routes)
        self.received: list[Received] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.answer(self)

            do_POST = do_HEAD = do_GET  # noqa: N815 - the names that the server looks for

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_: object) -> None:
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        """Answer one request by its path."""
        path = request.path
        if path.startswith("http"):  # asked as a proxy
            path = "/" + path.split("/", 3)[3]
        self.received.append((request.path, request.headers.get("Host", ""), dict(request.headers.items())))
        reply = self.routes.get(path) or self.routes.get(path.partition("?")[0]) or Reply(b"nothing here", status=404)
        request.close_connection = True
        if callable(reply.body):
            reply.body(request.connection)
            return
        request.send_response(reply.status)
        fields = {"Content-Type": reply.media_type, "Content-Length": str(len(reply.body)), **reply.headers}
        for name, value in fields.items():
            if value:
                request.send_header(name, value)
        request.send_header("Connection", "close")
        request.end_headers()
        with suppress(OSError):
            request.wfile.write(reply.body)

    def __enter__(self) -> Self:
        """Return the running server."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._server.shutdown()
        self._server.server_close()


class StagedGuard(Guard):
    """The guard as it is, but what it lets out to the public names arrives at a server of ours."""

    def __init__(self, port: int) -> None:
        """Take the port of the server."""
        super().__init__(resolver=self._staged_addresses)
        self._port = port
        self.looked_up: list[str] = []

    def _staged_addresses(self, host: str, port: int) -> list[str]:
        self.looked_up.append(f"{host}:{port}")
        return [PUBLIC[host]] if host in PUBLIC else []

    async def _open(self, address: str, port: int) -> Stream:
        if address not in PUBLIC.values():
            raise ConnectionRefusedError(address)
        return await Guard(allow_private=True).connect("127.0.0.1", self._port if port in {80, 443} else port)


@contextmanager
def staged(site: Site) -> Iterator[GuardProxy]:
    """Let ``windrow.load`` go out through a guard for which the site is public."""
    with (
        GuardProxy(StagedGuard(site.port)) as proxy,
        mock.patch("windrow.loader.backend.Backend.proxy", return_value=proxy),
    ):
        yield proxy


def html(text: str) -> Reply:
    """Answer with a page."""
    return Reply(text.encode("utf-8", "surrogatepass"))


def redirect(location: str, status: int = 302) -> Reply:
    """Answer with a redirect."""
    return Reply(status=status, headers={"Location": location})


def drip(head: bytes, drop: bytes, pause: float, times: int | None = None) -> Reply:
    """Answer piece by piece, for ever or so many times."""

    def write(connection: socket.socket) -> None:
        with suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n" + head)
            for _ in repeat(None) if times is None else repeat(None, times):
                connection.sendall(drop)
                time.sleep(pause)

    return Reply(write)


def raw(answer: bytes) -> Reply:
    """Answer with these bytes, whatever they are."""

    def write(connection: socket.socket) -> None:
        with suppress(OSError):
            connection.sendall(answer)

    return Reply(write)
