"""Whether a page came with its content: a list that scripts are still to fill is there, but says nothing."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import area, has_box
from windrow.nodes import Kind
from windrow.provenance import Notice

if TYPE_CHECKING:
    from windrow.nodes import Nodes

STAND_IN = re.compile(r"(?:^|[\s_-])(?:skeleton|shimmer|ghost|placeholder|loading)(?:$|[\s_-])", re.IGNORECASE)
"""Classes of what stands in for content that is still to come."""
LISTS = re.compile(
    r"(?:^|[\s_-])(?:results?|items|products|listings?|records|entries|feed|hits)(?:$|[\s_-])", re.IGNORECASE
)
"""Classes and names of what holds a list."""
HOLDERS = frozenset({"ul", "ol", "div", "section", "main", "tbody"})
FEWEST = 3
"""Stand-ins that make a list; one or two may be an image that loads."""
SENTENCE = (
    "The page has a list without its content ({what}), which its scripts were still to fill. Give them time "
    "(--wait SECONDS, --wait-for), {advice}."
)


def find_unfilled(nodes: Nodes) -> Notice | None:
    """Return a notice where a list of the page is there without its content."""
    is_silent = _find_silent(nodes)
    if nodes.layout is not None:
        # A list that nothing fills has no height, so that nobody can see it, but it has its place.
        is_silent &= nodes.layout.visible | (has_box(nodes.layout.box) & (area(nodes.layout.box) == 0))
    what = _find_busy(nodes, is_silent) or _find_stand_ins(nodes, is_silent) or _find_empty(nodes, is_silent)
    if not what:
        return None
    advice = "or read the address itself with a browser" if nodes.layout is None else "or scroll down (--scroll)"
    return Notice("unfilled", SENTENCE.format(what=what, advice=advice))


def _find_silent(nodes: Nodes) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which elements show neither a text nor a picture."""
    says = np.fromiter((not text.isspace() and text != "" for text in nodes.text), bool, len(nodes))
    says &= nodes.kind == Kind.TEXT
    says |= nodes.tag.is_in({"img", "svg:svg", "svg", "picture", "video", "canvas", "iframe", "input"})
    total = np.concatenate([[0], np.cumsum(says)])
    return np.asarray((nodes.kind == Kind.ELEMENT) & (total[nodes.end] == total[: len(nodes)]), dtype=bool)


def _find_busy(nodes: Nodes, is_silent: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    busy = nodes.attributes.having("aria-busy")
    return next(('aria-busy="true"' for node, value in busy.items() if value.lower() == "true" and is_silent[node]), "")


def _find_stand_ins(nodes: Nodes, is_silent: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    classes = nodes.attributes.having("class")
    found = Counter(
        (int(nodes.parent[node]), names)
        for node, names in classes.items()
        if is_silent[node] and STAND_IN.search(names)
    )
    return next((f'class="{names}"' for (_, names), count in found.items() if count >= FEWEST), "")


def _find_empty(nodes: Nodes, is_silent: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    """Return the list of the main content that has nothing in it, where no list of the same name has something."""
    is_holder = nodes.tag.is_in(HOLDERS)
    named = [(node, name) for key in ("id", "class") for node, name in nodes.attributes.having(key).items()]
    lists = [(node, name) for node, name in named if is_holder[node] and LISTS.search(name)]
    if any(not is_silent[node] for node, _ in lists):
        return ""
    return next((name for _, name in lists), "")
