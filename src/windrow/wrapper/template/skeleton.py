"""The skeleton of a page: its elements as a tree of tags, without texts and attributes, as a short line of text.

``body(div(h1) ul(3*li(a)) div/)`` is a body with a heading in a box, a list of three links, and a box that is
hidden. The fingerprint is what pages of one template have in common: which kinds of elements stand in which.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind, ListedAttributes, Nodes, Words
from windrow.nodes.hashes import BASE
from windrow.wrapper.page_features import ORDINAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from windrow.nodes.columns import Ids
    from windrow.wrapper.page_features import PageFeatures

LEFT_OUT = frozenset("head script style noscript template".split())
DEEP = frozenset({"template"})
"""Of these, what holds elements; the head stands before the body."""
HIDDEN = "/"
"""What marks a hidden element; no tag has it in its name."""
TOKEN = re.compile(r"(?:(\d+)\*)?([^\s()*/]+)(/)?(\()?|(\))")
NOT_PAIRED = LEFT_OUT | frozenset("link meta title html body".split())
"""Elements that are in no pair of a fingerprint."""
ROOTS = frozenset({"html", "body"})
"""Their classes often name the single page."""
BODY = "body"
FIRST = 2


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Depth and tag of every element that lays something out, in document order."""

    depth: NDArray[np.int64]
    tags: tuple[str, ...]
    hidden: NDArray[np.bool_]
    """Which of them nobody sees: by their tag, an attribute or their style."""

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """One number an element for its depth and tag; the same in every process."""
        numbers = {tag: zlib.crc32(tag.encode()) for tag in set(self.tags)}
        return np.array([numbers[tag] for tag in self.tags], dtype=np.int64) + (self.depth << 32)

    def subtree(self, element: int) -> NDArray[np.int64]:
        """Return the codes of an element and all that is in it."""
        outside = np.flatnonzero(self.depth[element + 1 :] <= self.depth[element])
        end = element + 1 + int(outside[0]) if len(outside) else len(self.depth)
        return self.codes[element:end]

    def children(self, element: int) -> list[tuple[int, int]]:
        """Return where each element directly in one begins and ends."""
        end = element + len(self.subtree(element))
        inside = self.depth[element + 1 : end] == self.depth[element] + 1
        return list(pairwise([*(np.flatnonzero(inside) + element + 1).tolist(), end]))

    def find(self, way: Sequence[tuple[str, int]]) -> int | None:
        """Return the element at the end of a way from the body: tags, and which of its siblings of that tag each is."""
        at = 0
        for tag, ordinal in way:
            same = [start for start, _ in self.children(at) if self.tags[start] == tag]
            if ordinal >= len(same):
                return None
            at = same[ordinal]
        return at

    def to_nodes(self) -> Nodes:
        """Return it as a page of nothing but elements; element ``n`` is node ``n + FIRST``, after document and root."""
        parents, way = [-1, 0], [1]
        for number, depth in enumerate(self.depth.tolist()):
            del way[depth + 1 :]
            parents.append(way[-1])
            way.append(number + FIRST)
        count = len(parents)
        kind = np.full(count, Kind.ELEMENT.value, dtype=np.uint8)
        kind[0] = Kind.DOCUMENT.value
        nothing = ListedAttributes([{}] * count)
        return Nodes(
            kind, np.array(parents, dtype=np.int32), Words.of(["", "html", *self.tags]), nothing, lambda: [""] * count
        )

    def to_line(self) -> str:
        """Write it as one line; equal neighbours are written once, with their number."""
        pending: dict[int, list[str]] = {}
        for depth, tag, is_hidden in zip(self.depth[::-1].tolist(), self.tags[::-1], self.hidden[::-1], strict=True):
            inside = pending.pop(depth + 1, None)
            name = tag + HIDDEN if is_hidden else tag
            own = f"{name}({grouped(inside[::-1])})" if inside else name
            pending.setdefault(depth, []).append(own)
        return grouped(pending.get(0, [])[::-1])

    @classmethod
    def from_line(cls, line: str) -> Skeleton:
        """Return what ``to_line`` wrote."""
        depths: list[int] = []
        tags: list[str] = []
        hidden: list[bool] = []
        open_groups: list[tuple[int, int]] = []
        for count, tag, mark, opens, closes in TOKEN.findall(line):
            if closes:
                start, times = open_groups.pop()
                depths += depths[start:] * (times - 1)
                tags += tags[start:] * (times - 1)
                hidden += hidden[start:] * (times - 1)
                continue
            times = int(count or 1)
            if opens:
                open_groups.append((len(tags), times))
            repeated = 1 if opens else times
            depths += [len(open_groups) - bool(opens)] * repeated
            tags += [tag] * repeated
            hidden += [bool(mark)] * repeated
        return cls(np.array(depths, dtype=np.int64), tuple(tags), np.array(hidden, dtype=bool))


def grouped(words: list[str]) -> str:
    """Write words one after the other, equal neighbours as a number and one of them."""
    groups: list[list[str]] = []
    for word in words:
        if groups and groups[-1][0] == word:
            groups[-1].append(word)
        else:
            groups.append([word])
    return " ".join(f"{len(group)}*{group[0]}" if len(group) > 1 else group[0] for group in groups)


def find_counted(nodes: Nodes) -> Ids:
    """Return the elements that a skeleton is made of: the body and what is in it, but for scripts and styles."""
    bodies = nodes.tag.where(BODY)
    start = int(bodies[0]) if len(bodies) else 0
    left_out = nodes.tag.is_in(LEFT_OUT)
    if DEEP & set(nodes.tag.words):
        left_out = nodes.inside(left_out)
    counted = (nodes.kind == Kind.ELEMENT) & ~left_out
    counted[:start] = False
    return np.flatnonzero(counted).astype(np.int32)


def read_skeleton(nodes: Nodes) -> Skeleton:
    """Read a page's skeleton; an element is as deep as elements of the skeleton are around it.

    The documents of frames, and what is left out, stand between elements and would leave gaps.
    """
    counted, words = find_counted(nodes), nodes.tag.words
    marked = np.zeros(len(nodes), dtype=bool)
    marked[counted] = True
    return Skeleton(
        nodes.count_around(marked)[counted] - 1,
        tuple(words[code] for code in nodes.tag.codes[counted].tolist()),
        ~nodes.visible[counted],
    )


def read_digest(nodes: Nodes, left_out: Iterable[tuple[int, int]] = ()) -> str:
    """Return a short word that is the same for pages of the same skeleton, and quick to find.

    What stands from the first up to the second of some nodes may be left out.
    """
    counted = find_counted(nodes)
    if spans := np.array(list(left_out), dtype=np.intp).reshape(-1, 2).T.tolist():
        depth = np.zeros(len(nodes) + 1, dtype=np.int32)
        np.add.at(depth, spans[0], 1)
        np.add.at(depth, spans[1], -1)
        counted = counted[np.cumsum(depth)[counted] == 0]
    rank = np.zeros(len(nodes) + 1, dtype=np.int32)
    rank[counted] = np.arange(len(counted), dtype=np.int32)
    tags = np.array([zlib.crc32(word.encode()) for word in nodes.tag.words], dtype=np.uint32)
    shape = rank[nodes.parent[counted]].tobytes() + tags[nodes.tag.codes[counted]].tobytes()
    return hashlib.blake2b(shape, digest_size=12).hexdigest()


@dataclass(frozen=True)
class Fingerprint:
    """Pairs of an element and the one around it, each by tag and classes, as short numbers."""

    always: frozenset[int]
    """What every example has."""
    ever: frozenset[int]
    """What any example has."""

    def likeness(self, pairs: frozenset[int]) -> float:
        """Return how much of the fingerprint is there, or how much of the page belongs to it, whichever is more.

        Pages of a template leave parts out, or add parts; a page of another template does both.
        """
        if not pairs or not self.always:
            return 1.0 if not pairs and not self.always else 0.0
        return max(len(self.always & pairs) / len(self.always), len(self.ever & pairs) / len(pairs))

    def overlap(self, pairs: frozenset[int]) -> float:
        """Return how many of all pairs are in both."""
        return len(self.always & pairs) / max(1, len(self.always | pairs))


def find_pairs(features: PageFeatures) -> frozenset[int]:
    """Return the pairs of a page."""
    return frozenset(np.unique(pairs_of(features, find_paired(features))).tolist())


def find_paired(features: PageFeatures) -> NDArray[np.intp]:
    """Return the elements that make a pair with the one around them."""
    return np.flatnonzero(features.is_element & ~features.nodes.tag.is_in(NOT_PAIRED))


def pairs_of(features: PageFeatures, elements: NDArray[np.intp]) -> NDArray[np.uint64]:
    """Return the pair of each of some elements."""
    tags, key = features.nodes.tag, features.key
    around = features.up[elements]
    outer = np.where(tags.is_in(ROOTS)[around], features.tag[around], key[around])
    return np.asarray((outer * np.uint64(BASE) + key[elements]) * np.uint64(ORDINAL) >> np.uint64(32))


def merge_fingerprints(pages: list[frozenset[int]]) -> Fingerprint:
    """Make one fingerprint of the pairs of all examples."""
    return Fingerprint(frozenset.intersection(*pages), frozenset.union(*pages))
