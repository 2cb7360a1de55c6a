"""Tag paths as numbers (TOPK, Algorithm 1): two nodes have the same number where the tags above them are the same.

"Very similar" paths, the paper's variant, are the same but for tags that only group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.hashes import hash_names, hash_paths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.nodes import Nodes

NEUTRAL = frozenset({"div", "span", "section", "article", "figure", "header", "main", "center"})
TEXT = "#text"
"""What stands for the tag of a text."""


def number_paths(nodes: Nodes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the number of each node's tag path, and of its path without the tags that only group."""
    labels = hash_names([*nodes.tag.words, TEXT])[nodes.tag.codes]
    paths = hash_paths(nodes, labels), hash_paths(nodes, labels, skipped=nodes.tag.is_in(NEUTRAL))
    return paths[0].view(np.int64), paths[1].view(np.int64)
