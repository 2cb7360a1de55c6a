"""BARTREE: the reverse algorithm and the bar-tree of a page around its region of interest.

Z. Akbar and L. T. Handoko, "Pattern Discovery for Semi-structured Web Pages using Bar-tree Representation".

From the region of interest one looks up to the top and down to the bottom of the page: tags that stay open across the
region describe its surroundings, pairs that close within a part are counted beside them (eq. 1, 2). The way from the
document to the region is drawn as nested bars whose widths shrink with the depth and the number of siblings (eq. 3–7).

Departures: a pair of tags, or a tag without an end, counts once. Siblings of the deepest bar and the ordinals of the
ones followed enter no width; they are compared directly. As one more open and one more closed tag would cancel, the
two are compared as well as their difference. Where nothing says what a difference is, it is a change, not located.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from windrow.nodes import Kind

if TYPE_CHECKING:
    from windrow.geometry import Mask
    from windrow.nodes import Nodes

Case = Literal["none", "both-same", "upper", "lower", "both"]


@dataclass(frozen=True)
class Parameters:
    """What the paper fixes, and what it leaves open."""

    format_tags: frozenset[str] = frozenset("b i em strong font u s small big sub sup tt code strike span br".split())
    """Step 5: tags that format text and are dropped; the paper names some, the list is ours."""
    unread_tags: frozenset[str] = frozenset("head script style noscript template".split())
    """Tags that lay nothing out."""
    ratio: Fraction = Fraction(1, 10)
    """Fig. 4: r = 10 %, but never more than 1 / d_max (eq. 3)."""


PARAMETERS = Parameters()


@dataclass(frozen=True)
class Part:
    """Step 7: the tags of the upper or the lower part."""

    open: int
    closed: int

    @property
    def trees(self) -> int:
        """Eq. 1."""
        return self.open - self.closed


@dataclass(frozen=True)
class BarTree:
    """The signature of a page around its region of interest."""

    parallel: tuple[int, ...]
    """P_d: how many layout tags stand beside each other at each depth, the followed one included; P_0 = 1."""
    ordinals: tuple[int, ...]
    """Which of them is followed, from 1."""
    ratio: Fraction
    upper: Part
    lower: Part

    @property
    def depth(self) -> int:
        """Return d_max."""
        return len(self.parallel) - 1

    @property
    def delta(self) -> int:
        """Eq. 2."""
        return self.upper.trees - self.lower.trees

    @property
    def widths(self) -> tuple[Fraction, ...]:
        """Eq. 3: w_0 to w_d_max, with I = 1."""
        widths = [Fraction(1)]
        for depth in range(1, self.depth + 1):
            widths.append(widths[-1] * (1 - (depth - 1) * self.ratio) / self.parallel[depth - 1])
        return tuple(widths)

    @property
    def areas(self) -> tuple[Fraction, ...]:
        """Eq. 4: A_0 to A_d_max."""
        return tuple(depth * width for depth, width in enumerate(self.widths))

    @property
    def total(self) -> Fraction:
        """Eq. 7: the sum of the net areas, each of which is a width (eq. 5, 6)."""
        return sum(self.widths[1:], Fraction())

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold; the widths follow from it."""
        return {
            "parallel": list(self.parallel),
            "ordinals": list(self.ordinals),
            "ratio": str(self.ratio),
            "upper": [self.upper.open, self.upper.closed],
            "lower": [self.lower.open, self.lower.closed],
        }

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> BarTree:
        """Return what ``to_dict`` wrote."""
        return cls(
            tuple(map(int, plain["parallel"])),
            tuple(map(int, plain["ordinals"])),
            Fraction(plain["ratio"]),
            Part(*map(int, plain["upper"])),
            Part(*map(int, plain["lower"])),
        )


def grow_bartree(nodes: Nodes, first: int, last: int, ratio: Fraction | None = None) -> BarTree:
    """Grow the tree of a page whose region of interest begins with node ``first`` and ends with node ``last``.

    ``ratio`` is the one that was stored with an older tree, so that both are drawn to the same measure.
    """
    layout = find_layout_tags(nodes)
    way = find_way(nodes, layout, first, last)
    parallel, ordinals = [1], [1]
    for above, node in pairwise(way):
        siblings = find_layout_children(nodes, layout, above)
        parallel.append(len(siblings))
        ordinals.append(siblings.index(node) + 1)
    if ratio is None:
        ratio = min(PARAMETERS.ratio, Fraction(1, max(1, len(way) - 1)))
    return BarTree(tuple(parallel), tuple(ordinals), ratio, *count_parts(nodes, layout, first, last))


def find_layout_tags(nodes: Nodes) -> Mask:
    """Step 5 and 6: say which nodes are tags that lay something out."""
    dropped = nodes.tag.is_in(PARAMETERS.format_tags) | nodes.inside(nodes.tag.is_in(PARAMETERS.unread_tags))
    return np.asarray((nodes.kind == Kind.ELEMENT) & ~dropped)


def count_parts(nodes: Nodes, layout: Mask, first: int, last: int) -> tuple[Part, Part]:
    """Step 7: count open and closed tags above ``first`` and below ``last``."""
    order = np.arange(len(nodes))
    around_first = layout & (order < first) & (nodes.end > first)
    around_last = layout & (order < last) & (nodes.end > last)
    above, below = int(layout[:first].sum()), int(layout[int(nodes.end[last]) :].sum())
    opened = int(around_first.sum())
    return Part(opened, above - opened), Part(int(around_last.sum()), below)


def find_way(nodes: Nodes, layout: Mask, first: int, last: int) -> list[int]:
    """Return the layout tags from the document's own down to the smallest one around the region."""
    order = np.arange(len(nodes))
    around = layout & (order <= first) & (nodes.end > last)
    return [int(node) for node in np.flatnonzero(around)]


def find_layout_children(nodes: Nodes, layout: Mask, above: int) -> list[int]:
    """Return the layout tags directly below one, where dropped tags do not count as a level."""
    inside = np.arange(above + 1, int(nodes.end[above]))
    candidates = inside[layout[inside]]
    # The next sibling is the first layout tag that the one before does not hold.
    found: list[int] = []
    at = above + 1
    while True:
        place = int(np.searchsorted(candidates, at))
        if place == len(candidates):
            return found
        found.append(int(candidates[place]))
        at = int(nodes.end[found[-1]])


def same_total(old: BarTree, new: BarTree) -> bool:
    """Compare by {d_max, A_total}."""
    return old.depth == new.depth and old.total == new.total


def same_bars(old: BarTree, new: BarTree) -> bool:
    """Compare by {d_max, A_total, P_d, A_d}."""
    return same_total(old, new) and old.parallel == new.parallel and old.areas == new.areas


def same_delta(old: BarTree, new: BarTree) -> bool:
    """Compare by all of these, the parts, and the ordinals of the bars."""
    return same_bars(old, new) and find_case(old, new) == "none" and old.ordinals == new.ordinals


VARIABLE_SETS = {"total": same_total, "bars": same_bars, "delta": same_delta}


def find_case(old: BarTree, new: BarTree) -> Case:
    """Tell the four cases of the check by Δ apart; an equal sum of other parts counts as a difference."""
    upper, lower = old.upper != new.upper, old.lower != new.lower
    if upper and lower:
        grown = [
            (was.open - now.open, was.closed - now.closed)
            for was, now in ((old.upper, new.upper), (old.lower, new.lower))
        ]
        return "both-same" if old.delta == new.delta and grown[0] == grown[1] else "both"
    if upper:
        return "upper"
    return "lower" if lower else "none"


def changed_depths(old: BarTree, new: BarTree) -> list[int]:
    """Return the depths at which two trees differ."""
    pairs = [tuple(zip(tree.parallel, tree.ordinals, strict=True)) for tree in (old, new)]
    longest = max(map(len, pairs))
    return [depth for depth in range(longest) if pairs[0][depth : depth + 1] != pairs[1][depth : depth + 1]]
