"""Several values in a row: those that follow one another in a line, and those that the same way leads to."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.hashes import hash_name, hash_path
from windrow.nodes.inline import INLINE_TAGS
from windrow.wrapper.normalization import folded, shape, signs_in
from windrow.wrapper.page_features import hash_key
from windrow.wrapper.text_search import Occurrence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.rule import Way

ITEM_TAGS = frozenset("li dd option".split())
"""Elements that come several in a row by their nature."""
SEPARATOR = re.compile(r"(?:[,;/|&·•]|and|und|et|y)*", re.IGNORECASE)
BY_TAG, BY_KEY = 0, 1
"""Which of ``PageFeatures.paths`` is compared."""


def following(features: PageFeatures, node: int) -> list[int]:
    """Return the texts after a text that stand in siblings of its kind, parted by nothing but a comma or the like."""
    run: list[int] = []
    rank = features.rank_of(node)
    while (item := _neighbour(features, rank, 1)) is not None:
        rank += 2
        run.append(item)
    return run


def stands_alone(features: PageFeatures, node: int) -> bool:
    """Whether no sibling of a text's kind stands before or after it in its line."""
    rank = features.rank_of(node)
    return all(_neighbour(features, rank, step) is None for step in (-1, 1))


def _neighbour(features: PageFeatures, rank: int, step: int) -> int | None:
    """Return the text behind a comma or the like, after or before a text, in a sibling of its kind."""
    other = rank + 2 * step
    if not 0 <= other < len(features.words) or not SEPARATOR.fullmatch("".join(features.words[rank + step].split())):
        return None
    node, item = (int(features.texts[one]) for one in (rank, other))
    element, above = _inline_around(features, node), _inline_around(features, item)
    is_kin = features.up[above] == features.up[element] and features.key[above] == features.key[element]
    return item if element != node and is_kin else None


def _inline_around(features: PageFeatures, node: int) -> int:
    """Return the outermost inline element that shows a text and nothing else; where there is none, the text."""
    if not features.is_text[node]:
        return node
    chain = showing_only(features, node)
    inline = takewhile(lambda element: features.nodes.tag[element] in INLINE_TAGS, chain[1:])
    return next(iter(deque(inline, maxlen=1)), node)


def goes_on(features: PageFeatures, node: int) -> bool:
    """Whether more text follows what a node shows in the same block."""
    rank, block = int(features.last_text[node]), features.block
    return 0 < rank < len(block) and bool(block[rank] == block[rank - 1])


def has_another_line(features: PageFeatures, node: int) -> bool:
    """Whether the element of a text goes on with another text of its format, as after a line break."""
    if not features.is_text[node] or not goes_on(features, node):
        return False
    other = int(features.texts[int(features.last_text[node])])
    formats = [signs_in(shape(features.text_of(one))) for one in (node, other)]
    return bool(features.up[other] == features.up[node]) and formats[0] == formats[1]


def showing_only(features: PageFeatures, node: int) -> list[int]:
    """Return a node and the elements around it that show the same and nothing else."""
    chain, up = [node], features.up.item
    first_text, last_text = features.first_text.item, features.last_text.item
    first, last = first_text(node), last_text(node)
    node = up(node)
    while node > 0 and first_text(node) == first and last_text(node) == last:
        chain.append(node)
        node = up(node)
    return chain


def kin_of(features: PageFeatures, element: int) -> list[int]:
    """Return an element and its siblings of the same tag and classes that belong with it.

    In a line they are parted by nothing but a comma or the like; elsewhere they are items, or have a class in common.
    """
    alike = _alike(features, element).tolist()
    tag = features.nodes.tag[element]
    if tag in INLINE_TAGS:
        return _in_line(features, alike, element)
    belongs = tag in ITEM_TAGS or element in features.classes
    alone = all(features.last_text[one] - features.first_text[one] == 1 for one in alike)
    return alike if belongs and alone else [element]


def find_kin(features: PageFeatures, values: Sequence[Sequence[Occurrence]]) -> tuple[Occurrence, int] | None:
    """Return the first of the siblings that show the values and nothing else does, and how far above its text it is."""
    wanted = {folded(features.text_of(places[0].node)) for places in values}
    for found in values[0]:
        for element in showing_only(features, found.node) if found.is_exact and not found.attribute else ():
            kin = kin_of(features, element) if not features.is_text[element] else []
            if len(kin) > 1 and {folded(features.text_of(one)) for one in kin} == wanted:
                text = int(features.texts[features.first_text[kin[0]]])
                chain = showing_only(features, text)
                return (Occurrence(text), chain.index(kin[0])) if kin[0] in chain else None
    return None


def count_kin_after(features: PageFeatures, node: int) -> int | None:
    """Count the siblings of a kind after what shows a value and nothing else; None where it is the only one."""
    for element in showing_only(features, node):
        alike = _alike(features, element).tolist() if not features.is_text[element] else []
        if len(alike) > 1:
            return len(alike) - 1 - alike.index(element)
    return None


def has_kin(features: PageFeatures, element: int) -> bool:
    """Whether an element has siblings of the same tag and classes that show something."""
    return len(_alike(features, element)) > 1


def _alike(features: PageFeatures, element: int) -> NDArray[np.intp]:
    """Return an element and its siblings of the same tag and classes; of a description, those of the same term."""
    tag = features.nodes.tag
    siblings = features.nodes.children(int(features.up[element])).astype(np.intp)
    if tag[element] == "dd":
        terms = [node for node in siblings.tolist() if tag[node] == "dt"]
        number = bisect_right(terms, element)
        first, end = (terms[number - 1] if number else 0), (terms[number] if number < len(terms) else len(tag))
        siblings = siblings[(siblings > first) & (siblings < end)]
    return features.showing(siblings[features.key[siblings] == features.key[element]])


def _in_line(features: PageFeatures, alike: list[int], element: int) -> list[int]:
    """Return the run of siblings around an element that are parted by separators only."""
    words, runs = features.words, [[alike[0]]]
    for one, other in pairwise(alike):
        between = words[int(features.last_text[one]) : int(features.first_text[other])]
        if between and all(SEPARATOR.fullmatch("".join(text.split())) for text in between):
            runs[-1].append(other)
        else:
            runs.append([other])
    return next(run for run in runs if element in run)


def items_below(features: PageFeatures, around: int, ways: Sequence[Way]) -> NDArray[np.intp]:
    """Return the nodes below an element that one of the ways leads to, in document order."""
    inside = np.arange(around + 1, int(features.nodes.end[around]))
    below = features.nodes.depth[inside] - features.nodes.depth[around]
    paths, start = features.paths[:, inside], features.paths[:, around]
    chosen = np.zeros(len(inside), dtype=bool)
    for way in ways:
        by_tag = all(names == "*" for _, names in way)
        steps = [hash_name(tag) if by_tag else hash_key(tag, names) for tag, names in way]
        kind = BY_TAG if by_tag else BY_KEY
        wanted = hash_path(steps, int(start[kind]))
        chosen |= (below == len(way)) & (paths[kind] == np.uint64(wanted))
    return features.showing(inside[chosen])
