"""What stands in the largest letters on the first screen, where a browser laid the page out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind

if TYPE_CHECKING:
    from windrow.title.markup import Markup

MOST = 3
LONGEST = 200
SHORTEST = 3


def read_large(markup: Markup) -> list[str]:
    """Give the texts of the largest letters above the fold, the largest first; none without a layout."""
    layout = markup.nodes.layout
    if layout is None:
        return []
    with np.errstate(invalid="ignore"):
        shown = (markup.nodes.kind == Kind.TEXT) & layout.visible & (layout.box[:, 1] < layout.viewport[1])
    nodes = np.flatnonzero(shown)
    order = nodes[np.argsort(-layout.font_size[nodes], kind="stable")]
    found: dict[str, None] = {}
    size = 0.0
    for node in order[: 8 * MOST].tolist():
        # A line in large letters may be several text nodes: their element says all of it.
        text = markup.text(markup.parent[node])
        if SHORTEST <= len(text) <= LONGEST:
            if found and layout.font_size[node] < size:
                break
            size = float(layout.font_size[node])
            found[text] = None
    return list(found)[:MOST]
