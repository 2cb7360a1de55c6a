"""Which parts of a page's title tag and headings only say where on the site it stands.

A section's name leads to the section: somewhere on the page it is the text of a link to another page. What a page calls
itself may be a link too, but to the page itself.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

import ada_url

from windrow.title.address import read_address, to_letters
from windrow.title.likeness import alike, fold, grams

if TYPE_CHECKING:
    from windrow.title.markup import Markup
    from windrow.title.segments import Segments
    from windrow.title.texts import StandingTexts

TRACKING = re.compile(r"(?:^|&)(?:utm_\w+|fbclid|gclid|srsltid|ref)=[^&]*")
"""Parameters that say how a reader came, not what the page shows."""
SECTION = "section"
"""What a heading stands in that names a section."""
NAMED = 0.5
"""How much the name in an address must be like a text to be its."""
FEWEST = 2
"""Parts of a tag that has a section and what stands in it."""
MOST = 20  # not a decision: bounds the work
"""Places of a text that are looked at."""


def find_sections(tag: Segments, texts: StandingTexts, markup: Markup, url: str) -> frozenset[str]:
    """Return the parts that begin a title tag and are links to other pages, folded.

    ``texts`` says where each text stands. There are none where no later part stands free on the page: something must
    be left that names it.
    """
    parts = [fold(part) for part in tag.parts()]
    if len(parts) < FEWEST or not url:
        return frozenset()
    found = list(takewhile(lambda key: _leads_away(key, texts, markup, url), parts[:-1]))
    rest = (node for key in parts[len(found) :] for node in texts.find(key)[:MOST])
    return frozenset(found) if any(not markup.is_in_link(node) for node in rest) else frozenset()


def strip_sections(tag: Segments, sections: frozenset[str]) -> str:
    """Return a title tag without the sections that begin it."""
    return tag.run(len(sections), len(tag) - 1) if sections else tag.text


def _leads_away(key: str, texts: StandingTexts, markup: Markup, url: str) -> bool:
    """Whether a folded text is a link, and never one to the page itself; what the address names is the page."""
    if alike(grams(to_letters(key)), grams(to_letters(read_address(url).own_name))) > NAMED:
        return False
    links = [link for node in texts.find(key)[:MOST] if (link := markup.link_around(node))]
    own = _page_of(url, url)
    return bool(links) and all(_page_of(link, url) not in ("", own) for link in links)


def _page_of(link: str, url: str) -> str:
    """Return where a link leads, without what only says how a reader came; empty where it leads to no page."""
    try:
        found = ada_url.URL(link, url)
    except ValueError:
        return ""
    if not found.protocol.startswith("http"):
        return ""
    query = TRACKING.sub("", found.search.removeprefix("?")).strip("&")
    return f"{found.host.removeprefix('www.')}{found.pathname.rstrip('/')}?{query}"
