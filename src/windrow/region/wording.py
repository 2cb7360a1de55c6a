"""The text of a record as a reader sees it, with words of neighbouring elements kept apart.

Counters beside each other often have no white space between them in the source, only a margin.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import LEFT, RIGHT

if TYPE_CHECKING:
    from windrow.region.columns import Columns

GAP = 1.0
"""Pixels between two texts on a line from which they are two words."""


def find_seams(columns: Columns) -> list[int]:
    """List where in the page's text two words of different elements touch, but do not on screen."""
    nodes, spans, texts = columns.nodes, columns.nodes.spans, columns.texts_in_order
    before, after = texts[:-1], texts[1:]
    touching = (spans.end[before] == spans.start[after]) & (columns.holder[before] != columns.holder[after])
    if nodes.layout is not None:
        box = nodes.layout.box
        touching &= ~(np.abs(box[after, LEFT] - box[before, RIGHT]) < GAP)
    seams: list[int] = spans.start[after[touching]].tolist()
    return seams


def text_of(columns: Columns, record: tuple[int, ...]) -> str:
    """Write out the text of a record, its nodes on lines of their own."""
    start, end = columns.nodes.spans.start, columns.nodes.spans.end
    texts = (write_out(columns, int(start[node]), int(end[node])) for node in record)
    return "\n".join(filter(None, texts))


def write_out(columns: Columns, start: int, end: int) -> str:
    """Write out a part of the page's text, with a space at each seam."""
    seams, text = columns.seams, columns.nodes.spans.text
    inside = seams[bisect_right(seams, start) : bisect_left(seams, end)]
    return " ".join(text[a:b] for a, b in pairwise([start, *inside, end])).strip()
