"""Grids whose cells are things of their own: products, people, pictures with captions, side by side to save room."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from windrow.nodes import Kind
from windrow.table.evidence import is_numeric

if TYPE_CHECKING:
    from windrow.nodes import Nodes
    from windrow.table.grid import Grid

Make: TypeAlias = tuple[tuple[int, bool], ...]
"""What a cell is made of: for each of its texts, the element that it stands in, and whether it is a figure."""
FEWEST = 2
"""Texts of a cell that make it a thing with something said of it; one alone is a value."""


def are_cards(grid: Grid, nodes: Nodes) -> bool:
    """Whether all cells are made of the same several texts, the first row and the first column too.

    A table tells in these what the others are, so that they are made otherwise.
    """
    makes: set[Make] = set()
    for place in grid.places:
        if place.text:
            makes.add(_read_make(place.node, nodes))
            if len(makes) > 1:
                return False
    return all(len(make) >= FEWEST for make in makes)


def _read_make(cell: int, nodes: Nodes) -> Make:
    inside = slice(cell, int(nodes.end[cell]))
    found = cell + np.flatnonzero((nodes.kind[inside] == Kind.TEXT) & nodes.visible[inside])
    texts = [(int(node), nodes.text[node].strip()) for node in found]
    return tuple((int(nodes.tag.codes[nodes.parent[node]]), is_numeric(text)) for node, text in texts if text)
