"""The bar-tree of a page around what a wrapper reads of it, with the names of the elements that its bars stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.wrapper.page_features import features_of
from windrow.wrapper.reference import choose_places, region_of
from windrow.wrapper.template.bartree import find_layout_tags, find_way, grow_bartree
from windrow.wrapper.template.drawing import Legend, draw_svg
from windrow.wrapper.text_search import TextIndex

if TYPE_CHECKING:
    from windrow.nodes import Nodes
    from windrow.page import Page
    from windrow.wrapper.template.bartree import BarTree
    from windrow.wrapper.wrapper import Wrapper

MOST_CLASSES = 3
LONGEST = 60


@dataclass(frozen=True)
class Portrait:
    """A bar-tree, and what its bars stand for."""

    tree: BarTree
    elements: tuple[str, ...] = ()
    """By depth; none where the page is not at hand."""

    def to_svg(self, name: str, other: Portrait | None = None) -> str:
        """Draw it under a name; depths at which another one differs are marked."""
        against = None if other is None else other.tree
        return draw_svg([self.tree], Legend(name, elements=[self.elements], against=against))


def portray_learned(wrapper: Wrapper, page: Page | None = None) -> Portrait:
    """Return the tree that was learned, with the elements of the learned page where that is at hand."""
    found = None if page is None else portray(wrapper, page)
    tree = wrapper.reference.tree
    return Portrait(tree, found.elements if found is not None and found.tree == tree else ())


def portray(wrapper: Wrapper, page: Page) -> Portrait | None:
    """Return the tree of a page around the learned texts, or around what is read; None where neither is there."""
    features, learned = features_of(page.nodes), wrapper.reference
    places = choose_places(TextIndex(features, page.resolve), learned.texts, held=learned.is_held)
    if places:
        first, last = region_of(features, list(places.values()))
    elif read := wrapper.read(page).nodes:
        first, last = min(read), max(read)
    else:
        return None
    tree = grow_bartree(page.nodes, first, last, learned.tree.ratio)
    way = find_way(page.nodes, find_layout_tags(page.nodes), first, last)
    return Portrait(tree, tuple(name_element(page.nodes, node) for node in way))


def name_element(nodes: Nodes, node: int) -> str:
    """Return an element as style sheets name it: its tag, its id and its first classes."""
    attributes = nodes.attributes[node]
    name = attributes.get("id", "").strip()
    classes = attributes.get("class", "").split()[:MOST_CLASSES]
    return "".join([nodes.tag[node], f"#{name}" if name else "", *(f".{each}" for each in classes)])[:LONGEST]
