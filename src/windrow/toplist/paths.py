"""Tag paths as numbers (TOPK, Algorithm 1): two nodes have the same number where the tags above them are the same.

A node's path is its parent's and its own tag. Read as a number, that is x ↦ step · x + tag; such functions are put
together by doubling, each round looking twice as far up, so that no walk over the tree is needed. "Very similar"
paths, the paper's variant, are the same but for tags that only group, whose function is x ↦ x.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.nodes import Nodes

NEUTRAL = frozenset({"div", "span", "section", "article", "figure", "header", "main", "center"})
STEP = 0x9E3779B97F4A7C15
"""An odd number without pattern, so that unlike paths hardly ever share a number of 64 bits."""


def number_paths(nodes: Nodes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give every node the number of its tag path, and of its path without the tags that only group."""
    words = (*nodes.tag.words, "")
    tags = np.array([zlib.crc32(word.encode()) + 1 for word in words], dtype=np.uint64)
    neutral = np.array([word in NEUTRAL for word in words])
    codes, above = nodes.tag.codes, np.maximum(nodes.parent, 0)
    path, step = tags[codes], np.array([STEP], dtype=np.uint64)
    similar = np.where(neutral, np.uint64(0), tags)[codes]
    steps = np.where(neutral, np.uint64(1), np.uint64(STEP))[codes]
    path[0] = similar[0] = 0
    steps[0] = 1
    while above.any():
        path += step * path[above]
        similar += steps * similar[above]
        step *= step
        steps *= steps[above]
        above = above[above]
    return path.view(np.int64), similar.view(np.int64)
