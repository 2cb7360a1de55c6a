"""The rows of a table with their cells, and where each cell stands in its group of rows."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from windrow.nodes.cells import Span, Spans, place_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windrow.nodes.cells import Slot
    from windrow.nodes.tree import Nodes

ROW, HEAD, HEADER = "tr", "thead", "th"
CELLS = frozenset({"td", HEADER})
WIDEST = 100  # not a decision: a limit against attacks
"""Columns that a cell can take: those behind them have no headings that anybody reads."""
MOST_COVERED = 1_000_000  # not a decision: a limit against attacks
"""Places in lower rows that the cells of a group of rows can take; where they take more, none takes any."""


def find_table(nodes: Nodes, row: int) -> int:
    """Return the table around a row; the document where there is none."""
    table = int(nodes.parent[row])
    while table > 0 and nodes.tag[table] != "table":
        table = int(nodes.parent[table])
    return max(table, 0)


def find_rows(nodes: Nodes, table: int, last: int | None = None) -> dict[int, list[int]]:
    """Return the rows of a table, up to the last one wanted, not those of one within it, each with its cells."""
    own: list[int] = []
    for child in nodes.children(table).tolist():
        within = [child] if nodes.tag[child] == ROW else nodes.children(child).tolist()
        own += [node for node in within if nodes.tag[node] == ROW]
    return {row: find_cells(nodes, row) for row in own if last is None or row <= last}


def find_cells(nodes: Nodes, row: int) -> list[int]:
    """Return the cells of a row."""
    return [cell for cell in nodes.children(row).tolist() if nodes.tag[cell] in CELLS]


def is_header_row(nodes: Nodes, row: int, cells: Sequence[int]) -> bool:
    """Whether a row has headers only: several cells, in the head of the table or marked as headers."""
    return len(cells) > 1 and (nodes.tag[int(nodes.parent[row])] == HEAD or are_headers(nodes, cells))


def are_headers(nodes: Nodes, cells: Sequence[int]) -> bool:
    """Whether all of some cells are marked as headers."""
    return all(nodes.tag[cell] == HEADER for cell in cells)


def place_sections(
    nodes: Nodes, rows: Mapping[int, Sequence[int]], spans: Spans | None = None
) -> Iterator[tuple[list[int], dict[int, Slot]]]:
    """Yield each group of rows, and where its cells stand in it; who asks for many tables reads the spans once."""
    spans = spans or Spans(nodes)
    for _, section in groupby(rows, lambda row: int(nodes.parent[row])):
        members = list(section)
        cells = [cell for row in members for cell in rows[row]]
        slots = place_cells(_limit([[_narrow(spans.of(cell)) for cell in rows[row]] for row in members]))
        yield members, dict(zip(cells, slots, strict=True))


def _narrow(span: Span) -> Span:
    return span._replace(columns=min(span.columns, WIDEST))


def _limit(rows: list[list[Span]]) -> list[list[Span]]:
    """Keep cells to their own rows where together they reach further down than any table does."""
    left = range(len(rows), 0, -1)
    reach = sum((min(s.rows or most, most) - 1) * s.columns for most, row in zip(left, rows, strict=True) for s in row)
    return rows if reach <= MOST_COVERED else [[span._replace(rows=1) for span in row] for row in rows]
