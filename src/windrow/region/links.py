"""Where records lead to: the page of each record, and its picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from windrow.region.columns import Columns

SCHEMES = ("http:", "https:", "file:")
"""How the addresses of pages begin."""


@dataclass(frozen=True, eq=False)
class Addresses:
    """The absolute address that each node links to, and of the picture that it shows; None for most."""

    links: Sequence[str | None]
    images: Sequence[str | None]

    @cached_property
    def pages(self) -> list[str | None]:
        """The addresses that nodes link to, as far as a page can be there: no mail, no telephone, no data."""
        return [link if link and link.startswith(SCHEMES) else None for link in self.links]

    @cached_property
    def linking(self) -> NDArray[np.intp]:
        """The nodes that link to a page, in document order."""
        return np.array([node for node, link in enumerate(self.pages) if link], dtype=np.intp)

    @cached_property
    def showing(self) -> NDArray[np.intp]:
        """The nodes that show a picture, in document order."""
        return np.array([node for node, image in enumerate(self.images) if image], dtype=np.intp)


def find_detail_url(columns: Columns, record: tuple[int, ...], addresses: Addresses) -> str | None:
    """Give the address of a record's own page: what its heading links to, else the link with the most text."""
    nodes = columns.nodes
    around = int(record[0])
    while around > 0:  # the whole record may stand in a link
        if addresses.pages[around]:
            return addresses.pages[around]
        around = int(nodes.parent[around])
        if columns.links[around] != columns.links[record[0]] + 1:
            break
    inside = _within(addresses.linking, columns, record)
    if not len(inside):
        return None
    heading = columns.in_heading[inside] | (columns.headings[inside] > 0)
    best = np.lexsort((inside, -columns.chars[inside], ~heading))[0]
    return addresses.pages[int(inside[best])]


def find_image_url(columns: Columns, record: tuple[int, ...], addresses: Addresses) -> str | None:
    """Give the address of a record's first picture."""
    inside = _within(addresses.showing, columns, record)
    return addresses.images[int(inside[0])] if len(inside) else None


def link_around(columns: Columns, node: int, record: tuple[int, ...], addresses: Addresses) -> str | None:
    """Give the address that a piece of a record links to, be the link around it or the only one in it."""
    above = node
    while above >= record[0]:
        if addresses.links[above]:
            return addresses.links[above]
        above = int(columns.nodes.parent[above])
    return None


def _within(nodes: NDArray[np.intp], columns: Columns, record: tuple[int, ...]) -> NDArray[np.intp]:
    parts = [nodes[np.searchsorted(nodes, node) : np.searchsorted(nodes, columns.nodes.end[node])] for node in record]
    return np.concatenate(parts)
