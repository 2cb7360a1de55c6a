"""VENTREC's plane: element boxes, the double topographical grid over them, and the five neighbour relations.

The grid is four sorted lists of the boxes' edges (left, top, right, bottom), so that whatever begins or ends on a line
is found by bisection. Relations compare the projections of two boxes on the axis across the direction of view.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import area, height, width
from windrow.nodes import Kind
from windrow.nodes.inline import RUNNING_DISPLAYS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.geometry import Boxes, Mask
    from windrow.nodes import Layout, Nodes

EQUAL = 1.0
"""Pixels within which two edges are one (ours)."""
ADJACENT = 3.0
"""Pixels between neighbours (the paper, "The Visual Table Model")."""


FRAMES = frozenset(
    {"table", "inline-table", "table-row", "table-row-group", "table-header-group", "table-footer-group"}
)
SETTING = frozenset({"flex", "inline-flex", "grid", "inline-grid"})


class Relation(Enum):
    """What stands beside A, by its projection on the axis across (the paper, Figure 2)."""

    TWIN = "both edges equal"
    SMALLER = "inside A's"
    BIGGER = "A's inside it"
    STEP = "each sticks out"
    NONE = "apart"


class Direction(Enum):
    """The four directions, clockwise, as the axis along which to look and which way."""

    RIGHT = (0, 1)  # not a decision: of the second, only the sign is asked
    DOWN = (1, 1)  # not a decision: of the second, only the sign is asked
    LEFT = (0, -1)  # not a decision: of the second, only the sign is asked
    UP = (1, -1)  # not a decision: of the second, only the sign is asked

    @property
    def axis(self) -> int:
        """0 for x, 1 for y."""
        return self.value[0]

    @property
    def forward(self) -> bool:
        """Whether coordinates grow in this direction."""
        return self.value[1] > 0

    @property
    def across(self) -> Direction:
        """The direction in which a smaller neighbour is grown: down for a look sideways, right for one up or down."""
        return Direction.DOWN if self.axis == 0 else Direction.RIGHT


def relation(a: tuple[float, float], b: tuple[float, float]) -> Relation:
    """Relate two projections, looking from ``a``."""
    start, end = b[0] - a[0], b[1] - a[1]
    if abs(start) <= EQUAL and abs(end) <= EQUAL:
        return Relation.TWIN
    if b[0] >= a[1] - EQUAL or b[1] <= a[0] + EQUAL:
        return Relation.NONE
    if start >= -EQUAL and end <= EQUAL:
        return Relation.SMALLER
    if start <= EQUAL and end >= -EQUAL:
        return Relation.BIGGER
    return Relation.STEP


def has_step(some: NDArray[np.float32], others: NDArray[np.float32], equal: float = EQUAL) -> bool:
    """Whether any projection of the first list is in step with one of the second; equal within some pixels."""
    start = others[None, :, 0] - some[:, None, 0]
    end = others[None, :, 1] - some[:, None, 1]
    apart = (others[None, :, 0] >= some[:, None, 1] - equal) | (others[None, :, 1] <= some[:, None, 0] + equal)
    inside = (start >= -equal) & (end <= equal)
    around = (start <= equal) & (end >= -equal)
    return bool((~(apart | inside | around)).any())


@dataclass(frozen=True, eq=False)
class Plane:
    """The element boxes of a page and the grid over them; a box is known by its number here."""

    boxes: Boxes
    nodes: NDArray[np.int64]
    """The element of each box."""

    @cached_property
    def order(self) -> list[NDArray[np.int64]]:
        """The boxes in the order of each edge."""
        return [np.argsort(self.boxes[:, edge], kind="stable") for edge in range(4)]

    @cached_property
    def edges(self) -> list[list[float]]:
        """The edges in order: the lines of the double grid."""
        return [self.boxes[self.order[edge], edge].tolist() for edge in range(4)]

    def between(self, edge: int, low: float, high: float) -> NDArray[np.int64]:
        """List the boxes of which an edge lies between two lines."""
        lines = self.edges[edge]
        return self.order[edge][bisect_left(lines, low) : bisect_right(lines, high)]

    def neighbours(self, box: tuple[float, ...], direction: Direction) -> list[int]:
        """List the boxes that begin on the same line and are adjacent in a direction, the tallest first."""
        axis, across = direction.axis, 1 - direction.axis
        near, far = (axis + 2, axis) if direction.forward else (axis, axis + 2)
        reach = (
            (box[near] - EQUAL, box[near] + ADJACENT)
            if direction.forward
            else (box[near] - ADJACENT, box[near] + EQUAL)
        )
        if axis == 0:  # of both conditions, the one on rows leaves fewer
            found = self.between(1, box[1] - EQUAL, box[1] + EQUAL)
            edge = self.boxes[found, far]
            found = found[(edge >= reach[0]) & (edge <= reach[1])]
        else:
            found = self.between(far, *reach)
            found = found[np.abs(self.boxes[found, across] - box[across]) <= EQUAL]
        outside = (
            self.boxes[found, far] >= box[near] - EQUAL
            if direction.forward
            else self.boxes[found, far] <= box[near] + EQUAL
        )
        found = found[outside]
        size = self.boxes[found, across + 2] - self.boxes[found, across]
        return [int(number) for number in found[np.lexsort((found, -size))]]


def element_boxes(nodes: Nodes, layout: Layout) -> Plane:
    """Take the boxes of visible elements that are not inline and have a surface; of equal ones the outermost."""
    shown = (nodes.kind == Kind.ELEMENT) & nodes.visible & (area(layout.box) > 0)
    shown &= ~layout.display.is_in(RUNNING_DISPLAYS)
    shown &= (width(layout.box) > EQUAL) & (height(layout.box) > EQUAL)
    parent = np.maximum(nodes.parent, 0)
    with np.errstate(invalid="ignore"):
        same = (np.abs(layout.box - layout.box[parent]) <= EQUAL).all(axis=1)
    shown &= ~_are_frames(nodes, layout, shown)
    same &= shown[parent] & (parent > 0)
    kept = np.flatnonzero(shown & ~same)
    return Plane(layout.box[kept], kept)


def _are_frames(nodes: Nodes, layout: Layout, shown: Mask) -> Mask:
    """Whether each box only frames cells: tables, groups of rows, rows, what sets its children side by side."""
    texts = np.flatnonzero((nodes.kind == Kind.TEXT) & nodes.visible)
    texts = texts[(nodes.spans.end - nodes.spans.start)[texts] > 0]
    own_text = np.zeros(len(nodes), dtype=bool)
    own_text[nodes.parent[texts]] = True
    children = np.bincount(np.maximum(nodes.parent[shown], 0), minlength=len(nodes))
    setting = layout.display.is_in(SETTING) & (children > 1) & ~own_text
    frames = shown & (layout.display.is_in(FRAMES) | setting)
    holds = nodes.sum_inside(frames) > frames
    return np.asarray(frames | (shown & holds & ~own_text & ~layout.display.is_in({"table-cell"})))
