from __future__ import annotations

import gzip
import time
import tracemalloc
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import Server, response

from windrow.crawl import sitemaps
from windrow.crawl.sitemaps import Sitemap, read_sitemap
from windrow.errors import RefusedError, SourceError, UnreachableError
from windrow.options import Options
from windrow.source.fetch import fetch
from windrow.source.guard import Guard
from windrow.source.proxy import GuardProxy

pack = partial(gzip.compress, mtime=0)
URL = "https://farm.example/sitemap.xml"
PAGES = ["https://farm.example/hay", "https://farm.example/straw?a=1&b=2"]


def urlset(*entries: str, root: str = 'urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"') -> bytes:
    inside = "".join(f"<url>{entry}</url>" for entry in entries)
    return f'<?xml version="1.0"?><{root}>{inside}</{root.split(maxsplit=1)[0]}>'.encode()


FEED = "".join(f"<item><link><![CDATA[{page}]]></link></item>" for page in PAGES)
PLAIN = urlset(*(f"<loc>{page.replace('&', '&amp;')}</loc>" for page in PAGES))


def read(body: bytes) -> Sitemap:
    return read_sitemap(body, URL)


def addresses(sitemap: Sitemap) -> list[str]:
    return [page.url for page in sitemap.pages]


@pytest.mark.parametrize(
    "body",
    [
        PLAIN,
        pack(PLAIN),
        b"\xef\xbb\xbf" + PLAIN,
        b"\n \n" + PLAIN,
        PLAIN.decode().encode("utf-16"),
        PLAIN.replace(b"?>", b' encoding="windows-1252"?>'),
        PLAIN.replace(b"?>", b' encoding="gb2312"?>'),
        PLAIN.replace(b"?>", b' encoding="nonsense"?>'),
        PLAIN.replace(b"&amp;", b"&"),
        PLAIN.replace(b' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"', b""),
        PLAIN.replace(b"sitemaps.org", b"google.com"),
        PLAIN.replace(b"<url", b"<s:url").replace(b"</url", b"</s:url"),
        PLAIN.replace(b"<loc>", b"<loc>\n <![CDATA[").replace(b"</loc>", b"]]>\n</loc>").replace(b"&amp;", b"&"),
        PLAIN.replace(b"?>", b"?><!-- a comment --><?xml-stylesheet href='a.xsl'?>"),
        PLAIN.replace(b"hay", b"hay\x0b"),
        "\n".join(PAGES).encode(),
        b"\xef\xbb\xbf" + "\r\n\r\n".join(PAGES).encode(),
        pack("\n".join(PAGES).encode()),
        f"<rss><channel>{FEED}</channel></rss>".encode(),
    ],
)
def test_pages_however_they_are_listed(body: bytes) -> None:
    sitemap = read(body)
    assert addresses(sitemap) == PAGES
    assert (sitemap.children, sitemap.cut, len(sitemap.passed)) == ((), "", 0)


def test_an_index() -> None:
    body = b"""<sitemapindex><sitemap><loc>https://farm.example/a.xml.gz</loc><lastmod>2026-01-02</lastmod></sitemap>
        <sitemap><loc>/b.xml</loc></sitemap></sitemapindex>"""
    sitemap = read(body)
    assert [child.url for child in sitemap.children] == ["https://farm.example/a.xml.gz", "https://farm.example/b.xml"]
    assert sitemap.children[0].modified == datetime(2026, 1, 2, tzinfo=UTC)
    assert sitemap.pages == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-02", datetime(2026, 1, 2, tzinfo=UTC)),
        ("2026-01-02T12:30+01:00", datetime(2026, 1, 2, 11, 30, tzinfo=UTC)),
        (" 2026-01-02T12:30:00.5Z ", datetime(2026, 1, 2, 12, 30, 0, 500_000, tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_when_a_page_was_changed(text: str, expected: datetime | None) -> None:
    (page,) = read(urlset(f"<lastmod>{text}</lastmod><loc>/hay</loc>")).pages
    assert page.modified == expected


def test_pictures_and_other_languages_are_no_pages() -> None:
    extra = '<image:image><image:loc>/a.png</image:loc></image:image><xhtml:link rel="alternate" href="/de"/>'
    sitemap = read(urlset(f"{extra}<loc>/hay</loc>{extra}", "<loc>/straw</loc>", extra))
    assert addresses(sitemap) == ["https://farm.example/hay", "https://farm.example/straw"]


def test_an_address_is_taken_once() -> None:
    assert len(read(urlset("<loc>/hay</loc>", "<loc>/hay#part</loc>", "<loc>/hay?utm_source=x</loc>")).pages) == 1


HOSTILE = (
    *("file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "ftp://farm.example/"),
    *("http://169.254.169.254/latest/meta-data/", "http://127.0.0.1/", "http://[::1]/", "https://other.example/hay"),
    *("http://[/", "https://user:s3cret@other.example/"),
)


def test_what_is_not_of_the_site_is_passed_over_and_said() -> None:
    sitemap = read(urlset("<loc>/hay</loc>", *(f"<loc>{place}</loc>" for place in HOSTILE)))
    assert addresses(sitemap) == ["https://farm.example/hay"]
    assert sitemap.passed.counts == {"scheme": 4, "elsewhere": 5, "broken": 1}
    assert "4 not of the web (such as file:///etc/passwd)" in str(sitemap.passed)
    assert "s3cret" not in str(sitemap.passed)
    text = read("\n".join(["https://farm.example/hay", *HOSTILE]).encode())
    assert addresses(text) == ["https://farm.example/hay"]
    index = read(urlset("<loc>/hay</loc>", root="x").replace(b"url>", b"sitemap>").replace(b"x>", b"sitemapindex>"))
    assert [child.url for child in index.children] == ["https://farm.example/hay"]


def test_a_sitemap_that_is_kept_elsewhere() -> None:
    body = urlset("<loc>https://farm.example/hay</loc>", "<loc>https://store.example/x</loc>")
    sitemap = read_sitemap(body, "https://store.example/farm.xml", site="https://farm.example/")
    assert addresses(sitemap) == ["https://farm.example/hay"]


def test_the_guard_is_there_for_addresses_of_a_private_site() -> None:
    with Server(response(urlset("<loc>/a</loc>"))) as server:
        with GuardProxy(Guard(allow_private=True)) as proxy:
            answer = fetch(server.url, Options(allow_private=True), proxy)
        (page,) = read_sitemap(answer.body, answer.url).pages
        with GuardProxy(Guard()) as proxy, pytest.raises(RefusedError):
            fetch(page.url, Options(), proxy)
        assert server.connections == 1


def test_a_file_that_breaks_off_says_so() -> None:
    body = urlset(*(f"<loc>/{number}</loc>" for number in range(10)))
    sitemap = read(body[:-60])
    assert 0 < len(sitemap.pages) < 10
    assert "broken in line 1" in sitemap.cut
    with pytest.raises(UnreachableError, match="breaks off"):
        read(pack(body)[:-20])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"Not found",
        b"<!doctype html><html><head><title>Not found</title></head><body><p>Sorry<br>",
        b"<other><url><loc>/hay</loc></url></other>",
        b"\x1f\x8b",
        b"\x1f\x8bnonsense",
        pack(pack(PLAIN)),
        b"\x89PNG\r\n\x1a\n" + bytes(100),
    ],
)
def test_what_is_no_sitemap(body: bytes) -> None:
    with pytest.raises(SourceError):
        read(body)


def test_entities_are_refused() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    doctype = f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]>'
    outer = '<!DOCTYPE x [<!ENTITY l11 SYSTEM "file:///etc/passwd">]>'
    for declared in (doctype, outer):
        body = f"{declared}<urlset><url><loc>/&l11;</loc></url></urlset>".encode()
        started = time.process_time()
        with pytest.raises(SourceError, match="declares entities"):
            read(body)
        assert time.process_time() - started < 1


@pytest.mark.parametrize("fill", [bytes(1), b" ", b"<url><loc>/a</loc></url>"])
def test_a_bomb_is_cut_with_little_memory(fill: bytes) -> None:
    size = 4 * sitemaps.PARAMETERS.most_bytes
    bomb = pack(b"<urlset><url><loc>/hay</loc></url>" + fill * (size // len(fill)))
    tracemalloc.start()
    sitemap = read(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "the rest was left out" in sitemap.cut
    assert peak < 8 * sitemaps.PARAMETERS.most_bytes


HUGE = {
    "deep": lambda: b"<urlset>" + b"<a>" * 3_000_000,
    "many": lambda: b"<urlset>" + b"<a/>" * 5_000_000,
    "long": lambda: b"<urlset><url><loc>" + b"a" * 20_000_000 + b"</loc></url></urlset>",
    "mixed": lambda: b"<urlset><url><loc>" + b"a<b/>" * 1_000_000 + b"</loc></url></urlset>",
    "attributes": lambda: b"<urlset " + b" ".join(b'a%d="1"' % number for number in range(500_000)) + b"></urlset>",
    "ampersands": lambda: b"<urlset><url><loc>" + b"&" * 10_000_000 + b"</loc></url></urlset>",
    "comments": lambda: b"<urlset>" + b"<!--" * 4_000_000,
    "path": lambda: b"<urlset><url><loc>/" + b"/../" * 5_000_000,
    "declaration": lambda: b"<?xml " + b"encoding=" * 2_000_000,
    "blank lines": lambda: b"https://farm.example/" + b"\n" * 20_000_000,
    "lines": lambda: b"x\n" * 10_000_000 + b"https://farm.example/",
}


@pytest.mark.parametrize("name", HUGE)
def test_hostile_files_take_little_time(name: str) -> None:
    body = HUGE[name]()
    started = time.process_time()
    with suppress(SourceError):
        assert len(read(body).pages) <= 1
    assert time.process_time() - started < 10


def test_too_many_addresses() -> None:
    most = sitemaps.PARAMETERS.most_entries
    lines = "\n".join(f"https://farm.example/{number}" for number in range(most + 1)).encode()
    entries = urlset(*(f"<loc>/{number}</loc>" for number in range(most + 1)))
    for body in (lines, entries):
        sitemap = read(body)
        assert len(sitemap.pages) == most
        assert "more than 50,000 addresses" in sitemap.cut
    assert read(lines.rpartition(b"\n")[0]).cut == ""


@given(st.binary(max_size=100) | st.text("<>/&;!?[]ulrsetoc \n", max_size=60).map(str.encode))
def test_nothing_is_too_broken(body: bytes) -> None:
    for wrapped in (body, b"<urlset>" + body, pack(body)):
        try:
            read(wrapped)
        except SourceError:
            continue
