"""Links: from a list to the pages of its records, to its next page, and to pages that promise a table.

Every link that is not followed is counted with its reason. Where it is not clear which links are meant, none are: the
list that a page shows best may be its menu, and a harvest that follows a menu harvests the wrong pages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from windrow.crawl.addresses import Address, identity
from windrow.crawl.entries import Passed, Sieve
from windrow.crawl.patterns import matches
from windrow.errors import TooLargeError
from windrow.nodes.boilerplate import find_landmarks
from windrow.region.links import Addresses, Links, Pager, find_declared
from windrow.region.measures import PageMeasures

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from windrow.page import Page
    from windrow.region import Region


@dataclass(frozen=True)
class LinkParameters:
    """When links are a list's; set by principle."""

    least: int = 2
    """Records that lead somewhere; one is no list."""
    share: float = 0.5
    """Share of a list's records that must lead somewhere, and of those that must not stand in the page's margin."""


PARAMETERS = LinkParameters()

DOWNLOADS = re.compile(
    r"\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|epub|zip|rar|7z|t?gz|bz2|xz|tar|dmg|exe|msi|apk|iso|jpe?g|png|gif|webp|avif|svg|"
    r"ico|bmp|tiff?|mp[34]|m4[av]|ogg|wav|flac|avi|mov|mkv|webm|csv|ics|vcf|woff2?|ttf)",
    re.IGNORECASE,
)
"""How the paths of files end that are no pages; not those of scripts and data, which pages are named after, too."""


@dataclass(frozen=True)
class Found:
    """Addresses that a page links to, in the order in which they should be fetched."""

    addresses: tuple[str, ...] = ()
    passed: Passed = field(default_factory=Passed)
    """The links that were passed over."""
    note: str = ""
    """Why there are none, or why not those that one would expect, as a sentence; empty where all is as expected."""


def find_details(page: Page, glob: str | None = None) -> Found:
    """Return the links of a page that match a glob, as in ``patterns.matches``; without one, those of its main list.

    A glob that names a host asks for links of that host; other links are followed within the page's own site only.
    """
    if glob is None:
        return find_records(page)
    gate = Gate(page, elsewhere="://" in glob)
    addresses = gate.take_all(page.links, lambda url: matches(url, glob))
    note = "" if addresses else f"None of the page's links is like {glob}. Look at the addresses of the pages meant."
    return Found(addresses, gate.sieve.passed, note)


def find_records(page: Page) -> Found:
    """Return where the records of the page's main list lead, each to its own page."""
    regions = page.regions()
    measures = PageMeasures(page.nodes)
    passed, skipped = Passed(), ""
    for region in regions:
        if region.lack:
            raise too_long(region.lack)
        if _is_menu(page, measures, region):
            skipped = skipped or "the page's best list is a menu or stands in its margin"
            continue
        gate = Gate(page)
        addresses = gate.take_all(record.url for record in region.records)
        if len(addresses) >= max(PARAMETERS.least, PARAMETERS.share * len(region.records)):
            note = f"{skipped[0].upper()}{skipped[1:]}, so another one was taken." if skipped else ""
            return Found(addresses, gate.sieve.passed, note)
        passed = passed if len(passed) else gate.sieve.passed
        skipped = skipped or "the records of the page's best list do not lead to pages of their own"
    why = f"{skipped[0].upper()}{skipped[1:]}" if skipped else "The page shows no list of records"
    return Found((), passed, f"{why}. Say which links are meant by a pattern for their addresses (follow.detail).")


def too_long(lack: str) -> TooLargeError:
    """Return the error of a page whose list is not read whole, at any try: of the rest nothing would be known."""
    return TooLargeError(f"{lack} Begin where the site shows fewer on one page, or at its sitemap or feed.")


def _is_menu(page: Page, measures: PageMeasures, region: Region) -> bool:
    """Whether a list is a menu, by where it stands, or by bare entries of which one leads here or to the front page."""
    firsts = [record.nodes[0] for record in region.records]
    margin = measures.aside | find_landmarks(page.nodes, ("navigation", "footer"))
    if margin[firsts].mean() > PARAMETERS.share:
        return True
    here, front = identity(page.url), Address.parse("/", page.url) if page.url else None
    homes = {here, front.identity() if front else here}
    is_bare = float(np.median(measures.texts[firsts])) <= 1
    return is_bare and any(identity(record.url) in homes for record in region.records if record.url)


def find_items(page: Page, *, elsewhere: bool = False) -> Found:
    """Return where the items of the page's ranked list lead, in their order; with ``elsewhere`` also to other sites."""
    toplist = page.toplist()
    if toplist is None:
        return Found(note=page.toplist_verdict().reason)
    gate = Gate(page, elsewhere=elsewhere)
    addresses = gate.take_all(item.url for item in toplist.items)
    note = "" if addresses else "The items of the page's ranked list link to no pages of its site."
    return Found(addresses, gate.sieve.passed, note)


def find_next(page: Page, seen: Container[str], ignored: frozenset[str] = frozenset()) -> str | None:
    """Return the next page of a list: what the page calls so, or the number after its own; None where there is none.

    ``seen`` are the identities of the pages that were read. Where what is most clearly the next page was seen, or is
    this page, the list is at its end: what is less clearly so is not taken instead. Pagers may be marked nofollow,
    which is meant for the ranking of search engines.
    """
    own = Address.parse(page.url)
    for addresses in _find_candidates(page):
        parsed = [(url, Address.parse(url)) for url in addresses]
        known = [(url, address) for url, address in parsed if address and (own is None or address.site == own.site)]
        pages = [(url, address.identity(ignored)) for url, address in known if address.is_page]
        if pages:
            here = identity(page.url, ignored)
            return next((url for url, name in pages if name != here and name not in seen), None)
    return None


def _find_candidates(page: Page) -> Iterator[list[str]]:
    """Yield addresses that may be the next page's, the clearest first."""
    regions = page.regions()
    declared = find_declared(page.nodes, page.resolve)
    here = identity(page.url)
    # As the pager itself writes the page's address, where it does: they may differ in what changes no page.
    own = next((link for link in page.links if link and identity(link) == here), page.url)
    pager = Pager(Links(PageMeasures(page.nodes), Addresses(page.links, page.images, own, declared)))
    yield from pager.find_candidates(regions[0].records[0].nodes[0] if regions else 0)


class Gate:
    """Lets links through that may be followed from a page."""

    def __init__(self, page: Page, *, elsewhere: bool = False) -> None:
        """Stand at a page; with ``elsewhere`` links to other sites are let through, too."""
        self.sieve = Sieve(*([] if elsewhere or not page.url else [page.url]))
        self._url = page.url
        self._own = identity(page.url) if page.url else ""
        self._marks = _find_marks(page)

    def take_all(self, urls: Iterable[str | None], is_meant: Callable[[str], bool] = lambda _: True) -> tuple[str, ...]:
        """Return the addresses that may be followed, each once."""
        known = (url for url in urls if url is not None)
        found = (self.sieve.take(url, self._url or url) for url in known if self._admits(url, is_meant))
        return tuple(filter(None, found))

    def _admits(self, url: str, is_meant: Callable[[str], bool]) -> bool:
        """Whether a link leads to another page and may be followed there, as far as the link itself says."""
        address = Address.parse(url)
        if address is None or not address.is_page:
            reason = "scheme"
        elif not is_meant(url):
            reason = "unlike"
        elif address.identity() == self._own:
            reason = "itself"
        else:
            reason = "download" if DOWNLOADS.fullmatch(_suffix(address.path)) else self._marks.get(url, "")
        if reason:
            self.sieve.pass_over(url, reason)
        return not reason


def _find_marks(page: Page) -> dict[str, str]:
    """Return the addresses that every link to them marks as not to be followed, and how."""
    attributes = page.nodes.attributes
    marks = {node: "nofollow" for node, rel in attributes.having("rel").items() if "nofollow" in rel.lower().split()}
    marks |= dict.fromkeys(attributes.having("download"), "download")
    marked = {url: marks[node] for node in marks if (url := page.links[node]) is not None}
    free = {url for node, url in enumerate(page.links) if url in marked and node not in marks}
    return {url: mark for url, mark in marked.items() if url not in free}


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :] if "." in name else ""
