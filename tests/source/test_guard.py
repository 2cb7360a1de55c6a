from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import Server, read_request

from windrow.errors import RefusedError, SourceError, UsageError, WindrowError
from windrow.source.guard import BAD_PORTS, Guard, shown_url
from windrow.source.proxy import GuardProxy

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

# fmt: off
LOOPBACK_SPELLINGS = [
    "127.0.0.1", "127.1", "127.0.1", "0x7f.1", "0x7f000001", "0X7F.0.0.1", "2130706433", "017700000001",
    "0177.0.0.1", "127.0.0.1.", "[::1]", "[0:0::0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "localhost", "LOCALHOST", "localhost.",
    "evil.localhost", "⑫⑦.⓪.⓪.①", "127。0。0。1", "127%2e0%2E0.1", "%31%32%37.0.0.1", "0", "0.0.0.0",  # noqa: S104
    "127.127.127.127", "user:password@127.0.0.1", "example.org@127.0.0.1", "[::]",
    "１２７.0.0.1", "ｌｏｃａｌｈｏｓｔ",
]
# fmt: on
OTHER_SCHEMES = [
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "fIlE:/etc/passwd",
    "ftp://example.org/",
    "data:text/html,x",
    "javascript:alert(1)",
    "view-source:http://example.org/",
    "blob:https://example.org/x",
    "ws://example.org/",
    "wss://example.org/",
    "gopher://example.org/",
    "chrome://version",
    "mailto:a@example.org",
    "jar:http://example.org!/",
    "\tfile:///etc/passwd",
    "fi\nle:///etc/passwd",
    "localhost:80",
    "about:blank",
]  # fmt: skip
NO_ADDRESSES = [
    "",
    "example.org",
    "//example.org/",
    "http://",
    "http://a b/",
    "http://[::1",
    "http://x:99999/",
    "https://%00/",
]


def answers(*addresses: str) -> tuple[Guard, list[str]]:
    asked: list[str] = []

    def resolver(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return addresses

    return Guard(resolver=resolver), asked


@pytest.mark.parametrize("host", LOOPBACK_SPELLINGS)
def test_spelling_of_loopback_is_refused_and_never_connected_to(host: str) -> None:
    with Server() as server:
        guard = Guard()
        with pytest.raises(RefusedError):
            guard.check_url(f"http://{host}:{server.port}/")
        with pytest.raises(WindrowError):
            asyncio.run(guard.connect(host, server.port))
        assert server.connections == 0


@pytest.mark.parametrize("url", OTHER_SCHEMES)
def test_scheme_is_refused(url: str) -> None:
    for allow_private in (False, True):
        with pytest.raises(RefusedError):
            Guard(allow_private=allow_private).check_url(url)


@pytest.mark.parametrize("url", NO_ADDRESSES)
def test_no_web_address(url: str) -> None:
    with pytest.raises(SourceError, match="spelling"):
        Guard().check_url(url)


def test_too_long_an_address() -> None:
    with pytest.raises(SourceError, match="too long") as caught:
        Guard().check_url("http://example.org/" + "a" * 100_000)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("port", [22, 25, 6000, 6667, 10080, 0])
def test_port_of_another_protocol_is_refused(port: int) -> None:
    assert port in BAD_PORTS
    with pytest.raises(RefusedError, match=f"Port {port} "):
        Guard(allow_private=True).check_url(f"http://example.org:{port}/")
    with pytest.raises(RefusedError):
        asyncio.run(answers("8.8.8.8")[0].connect("example.org", port))


def test_parser_confusion_ends_at_the_host_that_is_connected_to() -> None:
    guard = Guard()
    assert guard.check_url("http:\\\\example.org\\@127.0.0.1\\") == "http://example.org/@127.0.0.1/"
    assert (
        guard.check_url("http://127.0.0.1#@example.org/".replace("127.0.0.1", "a.example"))
        == "http://a.example/#@example.org/"
    )
    for url in ("http://example.org\\@127.0.0.1@127.0.0.1/", "http://example.org:80@127.0.0.1/", "https:127.0.0.1"):
        try:
            assert ada_url.URL(guard.check_url(url)).hostname == "example.org"
        except WindrowError:
            continue


def test_public_addresses_pass() -> None:
    guard = Guard()
    assert guard.check_url(" HTTPS://EXAMPLE.org:443/a/../b?c#d\n") == "https://example.org/b?c#d"
    assert guard.check_url("http://münchen.example/") == "http://xn--mnchen-3ya.example/"
    assert guard.check_url("http://0x08.8.8.8") == "http://8.8.8.8/"


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fe80::1%eth0", "100.64.1.1"])
def test_name_that_resolves_to_a_private_address_is_refused(address: str) -> None:
    guard, _ = answers(address)
    with pytest.raises(RefusedError, match=r"evil\.example"):
        asyncio.run(guard.connect("evil.example", 80))


def test_name_with_one_private_address_among_public_ones_is_refused() -> None:
    guard, _ = answers("8.8.8.8", "2600::1", "127.0.0.1")
    with pytest.raises(RefusedError):
        asyncio.run(guard.connect("evil.example", 80))


def test_rebinding_is_not_even_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    replies = iter([["8.8.8.8"], ["127.0.0.1"]])
    opened: list[str] = []

    async def open_connection(address: str, _port: int, **_: object) -> None:
        opened.append(address)

    monkeypatch.setattr(asyncio, "open_connection", open_connection)
    guard = Guard(resolver=lambda _host, _port: next(replies))
    asyncio.run(guard.connect("rebinding.example", 80))
    assert opened == ["8.8.8.8"]
    assert next(replies) == ["127.0.0.1"], "the second answer was never asked for"


def test_loopback_names_are_loopback_whatever_the_resolver_says() -> None:
    guard, asked = answers("8.8.8.8")
    for host in ("localhost", "a.LOCALHOST."):
        with pytest.raises(RefusedError):
            asyncio.run(guard.connect(host, 80))
    assert asked == []


def test_addresses_are_tried_in_turn() -> None:
    with Server() as server:
        guard = Guard(allow_private=True, resolver=lambda _host, _port: ["127.0.0.2", "127.0.0.1"])

        async def visit() -> None:
            _, writer = await guard.connect("two.example", server.port)
            writer.close()
            await writer.wait_closed()

        asyncio.run(visit())


@pytest.mark.parametrize("error", [OSError("no"), UnicodeError("label too long")])
def test_unknown_name(error: Exception) -> None:
    def resolver(_host: str, _port: int) -> Sequence[str]:
        raise error

    with pytest.raises(SourceError, match=r"no host named nowhere.example. Check the spelling"):
        asyncio.run(Guard(resolver=resolver).connect("nowhere.example", 80))


def test_host_that_is_none() -> None:
    guard, asked = answers("8.8.8.8")
    for host in ("", "a/b", "a@b", "a:80", "a b", "a\\b", "::1", "[fe80::1%25eth0]", "a\0b", "[::1]:80"):
        with pytest.raises(WindrowError):
            asyncio.run(guard.connect(host, 80))
    assert asked == []


def test_own_proxy_is_kept_out_of() -> None:
    guard = Guard(allow_private=True)
    with GuardProxy(guard) as proxy:
        port = int(proxy.address.split(":")[1])
        for host in ("127.0.0.1", "localhost", "127.1"):
            with pytest.raises(RefusedError, match="Windrow itself"):
                asyncio.run(guard.connect(host, port))


@pytest.mark.parametrize(
    "proxy", ["", "socks5://localhost:1", "https://localhost:1", "localhost:1", "http://a:b@", "http://a/b"]
)
def test_proxy_that_is_none(proxy: str) -> None:
    if not proxy:
        Guard(proxy=proxy)
        return
    with pytest.raises(UsageError) as caught:
        Guard(proxy=proxy)
    assert "a:b" not in str(caught.value)


def test_upstream_proxy_gets_the_checked_address_and_its_credentials() -> None:
    def tunnel(connection: socket.socket) -> None:
        seen.append(read_request(connection))
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\nhello")

    async def visit(proxy: str) -> bytes:
        guard = Guard(proxy=proxy, resolver=lambda _host, _port: ["8.8.8.8"])
        reader, writer = await guard.connect("example.org", 443)
        data = await reader.read()
        writer.close()
        return data

    seen: list[bytes] = []
    with Server(tunnel) as server:
        assert asyncio.run(visit(f"http://us%40er:pass@127.0.0.1:{server.port}")) == b"hello"
    assert seen[0].startswith(b"CONNECT 8.8.8.8:443 HTTP/1.1\r\nHost: 8.8.8.8:443\r\n")
    assert b"Proxy-Authorization: Basic dXNAZXI6cGFzcw==\r\n" in seen[0]
    assert b"example.org" not in seen[0]


def test_upstream_proxy_is_no_way_around_the_guard() -> None:
    with Server() as server:
        guard = Guard(proxy=f"http://127.0.0.1:{server.port}", resolver=lambda _host, _port: ["10.0.0.1"])
        for host in ("evil.example", "127.0.0.1", "169.254.169.254"):
            with pytest.raises(RefusedError):
                asyncio.run(guard.connect(host, 80))
        assert server.connections == 0


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (b"HTTP/1.1 407 No\r\n\r\n", "asks for a name and a password"),
        (b"HTTP/1.1 503 No\r\n\r\n", "your proxy answered with status 503"),
        (b"SSH-2.0\r\n\r\n", "does not speak HTTP"),
        (b"", "does not speak HTTP"),
    ],
)
def test_upstream_proxy_that_fails(answer: bytes, sentence: str) -> None:
    with Server(answer) as server:
        guard = Guard(proxy=f"http://u:secret@127.0.0.1:{server.port}", resolver=lambda _host, _port: ["8.8.8.8"])
        with pytest.raises(SourceError, match=sentence) as caught:
            asyncio.run(guard.connect("example.org", 443))
    assert "secret" not in str(caught.value)


def test_shown_url_has_no_credentials() -> None:
    assert shown_url("https://user:secret@example.org/a") == "https://example.org/a"
    for url in ("http://user:secret@x:99999/", "http://us er:sec/ret@h:x/", "user:secret@host"):
        assert "sec" not in shown_url(url)
    assert "\x1b" not in shown_url("http://x:y\x1b[31m/")


@given(st.text())
def test_any_text_is_passed_as_http_or_refused_in_a_sentence(text: str) -> None:
    for url in (text, f"http://{text}", f"http://user:{text}@example.org:x/"):
        try:
            said = Guard().check_url(url)
        except WindrowError as error:
            said = str(error)
        assert said.startswith(("http://", "https://")) or said.endswith(".")


def test_urls_of_the_standard() -> None:
    file = Path(os.environ.get("WINDROW_BENCH_DATA", "none")) / "conformance" / "urltestdata.json"
    if not file.is_file():
        pytest.skip("WINDROW_BENCH_DATA does not name a folder with conformance/urltestdata.json")
    cases = json.loads(file.read_text())
    guard = Guard(allow_private=True)
    for case in cases:
        if isinstance(case, str) or case.get("base"):
            continue
        try:
            href = guard.check_url(case["input"])
        except WindrowError:
            web = case.get("protocol") in {"http:", "https:"}
            host = case.get("hostname", "")
            assert case.get("failure") or not web or int(case["port"] or 80) in BAD_PORTS or host[0] in "[0123456789", (
                case
            )
        else:
            assert href == case["href"], case
