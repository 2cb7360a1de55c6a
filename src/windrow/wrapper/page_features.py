"""What can be said of the place of every node, as columns of hashes that are compared at once for the whole page.

A place is known by its tags, by its classes, by its ordinals, and by the texts around it. Names of tags and
classes have the same numbers in every process. Texts have the numbers of one process, which cost nothing; what is kept
for later are the texts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind
from windrow.nodes.boilerplate import find_landmarks
from windrow.nodes.hashes import BASE, MASK, hash_name, hash_names, hash_paths
from windrow.nodes.inline import INLINE_TAGS
from windrow.nodes.strikes import find_struck
from windrow.wrapper.normalization import is_blank, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from windrow.geometry import Mask
    from windrow.nodes import Nodes
    from windrow.nodes.columns import Ids
    from windrow.nodes.hashes import Hashes

UNREAD = frozenset("head iframe noembed noframes noscript script style template title".split())
"""Elements whose text nobody reads."""
DIGIT = re.compile(r"\d")
OWN_DIGITS = 3
"""A word with so many digits names one page, not the template."""
KEPT = "_wrapper_evidence"
DEEP = frozenset({"template"})
NOTHING = np.zeros(1, dtype=np.uint64)
ELEMENT, TEXT_KIND = Kind.ELEMENT.value, Kind.TEXT.value
ORDINAL = 0xC2B2AE3D27D4EB4F
"""What ordinals are multiplied with, so that they differ from all other numbers."""
RANK = 0x165667B19E3779F9
"""The same for ranks."""
TEXT = "#text"
"""What stands for the tag of a text."""
BOILERPLATE = ("navigation", "footer", "sidebar")
"""The parts of a page that show what belongs to other pages."""


@dataclass(frozen=True, eq=False)
class PageFeatures:
    """The columns of one page; each is computed when it is first asked for."""

    nodes: Nodes

    @cached_property
    def up(self) -> NDArray[np.intp]:
        """The parent of each node, the document its own."""
        return np.maximum(self.nodes.parent, 0).astype(np.intp)

    @cached_property
    def is_element(self) -> Mask:
        """Which nodes are elements."""
        return np.asarray(self.nodes.kind == ELEMENT)

    @cached_property
    def tag(self) -> Hashes:
        """The tag of each element; a word of its own for texts."""
        column: Hashes = hash_names([*self.nodes.tag.words, TEXT])[self.nodes.tag.codes]
        column[0] = 0
        return column

    @cached_property
    def classes(self) -> dict[int, str]:
        """The class attribute of each element that has one."""
        return self.nodes.attributes.having("class")

    @cached_property
    def ids(self) -> dict[int, str]:
        """The id of each element that has one."""
        return self.nodes.attributes.having("id")

    @cached_property
    def key(self) -> Hashes:
        """Tag and classes together, without those classes that carry numbers."""
        return self._with_names(self.classes)

    def _with_names(self, named: Mapping[int, str]) -> Hashes:
        """Return the numbers of the tags, with those of what some elements are called."""
        column = self.tag.copy()
        column[np.fromiter(named, np.intp, len(named))] += np.fromiter(map(hash_classes, named.values()), np.uint64)
        return column

    @cached_property
    def ordinal(self) -> Hashes:
        """Which of its siblings of the same tag a node is, from 0; blank texts do not count."""
        nodes = self.nodes
        counted = np.flatnonzero(self.is_element | self.is_text)
        column = np.zeros(len(nodes), dtype=np.int64)
        group = self.up[counted] * (len(nodes.tag.words) + 1) + nodes.tag.codes[counted] + 1
        order = np.argsort(group, kind="stable")
        column[counted[order]] = run_ranks(group[order])
        return column.view(np.uint64)

    @cached_property
    def tag_path(self) -> Hashes:
        """The tags from the document down, of every node."""
        return np.asarray(self.paths[0])

    @cached_property
    def key_path(self) -> Hashes:
        """The tags and classes from the document down, of every node."""
        return np.asarray(self.paths[1])

    @cached_property
    def exact_path(self) -> Hashes:
        """The tags and ordinals from the document down, of every node."""
        return np.asarray(self.paths[2])

    @cached_property
    def paths(self) -> Hashes:
        """The ways from the document down to every node: by tags, by tags and classes, by tags and ordinals."""
        by_ordinal = self.tag + (self.ordinal + np.uint64(1)) * np.uint64(ORDINAL)
        return hash_paths(self.nodes, np.stack([self.tag, self.key, by_ordinal]))

    @cached_property
    def around(self) -> Hashes:
        """The tags from the nearest element above an element that has a name down to it, and that name."""
        ids = {node: name for node, value in self.ids.items() if (name := name_element("", steady_class(value)))}
        labels = self._with_names(self.classes | ids)
        paths = hash_paths(self.nodes, labels, begins=labels != self.tag)
        return np.asarray(paths[self.up] * np.uint64(BASE) + self.tag)

    def count_alike(self, node: int) -> int:
        """Return how many nodes stand in the same tags and classes, this one among them."""
        return self._alike_counts[int(self.key_path[node])]

    @cached_property
    def _alike_counts(self) -> dict[int, int]:
        ways, counts = np.unique(self.key_path, return_counts=True)
        return dict(zip(ways.tolist(), counts.tolist(), strict=True))

    # Texts.

    @cached_property
    def is_read(self) -> Mask:
        """Which nodes are not inside an element whose text nobody reads, or by the browser are not seen."""
        if self.nodes.layout is not None:
            return self.nodes.visible
        tags = self.nodes.tag
        # Only a template holds elements; all others of these hold nothing but text.
        unread = tags.is_in(UNREAD)
        return ~(self.nodes.inside(unread) if DEEP & set(tags.words) else unread[self.up])

    @cached_property
    def _shown_texts(self) -> tuple[list[int], list[str]]:
        text = self.nodes.text
        candidates = np.flatnonzero((self.nodes.kind == TEXT_KIND) & self.is_read).tolist()
        words = list(map(" ".join, map(str.split, map(text.__getitem__, candidates))))
        if not all(map(str.isascii, words)):
            words = [word if word.isascii() else shown(word) for word in words]
            words = [word if word.isascii() or not is_blank(word) else "" for word in words]
        return list(compress(candidates, words)), list(filter(None, words))

    @cached_property
    def texts(self) -> NDArray[np.intp]:
        """The text nodes that show something, in document order."""
        return np.array(self._shown_texts[0], dtype=np.intp)

    @property
    def words(self) -> list[str]:
        """What each of them shows."""
        return self._shown_texts[1]

    @cached_property
    def block(self) -> NDArray[np.intp]:
        """The nearest element around each shown text that is not inline."""
        block = self.up[self.texts]
        while (inline := self.is_inline[block] & (self.up[block] > 0)).any():
            block = np.where(inline, self.up[block], block)
        return block

    def rank_in_block(self, ranks: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return which of the shown texts of its block each of some shown texts is, from 0."""
        return np.asarray(ranks - np.searchsorted(self.texts, self.block[ranks]), np.int64)

    @cached_property
    def is_text(self) -> Mask:
        """Which nodes are texts that show something."""
        column = np.zeros(len(self.nodes), dtype=bool)
        column[self.texts] = True
        return column

    @cached_property
    def word_hash(self) -> Hashes:
        """The hashes of the shown texts, with one of nothing at both ends."""
        return np.concatenate([NOTHING, hash_texts(self.words), NOTHING])

    @cached_property
    def before(self) -> NDArray[np.intp]:
        """How many shown texts stand before each one, up to the nearest that holds: what is struck out names nothing.

        The last entry is that of the page's end.
        """
        numbers = np.arange(1, len(self.texts) + 1)
        return np.concatenate([[0], np.maximum.accumulate(np.where(self.struck[self.texts], 0, numbers))])

    @cached_property
    def after(self) -> NDArray[np.intp]:
        """The rank of the nearest text that holds at each rank or after it; the number of texts where none does."""
        count = len(self.texts)
        ranks = np.where(self.struck[self.texts], count, np.arange(count))
        return np.concatenate([np.minimum.accumulate(ranks[::-1])[::-1], [count]])

    def text_before(self, rank: int) -> str:
        """Return the nearest text before a rank that holds; empty where none does."""
        count = self.before.item(rank)
        return self.words[count - 1] if count else ""

    def text_after(self, rank: int) -> str:
        """Return the nearest text at a rank or after it that holds; empty where none does."""
        at = self.after.item(rank)
        return self.words[at] if at < len(self.words) else ""

    @cached_property
    def first_text(self) -> Ids:
        """The rank of the first shown text at or after each node."""
        return self._texts_before[:-1]

    @cached_property
    def last_text(self) -> Ids:
        """The rank of the first shown text after each node's end."""
        return np.asarray(self._texts_before[self.nodes.end])

    @cached_property
    def _texts_before(self) -> Ids:
        """How many shown texts stand before each node, and on the whole page."""
        column = np.zeros(len(self.nodes) + 1, dtype=np.int32)
        np.cumsum(self.is_text, out=column[1:])
        return column

    def showing(self, nodes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return those of some nodes that show a text."""
        return np.asarray(nodes[self.first_text[nodes] < self.last_text[nodes]])

    def rank_of(self, text: int) -> int:
        """Return the rank of a shown text among all of them."""
        return bisect_left(self._shown_texts[0], text)

    def text_of(self, node: int) -> str:
        """Return the shown text of a node: pieces of different blocks and cells a space apart."""
        if self.is_text[node]:
            return self.words[self.rank_of(node)]
        return self.text_between(int(self.first_text[node]), int(self.last_text[node]))

    def text_between(self, first: int, last: int) -> str:
        """Return some shown texts that follow each other, by the rank of the first and of the one after the last."""
        if last - first == 1:
            return self.words[first]
        if last == first:
            return ""
        raw, pieces = self.nodes.text, []
        texts = self.texts[first:last].tolist()
        for number, text in enumerate(texts):
            if number and self._parted(texts[number - 1], text):
                pieces.append(" ")
            pieces.append(raw[text])
        return shown("".join(pieces))

    def seen_text_of(self, node: int) -> str:
        """Return the text of a node without what its markup hides, which is not pasted along."""
        first, last = int(self.first_text[node]), int(self.last_text[node])
        texts = range(first, last) if not self.is_text[node] else [self.rank_of(node)]
        return " ".join(self.words[rank] for rank in texts if self.nodes.visible[self.texts[rank]])

    def _parted(self, one: int, other: int) -> bool:
        """Whether something other than inline markup, or blank text, stands between two texts."""
        between = range(one + 1, other)
        if any(not self.is_element[node] or not self.is_inline[node] for node in between):
            return True
        node = one
        while self.nodes.end[node] <= other:
            if self.is_element[node] and not self.is_inline[node]:
                return True
            node = int(self.up[node])
        return False

    @cached_property
    def boilerplate(self) -> Mask:
        """Which nodes stand beside the page's own content."""
        return find_landmarks(self.nodes, BOILERPLATE)

    @cached_property
    def struck(self) -> Mask:
        """Which nodes are struck through, as what no longer holds is: by a tag around them, or by the page's styles."""
        return find_struck(self.nodes)

    def is_struck(self, node: int) -> bool:
        """Whether a node is struck through."""
        return bool(self.struck[node])

    @cached_property
    def is_inline(self) -> Mask:
        """Which elements are inline by their tag."""
        return self.nodes.tag.is_in(INLINE_TAGS)


def run_ranks(group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each member of a run of equal values its number in the run, from 0."""
    place = np.arange(len(group))
    begins = np.where(np.diff(group, prepend=-1) != 0, place, 0)
    return place - np.maximum.accumulate(begins)


@lru_cache(maxsize=8192)
def steady_class(value: str) -> str:
    """Return classes without those that carry a number of the page's own."""
    return " ".join(word for word in value.split() if len(DIGIT.findall(word)) < OWN_DIGITS)


def name_element(names: str, own_id: str) -> str:
    """Return what an element is called in its template: its id, else its classes; nothing where it has neither."""
    return f"#{own_id}" if own_id else names


@lru_cache(maxsize=8192)
def hash_classes(value: str) -> int:
    """Return what classes add to the number of their element's tag."""
    return hash_name(steady_class(value)) * BASE & MASK


def features_of(nodes: Nodes) -> PageFeatures:
    """Return the features of a page; it is kept beside the page's other columns, so that all verbs share it."""
    kept: dict[str, PageFeatures] = vars(nodes)
    if KEPT not in kept:
        kept[KEPT] = PageFeatures(nodes)
    return kept[KEPT]


def hash_text(text: str) -> int:
    """Return the number of a text; 0 for an empty one."""
    return hash(text) & MASK if text else 0


def hash_texts(texts: Sequence[str]) -> Hashes:
    """Return the numbers of many texts, none of them empty."""
    return np.fromiter(map(hash, texts), np.int64, len(texts)).view(np.uint64)


def hash_key(tag: str, names: str) -> int:
    """Return the number of a tag with its classes."""
    return (hash_name(tag) + hash_name(names) * BASE) & MASK
