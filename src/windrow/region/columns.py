"""What the search for records knows of every node: how much stands in it, and of what shape it is.

Everything is a column as long as the page. The shape of a node is the set of tag paths below it, down to a fixed
depth, with the classes that occur more than once; two nodes are alike when their sets are. Highlighting (``em``,
``b`` …) is no structure, so it is left out of the paths.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.nodes import Kind
from windrow.region.surroundings import mark_aside, mark_main

if TYPE_CHECKING:
    from windrow.geometry import Mask
    from windrow.nodes import Nodes

FORMATTING = frozenset("b i em strong mark u small big sub sup font tt code wbr br bdi bdo".split())
PICTURES = frozenset("img svg:svg picture video canvas object embed".split())
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
REACH = 6
"""How many levels below a node its shape is looked at."""
CLASS_REACH = 2
"""How many levels below a node classes count."""
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
FEATURE_BITS = np.uint64(40)
HIGHLIGHT = re.compile(
    r"(?:^|[\s_-])(?:hl|hit-?text|hilite|highlight(?:ed)?|match(?:ed)?|keyword|search-?term|query)(?:$|[\s_-])",
    re.IGNORECASE,
)
DIGITS = re.compile(r"\d+")

Counts = NDArray[np.int64]
Hashes = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Columns:
    """The measures of one page; each is computed when first asked for."""

    nodes: Nodes

    @cached_property
    def chars(self) -> Counts:
        """Characters of visible text in each subtree."""
        spans = self.nodes.spans
        return (spans.end - spans.start).astype(np.int64)

    @cached_property
    def is_text(self) -> Mask:
        """Whether a node is a text that can be seen."""
        return np.asarray((self.nodes.kind == Kind.TEXT) & self.nodes.visible & (self.chars > 0))

    @cached_property
    def texts_in_order(self) -> NDArray[np.intp]:
        """The texts that can be seen, in document order."""
        return np.flatnonzero(self.is_text)

    @cached_property
    def is_picture(self) -> Mask:
        """Whether a node is a picture that can be seen."""
        return np.asarray(self.nodes.tag.is_in(PICTURES) & self.nodes.visible)

    @cached_property
    def is_link(self) -> Mask:
        """Whether a node is a link that leads somewhere."""
        found = np.zeros(len(self.nodes), dtype=bool)
        found[list(self.nodes.attributes.having("href"))] = True
        return found & self.nodes.tag.is_in({"a", "area"}) & self.nodes.visible

    @cached_property
    def content(self) -> Counts:
        """Texts and pictures in each subtree."""
        return self.inside_count(self.is_text | self.is_picture)

    @cached_property
    def texts(self) -> Counts:
        """Texts in each subtree."""
        return self.inside_count(self.is_text)

    @cached_property
    def pictures(self) -> Counts:
        """Pictures in each subtree."""
        return self.inside_count(self.is_picture)

    @cached_property
    def links(self) -> Counts:
        """Links in each subtree."""
        return self.inside_count(self.is_link)

    @cached_property
    def link_chars(self) -> Counts:
        """Characters of text in links in each subtree."""
        linked = self.nodes.inside(self.is_link)
        return self.inside_sum(np.where(self.is_text & linked, self.chars, 0))

    @cached_property
    def headings(self) -> Counts:
        """Headings in each subtree."""
        return self.inside_count(self.nodes.tag.is_in(HEADINGS) & (self.content > 0))

    @cached_property
    def in_heading(self) -> Mask:
        """Whether a node is a heading or stands in one."""
        return self.nodes.inside(self.nodes.tag.is_in(HEADINGS))

    @cached_property
    def aside(self) -> Mask:
        """Whether a node stands in navigation, a header, a footer, a sidebar or filters."""
        return mark_aside(self)

    @cached_property
    def main(self) -> Mask:
        """Whether a node stands in what the page calls its main part."""
        return mark_main(self)

    def inside_count(self, mask: Mask) -> Counts:
        """Count the marked nodes in each subtree, its root included."""
        return self.inside_sum(mask.astype(np.int64))

    def inside_sum(self, values: Counts) -> Counts:
        """Add a measure up over each subtree."""
        total = np.concatenate([[0], np.cumsum(values)])
        return np.asarray(total[self.nodes.end] - total[:-1], dtype=np.int64)

    @cached_property
    def is_formatting(self) -> Mask:
        """Whether a node only highlights: by its tag, as long as no class gives it a meaning, or by its class."""
        found = self.nodes.tag.is_in(FORMATTING)
        highlights = {value: bool(HIGHLIGHT.search(value)) for value in set(self.class_values.values())}
        meant = [node for node, value in self.class_values.items() if not highlights[value]]
        found[meant + list(self.nodes.attributes.having("itemprop"))] = False
        marked = [node for node, value in self.class_values.items() if highlights[value]]
        found[marked] |= self.nodes.tag.is_in({"span"})[marked]
        return found

    @cached_property
    def holder(self) -> NDArray[np.int32]:
        """The nearest ancestor that is no highlighting."""
        formatting = self.is_formatting
        jump = np.where(formatting, np.maximum(self.nodes.parent, 0), np.arange(len(self.nodes))).astype(np.int32)
        while formatting[jump].any():
            following = jump[jump]
            if (following == jump).all():
                break
            jump = following
        return np.asarray(jump[np.maximum(self.nodes.parent, 0)], dtype=np.int32)

    @cached_property
    def own_texts(self) -> Counts:
        """Texts that stand in each node directly, or in highlighting only."""
        return np.bincount(self.holder[self.texts_in_order], minlength=len(self.nodes))

    @cached_property
    def label(self) -> Hashes:
        """A number for what a node is: its tag, or that it is a text."""
        words = [hash_of(word or "#text") for word in self.nodes.tag.words]
        table = np.array([*words, hash_of("#text")], dtype=np.uint64)
        return np.asarray(table[self.nodes.tag.codes])

    @cached_property
    def class_values(self) -> dict[int, str]:
        """The class attribute of each node that has one, as the page has it."""
        return self.nodes.attributes.having("class")

    @cached_property
    def classes(self) -> dict[int, tuple[str, ...]]:
        """The classes of each node that has some, numbers in them left out."""
        given = self.class_values
        names = {value: tuple(dict.fromkeys(DIGITS.sub("", value).split())) for value in set(given.values())}
        return {node: names[value] for node, value in given.items()}

    @cached_property
    def roles(self) -> dict[int, str]:
        """The role of each node that has one."""
        return {node: value.strip().lower() for node, value in self.nodes.attributes.having("role").items()}

    @cached_property
    def shapes(self) -> Shapes:
        """The shape of every node."""
        return read_shapes(self)


@dataclass(frozen=True, eq=False)
class Shapes:
    """The sets of features of all nodes, one after another, and one number that stands for each set."""

    features: Hashes
    start: NDArray[np.int64]
    digest: Hashes
    known: dict[int, frozenset[int]]

    def of(self, node: int) -> frozenset[int]:
        """Give the features of one node; nodes of the same shape share one set."""
        key = int(self.digest[node])
        found = self.known.get(key)
        if found is None:
            found = frozenset(self.features[self.start[node] : self.start[node + 1]].tolist())
            self.known[key] = found
        return found


def likeness(one: frozenset[int], other: frozenset[int]) -> float:
    """Compare two shapes: 1 for the same, 0 for nothing in common (Dice)."""
    if one is other:
        return 1.0
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 1.0


def read_shapes(columns: Columns) -> Shapes:
    """Collect the paths and classes below every node, level by level."""
    nodes, count = columns.nodes, len(columns.nodes)
    shown = (columns.content > 0) & ~columns.is_formatting & (columns.is_text | (nodes.kind == Kind.ELEMENT))
    taking_part = np.flatnonzero(shown).astype(np.int32)
    labels = columns.label[taking_part]
    owner: NDArray[np.int32] = taking_part
    path, pairs = labels * MULTIPLIER, [_pack(taking_part, labels)]
    with np.errstate(over="ignore"):
        for _ in range(REACH):
            owner = columns.holder[owner]
            pairs.append(_pack(owner, path))
            path = (path + columns.label[owner]) * MULTIPLIER
        pairs.extend(_class_pairs(columns))
        packed = np.unique(np.concatenate(pairs))
        owners = (packed >> FEATURE_BITS).astype(np.int64)
        features = packed & ((np.uint64(1) << FEATURE_BITS) - np.uint64(1))
        start = np.searchsorted(owners, np.arange(count + 1))
        mixed = (features + np.uint64(1)) * MULTIPLIER
        total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed ^ (mixed >> np.uint64(29)), dtype=np.uint64)])
        digest = total[start[1:]] - total[start[:-1]]
    return Shapes(features, start, digest, {})


def _pack(owner: NDArray[np.integer], feature: Hashes) -> Hashes:
    mixed = feature ^ (feature >> np.uint64(31))
    return np.asarray((owner.astype(np.uint64) << FEATURE_BITS) | (mixed >> (np.uint64(64) - FEATURE_BITS)))


def _class_pairs(columns: Columns) -> list[Hashes]:
    """Give classes as features of the node that has them and of the nodes closely above it."""
    times: dict[str, int] = {}
    for names in columns.classes.values():
        for name in names:
            times[name] = times.get(name, 0) + 1
    numbers = {name: hash_of("." + name) for name, found in times.items() if found > 1}
    filled = (columns.content > 0).tolist()
    having = np.array([node for node in columns.classes if filled[node]], dtype=np.int32)
    told = {names: [numbers[name] for name in names if name in numbers] for names in set(columns.classes.values())}
    lists = [told[columns.classes[node]] for node in having.tolist()]
    owner = np.repeat(having, [len(each) for each in lists])
    words = np.array([word for each in lists for word in each], dtype=np.uint64)
    pairs = []
    for level in range(CLASS_REACH + 1):
        pairs.append(_pack(owner, words * MULTIPLIER + np.uint64(level)))
        owner = columns.holder[owner]
    return pairs


def hash_of(word: str) -> int:
    """Give the same number for the same word in every run."""
    return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
