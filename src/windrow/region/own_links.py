"""The page of each record: where its heading leads, or else the largest part of what is seen of it.

A title, a picture and "Read more" that lead to one page speak together; an author, a shop or a venue is small beside
them. A page that several records lead to counts for each of them in part only. Where nearly all records lead to one
page, it is a page of the site and no record's own. Records whose links stand in the same places are weighed together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from windrow.geometry import area

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.region.fields import RecordNodes
    from windrow.region.links import Links
    from windrow.region.measures import PageMeasures

Way: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True)
class Parameters:
    """How much links say of a record; set by hand."""

    picture: int = 16
    """Characters that a picture counts for where nobody knows its size: as much as a short title."""
    shared: float = 0.8
    """Share of the records that lead to one page from which on it is no record's own."""


PARAMETERS = Parameters()


def find_own_links(links: Links, records: Sequence[RecordNodes]) -> list[str | None]:
    """Return the address of each record's own page; None where it leads nowhere."""
    inside = [links.find_inside(record) for record in records]
    leading = Counter(address for nodes in inside for address in {_page_of(links.pages[node]) for node in nodes})
    most = max(PARAMETERS.shared * len(records), 1)
    common = {address for address, count in leading.items() if count > most}
    shares = {address: 0.0 if address in common else 1 / count for address, count in leading.items()}
    weights = _weigh_links(links, inside, shares)
    return [
        _find_around(links, record) or _find_largest(links, nodes, weights)
        for record, nodes in zip(records, inside, strict=True)
    ]


def _find_around(links: Links, record: RecordNodes) -> str | None:
    """Return the address of a link that the whole record stands in."""
    nodes, counts = links.measures.nodes, links.measures.links
    around = record[0]
    while around > 0:
        if around in links.pages:
            return links.pages[around]
        around = int(nodes.parent[around])
        if counts[around] != counts[record[0]] + 1:
            break
    return None


def _find_largest(links: Links, inside: Sequence[int], found: _Weights) -> str | None:
    """Return where the heading of a record leads, else where the largest part of it does; the first of equals."""
    if not inside:
        return None
    measures = links.measures

    def weigh(node: int) -> tuple[bool, bool, float, float, bool, float]:
        address = links.pages[node]
        heading = bool(measures.in_heading[node] or measures.headings[node])
        page = _page_of(address)
        return heading, found.shares[page] > 0, found.usual[node], found.own[node], page == address, found.sizes[node]

    return links.pages[max(inside, key=weigh)]


@dataclass(frozen=True)
class _Weights:
    """How much of the records their links are."""

    sizes: Mapping[int, float]
    """Each link by itself."""
    shares: Mapping[str, float]
    """How far each page is one record's own."""
    own: Mapping[int, float]
    """Each link together with the others of its record that lead to the same page, as far as that is its own."""
    usual: Mapping[int, float]
    """Each link together with those in its place in all records that have links in the same places: what leads to the
    records' own pages stands in the same place of each. Others say nothing of it: their links are called otherwise."""


def _weigh_links(links: Links, inside: Sequence[Sequence[int]], shares: Mapping[str, float]) -> _Weights:
    sizes = _measure_links(links, inside)
    own: dict[int, float] = {}
    placed: list[tuple[frozenset[Way], dict[int, Way]]] = []
    together: defaultdict[tuple[frozenset[Way], Way], float] = defaultdict(float)
    for nodes in inside:
        parts: defaultdict[str, float] = defaultdict(float)
        for node in nodes:
            parts[_page_of(links.pages[node])] += sizes[node]
        ways = {node: _way_to(links.measures, node) for node in nodes}
        places = frozenset(ways.values())
        best: dict[Way, float] = {}
        for node, way in ways.items():
            page = _page_of(links.pages[node])
            own[node] = parts[page] * shares[page]
            best[way] = max(best.get(way, 0.0), own[node])
        for way, size in best.items():
            together[places, way] += size
        placed.append((places, ways))
    usual = {node: together[places, way] for places, ways in placed for node, way in ways.items()}
    return _Weights(sizes, shares, own, usual)


def _way_to(measures: PageMeasures, node: int) -> Way:
    """Return what a link is and what it stands in, by tags and classes."""
    codes, classes, around = measures.nodes.tag.codes, measures.class_code, int(measures.nodes.parent[node])
    return int(codes[node]), int(classes[node]), int(codes[around]), int(classes[around])


def _measure_links(links: Links, inside: Sequence[Sequence[int]]) -> dict[int, float]:
    """Return how much of its record each link is: the area of its letters and pictures, or how much it says.

    What the links of several records say alike ("more by this artist") is in part each one's.
    """
    measures, linking = links.measures, np.array([node for nodes in inside for node in nodes], dtype=np.intp)
    if measures.nodes.layout is None:
        size = measures.chars[linking] + PARAMETERS.picture * (measures.pictures[linking] > 0)
    else:
        layout = measures.nodes.layout
        # Letters are about half as wide as high; the box of a text that goes on in another line holds others, too.
        letters = np.where(measures.is_text, measures.chars * np.nan_to_num(layout.font_size) ** 2 / 2, 0.0)
        pictures = np.where(measures.is_picture, np.nan_to_num(area(layout.box)), 0.0)
        size = measures.nodes.sum_inside((letters + pictures).astype(np.int64))[linking]
    texts = measures.nodes.spans
    said = {node: texts.of(node) for node in linking.tolist()}
    saying = Counter(text for nodes in inside for text in {said[node] for node in nodes})
    sizes = zip(linking.tolist(), size.tolist(), strict=True)
    return {node: own / (saying[said[node]] if said[node] else 1) for node, own in sizes}


def _page_of(address: str) -> str:
    return address.partition("#")[0]
