"""What kind a value is of: a length where a price was learned is no price, and of two prices either may be meant.

A value is taken for something else only by what both texts surely say. Words say nothing, and a bare number may be any
of these.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from windrow.value import read_value
from windrow.wrapper.page_features import steady_class

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from windrow.value import Typed
    from windrow.wrapper.page_features import PageFeatures

CELL = "td"
MOMENTS = frozenset({"date", "datetime"})
SAYING = MOMENTS | {"number", "percent", "money", "rating", "duration"}
"""The kinds that tell one field from another."""


def is_contradicted(texts: Sequence[str], learned: Sequence[str]) -> bool:
    """Whether any of some texts is surely of another kind than all learned ones."""
    known = [read_once(text) for text in learned]
    if not known or not all(map(is_telling, known)):
        return False
    return any(all(are_opposed(own, one) for one in known) for own in map(read_value, texts))


def find_rivalled(
    features: PageFeatures, places: Mapping[str, Sequence[int]], names: Mapping[str, Collection[str]] | None = None
) -> set[str]:
    """Return the labels whose one value has another of its kind beside it; nodes by label come in.

    Beside it is what stands in its block, or in the next cell of its row. What is struck out holds no longer, what
    another label reads is that label's, and a class of its own tells a value from others: one of ``names``, the classes
    that the label was learned with, where these are given.
    """
    taken = {rank for nodes in places.values() for node in nodes for rank in ranks_in(features, node)}
    return {
        label
        for label, nodes in places.items()
        if len(nodes) == 1 and _has_rival(features, nodes[0], taken, None if names is None else names.get(label, ()))
    }


def _has_rival(features: PageFeatures, node: int, taken: set[int], names: Collection[str] | None) -> bool:
    own = read_value(features.text_of(node))
    if not is_telling(own):
        return False
    first = int(features.first_text[node])
    name = _name_around(features, first)
    is_told = bool(name) and (names is None or name in names)
    beside = [rank for rank in _ranks_beside(features, first) if rank not in taken]
    rivals = [rank for rank in beside if not is_told or _name_around(features, rank) == name]
    of_kind = [rank for rank in rivals if read_value(features.words[rank]).kind == own.kind]
    nodes = (int(features.texts[rank]) for rank in of_kind)
    return any(features.nodes.visible[node] and not features.is_struck(node) for node in nodes)


def _ranks_beside(features: PageFeatures, rank: int) -> list[int]:
    """Return the ranks of the texts in a text's block, and of those right before and after it in a cell of its row."""
    block = features.block
    inside = np.flatnonzero(block == block[rank]).tolist()
    if features.nodes.tag[block[rank]] == CELL:
        row = features.up[block[rank]]
        inside += [
            near
            for near in (inside[0] - 1, inside[-1] + 1)
            if 0 <= near < len(block) and features.up[block[near]] == row and features.nodes.tag[block[near]] == CELL
        ]
    return inside


def _name_around(features: PageFeatures, rank: int) -> str:
    """Return the class of the element that a text stands in."""
    return steady_class(features.classes.get(int(features.up[features.texts[rank]]), ""))


def ranks_in(features: PageFeatures, node: int) -> Iterable[int]:
    """Return the ranks of the texts that a node shows."""
    return range(int(features.first_text[node]), int(features.last_text[node]))


@lru_cache(maxsize=8192)
def read_once(text: str) -> Typed:
    """Return what a learned text says; every page is compared with it."""
    return read_value(text)


def are_opposed(one: Typed, other: Typed) -> bool:
    """Whether two texts say things of two kinds, such as a price and a length."""
    if not (is_telling(one) and is_telling(other)):
        return False
    return one.kind != other.kind and not MOMENTS.issuperset({one.kind, other.kind})


def is_telling(typed: Typed) -> bool:
    """Whether a text says of what kind it is."""
    return typed.kind in SAYING and not is_bare(typed)


def is_bare(typed: Typed) -> bool:
    """Whether a text is a number that says nothing of what it counts."""
    return typed.kind == "number" and not typed.unit
