"""The text of a record as a reader sees it, with words of neighbouring elements kept apart.

Counters beside each other often have no white space between them in the source, only a margin.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import LEFT, RIGHT

if TYPE_CHECKING:
    from windrow.region.columns import Columns

GAP = 1.0
"""Pixels between two texts on a line from which they are two words."""


def text_of(columns: Columns, record: tuple[int, ...]) -> str:
    """Write out the text of a record, its nodes on lines of their own."""
    return "\n".join(text for node in record if (text := _text_of_node(columns, node)))


def _text_of_node(columns: Columns, node: int) -> str:
    nodes, spans = columns.nodes, columns.nodes.spans
    first, last = np.searchsorted(columns.texts_in_order, (node, nodes.end[node]))
    texts = columns.texts_in_order[first:last]
    touching = (spans.end[texts[:-1]] == spans.start[texts[1:]]) & (
        columns.holder[texts[:-1]] != columns.holder[texts[1:]]
    )
    if nodes.layout is not None:
        box = nodes.layout.box
        touching &= ~(np.abs(box[texts[1:], LEFT] - box[texts[:-1], RIGHT]) < GAP)
    if not touching.any():
        return spans.of(node)
    cuts = [int(spans.start[node]), *spans.start[texts[1:][touching]].tolist(), int(spans.end[node])]
    return " ".join(spans.text[a:b] for a, b in pairwise(cuts)).strip()
