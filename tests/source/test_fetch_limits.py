from __future__ import annotations

import gzip
import sys
import time
import tracemalloc
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import brotli  # type: ignore[import-untyped]
import pytest
from loopback import PAGE, Server, read_request, response

from windrow.errors import LimitError, SourceError
from windrow.options import Limits, Options
from windrow.source.content_codings import BLOCK_BYTES, decoded
from windrow.source.fetch import Answer, fetch
from windrow.source.guard import Guard
from windrow.source.proxy import GuardProxy

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

BOMB_BYTES = 40_000_000


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACKERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("X-GZIP", gzip.compress),
    "deflate": ("deflate", zlib.compress),
    "raw deflate": ("deflate", raw_deflate),
    "brotli": ("br", lambda data: brotli.compress(data, quality=4)),
    "zstd": ("zstd", zstd.compress),
    "gzip twice": ("gzip, gzip", lambda data: gzip.compress(gzip.compress(data))),
    "brotli in gzip": ("br,gzip", lambda data: gzip.compress(brotli.compress(data, quality=4))),
    "gzip in zstd": ("gzip , zstd", lambda data: zstd.compress(gzip.compress(data))),
}


def get(server: Server, **limits: float) -> Answer:
    options = Options(allow_private=True, limits=Limits(**limits))  # type: ignore[arg-type]
    with GuardProxy(Guard(allow_private=True)) as proxy:
        return fetch(server.url, options, proxy)


@pytest.mark.parametrize("name", PACKERS)
def test_compressed_page(name: str) -> None:
    coding, pack = PACKERS[name]
    page = PAGE * 20_000
    with Server(response(pack(page), f"Content-Encoding: {coding}")) as server:
        assert get(server).body == page
    assert list(decoded([pack(b"")], coding, "x")) == []
    assert b"".join(decoded([bytes([byte]) for byte in pack(PAGE)], coding, "x")) == PAGE


@pytest.mark.parametrize("name", PACKERS)
def test_bomb_is_cut_with_little_memory(name: str) -> None:
    coding, pack = PACKERS[name]
    bomb = pack(bytes(BOMB_BYTES))
    with Server(response(bomb, f"Content-Encoding: {coding}")) as server:
        tracemalloc.start()
        answer = get(server, bytes=1_000_000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert len(answer.body) == 1_000_000
    assert "longer than 1,000,000 bytes" in answer.cut
    assert peak < 6_000_000 + 2 * len(bomb)


def test_no_block_is_large() -> None:
    for coding, pack in PACKERS.values():
        assert max(map(len, decoded([pack(bytes(4_000_000))], coding, "x"))) <= BLOCK_BYTES * 2


def test_exactly_the_limit_is_whole() -> None:
    with Server(response(b"x" * 1000)) as server:
        assert get(server, bytes=1000).cut == ""
        assert get(server, bytes=999).cut


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_data_that_is_not_what_it_claims(coding: str) -> None:
    lie = response(b"\xfe<p>plain</p>" * 10, f"Content-Encoding: {coding}")
    with Server(lie) as server, pytest.raises(SourceError, match=f"not the {coding} data"):
        get(server)


@pytest.mark.parametrize("name", PACKERS)
def test_compressed_data_that_breaks_off(name: str) -> None:
    coding, pack = PACKERS[name]
    with pytest.raises(SourceError, match="breaks off"):
        list(decoded([pack(PAGE * 100)[:-10]], coding, "x"))


def test_members_and_padding() -> None:
    assert b"".join(decoded([gzip.compress(b"a") + gzip.compress(b"b")], "gzip", "x")) == b"ab"
    assert b"".join(decoded([gzip.compress(b"a") + b"\0" * 100, b"\0"], "gzip", "x")) == b"a"
    assert b"".join(decoded([zstd.compress(b"a") + zstd.compress(b"b")], "zstd", "x")) == b"ab"


def test_codings_that_browsers_do_not_know_are_ignored() -> None:
    assert b"".join(decoded([PAGE], "identity, none, utf-8", "x")) == PAGE


def test_too_many_codings() -> None:
    with pytest.raises(SourceError, match="6 times"):
        decoded([], ", ".join(["gzip"] * 6), "x")


def test_zstd_that_asks_for_a_huge_window() -> None:
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 27})
    data = packer.compress(b"x" * 1000) + packer.flush()
    with pytest.raises(SourceError):
        list(decoded([data], "zstd", "x"))


def test_long_runs_in_headers_take_no_time() -> None:
    runs = [";" + " " * 60_000, "; charset" * 7000, ";=" * 30_000, "a" * 60_000, '"' * 60_000]
    with Server() as server:
        for run in runs:
            server.answers = (
                response(PAGE, f"Content-Type: {run}", f"Set-Cookie: a=b{run}", f"Content-Encoding: {run}"),
            )
            started = time.monotonic()
            assert get(server).body == PAGE
            assert time.monotonic() - started < 1


def test_many_at_once() -> None:
    with Server() as server, ThreadPoolExecutor(16) as pool:
        bodies = list(pool.map(lambda _: get(server).body, range(64)))
    assert bodies == [PAGE] * 64


def test_no_limit_of_time() -> None:
    with Server() as server:
        assert get(server, seconds=float("inf")).body == PAGE


def drip(prefix: bytes, drop: bytes) -> Callable[[socket.socket], None]:
    def script(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(prefix)
        while True:
            time.sleep(0.02)
            connection.sendall(drop)

    return script


@pytest.mark.parametrize(
    ("prefix", "drop"),
    [
        (b"", b""),
        (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
        (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
        (b"HTTP/1.1 100 Go on\r\n\r\n", b"HTTP/1.1 100 Go on\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"0"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\0\0\0\0\0\0", b"n"),
    ],
)
def test_slow_server_without_a_body(prefix: bytes, drop: bytes) -> None:
    started = time.monotonic()
    with Server(drip(prefix, drop)) as server, pytest.raises(LimitError, match=r"within 0.4 seconds"):
        get(server, seconds=0.4)
    assert time.monotonic() - started < 2


@pytest.mark.parametrize("head", [b"", b"Content-Length: 100000\r\n"])
def test_slow_body_is_cut(head: bytes) -> None:
    started = time.monotonic()
    with Server(drip(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n<p>", b"x")) as server:
        answer = get(server, seconds=0.4)
    assert time.monotonic() - started < 2
    assert answer.body.startswith(b"<p>xx")
    assert "longer than 0.4 seconds" in answer.cut


def test_slow_redirects_share_one_deadline() -> None:
    def slow(connection: socket.socket) -> None:
        read_request(connection)
        time.sleep(0.15)
        connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")

    with Server(slow) as server, pytest.raises(LimitError):
        get(server, seconds=0.5)
    assert server.connections <= 5
