"""Headings above records, a date, a year, the name of a shelf, as a field of each record below them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

from windrow.region.fields import Field
from windrow.region.measures import HEADINGS
from windrow.region.repetition import FieldColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.region.fields import PageText, RecordNodes
    from windrow.region.measures import PageMeasures

NAME = "group"


def find_group_headings(text: PageText, records: Sequence[RecordNodes]) -> FieldColumn | None:
    """Return the heading over each record as a column; None where headings part no records.

    The heading over the first record may be the page's own: it counts where it is of the level of the others.
    """
    measures = text.measures
    over = _find_over(measures, records)
    levels = {measures.nodes.tag[node] for number, node in over.items() if number}
    if len(levels) != 1:
        return None
    current = -1
    cells: dict[int, tuple[Field, ...]] = {}
    for number in range(len(records)):
        found = over.get(number, -1)
        if measures.nodes.tag[found] in levels and found >= 0:
            current = found
        if current >= 0:
            cells[number] = (Field(current, (), text.of_record((current,))),)
    return FieldColumn((), cells, 1.0)


def _find_over(measures: PageMeasures, records: Sequence[RecordNodes]) -> dict[int, int]:
    """Return the last heading between each record and the one before it; before the first, the last of all."""
    nodes = measures.nodes
    headings = np.flatnonzero(nodes.tag.is_in(HEADINGS) & (measures.texts > 0)).tolist()
    over: dict[int, int] = {}
    before = 0
    for number, record in enumerate(records):
        at = bisect_left(headings, record[0]) - 1
        if at >= 0 and headings[at] >= before:
            over[number] = headings[at]
        before = int(nodes.end[record[-1]])
    return over
