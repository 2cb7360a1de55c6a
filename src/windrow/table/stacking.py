"""Several tables under each other that look like one: flush, with the same columns, only the first with headings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import BOTTOM, LEFT, RIGHT, TOP, hull
from windrow.table.arrangement import TOUCH
from windrow.table.grid import Grid, fits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.geometry import Boxes
    from windrow.nodes import Nodes


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
    """Give the left edges of the columns, as far as cells begin there."""
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
    moved = tuple(replace(place, row=place.row + rows) for place in below.places)
    parts = (*(above.parts or (above.root,)), below.root)
    return replace(above, places=above.places + moved, sections=above.sections + below.sections, parts=parts)
