"""What stays in the parser's tree until it is asked for: its nodes as objects, their attributes and their texts."""

from __future__ import annotations

from functools import cached_property
from itertools import chain, compress, islice
from operator import attrgetter, indexOf, methodcaller
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import turbohtml

from windrow.nodes import Kind
from windrow.render.garbage_collection import collector_paused

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

PIECE = 4096
MOST_KEPT = 100_000
"""Nodes up to which a page keeps them as objects to number them by; those of a larger one are walked over instead, for
they would take as much memory as the tree itself."""
ELEMENT, TEXT, FRAGMENT = (kind.value for kind in (Kind.ELEMENT, Kind.TEXT, Kind.FRAGMENT))
OTHERS = (Kind.COMMENT.value, Kind.DOCTYPE.value, Kind.INSTRUCTION.value)
"""Plain numbers: numpy takes its time to compare its own with members of an enumeration."""
ARE_OTHERS = np.isin(np.arange(256), OTHERS)
"""The same as a column, to look kinds up in."""
HTML = turbohtml.Namespace.HTML
PREFIX = {HTML: "", turbohtml.Namespace.SVG: "svg:", turbohtml.Namespace.MATHML: "math:"}
"""What the names of elements begin with."""
SELDOM = ("role", "hidden", "rowspan", "colspan", "aria-rowspan", "aria-colspan")
"""Attributes that few elements have, and that are asked for of the same pages."""
TEXTS = frozenset({turbohtml.Text, turbohtml.CData})
NOTHING: Mapping[str, str] = MappingProxyType({})

parent_of = attrgetter("parent")


class ParsedTree:
    """The parser's tree, whose nodes become objects of Python when they are walked over."""

    def __init__(self, root: Any, most: int | None = None) -> None:  # noqa: ANN401 - a Document or a fragment's Element
        """Wrap the root of a tree; ``most`` is how many of its nodes count, if not all do."""
        self._root, self._most = root, most
        self._having: dict[tuple[str, ...], tuple[list[Any], list[str]]] = {}

    def __iter__(self) -> Iterator[Any]:
        """Walk over the nodes in document order."""
        return islice(chain((self._root,), self._root.descendants), self._most)

    def pieces(self) -> Iterator[list[Any]]:
        """Walk over the nodes, so many at a time that those of one piece take the memory of the piece before.

        Those of a small page are kept, for its attributes are asked for next.
        """
        nodes = iter(self)
        piece = list(islice(nodes, PIECE))
        if len(piece) < PIECE:
            self.order = piece
        while piece:
            yield piece
            piece = list(islice(nodes, PIECE))

    @property
    def strings(self) -> Iterator[str]:
        """The texts of all text nodes, in document order, those too that do not count."""
        texts: Iterator[str] = self._root.strings
        return texts

    def having(self, *name_and_tags: str) -> tuple[list[Any], list[str]]:
        """Return the elements that have an attribute, those in templates left out, and its value in each."""
        if name_and_tags not in self._having:
            if name_and_tags[0] in SELDOM and len(name_and_tags) == 1:
                self._having |= {(name,): found for name, found in find_seldom(self._root).items()}
            else:
                self._having[name_and_tags] = find_attribute(self._root, *name_and_tags)
        return self._having[name_and_tags]

    @cached_property
    def head(self) -> list[Any]:
        """The first nodes: of a large page, often no others are asked for."""
        return self.order if "order" in vars(self) else list(islice(self, PIECE))

    @cached_property
    def order(self) -> list[Any]:
        """All nodes in document order."""
        with collector_paused():
            return list(self)


class TreeAttributes:
    """Attributes read out of the parser's tree, node by node."""

    def __init__(self, tree: ParsedTree, kind: NDArray[np.uint8]) -> None:
        """Wrap a tree; ``kind`` is what each of its nodes is."""
        self._tree = tree
        self._kind = kind
        self._known: dict[tuple[str, ...], dict[int, str]] = {}

    @cached_property
    def _number(self) -> dict[Any, int]:
        elements = self._kind == ELEMENT
        return dict(zip(compress(self._tree.order, elements.tolist()), np.flatnonzero(elements).tolist(), strict=True))

    def _number_some(self, elements: list[Any]) -> dict[Any, int]:
        """Return the numbers of at least these elements, but for those that are beyond the nodes that count."""
        if len(self._kind) <= MOST_KEPT:
            return self._number
        wanted = set(elements)
        return {node: number for number, node in enumerate(self._tree) if node in wanted}

    def __getitem__(self, node: int) -> Mapping[str, str]:
        """Return one node's attributes."""
        if self._kind.item(node) != ELEMENT:
            return NOTHING
        return read_attributes(self._tree.head[node] if node < PIECE else self._tree.order[node])

    def having(self, *name_and_tags: str) -> dict[int, str]:
        """Return the value of one attribute by node, in document order, for the nodes that have it."""
        if name_and_tags not in self._known:
            self._known[name_and_tags] = self._find(*name_and_tags)
        return self._known[name_and_tags].copy()

    def _find(self, name: str, *tags: str) -> dict[int, str]:
        elements, values = self._tree.having(name, *tags)
        for fragment in self._fragments:
            more = find_attribute(fragment, name, *tags)
            elements, values = elements + more[0], values + more[1]
        if not elements:
            return {}  # before any node is numbered, for most attributes stand nowhere
        found = dict(zip(map(self._number_some(elements).get, elements), values, strict=True))
        found.pop(None, None)  # what is beyond the nodes that count
        in_order = not self._fragments and len(tags) <= 1
        return found if in_order else dict(sorted(found.items()))  # type: ignore[arg-type,return-value]

    @cached_property
    def _fragments(self) -> list[Any]:
        """What stands in templates, which no search in the document finds."""
        return [self._tree.order[node] for node in np.flatnonzero(self._kind == FRAGMENT).tolist()]


class TreeElements:
    """The nodes of a page as the parser's objects, out of its tree."""

    def __init__(self, root: turbohtml.Document, tree: ParsedTree) -> None:
        """Look at a whole tree."""
        self._root, self._tree = root, tree
        self._numbered: dict[int, Any] = {}

    def named(self, *tags: str) -> list[Any]:
        """Return the elements of one of some tags, in document order."""
        return [element for element in self._root.select(",".join(tags)) if element.namespace is HTML]

    def tag(self, node: Any) -> str:  # noqa: ANN401 - any node of the parser's
        """Return the name of an element; empty for what is none."""
        if type(node) is not turbohtml.Element:
            return ""
        return str(node.tag) if node.namespace is HTML else PREFIX[node.namespace] + node.tag

    def parent(self, node: Any) -> Any | None:  # noqa: ANN401 - any node of the parser's
        """Return the parent of a node; None for the document."""
        return node.parent

    def children(self, node: Any) -> list[Any]:  # noqa: ANN401 - any node of the parser's
        """Return the children of a node, in document order."""
        return list(node.children)

    def after(self, node: Any) -> Any | None:  # noqa: ANN401 - any node of the parser's
        """Return what follows a text node in document order; None at the end."""
        while node is not None and node.next_sibling is None:
            node = node.parent
        return None if node is None else node.next_sibling

    def string(self, node: Any) -> str | None:  # noqa: ANN401 - any node of the parser's
        """Return the text of a text node; None for what is none."""
        return str(node.data) if type(node) in TEXTS else None

    def attributes(self, node: Any) -> Mapping[str, str]:  # noqa: ANN401 - any node of the parser's
        """Return the attributes of a node."""
        return read_attributes(node) if type(node) is turbohtml.Element else NOTHING

    def attribute(self, node: Any, name: str) -> str:  # noqa: ANN401 - any node of the parser's
        """Return one attribute of an element; empty where it has none."""
        return (node.attr(name) or "") if type(node) is turbohtml.Element else ""

    def has(self, node: Any, name: str) -> bool:  # noqa: ANN401 - any node of the parser's
        """Whether a node has an attribute, be it empty."""
        return type(node) is turbohtml.Element and name in node.attrs

    def having(self, name: str) -> dict[Any, str]:
        """Return the value of one attribute for the elements that have it, in document order."""
        return dict(zip(*self._tree.having(name), strict=True))

    def walk(self, node: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401 - any node of the parser's
        """Yield the descendants of a node in document order, each with its parent."""
        return zip(node.descendants, map(parent_of, node.descendants), strict=True)

    def texts(self, lengths: range, unread: Collection[str]) -> tuple[list[str], list[Any]]:
        """Return the texts of so many letters, but for white space, that stand directly in none of some tags."""
        first, end = lengths.start, lengths.stop
        with collector_paused():
            inside = {text for tag in unread for element in self.named(tag) for text in element.children}
            nodes: Iterator[Any] = self._root.descendants
            found = [
                (text, node)
                for node in nodes
                if type(node) in TEXTS
                and first <= len(text := node.data) < end
                and not (text.isspace() or node in inside)
            ]
            return [text for text, _ in found], [node for _, node in found]

    def number(self, node: Any) -> int:  # noqa: ANN401 - any node of the parser's
        """Return the number of a node."""
        number = indexOf(chain((self._root,), self._root.descendants), node)
        self._numbered[number] = node
        return number

    def at(self, number: int) -> Any:  # noqa: ANN401 - any node of the parser's
        """Return the node of a number; mostly one that was numbered here."""
        if number in self._numbered:
            return self._numbered[number]
        return next(islice(chain((self._root,), self._root.descendants), number, None))


def read_attributes(element: Any) -> Mapping[str, str]:  # noqa: ANN401 - an element of the parser's
    """Return an element's attributes, each as it is written."""
    found = element.attrs.copy()
    for name, value in found.items():
        if type(value) is not str:  # the parser splits what is a list of words, or has no value
            found[name] = element.attr(name) or ""
    return MappingProxyType(found)


def find_attribute(root: Any, name: str, *tags: str) -> tuple[list[Any], list[str]]:  # noqa: ANN401 - any node
    """Return the elements below a node that have an attribute, in document order, and its value in each.

    With tags, only those that are called so, of whatever namespace, are found, one tag after the other.
    """
    having = "[" + name.replace(":", r"\:") + "]"
    elements = [element for tag in tags or ("",) for element in root.select(tag.rpartition(":")[2] + having)]
    return elements, list(map(methodcaller("attr", name), elements))


def find_seldom(root: Any) -> dict[str, tuple[list[Any], list[str]]]:  # noqa: ANN401 - any node of the parser's
    """Return the same for each attribute that few elements have: walking over all of them costs more than the rest."""
    any_of = root.select(",".join(f"[{name}]" for name in SELDOM))
    having = {name: [element for element in any_of if name in element.attrs] for name in SELDOM}
    return {name: (elements, [element.attr(name) for element in elements]) for name, elements in having.items()}


def read_texts(tree: ParsedTree, kind: NDArray[np.uint8], others: Sequence[Any]) -> list[str]:
    """Return the text of each text node, and of the others that have one: comments, doctypes and instructions."""
    texts = np.full(len(kind), "", dtype=object)
    is_text = kind == TEXT
    texts[is_text] = np.fromiter(tree.strings, object, np.count_nonzero(is_text))
    for node, other in zip(np.flatnonzero(ARE_OTHERS[kind]).tolist(), others, strict=True):
        texts[node] = _other_text(other)
    found: list[str] = texts.tolist()
    return found


def _other_text(node: Any) -> str:  # noqa: ANN401 - any node of the parser's
    if isinstance(node, turbohtml.Doctype):
        return doctype_text(node.name, node.public_id, node.system_id)
    if isinstance(node, turbohtml.ProcessingInstruction):
        return f"{node.target} {node.data}"
    return str(node.data)


def doctype_text(name: str, public: str | None, system: str | None) -> str:
    """Write a doctype's parts as its source would have them."""
    return name if not (public or system) else f'{name} "{public or ""}" "{system or ""}"'
