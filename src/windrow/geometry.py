"""Box algebra on (n, 4) arrays: left, top, right, bottom, in CSS pixels from the page's top left corner.

A node without a box has NaN in all four places; every comparison with it is False, every measure of it NaN or 0.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Boxes: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.bool_]

LEFT, TOP, RIGHT, BOTTOM = range(4)


def no_boxes(count: int) -> Boxes:
    """Return ``count`` boxes for nodes without one."""
    return np.full((count, 4), np.nan, dtype=np.float32)


def has_box(boxes: Boxes) -> Mask:
    """Whether each node has a box, even an empty one."""
    return ~np.isnan(boxes[..., LEFT])


def width(boxes: Boxes) -> Numbers:
    """Return the widths."""
    return boxes[..., RIGHT] - boxes[..., LEFT]


def height(boxes: Boxes) -> Numbers:
    """Return the heights."""
    return boxes[..., BOTTOM] - boxes[..., TOP]


def area(boxes: Boxes) -> Numbers:
    """Return the areas; 0 where there is no box."""
    return np.asarray(np.nan_to_num(width(boxes) * height(boxes)), dtype=np.float32)


def intersection(a: Boxes, b: Boxes) -> Boxes:
    """Return the intersection of each box of ``a`` with that of ``b``; NaN where it has no area."""
    starts = np.maximum(a[..., :RIGHT], b[..., :RIGHT])
    cut = np.concatenate([starts, np.minimum(a[..., RIGHT:], b[..., RIGHT:])], axis=-1)
    empty = ~((cut[..., RIGHT] > cut[..., LEFT]) & (cut[..., BOTTOM] > cut[..., TOP]))
    return np.where(empty[..., None], np.float32(np.nan), cut)


def contains(outer: Boxes, inner: Boxes, tolerance: float = 0.0) -> Mask:
    """Whether ``inner`` lies within ``outer``, edges included, give or take ``tolerance`` pixels."""
    starts = (outer[..., :RIGHT] - tolerance <= inner[..., :RIGHT]).all(axis=-1)
    ends = (inner[..., RIGHT:] <= outer[..., RIGHT:] + tolerance).all(axis=-1)
    return np.asarray(starts & ends)


def hull(boxes: Boxes) -> Boxes:
    """Return the bounding box of all, as one row of four; NaN where there is none."""
    known = boxes[has_box(boxes)]
    if not len(known):
        return np.asarray(no_boxes(1)[0])
    corners = [known[:, :RIGHT].min(axis=0), known[:, RIGHT:].max(axis=0)]
    return np.asarray(np.concatenate(corners), dtype=np.float32)


def translate(boxes: Boxes, x: float, y: float) -> Boxes:
    """Return all boxes moved by the same distance."""
    return (boxes + np.array([x, y, x, y], dtype=np.float32)).astype(np.float32)
