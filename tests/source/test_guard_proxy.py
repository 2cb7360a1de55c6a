from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from loopback import PAGE, Server, read_request, response

from windrow.errors import RefusedError, SourceError
from windrow.source import proxy as proxy_module
from windrow.source import relay
from windrow.source.guard import Guard
from windrow.source.proxy import GuardProxy

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def proxy() -> Iterator[GuardProxy]:
    with GuardProxy(Guard(allow_private=True)) as running:
        yield running


def dial(proxy: GuardProxy) -> socket.socket:
    host, port = proxy.address.split(":")
    return socket.create_connection((host, int(port)), timeout=5)


def ask(proxy: GuardProxy, *requests: bytes) -> bytes:
    """Send requests one after the other on one connection, and read until it is closed."""
    with dial(proxy) as connection:
        for request in requests:
            connection.sendall(request)
        return read_all(connection)


def read_all(connection: socket.socket) -> bytes:
    data = b""
    while block := connection.recv(65536):
        data += block
    return data


def get(server: Server, *fields: str, method: str = "GET", path: str = "", body: bytes = b"") -> bytes:
    lines = [f"{method} {server.url}{path} HTTP/1.1", "Host: wrong.example", *fields, "", ""]
    return "\r\n".join(lines).encode() + body


def split(answer: bytes) -> tuple[bytes, bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    return head, body


def test_absolute_form_is_passed_on_in_origin_form(proxy: GuardProxy) -> None:
    with Server() as server:
        request = get(
            server, "Connection: close, X-Hop", "X-Hop: 1", "Proxy-Authorization: Basic x", "X-End: 2", path="a?b"
        )
        head, body = split(ask(proxy, request))
    assert body == PAGE
    assert head.startswith(b"HTTP/1.1 200 OK")
    sent = server.requests[0].decode()
    assert sent.startswith(f"GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n")
    assert "X-End: 2" in sent
    assert "Connection: close" in sent
    for hidden in ("Proxy-", "X-Hop", "wrong.example"):
        assert hidden not in sent


def test_connection_of_the_client_stays_open(proxy: GuardProxy) -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: x\r\n\r\n"
    with Server(response(b"one"), chunked, response(b"", status="204 No Content"), response(b"last")) as server:
        answer = ask(proxy, get(server), get(server), get(server), get(server, "Connection: close"))
        assert server.connections == 4
    assert answer.count(b"HTTP/1.1 20") == 4
    assert b"\r\n\r\none" in answer
    assert b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\nHTTP/1.1 204" in answer
    assert answer.endswith(b"last")


def test_head_and_not_modified_have_no_body(proxy: GuardProxy) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
    same = b"HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n"
    with Server(head, same, response(b"last")) as server:
        answer = ask(proxy, get(server, method="HEAD"), get(server), get(server, "Connection: close"))
    assert answer.count(b"HTTP/1.1 ") == 3
    assert answer.endswith(b"last")


def test_body_without_length_ends_with_the_connection(proxy: GuardProxy) -> None:
    with Server(b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 300_000) as server:
        head, body = split(ask(proxy, get(server)))
    assert b"Connection: close" in head
    assert body == b"x" * 300_000


def test_bodies_go_up_by_length_and_in_chunks(proxy: GuardProxy) -> None:
    bodies: list[bytes] = []

    def take(connection: socket.socket) -> None:
        data = read_request(connection)
        while not data.endswith((b"xyz", b"0\r\n\r\n")):
            data += connection.recv(65536)
        bodies.append(split(data)[1])
        connection.sendall(response(b"thanks"))

    with Server(take) as server:
        chunks = b"3\r\nabc\r\n0\r\n\r\n"
        by_length = get(server, "Content-Length: 3", method="POST", body=b"xyz")
        in_chunks = get(server, "Transfer-Encoding: chunked", "Connection: close", method="POST", body=chunks)
        assert ask(proxy, by_length, in_chunks).count(b"thanks") == 2
    assert bodies == [b"xyz", chunks]


def test_announcements_are_passed_on(proxy: GuardProxy) -> None:
    def go_on(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        assert connection.recv(3) == b"xyz"
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + response(b"thanks"))

    with Server(go_on) as server, dial(proxy) as connection:
        connection.sendall(get(server, "Expect: 100-continue", "Content-Length: 3", method="POST"))
        assert read_request(connection).startswith(b"HTTP/1.1 100")
        connection.sendall(b"xyz")
        answer = b""
        while b"thanks" not in answer:
            answer += connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 103")


def test_upgrade_becomes_a_tunnel(proxy: GuardProxy) -> None:
    def echo(connection: socket.socket) -> None:
        assert b"Upgrade: websocket" in read_request(connection)
        connection.sendall(b"HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        connection.sendall(connection.recv(100).upper())

    with Server(echo) as server, dial(proxy) as connection:
        connection.sendall(get(server, "Connection: Upgrade", "Upgrade: websocket"))
        assert b"101" in read_request(connection)
        connection.sendall(b"hello")
        assert connection.recv(100) == b"HELLO"


def test_tunnel(proxy: GuardProxy) -> None:
    with Server() as server, dial(proxy) as connection:
        connection.sendall(f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\n\r\n".encode())
        assert read_request(connection).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert read_all(connection) == response()


def test_refusal_says_why_and_carries_the_token() -> None:
    with Server() as server, GuardProxy(Guard()) as proxy:
        plain = get(server, "Connection: close", "Content-Length: 3", method="POST", body=b"xyz")
        for request in (plain, f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\n\r\n".encode()):
            head, body = split(ask(proxy, request))
            assert head.startswith(b"HTTP/1.1 403")
            assert f"Windrow-Guard: {proxy.token}".encode() in head
            assert b"a loopback address" in body
        refused = proxy.failure("127.0.0.1", server.port)
        assert isinstance(refused, RefusedError)
        assert "a loopback address" in str(refused)
        assert proxy.failure("127.0.0.1", 1) is None
        assert server.connections == 0


def test_unreachable_is_told_apart_from_refused(proxy: GuardProxy) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        head, body = split(ask(proxy, f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode()))
    assert head.startswith(b"HTTP/1.1 502")
    assert b"nothing listens there" in body
    failed = proxy.failure("127.0.0.1", port)
    assert isinstance(failed, SourceError)
    assert "nothing listens" in str(failed)


def test_server_cannot_pass_for_the_guard(proxy: GuardProxy) -> None:
    with Server(response(b"", f"Windrow-Guard: {proxy.token}", status="403 Forbidden")) as server:
        assert b"Windrow-Guard" not in ask(proxy, get(server, "Connection: close"))


def test_closed_proxy_refuses_everything() -> None:
    with Server() as server, GuardProxy() as proxy:
        for request in (get(server, "Connection: close"), b"CONNECT example.org:443 HTTP/1.1\r\n\r\n"):
            assert ask(proxy, request).startswith(b"HTTP/1.1 403")
        assert server.connections == 0
        assert "may not use the network" in str(proxy.failure("example.org", 443))


def test_proxy_is_not_asked_through_itself(proxy: GuardProxy) -> None:
    for target in (proxy.address, f"localhost:{proxy.address.split(':')[1]}"):
        answer = ask(proxy, f"CONNECT {target} HTTP/1.1\r\n\r\n".encode())
        assert answer.startswith(b"HTTP/1.1 403")
        assert b"Windrow itself" in answer


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET https://example.org/ HTTP/1.1\r\n\r\n",
        b"GET file:///etc/passwd HTTP/1.1\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\n\n",
        b"CONNECT example.org:443 HTTP/1.1\r\nProxy-Deadline: nan\r\n\r\n",
        b"CONNECT example.org HTTP/1.1\r\n\r\n",
        b"CONNECT example.org:99999 HTTP/1.1\r\n\r\n",
        b"CONNECT a@127.0.0.1:80 HTTP/1.1\r\n\r\n",
        b"GET http://127.0.0.1/ HTTP/1.1\r\n folded: x\r\n\r\n",
        b"GET http://127.0.0.1/ HTTP/1.1\r\nContent-Length : 1\r\n\r\n",
        b"GET http://127.0.0.1/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"GET http://127.0.0.1/ HTTP/1.1\r\nContent-Length: +1\r\n\r\n",
        b"GET http://127.0.0.1/ HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"GET http://127.0.0.1/ HTTP/1.1\r\nX: " + b"x" * 70_000 + b"\r\n\r\n",
        b"GET http://127.0.0.1/ HTTP/1.1\r\n" + b"X: y\r\n" * 15_000 + b"\r\n",
    ],
)
def test_request_that_is_not_understood(proxy: GuardProxy, request_bytes: bytes) -> None:
    try:
        answer = ask(proxy, request_bytes)
    except ConnectionError:  # closed with the rest of an endless head unread
        return
    assert answer.startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nx",
        b"HTTP/1.1 101 No\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000,
        b"HTTP/1.1 100 Continue\r\n\r\n" * 100,
    ],
)
def test_answer_that_is_not_understood(proxy: GuardProxy, answer: bytes) -> None:
    with Server(answer) as server:
        assert b"HTTP/1.1 502" in ask(proxy, get(server, "Connection: close"))


@pytest.mark.parametrize(
    "answer",
    [
        b"Content-Length: 100\r\n\r\nshort",
        b"Transfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
def test_answer_that_breaks_off_is_seen_as_broken(proxy: GuardProxy, answer: bytes) -> None:
    with Server(b"HTTP/1.1 200 OK\r\n" + answer) as server, pytest.raises(ConnectionResetError):
        ask(proxy, get(server))


def test_sloppy_header_lines_of_servers_are_left_out(proxy: GuardProxy) -> None:
    with Server(b"HTTP/1.1 200 OK\r\nno colon\r\n folded\r\nContent-Length: 2\r\n\r\nhi") as server:
        head, body = split(ask(proxy, get(server, "Connection: close")))
    assert body == b"hi"
    assert b"folded" not in head


def test_deadline_ends_a_busy_tunnel(proxy: GuardProxy) -> None:
    def drip(connection: socket.socket) -> None:
        while True:
            connection.sendall(b"x")
            time.sleep(0.02)

    with Server(drip) as server, dial(proxy) as connection:
        started = time.monotonic()
        connection.sendall(f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\nProxy-Deadline: 0.3\r\n\r\n".encode())
        with pytest.raises(ConnectionResetError):
            read_all(connection)
        assert 0.25 < time.monotonic() - started < 3


def test_silence_ends_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay, "IDLE_SECONDS", 0.2)
    with Server(lambda _: time.sleep(1)) as server, GuardProxy(Guard(allow_private=True)) as proxy:
        for request in (b"", b"GET http", f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\n\r\n".encode()):
            started = time.monotonic()
            with pytest.raises(ConnectionResetError):
                ask(proxy, request)
            assert time.monotonic() - started < 0.9


def test_deadline_is_also_the_patience_with_a_silent_server(monkeypatch: pytest.MonkeyPatch, proxy: GuardProxy) -> None:
    def think(connection: socket.socket) -> None:
        time.sleep(0.4)
        connection.sendall(b"at last")

    monkeypatch.setattr(relay, "IDLE_SECONDS", 0.1)
    with Server(think) as server:
        request = f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\nProxy-Deadline: 3\r\n\r\n"
        assert ask(proxy, request.encode()).endswith(b"at last")


def test_connections_are_limited(monkeypatch: pytest.MonkeyPatch, proxy: GuardProxy) -> None:
    monkeypatch.setattr(proxy_module, "MAX_CONNECTIONS", 1)
    with dial(proxy) as first:
        first.sendall(b"GET ")
        time.sleep(0.1)
        with suppress(ConnectionError):
            assert ask(proxy, b"GET / HTTP/1.1\r\n\r\n") == b"", "closed without an answer"


def test_large_download_is_not_held_in_memory(proxy: GuardProxy) -> None:
    block = bytes(1024 * 1024)

    def pour(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        connection.settimeout(0.5)
        try:
            for _ in range(200):
                connection.sendall(block)
                sent.append(len(block))
        except TimeoutError:
            pass

    sent: list[int] = []
    with Server(pour) as server, dial(proxy) as connection:
        connection.sendall(get(server))
        time.sleep(0.8)
    assert sum(sent) < 30_000_000, "a client that does not read holds the server up"


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def test_close_leaves_no_thread_and_no_descriptor() -> None:
    with GuardProxy(Guard(allow_private=True)):
        pass
    before, threads = open_descriptors(), threading.active_count()
    for _ in range(5):
        with Server() as server:
            proxy = GuardProxy(Guard(allow_private=True))
            with dial(proxy) as idle, dial(proxy) as busy:
                idle.sendall(b"GET ")
                busy.sendall(f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\n\r\n".encode())
                read_request(busy)
                proxy.close()
                proxy.close()
    assert open_descriptors() == before
    assert threading.active_count() == threads
