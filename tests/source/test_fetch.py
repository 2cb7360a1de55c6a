from __future__ import annotations

import base64
import json
import socket
import ssl
import struct
from pathlib import Path
from typing import Any

import pytest
from loopback import PAGE, Server, read_request, redirect, response

import windrow
from windrow.errors import (
    EmptyError,
    LimitError,
    RefusedError,
    SourceError,
    StatusError,
    UnreachableError,
    UsageError,
    WindrowError,
)
from windrow.options import Limits, Options
from windrow.source import fetch as fetch_module
from windrow.source.fetch import Answer, fetch
from windrow.source.guard import Guard
from windrow.source.proxy import GuardProxy


def get(server: Server | str, **options: Any) -> Answer:  # noqa: ANN401 - passed on to Options
    url = server if isinstance(server, str) else server.url
    return go(url, Options(allow_private=True, **options))


def go(url: str, options: Options) -> Answer:
    with GuardProxy(Guard(allow_private=options.allow_private, proxy=options.proxy)) as proxy:
        return fetch(url, options, proxy)


def test_answer() -> None:
    body = "<p>Привет</p>".encode("koi8-r")
    fields = ("content-TYPE: text/html; Charset='KOI8-R'", "X-Twice: a", "X-Twice: b")
    lines = "\r\n".join(["HTTP/1.1 200 OK", *fields, f"Content-Length: {len(body)}", "", ""])
    with Server(lines.encode() + body) as server:
        answer = get(f"{server.url}a b?c#d")
    assert (answer.status, answer.body, answer.charset, answer.cut) == (200, body, "KOI8-R", "")
    assert answer.headers["x-twice"] == "a, b"
    assert answer.url == f"{server.url}a%20b?c#d"
    request = server.requests[0].decode()
    assert request.startswith("GET /a%20b?c HTTP/1.1\r\n")
    assert f"Host: 127.0.0.1:{server.port}\r\n" in request
    assert "User-Agent: Windrow" in request
    assert "Accept-Language: en\r\n" in request
    assert "Proxy" not in request


def test_user_agent_and_language() -> None:
    with Server() as server:
        get(server, user_agent="Rake/1", language="de-AT")
    assert b"User-Agent: Rake/1\r\n" in server.requests[0]
    assert b"Accept-Language: de-AT\r\n" in server.requests[0]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "2130706433", "localhost", "[::ffff:127.0.0.1]", "[::1]"])
def test_loopback_is_refused_without_a_connection(host: str) -> None:
    with Server() as server:
        with pytest.raises(RefusedError):
            go(f"http://{host}:{server.port}/", Options())
        assert server.connections == 0


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data/",
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "http://[::ffff:127.0.0.1]/",
        "data:text/html,x",
        "http://0.0.0.0/",
        "//169.254.169.254/",
        "http://127.0.0.1:22/",
        "javascript:1",
    ],
)
def test_redirect_is_checked_again(location: str) -> None:
    with Server(redirect(location)) as server, pytest.raises(RefusedError):
        get(server)


def test_redirects_are_followed() -> None:
    with Server() as server:
        server.answers = (redirect("/b"), redirect("c?d"), redirect(f"http://localhost:{server.port}/é"), response())
        answer = get(f"{server.url}a#part")
    assert answer.url == f"http://localhost:{server.port}/%C3%A9#part"
    assert answer.redirects == tuple(f"{server.url}{path}#part" for path in ("a", "b", "c?d"))
    assert [request.split()[1] for request in server.requests] == [b"/a", b"/b", b"/c?d", b"/%C3%A9"]


def test_redirects_end() -> None:
    with Server(redirect("/again")) as server, pytest.raises(SourceError, match="redirects more than 20 times"):
        get(server)
    assert server.connections == 21


def test_redirect_to_nowhere() -> None:
    with Server(redirect("http://[/")) as server, pytest.raises(SourceError, match="not an address"):
        get(server)
    with Server(response(PAGE, status="302 Found")) as server:
        assert get(server).body == PAGE


def test_secrets_go_to_the_first_origin_only() -> None:
    with Server() as other, Server(redirect("/inside"), redirect(other.url), response()) as first:
        options = {"headers": {"Authorization": "Bearer s3cret", "X-Key": "s3cret", "Cookie": "sid=s3cret"}}
        get(first, **options)
    assert [request.count(b"s3cret") for request in first.requests] == [3, 3]
    assert b"s3cret" not in other.requests[0]


def test_another_port_or_name_is_another_origin() -> None:
    with Server(response()) as server:
        server.answers = (redirect(f"http://localhost:{server.port}/"), response())
        get(server, headers={"X-Key": "s3cret"})
    assert [b"s3cret" in request for request in server.requests] == [True, False]


def test_credentials_of_the_address_are_sent_home_and_never_shown() -> None:
    login = base64.b64encode(b"us@er:p\xc3\xa4ss").decode().encode()
    with Server() as other, Server(redirect("/inside"), redirect(other.url)) as first:
        answer = get(first.url.replace("//", "//us%40er:päss@"))
    assert all(b"Authorization: Basic " + login in request for request in first.requests)
    assert b"Authorization" not in other.requests[0]
    assert "@" not in answer.url
    with Server(response(status="500 No")) as server:
        with pytest.raises(StatusError) as caught:
            get(server.url.replace("//", "//user:s3cret@"))
        assert "s3cret" not in str(caught.value)
        answer = Answer("x", 200, {}, b"s3cret", None)
        assert "s3cret" not in repr(answer)
    for url in ("ftp://user:s3cret@h/", "http://user:s3cret@h:99999/", "http://user:s3cret@169.254.169.254/"):
        with pytest.raises(WindrowError) as refused:
            get(url)
        assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X", "a\r\nY: b"),
        ("X\r\nY", "b"),
        ("", "x"),
        ("X", "a\0"),
        ("X", "€"),
        ("Host", "x"),
        ("Proxy-Deadline", "9"),
        ("Transfer-Encoding", "chunked"),
        ("content-length", "1"),
        ("A b", "c"),
    ],
)
def test_headers_cannot_smuggle(name: str, value: str) -> None:
    with Server() as server, pytest.raises(UsageError):
        get(server, headers={name: value})
    assert server.connections == 0


def test_user_agent_cannot_smuggle() -> None:
    with pytest.raises(UsageError):
        get("http://127.0.0.1:8080/", user_agent="a\nb")


@pytest.mark.parametrize(
    ("status", "words"),
    [(401, "login"), (403, "let us in"), (404, "spelling"), (429, "Wait"), (418, "accept"), (503, "later")],
)
def test_error_status(status: int, words: str) -> None:
    with Server(response(status=f"{status} No")) as server, pytest.raises(StatusError, match=words) as caught:
        get(server)
    assert caught.value.status == status


@pytest.mark.parametrize("status", ["200 OK", "204 No Content"])
def test_nothing_is_an_answer_and_no_page(status: str) -> None:
    with Server(response(b"", status=status)) as server:
        assert get(server).body == b""
        with pytest.raises(EmptyError, match=r"empty"):
            windrow.load(server.url, render=False, options=Options(allow_private=True))


@pytest.mark.parametrize(("status", "words"), [("206 Partial Content", "part"), ("304 Not Modified", "nobody asked")])
def test_answers_that_nobody_asked_for(status: str, words: str) -> None:
    with Server(response(PAGE, status=status)) as server, pytest.raises(SourceError, match=words):
        get(server)


def test_answers_with_length_in_chunks_and_until_the_end() -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n2\r\nhi\r\n0\r\n\r\n"
    longer = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n<p>hi and more than was announced"
    with Server(chunked, b"HTTP/1.0 200 OK\r\n\r\n<p>hi", longer, b"HTTP/1.1 100 Go\r\n\r\n" + longer) as server:
        assert [get(server).body for _ in range(4)] == [b"<p>hi"] * 4


@pytest.mark.parametrize(
    "answer",
    [
        b"Content-Length: 100\r\n\r\n<p>hi",
        b"Content-Length: 100\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n5\r\n<p>",
        b"Transfer-Encoding: chunked\r\n\r\n",
    ],
)
def test_transfer_that_breaks_off(answer: bytes) -> None:
    with Server(b"HTTP/1.1 200 OK\r\n" + answer) as server, pytest.raises(UnreachableError, match="broke off"):
        get(server)


def test_reset_in_the_middle() -> None:
    def reset(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n<p>half")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    with Server(reset) as server, pytest.raises(UnreachableError, match="broke off"):
        get(server)


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-OpenSSH\r\n", b"\0" * 100, b"HTTP/1.1 abc\r\n\r\n"])
def test_something_else_than_http(answer: bytes) -> None:
    with Server(answer) as server, pytest.raises(SourceError, match=r"broke off|something else than HTTP"):
        get(server)


def test_endless_head() -> None:
    with Server(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 10_000) as server, pytest.raises(SourceError):
        get(server)


def test_nobody_there() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(UnreachableError, match="nothing listens there"):
            get(f"http://127.0.0.1:{unused.getsockname()[1]}/")


def test_no_such_name() -> None:
    with pytest.raises(SourceError, match=r"no host named nowhere.invalid. Check the spelling"):
        get("http://nowhere.invalid/")


def test_proxy_of_the_user() -> None:
    def tunnel(connection: socket.socket) -> None:
        seen.append(read_request(connection))
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        seen.append(read_request(connection))
        connection.sendall(response())

    seen: list[bytes] = []
    with Server(tunnel) as server:
        assert get("http://127.0.0.1:8080/x", proxy=f"http://127.0.0.1:{server.port}").body == PAGE
        assert seen[0].startswith(b"CONNECT 127.0.0.1:8080 ")
        assert seen[1].startswith(b"GET /x ")
        with pytest.raises(RefusedError):
            go("http://127.0.0.1:8080/x", Options(proxy=f"http://127.0.0.1:{server.port}"))
        assert server.connections == 1


def test_secure_connection(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    key, chain = certificate
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(chain, key)
    with Server(tls=tls) as server:
        with pytest.raises(SourceError, match=r"certificate of 127.0.0.1:.* does not hold"):
            get(server)
        monkeypatch.setattr(fetch_module, "_tls_context", lambda: ssl.create_default_context(cafile=chain))
        assert get(server).body == PAGE
        with pytest.raises(SourceError, match="certificate"):
            get(server.url.replace("127.0.0.1", "localhost"))
        with Server(redirect(server.url)) as plain:
            assert get(plain).url == server.url
    with Server(lambda hello: hello.sendall(response())) as plain, pytest.raises(SourceError, match="No secure"):
        get(plain.url.replace("http:", "https:"))


def session_file(folder: Path, *cookies: dict[str, object]) -> Path:
    path = folder / "session.json"
    path.write_text(json.dumps({"cookies": cookies, "storage": {}}))
    return path


def test_cookies_of_the_session(tmp_path: Path) -> None:
    home = {"name": "sid", "value": "1", "domain": "127.0.0.1", "path": "/", "expires": -1}
    named = home | {"name": "local", "domain": "localhost"}
    secure = home | {"name": "secure", "secure": True}
    expired = home | {"name": "old", "expires": 1}
    path = session_file(tmp_path, home, named, secure, expired, home | {"name": "deep", "path": "/deep"})
    with Server() as server:
        get(server, session=path)
        get(server.url.replace("127.0.0.1", "localhost"), session=path)
        get(f"{server.url}deep/x", session=path)
    cookies = [line for head in server.requests for line in head.decode().split("\r\n") if line.startswith("Cookie")]
    assert cookies == ["Cookie: sid=1", "Cookie: local=1", "Cookie: deep=1; sid=1"]


def test_cookies_set_on_the_way_are_sent_on() -> None:
    with (
        Server() as other,
        Server(redirect("/b", "Set-Cookie: seen=1; Path=/"), redirect(other.url), response()) as server,
    ):
        get(server)
    assert b"Cookie: seen=1" in server.requests[1]


def test_missing_session() -> None:
    with Server() as server, pytest.raises(SourceError, match="windrow login"):
        get(server, session=Path("/nowhere/session.json"))
    assert server.connections == 0


def test_limits_are_passed_by() -> None:
    with Server() as server, pytest.raises(LimitError, match="within 1e-09 seconds"):
        get(server, limits=Limits(seconds=1e-9))
