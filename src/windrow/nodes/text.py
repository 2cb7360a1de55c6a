"""The visible text of a page in one string, and the part of it that each node covers.

White space is collapsed as a browser does it, blocks stand on lines of their own, cells of a row are a tab apart,
preformatted text keeps its shape. Where two visible text nodes follow each other, what separates them depends on
what begins or ends between them, so one cumulative count over the page answers for all pairs at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.columns import Kind, freeze_columns
from windrow.nodes.inline import INLINE_DISPLAYS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.nodes.tree import Nodes

ELEMENT, TEXT = Kind.ELEMENT.value, Kind.TEXT.value
CELLS = frozenset({"table-cell"})
PREFORMATTED = frozenset({"pre", "textarea", "listing", "plaintext", "xmp"})
LINE_BREAKS = frozenset({"br", "hr"})
BLANKS = " \t\n\r\f"
ASCII_SPACE = frozenset(BLANKS)
SEPARATORS = ("", " ", "\t", "\n")
"""What can stand between two texts, the stronger later; it is known by its place here."""
NONE, BLANK, TAB, LINE = range(len(SEPARATORS))


@dataclass(frozen=True, eq=False)
class TextSpans:
    """One string for the page; node ``i`` covers ``text[start[i]:end[i]]``."""

    text: str
    start: NDArray[np.int32]
    end: NDArray[np.int32]

    def __post_init__(self) -> None:
        """Make the columns read-only."""
        freeze_columns(self)

    def of(self, node: int) -> str:
        """Return the visible text of one node."""
        return self.text[self.start[node] : self.end[node]].strip(" \n\t")


def read_text(nodes: Nodes, within: NDArray[np.bool_] | None = None) -> TextSpans:
    """Return the visible text, and where each text node begins and ends in it.

    ``within`` marks whole subtrees that alone are read; what separates the texts in one does not depend on the rest.
    """
    is_shown = (nodes.kind == TEXT) & nodes.visible
    shown = np.flatnonzero(is_shown if within is None else is_shown & within)
    kept = (nodes.layout.preserved if nodes.layout else nodes.inside(nodes.tag.is_in(PREFORMATTED)))[shown]
    texts = [nodes.text[node] for node in shown.tolist()]
    words = [raw if keep else collapse(raw) for raw, keep in zip(texts, kept.tolist(), strict=True)]
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    spoken = np.flatnonzero(lengths)
    if not len(spoken):
        return _cover(nodes, shown, "", np.zeros((2, len(shown)), dtype=np.int32))
    blank = np.fromiter(map(bool, texts), bool, len(texts))
    blank[spoken] = [texts[rank][0] in ASCII_SPACE for rank in spoken.tolist()]
    gaps = np.maximum(_separators(nodes, shown), np.where(blank & ~kept, BLANK, NONE))
    said = [words[rank] for rank in spoken.tolist()]
    ends = np.array([texts[rank][-1] in ASCII_SPACE for rank in spoken.tolist()]) & ~kept[spoken]
    between = _between(gaps, spoken, ends, np.array([text.endswith("\n") for text in said]))
    stops = np.concatenate([[0], np.cumsum((between > NONE) + lengths[spoken])])[np.cumsum(lengths > 0)]
    pieces = [piece for pair in zip([SEPARATORS[gap] for gap in between.tolist()], said, strict=True) for piece in pair]
    return _cover(nodes, shown, "".join(pieces), np.array([stops - lengths, stops], dtype=np.int32))


def _between(
    gaps: NDArray[np.int64], spoken: NDArray[np.intp], ends: NDArray[np.bool_], broken: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return what separates each text that is not blank from the one before: the strongest of all that is between.

    White space at the ``ends`` of a text counts; one that is ``broken`` has ended its line itself.
    """
    between = np.maximum.reduceat(gaps[: spoken[-1] + 1], np.append(0, spoken[:-1] + 1))
    between[1:] = np.maximum(between[1:], np.where(ends[:-1], BLANK, NONE))
    between[1:][broken[:-1] & (between[1:] == LINE)] = NONE
    between[0] = NONE
    return between


def collapse(raw: str) -> str:
    """Return a text with each run of white space as one space, and none at the ends, in little memory."""
    raw = raw.strip(BLANKS)
    if not raw:
        return raw  # half of all texts stand between tags
    if "\n" in raw or "\t" in raw or "\r" in raw or "\f" in raw:
        for blank in "\t\n\r\f":
            raw = raw.replace(blank, " ")
    while "  " in raw:
        raw = raw.replace("  ", " ")
    return raw


def _separators(nodes: Nodes, shown: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return what separates each visible text from the one before: a line, a tab, or nothing."""
    element = nodes.kind == ELEMENT
    cell = element & nodes.display.is_in(CELLS)
    block = element & ~nodes.display.is_in(INLINE_DISPLAYS) & ~cell
    lines = _edges(nodes, (block & nodes.visible) | nodes.tag.is_in(LINE_BREAKS), shown)
    return np.where(lines, LINE, np.where(_edges(nodes, cell & nodes.visible, shown), TAB, NONE))


def _edges(nodes: Nodes, mask: NDArray[np.bool_], shown: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether a marked element begins or ends between each visible text and the one before."""
    marked, most = np.flatnonzero(mask), len(nodes) + 1
    count = np.bincount(marked, minlength=most) + np.bincount(nodes.end[marked], minlength=most)
    passed = np.cumsum(count)[shown]
    return np.diff(passed, prepend=0) > 0


def _cover(nodes: Nodes, shown: NDArray[np.intp], text: str, spans: NDArray[np.int32]) -> TextSpans:
    """Return the spans of all nodes, each from the first text inside it to the last."""
    count = len(nodes)
    before = np.zeros(count + 1, dtype=np.int64)
    before[shown + 1] = 1
    before = np.cumsum(before)
    first, last = before[:-1], before[nodes.end] - 1
    holds = first <= last
    start, end = np.zeros(count, dtype=np.int32), np.zeros(count, dtype=np.int32)
    start[holds], end[holds] = spans[0, first[holds]], spans[1, last[holds]]
    end = np.maximum(start, end)
    return TextSpans(text, start, end)
