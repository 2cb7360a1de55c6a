"""Everything on a page that may say what it is called, gathered once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind
from windrow.title.address import Address, read_address
from windrow.title.headings import Heading, read_crumbs, read_headings, read_styled
from windrow.title.large import read_large
from windrow.title.markup import Markup, read_markup
from windrow.title.metadata import Thing, read_items, read_json, read_metas
from windrow.title.names import read_names, read_owners, spell_host
from windrow.title.segments import Segments, cut_segments
from windrow.title.tag import read_tag

if TYPE_CHECKING:
    from windrow.nodes import Nodes

LONGEST = 220
SPELLINGS = (("\u2018", "'"), ("\u2019", "'"), ("\u201c", '"'), ("\u201d", '"'), ("\u2013", "-"), ("\u2014", "-"), ("\u00a0", " "))
"""Marks that one page writes in two ways."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was found, still in the page's words."""

    tag: Segments
    metas: dict[str, list[str]]
    things: list[Thing]
    headings: list[Heading]
    styled: list[str]
    crumbs: list[str]
    texts: Counter[str]
    """How often each short text stands on the page, folded."""
    first: dict[str, int]
    """The first node that holds each short text."""
    names: list[tuple[str, str]]
    """Where a name of the site was found, and the name."""
    own_links: list[str]
    """The texts of links that lead to the page itself."""
    large: list[str]
    """The texts in the largest letters on the first screen, where there is a layout."""
    elsewhere: frozenset[str]
    """What other pages of the site have in their titles and headings too, folded."""
    address: Address
    markup: Markup
    kinds: frozenset[str]
    """What the page says it is: article, thing, site, page."""


def gather(nodes: Nodes, url: str, elsewhere: frozenset[str] = frozenset()) -> Evidence:
    """Read all evidence of a page; ``elsewhere`` is what other pages of the site say."""
    markup = read_markup(nodes)
    metas = read_metas(markup)
    things = read_json(markup) + read_items(markup)
    links = nodes.attributes.having("href")
    address = _own_address(markup, links, url)
    short, texts, first = _read_texts(nodes)
    tag = read_tag(nodes)
    names = read_names(markup, metas, things, links, address)
    names += [("copyright", name) for name in read_owners(short)]
    if address.is_home:
        names += [("host", name) for name in spell_host(address.site, "\n".join((tag, *short)))]
    headings = read_headings(markup)
    # Classes are worth their price only where headings do not tell.
    has_heading = any(heading.level == 1 and not heading.around for heading in headings)
    classes = {} if has_heading else nodes.attributes.having("class")
    return Evidence(
        tag=cut_segments(tag),
        metas=metas,
        things=things,
        headings=headings,
        styled=read_styled(markup, classes),
        crumbs=read_crumbs(markup, classes),
        texts=texts,
        first=first,
        names=names,
        own_links=_own_links(markup, links, url),
        large=read_large(markup),
        elsewhere=elsewhere,
        address=address,
        markup=markup,
        kinds=_read_kinds(metas, things),
    )


def fold(text: str) -> str:
    """Bring a text to the form in which texts are held against each other."""
    return " ".join(_fold_marks(text).casefold().split())


def _fold_marks(text: str) -> str:
    if not text.isascii():
        for mark, plain in SPELLINGS:
            text = text.replace(mark, plain)
    return text


def _read_texts(nodes: Nodes) -> tuple[list[str], Counter[str], dict[str, int]]:
    """List the short texts, count them folded, and say where each stands first."""
    text = nodes.text
    found = [node for node in np.flatnonzero(nodes.kind == Kind.TEXT).tolist() if 1 < len(text[node]) < LONGEST]
    short = [text[node] for node in found]
    # Folding one long string is much cheaper than folding a thousand short ones.
    keys = list(map(str.strip, _fold_marks("\0".join(short)).casefold().split("\0")))
    first = dict(zip(reversed(keys), reversed(found), strict=True)) if len(keys) == len(found) else {}
    first.pop("", None)
    return short, Counter(keys), first


def _own_address(markup: Markup, links: dict[int, str], url: str) -> Address:
    """Take the page's address apart: the canonical one where the given one is only the site's."""
    address = read_address(url)
    if address.is_home or not url:
        for node, href in links.items():
            if markup.tags[node] == "link" and markup.attributes(node).get("rel", "").lower() == "canonical":
                canonical = read_address(href)
                return canonical if canonical.domain and canonical.domain == (address.domain or canonical.domain) else address
    return address


def _own_links(markup: Markup, links: dict[int, str], url: str) -> list[str]:
    """Give the texts of the first links to the page itself."""
    own = url.partition("#")[0]
    path = "/" + own.partition("//")[2].partition("/")[2]
    if len(path) < 2:  # noqa: PLR2004 - the front page: a link to it names the site
        return []
    found = [node for node, href in links.items() if href in (own, path) and markup.tags[node] == "a"]
    return [text for node in found[:3] if (text := markup.text(node))]


def _read_kinds(metas: dict[str, list[str]], things: list[Thing]) -> frozenset[str]:
    found = {thing.kind for thing in things}
    kind = (metas.get("og:type") or [""])[0].lower()
    if "article" in kind or "article:published_time" in metas:
        found.add("article")
    elif kind and kind not in ("website", "site", "blog"):
        found.add("thing")
    return frozenset(found)
