"""Rows of a table that are no records: headings that are marked as such or said again, feet, page numbers.

What a table's reader only guesses to be a heading may be the first record: two sources must say so, as a row that alone
is bold does, and one that leads somewhere as the records do is one of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from windrow.nodes.table_rows import are_headers, find_cells, is_header_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.region.fields import RecordNodes
    from windrow.region.links import Pager

BOLD = frozenset({"b", "strong"})
FEWEST_NUMBERS = 2
"""Numbers of pages that make a pager."""


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a table that may be records."""

    pager: Pager
    records: Sequence[RecordNodes]

    def without_beside(self) -> Sequence[RecordNodes]:
        """Leave out those that are no records, as long as others are left."""
        return [record for record in self.records if not any(map(self._is_beside, record))] or self.records

    def _is_beside(self, row: int) -> bool:
        nodes, cells = self.pager.links.measures.nodes, find_cells(self.pager.links.measures.nodes, row)
        if is_header_row(nodes, row, cells) and are_headers(nodes, cells):
            return True
        if row not in self._no_data:
            return False
        if self._is_pager(row, cells):
            return True
        is_named = nodes.tag[int(nodes.parent[row])] == "tfoot" or is_header_row(nodes, row, cells)
        is_repeated = len(cells) > 1 and self._said[nodes.visible_text(row)] > 1
        stands_out = is_repeated or self._emphasized == {row}
        return (is_named or stands_out) and not (self._are_linked and self._is_linked(row))

    @cached_property
    def _no_data(self) -> frozenset[int]:
        return self.pager.links.addresses.table_rows().beside

    @cached_property
    def _said(self) -> Counter[str]:
        """What the rows say that the table holds for no data, with how often."""
        nodes = self.pager.links.measures.nodes
        return Counter(nodes.visible_text(row) for record in self.records for row in record if row in self._no_data)

    @cached_property
    def _emphasized(self) -> set[int]:
        """The rows all cells of which are bold by their tags."""
        nodes = self.pager.links.measures.nodes
        rows = {row: find_cells(nodes, row) for record in self.records for row in record}
        return {row for row, cells in rows.items() if len(cells) > 1 and all(map(self._is_bold, cells))}

    def _is_bold(self, cell: int) -> bool:
        nodes = self.pager.links.measures.nodes
        first = next((child for child in nodes.children(cell).tolist() if not nodes.text[child].isspace()), cell)
        return nodes.tag[first] in BOLD

    @cached_property
    def _are_linked(self) -> bool:
        """Whether most records lead somewhere."""
        return 2 * sum(any(map(self._is_linked, record)) for record in self.records) > len(self.records)

    def _is_linked(self, row: int) -> bool:
        return bool(self.pager.links.find_inside((row,)))

    def _is_pager(self, row: int, cells: Sequence[int]) -> bool:
        """Whether a row is one cell in which most links are numbers of pages."""
        texts = self.pager.links.measures.texts
        links = self.pager.links.find_inside((row,))
        numbers = sum(link in self.pager.numbers for link in links)
        return sum(texts[cell] > 0 for cell in cells) == 1 and numbers >= FEWEST_NUMBERS and 2 * numbers > len(links)
