from __future__ import annotations

import gzip
import io
import time
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.errors import NotHtmlError
from windrow.source.sniffing import find_kind, require_html

PAGE = b"<!DOCTYPE html><html><title>x</title>"


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("body", "content_type", "name"),
    [
        (PAGE, "text/html", "x"),
        (PAGE, "Text/HTML; charset=utf-8", "x"),
        (b"just words", "text/html", "x"),
        (PAGE, "application/xhtml+xml", "x"),
        (b'<?xml version="1.0"?><!-- c --><html xmlns="http://www.w3.org/1999/xhtml">', "text/xml", "x"),
        (b'<?xml version="1.0"?><!DOCTYPE html PUBLIC "a" "b"><html>', None, "x"),
        (PAGE, None, "x"),
        (PAGE, "application/octet-stream", "x"),
        (b"\xef\xbb\xbf" + PAGE, None, "x"),
        (PAGE.decode().encode("utf-16"), None, "x"),
        (PAGE.decode().encode("utf-16"), "text/html", "x"),
        (PAGE.decode().encode("utf-16-le"), None, "x"),
        (PAGE.decode().encode("utf-16-be"), None, "x"),
        (b"words <b>and</b> a tag", None, "x"),
        (b"only words", None, "page.HTML"),
        (b"only words", None, "https://example.org/page.htm?x=1#y"),
        (b'{"a": <p>', "text/html", "x"),
        (PAGE + b"\0 a NUL", "text/html", "x"),
    ],
)
def test_web_page(body: bytes, content_type: str | None, name: str) -> None:
    require_html(body, content_type, name)


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (b"%PDF-1.7 ...", "text/html", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n...", None, "a PNG image"),
        (b"\xff\xd8\xff\xe0", "text/html", "a JPEG image"),
        (b"GIF89a", None, "a GIF image"),
        (b"RIFF1234WEBPVP8", None, "a WebP image"),
        (b"\0\0\0\x20ftypavif", None, "an AVIF image"),
        (b"\0\0\0\x20ftypisom", None, "a video"),
        (b"ID3\x03\0", None, "an audio file"),
        (b"wOF2\0\0", None, "a font"),
        (gzip.compress(PAGE, mtime=0), None, "a gzip file"),
        (zipped("a.txt"), None, "a ZIP archive"),
        (zipped("[Content_Types].xml", "word/document.xml"), None, "a Word document"),
        (zipped("[Content_Types].xml", "xl/workbook.xml"), "text/html", "an Excel workbook"),
        (b"\x7fELF\x02", None, "a program"),
        (b'{"a": 1}', "application/json", "JSON data"),
        (b'{"a": 1}', "application/ld+json; charset=utf-8", "JSON data"),
        (b' [{"a": "<p>x</p>"}]', None, "JSON data"),
        (b'{"a": 1}', "text/html", "JSON data"),
        (b"<rss version='2.0'>", "text/xml", "an RSS feed"),
        (b"<?xml version='1.0'?><rss version='2.0'><title>a</title>", "text/html", "an RSS feed"),
        (b"<?xml version='1.0'?><urlset>", "text/html; charset=utf-8", "a sitemap"),
        (b"<rss version='2.0'><a>", None, "an RSS feed"),
        (b"<?xml version='1.0'?><feed xmlns='x'>", "application/xml", "an Atom feed"),
        (b"<?xml version='1.0'?><rdf:RDF xmlns:rdf='x'>", None, "an RSS feed"),
        (b"<?xml version='1.0'?><urlset>", None, "a sitemap"),
        (b"<?xml version='1.0'?><a>", None, "an XML document"),
        (b"<svg xmlns='x'><a href='y'/></svg>", None, "an SVG image"),
        (PAGE, "text/plain", "plain text"),
        (b"a,b\n1,2", "text/csv", "a CSV table"),
        (b"let a = '<p>'", "text/javascript", "a script"),
        (b"p {}", "text/css", "a style sheet"),
        (b"only words", None, "plain text"),
        (b"x", "image/x-strange", "an image"),
        (b"x", "model/gltf", "of the type model/gltf"),
        (b"", "text/html", "empty"),
        (b" \r\n\0", None, "empty"),
        (bytes(range(256)), None, "binary data"),
        (bytes(range(256)), "text/html", "binary data"),
    ],
)
def test_something_else(body: bytes, content_type: str | None, kind: str) -> None:
    assert find_kind(body, content_type, "x") == kind
    with pytest.raises(NotHtmlError, match=f"x is {kind}, not a web page"):
        require_html(body, content_type, "x")


@given(st.binary(), st.none() | st.text())
def test_any_bytes_have_an_answer(body: bytes, content_type: str | None) -> None:
    find_kind(body, content_type, "x")


@pytest.mark.parametrize("run", [b"<!--", b"<?", b"<!doctype [", b"] ", b" ", b"<", b"<!doctype x[]", b"<a:", b"\0"])
def test_long_runs_take_no_time(run: bytes) -> None:
    started = time.perf_counter()
    for content_type in (None, "text/html", "text/xml"):
        find_kind(run * 500_000, content_type, "x")
        find_kind(b"<!doctype [" + run * 500_000, content_type, "x")
    assert time.perf_counter() - started < 1
