"""Pages whose boxes stand in their markup, so that reasoning on boxes is tested without a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import windrow
from windrow.geometry import hull
from windrow.nodes import Kind, Layout, Lines, Nodes, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAVY = {"b", "th", "strong", "h1", "h2", "h3"}


def place(html: str) -> Nodes:
    """Lay a page out by ``data-box="left top width height"``; other elements reach around what they hold."""
    nodes = windrow.parse(html).nodes
    boxes = np.full((len(nodes), 4), np.nan, dtype=np.float32)
    for node, text in nodes.attributes.having("data-box").items():
        left, top, width, height = map(float, text.split())
        boxes[node] = left, top, left + width, top + height
    for node in range(len(nodes)):  # a text stands where its element does
        if nodes.kind[node] == Kind.TEXT:
            boxes[node] = boxes[nodes.parent[node]]
    for node in reversed(range(len(nodes))):
        inner = boxes[node + 1 : int(nodes.end[node])]
        if np.isnan(boxes[node, 0]) and nodes.kind[node] == Kind.ELEMENT and not np.isnan(inner).all():
            boxes[node] = hull(inner)
    displays = [nodes.display[node] or "inline" for node in range(len(nodes))]
    for node, display in nodes.attributes.having("data-display").items():
        displays[node] = display
    heavy = nodes.inside(nodes.tag.is_in(HEAVY))
    layout = _layout(boxes, displays, np.where(heavy, 700, 400).astype(np.int16))
    return Nodes(nodes.kind, nodes.parent, nodes.tag, nodes.attributes, nodes.text_source, layout)


def _layout(boxes: np.ndarray, displays: Sequence[str], weight: np.ndarray) -> Layout:
    count, words = len(boxes), sorted(set(displays))
    none = np.zeros(0, dtype=np.int32)
    return Layout(
        box=boxes,
        font_size=np.full(count, 16, dtype=np.float32),
        font_weight=weight,
        color=np.zeros((count, 4), dtype=np.uint8),
        background=np.zeros((count, 4), dtype=np.uint8),
        display=Words(np.array([words.index(each) for each in displays], dtype=np.int32), words),
        position=Words(np.zeros(count, dtype=np.int32), ["static"]),
        preserved=np.zeros(count, dtype=np.bool_),
        visible=~np.isnan(boxes[:, 0]),
        lines=Lines(none, none, none, np.zeros((0, 4), dtype=np.float32)),
        sources={},
        viewport=(1280, 800),
    )


def cells(rows: Sequence[Sequence[str]], width: int = 90, height: int = 20, gap: int = 2, left: int = 0) -> str:
    """Write texts as boxes on a lattice."""
    return "".join(
        f'<div data-box="{left + x * (width + gap)} {y * (height + gap)} {width} {height}">{text}</div>'
        for y, row in enumerate(rows)
        for x, text in enumerate(row)
    )
