"""The page as lines of text, one entry a block: what list items are looked for in.

A line is what stands between two breaks of the visible text. Its columns say which block holds it, by which tag path
it is reached, how it is set off, whether a number leads it, and whether it is boilerplate.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.nodes import Kind
from windrow.nodes.boilerplate import find_boilerplate, find_landmarks
from windrow.nodes.hashes import hash_names, hash_paths
from windrow.nodes.inline import INLINE_DISPLAYS
from windrow.toplist.numbering import BARE, MARKED, Label, find_label_words, read_label

if TYPE_CHECKING:
    from windrow.geometry import Mask
    from windrow.nodes import Nodes
    from windrow.toplist.language import Language

GROUPING = frozenset({"div", "span", "section", "article", "figure", "header", "main", "center"})
"""Tags that only group."""
TEXT = "#text"
"""What stands for the tag of a text."""
TEXT_LEVEL = 7
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BOLD = frozenset({"b", "strong"})
BOLD_WEIGHT = 600
LONGEST_HEADING = 200  # not a decision: a limit to what the expression reads
OPENING = 3  # not a decision: how fast most lines are passed over
"""Letters by which most lines are told to be no heading of the article."""
SHORT = 80
"""Characters of a line that can be a name and nothing else."""
LONGEST_NUMBER = 3
"""Digits of a number that may lead an item."""
LABELS_BELOW = frozenset("#№Nn")
LABEL_BELOW = re.compile(r"(?:#|№|[Nn]o\.?\s?)(\d{1,3})\s+(?:of|out of)\s+\d{1,3}\b")
""""#3 of 21" under a name."""
BOILERPLATE = ("navigation", "footer", "sidebar", "form", "controls", "dialog", "contents", "comments", "promotion")
"""The parts of a page in which no ranked list stands."""
LANDMARKS = ("navigation", "footer")
"""The parts that are none of the content where their tag says so, however large they are."""
LARGEST_BOILERPLATE = 0.2
"""Share of the text beyond which a part is content, whatever its name says."""
Ids = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Lines:
    """Columns, one entry a line, in the order of the page."""

    nodes: Nodes
    texts: list[str]
    start: Ids
    """Where the line begins in the page's visible text."""
    first: Ids
    """The first text node of each line."""
    last: Ids
    """The last text node of each line."""
    language: Language

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.texts)

    @cached_property
    def block(self) -> Ids:
        """The block element that each line stands in."""
        return self.nearest(~self.nodes.display.is_in(INLINE_DISPLAYS))

    def nearest(self, mask: Mask) -> Ids:
        """Return the nearest marked node around each line's first text; -1 where there is none."""
        return self.nodes.nearest(mask)[self.first].astype(np.int64)

    @cached_property
    def path(self) -> Ids:
        """The tag path of each line's block (TOPK, Algorithm 1), as a number."""
        return hash_paths(self.nodes, self._tags).view(np.int64)[self.block]

    @cached_property
    def similar_path(self) -> Ids:
        """The same without the tags that only group: the paper's "very similar" paths."""
        skipped = self.nodes.tag.is_in(GROUPING)
        return hash_paths(self.nodes, self._tags, skipped=skipped).view(np.int64)[self.block]

    @cached_property
    def _tags(self) -> NDArray[np.uint64]:
        names: NDArray[np.uint64] = hash_names([*self.nodes.tag.words, TEXT])
        return np.asarray(names[self.nodes.tag.codes])

    @cached_property
    def heading(self) -> Ids:
        """The heading element around each line; -1 for lines that are none."""
        return self.nearest(self.nodes.tag.is_in(frozenset(HEADINGS)))

    @cached_property
    def level(self) -> NDArray[np.int8]:
        """The level of each line's heading; 0 for lines that are none."""
        of_word = np.array(
            [HEADINGS.index(word) + 1 if word in HEADINGS else 0 for word in self.nodes.tag.words] + [0], dtype=np.int8
        )
        return np.where(self.heading >= 0, of_word[self.nodes.tag.codes[self.heading]], 0).astype(np.int8)

    @cached_property
    def item(self) -> Ids:
        """The list item around each line; -1 where there is none."""
        return self.nearest(self.nodes.tag.is_in(frozenset({"li", "dt"})))

    @cached_property
    def row(self) -> Ids:
        """The table row around each line; -1 where there is none."""
        return self.nearest(self.nodes.tag.is_in(frozenset({"tr"})))

    @cached_property
    def link(self) -> Ids:
        """The link around each line's first text; -1 where there is none."""
        return self.nearest(self.nodes.tag.is_in(frozenset({"a"})))

    @cached_property
    def bold_nodes(self) -> Mask:
        """Which nodes stand in bold."""
        if self.nodes.layout:
            return np.asarray(self.nodes.layout.font_weight >= BOLD_WEIGHT)
        return self.nodes.inside(self.nodes.tag.is_in(BOLD))

    @cached_property
    def bold(self) -> Mask:
        """Which lines begin in bold."""
        return np.asarray(self.bold_nodes[self.first])

    @cached_property
    def in_content(self) -> Mask:
        """Which lines are no boilerplate; all where none is."""
        beside = find_boilerplate(self.nodes, BOILERPLATE, LARGEST_BOILERPLATE)
        content = ~(beside | find_landmarks(self.nodes, LANDMARKS))[self.first]
        return content if content.any() else ~content

    @cached_property
    def label_words(self) -> frozenset[str]:
        """The words that the content of the page writes before numbers that lead its lines."""
        return find_label_words(compress(self.texts, self.in_content.tolist()))

    @cached_property
    def labels(self) -> list[Label | None]:
        """The number that leads each line of the content, be it alone on the line before."""
        words = self.label_words
        found = [
            read_label(text, words) or self._number_apart(place) if inside else None
            for place, (text, inside) in enumerate(zip(self.texts, self.in_content.tolist(), strict=True))
        ]
        alone = [(place, label) for place, label in enumerate(found) if label and not label.rest]
        side = -1 if self._name_first([place for place, _ in alone]) else 1
        for place, label in alone:
            named = place + side
            if 0 <= named < len(found) and ((taken := found[named]) is None or taken.strength == BARE):
                found[named] = Label(label.number, 0, self.texts[named])
        for place, text in enumerate(self.texts[1:]):
            if text[:1] in LABELS_BELOW and (later := LABEL_BELOW.match(text)) and found[place] is None:
                found[place], found[place + 1] = Label(int(later[1]), MARKED, self.texts[place]), None
        return [label if label and label.rest else None for label in found]

    def _name_first(self, alone: list[int]) -> bool:
        """Whether numbers alone on their lines stand below the headings that they belong to, and not above them."""
        headed = np.append(self.level > 0, [False, False])
        places = np.array(alone, dtype=np.int64)
        return int((headed[places - 1] & ~headed[places + 1]).sum()) * 2 > len(alone)

    def _number_apart(self, place: int) -> Label | None:
        """Read a number that only its element sets off from what follows: "1" and "Boskoop" in two spans."""
        text = self.texts[place]
        if not text[0].isdecimal():
            return None
        number = text[: int(self.nodes.spans.end[self.first[place]] - self.start[place])]
        rest = text[len(number) :]
        if not number.isdecimal() or len(number) > LONGEST_NUMBER or not rest[:1].isupper():
            return None
        return Label(int(number), BARE, rest)

    @cached_property
    def article_heading(self) -> list[bool]:
        """Which lines are headings of the article and no items: a conclusion, a question, a promotion, a bonus."""
        return [
            inside and is_article_heading(label.rest if label else text, self.language, labelled=bool(label))
            for text, label, inside in zip(self.texts, self.labels, self.in_content.tolist(), strict=True)
        ]

    @cached_property
    def container(self) -> list[int]:
        """The element around the block of each line."""
        around: list[int] = self.nodes.parent[self.block].tolist()
        return around

    @cached_property
    def headings_above(self) -> list[list[int]]:
        """For each line, how many headings above its own level stand before each line; any heading is above text."""
        levels = self.level.tolist()
        above = {}
        for own in set(levels):
            mask = (self.level > 0) & (self.level < (own or TEXT_LEVEL))
            above[own] = np.concatenate([[0], np.cumsum(mask)]).tolist()
        return [above[own] for own in levels]

    @cached_property
    def lengths(self) -> Ids:
        """Characters of each line."""
        return np.fromiter(map(len, self.texts), np.int64, len(self.texts))


def read_lines(nodes: Nodes, language: Language) -> Lines:
    """Cut the visible text into lines and find the text nodes of each."""
    texts = nodes.spans.text.split("\n")
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    start = np.concatenate([[0], np.cumsum(lengths + 1)[:-1]])
    shows = np.fromiter(map(bool, map(str.strip, texts)), bool, len(texts))  # a no-break space alone names nothing
    start, lengths = start[shows], lengths[shows]
    shown = np.flatnonzero((nodes.kind == Kind.TEXT) & nodes.visible & (nodes.spans.end > nodes.spans.start))
    if not len(shown):
        none = np.zeros(0, dtype=np.int64)
        return Lines(nodes, [], none, none, none, language)
    # Preformatted text has several lines in one node: the first node of a line is the first that ends after its start.
    first = np.minimum(np.searchsorted(nodes.spans.end[shown], start, side="right"), len(shown) - 1)
    last = np.maximum(np.searchsorted(nodes.spans.start[shown], start + lengths) - 1, first)
    return Lines(nodes, list(compress(texts, shows.tolist())), start, shown[first], shown[last], language)


def is_article_heading(text: str, language: Language, *, labelled: bool) -> bool:
    """Whether a line, its label taken off, belongs to the article and not to its list.

    What is numbered like the items is one, but for a bonus, or a conclusion and nothing else.
    """
    openings, pattern = _heading_pattern(language)
    if text[:OPENING].lower() not in openings:
        return False
    folded = text[:LONGEST_HEADING].lower()
    found = pattern.match(folded)
    if not found:
        return False
    return bool(found["bonus"]) or not labelled or found.end() == len(folded.rstrip(" :.!"))


@cache
def _heading_pattern(language: Language) -> tuple[frozenset[str], re.Pattern[str]]:
    """Return how such lines begin, and the expression that tells them."""
    openings = frozenset(phrase[:OPENING] for phrase in (*language.bonus, *language.article_headings))
    return openings, re.compile(rf"(?:(?P<bonus>{_any_of(language.bonus)})|{_any_of(language.article_headings)})(?!\w)")


def _any_of(phrases: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))
