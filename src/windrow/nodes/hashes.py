"""Names and paths as numbers, so that the places of a whole page are compared at once.

A path is the labels from the document down to a node, read as x ↦ BASE · x + label. Such functions are composed by
doubling, each round looking twice as far up, so that no walk over the tree is needed. Two paths have the same number
where their labels are the same, and else hardly ever: one chance in 2⁶⁴ for each pair.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from windrow.nodes.columns import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windrow.geometry import Mask
    from windrow.nodes.tree import Nodes

Hashes: TypeAlias = NDArray[np.uint64]

BASE = 0x9E3779B97F4A7C15
"""An odd number without pattern: 2⁶⁴ divided by the golden ratio."""
MASK = (1 << 64) - 1
HOLDS = np.isin(np.arange(256), (Kind.ELEMENT, Kind.DOCUMENT, Kind.FRAGMENT))
"""Which kinds of nodes can hold others."""


@lru_cache(maxsize=8192)
def hash_name(name: str) -> int:
    """Return the number of a tag or of classes, the same in every process; 0 for an empty name."""
    if not name:
        return 0
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def hash_names(names: Iterable[str]) -> Hashes:
    """Return the numbers of many names."""
    return np.array([hash_name(name) for name in names], dtype=np.uint64)


def hash_path(labels: Iterable[int], start: int = 0) -> int:
    """Return the number of one path, given its labels from above down, and that of the path before it."""
    total = start
    for label in labels:
        total = (total * BASE + label) & MASK
    return total


def hash_paths(nodes: Nodes, labels: Hashes, skipped: Mask | None = None, begins: Mask | None = None) -> Hashes:
    """Return the number of every node's path, the document's own label and those of skipped nodes left out.

    ``labels`` has one entry a node in its last axis, so that paths of several kinds are read in one go. A path goes up
    to the nearest node that ``begins`` one, where any does.
    """
    holders = np.flatnonzero(HOLDS[nodes.kind])
    number = np.zeros(len(nodes), dtype=np.intp)
    number[holders] = np.arange(len(holders))
    above = number[np.maximum(nodes.parent, 0)]
    factor = np.full(1, BASE, dtype=np.uint64)
    if skipped is not None:
        factor = np.where(skipped, np.uint64(1), np.uint64(BASE))
        labels = np.where(skipped, np.uint64(0), labels)
    if begins is not None:
        factor = np.where(begins, np.uint64(0), factor)
    total = _sum_up(labels.take(holders, axis=-1), factor if len(factor) == 1 else factor[holders], above[holders])
    paths = factor * total.take(above, axis=-1) + labels
    paths[..., 0] = 0
    return np.asarray(paths, dtype=np.uint64)


def _sum_up(total: Hashes, factor: Hashes, above: NDArray[np.intp]) -> Hashes:
    """Compose the functions of all nodes with those of their ancestors; ``above`` indexes the parents."""
    total[..., 0] = 0
    while above.any():
        total += factor * total.take(above, axis=-1)
        factor = factor * (factor if len(factor) == 1 else factor[above])
        above = above[above]
    return total
