"""HTML to ``Nodes`` without a browser.

The parser is turbohtml: it builds the tree of the HTML standard (every tree-construction test), does not recurse, and
lets its tree be walked in C, so that ``kind``, ``parent`` and ``tag`` cost less than the parse itself. selectolax is
older and as fast, but fails one tree in twenty; lxml is not HTML5 and drops what lies below 256 levels.

Scripting counts as enabled, so ``noscript`` holds text and the tree is the one that a browser builds.
"""

from __future__ import annotations

from functools import cached_property
from itertools import compress, islice
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import turbohtml

from windrow.errors import LimitError
from windrow.nodes import Kind, Nodes, Words
from windrow.render.collector import collector_paused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

KINDS: dict[type, int] = {
    turbohtml.Document: Kind.DOCUMENT.value,
    turbohtml.Element: Kind.ELEMENT.value,
    turbohtml.Text: Kind.TEXT.value,
    turbohtml.CData: Kind.TEXT.value,
    turbohtml.Comment: Kind.COMMENT.value,
    turbohtml.Doctype: Kind.DOCTYPE.value,
    turbohtml.ProcessingInstruction: Kind.INSTRUCTION.value,
    turbohtml.DocumentFragment: Kind.FRAGMENT.value,
}
PREFIX = {turbohtml.Namespace.SVG: "svg:", turbohtml.Namespace.MATHML: "math:"}
MOST_OPENINGS = 2_000
"""A few are common, where pages include others."""
FRAGMENT = Kind.FRAGMENT.value
NOTHING: Mapping[str, str] = MappingProxyType({})

tag_of = attrgetter("tag")
namespace_of = attrgetter("namespace")
data_of = attrgetter("data")


def html_to_nodes(html: str, *, scripting: bool = True, most: int | None = None) -> Nodes:
    """Parse a document; of one with more nodes, the first ``most``."""
    with collector_paused():
        return tree_to_nodes(_parse(html, scripting=scripting), most)


def tree_to_nodes(root: Any, most: int | None = None) -> Nodes:  # noqa: ANN401 - a Document or a fragment's Element
    """Read the columns out of a parsed tree; text and attributes stay in it until they are asked for."""
    order: list[Any] = [root, *islice(root.descendants, most and most - 1)]
    count = len(order)
    kind = np.fromiter(map(KINDS.__getitem__, map(type, order)), np.uint8, count)
    kind[0] = Kind.DOCUMENT
    return Nodes(
        kind=kind,
        parent=_read_parents(order),
        tag=_read_tags(order, kind),
        attributes=TreeAttributes(order, kind),
        text_source=lambda: _read_text(order, kind),
    )


def check_openings(data: bytes) -> None:
    """Refuse pages that were strung together by the thousand: the parser joins the attributes of all their bodies.

    The search costs as much as the parse, so it is for what comes from outside, not for text that a program hands over.
    """
    lower = data.lower()
    if (count := lower.count(b"<body") + lower.count(b"<html")) > MOST_OPENINGS:
        raise LimitError(f"The page begins {count:,} times; it is many pages in one. Take them apart and read each.")


def source_offsets(html: str, nodes: Nodes) -> NDArray[np.int32] | None:
    """Give the character of the source where each element's tag begins; -1 for text and for what the parser made up.

    None where the page is not what the source alone builds, because a script or the browser changed the tree.
    """
    root = _parse(html, scripting=True, locations=True)
    order: list[Any] = [root, *root.descendants]
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


def _read_parents(order: list[Any]) -> NDArray[np.int32]:
    """Give each node the place last left open for a child, by the number of children of the nodes before it."""
    parent, places = [], [-1]
    for node, children in enumerate(map(len, order)):
        parent.append(places.pop())
        if children == 1:
            places.append(node)
        elif children:
            places.extend([node] * children)
    return np.array(parent, dtype=np.int32)


def _selector(attribute: str) -> str:
    return "[" + attribute.replace(":", r"\:") + "]"


def _read_tags(order: list[Any], kind: NDArray[np.uint8]) -> Words:
    elements = kind == Kind.ELEMENT
    found = list(compress(order, elements.tolist()))
    names = list(map(tag_of, found))
    spaces = list(map(namespace_of, found))
    if spaces.count(turbohtml.Namespace.HTML) < len(spaces):
        names = [PREFIX.get(space, "") + name for space, name in zip(spaces, names, strict=True)]
    words = Words.of(names)
    codes = np.full(len(order), -1, dtype=np.int32)
    codes[elements] = words.codes
    return Words(codes, words.words)


def _read_text(order: list[Any], kind: NDArray[np.uint8]) -> Sequence[str]:
    text = [""] * len(order)
    written = (kind == Kind.TEXT) | (kind == Kind.COMMENT)
    for node, data in zip(
        np.flatnonzero(written).tolist(), map(data_of, compress(order, written.tolist())), strict=True
    ):
        text[node] = data
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

    @cached_property
    def _number(self) -> dict[Any, int]:
        elements = self._kind == Kind.ELEMENT
        return dict(zip(compress(self._order, elements.tolist()), np.flatnonzero(elements).tolist(), strict=True))

    def __getitem__(self, node: int) -> Mapping[str, str]:
        """Give one node's attributes."""
        if self._kind[node] != Kind.ELEMENT:
            return NOTHING
        element = self._order[node]
        found = element.attrs.copy()
        for name, value in found.items():
            if type(value) is not str:  # the parser splits what is a list of words, or has no value
                found[name] = element.attr(name) or ""
        return MappingProxyType(found)

    def having(self, name: str) -> dict[int, str]:
        """Give the value of one attribute by node, in document order, for the nodes that have it."""
        number, fragments = self._number, np.flatnonzero(self._kind == FRAGMENT).tolist()
        roots = [self._order[0], *(self._order[node] for node in fragments)]
        elements = [element for root in roots for element in root.select(_selector(name)) if element in number]
        found = dict(zip(map(number.__getitem__, elements), [element.attr(name) for element in elements], strict=True))
        return dict(sorted(found.items())) if fragments else found
