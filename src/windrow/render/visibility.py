"""What a reader can see of a page that was laid out.

A node is hidden when it is not laid out, transparent and out of the flow, clipped away, or pushed off the page's top or
left edge; it is visible when it is not hidden and has a surface, or when something visible stands inside it. What is
transparent but keeps its place in the flow is a gap that a script fills when the reader gets there: it counts as shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import BOTTOM, RIGHT, area, has_box, height, width
from windrow.nodes.columns import Kind

if TYPE_CHECKING:
    from windrow.geometry import Boxes, Mask
    from windrow.nodes import Nodes
    from windrow.render.styles import Styles

SLIVER = 1.0
"""A clipping box that is no wider or higher than this hides what is inside: text for screen readers, closed folds."""
EMPTY_CLIPS = ("inset(50%)", "inset(100%)", "circle(0", "polygon(0px 0px, 0px 0px", "rect(0px, 0px, 0px, 0px)")


def find_visible(nodes: Nodes, box: Boxes, styles: Styles) -> Mask:
    """Return for every node whether a reader can see it."""
    element = nodes.kind == Kind.ELEMENT
    clips = ~styles.overflow.is_in({"visible", ""}) & has_box(box) & ((width(box) <= SLIVER) | (height(box) <= SLIVER))
    clipped = np.array([word.startswith(EMPTY_CLIPS) for word in styles.clip_path.words] + [False])[
        styles.clip_path.codes
    ]
    root = nodes.tag.is_in({"html", "body"})
    floating = styles.position.is_in({"absolute", "fixed"})
    hidden = nodes.inside(element & (((styles.opacity == 0) & floating) | (clips & ~root) | clipped))
    hidden |= (box[:, RIGHT] <= 0) | (box[:, BOTTOM] <= 0)
    hidden |= ~styles.visibility.is_in({"visible"}) & has_box(box)
    hidden |= (nodes.kind == Kind.TEXT) & (styles.font_size == 0)
    seen = (area(box) > 0) & ~hidden & ((nodes.kind == Kind.TEXT) | element)
    return np.asarray(nodes.sum_inside(seen) > 0)
