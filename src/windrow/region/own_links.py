"""The page of each record: where its heading leads, or else the largest part of what is seen of it.

A title, a picture and "Read more" that lead to one page speak together; an author, a shop or a venue is small beside
them. Where nearly all records lead to one page, it is a page of the site and no record's own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import area

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.region.fields import RecordNodes
    from windrow.region.links import Links


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
    sizes = _measure_links(links)
    return [
        _find_around(links, record) or _find_largest(links, nodes, sizes, common)
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


def _find_largest(links: Links, inside: Sequence[int], sizes: dict[int, int], common: set[str]) -> str | None:
    """Return where the heading of a record leads, else where the largest part of it does; the first of equals."""
    if not inside:
        return None
    measures = links.measures
    own: Counter[str] = Counter()
    for node in inside:
        own[_page_of(links.pages[node])] += sizes[node]

    def weigh(node: int) -> tuple[bool, bool, int, bool, int]:
        address = links.pages[node]
        heading = bool(measures.in_heading[node] or measures.headings[node])
        page = _page_of(address)
        return heading, page not in common, own[page], page == address, sizes[node]

    return links.pages[max(inside, key=weigh)]


def _measure_links(links: Links) -> dict[int, int]:
    """Return how much of the page each link is: the area of its letters and pictures, or how much it says."""
    measures, linking = links.measures, links.linking
    if measures.nodes.layout is None:
        size = measures.chars[linking] + PARAMETERS.picture * (measures.pictures[linking] > 0)
    else:
        layout = measures.nodes.layout
        # Letters are about half as wide as high; the box of a text that goes on in another line holds others, too.
        letters = np.where(measures.is_text, measures.chars * np.nan_to_num(layout.font_size) ** 2 / 2, 0.0)
        pictures = np.where(measures.is_picture, np.nan_to_num(area(layout.box)), 0.0)
        size = measures.nodes.sum_inside((letters + pictures).astype(np.int64))[linking]
    return dict(zip(linking, size.tolist(), strict=True))


def _page_of(address: str) -> str:
    return address.partition("#")[0]
