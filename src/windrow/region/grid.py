"""The table around records that are its rows: the column that each cell stands in, and the headings above."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windrow.nodes.table_rows import find_rows, find_table, place_sections

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from windrow.nodes import Nodes
    from windrow.region.fields import RecordNodes


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells and headings by column; empty for records that are no rows of a table."""

    nodes: Nodes
    columns: dict[int, int] = field(default_factory=dict)
    """The column in which each cell of the table begins."""
    edges: list[int] = field(default_factory=list)
    """The columns in which the lowest headings begin."""
    headings: list[str] = field(default_factory=list)

    def heading_over(self, node: int) -> str:
        """Return the text of the heading over the column in which the cell around a node begins."""
        while self.headings and node > 0:
            if node in self.columns:
                return self.headings[bisect_right(self.edges, self.columns[node]) - 1]
            node = int(self.nodes.parent[node])
        return ""


def read_grid(nodes: Nodes, records: Sequence[RecordNodes], headings: Container[int]) -> Grid:
    """Place the cells of the table that the records are rows of, and read its lowest row of headings above them.

    ``headings`` are the rows that the page's tables have for such, whatever their cells are marked as.
    """
    first, last = records[0][0], records[-1][-1]
    rows = find_rows(nodes, find_table(nodes, first), last)
    above = [row for row in rows if row < first and (row in headings or _count_headings(nodes, rows[row]) > 1)]
    columns, lowest = _place(nodes, rows, above[-1] if above else -1)
    texts = {edge: nodes.visible_text(cell) if cell else "" for edge, cell in sorted(lowest.items())}
    return Grid(nodes, columns, list(texts), list(texts.values()))


def _count_headings(nodes: Nodes, cells: Sequence[int]) -> int:
    return sum(nodes.tag[cell] == "th" for cell in cells)


def _place(nodes: Nodes, rows: Mapping[int, list[int]], heading: int) -> tuple[dict[int, int], dict[int, int]]:
    """Return the column in which each cell begins, and the cells over the columns in the heading row, by their first.

    A cell that reaches down from a row above takes its columns there, too. Behind the last cell stands none: 0.
    """
    columns: dict[int, int] = {}
    lowest: dict[int, int] = {}
    for members, slots in place_sections(nodes, rows):
        wanted = members.index(heading) if heading in members else -1
        for cell, slot in slots.items():
            columns[cell] = slot.column
            if slot.row <= wanted < slot.row + slot.row_span:
                lowest.setdefault(slot.column + slot.column_span, 0)
                lowest[slot.column] = cell
    return columns, lowest
