"""Sitemaps: the pages that a site lists, as XML, text or a feed, packed or not; or the sitemaps that an index lists.

By https://www.sitemaps.org/protocol.html. Names are read without their prefixes: half of the world declares others.
"""

from __future__ import annotations

import codecs
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windrow.crawl.entries import Entry, Passed, Sieve, read_moment
from windrow.crawl.feeds import ROOTS, read_feed
from windrow.crawl.xml_walk import EnoughError, walk
from windrow.errors import SourceError
from windrow.source.content_codings import decoded
from windrow.source.guard import MAX_URL, shown_url

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class SitemapParameters:
    """The protocol's limits."""

    most_bytes: int = 52_428_800
    """Unpacked; what is fetched for a sitemap should be limited to as much."""
    most_entries: int = 50_000
    most_lines: int = 500_000
    """Lines of a plain text, empty ones included; ours."""


PARAMETERS = SitemapParameters()

_GZIP = b"\x1f\x8b"
_PLACES = {("urlset", "url"): True, ("sitemapindex", "sitemap"): False}
"""Where entries stand, and whether they are pages."""


@dataclass(frozen=True)
class Sitemap:
    """What one file lists, in its order, each address once."""

    pages: tuple[Entry, ...] = ()
    children: tuple[Entry, ...] = ()
    """Other sitemaps, where it is an index."""
    passed: Passed = field(default_factory=Passed)
    """What it lists and was not taken."""
    cut: str = ""
    """Why there is more than was read, as a sentence; empty where all was."""


def read_sitemap(body: bytes, url: str, *, site: str | None = None) -> Sitemap:
    """Return what a sitemap lists; raise ``SourceError`` where it is none.

    ``url`` is where it came from. Addresses of other sites than that, or than that of the address ``site``, are passed
    over: who may write a sitemap for one site says nothing about another.
    """
    shown = shown_url(url)
    data, cut = _unpack(body, shown)
    listing = _Listing(url, site or url)
    start = data[:1024].removeprefix(codecs.BOM_UTF8).lstrip()
    if start.startswith((b"<", codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        listing, broken = walk(data, lambda: _Listing(url, site or url), shown)
    else:
        broken = listing.read_lines(data)
    if listing.root in ROOTS:
        feed = read_feed(data, url, site=site)
        return Sitemap(feed.entries, passed=feed.passed, cut=cut or feed.cut)
    if not listing.is_sitemap:
        raise SourceError(f"{shown} is not a sitemap. Look at it in a browser, and give the address of one.")
    pages, children = ([entry for entry, is_page in listing.found if is_page is wanted] for wanted in (True, False))
    return Sitemap(tuple(pages), tuple(children), listing.sieve.passed, cut or broken)


class _Listing:
    """Gathers the entries of one file."""

    def __init__(self, url: str, site: str) -> None:
        self.sieve = Sieve(site)
        self.found: list[tuple[Entry, bool]] = []
        """Each entry, and whether it is a page."""
        self.root = ""
        self.is_sitemap = False
        self._url = url
        self._listed = 0
        self._place = self._date = ""

    def enter(self, path: list[str], _: Mapping[str, str]) -> None:
        if len(path) == 1:
            self.root = path[0]
            self.is_sitemap = any(path[0] == root for root, _ in _PLACES)
        elif len(path) == len(next(iter(_PLACES))):
            self._place = self._date = ""

    def leave(self, path: list[str], text: str) -> None:
        is_page = _PLACES.get((path[0], path[1])) if len(path) > 1 else None
        if is_page is None:
            return
        if path[2:] == ["loc"]:
            self._place = text
        elif path[2:] == ["lastmod"]:
            self._date = text
        elif len(path) == len(next(iter(_PLACES))) and self._place:
            self._add(self._place, self._date, is_page=is_page)

    def read_lines(self, data: bytes) -> str:
        """Gather the addresses of a plain text, one a line; return why the rest was left out, if it was."""
        try:
            for number, line in enumerate(io.BytesIO(data)):
                if number > PARAMETERS.most_lines:
                    return _too_many(self._url)
                text = line[:MAX_URL].decode("utf-8-sig", "replace").strip()
                if text.lower().startswith(("http:", "https:")):
                    self.is_sitemap = True
                    self._add(text, "", is_page=True)
                elif text:
                    self.sieve.pass_over(text, "broken")
        except EnoughError as enough:
            return str(enough)
        return ""

    def _add(self, place: str, date: str, *, is_page: bool) -> None:
        self._listed += 1
        if self._listed > PARAMETERS.most_entries:
            raise EnoughError(_too_many(self._url))
        if address := self.sieve.take(place, self._url):
            self.found.append((Entry(address, read_moment(date) if date else None), is_page))


def _too_many(url: str) -> str:
    most = PARAMETERS.most_entries
    return (
        f"{shown_url(url)} lists more than {most:,} addresses, the most that a sitemap may, so the rest was left out."
    )


def _unpack(body: bytes, shown: str) -> tuple[bytes, str]:
    """Return a file unpacked where it is packed, and why the rest was left out, if it was."""
    data = bytearray()
    for block in decoded([body], "gzip", shown) if body.startswith(_GZIP) else [body]:
        data += block
        if len(data) > PARAMETERS.most_bytes:
            del data[PARAMETERS.most_bytes :]
            size = f"{PARAMETERS.most_bytes:,} bytes"
            return bytes(data), f"{shown} is longer than {size}, the most that a sitemap may be; the rest was left out."
    return bytes(data), ""
