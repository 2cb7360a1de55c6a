"""What stands in a record, piece by piece: each line of each element, with the way from the record to it.

A line that mixes text of its own with links and spans is a piece as a whole, and each of its parts is one too, since
readers want the line as often as the part. Highlighting is no element here.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.region.columns import Columns

COMMON_CLASS = 0.1
"""Share of the records in which a class must occur to be part of a way; others are of one record only."""
LINE_OR_CELL_END = re.compile(r"[\n\t]")

Way: TypeAlias = tuple[str, ...]
RecordNodes: TypeAlias = tuple[int, ...]


class Piece(NamedTuple):
    """One text of a record: the element it stands in, the way there from the record, and the text itself."""

    node: int
    way: Way
    text: str


@dataclass(frozen=True, eq=False)
class Cutter:
    """Cuts the records of one region into pieces."""

    columns: Columns
    records: Sequence[RecordNodes]

    @cached_property
    def classes(self) -> frozenset[str]:
        """The classes that say what a part of a record is, not which record it is in."""
        found: Counter[str] = Counter()
        names = self.columns.class_names
        for record in self.records:
            codes = set(self.columns.class_code[record[0] : self.columns.nodes.end[record[-1]]].tolist())
            found.update({name for code in codes for name in names[code]})
        least = max(min(2, len(self.records)), COMMON_CLASS * len(self.records))
        return frozenset(name for name, count in found.items() if count >= least)

    def cut_all(self) -> list[list[Piece]]:
        """List the pieces of each record in document order.

        Where a line is a piece of its own in one record ("Ann Lee, Daily"), it is one in all, be it a link only.
        """
        cut = [self._cut_record(record) for record in self.records]
        tags = [tuple(step.partition(".")[0] for step in piece.way) for pieces in cut for piece in pieces]
        mixed = {way[:-1] for way in set(tags)} & set(tags)
        return [self._with_lines(pieces, mixed) for pieces in cut] if mixed else cut

    def _cut_record(self, record: RecordNodes) -> list[Piece]:
        pieces: list[Piece] = []
        for number, root in enumerate(record):
            start = self._step(root) if number else ""
            pieces += self._cut_node(root, (start,))
        return pieces

    def _with_lines(self, pieces: list[Piece], mixed: set[Way]) -> list[Piece]:
        """Add the lines that other records have text of their own in."""
        spans, known = self.columns.nodes.spans, {piece.node for piece in pieces}
        whole: list[Piece] = []
        for piece in pieces:
            above = int(self.columns.holder[piece.node])
            way = piece.way[:-1]
            if above not in known and tuple(step.partition(".")[0] for step in way) in mixed:
                known.add(above)
                text = spans.of(above)
                if not LINE_OR_CELL_END.search(text):
                    whole.append(Piece(above, way, text))
            whole.append(piece)
        return whole

    def _cut_node(self, root: int, start: Way) -> list[Piece]:
        nodes, spans = self.columns.nodes, self.columns.nodes.spans
        first, last = np.searchsorted(self.columns.texts_in_order, (root, nodes.end[root]))
        ways: dict[int, Way] = {root: start}
        seen: dict[tuple[int, int], Piece] = {}
        for text in self.columns.texts_in_order[first:last].tolist():
            holder = max(int(self.columns.holder[text]), root)
            low, high = int(spans.start[holder]), int(spans.end[holder])
            begin = self._edge(int(spans.start[text]), low, forward=False)
            if (holder, begin) in seen:
                continue
            words = spans.text[begin : self._edge(int(spans.end[text]), high, forward=True)].strip()
            if any(map(str.isalnum, words)) and any(map(str.isalnum, nodes.text[text])):
                seen[holder, begin] = Piece(holder, self._way(holder, ways), words)
        return list(seen.values())

    @cached_property
    def edges(self) -> list[int]:
        """Where lines and cells end in the page's text."""
        return [found.start() for found in LINE_OR_CELL_END.finditer(self.columns.nodes.spans.text)]

    def _edge(self, place: int, limit: int, *, forward: bool) -> int:
        """Go from a place in the text to the next end of a line or cell, or the one before, but not past the limit."""
        number = bisect_left(self.edges, place)
        if forward:
            return min(self.edges[number], limit) if number < len(self.edges) else limit
        return max(self.edges[number - 1] + 1, limit) if number else limit

    def _way(self, node: int, ways: dict[int, Way]) -> Way:
        chain = []
        while node not in ways:
            chain.append(node)
            node = int(self.columns.holder[node])
        way = ways[node]
        for below in reversed(chain):
            way = (*way, self._step(below))
            ways[below] = way
        return way

    def _step(self, node: int) -> str:
        names = [name for name in self.columns.class_names[self.columns.class_code[node]] if name in self.classes]
        return ".".join([self.columns.nodes.tag[node], *names])
