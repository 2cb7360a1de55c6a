"""What stands in a record, piece by piece: each line of each element, with the way from the record to it.

A line that mixes text of its own with links and spans is a piece as a whole, and each of its parts is one too, since
readers want the line as often as the part. Highlighting is no element here.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from windrow.region.columns import LINE_OR_CELL_END
from windrow.region.wording import write_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.region.columns import Columns

COMMON_CLASS = 0.1
"""Share of the records in which a class must occur to be part of a way; others are of one record only."""
WORD = re.compile(r"[^\W_]")

Way: TypeAlias = tuple[str, ...]
RecordNodes: TypeAlias = tuple[int, ...]


class Piece(NamedTuple):
    """One text of a record: the element it stands in, the way there from the record, and the text itself."""

    node: int
    way: Way
    text: str


class _Line(NamedTuple):
    """A line or cell with a text node in it: the element it stands in, its place in the page's text, its record."""

    node: int
    holder: int
    start: int
    end: int
    root: int
    """The node of the record that it stands in."""
    record: int


@dataclass(frozen=True, eq=False)
class Cutter:
    """Cuts the records of one region into pieces."""

    columns: Columns
    records: Sequence[RecordNodes]
    _steps: dict[tuple[int, int], str] = field(default_factory=dict)
    _tags: dict[Way, Way] = field(default_factory=dict)

    def cut_all(self) -> list[list[Piece]]:
        """List the pieces of each record in document order.

        Where a line is a piece of its own in one record ("Ann Lee, Daily"), it is one in all, be it a link only.
        """
        cut = self._cut_records()
        tags = {self.tags_of(piece.way) for pieces in cut for piece in pieces}
        mixed = {way[:-1] for way in tags} & tags
        return [self._with_lines(pieces, mixed) for pieces in cut] if mixed else cut

    def tags_of(self, way: Way) -> Way:
        """Give a way without its classes."""
        found = self._tags.get(way)
        if found is None:
            found = self._tags[way] = tuple(step.partition(".")[0] for step in way)
        return found

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

    def _with_lines(self, pieces: list[Piece], mixed: set[Way]) -> list[Piece]:
        """Add the lines that other records have text of their own in."""
        spans, known = self.columns.nodes.spans, {piece.node for piece in pieces}
        whole: list[Piece] = []
        for piece in pieces:
            above = int(self.columns.holder[piece.node])
            if above not in known and self.tags_of(piece.way)[:-1] in mixed:
                known.add(above)
                text = self._words(int(spans.start[above]), int(spans.end[above]))
                if not LINE_OR_CELL_END.search(text):
                    whole.append(Piece(above, piece.way[:-1], text))
            whole.append(piece)
        return whole

    def _cut_records(self) -> list[list[Piece]]:
        nodes = self.columns.nodes
        cut: list[list[Piece]] = [[] for _ in self.records]
        ways: dict[int, Way] = {}
        for record in self.records:
            ways |= {root: (self._step(root) if number else "",) for number, root in enumerate(record)}
        seen: set[tuple[int, int]] = set()
        for line in self._find_lines():
            if (line.holder, line.start) in seen:
                continue
            words = self._words(line.start, line.end)
            if WORD.search(words) and WORD.search(nodes.text[line.node]):
                seen.add((line.holder, line.start))
                cut[line.record].append(Piece(line.holder, self._way(line.holder, line.root, ways), words))
        return cut

    def _find_lines(self) -> list[_Line]:
        """List for each text of the records the line or cell around it, as far as its element reaches."""
        columns, spans = self.columns, self.columns.nodes.spans
        roots = np.array([(root, n) for n, record in enumerate(self.records) for root in record])
        roots = roots[np.argsort(roots[:, 0])]
        texts = columns.texts_in_order
        place = np.searchsorted(roots[:, 0], texts, side="right") - 1
        inside = (place >= 0) & (texts < columns.nodes.end[roots[place, 0]])
        texts, place = texts[inside], place[inside]
        holder = np.maximum(columns.holder[texts], roots[place, 0])
        edges = columns.line_ends
        start = np.maximum(edges[np.searchsorted(edges, spans.start[texts]) - 1] + 1, spans.start[holder])
        end = np.minimum(edges[np.searchsorted(edges, spans.end[texts])], spans.end[holder])
        order = np.argsort(roots[place, 1], kind="stable")
        told = (texts, holder, start, end, *roots[place].T)
        return [_Line(*each) for each in zip(*(column[order].tolist() for column in told), strict=True)]

    def _words(self, start: int, end: int) -> str:
        """Read a part of the page's text; without boxes nobody knows whether two elements touch, as in ``$`` ``12``."""
        if self.columns.nodes.layout is None:
            return self.columns.nodes.spans.text[start:end].strip()
        return write_out(self.columns, start, end)

    def _way(self, node: int, root: int, ways: dict[int, Way]) -> Way:
        chain = []
        while node not in ways:
            chain.append(node)
            node = max(int(self.columns.holder[node]), root)  # what highlights the whole record is looked through, too
        way = ways[node]
        for below in reversed(chain):
            way = (*way, self._step(below))
            ways[below] = way
        return way

    def _step(self, node: int) -> str:
        tag, code = int(self.columns.nodes.tag.codes[node]), int(self.columns.class_code[node])
        found = self._steps.get((tag, code))
        if found is None:
            names = [name for name in self.columns.class_names[code] if name in self.classes]
            found = self._steps[tag, code] = ".".join([self.columns.nodes.tag[node], *names])
        return found
