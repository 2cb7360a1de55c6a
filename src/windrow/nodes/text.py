"""The visible text of a page in one string, and the part of it that each node covers.

White space is collapsed as a browser does it, blocks stand on lines of their own, cells of a row are a tab apart,
preformatted text keeps its shape. Where two visible text nodes follow each other, what separates them is decided by
what begins or ends between them, so one cumulative count over the page answers for all pairs at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.nodes.columns import Kind

if TYPE_CHECKING:
    from windrow.nodes.tree import Nodes

INLINE = frozenset({"", "inline", "inline-block", "inline-flex", "inline-grid", "inline-table", "contents", "none"})
INLINE |= {"ruby", "ruby-base", "ruby-text"}
CELLS = frozenset({"table-cell"})
PREFORMATTED = frozenset({"pre", "textarea", "listing", "plaintext", "xmp"})
SPACE = re.compile(r"[ \t\n\r\f]+")


@dataclass(frozen=True, eq=False)
class TextSpans:
    """One string for the page; node ``i`` covers ``text[start[i]:end[i]]``."""

    text: str
    start: NDArray[np.int32]
    end: NDArray[np.int32]

    def of(self, node: int) -> str:
        """Give the visible text of one node."""
        return self.text[self.start[node] : self.end[node]].strip(" \n\t")


def read_text(nodes: Nodes) -> TextSpans:
    """Write out the visible text, remembering where each text node begins and ends."""
    shown = np.flatnonzero((nodes.kind == Kind.TEXT) & nodes.visible)
    breaks, tabs = _separators(nodes, shown)
    preformatted = nodes.layout.preserved if nodes.layout else nodes.inside(nodes.tag.is_in(PREFORMATTED))
    pieces: list[str] = []
    starts, ends = np.zeros(len(shown), dtype=np.int32), np.zeros(len(shown), dtype=np.int32)
    length, gap, pending = 0, "", ""
    for rank, node in enumerate(shown.tolist()):
        pending = _wider(pending, "\n" if breaks[rank] else "\t" if tabs[rank] else "")
        raw = nodes.text[node]
        if preformatted[node]:
            words, before, after = raw.strip("\n"), False, False
        else:
            words = SPACE.sub(" ", raw)
            before, after, words = words[:1] == " ", words[-1:] == " ", words.strip(" ")
        if words:
            gap = _wider(pending, " " if before else "") if length else ""
            pieces.append(gap + words)
            starts[rank] = length + len(gap)
            length += len(gap) + len(words)
            ends[rank] = length
            pending = " " if after else ""
        else:
            starts[rank] = ends[rank] = length
            pending = _wider(pending, " " if raw else "")
    return _cover(nodes, shown, "".join(pieces), starts, ends)


def _wider(one: str, other: str) -> str:
    """Of two separators take the stronger: line, tab, space, none."""
    return max(one, other, key=("", " ", "\t", "\n").index)


def _separators(nodes: Nodes, shown: NDArray[np.intp]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Say for each visible text whether a block, or only a cell, begins or ends between it and the one before."""
    cell = nodes.display.is_in(CELLS)
    block = (nodes.kind == Kind.ELEMENT) & ~nodes.display.is_in(INLINE) & ~cell
    line_break = nodes.tag.is_in({"br", "hr"})
    return (
        _edges(nodes, block & nodes.visible, shown) | _edges(nodes, line_break, shown),
        _edges(nodes, cell & nodes.visible, shown),
    )


def _edges(nodes: Nodes, mask: NDArray[np.bool_], shown: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Say for each visible text whether a marked element begins or ends between it and the one before."""
    marked = np.flatnonzero(mask)
    count = np.zeros(len(nodes) + 1, dtype=np.int64)
    np.add.at(count, marked, 1)
    np.add.at(count, nodes.end[marked], 1)
    passed = np.cumsum(count)[shown]
    return np.diff(passed, prepend=0) > 0


def _cover(
    nodes: Nodes, shown: NDArray[np.intp], text: str, starts: NDArray[np.int32], ends: NDArray[np.int32]
) -> TextSpans:
    """Stretch the spans of text nodes over all nodes: from the first text inside to the last."""
    count = len(nodes)
    first = np.searchsorted(shown, np.arange(count))
    last = np.searchsorted(shown, nodes.end) - 1
    holds = first <= last
    start, end = np.zeros(count, dtype=np.int32), np.zeros(count, dtype=np.int32)
    start[holds], end[holds] = starts[first[holds]], ends[last[holds]]
    end = np.maximum(start, end)
    return TextSpans(text, start, end)
