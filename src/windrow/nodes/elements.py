"""Single nodes of a page, looked at one by one: what a reader needs that asks for a few of them and for no column.

Columns over a whole page cost more than parsing it. Where the parser's tree is there, ``Nodes.elements`` walks it and
no column is made; otherwise it looks into the columns. Both give the same, but for how they name a node.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from windrow.nodes.columns import Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from windrow.nodes.tree import Nodes

Handle: TypeAlias = Any
"""Names a node: its number, or the parser's object. Hashable; ``Elements.number`` makes a number of it."""
TEXT = Kind.TEXT.value


class Elements(Protocol):
    """A page's nodes one by one."""

    def named(self, *tags: str) -> list[Handle]:
        """Return the elements of one of some tags, in document order."""

    def tag(self, node: Handle | None) -> str:
        """Return the name of an element as ``Nodes.tag`` has it; empty for what is none."""

    def parent(self, node: Handle) -> Handle | None:
        """Return the parent of a node; None for the document."""

    def children(self, node: Handle) -> list[Handle]:
        """Return the children of a node, in document order."""

    def after(self, node: Handle) -> Handle | None:
        """Return what follows a text node in document order; None at the end."""

    def string(self, node: Handle) -> str | None:
        """Return the text of a text node; None for what is none."""

    def attributes(self, node: Handle) -> Mapping[str, str]:
        """Return the attributes of a node."""

    def attribute(self, node: Handle, name: str) -> str:
        """Return one attribute of an element; empty where it has none."""

    def has(self, node: Handle, name: str) -> bool:
        """Whether a node has an attribute, be it empty."""

    def having(self, name: str) -> dict[Handle, str]:
        """Return the value of one attribute for the elements that have it, in document order."""

    def walk(self, node: Handle) -> Iterator[tuple[Handle, Handle]]:
        """Yield the descendants of a node in document order, each with its parent."""

    def texts(self, lengths: range, unread: Collection[str]) -> tuple[list[str], list[Handle]]:
        """Return the texts of so many letters, but for white space, that stand directly in none of some tags.

        They are in document order, and their nodes too.
        """

    def number(self, node: Handle) -> int:
        """Return the number of a node."""

    def at(self, number: int) -> Handle:
        """Return the node of a number."""


class ColumnElements:
    """The nodes of a page by their numbers, out of its columns."""

    def __init__(self, nodes: Nodes) -> None:
        """Look at some nodes."""
        self._nodes = nodes

    @cached_property
    def _parent(self) -> list[int]:
        parents: list[int] = self._nodes.parent.tolist()
        return parents

    @cached_property
    def _kind(self) -> bytes:
        return self._nodes.kind.tobytes()

    def named(self, *tags: str) -> list[int]:
        """Return the elements of one of some tags, in document order."""
        found: list[int] = self._nodes.tag.where(*tags).tolist()
        return found

    def tag(self, node: int | None) -> str:
        """Return the name of an element; empty for what is none."""
        return "" if node is None else self._nodes.tag[node]

    def parent(self, node: int) -> int | None:
        """Return the parent of a node; None for the document."""
        return self._parent[node] if node else None

    def children(self, node: int) -> list[int]:
        """Return the children of a node, in document order."""
        found: list[int] = self._nodes.children(node).tolist()
        return found

    def after(self, node: int) -> int | None:
        """Return what follows a text node in document order; None at the end."""
        return node + 1 if node + 1 < len(self._parent) else None

    def string(self, node: int) -> str | None:
        """Return the text of a text node; None for what is none."""
        return self._nodes.text[node] if self._kind[node] == TEXT else None

    def attributes(self, node: int) -> Mapping[str, str]:
        """Return the attributes of a node."""
        return self._nodes.attributes[node]

    def attribute(self, node: int, name: str) -> str:
        """Return one attribute of an element; empty where it has none."""
        return self._nodes.attributes[node].get(name, "")

    def has(self, node: int, name: str) -> bool:
        """Whether a node has an attribute, be it empty."""
        return name in self._nodes.attributes[node]

    def having(self, name: str) -> dict[int, str]:
        """Return the value of one attribute for the elements that have it, in document order."""
        return self._nodes.attributes.having(name)

    def walk(self, node: int) -> Iterator[tuple[int, int]]:
        """Yield the descendants of a node in document order, each with its parent."""
        parent = self._parent
        for inner in range(node + 1, len(parent)):
            if parent[inner] < node:
                return
            yield inner, parent[inner]

    def texts(self, lengths: range, unread: Collection[str]) -> tuple[list[str], list[int]]:
        """Return the texts of so many letters, but for white space, that stand directly in none of some tags."""
        nodes = self._nodes
        places = np.flatnonzero((nodes.kind == TEXT) & ~nodes.tag.is_in(set(unread))[nodes.parent]).tolist()
        found = [node for node in places if len(nodes.text[node]) in lengths and not nodes.text[node].isspace()]
        return [nodes.text[node] for node in found], found

    def number(self, node: int) -> int:
        """Return the number of a node."""
        return node

    def at(self, number: int) -> int:
        """Return the node of a number."""
        return number
