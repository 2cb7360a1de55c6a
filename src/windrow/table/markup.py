"""Tables by markup: ``<table>`` elements, what is displayed as a table or has a table's role, and definition lists.

Spans follow the HTML standard as browsers show them: row spans end with their group of rows, ``rowspan=0`` reaches its
end, the first head stands on top and the first foot at the bottom wherever they are written. Cells that are not laid
out take no place; cells that only can't be seen keep theirs and are empty.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.cells import Slot, Spans, place_cells
from windrow.table.grid import Grid, Place, Section, fits, sections_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.nodes import Nodes
    from windrow.table.hidden import Shown

TABLE, GROUP, ROW, CELL, CAPTION = range(1, 6)
TAGS = {
    "table": TABLE,
    "thead": GROUP,
    "tbody": GROUP,
    "tfoot": GROUP,
    "tr": ROW,
    "td": CELL,
    "th": CELL,
    "caption": CAPTION,
}
DISPLAYS = {
    "table": TABLE,
    "inline-table": TABLE,
    "table-header-group": GROUP,
    "table-row-group": GROUP,
    "table-footer-group": GROUP,
    "table-row": ROW,
    "table-cell": CELL,
    "table-caption": CAPTION,
}
ROLES = {
    "table": TABLE,
    "grid": TABLE,
    "treegrid": TABLE,
    "rowgroup": GROUP,
    "row": ROW,
    "cell": CELL,
    "gridcell": CELL,
    "columnheader": CELL,
    "rowheader": CELL,
}
HEADING_ROLES = frozenset({"columnheader", "rowheader"})
HEADS = frozenset({"thead", "table-header-group"})
FEET = frozenset({"tfoot", "table-footer-group"})
DEFINITIONS = "dl"


@dataclass(frozen=True)
class DefinitionParameters:
    """When a definition list is a table of two columns; by principle."""

    least_pairs: int = 3  # two pairs are a remark
    most_terms: int = 20  # terms that may share their definitions: more are an attack


PARAMETERS = DefinitionParameters()


@dataclass
class _Table:
    """One table while it is read: rows by group, in the order of the page."""

    node: int
    caption: int = -1
    groups: list[tuple[Section, list[list[int]]]] = field(default_factory=list)
    group_nodes: list[int] = field(default_factory=list)


def find_markup_grids(shown: Shown, least: int = 1) -> list[Grid]:
    """Return the grid of every table on the page, layout tables included, in document order.

    ``least`` is how many rows and columns a table must have, if smaller ones are of no use.
    """
    part = part_of_table(shown.nodes)
    if not (part == TABLE).any():
        return []
    reading = _Reading(shown)
    grids = (reading.to_grid(table, least) for table in _read_tables(shown, part))
    return [grid for grid in grids if grid is not None]


def part_of_table(nodes: Nodes) -> NDArray[np.int8]:
    """Return the part of a table that each node is: by its tag, else by its role, else by its display; 0 for none."""
    by_display = np.array([DISPLAYS.get(word, 0) for word in nodes.display.words] + [0], dtype=np.int8)
    by_tag = np.array([TAGS.get(word, 0) for word in nodes.tag.words] + [0], dtype=np.int8)
    part = by_tag[nodes.tag.codes]
    part = np.where(part == 0, by_display[nodes.display.codes], part)
    for node, role in nodes.attributes.having("role").items():
        if not by_tag[nodes.tag.codes[node]]:
            part[node] = ROLES.get(role.strip().lower(), part[node])
    return np.asarray(part, dtype=np.int8)


def _read_tables(shown: Shown, part: NDArray[np.int8]) -> list[_Table]:
    """Collect rows and cells of all tables in one pass over the parts of tables."""
    nodes = shown.nodes
    marked = np.flatnonzero((part > 0) & shown.laid_out)
    parts, ends = part[marked].tolist(), nodes.end[marked].tolist()
    tables: list[_Table] = []
    stack: list[tuple[int, int, _Table, list[int] | None]] = []  # end, part, table, open row
    for node, kind, end in zip(marked.tolist(), parts, ends, strict=True):
        while stack and stack[-1][0] <= node:
            stack.pop()
        if kind == TABLE:
            table = _Table(node)
            tables.append(table)
            stack.append((end, TABLE, table, None))
        elif stack and kind == CELL and (row := stack[-1][3]) is not None:
            row.append(node)  # nearly all parts are cells in rows
            stack.append((end, CELL, stack[-1][2], None))
        elif stack:
            _add_part(nodes, stack, (node, kind, end))
    return tables


def _add_part(nodes: Nodes, stack: list[tuple[int, int, _Table, list[int] | None]], part: tuple[int, int, int]) -> None:
    node, kind, end = part
    _, around, table, row = stack[-1]
    if kind == CAPTION:
        table.caption = node if around == TABLE and table.caption < 0 else table.caption
    elif kind == GROUP and around in (TABLE, GROUP):
        table.groups.append((_section(nodes, node), []))
        table.group_nodes.append(node)
        stack.append((end, GROUP, table, None))
    elif kind == ROW and around in (TABLE, GROUP):
        if not table.groups or around == TABLE:
            _open_body(table)
        row = []
        table.groups[-1][1].append(row)
        stack.append((end, ROW, table, row))
    elif kind == CELL and around in (TABLE, GROUP, ROW):
        if row is None:
            # A cell without a row: it and its neighbours make one.
            if not table.groups or not table.groups[-1][1]:
                _open_body(table)
                table.groups[-1][1].append([])
            row = table.groups[-1][1][-1]
        row.append(node)
        stack.append((end, CELL, table, None))


def _open_body(table: _Table) -> None:
    """Rows that stand in no group make one of their own, as far as they follow each other."""
    if not table.groups or table.groups[-1][0] != "body" or table.group_nodes[-1:] != [-1]:
        table.groups.append(("body", []))
        table.group_nodes.append(-1)


def _section(nodes: Nodes, node: int) -> Section:
    tag, display = nodes.tag[node], nodes.display[node]
    return "head" if {tag, display} & HEADS else "foot" if {tag, display} & FEET else "body"


class _Reading:
    """Lays the cells of tables out, with what the page says of cells looked up once."""

    def __init__(self, shown: Shown) -> None:
        self.shown, self.spans = shown, Spans(shown.nodes)

    def to_grid(self, table: _Table, least: int) -> Grid | None:
        """Lay the cells out by the HTML standard's algorithm; nothing for a table without cells, or a smaller one."""
        cells: list[int] = []
        slots: list[Slot] = []
        sections: list[Section] = []
        for section, rows in _in_shown_order(table):
            own = list(chain.from_iterable(rows))
            found = self._place(rows, own, len(sections))
            if found is None:
                return None
            cells += own
            slots += found
            sections += [section] * len(rows)
        width = max((column + wide for _, column, _, wide in slots), default=0)
        if not cells or not fits(len(sections), width) or min(len(sections), width) < least:
            return None
        said, headings = self.shown.texts(cells), map(self.headings.__contains__, cells)
        places = tuple(map(Place._make, zip(cells, *zip(*slots, strict=True), said, headings, strict=True)))
        caption = self.shown.text(table.caption) if table.caption >= 0 else ""
        return Grid(table.node, "table", places, tuple(sections), caption)

    def _place(self, rows: list[list[int]], cells: list[int], above: int) -> list[Slot] | None:
        """Return where the cells of a group of rows stand, below so many rows; None where spans are an attack."""
        if not self.spans.reach_over(cells):
            return [Slot(above + number, column, 1, 1) for number, row in enumerate(rows) for column in range(len(row))]
        found: list[Slot] = []
        width = 0
        for row, column, high, wide in place_cells([[self.spans.of(cell) for cell in row] for row in rows]):
            width = max(width, column + wide)
            if not fits(above + row + 1, width):
                return None
            found.append(Slot(above + row, column, high, wide))
        return found

    @cached_property
    def headings(self) -> frozenset[int]:
        """Cells that the markup calls headings."""
        nodes = self.shown.nodes
        roles = nodes.attributes.having("role").items()
        by_role = (node for node, role in roles if role.strip().lower() in HEADING_ROLES)
        return frozenset(nodes.tag.where("th").tolist()).union(by_role)


def _in_shown_order(table: _Table) -> list[tuple[Section, list[list[int]]]]:
    """Put the first head first and the first foot last; further ones are bodies like any other."""
    head = next((group for group in table.groups if group[0] == "head"), None)
    foot = next((group for group in table.groups if group[0] == "foot"), None)
    middle: list[tuple[Section, list[list[int]]]] = [
        ("body", rows)
        for section, rows in table.groups
        if rows is not (head or ("", None))[1] and rows is not (foot or ("", None))[1]
    ]
    return [*([head] if head else []), *middle, *([foot] if foot else [])]


def find_definition_grids(nodes: Nodes) -> list[Grid]:
    """Return a grid for every visible definition list; a term with several definitions reaches over several rows.

    Terms that share a definition have it each.
    """
    grids = []
    for root in nodes.tag.where(DEFINITIONS).tolist():
        pairs = _read_pairs(nodes, root) if nodes.visible[root] else []
        if len(pairs) >= PARAMETERS.least_pairs:
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
    """Return the list of definitions of the next term: that of the terms before it that still have none."""
    if not pairs or pairs[-1][1]:
        return []
    shared = pairs[-1][1]
    return shared if sum(pair[1] is shared for pair in pairs[-PARAMETERS.most_terms :]) < PARAMETERS.most_terms else []


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
