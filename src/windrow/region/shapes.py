"""The shape of every node: the set of tag paths below it, down to a fixed depth, with classes that occur repeatedly.

Two nodes are alike when their sets are. Tags and classes are numbers that mean something on one page only, and sets
are kept one after another, so that the whole page is read in a few rounds over measures.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind
from windrow.nodes.hashes import BASE, hash_paths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.nodes.hashes import Hashes
    from windrow.region.measures import PageMeasures


@dataclass(frozen=True)
class Parameters:
    """How far below a node its shape is looked at; set by hand."""

    reach: int = 6
    """How many levels below a node its shape is looked at."""
    class_reach: int = 2
    """How many levels below a node classes count."""


PARAMETERS = Parameters()

MULTIPLIER = np.uint64(BASE)
FEATURE_BITS = np.uint64(40)  # not a decision: as many as a number has left beside its owner


@dataclass(frozen=True, eq=False)
class Shapes:
    """The sets of features of all nodes, one after another, and one number that stands for each set."""

    features: Hashes
    start: NDArray[np.int64]
    digest: Hashes
    known: dict[int, frozenset[int]]

    def of(self, node: int) -> frozenset[int]:
        """Return the features of one node; nodes of the same shape share one set."""
        key = int(self.digest[node])
        found = self.known.get(key)
        if found is None:
            found = frozenset(self.features[self.start[node] : self.start[node + 1]].tolist())
            self.known[key] = found
        return found

    def likeness(self, one: int, other: int) -> float:
        """Return how alike two nodes are: 1 for the same, 0 for nothing in common (Dice)."""
        here, there = self.of(one), self.of(other)
        total = len(here) + len(there)
        return 2 * len(here & there) / total if total and here is not there else 1.0


def read_shapes(measures: PageMeasures) -> Shapes:
    """Collect the paths and classes below every node, level by level."""
    nodes, count = measures.nodes, len(measures.nodes)
    shown = (measures.content > 0) & ~measures.is_formatting & (measures.is_text | (nodes.kind == Kind.ELEMENT))
    label = _mix(2 * (nodes.tag.codes.astype(np.int64) + 2))
    owner = np.flatnonzero(shown).astype(np.int32)
    total = hash_paths(nodes, label, skipped=measures.is_formatting)
    whole, factor, pairs = total[owner], np.ones(1, dtype=np.uint64), [_pack(owner, label[owner])]
    for _ in range(PARAMETERS.reach):
        owner, factor = measures.holder[owner], factor * MULTIPLIER
        below = whole - factor * total[owner]  # the path from below the owner down
        pairs.append(_pack(owner, below * MULTIPLIER))
    packed = _without_doubles(np.concatenate([*pairs, *_class_pairs(measures)]))
    owners = (packed >> FEATURE_BITS).astype(np.int64)
    features = packed & ((np.uint64(1) << FEATURE_BITS) - np.uint64(1))
    start = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=count))])
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(_mix(features), dtype=np.uint64)])
    return Shapes(features, start, total[start[1:]] - total[start[:-1]], {})


def _without_doubles(hashes: Hashes) -> Hashes:
    """Return hashes sorted, each once; numpy's own ``unique`` fills a table first, which takes five times as long."""
    hashes.sort()
    return np.asarray(hashes[np.append(True, hashes[1:] != hashes[:-1])[: len(hashes)]])


def _class_pairs(measures: PageMeasures) -> list[Hashes]:
    """Return classes as features of the node that has them and of the nodes closely above it."""
    numbers: dict[str, int] = {}
    told = [[numbers.setdefault(name, len(numbers)) for name in names] for names in measures.class_names]
    size = np.array([len(names) for names in told])
    flat = np.array(list(chain.from_iterable(told)), dtype=np.int64)
    having = np.flatnonzero(measures.class_code)
    times = np.bincount(_all_of(flat, size, measures.class_code[having])[1], minlength=len(numbers))
    having = having[measures.content[having] > 0]
    which, words = _all_of(flat, size, measures.class_code[having])
    repeated = times[words] > 1
    owner, mixed = having[which[repeated]].astype(np.int32), _mix(2 * words[repeated] + 1)
    pairs = []
    for level in range(PARAMETERS.class_reach + 1):
        pairs.append(_pack(owner, mixed * MULTIPLIER + np.uint64(level)))
        owner = measures.holder[owner]
    return pairs


def _all_of(
    flat: NDArray[np.int64], size: NDArray[np.int64], codes: NDArray[np.int32]
) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Write the lists of some codes out: for each entry, which of the codes it comes from, and the entry itself."""
    sizes = size[codes]
    which = np.repeat(np.arange(len(codes)), sizes)
    within = np.arange(len(which)) - (np.cumsum(sizes) - sizes)[which]
    return which, flat[(np.cumsum(size) - size)[codes][which] + within]


def _mix(numbers: NDArray[np.integer]) -> Hashes:
    """Spread numbers over all bits, each to one of its own."""
    mixed = numbers.astype(np.uint64) * MULTIPLIER
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(mixed ^ (mixed >> np.uint64(27)))


def _pack(owner: NDArray[np.integer], feature: Hashes) -> Hashes:
    mixed = feature ^ (feature >> np.uint64(31))
    return np.asarray((owner.astype(np.uint64) << FEATURE_BITS) | (mixed >> (np.uint64(64) - FEATURE_BITS)))
