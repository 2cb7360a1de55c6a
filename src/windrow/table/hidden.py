"""Tables that stand on the page but are not shown until a tab, a fold or a dialog is opened.

Such a table is read as it will look when it is opened: only what hides the whole of it is overlooked, what its own
markup hides stays out.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import has_box
from windrow.nodes import Kind
from windrow.nodes.defaults import UNSEEN, find_hidden_by_style
from windrow.nodes.inline import INLINE_TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.geometry import Mask
    from windrow.nodes import Nodes

NEVER_READ = frozenset({"head", "template", "script", "noscript"})


class Shown:
    """What takes a place and which text it shows, closed tables included."""

    def __init__(self, nodes: Nodes) -> None:
        """Remember the page."""
        self.nodes = nodes

    @cached_property
    def closed(self) -> Mask:
        """Nodes of tables that are hidden as a whole."""
        nodes = self.nodes
        closed = nodes.tag.is_in({"table"}) & ~nodes.visible
        if closed.any():
            closed = nodes.inside(closed & ~nodes.inside(nodes.tag.is_in(set(NEVER_READ))))
        return np.asarray(closed)

    @cached_property
    def laid_out(self) -> Mask:
        """Nodes that take a place on the page, or will when the table that they stand in is opened."""
        nodes = self.nodes
        open_parts = nodes.visible if nodes.layout is None else has_box(nodes.layout.box)
        if not self.closed.any():
            return open_parts
        return np.where(self.closed, ~nodes.inside(self._hidden_by_itself & self.closed), open_parts)

    @cached_property
    def _hidden_by_itself(self) -> Mask:
        nodes = self.nodes
        hidden = nodes.tag.is_in(set(UNSEEN)) | (nodes.kind == Kind.COMMENT)
        within = [*nodes.attributes.having("hidden"), *find_hidden_by_style(nodes)]
        hidden[[node for node in within if nodes.tag[node] != "table"]] = True
        return np.asarray(hidden)

    def texts(self, elements: Sequence[int]) -> list[str]:
        """Return the text of each of some elements, each on one line."""
        if not len(elements):
            return []
        at, spans = np.asarray(elements), self.nodes.spans
        if self.closed[at].any():
            return [" ".join(self._open_text(node).split()) for node in elements]
        text, sides = spans.text, zip(spans.start[at].tolist(), spans.end[at].tolist(), strict=True)
        return [" ".join(text[start:end].split()) for start, end in sides]

    def text(self, node: int) -> str:
        """Return the text of an element on one line."""
        return self.texts([node])[0]

    def _open_text(self, node: int) -> str:
        return self._closed_text(node) if self.closed[node] else self.nodes.visible_text(node)

    def _closed_text(self, node: int) -> str:
        nodes, pieces = self.nodes, []
        inline = self._inline
        for inner in range(node + 1, int(nodes.end[node])):
            if nodes.kind[inner] == Kind.TEXT:
                pieces.append(nodes.text[inner] if self.laid_out[inner] else "")
            elif not inline[inner]:
                pieces.append(" ")
        return "".join(pieces)

    @cached_property
    def _inline(self) -> Mask:
        return self.nodes.tag.is_in(INLINE_TAGS | {""})
