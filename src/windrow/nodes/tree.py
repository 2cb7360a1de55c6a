"""``Nodes``: the tree and, where a browser laid it out, its boxes and styles.

Node 0 is the document. Children follow their parent, so the subtree of ``i`` is the range ``i … end[i]``; whatever
must be known of all ancestors or all descendants is a cumulative sum or a few rounds of doubling, never a recursion.

Eager are ``kind`` and ``parent``; all other columns of an unrendered page are computed when first asked for, and those
two as well where a page was just parsed (``Nodes.later``).
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import defaults
from windrow.nodes.columns import Counts, Ids, Kind, Layout, Words, freeze_columns, frozen
from windrow.nodes.elements import ColumnElements, Elements
from windrow.nodes.identifiers import Identifiers
from windrow.nodes.images import find_images
from windrow.nodes.text import TextSpans, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from windrow.geometry import Mask
    from windrow.nodes.attributes import Attributes


@dataclass(frozen=True, eq=False)
class Nodes:
    """The page as data. Columns are numpy arrays that can't be written to, or sequences, all as long as the page."""

    kind: NDArray[np.uint8]
    parent: Ids
    tag: Words
    """Lower-case name; SVG and MathML elements are ``svg:path``, ``math:mi``. Empty for what is no element."""
    attributes: Attributes
    text_source: Callable[[], Sequence[str]]
    """Where ``text`` comes from, asked once."""
    layout: Layout | None = None

    def __post_init__(self) -> None:
        """Make the columns read-only."""
        freeze_columns(self)

    @classmethod
    def later(cls, make: Callable[[], Nodes], elements: Elements, count: Callable[[], int]) -> Nodes:
        """Return nodes whose columns and number are there when they are asked for; single elements are there before."""
        nodes = object.__new__(cls)
        nodes.__dict__.update(_make=make, elements=elements, _count=count)
        return nodes

    def __getattr__(self, name: str) -> object:
        """Make the columns when one of them is found missing."""
        if name not in Nodes.__dataclass_fields__ or "_make" not in self.__dict__:
            raise AttributeError(name)
        self.__dict__.update(vars(self.__dict__["_make"]()))
        return self.__dict__[name]

    def __len__(self) -> int:
        """Return the number of nodes, the document included."""
        return len(self.kind) if self.has_columns else self._counted

    @cached_property
    def _counted(self) -> int:
        """The number of nodes before there are columns."""
        count: int = self.__dict__["_count"]()
        return count

    @property
    def has_columns(self) -> bool:
        """Whether the columns are made; what asks for a node or two may do without them where they are not."""
        return "kind" in self.__dict__

    @cached_property
    def text(self) -> tuple[str, ...]:
        """Text of each text node, comment, doctype or instruction as the source has it; empty for elements."""
        return tuple(self.text_source())

    @cached_property
    def elements(self) -> Elements:
        """The nodes one by one, for whoever needs only a few of them."""
        return ColumnElements(self)

    @cached_property
    def depth(self) -> Ids:
        """Distance from the document, by doubling: each round looks twice as far up."""
        ancestor = np.maximum(self.parent, 0)
        depth = (self.parent >= 0).astype(np.int32)
        while ancestor.any():
            depth += depth[ancestor]
            ancestor = ancestor[ancestor]
        return frozen(depth)

    @cached_property
    def end(self) -> Ids:
        """One past the last node of each subtree: the last child of the last child, and so on, by doubling."""
        last = np.arange(len(self), dtype=np.int32)
        last[self.parent[1:]] = last[1:]  # of several children the last one is written last
        while not np.array_equal(further := last[last], last):
            last = further
        return frozen(last + np.int32(1))

    @cached_property
    def display(self) -> Words:
        """The CSS display of each element: the browser's, or the tag's default where there was none."""
        return self.layout.display if self.layout else defaults.display(self)

    @cached_property
    def visible(self) -> Mask:
        """Whether a reader can see the node: by the browser's layout, or by markup alone where there was none."""
        return self.layout.visible if self.layout else frozen(defaults.visible(self))

    @cached_property
    def spans(self) -> TextSpans:
        """The page's visible text, and which part of it each node covers."""
        roots: Mask | None = self.__dict__.get("_readable")
        return read_text(self, None if roots is None else self.inside(roots))

    def with_text_in(self, roots: Mask) -> Nodes:
        """Return the same nodes with the text of some subtrees alone, and none elsewhere, unless all is read already.

        A reader that looks at small parts of a page does without the rest of its text.
        """
        if "spans" in self.__dict__:
            return self
        nodes = copy(self)
        nodes.__dict__["_readable"] = roots
        return nodes

    @cached_property
    def classes(self) -> Identifiers:
        """The class attributes of the nodes that have one."""
        return Identifiers(self.attributes.having("class"))

    @cached_property
    def ids(self) -> Identifiers:
        """The ids of the nodes that have one."""
        return Identifiers(self.attributes.having("id"))

    @cached_property
    def images(self) -> Mapping[int, str]:
        """The address of the picture that each node shows, by node, as the page or the browser has it."""
        return MappingProxyType(find_images(self))

    def own_text(self, node: int) -> str:
        """Return the text directly in an element, as the source has it; for a text node, its own."""
        if self.kind[node] == Kind.TEXT:
            return self.text[node]
        texts = self.children(node)
        return "".join(self.text[child] for child in texts[self.kind[texts] == Kind.TEXT].tolist())

    def visible_text(self, node: int = 0) -> str:
        """Return the text of a subtree as a reader sees it: white space collapsed, blocks on lines of their own."""
        return self.spans.of(node)

    def children(self, node: int) -> Ids:
        """Return the children of a node, in document order."""
        return self._by_parent[self._first_child.item(node) : self._first_child.item(node + 1)]

    @cached_property
    def _by_parent(self) -> Ids:
        return frozen(np.argsort(self.parent, kind="stable").astype(np.int32))

    @cached_property
    def _first_child(self) -> Counts:
        """Where the children of each node begin in ``_by_parent``, after the document, which is nobody's child."""
        return frozen(np.cumsum(np.bincount(self.parent + 1, minlength=len(self) + 1)))

    def inside(self, mask: Mask) -> Mask:
        """Whether each node or one of its ancestors is in the mask."""
        return np.asarray(self.count_around(mask) > 0)

    def count_around(self, mask: Mask) -> Counts:
        """Return how many marked nodes are on the path from the document to each node, both included."""
        starts, most = np.flatnonzero(mask), len(self) + 1
        change = np.bincount(starts, minlength=most) - np.bincount(self.end[starts], minlength=most)
        return np.asarray(np.cumsum(change[:-1]), dtype=np.int64)

    def sum_inside(self, values: NDArray[np.integer] | Mask) -> Counts:
        """Return the sum of a column over each subtree, its root included; of a mask, the number of marked nodes."""
        total = np.zeros(len(self) + 1, dtype=np.int64)
        np.cumsum(values, out=total[1:])
        return np.asarray(total[self.end] - total[:-1], dtype=np.int64)

    def nearest(self, mask: Mask) -> Ids:
        """Return for each node itself or its nearest ancestor that is in the mask; -1 where there is none."""
        jump = np.where(mask, np.arange(len(self), dtype=np.int32), np.maximum(self.parent, 0))
        while not np.array_equal(further := jump[jump], jump):
            jump = further
        return np.where(mask[jump], jump, np.int32(-1))

    def common_ancestor(self, nodes: Sequence[int] | Ids) -> int:
        """Return the innermost node whose subtree holds all of these; a single node is its own."""
        first, last = int(np.min(nodes)), int(np.max(nodes))
        return int(np.flatnonzero(self.end[: first + 1] > last)[-1])
