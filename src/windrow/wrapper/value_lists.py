"""Several values in a row: those that follow one another in a line, and those that the same way leads to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.hashes import hash_name, hash_path
from windrow.nodes.inline import INLINE_TAGS
from windrow.wrapper.page_features import hash_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.rule import Way

SEPARATOR = re.compile(r"(?:[,;/|&·•]|and|und|et|y)*", re.IGNORECASE)
BY_TAG, BY_KEY = 0, 1
"""Which of ``PageFeatures.paths`` is compared."""


def following(features: PageFeatures, node: int) -> list[int]:
    """Return the texts after a text that stand in siblings of its kind, parted by nothing but a comma or the like."""
    run: list[int] = []
    parent = int(features.up[node])
    home = int(features.up[parent])
    if not features.is_text[node] or features.nodes.tag[parent] not in INLINE_TAGS:
        return run
    words, texts, rank = features.words, features.texts, features.rank_of(node)
    while rank + 2 < len(words) and SEPARATOR.fullmatch("".join(words[rank + 1].split())):
        rank += 2
        item = int(texts[rank])
        above = int(features.up[item])
        if features.up[above] != home or features.key[above] != features.key[parent]:
            break
        run.append(item)
    return run


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
