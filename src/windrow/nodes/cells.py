"""Where the cells of a table stand: row, column and spans, by the HTML standard's algorithm for forming a table.

Row spans end with their group of rows, and a row span of 0 reaches its end. Where the standard lets two cells share a
place, the later one is cut before it: two cells never do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from windrow.nodes.tree import Nodes

NUMBER = re.compile(r"\s*\+?(\d{1,9})")
MOST_ROW_SPAN, MOST_COLUMN_SPAN = 65534, 1000
"""The HTML standard's own limits."""


class Span(NamedTuple):
    """How many rows and columns a cell reaches over; 0 rows are all that are left of its group."""

    rows: int
    columns: int


NO_SPAN = Span(1, 1)


class Slot(NamedTuple):
    """Where a cell stands within its group of rows."""

    row: int
    column: int
    row_span: int
    column_span: int


class Spans:
    """What cells say of their spans, asked of the whole page at once."""

    def __init__(self, nodes: Nodes) -> None:
        """Read the attributes of a page."""
        attributes = nodes.attributes
        self._high = {**attributes.having("aria-rowspan"), **attributes.having("rowspan")}
        self._wide = {**attributes.having("aria-colspan"), **attributes.having("colspan")}

    def reach_over(self, cells: Iterable[int]) -> bool:
        """Whether one of some cells says anything of a span."""
        if not self._high and not self._wide:
            return False
        return not (self._high.keys().isdisjoint(cells) and self._wide.keys().isdisjoint(cells))

    def of(self, cell: int) -> Span:
        """Return the span of one cell; what is no number counts as 1."""
        if cell not in self._high and cell not in self._wide:
            return NO_SPAN
        high = _read_number(self._high.get(cell, ""))
        wide = _read_number(self._wide.get(cell, ""))
        return Span(1 if high is None else min(high, MOST_ROW_SPAN), min(wide or 1, MOST_COLUMN_SPAN))


def _read_number(word: str) -> int | None:
    found = NUMBER.match(word)
    return int(found[1]) if found else None


def place_cells(rows: Sequence[Sequence[Span]]) -> Iterator[Slot]:
    """Yield the place of each cell in a group of rows, row by row."""
    free_from: dict[int, int] = {}
    """By column, the first row that cells from above leave free."""
    for number, row in enumerate(rows):
        column = 0
        for high, wide in row:
            while free_from.get(column, 0) > number:
                column += 1
            span = _cut(free_from, Slot(number, column, min(high or len(rows), len(rows) - number), wide))
            yield span
            if span.row_span > 1:
                free_from.update(dict.fromkeys(range(column, column + span.column_span), number + span.row_span))
            column += span.column_span


def _cut(free_from: dict[int, int], slot: Slot) -> Slot:
    """Let a cell end before the first column that a cell from above covers."""
    if free_from:
        for column in range(slot.column + 1, slot.column + slot.column_span):
            if free_from.get(column, 0) > slot.row:
                return slot._replace(column_span=column - slot.column)
    return slot
