"""The table around records that are its rows: the column that each cell stands in, and the headings above."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from windrow.nodes.cells import Span, Spans, place_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.nodes import Nodes
    from windrow.region.fields import RecordNodes

CELLS = frozenset({"td", "th"})
WIDEST = 100  # not a decision: a limit against attacks
"""Columns that a cell can take: those behind them have no headings that anybody reads."""
MOST_COVERED = 1_000_000  # not a decision: a limit against attacks
"""Places in lower rows that the cells of a group of rows can take; where they take more, none takes any."""


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


def read_grid(nodes: Nodes, records: Sequence[RecordNodes]) -> Grid:
    """Place the cells of the table that the records are rows of, and read its lowest row of headings above them."""
    first = records[0][0]
    if nodes.tag[first] != "tr":
        return Grid(nodes)
    table = int(nodes.parent[first])
    while table > 0 and nodes.tag[table] != "table":
        table = int(nodes.parent[table])
    rows = [row for row in nodes.tag.where("tr").tolist() if table < row < nodes.end[table]]
    rows = [row for row in rows if table in (parent := int(nodes.parent[row]), int(nodes.parent[parent]))]
    cells = {row: [cell for cell in nodes.children(row).tolist() if nodes.tag[cell] in CELLS] for row in rows}
    above = [row for row in rows if row < first and sum(nodes.tag[cell] == "th" for cell in cells[row]) > 1]
    columns, lowest = _place(nodes, cells, above[-1] if above else -1)
    texts = {edge: nodes.visible_text(cell) if cell else "" for edge, cell in sorted(lowest.items())}
    return Grid(nodes, columns, list(texts), list(texts.values()))


def _place(nodes: Nodes, rows: Mapping[int, list[int]], heading: int) -> tuple[dict[int, int], dict[int, int]]:
    """Return the column in which each cell begins, and the cells over the columns in the heading row, by their first.

    A cell that reaches down from a row above takes its columns there, too. Behind the last cell stands none: 0.
    """
    spans = Spans(nodes)
    columns: dict[int, int] = {}
    lowest: dict[int, int] = {}
    for _, section in groupby(rows, lambda row: int(nodes.parent[row])):
        members = list(section)
        wanted = members.index(heading) if heading in members else -1
        cells = [cell for row in members for cell in rows[row]]
        slots = place_cells(_limit([[_narrow(spans.of(cell)) for cell in rows[row]] for row in members]))
        for cell, slot in zip(cells, slots, strict=True):
            columns[cell] = slot.column
            if slot.row <= wanted < slot.row + slot.row_span:
                lowest.setdefault(slot.column + slot.column_span, 0)
                lowest[slot.column] = cell
    return columns, lowest


def _narrow(span: Span) -> Span:
    return span._replace(columns=min(span.columns, WIDEST))


def _limit(rows: list[list[Span]]) -> list[list[Span]]:
    """Keep cells to their own rows where together they reach further down than any table does."""
    left = range(len(rows), 0, -1)
    reach = sum((min(s.rows or most, most) - 1) * s.columns for most, row in zip(left, rows, strict=True) for s in row)
    return rows if reach <= MOST_COVERED else [[span._replace(rows=1) for span in row] for row in rows]
