"""The visible text of a page in one string, and the part of it that each node covers.

White space is collapsed as a browser does it, blocks stand on lines of their own, cells of a row are a tab apart,
preformatted text keeps its shape. Where two visible text nodes follow each other, what separates them is decided by
what begins or ends between them, so one cumulative count over the page answers for all pairs at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.columns import Kind, freeze_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.nodes.tree import Nodes

INLINE = frozenset({"", "inline", "inline-block", "inline-flex", "inline-grid", "inline-table", "contents", "none"})
INLINE |= {"ruby", "ruby-base", "ruby-text"}
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
        """Close the columns for writing."""
        freeze_columns(self)

    def of(self, node: int) -> str:
        """Give the visible text of one node."""
        return self.text[self.start[node] : self.end[node]].strip(" \n\t")


def read_text(nodes: Nodes) -> TextSpans:
    """Write out the visible text, remembering where each text node begins and ends."""
    shown = np.flatnonzero((nodes.kind == Kind.TEXT) & nodes.visible)
    preformatted = nodes.layout.preserved if nodes.layout else nodes.inside(nodes.tag.is_in(PREFORMATTED))
    breaks = _separators(nodes, shown).tolist()
    texts, kept = nodes.text, preformatted[shown].tolist()
    pieces: list[str] = []
    starts, ends = [0] * len(shown), [0] * len(shown)
    length, pending = 0, NONE
    for rank, node in enumerate(shown.tolist()):
        raw = texts[node]
        words = raw if kept[rank] else collapse(raw)
        gap = max(pending, breaks[rank])
        if gap < BLANK and not kept[rank] and raw[:1] in ASCII_SPACE:
            gap = BLANK
        if not words:
            starts[rank] = ends[rank] = length
            pending = gap
            continue
        if length and not (gap == LINE and pieces[-1].endswith("\n")):
            pieces.append(SEPARATORS[gap])
            length += len(SEPARATORS[gap])
        pieces.append(words)
        starts[rank] = length
        ends[rank] = length = length + len(words)
        pending = BLANK if not kept[rank] and raw[-1] in ASCII_SPACE else NONE
    return _cover(nodes, shown, "".join(pieces), np.array([starts, ends], dtype=np.int32))


def collapse(raw: str) -> str:
    """Make one space of each run of white space, and none at the ends; a text of any length costs little memory."""
    raw = raw.strip(BLANKS)
    if "\n" in raw or "\t" in raw or "\r" in raw or "\f" in raw:
        for blank in "\t\n\r\f":
            raw = raw.replace(blank, " ")
    while "  " in raw:
        raw = raw.replace("  ", " ")
    return raw


def _separators(nodes: Nodes, shown: NDArray[np.intp]) -> NDArray[np.int64]:
    """Give for each visible text what stands between it and the one before: a line, a tab, or nothing."""
    element = nodes.kind == Kind.ELEMENT
    cell = element & nodes.display.is_in(CELLS)
    block = element & ~nodes.display.is_in(INLINE) & ~cell
    lines = _edges(nodes, (block & nodes.visible) | nodes.tag.is_in(LINE_BREAKS), shown)
    return np.where(lines, LINE, np.where(_edges(nodes, cell & nodes.visible, shown), TAB, NONE))


def _edges(nodes: Nodes, mask: NDArray[np.bool_], shown: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Say for each visible text whether a marked element begins or ends between it and the one before."""
    marked, most = np.flatnonzero(mask), len(nodes) + 1
    count = np.bincount(marked, minlength=most) + np.bincount(nodes.end[marked], minlength=most)
    passed = np.cumsum(count)[shown]
    return np.diff(passed, prepend=0) > 0


def _cover(nodes: Nodes, shown: NDArray[np.intp], text: str, spans: NDArray[np.int32]) -> TextSpans:
    """Stretch the spans of text nodes over all nodes: from the first text inside to the last."""
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
