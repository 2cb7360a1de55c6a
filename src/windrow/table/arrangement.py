"""From boxes to places: which row and column each box of a group stands in, as the eye lines them up.

Boxes whose projections overlap share a row or a column; where boxes reach over several, the lines on which boxes begin
are the columns and rows instead, as long as no two columns are in step. Two boxes never share a place: where they
would, there is no arrangement. Grids that stand flush under each other, with the same columns, are one, and so is a
grid with the column of names that stands beside it, row for row, so that it stays when the rest is scrolled.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.geometry import BOTTOM, LEFT, RIGHT, TOP, hull
from windrow.table.grid import Grid, fits
from windrow.table.topography import has_step

if TYPE_CHECKING:
    from windrow.geometry import Boxes
    from windrow.nodes import Nodes

TOUCH = 3.0
"""Pixels by which neighbours may overlap or be out of line: the paper's bound for adjacent boxes."""
MOST_SIDES = 3000
"""Different projections that are compared with each other."""
LEAST_FROZEN = 3
"""Rows that a column of names and the grid beside it must have in line: fewer can be chance."""

Places = NDArray[np.int32]
"""Row, column, row span, column span, one line a box."""


def arrange(boxes: Boxes) -> Places | None:
    """Return the place of each box; None where the boxes make no grid."""
    plain = _by_projection(boxes)
    if plain is not None:
        return plain
    rows, high = _by_starts(boxes[:, TOP], boxes[:, BOTTOM])
    columns, wide = _by_starts(boxes[:, LEFT], boxes[:, RIGHT])
    places = np.stack([rows, columns, high, wide], axis=1).astype(np.int32)
    return places if not _has_step(boxes) and _is_exclusive(places) else None


def arrange_rows(boxes: Boxes, row: NDArray[np.int64]) -> Places | None:
    """Return the place of each box, its row being known."""
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
    """Return the number of the group of each interval; those that overlap by more than a touch are one."""
    order = np.argsort(starts, kind="stable")
    reach = np.maximum.accumulate(ends[order])
    fresh = starts[order][1:] >= reach[:-1] - TOUCH
    group = np.zeros(len(starts), dtype=np.int64)
    group[order[1:]] = np.cumsum(fresh)
    return group


def _by_starts(starts: NDArray[np.float32], ends: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each interval the number of the line on which it begins, and how many lines it reaches over."""
    ordered = np.sort(starts)
    fresh = np.concatenate([[True], np.diff(ordered) > TOUCH])
    lines = ordered[fresh]
    first = np.searchsorted(lines, starts, side="right") - 1
    last = np.searchsorted(lines, ends - TOUCH, side="left") - 1
    return first, np.maximum(last - first, 0) + 1


def _has_step(boxes: Boxes) -> bool:
    """Whether two boxes are in step by their columns: then it is chance that they begin on the same lines.

    Rows are another matter: cells over several rows that overlap by some of them are drawn in many tables.
    """
    sides = np.unique(np.round(boxes[:, [LEFT, RIGHT]] / TOUCH), axis=0) * np.float32(TOUCH)
    return len(sides) > MOST_SIDES or has_step(sides, sides, TOUCH)


def _is_exclusive(places: Places) -> bool:
    """Whether no two boxes share a place."""
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


def join_stacked(grids: list[Grid], nodes: Nodes) -> list[Grid]:
    """Join grids that stand flush under each other with the same columns; without boxes nothing is joined."""
    if nodes.layout is None or len(grids) < 2:  # noqa: PLR2004 - a pair
        return grids
    boxes = np.array([hull(nodes.layout.box[[place.node for place in grid.places]]) for grid in grids])
    edges = [_edges(grid, nodes.layout.box) for grid in grids]
    joined: list[Grid] = []
    tail: dict[int, int] = {}  # place in joined → the grid that was added last
    for number in np.argsort(boxes[:, TOP], kind="stable").tolist():
        tail = {at: last for at, last in tail.items() if boxes[last, BOTTOM] >= boxes[number, TOP] - TOUCH}
        above = next(
            (at for at, last in tail.items() if _continues((boxes, edges, grids), (last, number), nodes)), None
        )
        if above is None:
            tail[len(joined)] = number
            joined.append(grids[number])
        else:
            joined[above] = _append(joined[above], grids[number])
            tail[above] = number
    return joined


def _edges(grid: Grid, boxes: Boxes) -> NDArray[np.float32]:
    """Return the left edges of the columns, as far as cells begin there."""
    lefts = np.full(grid.column_count, np.inf, dtype=np.float32)
    for place in grid.places:
        lefts[place.column] = min(lefts[place.column], boxes[place.node, LEFT])
    return lefts


def _continues(
    known: tuple[NDArray[np.float32], list[NDArray[np.float32]], list[Grid]], pair: tuple[int, int], nodes: Nodes
) -> bool:
    boxes, edges, grids = known
    above, below = pair
    gap = boxes[below, TOP] - boxes[above, BOTTOM]
    if not -TOUCH <= gap <= TOUCH or len(edges[above]) != len(edges[below]) or len(edges[above]) < 2:  # noqa: PLR2004
        return False
    if max(abs(boxes[above, LEFT] - boxes[below, LEFT]), abs(boxes[above, RIGHT] - boxes[below, RIGHT])) > TOUCH:
        return False
    if any(place.heading for place in grids[below].places if place.row == 0 and place.column):
        return False
    apart = int(nodes.end[grids[above].root]) <= grids[below].root
    return apart and bool(np.allclose(edges[above], edges[below], atol=TOUCH))


def _append(above: Grid, below: Grid) -> Grid:
    rows = above.row_count
    if not fits(rows + below.row_count, above.column_count):
        return above
    moved = tuple(place._replace(row=place.row + rows) for place in below.places)
    parts = (*(above.parts or (above.root,)), below.root)
    return replace(above, places=above.places + moved, sections=above.sections + below.sections, parts=parts)


def join_beside(grids: list[Grid], nodes: Nodes) -> list[Grid]:
    """Join each lone column with the grid that stands flush at its right, row for row; without boxes nothing is."""
    if nodes.layout is None or len(grids) < 2:  # noqa: PLR2004 - a pair
        return grids
    box = nodes.layout.box
    marked = [number for number, grid in enumerate(grids) if grid.kind == "table" and grid.row_count >= LEAST_FROZEN]
    hulls = {number: hull(box[[place.node for place in grids[number].places]]) for number in marked}
    corner = {_corner(hulls[number], LEFT): number for number in marked if grids[number].column_count > 1}
    taken: dict[int, Grid | None] = {}
    for number in marked:
        if grids[number].column_count == 1:
            right, down = _corner(hulls[number], RIGHT)
            near = (corner.get((right + step, down + drop)) for step in (-1, 0, 1) for drop in (-1, 0, 1))
            beside = next((other for other in near if other is not None and other not in taken), None)
            if beside is not None and _are_in_line(grids[number], grids[beside], box):
                taken[beside], taken[number] = None, _set_beside(grids[number], grids[beside])
    joined = (taken.get(number, grid) for number, grid in enumerate(grids))
    return [grid for grid in joined if grid is not None]


def _corner(box: NDArray[np.float32], side: int) -> tuple[int, int]:
    """Return where a box begins or ends, so roughly that what stands flush is at most one step away."""
    known = np.nan_to_num(box)
    return round(float(known[side]) / TOUCH), round(float(known[TOP]) / TOUCH)


def _are_in_line(left: Grid, right: Grid, boxes: Boxes) -> bool:
    """Whether every row of two grids begins and ends at the same height."""
    if left.row_count != right.row_count or not fits(right.row_count, right.column_count + 1):
        return False
    first, second = (_row_sides(grid, boxes) for grid in (left, right))
    return bool(np.allclose(first, second, atol=TOUCH))


def _row_sides(grid: Grid, boxes: Boxes) -> NDArray[np.float32]:
    """Return where the cells of each row begin, and where those that end in it do."""
    sides = np.full((grid.row_count, 2), np.nan, dtype=np.float32)
    for place in grid.places:
        last = place.row + place.row_span - 1
        sides[place.row, 0] = np.fmin(sides[place.row, 0], boxes[place.node, TOP])
        sides[last, 1] = np.fmax(sides[last, 1], boxes[place.node, BOTTOM])
    return sides


def _set_beside(left: Grid, right: Grid) -> Grid:
    moved = (place._replace(column=place.column + 1) for place in right.places)
    places = sorted([*left.places, *moved], key=lambda place: (place.row, place.column))
    parts = (*(left.parts or (left.root,)), *(right.parts or (right.root,)))
    return replace(left, places=tuple(places), caption=left.caption or right.caption, parts=parts)
