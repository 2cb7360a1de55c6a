"""Whose a value is: a page shows other records as well, in lists of related ones, often in the markup of its own.

A value that stands in an entry of a list whose entries lead to pages like this one, while most values of the record
stand elsewhere, is the value of another record. It is left out: nothing is better than something wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from windrow.crawl.addresses import Address

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.geometry import Mask
    from windrow.nodes import Nodes
    from windrow.nodes.columns import Counts
    from windrow.page import Page
    from windrow.wrapper.result import Located


def find_foreign(page: Page, located: Mapping[str, Sequence[Located]]) -> set[str]:
    """Return the labels whose one value stands among those of other records."""
    nodes = page.nodes
    places = {label: [each.node for each in some if each.node >= 0] for label, some in located.items()}
    leading = np.cumsum(np.concatenate([[False], _lead_to_others(page)]))
    foreign = set()
    for label, some in located.items():
        others = [node for other, nodes_of in places.items() if other != label for node in nodes_of]
        if len(some) == len(places[label]) == 1 and some[0].row == 0 and others:
            foreign |= {label} if _is_foreign(nodes, places[label][0], others, leading) else set()
    return foreign


def _is_foreign(nodes: Nodes, node: int, others: Sequence[int], leading: Counts) -> bool:
    """Whether a node stands in an entry that leads to another record, beside others that do, and away from the rest."""

    def leads(entry: int) -> bool:
        return bool(leading[nodes.end[entry]] > leading[entry])

    entry, parent = node, int(nodes.parent[node])
    # Two values may have strayed into one entry; where most of them stand, there the record is.
    while parent >= 0 and 2 * sum(parent <= other < nodes.end[parent] for other in others) < max(1, len(others)):
        if leads(entry):
            beside = [int(each) for each in nodes.children(parent) if each != entry]
            if any(nodes.tag[each] == nodes.tag[entry] and leads(each) for each in beside):
                return True
        entry, parent = parent, int(nodes.parent[parent])
    return False


def _lead_to_others(page: Page) -> Mask:
    """Whether each node is a link to another page whose address is like this one's: of its site and its folder."""
    own = Address.parse(page.url) if page.url else None
    found = np.zeros(len(page.nodes), bool)
    if own is None:
        return found
    folder = own.path.rpartition("/")[0]
    known: dict[str, bool] = {}
    for node, url in enumerate(page.links):
        if url is None:
            continue
        if url not in known:
            other = Address.parse(url)
            is_like = other is not None and other.site == own.site and other.path.rpartition("/")[0] == folder
            known[url] = is_like and other is not None and other.identity() != own.identity()
        found[node] = known[url]
    return found
