"""The words of a page: where each stands in its visible text, and where on its picture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import has_box, no_boxes
from windrow.nodes.columns import freeze_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.geometry import Boxes
    from windrow.nodes.columns import Ids, Layout
    from windrow.nodes.tree import Nodes

_UNSPACED = "\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003fffd"
WORD = rf"[{_UNSPACED}]|[^ \t\n\r\f{_UNSPACED}]+"
"""What a word is, to Python and to the browser: what blanks part; scripts without blanks have a word a character."""
_WORDS = re.compile(WORD)


@dataclass(frozen=True, eq=False)
class WordBoxes:
    """Where words stand on the page, as a browser drew them; one that is broken across lines has a box on each."""

    node: Ids
    """The text node."""
    number: Ids
    """Which of its words, from 0."""
    box: Boxes

    def __post_init__(self) -> None:
        """Make the columns read-only."""
        freeze_columns(self)


@dataclass(frozen=True, eq=False)
class PageWords:
    """Visible words with their place in the page's text and their boxes, in the order of the text."""

    start: NDArray[np.int32]
    end: NDArray[np.int32]
    box: Boxes

    def __post_init__(self) -> None:
        """Make the columns read-only."""
        freeze_columns(self)

    def boxes_between(self, start: int, end: int) -> Boxes:
        """Return the boxes of the words that a part of the text touches."""
        return np.asarray(self.box[(self.start < end) & (self.end > start)])

    def at(self, x: float, y: float) -> int | None:
        """Return the word at a point, the smallest where several lie upon each other; None where there is none."""
        left, top, right, bottom = self.box.T
        found = np.flatnonzero((left <= x) & (x <= right) & (top <= y) & (y <= bottom))
        if not len(found):
            return None
        areas = (right[found] - left[found]) * (bottom[found] - top[found])
        return int(found[len(found) - 1 - int(np.argmin(areas[::-1]))])  # of equals, the one that is drawn last


def find_words(text: str) -> list[tuple[int, int]]:
    """Return where the words of a text begin and end."""
    return [found.span() for found in _WORDS.finditer(text)]


def read_page_words(nodes: Nodes) -> PageWords:
    """Return the words of a page's visible text; none where it was not laid out.

    Where the browser was not asked for the boxes of words, they are worked out from those of lines.
    """
    layout = nodes.layout
    if layout is None:
        return PageWords(np.zeros(0, np.int32), np.zeros(0, np.int32), no_boxes(0))
    boxes = layout.words if layout.words is not None else _interpolate(nodes, layout)
    spans, starts, ends, kept = nodes.spans, list[int](), list[int](), list[int]()
    known: dict[int, list[tuple[int, int]]] = {}
    for row, (node, number) in enumerate(zip(boxes.node.tolist(), boxes.number.tolist(), strict=True)):
        if not layout.visible[node]:
            continue
        begin = int(spans.start[node])
        if node not in known:
            known[node] = find_words(spans.text[begin : int(spans.end[node])])
        if number < len(known[node]):
            start, end = known[node][number]
            starts.append(begin + start)
            ends.append(begin + end)
            kept.append(row)
    return PageWords(np.array(starts, np.int32), np.array(ends, np.int32), np.asarray(boxes.box[kept].reshape(-1, 4)))


def _interpolate(nodes: Nodes, layout: Layout) -> WordBoxes:
    """Return boxes of words from those of lines, as if all letters of a line were of one width."""
    lines, spans = layout.lines, nodes.spans
    found: list[tuple[int, int]] = []
    boxes: list[list[float]] = []
    last, words = -1, list[tuple[int, int]]()
    for node, first, length, box in zip(
        lines.node.tolist(), lines.start.tolist(), lines.length.tolist(), lines.box.tolist(), strict=True
    ):
        if not layout.visible[node] or not length:
            continue
        if node != last:
            last, words = node, find_words(spans.text[int(spans.start[node]) : int(spans.end[node])])
        left, top, right, bottom = box
        a_letter = (right - left) / length
        for number, (begin, stop) in enumerate(words):
            start, end = max(begin, first), min(stop, first + length)
            if start < end:
                found.append((node, number))
                boxes.append([left + (start - first) * a_letter, top, left + (end - first) * a_letter, bottom])
    columns = np.array(found, np.int32).reshape(-1, 2)
    box = np.array(boxes, np.float32).reshape(-1, 4)
    kept = has_box(box)
    return WordBoxes(columns[kept, 0], columns[kept, 1], box[kept])
