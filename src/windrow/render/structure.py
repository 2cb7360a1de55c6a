"""HTML to ``Nodes`` without a browser.

The parser is turbohtml: it builds the tree of the HTML standard (every test of it that runs no script), does not
recurse, and lets its tree be walked in C, so that ``kind``, ``parent`` and ``tag`` cost less than twice the parse.
selectolax is older and as fast, but fails one tree in twenty; lxml is not HTML5 and drops what lies below 256 levels.

Scripting counts as enabled, so ``noscript`` holds text and the tree is the one that a browser builds.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import deque
from functools import partial
from itertools import chain, compress, islice, repeat
from operator import attrgetter, is_not
from typing import TYPE_CHECKING, Any

import numpy as np
import turbohtml
from numpy.typing import NDArray

from windrow.errors import LimitError
from windrow.nodes import Kind, LateWords, Nodes, Words
from windrow.render.garbage_collection import collector_paused
from windrow.render.parser_tree import OTHERS, PREFIX, ParsedTree, TreeAttributes, TreeElements, read_texts

if TYPE_CHECKING:
    from windrow.geometry import Mask

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
REPEATED = ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
"""What the parser opens again where it was left open (the standard's formatting elements)."""
ALWAYS_MADE = 4
"""Nodes of an empty document: itself, ``html``, ``head`` and ``body``."""
FOREIGN_ROOTS = frozenset({"svg", "math"})
MOST_OPENINGS = 2_000
"""A few are common, where pages include others."""
LENGTH_UNCHECKED = 3 << 15
"""What is shorter can't hold enough of them to do harm."""
OPENING = re.compile(r"<[bBhH][oOtT][dDmM][yYlL]")
HEIGHTS_COUNTED = 1 << 16
IS_ELEMENT = bytes(value == Kind.ELEMENT for value in range(256))
IS_OTHER = bytes(value in OTHERS for value in range(256))

tag_of = attrgetter("tag")
namespace_of = attrgetter("namespace")


def html_to_nodes(html: str, *, scripting: bool = True) -> Nodes:
    """Parse a document. Columns are made when one is asked for."""
    return _parse_first(html, None, scripting=scripting)[0]


def html_to_first_nodes(html: str, most: int) -> tuple[Nodes, bool]:
    """Parse a document up to so many nodes; return as well whether it has more."""
    return _parse_first(html, most, scripting=True)


def _parse_first(html: str, most: int | None, *, scripting: bool) -> tuple[Nodes, bool]:
    with collector_paused():
        root = _parse(html, scripting=scripting)
        if most is not None and bound_nodes(root, html) > most and _count(root, most) > most:
            return tree_to_nodes(root, most), True
    tree = ParsedTree(root, None)
    return Nodes.later(partial(_read_columns, tree, root), TreeElements(root, tree), partial(_count, root)), False


def bound_nodes(root: turbohtml.Document, html: str) -> float:
    """Return more nodes than a document can have: the parser makes no more than a character asks for.

    Only elements of formatting are repeated, in whatever they were left open around; they are counted.
    """
    if root.select_one("template"):
        return math.inf  # what stands in one is not found
    return len(html) + ALWAYS_MADE + sum(len(root.select(tag)) for tag in REPEATED)


def _count(root: turbohtml.Document, most: int | None = None) -> int:
    """Count the nodes of a tree, one more than so many at most, without a step of Python a node."""
    counter = itertools.count(1)
    deque(zip(islice(root.descendants, most), counter, strict=False), maxlen=0)
    return next(counter)


def tree_to_nodes(root: Any, most: int | None = None) -> Nodes:  # noqa: ANN401 - a Document or a fragment's Element
    """Read the columns out of a parsed tree; text and attributes stay in it until they are asked for."""
    return _read_columns(ParsedTree(root, most), root)


def _read_columns(tree: ParsedTree, root: Any) -> Nodes:  # noqa: ANN401 - as above
    kinds, children, names, others = bytearray(), list[NDArray[np.int32]](), list[str](), list[Any]()
    has_foreign = not isinstance(root, turbohtml.Document)
    for piece in tree.pieces():
        kind = bytes(map(KINDS.__getitem__, map(type, piece)))
        elements = list(compress(piece, kind.translate(IS_ELEMENT)))
        tags = list(map(tag_of, elements))
        has_foreign = has_foreign or not FOREIGN_ROOTS.isdisjoint(tags)
        others += compress(piece, kind.translate(IS_OTHER))
        kinds += kind
        children.append(np.fromiter(map(len, piece), np.int32, len(piece)))
        names += _with_prefixes(tags, elements) if has_foreign else tags
    kind_column = np.frombuffer(kinds, np.uint8)
    elements_at = kind_column == Kind.ELEMENT.value
    kind_column[0] = Kind.DOCUMENT
    return Nodes(
        kind=kind_column,
        parent=_read_parents(np.concatenate(children)),
        tag=LateWords(lambda: _spread(Words.of(names), elements_at)),
        attributes=TreeAttributes(tree, kind_column),
        text_source=lambda: read_texts(tree, kind_column, others),
    )


def check_openings(html: str) -> None:
    """Refuse pages that were strung together by the thousand: the parser joins the attributes of all their bodies."""
    if len(html) < LENGTH_UNCHECKED:
        return
    count = sum(1 for _ in islice(OPENING.finditer(html), MOST_OPENINGS + 1))
    if count > MOST_OPENINGS:
        raise LimitError(
            f"The page begins more than {MOST_OPENINGS:,} times: it is many pages in one. Take them apart, read each."
        )


def source_offsets(html: str, nodes: Nodes) -> NDArray[np.int32] | None:
    """Return the character of the source where each element's tag begins; -1 for text and for what the parser made up.

    None where the page is not what the source alone builds, because a script or the browser changed the tree.
    """
    root = _parse(html, scripting=True, locations=True)
    made = tree_to_nodes(root)
    same_tree = len(made) == len(nodes) and np.array_equal(made.kind, nodes.kind)
    if not same_tree or made.tag.to_list() != nodes.tag.to_list():
        return None
    return np.fromiter(map(_offset, chain((root,), root.descendants)), np.int32, len(made))


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


def _read_parents(children: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return each node's parent, from the numbers of children alone.

    Read in document order, a node takes the top place of a stack and leaves as many places as it has children. At each
    height of the stack places are left and taken in turn, so the k-th node to take one there belongs to the k-th left.
    """
    count = len(children)
    so_far = np.cumsum(children)
    taken = np.concatenate([[0], so_far - np.arange(1, count + 1)])
    leaver = np.repeat(np.arange(count, dtype=np.int32), children)
    left = np.arange(len(leaver)) + np.repeat(taken[:-1] - (so_far - children), children)
    taken = np.concatenate([taken[1:-1], np.arange(taken[-1] + 1)])  # where nodes were cut off, places stay free
    parent = np.empty(len(leaver), dtype=np.int32)
    parent[_by_height(taken)] = leaver[_by_height(left)]
    return np.concatenate([[-1], parent[: count - 1]], dtype=np.int32)


def _by_height(height: NDArray[np.intp]) -> NDArray[np.intp]:
    """Sort by height, equal ones in order; numpy counts small numbers instead of comparing them."""
    is_small = len(height) == 0 or height.max() < HEIGHTS_COUNTED
    return np.argsort(height.astype(np.uint16) if is_small else height, kind="stable")


def _with_prefixes(names: list[str], elements: list[Any]) -> list[str]:
    """Prefix the names of SVG and MathML elements."""
    is_foreign = map(is_not, map(namespace_of, elements), repeat(turbohtml.Namespace.HTML))
    for place in compress(range(len(elements)), is_foreign):
        names[place] = PREFIX[elements[place].namespace] + names[place]
    return names


def _spread(words: Words, places: Mask) -> Words:
    """Put the words at their places in a column that has none elsewhere."""
    codes = np.full(len(places), -1, dtype=np.int32)
    codes[places] = words.codes
    codes[0] = -1  # also where the root is an element that was parsed in
    return Words(codes, words.words)
