"""Where a page says its title: the title tag, its first headings, and the title for link previews."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind
from windrow.toplist.promise import Promise, read_promise

if TYPE_CHECKING:
    from windrow.nodes import Nodes

LONGEST = 300
MOST_HEADINGS = 3
PREVIEWS = frozenset({"og:title", "twitter:title"})


def read_titles(nodes: Nodes) -> list[Promise]:
    """Give the promises that the page's titles make, the likeliest first; of equal ones the heading's."""
    declared = next((nodes.attributes[node].get("lang", "") for node in nodes.tag.where("html").tolist()[:1]), "")
    texts = dict.fromkeys(filter(None, [*find_headings(nodes), *find_tags(nodes), *find_previews(nodes)]))
    promises = [promise for text in texts if (promise := read_promise(text, declared))]
    return sorted(promises, key=lambda promise: -round(promise.score, 1))


def find_headings(nodes: Nodes) -> list[str]:
    """Give the texts of the first headings of the first level."""
    return [_inner_text(nodes, node) for node in nodes.tag.where("h1").tolist()[:MOST_HEADINGS]]


def find_tags(nodes: Nodes) -> list[str]:
    """Give the text of the title tag."""
    return [_inner_text(nodes, node) for node in nodes.tag.where("title").tolist()[:1]]


def find_previews(nodes: Nodes) -> list[str]:
    """Give the titles that the page offers to those that link to it."""
    named = nodes.attributes.having("name") | nodes.attributes.having("property")
    wanted = sorted(node for node, name in named.items() if name.lower() in PREVIEWS)
    return [" ".join(nodes.attributes[node].get("content", "").split())[:LONGEST] for node in wanted]


def _inner_text(nodes: Nodes, node: int) -> str:
    """Give the text inside an element, white space collapsed."""
    inside = node + np.flatnonzero(nodes.kind[node : int(nodes.end[node])] == Kind.TEXT)
    return " ".join(" ".join(map(nodes.text.__getitem__, inside.tolist())).split())[:LONGEST]
