"""Answers as archives keep them: with codings, without them, with headers that lie."""

from __future__ import annotations

import gzip
import zlib

import brotli  # type: ignore[import-untyped]
import pytest
from archives import http, page
from backports import zstd

from windrow.batch.response import Unreadable, decode_body, parse_response

BODY = page("amber")
MOST = 1 << 20
HTML = "Content-Type: text/html"


def chunked(body: bytes, size: int = 100) -> bytes:
    """Return a body in chunks."""
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def decode(content: bytes, most: int = MOST) -> bytes:
    return decode_body(parse_response(content), most, "https://quillfold.example/amber")


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (BODY, ()),
        (gzip.compress(BODY, mtime=0), ("Content-Encoding: gzip",)),
        (zlib.compress(BODY), ("Content-Encoding: deflate",)),
        (brotli.compress(BODY), ("Content-Encoding: br",)),
        (zstd.compress(BODY), ("Content-Encoding: zstd",)),
        (chunked(BODY), ("Transfer-Encoding: chunked",)),
        (chunked(gzip.compress(BODY, mtime=0)), ("Transfer-Encoding: chunked", "Content-Encoding: gzip")),
        (chunked(gzip.compress(BODY, mtime=0)), ("Transfer-Encoding: gzip, chunked",)),
        (gzip.compress(brotli.compress(BODY), mtime=0), ("Content-Encoding: br", "Transfer-Encoding: gzip")),
        # what is no coding, as browsers see it
        (gzip.compress(BODY, mtime=0), ("Content-Encoding: gzip, utf-8",)),
        (gzip.compress(BODY, mtime=0), ("Content-Encoding: utf-8, gzip",)),
        (gzip.compress(BODY, mtime=0), ("Content-Encoding: aws-chunked, gzip",)),
        (gzip.compress(BODY, mtime=0), ("Content-Encoding: none", "Content-Encoding: gzip")),
        (BODY, ("Content-Encoding: utf-8",)),
        (BODY, ("Content-Encoding: gzip", "Content-Length: 99")),  # undone by the archive, which left the headers
        (BODY, ("Transfer-Encoding: chunked",)),
        (
            gzip.compress(BODY, mtime=0),
            ("Content-Encoding: gzip", f"Content-Length: {len(BODY)}"),
        ),  # the length without the coding
        (BODY, ("X-Long: a", " and more")),
    ],
)
def test_codings_are_undone(body: bytes, headers: tuple[str, ...]) -> None:
    assert decode(http(body, HTML, *headers)) == BODY


@pytest.mark.parametrize(
    ("body", "headers", "reason"),
    [
        (BODY, ("Content-Length: 9999",), "truncated"),
        (BODY, ("Content-Length: 9999", "Content-Length: 9999"), "truncated"),
        (BODY, ("Content-Length: 9999", "Content-Encoding: identity"), "truncated"),
        (gzip.compress(BODY, mtime=0)[:-40], ("Content-Encoding: gzip", "Content-Length: 9999"), "truncated"),
        (gzip.compress(BODY, mtime=0)[:-40], ("Content-Encoding: gzip",), "truncated"),
        (b"\xff\x44\x43\x42" + bytes(200), ("Content-Encoding: dcb",), "coding"),  # by a dictionary that nobody kept
        (gzip.compress(b"\xff\x44\x43\x42" + bytes(200), mtime=0), ("Content-Encoding: dcb, gzip",), "coding"),
        (b"\x00\x01\x02\x03" * 50, ("Content-Encoding: br",), "coding"),
        (chunked(BODY)[:-200], ("Transfer-Encoding: chunked",), "truncated"),
        (chunked(BODY).replace(b"64\r\n", b"63\r\n", 1), ("Transfer-Encoding: chunked",), "truncated"),
        (gzip.compress(bytes(3 * MOST), mtime=0), ("Content-Encoding: gzip",), "too-large"),
        (b"a" * (MOST + 1), (), "too-large"),
    ],
)
def test_what_cannot_be_read_has_a_reason(body: bytes, headers: tuple[str, ...], reason: str) -> None:
    with pytest.raises(Unreadable) as found:
        decode(http(body, HTML, *headers))
    assert found.value.reason == reason


def test_headers_are_joined_and_their_names_are_in_lower_case() -> None:
    response = parse_response(http(b"", "Vary: a", "VARY: b", "Content-Type: text/html;", "\tcharset=latin1"))
    assert response.headers == {"vary": "a, b", "content-type": "text/html; charset=latin1"}


def test_what_a_server_says_before_its_answer_is_left_out() -> None:
    early = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
    assert parse_response(early + http(BODY)) == parse_response(http(BODY))
    assert parse_response(early).status == 103


@pytest.mark.parametrize("content", [b"", b"20260301 quillfold.example 192.0.2.1", b"HTTP/1.1 soon\r\n\r\n"])
def test_what_is_no_answer_is_named(content: bytes) -> None:
    with pytest.raises(Unreadable) as found:
        parse_response(content)
    assert found.value.reason == "not-http"
