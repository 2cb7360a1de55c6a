"""Which parts of a page's title tag and headings only say where on the site it stands.

A section's name leads to the section: somewhere on the page it is the text of a link to another page. What a page calls
itself may be a link too, but to the page itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import ada_url

from windrow.title.address import read_address, to_letters
from windrow.title.likeness import alike, fold, grams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from windrow.title.markup import Markup
    from windrow.title.segments import Segments
    from windrow.title.texts import StandingTexts

TRACKING = re.compile(r"(?:^|&)(?:utm_\w+|fbclid|gclid|srsltid|ref)=[^&]*")
"""Parameters that say how a reader came, not what the page shows."""
SECTION = "section"
"""What a heading stands in that names a section."""
MAIN = frozenset({"h1"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
NAMED = 0.5
"""How much the name in an address must be like a text to be its."""
FEWEST = 2
"""Parts of a tag that has a section and what stands in it."""
MOST = 20  # not a decision: bounds the work
"""Places of a text that are looked at."""


def find_sections(
    tag: Segments, texts: StandingTexts, markup: Markup, urls: Sequence[str], find_styled: Callable[[], Iterable[str]]
) -> tuple[str, ...]:
    """Return the parts that begin a title tag and are links to other pages, folded.

    ``texts`` says where each text stands, ``urls`` are the page's own addresses, and ``find_styled`` returns the texts
    that only look like headings. There are none where no later part stands free on the page: something must be left
    that names it. What the main heading says is a section only where a later part is a heading too.
    """
    parts = [fold(part) for part in tag.parts()]
    if len(parts) < FEWEST or not urls:
        return ()
    found: list[str] = []
    for place, key in enumerate(parts[:-1]):
        if not _leads_away(key, texts, markup, urls):
            break
        if _is_heading(key, texts, markup, MAIN):
            later = parts[place + 1 :]
            is_headed = any(_is_heading(other, texts, markup, HEADINGS) for other in later)
            if not is_headed and set(later).isdisjoint(map(fold, find_styled())):
                break
        found.append(key)
    rest = (node for key in parts[len(found) :] for node in texts.find(key)[:MOST])
    return tuple(found) if any(not markup.is_in_link(node) for node in rest) else ()


def strip_sections(tag: Segments, sections: Sequence[str]) -> str:
    """Return a title tag without the sections that begin it."""
    return tag.run(len(sections), len(tag) - 1) if sections else tag.text


def _is_heading(key: str, texts: StandingTexts, markup: Markup, tags: frozenset[str]) -> bool:
    """Whether a folded text is, somewhere on the page, a heading that is no link."""
    for node in texts.find(key)[:MOST]:
        parent = markup.elements.parent(node)
        around = {markup.elements.tag(parent), markup.elements.tag(markup.elements.parent(parent))}
        if not tags.isdisjoint(around) and not markup.is_in_link(node):
            return True
    return False


def _leads_away(key: str, texts: StandingTexts, markup: Markup, urls: Sequence[str]) -> bool:
    """Whether a folded text is a link, and never one to the page itself; what its address names is the page."""
    letters = grams(to_letters(key))
    if any(alike(letters, grams(to_letters(read_address(url).own_name))) > NAMED for url in urls):
        return False
    links = [link for node in texts.find(key)[:MOST] if (link := markup.link_around(node))]
    own = {"", *(_page_of(url, urls[0]) for url in urls)}
    return bool(links) and all(_page_of(link, urls[0]) not in own for link in links)


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
