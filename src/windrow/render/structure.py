"""HTML to ``Nodes`` without a browser.

The parser is turbohtml: it builds the tree of the HTML standard (every tree-construction test), does not recurse, and
lets its tree be walked in C, so that ``kind``, ``parent`` and ``tag`` cost less than the parse itself. selectolax is
older and as fast, but fails one tree in twenty; lxml is not HTML5 and drops what lies below 256 levels.

Scripting counts as enabled, so ``noscript`` holds text and the tree is the one that a browser builds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any

import numpy as np
import turbohtml
from numpy.typing import NDArray

from windrow.errors import LimitError
from windrow.nodes import Kind, Nodes, Words

KINDS = {
    turbohtml.Document: Kind.DOCUMENT,
    turbohtml.Element: Kind.ELEMENT,
    turbohtml.Text: Kind.TEXT,
    turbohtml.CData: Kind.TEXT,
    turbohtml.Comment: Kind.COMMENT,
    turbohtml.Doctype: Kind.DOCTYPE,
    turbohtml.ProcessingInstruction: Kind.INSTRUCTION,
    turbohtml.DocumentFragment: Kind.FRAGMENT,
}
PREFIX = {turbohtml.Namespace.SVG: "svg:", turbohtml.Namespace.MATHML: "math:"}
NOTHING: Mapping[str, str] = MappingProxyType({})

parent_of = attrgetter("parent")
tag_of = attrgetter("tag")
namespace_of = attrgetter("namespace")


def html_to_nodes(html: str, *, scripting: bool = True, most: int | None = None) -> Nodes:
    """Parse a document; more than ``most`` nodes raise ``LimitError``."""
    return tree_to_nodes(_parse(html, scripting=scripting), most)


def tree_to_nodes(root: Any, most: int | None = None) -> Nodes:  # noqa: ANN401 - a Document or a fragment's Element
    """Read the columns out of a parsed tree; text and attributes stay in it until they are asked for."""
    order: list[Any] = [root, *root.descendants]
    count = len(order)
    if most is not None and count > most:
        raise LimitError(f"The page has {count:,} nodes, more than the {most:,} that are read. Raise Limits.nodes to read it.")
    number = dict(zip(order, range(count), strict=True))
    parent = np.fromiter(map(number.get, map(parent_of, order), (-1,) * count), np.int32, count)
    parent[0] = -1
    kind = np.fromiter(map(KINDS.__getitem__, map(type, order)), np.uint8, count)
    kind[0] = Kind.DOCUMENT
    return Nodes(
        kind=kind,
        parent=parent,
        tag=_read_tags(order, kind),
        attributes=TreeAttributes(order, kind),
        text_source=lambda: _read_text(order, kind),
    )


def source_offsets(html: str, nodes: Nodes) -> NDArray[np.int32] | None:
    """Give the character of the source where each element's tag begins; -1 for text and for what the parser made up.

    None where the page is not what the source alone builds, because a script or the browser changed the tree.
    """
    order: list[Any] = [root := _parse(html, scripting=True, locations=True), *root.descendants]
    kind = np.fromiter(map(KINDS.__getitem__, map(type, order)), np.uint8, len(order))
    same_tree = len(order) == len(nodes) and np.array_equal(kind, nodes.kind)
    if not same_tree or _read_tags(order, kind).to_list() != nodes.tag.to_list():
        return None
    return np.fromiter(map(_offset, order), np.int32, len(order))


def _parse(html: str, *, scripting: bool, locations: bool = False) -> turbohtml.Document:
    return turbohtml.parse(
        html,
        scripting=scripting,
        positions=locations,
        source_locations=locations,
        allow_declarative_shadow_roots=False,
    )


def _offset(node: Any) -> int:  # noqa: ANN401 - any node of the parser's
    location = node.source_location
    if location is not None and location.start_tag is not None:
        return int(location.start_tag.start_offset)
    return -1


def _read_tags(order: list[Any], kind: NDArray[np.uint8]) -> Words:
    elements = np.flatnonzero(kind == Kind.ELEMENT)
    found = [order[node] for node in elements.tolist()]
    names = list(map(tag_of, found))
    for place, namespace in enumerate(map(namespace_of, found)):
        if namespace in PREFIX:
            names[place] = PREFIX[namespace] + names[place]
    words = Words.of(names)
    codes = np.full(len(order), -1, dtype=np.int32)
    codes[elements] = words.codes
    return Words(codes, words.words)


def _read_text(order: list[Any], kind: NDArray[np.uint8]) -> Sequence[str]:
    text = [""] * len(order)
    for node in np.flatnonzero((kind == Kind.TEXT) | (kind == Kind.COMMENT)).tolist():
        text[node] = order[node].data
    for node in np.flatnonzero(kind == Kind.DOCTYPE).tolist():
        text[node] = doctype_text(order[node].name, order[node].public_id, order[node].system_id)
    for node in np.flatnonzero(kind == Kind.INSTRUCTION).tolist():
        text[node] = f"{order[node].target} {order[node].data}"
    return text


def doctype_text(name: str, public: str | None, system: str | None) -> str:
    """Write a doctype's parts as its source would have them."""
    return name if not (public or system) else f'{name} "{public or ""}" "{system or ""}"'


class TreeAttributes:
    """Attributes read out of the parser's tree, node by node, when they are asked for."""

    def __init__(self, order: list[Any], kind: NDArray[np.uint8]) -> None:
        """Take the tree's nodes in document order."""
        self._order = order
        self._kind = kind

    def __getitem__(self, node: int) -> Mapping[str, str]:
        """Give one node's attributes."""
        if self._kind[node] != Kind.ELEMENT:
            return NOTHING
        element = self._order[node]
        return {name: element.attr(name) or "" for name in element.attrs}

    def column(self, name: str) -> list[str | None]:
        """Give the value of one attribute for every node."""
        column: list[str | None] = [None] * len(self._order)
        for node in np.flatnonzero(self._kind == Kind.ELEMENT).tolist():
            column[node] = self._order[node].attr(name)
        return column
