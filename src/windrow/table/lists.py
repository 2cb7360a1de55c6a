"""Definition lists as tables of two columns: each term beside what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.table.grid import Grid, Place, sections_of

if TYPE_CHECKING:
    from windrow.nodes import Nodes

LEAST_PAIRS = 3
MOST_TERMS = 20
"""How many terms may share their definitions."""


def find_definition_grids(nodes: Nodes) -> list[Grid]:
    """Give a grid for every visible definition list; a term with several definitions reaches over several rows.

    Terms that share a definition have it each.
    """
    grids = []
    for root in nodes.tag.where("dl").tolist():
        pairs = _read_pairs(nodes, root) if nodes.visible[root] else []
        if len(pairs) >= LEAST_PAIRS:
            grids.append(_pairs_to_grid(nodes, root, pairs))
    return grids


def _read_pairs(nodes: Nodes, root: int) -> list[tuple[int, list[int]]]:
    """Collect terms with their definitions; a ``div`` around a pair changes nothing, a list within is another one."""
    pairs: list[tuple[int, list[int]]] = []
    node, end = root + 1, int(nodes.end[root])
    while node < end:
        tag = nodes.tag[node]
        if tag == "dt" and nodes.visible[node]:
            pairs.append((node, _definitions(pairs)))
        elif tag == "dd" and pairs and nodes.visible[node]:
            pairs[-1][1].append(node)
        node = node + 1 if tag in ("div", "") else int(nodes.end[node])
    return [pair for pair in pairs if pair[1]]


def _definitions(pairs: list[tuple[int, list[int]]]) -> list[int]:
    """Give the next term its list of definitions: the list of the terms before it that still have none."""
    if not pairs or pairs[-1][1]:
        return []
    shared = pairs[-1][1]
    return shared if sum(pair[1] is shared for pair in pairs[-MOST_TERMS:]) < MOST_TERMS else []


def _pairs_to_grid(nodes: Nodes, root: int, pairs: list[tuple[int, list[int]]]) -> Grid:
    places, row = [], 0
    for term, definitions in pairs:
        places.append(Place(term, row, 0, len(definitions), 1, _text(nodes, term), heading=True))
        for definition in definitions:
            places.append(Place(definition, row, 1, 1, 1, _text(nodes, definition)))
            row += 1
    return Grid(root, "definitions", tuple(places), sections_of(row))


def _text(nodes: Nodes, node: int) -> str:
    return " ".join(nodes.visible_text(node).split())
