"""From boxes to places: which row and column each box of a group stands in, as the eye lines them up.

Boxes whose projections overlap share a row or a column; where boxes reach over several, the lines on which boxes begin
are the columns and rows instead, as long as no two columns are in step. Two boxes never share a place: where they
would, there is no arrangement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.geometry import BOTTOM, LEFT, RIGHT, TOP
from windrow.table.topography import has_step

if TYPE_CHECKING:
    from windrow.geometry import Boxes

TOUCH = 3.0
"""Pixels by which neighbours may overlap or be out of line: the paper's bound for adjacent boxes."""
MOST_SIDES = 3000
"""Different projections that are compared with each other."""

Places = NDArray[np.int32]
"""Row, column, row span, column span, one line a box."""


def arrange(boxes: Boxes) -> Places | None:
    """Give each box its place; None where the boxes make no grid."""
    plain = _by_projection(boxes)
    if plain is not None:
        return plain
    rows, high = _by_starts(boxes[:, TOP], boxes[:, BOTTOM])
    columns, wide = _by_starts(boxes[:, LEFT], boxes[:, RIGHT])
    places = np.stack([rows, columns, high, wide], axis=1).astype(np.int32)
    return places if not _has_step(boxes) and _is_exclusive(places) else None


def arrange_rows(boxes: Boxes, row: NDArray[np.int64]) -> Places | None:
    """Give each box its column, its row being known."""
    group = _components(boxes[:, LEFT], boxes[:, RIGHT])
    columns, wide = group, np.ones(len(boxes), dtype=np.int64)
    if group.max(initial=0) == 0 or len(np.unique(row * (group.max() + 1) + group)) < len(boxes):
        if _has_step(boxes):
            return None
        columns, wide = _by_starts(boxes[:, LEFT], boxes[:, RIGHT])
    places = np.stack([row, columns, np.ones(len(boxes), dtype=np.int64), wide], axis=1).astype(np.int32)
    return places if _is_exclusive(places) else None


def _by_projection(boxes: Boxes) -> Places | None:
    rows = _components(boxes[:, TOP], boxes[:, BOTTOM])
    columns = _components(boxes[:, LEFT], boxes[:, RIGHT])
    if not rows.max(initial=0) or not columns.max(initial=0):
        return None
    one = np.ones(len(boxes), dtype=np.int64)
    places = np.stack([rows, columns, one, one], axis=1).astype(np.int32)
    return places if _is_exclusive(places) else None


def _components(starts: NDArray[np.float32], ends: NDArray[np.float32]) -> NDArray[np.int64]:
    """Give numbers to the groups of intervals that overlap by more than a touch, from the first to the last."""
    order = np.argsort(starts, kind="stable")
    reach = np.maximum.accumulate(ends[order])
    fresh = starts[order][1:] >= reach[:-1] - TOUCH
    group = np.zeros(len(starts), dtype=np.int64)
    group[order[1:]] = np.cumsum(fresh)
    return group


def _by_starts(starts: NDArray[np.float32], ends: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give numbers to the lines on which intervals begin; give each interval its line and how many it reaches over."""
    ordered = np.sort(starts)
    fresh = np.concatenate([[True], np.diff(ordered) > TOUCH])
    lines = ordered[fresh]
    first = np.searchsorted(lines, starts, side="right") - 1
    last = np.searchsorted(lines, ends - TOUCH, side="left") - 1
    return first, np.maximum(last - first, 0) + 1


def _has_step(boxes: Boxes) -> bool:
    """Say whether two boxes are in step by their columns: then it is chance that they begin on the same lines.

    Rows are another matter: cells over several rows that overlap by some of them are drawn in many tables.
    """
    sides = np.unique(np.round(boxes[:, [LEFT, RIGHT]] / TOUCH), axis=0) * np.float32(TOUCH)
    return len(sides) > MOST_SIDES or has_step(sides, sides, TOUCH)


def _is_exclusive(places: Places) -> bool:
    """Say whether no two boxes share a place."""
    height, width = (places[:, :2] + places[:, 2:]).max(axis=0)
    if int(height) * int(width) > 64 * len(places) + 4096:
        return False
    cover = np.zeros((height + 1, width + 1), dtype=np.int32)
    top, left, bottom, right = *places[:, :2].T, *(places[:, :2] + places[:, 2:]).T
    np.add.at(cover, (top, left), 1)
    np.add.at(cover, (bottom, right), 1)
    np.subtract.at(cover, (top, right), 1)
    np.subtract.at(cover, (bottom, left), 1)
    return bool(cover.cumsum(axis=0).cumsum(axis=1).max() <= 1)
