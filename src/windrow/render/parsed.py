"""What stays in the parser's tree until it is asked for: its nodes as objects, their attributes and their texts."""

from __future__ import annotations

from functools import cached_property
from itertools import chain, compress, islice
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.nodes import Kind
from windrow.render.collector import collector_paused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

PIECE = 4096
ELEMENT, TEXT, COMMENT, DOCTYPE, INSTRUCTION, FRAGMENT = (
    kind.value for kind in (Kind.ELEMENT, Kind.TEXT, Kind.COMMENT, Kind.DOCTYPE, Kind.INSTRUCTION, Kind.FRAGMENT)
)
"""Plain numbers: numpy takes its time to compare its own with members of an enumeration."""
NOTHING: Mapping[str, str] = MappingProxyType({})

data_of = attrgetter("data")


class ParsedTree:
    """The parser's tree, whose nodes become objects of Python when they are walked over."""

    def __init__(self, root: Any, most: int | None) -> None:  # noqa: ANN401 - a Document or a fragment's Element
        """Take the root, and how many nodes count, if not all do."""
        self._root, self._most = root, most

    def __iter__(self) -> Iterator[Any]:
        """Walk over the nodes in document order."""
        return islice(chain((self._root,), self._root.descendants), self._most)

    def pieces(self) -> Iterator[list[Any]]:
        """Walk over the nodes, so many at a time that those of one piece take the memory of the piece before."""
        nodes = iter(self)
        while piece := list(islice(nodes, PIECE)):
            yield piece

    @cached_property
    def order(self) -> list[Any]:
        """All nodes in document order."""
        with collector_paused():
            return list(self)


class TreeAttributes:
    """Attributes read out of the parser's tree, node by node."""

    def __init__(self, tree: ParsedTree, kind: NDArray[np.uint8]) -> None:
        """Take the tree, and what each of its nodes is."""
        self._tree = tree
        self._kind = kind

    @cached_property
    def _number(self) -> dict[Any, int]:
        elements = self._kind == ELEMENT
        return dict(zip(compress(self._tree.order, elements.tolist()), np.flatnonzero(elements).tolist(), strict=True))

    def __getitem__(self, node: int) -> Mapping[str, str]:
        """Give one node's attributes."""
        if self._kind.item(node) != ELEMENT:
            return NOTHING
        element = self._tree.order[node]
        found = element.attrs.copy()
        for name, value in found.items():
            if type(value) is not str:  # the parser splits what is a list of words, or has no value
                found[name] = element.attr(name) or ""
        return MappingProxyType(found)

    def having(self, name: str) -> dict[int, str]:
        """Give the value of one attribute by node, in document order, for the nodes that have it."""
        number, fragments = self._number, np.flatnonzero(self._kind == FRAGMENT).tolist()
        roots = [self._tree.order[0], *(self._tree.order[node] for node in fragments)]
        elements = [element for root in roots for element in root.select(_selector(name)) if element in number]
        found = dict(zip(map(number.__getitem__, elements), [element.attr(name) for element in elements], strict=True))
        return dict(sorted(found.items())) if fragments else found


def _selector(attribute: str) -> str:
    return "[" + attribute.replace(":", r"\:") + "]"


def read_texts(tree: ParsedTree, kind: NDArray[np.uint8]) -> Sequence[str]:
    """Give the text of each text node, comment, doctype and instruction."""
    order, texts = tree.order, [""] * len(kind)
    written = (kind == TEXT) | (kind == COMMENT)
    data = map(data_of, compress(order, written.tobytes()))
    for node, text in zip(np.flatnonzero(written).tolist(), data, strict=True):
        texts[node] = text
    for node in np.flatnonzero(kind == DOCTYPE).tolist():
        texts[node] = doctype_text(order[node].name, order[node].public_id, order[node].system_id)
    for node in np.flatnonzero(kind == INSTRUCTION).tolist():
        texts[node] = f"{order[node].target} {order[node].data}"
    return texts


def doctype_text(name: str, public: str | None, system: str | None) -> str:
    """Write a doctype's parts as its source would have them."""
    return name if not (public or system) else f'{name} "{public or ""}" "{system or ""}"'
