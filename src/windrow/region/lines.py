"""Whether things that repeat are records, or parts of lines that say more than they do.

Links in "Fri 4 Apr, The Anchor: The Larks, tickets" repeat more often than the lines do, but the line is what is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.region.fields import LINE_OR_CELL_END

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.region.groups import Group
    from windrow.region.measures import PageMeasures

WORD = re.compile(r"[^\W_]{2}")
FEWEST_LINES = 2
"""Lines that repeat, rather than stand there once."""
FARTHEST = 200  # not a decision: a limit of the work for one look
"""Characters before and behind a record in which other words of its line are looked for."""


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a page's text, to be asked what else stands in those of a group."""

    measures: PageMeasures

    def are_parts(self, group: Group) -> bool:
        """Whether most records of a group are bare words in lines of several of them, most of which say more.

        One such line tells nothing: a list may stand beside a word, and two records of a long one in one line. And
        only lines in elements of their own can be records instead.
        """
        first = np.array([record[0] for record in group.records])
        last = np.array([record[-1] for record in group.records])
        if self.measures.pictures[first].any() or np.median(self.measures.texts[first]) > 1:
            return False
        spans = self.measures.nodes.spans
        start, end = spans.start[first], spans.end[last]
        begun, ended = np.searchsorted(self._ends, start), np.searchsorted(self._ends, end)
        sharing = (ended[:-1] == begun[1:]) & (end[:-1] <= start[1:])
        line = np.concatenate([[0], np.cumsum(~sharing)])
        held = np.bincount(line)
        several = np.flatnonzero(held > 1)
        if len(several) < FEWEST_LINES or 2 * held[several].sum() <= len(line):
            return False
        begins = np.searchsorted(line, several)
        stops = np.searchsorted(line, several, side="right") - 1
        own: set[int] = set()
        for begin, stop in zip(begins.tolist(), stops.tolist(), strict=True):
            if self._says_more(int(start[begin]), int(end[stop])):
                own.add(self._find_around(int(first[begin]), int(last[stop])))
        return 2 * len(own) > len(several)

    @cached_property
    def _ends(self) -> NDArray[np.intp]:
        """Where lines or cells of the text end."""
        text = self.measures.nodes.spans.text
        return np.array([place.start() for place in LINE_OR_CELL_END.finditer(text)], dtype=np.intp)

    def _find_around(self, first: int, last: int) -> int:
        """Return the innermost element around two nodes, which is near them: it holds one line."""
        nodes = self.measures.nodes
        while nodes.end[first] <= last:
            first = int(nodes.parent[first])
        return first

    def _says_more(self, start: int, end: int) -> bool:
        """Whether words stand in a line before a place or behind another one."""
        text = self.measures.nodes.spans.text
        before = re.split(LINE_OR_CELL_END, text[max(start - FARTHEST, 0) : start].rstrip(" "))[-1]
        after = re.split(LINE_OR_CELL_END, text[end : end + FARTHEST], maxsplit=1)[0]
        return bool(WORD.search(before) or WORD.search(after))
