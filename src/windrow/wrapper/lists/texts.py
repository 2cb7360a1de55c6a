"""The texts of one record: its elements, its texts and its lines, looked up by the way from the record to them."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from windrow.nodes.hashes import hash_name, hash_path
from windrow.wrapper.normalization import folded, shown
from windrow.wrapper.page_features import ORDINAL, TEXT, hash_key, steady_class
from windrow.wrapper.spot import Spot
from windrow.wrapper.strikes import struck_texts, text_that_holds
from windrow.wrapper.text_search import ADDRESSES, ATTRIBUTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from windrow.geometry import Mask
    from windrow.page import Page
    from windrow.wrapper.lists.pattern import RecordSpan
    from windrow.wrapper.page_features import PageFeatures

RUNNING = frozenset("img svg:svg wbr input button".split())
"""Elements that stand in a line though they hold no part of it."""
LINKING = frozenset({"a", "area"})
PATHS = ("tag", "key", "exact")
"""The kinds of ways, in the order of ``PageFeatures.paths``."""
PROPERTY = "itemprop"
LINK, IMAGE = "link", "image"
"""What of an element is read other than its text: the address that it leads to, or of its picture."""
HOLDING = tuple(name for name in ATTRIBUTES if name not in ADDRESSES)
"""Or one of these attributes."""


Steps: TypeAlias = "tuple[tuple[str, str | int], ...]"
"""The way from a record's root down: tags, with classes, ordinals or nothing."""


class Unit(NamedTuple):
    """Something of a record that can be a value: an element, a text, or a line that is neither."""

    node: int
    """The element or text; of a line, the smallest element around it."""
    first: int
    last: int
    """The ranks of its first text and of the one after its last."""
    is_line: bool = False


class PageTexts:
    """A page's texts in the form in which they are compared, with where lines begin, and its addresses."""

    def __init__(self, page: Page, features: PageFeatures) -> None:
        """Take a page; everything is worked out when it is first asked for."""
        self.page = page
        self.features = features

    @cached_property
    def pieces(self) -> list[str]:
        """Each shown text, folded."""
        return [folded(words) for words in self.features.words]

    @cached_property
    def begins_line(self) -> Mask:
        """Which texts begin a line: something that does not run with the text begins or ends before them."""
        features = self.features
        blocks = np.flatnonzero(features.is_element & ~features.is_inline & ~features.nodes.tag.is_in(RUNNING))
        column = np.zeros(len(features.texts) + 1, dtype=bool)
        column[features.first_text[blocks]] = True
        column[features.last_text[blocks]] = True
        return column

    def lines(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield the lines of some texts, each as the rank of its first text and of the one after its last."""
        starts = [first, *(first + 1 + np.flatnonzero(self.begins_line[first + 1 : last])).tolist(), last]
        yield from ((start, end) for start, end in pairwise(starts) if start < end)

    def text_of(self, unit: Unit) -> str:
        """Return what a unit shows."""
        if not unit.is_line:
            return self.features.text_of(unit.node)
        return self.features.text_between(unit.first, unit.last)

    def text_that_holds(self, unit: Unit) -> str:
        """Return what a unit shows without what is struck out in it."""
        if not struck_texts(self.features, unit.first, unit.last).any():
            return self.text_of(unit)
        return text_that_holds(self.features, unit.first, unit.last)

    def unit_of(self, node: int) -> Unit:
        """Return an element or text as a unit."""
        first = int(self.features.first_text[node])
        return Unit(node, first, int(self.features.last_text[node]))

    def held_by(self, node: int, what: str) -> str:
        """Return what a node holds: an address, as the page has it where it can't be made absolute, or an attribute."""
        page = self.page
        if what in HOLDING:
            return shown(page.nodes.attributes[node].get(what, ""))
        if what == IMAGE:
            return page.images[node] or page.nodes.images.get(node, "")
        is_link = page.nodes.tag[node] in LINKING
        return page.links[node] or (page.nodes.attributes[node].get("href", "") if is_link else "")

    def holding(self, text: str) -> list[tuple[int, str]]:
        """Return the nodes that hold a text without displaying it, and where: an address, a picture, an attribute."""
        wanted = {shown(text), self.page.resolve(text.strip()) or ""}
        return sorted({held for value in wanted for held in self._held.get(value, ())})

    def in_full(self, text: str) -> str:
        """Return a pasted address as it is read from a page, where the page does not display it; else the text."""
        held = [] if isinstance(text, Spot) or folded(text) in self._whole else self.holding(text)
        return self.held_by(*held[0]) if held else text

    @cached_property
    def _whole(self) -> str:
        return "".join(self.pieces)

    @cached_property
    def _held(self) -> dict[str, list[tuple[int, str]]]:
        nodes = self.features.nodes
        places = [(node, LINK) for node in np.flatnonzero(nodes.tag.is_in(LINKING)).tolist()]
        places += [(node, IMAGE) for node in nodes.images]
        places += [(node, name) for name in HOLDING for node in nodes.attributes.having(name)]
        found: dict[str, list[tuple[int, str]]] = {}
        for node, what in places:
            if value := self.held_by(node, what):
                found.setdefault(value, []).append((node, what))
        return found

    @cached_property
    def properties(self) -> dict[int, str]:
        """What elements are called by ``itemprop``."""
        return dict(self.features.nodes.attributes.having(PROPERTY))

    @cached_property
    def classes(self) -> dict[int, list[str]]:
        """The steady classes of each element that has some."""
        return {node: steady_class(value).split() for node, value in self.features.classes.items()}


class RecordView:
    """What stands in one record, by the way to it."""

    def __init__(self, texts: PageTexts, span: RecordSpan, *, is_cell: bool = False) -> None:
        """Take a record of a page, or a cell of it, which may be a value itself."""
        self.texts = texts
        self.span = span
        self.is_cell = is_cell
        self.features = texts.features
        self.first = int(self.features.first_text[span.start])
        self.last = int(np.searchsorted(self.features.texts, span.end))

    @cached_property
    def shown_nodes(self) -> NDArray[np.intp]:
        """The elements and texts of the record that show something."""
        features, span = self.features, self.span
        first, last = features.first_text[span.start : span.end], features.last_text[span.start : span.end]
        solid = features.is_element[span.start : span.end] | features.is_text[span.start : span.end]
        return span.start + np.flatnonzero((first < last) & solid)

    @cached_property
    def all_nodes(self) -> NDArray[np.intp]:
        """All elements of the record, for those that show no text but lead somewhere."""
        return self.span.start + np.flatnonzero(self.features.is_element[self.span.start : self.span.end])

    @cached_property
    def _by_path(self) -> dict[bool, list[dict[int, list[int]]]]:
        return {}

    def at_path(self, kind: str, way: int, *, addresses: bool) -> list[int]:
        """Return the nodes that a way leads to, given by its kind and number; of elements with addresses, any."""
        if addresses not in self._by_path:
            nodes = self.all_nodes if addresses else self.shown_nodes
            self._by_path[addresses] = [_group(nodes, paths[nodes]) for paths in self.features.paths]
        return self._by_path[addresses][PATHS.index(kind)].get(way, [])

    def way(self, kind: str, steps: Steps) -> int:
        """Return the number of a way from the record's root down."""
        return way_number(kind, steps, int(self.features.paths[PATHS.index(kind)][self.span.root]))

    @cached_property
    def by_class(self) -> dict[str, list[int]]:
        """The elements of each tag and class, written as in a style sheet."""
        found: dict[str, list[int]] = {}
        tag, classes = self.features.nodes.tag, self.texts.classes
        for node in range(self.span.start, self.span.end):
            for name in classes.get(node, ()):
                found.setdefault(f"{tag[node]}.{name}", []).append(node)
        return found

    @cached_property
    def by_property(self) -> dict[str, list[int]]:
        """The elements of each ``itemprop``."""
        found: dict[str, list[int]] = {}
        properties = self.texts.properties
        for node in range(self.span.start, self.span.end) if properties else ():
            if node in properties:
                found.setdefault(properties[node], []).append(node)
        return found

    @cached_property
    def lines(self) -> list[Unit]:
        """The lines of the record that are no element of their own."""
        features = self.features
        found = []
        for first, last in self.texts.lines(self.first, self.last):
            node, final = int(features.up[features.texts[first]]), int(features.texts[last - 1])
            while features.nodes.end[node] <= final:
                node = int(features.up[node])
            if (features.first_text[node], features.last_text[node]) != (first, last):
                found.append(Unit(node, first, last, is_line=True))
        return found

    def steps_to(self, node: int, kind: str) -> Steps:
        """Return the way from the record's root down to a node: tags, with classes or ordinals."""
        features = self.features
        steps: list[tuple[str, str | int]] = []
        while node != self.span.root and node > 0:
            tag = features.nodes.tag[node] if features.is_element[node] else TEXT
            if kind == "key":
                steps.append((tag, " ".join(self.texts.classes.get(node, ()))))
            else:
                steps.append((tag, int(features.ordinal[node]) if kind == "exact" else ""))
            node = int(features.up[node])
        return tuple(reversed(steps))

    @cached_property
    def folded(self) -> tuple[str, list[int]]:
        """The record's texts in one string without white space, and where each of them begins in it."""
        starts, total = [0], 0
        pieces = self.texts.pieces[self.first : self.last]
        for piece in pieces:
            total += len(piece)
            starts.append(total)
        return "".join(pieces), starts


def _group(nodes: NDArray[np.intp], numbers: NDArray[np.uint64]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for node, number in zip(nodes.tolist(), numbers.tolist(), strict=True):
        found.setdefault(number, []).append(node)
    return found


def way_number(kind: str, steps: Steps, start: int) -> int:
    """Return the number of a way that goes on from another one."""
    if kind == "key":
        return hash_path((hash_key(tag, str(names)) for tag, names in steps), start)
    if kind == "tag":
        return hash_path((hash_name(tag) for tag, _ in steps), start)
    return hash_path((hash_name(tag) + (int(ordinal) + 1) * ORDINAL for tag, ordinal in steps), start)
