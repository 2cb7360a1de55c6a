"""Where records lead to: the page of each record, and its picture."""

from __future__ import annotations

from bisect import bisect_left
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


@dataclass(frozen=True, eq=False)
class Links:
    """The links and pictures of a page, to be asked for by place."""

    columns: Columns
    addresses: Addresses

    @cached_property
    def pages(self) -> dict[int, str]:
        """The addresses that nodes link to, as far as a page can be there: no mail, no telephone, no data."""
        return {node: link for node, link in enumerate(self.addresses.links) if link and link.startswith(SCHEMES)}

    @cached_property
    def linking(self) -> list[int]:
        """The nodes that link to a page, in document order."""
        return list(self.pages)

    @cached_property
    def showing(self) -> list[int]:
        """The nodes that show a picture, in document order."""
        return [node for node, image in enumerate(self.addresses.images) if image]

    @cached_property
    def weights(self) -> dict[int, tuple[bool, int]]:
        """How much each link looks like the way to a record's own page: by a heading, by the length of its text."""
        columns, linking = self.columns, self.linking
        heading = columns.in_heading[linking] | (columns.headings[linking] > 0)
        return dict(zip(linking, zip(heading.tolist(), columns.chars[linking].tolist(), strict=True), strict=True))

    def find_detail(self, record: tuple[int, ...]) -> str | None:
        """Give the address of a record's own page: what its heading links to, else the link with the most text."""
        nodes, links = self.columns.nodes, self.columns.links
        around = record[0]
        while around > 0:  # the whole record may stand in a link
            if around in self.pages:
                return self.pages[around]
            around = int(nodes.parent[around])
            if links[around] != links[record[0]] + 1:
                break
        inside = self._within(self.linking, record)
        return self.pages[max(inside, key=lambda node: (*self.weights[node], -node))] if inside else None

    def find_image(self, record: tuple[int, ...]) -> str | None:
        """Give the address of a record's first picture."""
        inside = self._within(self.showing, record)
        return self.addresses.images[inside[0]] if inside else None

    def find_around(self, node: int, record: tuple[int, ...]) -> str | None:
        """Give the address that a piece of a record links to."""
        above = int(self.nearest[node])
        return self.addresses.links[above] if above >= record[0] else None

    @cached_property
    def nearest(self) -> NDArray[np.int32]:
        """For each node, itself or the nearest one around it that links anywhere; -1 where none does."""
        nodes = self.columns.nodes
        linking = np.fromiter(map(bool, self.addresses.links), bool, len(nodes))
        return nodes.nearest(linking)

    def _within(self, nodes: list[int], record: tuple[int, ...]) -> list[int]:
        end = self.columns.nodes.end
        return [
            found for node in record for found in nodes[bisect_left(nodes, node) : bisect_left(nodes, int(end[node]))]
        ]
