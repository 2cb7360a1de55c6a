"""Tables by boxes: elements that stand in rows and columns, whatever their tags and however they got there.

A group of cells is either all children of one element (a CSS grid, floats, cells placed one by one), or all its
grandchildren (rows of cells, or lists set side by side). Which elements can be such a group is asked of all at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import BOTTOM, LEFT, RIGHT, TOP, area
from windrow.nodes import Kind
from windrow.nodes.inline import RUNNING_DISPLAYS
from windrow.table.arrangement import TOUCH, arrange, arrange_rows
from windrow.table.grid import Grid, Place, fits, sections_of
from windrow.table.markup import part_of_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.geometry import Boxes, Mask
    from windrow.nodes import Layout, Nodes
    from windrow.table.arrangement import Places
    from windrow.table.headers import Looks


@dataclass(frozen=True)
class BoxParameters:
    """Which boxes can be cells; by principle."""

    least_cells: int = 4  # two rows of two
    most_cells: int = 100_000
    smallest: float = 4.0  # square pixels: a box of no more is a line or a spacer
    no_cells: frozenset[str] = frozenset({"br", "hr", "script", "style", "svg:path", "option"})
    least_rows: float = 0.5  # share of an element's children that hold two cells or more


PARAMETERS = BoxParameters()


def find_box_grids(nodes: Nodes, looks: Looks) -> list[Grid]:
    """Return the groups of boxes that stand in rows and columns; nothing for a page that was not laid out."""
    if nodes.layout is None:
        return []
    family = _Family(nodes, nodes.layout)
    grids = [_flat(family, looks, parent) for parent in family.flat_parents()]
    grids += [_nested(family, looks, parent) for parent in family.nested_parents()]
    return [grid for grid in grids if grid is not None]


class _Family:
    """The visible elements that can be cells, sorted by parent, and what holds for the children of each element."""

    def __init__(self, nodes: Nodes, layout: Layout) -> None:
        self.nodes, self.box = nodes, layout.box
        part = part_of_table(nodes)
        in_markup = nodes.inside(
            (part > 0) & nodes.tag.is_in({"tr", "svg:svg", "select", "pre"}) | nodes.tag.is_in({"svg:svg", "select"})
        )
        cell = (
            (nodes.kind == Kind.ELEMENT)
            & nodes.visible
            & ~nodes.tag.is_in(PARAMETERS.no_cells)
            & (area(layout.box) > PARAMETERS.smallest)
        )
        cell &= ~layout.position.is_in({"fixed"})
        self.cell: Mask = cell & ~(in_markup & (part > 0))
        ids = np.flatnonzero(self.cell)
        self.ids = ids[np.argsort(nodes.parent[ids], kind="stable")]
        self.parents = nodes.parent[self.ids]
        self.count = np.bincount(self.parents, minlength=len(nodes))
        self._starts = np.concatenate([[0], np.cumsum(self.count)]).tolist()
        self._holds_table: Mask = nodes.sum_inside(nodes.tag.is_in({"table"})) > 0
        # An element with text of its own beside its children is a sentence with inline parts, not a group of cells.
        own_text = np.zeros(len(nodes), dtype=bool)
        texts = np.flatnonzero((nodes.kind == Kind.TEXT) & nodes.visible & (area(layout.box) > 0))
        spans = nodes.spans
        own_text[nodes.parent[texts[(spans.end - spans.start)[texts] > 0]]] = True
        self.plain: Mask = ~own_text
        self.inline = layout.display.is_in(RUNNING_DISPLAYS)

    def children(self, parent: int) -> NDArray[np.int64]:
        """List the children that can be cells."""
        return self.ids[self._starts[parent] : self._starts[parent + 1]]

    def flat_parents(self) -> list[int]:
        """List the elements whose own children may be cells: enough of them, beginning on several rows and columns."""
        enough = (self.count >= PARAMETERS.least_cells) & self.plain & ~self._holds_table
        several = self._distinct(LEFT) & self._distinct(TOP)
        return np.flatnonzero(enough & several).tolist()

    def nested_parents(self) -> list[int]:
        """List the elements whose grandchildren may be cells: two or more children with two or more each."""
        full = (self.count >= 2) & self.cell & self.plain  # noqa: PLR2004 - a row has two cells
        owners = np.bincount(self.nodes.parent[np.flatnonzero(full)], minlength=len(self.nodes))
        most = owners >= PARAMETERS.least_rows * self.count
        return np.flatnonzero((owners >= 2) & most & self.plain & ~self._holds_table).tolist()  # noqa: PLR2004

    def rows(self, parent: int) -> NDArray[np.int64]:
        """List the children with two or more cells; one that holds stacked rows of its own gives way to them."""
        lines = self.children(parent)
        lines = lines[(self.count[lines] >= 2) & self.plain[lines]]  # noqa: PLR2004 - a row has two cells
        inner = [self._inner_rows(int(line)) for line in lines.tolist()]
        if all(len(rows) == 0 for rows in inner) or all(len(rows) for rows in inner):
            return lines
        return np.concatenate([rows if len(rows) else lines[at : at + 1] for at, rows in enumerate(inner)])

    def _inner_rows(self, line: int) -> NDArray[np.int64]:
        rows = self.children(line)
        holds = (self.count[rows] >= 2) & self.plain[rows]  # noqa: PLR2004
        return rows if holds.all() and _are_stacked(self.box[rows]) else rows[:0]

    def _distinct(self, edge: int) -> Mask:
        """Whether the children of each element begin on more than one line."""
        lines = self.box[self.ids, edge]
        low = np.full(len(self.nodes), np.inf, dtype=np.float32)
        high = np.full(len(self.nodes), -np.inf, dtype=np.float32)
        np.minimum.at(low, self.parents, lines)
        np.maximum.at(high, self.parents, lines)
        return np.asarray(high - low > TOUCH)


def _flat(family: _Family, looks: Looks, parent: int) -> Grid | None:
    cells = family.children(parent)
    if not PARAMETERS.least_cells <= len(cells) <= PARAMETERS.most_cells or family.inline[cells].any():
        return None
    return _to_grid(looks, parent, cells, arrange(family.box[cells]))


def _nested(family: _Family, looks: Looks, parent: int) -> Grid | None:
    lines = family.rows(parent)
    groups = [family.children(int(line)) for line in lines.tolist()]
    cells = np.concatenate(groups)
    if not PARAMETERS.least_cells <= len(cells) <= PARAMETERS.most_cells:
        return None
    boxes = family.box[cells]
    if _are_stacked(family.box[lines]):
        places = arrange_rows(boxes, np.repeat(np.arange(len(groups)), [len(group) for group in groups]))
        if not all(_is_a_line(family.box[group]) for group in groups):
            return None
    elif _are_columns(family, lines, groups):
        places = arrange(boxes)
    else:
        return None
    return _to_grid(looks, parent, cells, places)


def _are_columns(family: _Family, lines: NDArray[np.int64], groups: list[NDArray[np.int64]]) -> bool:
    """Whether groups are lists set side by side: in one line, equally long, of elements that are all alike."""
    cells = np.concatenate(groups)
    alike = len(np.unique(family.nodes.tag.codes[cells])) == 1
    equal = len({len(group) for group in groups}) == 1
    return alike and equal and _is_a_line(family.box[lines]) and not family.inline[cells].any()


def _are_stacked(boxes: Boxes) -> bool:
    """Whether each box begins where the one before it ends, or further down."""
    return bool((boxes[1:, TOP] >= boxes[:-1, BOTTOM] - TOUCH).all())


def _is_a_line(boxes: Boxes) -> bool:
    """Whether boxes follow each other from left to right."""
    return bool((boxes[1:, LEFT] >= boxes[:-1, RIGHT] - TOUCH).all())


def _to_grid(looks: Looks, parent: int, cells: NDArray[np.int64], places: Places | None) -> Grid | None:
    if places is None:
        return None
    rows, columns = (places[:, :2] + places[:, 2:]).max(axis=0).tolist()
    if not fits(rows, columns):
        return None
    nodes = looks.nodes
    found = tuple(
        Place(
            cell,
            place[0],
            place[1],
            place[2],
            place[3],
            " ".join(nodes.visible_text(cell).split()),
            looks.is_bold(cell),
        )
        for cell, place in zip(cells.tolist(), places.tolist(), strict=True)
    )
    ordered = tuple(sorted(found, key=lambda place: (place.row, place.column)))
    return Grid(parent, "boxes", ordered, sections_of(rows))
