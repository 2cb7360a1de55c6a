"""Gatterbauer and Bohunsky: Table Extraction Using Spatial Reasoning on the CSS2 Visual Box Model, AAAI 2006 (VENTREC).

From every element box that holds a keyword, a hyperBox grows clockwise right, down, left and up: by neighbours of
the same size, or by smaller ones that are first grown to it. Where nothing can be added, it is a table of interest if
it has two rows and columns or more; the words of the page are projected into its cells.

Departures: edges are equal within 1 px and one expansion is tried a turn; of several candidates the tallest comes
first; left and up are the mirror of right and down; a bigger neighbour is treated as a smaller one is, the other way
round: the hyperBox is grown to it; boxes that only frame cells (rows, groups of rows, tables, containers that set their
children side by side) are no cells themselves; a start inside a table that was found is not grown again, and what lies
inside another table's hyperBox is dropped; rows and columns that are empty throughout go, a lone empty cell is a value;
without a keyword every box that holds text is a start. The search is bounded where the paper's is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from windrow.geometry import contains
from windrow.table.arrangement import arrange
from windrow.table.grid import Grid, Place, clean, sections_of
from windrow.table.topography import EQUAL, Direction, Plane, Relation, element_boxes, has_step, relation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.nodes import Nodes

Box: TypeAlias = tuple[float, float, float, float]
Sides: TypeAlias = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class VentrecParameters:
    """The paper's values; ours where it has none."""

    least_rows: int = 2  # characteristic 5
    least_columns: int = 2
    most_words: int | None = None  # "Evaluation", 5: 20 words in a cell with the heuristic, any number without
    most_starts: int = 400  # ours: a keyword on every line is no keyword
    most_depth: int = 6  # ours: how often a smaller neighbour's own neighbours may be grown
    most_cells: int = 50_000  # ours


PAPER = VentrecParameters()
WITH_HEURISTIC = VentrecParameters(most_words=20)


@dataclass(frozen=True)
class HyperBox:
    """A rectangle that its boxes tile, by their numbers in the plane."""

    box: Box
    cells: tuple[int, ...]
    sides: tuple[Sides, Sides]
    """The different projections of the cells on x and on y, in whole pixels."""


@dataclass(frozen=True, eq=False)
class Stages:
    """What every step found, for the eye: the plane, each growth with its steps, and the tables that came of them."""

    plane: Plane
    growths: tuple[tuple[HyperBox, ...], ...]
    grids: tuple[Grid, ...]


def find_interesting_tables(nodes: Nodes, keyword: str | None, parameters: VentrecParameters = PAPER) -> Stages:
    """Grow hyperBoxes from the keyword and keep the tables of interest; nothing on a page that was not laid out."""
    if nodes.layout is None:
        return Stages(Plane(np.zeros((0, 4), dtype=np.float32), np.zeros(0, dtype=np.int64)), (), ())
    plane = element_boxes(nodes, nodes.layout)
    growths: list[tuple[HyperBox, ...]] = []
    grids: list[Grid] = []
    for start in find_starts(nodes, plane, keyword)[: parameters.most_starts].tolist():
        if any(_is_inside(plane, start, growth[-1]) for growth in growths):
            continue
        growth = grow(plane, start, parameters)
        grid = hyperbox_to_grid(nodes, plane, growth[-1]) if len(growth) > 1 else None
        if grid is not None and is_of_interest(grid, parameters):
            growths.append(growth)
            grids.append(grid)
    kept = _outermost([growth[-1] for growth in growths])
    return Stages(plane, tuple(growths[at] for at in kept), tuple(grids[at] for at in kept))


def find_starts(nodes: Nodes, plane: Plane, keyword: str | None) -> NDArray[np.int64]:
    """List the boxes that hold the keyword, the smallest first; white space and case do not count."""
    spans = nodes.spans
    start, end = spans.start[plane.nodes], spans.end[plane.nodes]
    size = (plane.boxes[:, 2] - plane.boxes[:, 0]) * (plane.boxes[:, 3] - plane.boxes[:, 1])
    if keyword is None or not keyword.strip():
        holds = end > start
    else:
        at = _find_words(spans.text, keyword)
        first = np.searchsorted(at[:, 0], start)
        holds = np.zeros(len(start), dtype=bool)
        inside = first < len(at)
        holds[inside] = at[first[inside], 1] <= end[inside]
    found = np.flatnonzero(holds)
    return found[np.argsort(size[found], kind="stable")]


def _find_words(text: str, keyword: str) -> NDArray[np.int64]:
    """Return the start and end of each keyword in a text, whatever white space the two have."""
    places = np.flatnonzero([not char.isspace() for char in text])
    squeezed = "".join(_lower(text[place]) for place in places.tolist())
    wanted = "".join(_lower(char) for char in keyword if not char.isspace())
    found, at = [], squeezed.find(wanted)
    while at >= 0:
        found.append((int(places[at]), int(places[at + len(wanted) - 1]) + 1))
        at = squeezed.find(wanted, at + len(wanted))
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _lower(char: str) -> str:
    lower = char.lower()
    return lower if len(lower) == 1 else char


def grow(plane: Plane, start: int, parameters: VentrecParameters) -> tuple[HyperBox, ...]:
    """Expand one box clockwise until no direction gives anything; every step is kept."""
    steps = [_single(plane, start)]
    failed = 0
    directions = tuple(Direction)
    turn = 0
    while failed < len(directions) and len(steps[-1].cells) < parameters.most_cells:
        grown = expand(plane, steps[-1], directions[turn % len(directions)], parameters.most_depth)
        if grown is None:
            failed += 1
        else:
            steps.append(grown)
            failed = 0
        turn += 1
    return tuple(steps)


def expand(plane: Plane, hyper: HyperBox, direction: Direction, depth: int) -> HyperBox | None:
    """Algorithm 1, for any direction: add a neighbour of the same size; the smaller of two is grown first."""
    for candidate in plane.neighbours(hyper.box, direction):
        first, second = hyper, _single(plane, candidate)
        while True:
            beside = _beside(first, second, direction)
            if beside is Relation.TWIN:
                union = _union(first, second, direction)
                if union is not None:
                    return union
            if beside not in (Relation.SMALLER, Relation.BIGGER) or depth == 0:
                break
            is_candidate = beside is Relation.SMALLER
            grown = expand(plane, second if is_candidate else first, direction.across, depth - 1)
            if grown is None:
                break
            first, second = (first, grown) if is_candidate else (grown, second)
    return None


def _beside(first: HyperBox, second: HyperBox, direction: Direction) -> Relation:
    """Relate two neighbours by their projections across the direction."""
    across = 1 - direction.axis
    return relation((first.box[across], first.box[across + 2]), (second.box[across], second.box[across + 2]))


def _union(hyper: HyperBox, part: HyperBox, direction: Direction) -> HyperBox | None:
    """Join two hyperBoxes, unless that brings step neighbours: then no well-defined relation holds between the cells.

    Along the direction the two are apart, so that only their projections across it can be in step.
    """
    old, new = hyper.sides[1 - direction.axis], part.sides[1 - direction.axis]
    fresh = new - old
    if fresh and has_step(np.array(sorted(old), dtype=np.float32), np.array(sorted(fresh), dtype=np.float32)):
        return None
    starts = [min(a, b) for a, b in zip(hyper.box[:2], part.box[:2], strict=True)]
    ends = [max(a, b) for a, b in zip(hyper.box[2:], part.box[2:], strict=True)]
    sides = (hyper.sides[0] | part.sides[0], hyper.sides[1] | part.sides[1])
    return HyperBox((starts[0], starts[1], ends[0], ends[1]), hyper.cells + part.cells, sides)


def _single(plane: Plane, number: int) -> HyperBox:
    """Take one box as a hyperBox."""
    left, top, right, bottom = plane.boxes[number].tolist()
    sides = frozenset({(round(left), round(right))}), frozenset({(round(top), round(bottom))})
    return HyperBox((left, top, right, bottom), (number,), sides)


def hyperbox_to_grid(nodes: Nodes, plane: Plane, hyper: HyperBox) -> Grid | None:
    """Project the words into the cells and clean the table."""
    cells = np.array(hyper.cells)
    places = arrange(plane.boxes[cells])
    if places is None:
        return None
    at = plane.nodes[cells].tolist()
    found = (
        Place(
            node,
            place[0],
            place[1],
            place[2],
            place[3],
            " ".join(nodes.visible_text(node).split()),
            nodes.tag[node] == "th",
        )
        for node, place in zip(at, places.tolist(), strict=True)
    )
    ordered = tuple(sorted(found, key=lambda place: (place.row, place.column)))
    rows = int((places[:, 0] + places[:, 2]).max())
    return clean(Grid(nodes.common_ancestor(nodes.parent[at]), "boxes", ordered, sections_of(rows)))


def is_of_interest(grid: Grid, parameters: VentrecParameters) -> bool:
    """Check what a hyperBox does not guarantee: two dimensions, and no cell of prose where that is asked for."""
    if grid.row_count < parameters.least_rows or grid.column_count < parameters.least_columns:
        return False
    most = parameters.most_words
    return most is None or all(len(place.text.split()) <= most for place in grid.places)


def _outermost(hypers: list[HyperBox]) -> list[int]:
    """List the hyperBoxes that lie in no other; one in a single cell of another is a table of its own."""
    boxes = np.array([hyper.box for hyper in hypers], dtype=np.float32).reshape(-1, 4)
    kept = []
    for at, box in enumerate(boxes):
        around = contains(boxes, box[None], EQUAL)
        smaller = [
            other
            for other in np.flatnonzero(around).tolist()
            if other != at and (other < at or not contains(box, boxes[other], EQUAL))
        ]
        if not any(set(hypers[at].cells) <= set(hypers[other].cells) for other in smaller):
            kept.append(at)
    return kept


def _is_inside(plane: Plane, start: int, hyper: HyperBox) -> bool:
    """Whether a box is a cell of a hyperBox, or lies in one."""
    return bool(contains(np.array(hyper.box, dtype=np.float32), plane.boxes[start], EQUAL))
