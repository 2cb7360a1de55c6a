"""EMINE: the data region from rendered rectangles.

"eMine", three procedures on bounding rectangles: the largest child of the body (getMaxRect, section 3.2), the last of
its descendants that covers more than half of it (getContainer, 3.3), and of that one's children those that are not
lower than their average (Filter, 3.4). Numbers only, one pass, any tag.

Departures. The paper's prose and its code disagree on the container; this follows the code, so the deepest large
rectangle holds. Where no descendant is that large, the maximum rectangle is the container. Boxes that are invisible
or fixed are skipped, as is everything without a box. A container without rendered children is itself the one record.
Columns of the records are read as for our best; the paper has none. Nor has it a confidence: here it is the share of
pages on which the region was right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import area, has_box, height
from windrow.nodes import Kind
from windrow.region.builder import Builder
from windrow.region.measures import PageMeasures
from windrow.weights import load_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.geometry import Mask
    from windrow.nodes import Layout, Nodes
    from windrow.region.links import Addresses
    from windrow.region.result import Region


@dataclass(frozen=True)
class Parameters:
    """The one number of the paper."""

    container: float = 0.5
    """Share of the maximum rectangle that a container must exceed (section 3.3)."""


def find_emine_regions(nodes: Nodes, addresses: Addresses, most: int) -> list[Region]:
    """Find the page's one data region; none without boxes."""
    records = find_emine_records(nodes)
    confidence = load_weights("region").calibrations["emine"].confidence({})
    builder = Builder(PageMeasures(nodes), addresses, most, "emine")
    return [builder.build(records, confidence)] if records else []


def find_emine_records(nodes: Nodes, parameters: Parameters | None = None) -> list[tuple[int, ...]]:
    """Return the records of the page's one data region; none without boxes."""
    layout = nodes.layout
    if layout is None:
        return []
    rendered = find_rectangles(nodes, layout)
    largest = get_max_rect(nodes, layout, rendered)
    if largest is None:
        return []
    container = get_container(nodes, layout, rendered, largest, (parameters or Parameters()).container)
    return [(node,) for node in filter_low(nodes, layout, rendered, container).tolist()]


def find_rectangles(nodes: Nodes, layout: Layout) -> Mask:
    """Mark the elements that have a bounding rectangle with a surface (steps 1 and 2)."""
    fixed = nodes.inside(layout.position.is_in({"fixed"}))
    surface = has_box(layout.box) & (area(layout.box) > 0)
    return np.asarray((nodes.kind == Kind.ELEMENT) & nodes.visible & surface & ~fixed)


def get_max_rect(nodes: Nodes, layout: Layout, rendered: Mask) -> int | None:
    """Step 3, getMaxRect: the child of the body with the largest area; the first of equals."""
    bodies = nodes.tag.where("body")
    if not len(bodies):
        return None
    children = nodes.children(int(bodies[0]))
    children = children[rendered[children]]
    return int(children[np.argmax(area(layout.box[children]))]) if len(children) else None


def get_container(nodes: Nodes, layout: Layout, rendered: Mask, largest: int, share: float) -> int:
    """Step 4, getContainer: the last descendant, depth first, with an area over the share of the maximum's."""
    below = np.arange(largest + 1, int(nodes.end[largest]))
    areas = area(layout.box)
    large = below[rendered[below] & (areas[below] > share * areas[largest])]
    return int(large[-1]) if len(large) else largest


def filter_low(nodes: Nodes, layout: Layout, rendered: Mask, container: int) -> NDArray[np.int32]:
    """Step 5, Filter: drop the children that are lower than their average; a container without any is the record."""
    children = nodes.children(container)
    children = children[rendered[children]]
    if not len(children):
        return np.array([container], dtype=np.int32)
    heights = height(layout.box[children])
    return np.asarray(children[heights >= heights.mean()])
