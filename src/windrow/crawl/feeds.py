"""Feeds: the pages that RSS, Atom and JSON feeds link to.

An entry's page is its link: in RSS the text of ``link``, or ``guid`` unless that says that it is no address; in Atom
the link that is an alternate of the entry, not one to replies or to an editor. Relative ones start from ``xml:base``,
or from the feed's own address.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import ada_url
import orjson

from windrow.crawl.addresses import Address
from windrow.crawl.entries import Entry, Passed, Sieve, read_moment
from windrow.crawl.xml_walk import EnoughError, walk
from windrow.errors import SourceError
from windrow.source.guard import shown_url

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_ENTRIES = 50_000
"""As many as a sitemap may have; feeds have a few dozen."""
ROOTS = frozenset({"rss", "rdf", "feed"})
"""The root elements of feeds."""
_ENTRIES = frozenset({"item", "entry"})
_HOMES = (["rss", "channel", "link"], ["rdf", "channel", "link"], ["feed", "link"])
_DATES = ("updated", "modified", "pubdate", "published", "date", "issued")
"""Elements that say when an entry was last changed, the better ones first."""
_LINKS = ("origlink", "link", "guid")
"""Elements that say where an entry's page is, likewise; the first is what a relay of feeds has replaced."""


@dataclass(frozen=True)
class Feed:
    """What a feed lists, in its order, each address once."""

    entries: tuple[Entry, ...] = ()
    home: str = ""
    """The page that it is the feed of, as it says."""
    passed: Passed = field(default_factory=Passed)
    """What it lists and was not taken."""
    cut: str = ""
    """Why there is more than was read, as a sentence; empty where all was."""


def read_feed(body: bytes, url: str, *, site: str | None = None) -> Feed:
    """Return what a feed lists; raise ``SourceError`` where it is none.

    ``url`` is where it came from. Taken are addresses of its own site and of the site that it says it is the feed of,
    or of that of the address ``site`` alone.
    """
    shown = shown_url(url)
    if body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        home, listed, cut = _read_json(body, url)
    else:
        reading, cut = walk(body, lambda: _Reading(url), shown)
        if reading.root not in ROOTS:
            raise _not_one(shown)
        home, listed = reading.home, reading.found
    sieve = Sieve(*([site] if site else [url, home]))
    taken = [(sieve.take(place, base), date) for place, base, date in listed]
    entries = tuple(Entry(address, read_moment(date) if date else None) for address, date in taken if address)
    return Feed(entries, home, sieve.passed, cut)


class _Reading:
    """Gathers the entries of a feed in XML: where each leads, what that starts from, and when it was changed."""

    def __init__(self, url: str) -> None:
        self.root = ""
        self.home = ""
        self.found: list[tuple[str, str, str]] = []
        self._bases = [url]
        self._said: dict[str, tuple[str, str]] = {}
        """What the children of an entry say, and what addresses there start from."""
        self._attributes: Mapping[str, str] = {}

    def enter(self, path: list[str], attributes: Mapping[str, str]) -> None:
        self.root = path[0]
        self._bases.append(_join(self._bases[-1], attributes.get("xml:base", "")))
        self._attributes = attributes
        if path[-1] in _ENTRIES:
            self._said = {}

    def leave(self, path: list[str], text: str) -> None:
        base = self._bases.pop()
        if path[-1] in _ENTRIES:
            self._add()
        elif len(path) > 1 and path[-2] in _ENTRIES:
            value = self._link(path[-1], text) if path[-1] in _LINKS else text
            if value:
                self._said.setdefault(path[-1], (value, base))
        elif path in _HOMES and not self.home and (home := self._link("link", text)):
            self.home = _join(base, home)

    def _link(self, name: str, text: str) -> str:
        """Return where a link leads; empty where it is not the one to the page."""
        if name == "guid":
            is_address = text.lower().startswith(("http:", "https:"))
            return text if is_address and self._attributes.get("isPermaLink", "true").lower() != "false" else ""
        if self._attributes.get("rel", "alternate").lower() != "alternate":
            return ""
        return self._attributes.get("href", "").strip() or text

    def _add(self) -> None:
        place = next((self._said[name] for name in _LINKS if name in self._said), None)
        date = next((self._said[name][0] for name in _DATES if name in self._said), "")
        if place is None:
            return
        if len(self.found) == MOST_ENTRIES:
            raise EnoughError(_too_many(self._bases[0]))
        self.found.append((*place, date))


def _read_json(body: bytes, url: str) -> tuple[str, list[tuple[str, str, str]], str]:
    """Return a JSON Feed's home, where its entries lead, and why the rest was left out, if it was."""
    try:
        feed: Any = orjson.loads(body.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError:
        feed = None
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list):
        raise _not_one(shown_url(url))
    found = []
    for item in items[:MOST_ENTRIES]:
        said = {name: value for name, value in item.items() if isinstance(value, str)} if isinstance(item, dict) else {}
        if place := said.get("url") or said.get("external_url"):
            found.append((place, url, said.get("date_modified") or said.get("date_published") or ""))
    home = feed.get("home_page_url")
    cut = _too_many(url) if len(items) > MOST_ENTRIES else ""
    return _join(url, home) if isinstance(home, str) and home else "", found, cut


def _join(base: str, reference: str) -> str:
    """Return the page that a reference leads to from another; that one, where it leads to no page."""
    if not reference:
        return base
    address = Address.parse(reference, base)
    return ada_url.join_url(base, reference) if address is not None and address.is_page else base


def _not_one(shown: str) -> SourceError:
    return SourceError(f"{shown} is not a feed. Look at it in a browser, and give the address of one.")


def _too_many(url: str) -> str:
    return f"{shown_url(url)} lists more than {MOST_ENTRIES:,} entries, so the rest was left out."
