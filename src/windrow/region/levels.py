"""Lists of lists: rows of cards, shelves of books. The records are the cards and the books.

What holds nothing but several like things, each with a link and something to say, is no record but a part of the
page. Offers within a product stay a part of it, since the product has words of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.text import INLINE

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


def prefer_inner(columns: Columns, groups: Sequence[Group], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put groups before those that consist of them."""
    scores = scores.copy()
    best = np.argsort(-scores, kind="stable")[:COMPARED].tolist()
    for outer in best:
        inside = [inner for inner in best if inner != outer and _consists_of(columns, groups[outer], groups[inner])]
        for inner in inside:
            scores[inner] = max(scores[inner], scores[outer] + STEP)
    return scores


def _consists_of(columns: Columns, outer: Group, inner: Group) -> bool:
    starts = np.array([record[0] for record in outer.records])
    ends = columns.nodes.end[[record[-1] for record in outer.records]]
    firsts = np.array([record[0] for record in inner.records])
    place = np.searchsorted(starts, firsts, side="right") - 1
    within = (place >= 0) & (firsts > starts[place]) & (firsts < ends[place])
    if not within.all() or len(firsts) < EACH * len(starts):
        return False
    held = np.array([node for record in inner.records for node in record])
    holding = np.array([node for record in outer.records for node in record])
    first = int(firsts[0])
    in_line = columns.nodes.display[first] in INLINE and columns.nodes.tag[first] != "a"
    rich = np.median(columns.content[firsts]) >= THINGS and not in_line
    said = np.median(columns.chars[firsts]) >= CHARS or np.median(columns.pictures[firsts]) > 0
    linked = (columns.links[firsts] > 0).mean() >= LINKED
    return bool(rich and said and linked and columns.chars[held].sum() >= COVER * columns.chars[holding].sum())
