"""What still holds of a text of which a part is struck out, as a former price beside the one that is asked now."""

from __future__ import annotations

from bisect import bisect_left
from itertools import groupby
from typing import TYPE_CHECKING

from windrow.wrapper.page_features import STRUCK
from windrow.wrapper.strikes import STRIKING, find_struck_classes

if TYPE_CHECKING:
    from windrow.nodes import Nodes
    from windrow.wrapper.page_features import PageFeatures

KEPT = "_wrapper_struck"


def has_struck_part(features: PageFeatures, node: int) -> bool:
    """Whether a part of what a node shows is struck out, and not all of it."""
    if features.is_text[node] or not _inside(features.nodes, node):
        return False
    struck = _strikes(features, node)
    return any(struck) and not all(struck)


def text_that_holds(features: PageFeatures, node: int) -> str:
    """Return what a node shows without what is struck out in it."""
    first, runs = int(features.first_text[node]), list[str]()
    for is_struck, run in groupby(enumerate(_strikes(features, node), first), key=lambda pair: pair[1]):
        ranks = [rank for rank, _ in run]
        if not is_struck:
            runs.append(features.text_between(ranks[0], ranks[-1] + 1))
    return " ".join(runs)


def _strikes(features: PageFeatures, node: int) -> list[bool]:
    """Return which of the texts that a node shows are struck out by an element in it."""
    struck = _inside(features.nodes, node)
    ends = features.nodes.end
    texts = features.texts[int(features.first_text[node]) : int(features.last_text[node])].tolist()
    return [any(element < text < ends[element] for element in struck) for text in texts]


def _inside(nodes: Nodes, node: int) -> list[int]:
    """Return the elements in one that strike their text out."""
    elements = _struck_elements(nodes)
    return elements[bisect_left(elements, node + 1) : bisect_left(elements, int(nodes.end[node]))]


def _struck_elements(nodes: Nodes) -> list[int]:
    """Return the elements that strike their text out, by tag or by the page's own styles; they are found once."""
    kept: dict[str, list[int]] = vars(nodes)
    if KEPT not in kept:
        names, having = find_struck_classes(nodes), nodes.attributes.having
        found = {node for tag in STRUCK for node in nodes.tag.where(tag).tolist()}
        found |= {node for node, style in having("style").items() if STRIKING in style}
        if names:
            found |= {node for node, own in having("class").items() if not names.isdisjoint(own.split())}
        kept[KEPT] = sorted(found)
    return kept[KEPT]
