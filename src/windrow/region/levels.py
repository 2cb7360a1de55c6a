"""Lists of lists: rows of cards, shelves of books. The records are the cards and the books.

What holds nothing but several like things, each with a link and something to say, is no record but a part of the
page. Offers within a product stay a part of it, since the product has words of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.inline import INLINE_DISPLAYS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from windrow.region.columns import Columns
    from windrow.region.groups import Group

COMPARED = 10
"""How many of the best groups are compared with each other."""
COVER = 0.75
"""Share of the outer records' text that the inner ones must hold."""
EACH = 2.0
"""How many inner records an outer one must hold, on average."""
THINGS = 2
"""How many texts and pictures an inner record must have."""
CHARS = 20
"""How many characters an inner record without a picture must have."""
LINKED = 0.9
"""Share of the inner records that must have a link."""
STEP = 0.01
"""By how much the inner group is put before the outer one."""


@dataclass(frozen=True, eq=False)
class _Nodes:
    """The nodes of a group's records: the first of each, where each ends, and all of them."""

    start: NDArray[np.intp]
    end: NDArray[np.int32]
    every: NDArray[np.intp]


def prefer_inner(columns: Columns, groups: Sequence[Group], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put groups before those that consist of them."""
    scores = scores.copy()
    best = np.argsort(-scores, kind="stable")[:COMPARED].tolist()
    taken = {number: _take_nodes(columns, groups[number]) for number in best}
    inner = {number: nodes for number, nodes in taken.items() if _could_be_records(columns, nodes)}
    for outer in best:
        for number, nodes in inner.items():
            if number != outer and _consists_of(columns, taken[outer], nodes):
                scores[number] = max(scores[number], scores[outer] + STEP)
    return scores


def _take_nodes(columns: Columns, group: Group) -> _Nodes:
    end = columns.nodes.end[[record[-1] for record in group.records]]
    return _Nodes(
        np.array([record[0] for record in group.records]), end, np.array(list(chain.from_iterable(group.records)))
    )


def _could_be_records(columns: Columns, inner: _Nodes) -> bool:
    """Say whether each has a link and something to say, and is more than a word in a line."""
    firsts = inner.start
    first = int(firsts[0])
    if (columns.links[firsts] > 0).mean() < LINKED:
        return False
    if columns.nodes.display[first] in INLINE_DISPLAYS and columns.nodes.tag[first] != "a":
        return False
    said = median(columns.chars[firsts].tolist()) >= CHARS or median(columns.pictures[firsts].tolist()) > 0
    return bool(said and median(columns.content[firsts].tolist()) >= THINGS)


def _consists_of(columns: Columns, outer: _Nodes, inner: _Nodes) -> bool:
    firsts = inner.start
    if len(firsts) < EACH * len(outer.start) or firsts[0] <= outer.start[0] or firsts[-1] >= outer.end[-1]:
        return False
    place = np.searchsorted(outer.start, firsts, side="right") - 1
    if not ((firsts > outer.start[place]) & (firsts < outer.end[place])).all():
        return False
    return bool(columns.chars[inner.every].sum() >= COVER * columns.chars[outer.every].sum())
