"""What a page strikes through: an old price, which stands beside the one that holds.

Without a browser only the page itself is read: tags, the styles of its elements, and its style sheets that stand in it.
Of these the rules for a class count, wherever elements of that class stand.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.geometry import Mask
    from windrow.nodes import Nodes
    from windrow.wrapper.page_features import PageFeatures

STRUCK = frozenset("s strike del".split())
STRIKING = "line-through"
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
CLASSED = re.compile(r"[\w-]*\.([\w-]+)")
"""A selector's last part: a class, of any elements or of those of a tag."""


def find_struck(nodes: Nodes) -> Mask:
    """Return which nodes are struck through, with all that stands in them."""
    found, end = np.zeros(len(nodes), dtype=bool), nodes.end
    for element in _striking_elements(nodes):
        found[element : int(end[element])] = True
    return found


def has_struck_part(features: PageFeatures, node: int) -> bool:
    """Whether a part of what a node shows is struck out, and not all of it."""
    struck = struck_texts(features, int(features.first_text[node]), int(features.last_text[node]))
    return bool(struck.any() and not struck.all())


def text_that_holds(features: PageFeatures, first: int, last: int) -> str:
    """Return some shown texts that follow each other, without those that are struck out."""
    struck = struck_texts(features, first, last)
    edges = [0, *(1 + np.flatnonzero(np.diff(struck))).tolist(), len(struck)]
    runs = ((start, end) for start, end in pairwise(edges) if not struck[start])
    return " ".join(features.text_between(first + start, first + end) for start, end in runs)


def struck_texts(features: PageFeatures, first: int, last: int) -> Mask:
    """Return which of some shown texts that follow each other are struck out."""
    return features.struck[features.texts[first:last]]


def _striking_elements(nodes: Nodes) -> Iterator[int]:
    """Yield the elements that strike their text out, by tag or by the page's own styles."""
    for tag in STRUCK:
        yield from nodes.tag.where(tag).tolist()
    having = nodes.attributes.having
    yield from (node for node, style in having("style").items() if STRIKING in style)
    if names := _find_struck_classes(nodes):
        yield from (node for node, own in having("class").items() if not names.isdisjoint(own.split()))


def _find_struck_classes(nodes: Nodes) -> set[str]:
    """Return the classes that the style sheets in a page strike through."""
    names = set[str]()
    for sheet in nodes.tag.where("style").tolist():
        text = "".join(nodes.text[node] for node in range(sheet, int(nodes.end[sheet])))
        if STRIKING not in text:
            continue
        for selectors, declarations in RULE.findall(text):
            if STRIKING in declarations:
                last = [selector.split()[-1] for selector in selectors.split(",") if selector.strip()]
                names.update(found[1] for selector in last if (found := CLASSED.fullmatch(selector)))
    return names
