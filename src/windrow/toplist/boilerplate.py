"""Boilerplate around a page's content: navigation, footers, comments, promotion, tables of contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from windrow.geometry import Mask
    from windrow.nodes import Nodes

TAGS = frozenset({"nav", "footer", "aside", "form", "button", "select", "dialog"})
ROLES = frozenset({"navigation", "contentinfo", "complementary", "search", "dialog", "menu", "banner"})
CONTAINERS = frozenset({"div", "section", "ul", "ol", "li", "table", "article"})
"""Elements whose classes and ids tell; those of smaller ones tell of themselves only."""
WORDS = frozenset(
    "nav navbar navigation footer sidebar menu breadcrumb breadcrumbs toc related comment comments respond share "
    "sharing social newsletter subscribe cookie modal popup promo recirc recommended recommendations outbrain taboola "
    "pagination latest popular trending tags banner".split()
)
"""Words that such a name is made of, between hyphens or underscores."""
PHRASES = (
    "table-of-contents",
    "tableofcontents",
    "lwptoc",
    "side-bar",
    "author-box",
    "may-like",
    "read-next",
    "more-stories",
)
"""The same, of several words or inside of a longer one."""
WIDGET = "widget"
"""A word that tells only where it is all of a name."""
LARGE = 0.2
"""Share of the text beyond which a part is content, whatever its name says."""


def find_boilerplate(nodes: Nodes) -> Mask:
    """Return which nodes stand in what surrounds the content."""
    mask = nodes.tag.is_in(TAGS)
    container = nodes.tag.is_in(CONTAINERS).tolist()
    for attribute in ("class", "id"):
        marked = {node: names for node, names in nodes.attributes.having(attribute).items() if container[node]}
        telling = _find_telling(set(marked.values()))
        mask[[node for node, names in marked.items() if names in telling]] = True
    mask[[node for node, role in nodes.attributes.having("role").items() if role in ROLES]] = True
    # A wrapper that holds much of the page or its heading is no sidebar, whatever it is called.
    spans = nodes.spans
    mask &= (spans.end - spans.start) < LARGE * len(spans.text)
    found, headings = np.flatnonzero(mask), nodes.tag.where("h1")
    before, within = np.searchsorted(headings, found, side="right"), np.searchsorted(headings, nodes.end[found])
    mask[found[before < within]] = False
    return np.asarray(nodes.inside(mask))


def _find_telling(values: set[str]) -> set[str]:
    """Return the values of class or id attributes that name boilerplate."""
    folded = {value: value.lower().replace("_", "-") for value in values}
    whole = "\n".join(folded.values())
    phrases = [phrase for phrase in PHRASES if phrase in whole]
    return {
        value
        for value, text in folded.items()
        if not WORDS.isdisjoint(text.replace("-", " ").split())
        or (WIDGET in text and WIDGET in text.split())
        or any(phrase in text for phrase in phrases)
    }
