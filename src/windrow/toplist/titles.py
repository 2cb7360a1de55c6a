"""Which title of a page makes a promise: the title tag, one of its first headings, or the title for link previews.

Where they promise different numbers, the one that the title reader takes for the page's title counts. What it does
not say of time and place, another title that promises as many may say.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind
from windrow.toplist.promise import Promise, read_promise

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.nodes import Nodes

POSSIBLE = 0.12
"""Probability from which on the page is asked whether a title promises a list: what the rules rule out stays below."""
LIKELY = 0.5
"""Probability from which on a title disagrees with another."""
LONGEST = 300
MOST_HEADINGS = 3
MOST_PREVIEWS = 3
PREVIEW = "og:title"
WORD = re.compile(r"\w+")


def find_promise(nodes: Nodes, title: Callable[[], str]) -> Promise | None:
    """Give the promise of a page, be it doubtful; ``title`` is asked for the page's title where titles disagree."""
    promises = [promise for promise in read_titles(nodes) if promise.score >= POSSIBLE]
    if not promises:
        return None
    chosen = promises[0]
    if len({promise.k for promise in promises if promise.score >= LIKELY}) > 1:
        meant = title()
        chosen = next((promise for promise in promises if meant and _is_same(promise.title, meant)), chosen)
    alike = [chosen, *(promise for promise in promises if promise.k == chosen.k and promise is not chosen)]
    return replace(
        chosen,
        time=next((promise.time for promise in alike if promise.time), ""),
        titles=tuple(promise.title for promise in alike),
    )


def _is_same(title: str, meant: str) -> bool:
    """Say whether the words of one of two titles stand in the other: titles carry the names of sites."""
    a, b = (f" {' '.join(WORD.findall(text.casefold()))} " for text in (title, meant))
    return a in b or b in a


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
    wanted = [node for node, name in nodes.attributes.having("property").items() if name.lower() == PREVIEW]
    return [" ".join(nodes.attributes[node].get("content", "").split())[:LONGEST] for node in wanted[:MOST_PREVIEWS]]


def _inner_text(nodes: Nodes, node: int) -> str:
    """Give the text inside an element, white space collapsed."""
    inside = node + np.flatnonzero(nodes.kind[node : int(nodes.end[node])] == Kind.TEXT)
    return " ".join(" ".join(map(nodes.text.__getitem__, inside.tolist())).split())[:LONGEST]
