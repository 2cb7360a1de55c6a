from __future__ import annotations

import json
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.crawl import feeds
from windrow.crawl.feeds import Feed, read_feed
from windrow.errors import SourceError

URL = "https://farm.example/news/feed"


def read(body: bytes | str, url: str = URL) -> Feed:
    return read_feed(body.encode() if isinstance(body, str) else body, url)


def addresses(feed: Feed) -> list[str]:
    return [entry.url for entry in feed.entries]


def rss(*items: str, channel: str = "") -> str:
    inside = "".join(f"<item>{item}</item>" for item in items)
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{channel}{inside}</channel></rss>'


def atom(*entries: str, attributes: str = "") -> str:
    inside = "".join(f"<entry>{entry}</entry>" for entry in entries)
    return f'<feed xmlns="http://www.w3.org/2005/Atom" {attributes}>{inside}</feed>'


def test_rss() -> None:
    feed = read(
        rss(
            "<title>Hay &amp; straw</title><link>https://farm.example/hay</link>"
            "<pubDate>Thu, 01 Jan 2026 12:00:00 +0100</pubDate>",
            "<link>straw</link><guid>https://farm.example/other</guid>",
            channel='<link>/home</link><atom:link rel="self" href="/news/feed"/><image><link>/logo</link></image>',
        )
    )
    assert addresses(feed) == ["https://farm.example/hay", "https://farm.example/news/straw"]
    assert feed.entries[0].modified == datetime(2026, 1, 1, 11, tzinfo=UTC)
    assert feed.home == "https://farm.example/home"
    assert feed.cut == ""


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("<guid>https://farm.example/a</guid>", ["https://farm.example/a"]),
        ('<guid isPermaLink="true">https://farm.example/a</guid>', ["https://farm.example/a"]),
        ('<guid isPermaLink="false">https://farm.example/a</guid>', []),
        ("<guid>hay-17</guid>", []),
        ("<link/><guid>https://farm.example/a</guid>", ["https://farm.example/a"]),
        ("<link><![CDATA[ /a?b=1&c=2 ]]></link>", ["https://farm.example/a?b=1&c=2"]),
        ("<link>/a?b=1&c=2</link>", ["https://farm.example/a?b=1&c=2"]),
        ("<title>a&nbsp;b</title><link>/a</link>", ["https://farm.example/a"]),
        ('<atom:link rel="replies" href="/r"/><link>/a</link>', ["https://farm.example/a"]),
        ("<source><link>/s</link></source><link>/a</link>", ["https://farm.example/a"]),
        ("<feedburner:origLink>/a</feedburner:origLink><link>/relay</link>", ["https://farm.example/a"]),
        ("<title>no link</title>", []),
    ],
)
def test_what_an_item_s_page_is(item: str, expected: list[str]) -> None:
    assert addresses(read(rss(item))) == expected


def test_atom() -> None:
    feed = read(
        atom(
            '<link rel="edit" href="edit"/><link rel="alternate" href="a"/><updated>2026-01-02T00:00:00Z</updated>'
            "<published>2026-01-01T00:00:00Z</published>",
            '<link rel="replies" href="r"/><id>https://farm.example/id</id>',
            '<link href="/b"/><source><link href="/s"/></source>',
            attributes='xml:base="/base/"',
        )
    )
    assert addresses(feed) == ["https://farm.example/base/a", "https://farm.example/b"]
    assert feed.entries[0].modified == datetime(2026, 1, 2, tzinfo=UTC)


def test_addresses_start_from_the_nearest_base() -> None:
    body = """<feed xml:base="https://farm.example/x/"><entry xml:base="y/"><link xml:base="z/" href="a"/></entry>
        <entry><link href="b"/></entry><entry xml:base="http://[/"><link href="c"/></entry></feed>"""
    expected = ["https://farm.example/x/y/z/a", "https://farm.example/x/b", "https://farm.example/x/c"]
    assert addresses(read(body)) == expected


def test_rdf() -> None:
    body = """<rdf:RDF xmlns:rdf="x" xmlns="http://purl.org/rss/1.0/"><channel><link>/home</link></channel>
        <item rdf:about="/a"><link>/a</link><dc:date>2026-01-01</dc:date></item></rdf:RDF>"""
    feed = read(body)
    assert addresses(feed) == ["https://farm.example/a"]
    assert feed.entries[0].modified == datetime(2026, 1, 1, tzinfo=UTC)


def test_json() -> None:
    items = [
        {"url": "/a", "date_published": "2026-01-01T00:00:00Z"},
        {"external_url": "/b"},
        {"id": "3"},
        4,
        {"url": 5},
    ]
    body = {"version": "https://jsonfeed.org/version/1.1", "home_page_url": "/", "items": items}
    feed = read("\ufeff" + json.dumps(body))
    assert addresses(feed) == ["https://farm.example/a", "https://farm.example/b"]
    assert feed.entries[0].modified == datetime(2026, 1, 1, tzinfo=UTC)
    assert feed.home == "https://farm.example/"


def test_the_feed_of_a_site_that_is_kept_elsewhere() -> None:
    body = rss("<link>https://farm.example/a</link>", "<link>https://evil.example/a</link>")
    home = body.replace("<channel>", "<channel><link>https://farm.example/</link>")
    assert addresses(read(body, "https://feeds.example/farm")) == []
    assert addresses(read(home, "https://feeds.example/farm")) == ["https://farm.example/a"]
    only = read_feed(home.encode(), "https://feeds.example/farm", site="https://evil.example/")
    assert addresses(only) == ["https://evil.example/a"]


def test_hostile_addresses_are_passed_over_and_said() -> None:
    places = ("file:///etc/passwd", "http://169.254.169.254/", "http://127.0.0.1/", "javascript:1", "http://[/")
    feed = read(rss("<link>/a</link>", *(f"<link>{place}</link>" for place in places)))
    assert addresses(feed) == ["https://farm.example/a"]
    assert feed.passed.counts == {"scheme": 2, "elsewhere": 2, "broken": 1}
    based = read("<feed xml:base='file:///etc/'><entry><link href='passwd'/></entry></feed>")
    assert addresses(based) == ["https://farm.example/news/passwd"]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "https://farm.example/",
        "<html><body><p>Sorry<br>",
        "{}",
        '{"items": 1}',
        "[]",
        "{" * 100_000,
        "\0" * 99,
        "<a/>",
    ],
)
def test_what_is_no_feed(body: str) -> None:
    with pytest.raises(SourceError, match="not a feed"):
        read(body)


def test_a_feed_that_breaks_off_says_so() -> None:
    feed = read(rss("<link>/a</link>", "<link>/b</link>")[:-40])
    assert addresses(feed) == ["https://farm.example/a"]
    assert "broken" in feed.cut


def test_entities_are_refused() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    for declared in (f'<!ENTITY l0 "ha">{laughs}', '<!ENTITY l11 SYSTEM "file:///etc/passwd">'):
        with pytest.raises(SourceError, match="declares entities"):
            read(f"<!DOCTYPE rss [{declared}]>{rss('<link>/&l11;</link>').partition('?>')[2]}")


def test_too_many_entries() -> None:
    most = feeds.MOST_ENTRIES
    listed = rss(*(f"<link>/{number}</link>" for number in range(most + 1)))
    items = json.dumps({"items": [{"url": f"/{number}"} for number in range(most + 1)]})
    for body in (listed, items):
        feed = read(body)
        assert len(feed.entries) == most
        assert "more than 50,000 entries" in feed.cut


HUGE = {
    "attributes": lambda: " ".join(f'a{number}="1"' for number in range(300_000)),
    "items": lambda: "/><item " * 300_000,
    "attribute": lambda: f'a="{"x" * 5_000_000}"',
    "links": lambda: f"/>{'<link>' * 300_000}",
}


@pytest.mark.parametrize("name", HUGE)
def test_hostile_feeds_take_little_time(name: str) -> None:
    body = f"<rss><channel><item {HUGE[name]()}></item></channel></rss>"
    started = time.process_time()
    assert addresses(read(body)) == []
    assert time.process_time() - started < 5


@given(st.binary(max_size=60) | st.text('<>/&;!?[]{}":itemlnkrsf \n', max_size=60).map(str.encode))
def test_nothing_is_too_broken(body: bytes) -> None:
    for wrapped in (body, b"<rss><channel><item>" + body, b"{" + body):
        try:
            read(wrapped)
        except SourceError:
            continue
