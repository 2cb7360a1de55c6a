"""What a reader can see of a page that was laid out.

A node is hidden when it is not laid out, transparent and out of the flow, clipped away, or pushed off the page's top or
left edge; it is visible when it is not hidden and has a surface, or when something visible stands inside it. What is
transparent but keeps its place in the flow is a gap that a script fills when the reader gets there: it counts as shown.
So does what floats within each of several cards, alone of its kind: the caption for whoever points at one. A menu that
opens lies beside what opens it, and a slide is one of several on one place.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import BOTTOM, RIGHT, area, contains, has_box, height, width
from windrow.nodes.columns import Kind

if TYPE_CHECKING:
    from windrow.geometry import Boxes, Mask
    from windrow.nodes import Nodes
    from windrow.render.styles import Styles

SLIVER = 1.0
"""A clipping box that is no wider or higher than this hides what is inside: text for screen readers, closed folds."""
EMPTY_CLIPS = ("inset(50%)", "inset(100%)", "circle(0", "polygon(0px 0px, 0px 0px", "rect(0px, 0px, 0px, 0px)")
ROOTS = frozenset({"html", "body"})
CONTROLS = frozenset("button input select textarea label dialog form".split())
"""What says something on demand that is no part of a list."""
ROUNDING = 1.0
"""Pixels by which a box may be larger than the one that it fills."""


def find_visible(nodes: Nodes, box: Boxes, styles: Styles) -> Mask:
    """Return for every node whether a reader can see it."""
    element = nodes.kind == Kind.ELEMENT
    clips = ~styles.overflow.is_in({"visible", ""}) & has_box(box) & ((width(box) <= SLIVER) | (height(box) <= SLIVER))
    clipped = np.array([word.startswith(EMPTY_CLIPS) for word in styles.clip_path.words] + [False])[
        styles.clip_path.codes
    ]
    transparent = element & (styles.opacity == 0) & styles.position.is_in({"absolute", "fixed"})
    hidden = nodes.inside(element & ((clips & ~nodes.tag.is_in(ROOTS)) | clipped))
    hidden |= (box[:, RIGHT] <= 0) | (box[:, BOTTOM] <= 0)
    hidden |= ~styles.visibility.is_in({"visible"}) & has_box(box)
    hidden |= (nodes.kind == Kind.TEXT) & (styles.font_size == 0)
    shown = (area(box) > 0) & ~hidden & ((nodes.kind == Kind.TEXT) | element)
    transparent[_find_captions(nodes, box, styles, transparent)] = False
    return np.asarray(nodes.sum_inside(shown & ~nodes.inside(transparent)) > 0)


def _find_captions(nodes: Nodes, box: Boxes, styles: Styles, transparent: Mask) -> list[int]:
    """Return what lies within the element that it is placed in, alone, on each of several like cards."""
    placed = styles.position.is_in({"relative", "absolute", "fixed", "sticky"})
    cards = nodes.nearest(placed & (area(box) > 0) & ~nodes.tag.is_in(ROOTS) & ~transparent)
    within = np.flatnonzero(transparent & styles.position.is_in({"absolute"}) & (cards >= 0))
    within = within[contains(box[cards[within]], box[within], ROUNDING)]
    floats = np.bincount(nodes.parent[transparent], minlength=len(nodes))
    pressed = nodes.inside(nodes.tag.is_in(CONTROLS)) | (nodes.sum_inside(nodes.tag.is_in(CONTROLS)) > 0)
    elements = nodes.sum_inside(nodes.kind == Kind.ELEMENT)
    # Beside the caption a card shows something in an element of its own.
    fitting = (floats[nodes.parent[within]] == 1) & ~pressed[within] & (elements[cards[within]] > elements[within] + 1)
    kinds = {node: _kind_of(nodes, int(cards[node]), node) for node in within[fitting].tolist()}
    several = Counter(kind for kind, _ in {(kind, int(cards[node])) for node, kind in kinds.items()})
    return [node for node, kind in kinds.items() if several[kind] > 1]


def _kind_of(nodes: Nodes, card: int, caption: int) -> tuple[object, ...]:
    """Return what the captions of like cards in one place share."""
    named = [(nodes.tag[node], nodes.attributes[node].get("class")) for node in (card, caption)]
    return int(nodes.parent[card]), *named
