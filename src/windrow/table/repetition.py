"""Tables without table markup on pages that were not laid out: by a grid's own placement, or by rows that repeat.

A CSS grid that is written into style attributes says where its cells stand. Where style sheets place the cells, only
repetition is left: elements that are called rows, or whose children are called cells, with equally many children.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from windrow.nodes import Kind
from windrow.table.grid import MOST_PLACES, Grid, Place, sections_of

if TYPE_CHECKING:
    from windrow.nodes import Nodes
    from windrow.nodes.elements import Elements


@dataclass(frozen=True)
class RepetitionParameters:
    """When elements without boxes are rows; by principle."""

    least_rows: int = 2
    rows_among_children: float = 0.5  # share of an element's children that must be rows
    alike: float = 0.8  # share of the rows that must have equally many cells
    most_lines: int = 2000  # not a decision: of a CSS grid; more are an attack


PARAMETERS = RepetitionParameters()
COLUMNS = re.compile(r"grid-template-columns\s*:\s*([^;]+)", re.IGNORECASE)
REPEAT = re.compile(r"repeat\(\s*(\d+)\s*,[^()]*(?:\([^()]*\)[^()]*)*\)", re.IGNORECASE)
FUNCTION = re.compile(r"[\w-]+\([^()]*\)")
AREA = re.compile(r"grid-area\s*:\s*([^;]+)", re.IGNORECASE)
SIDE = re.compile(r"grid-(row|column)(?:-start)?\s*:\s*([^;]+)", re.IGNORECASE)
FROM_END = re.compile(r"(?<![\w-])-(\d{1,4})\b")
"""A line that is counted from the end."""
SPAN = re.compile(r"span\s+(\d+)", re.IGNORECASE)
NAMED = re.compile(
    r"(?:^|[\s_-])(?=[rtcd])(?:t?rows?|tr|cells?|t?d|th|cols?|columns?|table|thead|tbody)(?:$|[\s_\d-])", re.IGNORECASE
)
ELEMENT = Kind.ELEMENT.value
HEADING = frozenset({"b", "strong", "h1", "h2", "h3", "h4", "h5", "h6", "th"})


class RepeatedRoots(NamedTuple):
    """What grids may be made of."""

    placed: dict[int, int]
    """Elements that place what stands in them, with how many columns they name."""
    repeated: dict[int, list[list[int]]]
    """Elements in which rows repeat, with the cells of each row."""


def find_repeated_roots(nodes: Nodes, calling: set[str]) -> RepeatedRoots:
    """Return the elements around grids that structure alone shows; ``calling`` are classes as ``find_calling`` has."""
    parents = _row_parents(nodes, calling) if calling else []
    rows = ((root, _find_rows(nodes, root)) for root in parents)
    return RepeatedRoots(_grid_roots(nodes), {root: lines for root, lines in rows if lines})


def find_repeated_grids(nodes: Nodes, roots: RepeatedRoots) -> list[Grid]:
    """Return the grids that structure alone shows."""
    grids = [_read_placed(nodes, root, found) for root, found in roots.placed.items()]
    grids += [_read_repeated(nodes, root, lines) for root, lines in roots.repeated.items()]
    return [grid for grid in grids if grid is not None]


def _grid_roots(nodes: Nodes) -> dict[int, int]:
    """Return the visible elements whose style attribute names the columns of a grid, with how many there are."""
    styles = nodes.attributes.having("style")
    named = {style: found[1] for style in set(styles.values()) if (found := COLUMNS.search(style))}
    placing = ((node, named[style]) for node, style in styles.items() if style in named) if named else ()
    return {node: count for node, tracks in placing if nodes.visible[node] and (count := _count_columns(tracks)) > 1}


def _count_columns(tracks: str) -> int:
    repeated = sum(min(int(found[1]), PARAMETERS.most_lines) for found in REPEAT.finditer(tracks))
    return repeated + len(FUNCTION.sub("x", REPEAT.sub(" ", tracks)).split())


def _read_placed(nodes: Nodes, root: int, columns: int) -> Grid | None:
    """Place the children: where they say themselves, else one after the other in what is free.

    A child that says only its row, or only its column, could stand anywhere: then there is no grid.
    """
    places: list[Place] = []
    taken: set[tuple[int, int]] = set()
    cursor = 0
    for child in nodes.children(root).tolist():
        if nodes.kind[child] != ELEMENT or not nodes.visible[child]:
            continue
        row, column, high, wide = _placement(nodes.attributes[child].get("style", ""), columns)
        wide = min(wide, columns)
        if wide == columns:
            column = None if row is None else 0
        if len(taken) + high * wide > MOST_PLACES or (row is None) != (column is None):
            return None
        if row is None or column is None:
            while (cursor // columns, cursor % columns) in taken or cursor % columns + wide > columns:
                cursor += 1
            row, column = cursor // columns, cursor % columns
        area = {(row + down, column + right) for down in range(high) for right in range(wide)}
        if area & taken:
            return None
        taken |= area
        places.append(Place(child, row, column, high, wide, _text(nodes, child), heading=_is_heading(nodes, child)))
    if not places:
        return None
    rows = max(place.row + place.row_span for place in places)
    return Grid(root, "grid", tuple(sorted(places, key=lambda place: (place.row, place.column))), sections_of(rows))


def _placement(style: str, columns: int) -> tuple[int | None, int | None, int, int]:
    """Read row, column and spans from a style attribute, counted from 0; None where it does not say."""
    lines: dict[str, str] = {found[1].lower(): found[2] for found in SIDE.finditer(style)}
    if area := AREA.search(style):
        parts = [part.strip() for part in area[1].split("/")] + [""] * 4
        lines = {"row": f"{parts[0]}/{parts[2]}", "column": f"{parts[1]}/{parts[3]}"}
    if FROM_END.search(lines.get("row", "")):
        return 0, None, 1, 1  # how many rows there are is not said
    row, high = _line(lines.get("row", ""))
    column, wide = _line(FROM_END.sub(lambda found: str(columns + 2 - int(found[1])), lines.get("column", "")))
    return row, column, high, wide


def _line(words: str) -> tuple[int | None, int]:
    start, _, end = (part.strip() for part in words.partition("/"))
    first = min(int(start), PARAMETERS.most_lines) - 1 if start.isdecimal() and int(start) else None
    span = SPAN.search(words)
    if span:
        return first, max(1, min(int(span[1]), PARAMETERS.most_lines))
    if first is not None and end.isdecimal():
        return first, max(1, min(int(end), PARAMETERS.most_lines) - 1 - first)
    return first, 1


def _row_parents(nodes: Nodes, calling: set[str]) -> list[int]:
    """List the elements with several children that have, and are called, rows or cells."""
    called = [node for node, words in nodes.attributes.having("class").items() if words in calling]
    element = (nodes.kind == ELEMENT) & nodes.visible
    children = np.bincount(np.maximum(nodes.parent[element], 0), minlength=len(nodes))
    named = np.zeros(len(nodes), dtype=bool)
    named[called] = True
    cells = np.bincount(np.maximum(nodes.parent[element & named], 0), minlength=len(nodes))
    row = element & (children > 1) & (named | (cells == children)) & ~nodes.display.is_in({"table-row", "inline"})
    rows = np.bincount(np.maximum(nodes.parent[row], 0), minlength=len(nodes))
    return np.flatnonzero(
        (rows >= PARAMETERS.least_rows) & (rows >= PARAMETERS.rows_among_children * children)
    ).tolist()


def find_calling(elements: Elements) -> set[str]:
    """Return the classes of a page that call their elements rows, cells or the like."""
    return {words for words in set(elements.having("class").values()) if NAMED.search(words)}


def may_repeat(elements: Elements, calling: set[str]) -> bool:
    """Whether rows may repeat in an element: two of its children are called so or hold what is, and hold several."""
    called = [node for node, words in elements.having("class").items() if words in calling]
    rows = {*called, *map(elements.parent, called)}
    several = [row for row in rows if sum(map(bool, map(elements.tag, elements.children(row)))) > 1]
    around = Counter(map(elements.parent, several))
    del around[None]
    return max(around.values(), default=0) >= PARAMETERS.least_rows


def _find_rows(nodes: Nodes, root: int) -> list[list[int]]:
    """Return the cells of the rows in an element; nothing where too few rows have equally many."""
    lines = [_elements(nodes, child) for child in _elements(nodes, root)]
    lines = [line for line in lines if len(line) > 1]
    usual = max((len(line) for line in lines), key=[len(line) for line in lines].count, default=0)
    if usual < 2 or sum(len(line) == usual for line in lines) < PARAMETERS.alike * len(lines):  # noqa: PLR2004 - most rows alike
        return []
    return lines


def _read_repeated(nodes: Nodes, root: int, lines: list[list[int]]) -> Grid:
    places = [
        Place(cell, row, column, 1, 1, _text(nodes, cell), heading=_is_heading(nodes, cell))
        for row, line in enumerate(lines)
        for column, cell in enumerate(line)
    ]
    return Grid(root, "rows", tuple(places), sections_of(len(lines)))


def _elements(nodes: Nodes, parent: int) -> list[int]:
    children = nodes.children(parent)
    return [int(child) for child in children[(nodes.kind[children] == ELEMENT) & nodes.visible[children]]]


def _is_heading(nodes: Nodes, cell: int) -> bool:
    """Whether the first thing in a cell is bold by its tag."""
    return any(nodes.tag[node] in HEADING for node in range(cell, min(cell + 3, int(nodes.end[cell]))))


def _text(nodes: Nodes, node: int) -> str:
    return " ".join(nodes.visible_text(node).split())
