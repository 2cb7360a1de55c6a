"""The text of a record as a reader sees it, with words of neighbouring elements kept apart.

Counters and links beside each other often have no white space between them in the source, only a margin.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import LEFT, RIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.geometry import Mask
    from windrow.region.columns import Columns

GAP = 1.0
"""Pixels between two texts on a line from which they are two words."""


def find_seams(columns: Columns) -> list[int]:
    """List where in the page's text words of two elements touch that are two words to a reader."""
    nodes, spans, texts = columns.nodes, columns.nodes.spans, columns.texts_in_order
    before, after = texts[:-1], texts[1:]
    touching = (spans.end[before] == spans.start[after]) & (columns.holder[before] != columns.holder[after])
    before, after = before[touching], after[touching]
    if nodes.layout is not None:
        box = nodes.layout.box
        apart = ~(np.abs(box[after, LEFT] - box[before, RIGHT]) < GAP)
        apart |= _link_around(columns, before) != _link_around(columns, after)
        apart |= _are_figures(spans.text, spans.start[after].tolist())
        after = after[apart]
    seams: list[int] = spans.start[after].tolist()
    return seams


def _link_around(columns: Columns, texts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Give the link that each text stands in, or -1: two links next to each other are no word."""
    links = np.flatnonzero(columns.is_link)
    if not len(links):
        return np.full(len(texts), -1)
    nearest = links[np.searchsorted(links, texts, side="right") - 1]
    return np.where((nearest < texts) & (texts < columns.nodes.end[nearest]), nearest, -1)


def _are_figures(text: str, places: list[int]) -> Mask:
    """Say where a figure touches another one or a letter: without a style sheet, counters stand so."""
    around = (text[place - 1 : place + 1] for place in places)
    return np.array([pair.isalnum() and not pair.isalpha() for pair in around], dtype=bool)


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
