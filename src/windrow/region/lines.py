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
    from windrow.geometry import Mask
    from windrow.region.groups import Group
    from windrow.region.measures import PageMeasures

WORD = re.compile(r"[^\W_]{2}")
FARTHEST = 200  # not a decision: a limit of the work for one look
"""Characters before and behind a record in which other words of its line are looked for."""


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a page's text, to be asked what else stands in those of a group."""

    measures: PageMeasures

    def are_parts(self, group: Group) -> bool:
        """Whether several records of a group stand in one line, and most such lines say something else, too."""
        first = np.array([record[0] for record in group.records])
        last = np.array([record[-1] for record in group.records])
        spans = self.measures.nodes.spans
        start, end = spans.start[first], spans.end[last]
        sharing = ~self._breaks_before[start][1:] & (end[:-1] <= start[1:])
        if not sharing.any():
            return False
        line = np.concatenate([[0], np.cumsum(~sharing)])
        several = np.flatnonzero(np.bincount(line) > 1)
        begins = np.searchsorted(line, several)
        stops = np.searchsorted(line, several, side="right") - 1
        said = sum(
            self._says_more(int(start[begin]), int(end[stop]))
            for begin, stop in zip(begins.tolist(), stops.tolist(), strict=True)
        )
        return 2 * said > len(several)

    @cached_property
    def _breaks_before(self) -> Mask:
        """Whether a line or a cell begins at each place of the text, or just behind it."""
        text = self.measures.nodes.spans.text
        found = np.zeros(len(text) + 2, dtype=bool)
        ends = np.array([place.start() for place in LINE_OR_CELL_END.finditer(text)], dtype=np.intp)
        found[[0, len(text)]] = True
        found[ends] = found[ends + 1] = True
        return found

    def _says_more(self, start: int, end: int) -> bool:
        """Whether words stand in a line before a place or behind another one."""
        text = self.measures.nodes.spans.text
        before = re.split(LINE_OR_CELL_END, text[max(start - FARTHEST, 0) : start].rstrip(" "))[-1]
        after = re.split(LINE_OR_CELL_END, text[end : end + FARTHEST], maxsplit=1)[0]
        return bool(WORD.search(before) or WORD.search(after))
