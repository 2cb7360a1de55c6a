"""Where a value stands in the parser's tree: the element that it fills, its row, and the rows beside that one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from detail_pages import comparable
from turbohtml import Document, Element, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from turbohtml import Node

HIDDEN = frozenset("script style noscript template head title option textarea".split())
INLINE = frozenset("a abbr acronym b big cite code em font i label small span strong sub sup tt u".split())
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
FLOW = frozenset("body div td section article main center form".split())
LONGEST_ROW = 300
"""Characters; what is longer holds a part of the page, not one of its fields."""


@dataclass(frozen=True)
class Rows:
    """The row of a value among its neighbours, each a run of siblings."""

    groups: list[list[Node]]
    own: int

    @property
    def row(self) -> list[Node]:
        """The value's own row."""
        return self.groups[self.own]


def texts_of(nodes: Iterable[Node]) -> list[Text]:
    """Return the text nodes among some nodes and what is below them that show something."""
    below = (text for node in nodes for text in (node, *node.descendants))
    return [text for text in below if isinstance(text, Text) and text.data.strip()]


def visible_texts(root: Document) -> Iterator[tuple[int, Text]]:
    """Return the text nodes that a reader sees, with their numbers in document order."""
    for number, node in enumerate(root.descendants):
        if isinstance(node, Text) and node.data.strip() and not is_a(node.parent, HIDDEN):
            yield number, node


def joined(nodes: Iterable[Node]) -> str:
    """Return the text of some nodes as it is compared."""
    return comparable("".join(node.text for node in nodes))


def filled_by(text: Text) -> Node:
    """Return the outermost node below the body that shows this text and nothing else."""
    node: Node = text
    while isinstance(node.parent, Element) and node.parent.tag != "body" and is_alone(node):
        node = node.parent
    return node


def inline_around(text: Text) -> Node:
    """Return the outermost inline element that shows this text and nothing else; the text itself without one."""
    node: Node = text
    while is_a(node.parent, INLINE) and is_alone(node):
        node = node.parent or node
    return node


def is_alone(node: Node) -> bool:
    """Whether no sibling of a node shows any text."""
    return not any(other.text.strip() for other in (*node.previous_siblings, *node.next_siblings))


def rows_around(text: Text) -> Rows | None:
    """Return the row of a value: a table's, a description's, an item, a line between breaks, or a block."""
    node = filled_by(text)
    while isinstance(node.parent, Element) and node.parent.tag in INLINE:
        node = node.parent
    if isinstance(node.parent, Element) and any(is_a(child, {"br"}) for child in node.parent.children):
        return find_rows(split_at(node.parent.children, {"br"}), node)
    if not isinstance(node, Element) or node.tag in INLINE:
        node = node.parent or node
    if is_a(node, {"td", "th"}) or is_second(node):
        node = node.parent or node
    if not isinstance(node, Element) or not isinstance(node.parent, Element) or node.tag == "body":
        return None
    if node.tag == "dd":
        return find_rows(split_at(node.parent.children, {"dt"}), node)
    return find_rows([[other] for other in node.parent.children if is_a(other, {node.tag})], node)


def find_rows(groups: list[list[Node]], node: Node) -> Rows | None:
    """Return the rows, if the one that holds a node is as short as one field is."""
    own = next((number for number, group in enumerate(groups) if any(node is other for other in group)), None)
    if own is None or len(joined(groups[own])) > LONGEST_ROW:
        return None
    return Rows(groups, own)


def split_at(nodes: Sequence[Node], tags: set[str]) -> list[list[Node]]:
    """Split siblings: a break belongs to no group, the term of a description begins one."""
    groups: list[list[Node]] = [[]]
    for node in nodes:
        if is_a(node, tags):
            groups.append([])
        if not is_a(node, {"br"}):
            groups[-1].append(node)
    return [group for group in groups if joined(group)]


def is_a(node: Node | None, tags: Iterable[str]) -> bool:
    """Whether a node is an element of one of some tags."""
    return isinstance(node, Element) and node.tag in tags


def is_second(node: Node | None) -> bool:
    """Whether a block is the latter of two in its parent, as a value beside its label is."""
    if not isinstance(node, Element) or not isinstance(node.parent, Element) or node.parent.tag == "body":
        return False
    solid = [other for other in node.parent.children if comparable(other.text)]
    return len(solid) == 2 and solid[1] is node and not is_a(solid[0], INLINE)  # noqa: PLR2004 - as it says


def reorder(groups: Sequence[Sequence[Node]], order: Sequence[int]) -> None:
    """Put runs of siblings at each other's places."""
    markers = []
    for group in groups:
        markers.append(Text(""))
        group[0].insert_before(markers[-1])
    for group in groups:
        for node in group:
            node.extract()
    for marker, number in zip(markers, order, strict=True):
        marker.insert_before(*groups[number])
        marker.decompose()


def region_of(texts: Sequence[Text]) -> Element | None:
    """Return the smallest element around all of some texts in which any block may stand."""
    paths = [[node for node in text.ancestors if isinstance(node, Element)] for text in texts]
    shared = [node for node in paths[0] if all(node in path for path in paths)] if paths else []
    return next((node for node in shared if node.tag in FLOW), None)
