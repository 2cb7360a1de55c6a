"""What can be said of the place of every node, as columns of hashes that are compared at once for the whole page.

A place is known by its tags, by its classes and ids, by its ordinals, and by the texts around it. Hashes are of one
process only; what is kept for later are the words they are made of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from windrow.nodes import Kind
from windrow.wrapper.writing import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.geometry import Mask
    from windrow.nodes import Nodes
    from windrow.nodes.columns import Ids

Hashes: TypeAlias = NDArray[np.uint64]

UNREAD = frozenset("script style noscript template head title".split())
"""Elements whose text nobody reads."""
DIGIT = re.compile(r"\d")
OWN_DIGITS = 3
"""A word with so many digits names one page, not the template."""
KEPT = "_wrapper_evidence"
DEEP = frozenset({"template"})
BASE = 0x9E3779B97F4A7C15
ORDINAL = 0xC2B2AE3D27D4EB4F
MASK = (1 << 64) - 1


def word_hash(word: str) -> int:
    """Give the hash of a word; nothing has 0."""
    return hash(word) & MASK if word else 0


def words_hash(words: Sequence[str]) -> Hashes:
    """Give the hashes of many words."""
    return np.array([hash(word) if word else 0 for word in words], dtype=np.int64).view(np.uint64)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The columns of one page; each is computed when it is first asked for."""

    nodes: Nodes

    @cached_property
    def up(self) -> Ids:
        """The parent of each node, the document its own."""
        return np.maximum(self.nodes.parent, 0)

    @cached_property
    def is_element(self) -> Mask:
        """Which nodes are elements."""
        return np.asarray(self.nodes.kind == Kind.ELEMENT)

    @cached_property
    def tag(self) -> Hashes:
        """The tag of each element; a word of its own for texts."""
        of_word = words_hash([*self.nodes.tag.words, "#text"])
        column: Hashes = of_word[self.nodes.tag.codes]
        column[0] = 0
        return column

    @cached_property
    def name(self) -> Hashes:
        """The classes of each element; 0 where it has none."""
        column = np.zeros(len(self.nodes), dtype=np.uint64)
        column[list(self.classes)] = words_hash(list(self.classes.values()))
        return column

    @cached_property
    def classes(self) -> dict[int, str]:
        """The classes of each element that has some, without those that carry numbers."""
        return {node: steady_class(value) for node, value in self.nodes.attributes.having("class").items()}

    @cached_property
    def ident(self) -> Hashes:
        """The id or itemprop of each element; 0 where it has none that a template would give."""
        column = np.zeros(len(self.nodes), dtype=np.uint64)
        for attribute in ("id", "itemprop"):
            found = self.nodes.attributes.having(attribute)
            column[list(found)] = words_hash([steady_id(value) for value in found.values()])
        return column

    @cached_property
    def key(self) -> Hashes:
        """Tag and classes together."""
        return self.tag + self.name * np.uint64(BASE)

    @cached_property
    def ordinal(self) -> Hashes:
        """Which of its siblings of the same tag a node is, from 0; blank texts do not count."""
        nodes = self.nodes
        counted = np.flatnonzero(self.is_element | self.is_text)
        column = np.zeros(len(nodes), dtype=np.int64)
        group = self.up[counted].astype(np.int64) * (len(nodes.tag.words) + 1) + nodes.tag.codes[counted] + 1
        order = np.argsort(group, kind="stable")
        column[counted[order]] = run_ranks(group[order])
        return column.view(np.uint64)

    @property
    def tag_path(self) -> Hashes:
        """The tags from the document down."""
        column: Hashes = self._paths[0]
        return column

    @property
    def key_path(self) -> Hashes:
        """The tags and classes from the document down."""
        column: Hashes = self._paths[1]
        return column

    @property
    def exact_path(self) -> Hashes:
        """The tags with their ordinals from the document down."""
        column: Hashes = self._paths[2]
        return column

    @cached_property
    def _paths(self) -> Hashes:
        """Sum up what each node has with what its ancestors have, by doubling; all three at once."""
        exact = self.tag + (self.ordinal + np.uint64(1)) * np.uint64(ORDINAL)
        total, up = np.stack([self.tag, self.key, exact]), self.up
        total[:, 0] = 0
        factor = BASE
        while up.any():
            total += np.uint64(factor) * total[:, up]
            up = up[up]
            factor = factor * factor & MASK
        return total

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
    def _shown_texts(self) -> tuple[Ids, list[str]]:
        candidates = np.flatnonzero((self.nodes.kind == Kind.TEXT.value) & self.is_read).tolist()
        text = self.nodes.text
        solid = [node for node in candidates if not text[node].isspace()]
        words = [shown(text[node]) for node in solid]
        if "" in words:  # nothing but characters without width
            solid = [node for node, shows in zip(solid, words, strict=True) if shows]
            words = [shows for shows in words if shows]
        return np.array(solid, dtype=np.int32), words

    @property
    def texts(self) -> Ids:
        """The text nodes that show something, in document order."""
        return self._shown_texts[0]

    @property
    def words(self) -> list[str]:
        """What each of them shows."""
        return self._shown_texts[1]

    @cached_property
    def is_text(self) -> Mask:
        """Which nodes are texts that show something."""
        column = np.zeros(len(self.nodes), dtype=bool)
        column[self.texts] = True
        return column

    @cached_property
    def text_hash(self) -> Hashes:
        """The hashes of the shown texts, with two of nothing at both ends."""
        return np.concatenate([np.zeros(2, np.uint64), words_hash(self.words), np.zeros(2, np.uint64)])

    @cached_property
    def first_text(self) -> Ids:
        """The rank of the first shown text at or after each node."""
        return np.searchsorted(self.texts, np.arange(len(self.nodes))).astype(np.int32)

    @cached_property
    def last_text(self) -> Ids:
        """The rank of the first shown text after each node's end."""
        return np.searchsorted(self.texts, self.nodes.end).astype(np.int32)

    @cached_property
    def before(self) -> Hashes:
        """The text before each node."""
        return self.text_hash[self.first_text + 1]

    @cached_property
    def after(self) -> Hashes:
        """The text after each node."""
        return self.text_hash[self.last_text + 2]

    def rank_of(self, text: int) -> int:
        """Give the rank of a shown text among all of them."""
        return int(np.searchsorted(self.texts, text))

    def text_of(self, node: int) -> str:
        """Give the shown text of a node: pieces of different blocks and cells a space apart."""
        if self.nodes.kind[node] == Kind.TEXT.value:
            return self.words[self.rank_of(node)]
        first, last = int(self.first_text[node]), int(self.last_text[node])
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

    def _parted(self, one: int, other: int) -> bool:
        """Say whether something other than inline markup, or blank text, stands between two texts."""
        between = range(one + 1, other)
        if any(self.nodes.kind[node] != Kind.ELEMENT or not self.is_inline[node] for node in between):
            return True
        node = one
        while self.nodes.end[node] <= other:
            if self.is_element[node] and not self.is_inline[node]:
                return True
            node = int(self.up[node])
        return False

    @cached_property
    def is_inline(self) -> Mask:
        """Which elements are inline by their tag."""
        return self.nodes.tag.is_in(INLINE)


INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike "
    "strong sub sup time tt u var wbr".split()
)


def run_ranks(group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give each member of a run of equal values its number in the run, from 0."""
    if not len(group):
        return np.zeros(0, dtype=np.int64)
    begins = np.concatenate([[True], group[1:] != group[:-1]])
    starts = np.flatnonzero(begins)
    return np.asarray(np.arange(len(group)) - np.repeat(starts, np.diff([*starts.tolist(), len(group)])))


@lru_cache(maxsize=8192)
def steady_class(value: str) -> str:
    """Give classes without those that carry a number of the page's own."""
    return " ".join(word for word in value.split() if len(DIGIT.findall(word)) < OWN_DIGITS)


@lru_cache(maxsize=8192)
def steady_id(value: str) -> str:
    """Give an id, or nothing where it carries a number of the page's own."""
    return "" if len(DIGIT.findall(value)) >= OWN_DIGITS else value.strip()


def evidence_of(nodes: Nodes) -> Evidence:
    """Give the evidence of a page; it is kept beside the page's other columns, so that all verbs share it."""
    kept: dict[str, Evidence] = vars(nodes)
    if KEPT not in kept:
        kept[KEPT] = Evidence(nodes)
    return kept[KEPT]
