"""What a page strikes through: an old price, which stands beside the one that holds.

Only the page itself is read: tags, the styles of its elements, and the style sheets that stand in it; those in other
files are not seen. Of the sheets, the rules for a class count, where its elements stand in those that the rule names;
rules that go by anything but tags and classes do not.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windrow.geometry import Mask
    from windrow.nodes import Nodes

STRUCK = frozenset("s strike del".split())
"""Elements whose text no longer holds."""
STRIKING = "line-through"
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
REMARK = re.compile(r"/\*.*?\*/", re.DOTALL)
PART = re.compile(r"([\w-]*)((?:\.[\w-]+)*)")
"""A part of a selector: a tag, classes, or both."""
Part: TypeAlias = "tuple[str, frozenset[str]]"


def find_struck(nodes: Nodes) -> Mask:
    """Return which nodes are struck through, with all that stands in them."""
    found, end = np.zeros(len(nodes), dtype=bool), nodes.end
    for element in _striking_elements(nodes):
        found[element : int(end[element])] = True
    return found


def _striking_elements(nodes: Nodes) -> Iterator[int]:
    """Yield the elements that strike their text out, by tag or by the page's own styles."""
    yield from nodes.tag.where(*STRUCK).tolist()
    having = nodes.attributes.having
    yield from (node for node, style in having("style").items() if STRIKING in style)
    if selectors := list(_striking_selectors(nodes)):
        classes = having("class")
        is_selected = partial(_is_selected, nodes, classes)
        yield from (node for node in classes if any(is_selected(node, parts) for parts in selectors))


def _striking_selectors(nodes: Nodes) -> Iterator[list[Part]]:
    """Yield the selectors for classes that the style sheets in a page strike through, each as its parts."""
    for sheet in nodes.tag.where("style").tolist():
        text = "".join(nodes.text[node] for node in range(sheet, int(nodes.end[sheet])))
        if STRIKING not in text:
            continue
        for selectors, declarations in RULE.findall(REMARK.sub(" ", text)):
            for selector in selectors.split(",") if STRIKING in declarations else ():
                found = [PART.fullmatch(part) for part in selector.split()]
                parts = [(part[1], frozenset(part[2].split(".")[1:])) for part in found if part]
                if parts and len(parts) == len(found) and parts[-1][1]:
                    yield parts


def _is_selected(nodes: Nodes, classes: Mapping[int, str], node: int, parts: Sequence[Part]) -> bool:
    """Whether a node is what the last part of a selector names, and stands in what the others name, in their order."""
    if not _is_named(nodes, classes, node, parts[-1]):
        return False
    left, above = list(parts[:-1]), int(nodes.parent[node])
    while left and above > 0:
        if _is_named(nodes, classes, above, left[-1]):
            left.pop()
        above = int(nodes.parent[above])
    return not left


def _is_named(nodes: Nodes, classes: Mapping[int, str], node: int, part: Part) -> bool:
    tag, names = part
    return tag in {"", nodes.tag[node]} and names.issubset(classes.get(node, "").split())
