"""Which records a page truly shows, as places on the page, and how well a list of records agrees with them.

Truth is given as rows of cells that people copied, or as XPaths. A row is found on its page by its longest cell; a
record agrees with it when it holds that place and no other row's, most of the row's words, and not much besides. A
record agrees with XPaths when their words are nearly the same.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.nodes import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windrow.nodes import Nodes

COVERED = 0.8
"""Share of a row's words that its record must hold; also of the words that a record shares with its XPaths."""
NEEDLE = 6
"""With how many of its words a cell is looked for, since people cut long ones short."""
SLACK = 30
"""Words that any record may have beyond three times the usual distance of two records."""
TOKEN = re.compile(r"[^\W\d_]+|\d+")
STEP = re.compile(r"([^\[\]]+)(?:\[(\d+)\])?")


@dataclass(frozen=True)
class _Gold:
    """A true record: its first word's number on the page, and its words."""

    place: int
    words: Counter[str]


class Truth:
    """The true records of one page."""

    def __init__(self, nodes: Nodes, truth: dict[str, Any]) -> None:
        """Find them on the page."""
        text = nodes.spans.text
        found = list(TOKEN.finditer(text))
        self._nodes = nodes
        self._starts = [token.start() for token in found]
        self._words = [fold(token[0]) for token in found]
        self._by_path = "record_xpaths" in truth
        self.records = self._from_paths(truth["record_xpaths"]) if self._by_path else self._from_rows(truth["records"])
        self._places = [gold.place for gold in self.records]
        apart = [after - before for before, after in pairwise(self._places)]
        self._longest = SLACK + 3 * median(apart) if apart else len(self._words)

    def agreement(self, records: Iterable[Sequence[int]]) -> float:
        """Return the F1 of a list of records, each given by its nodes."""
        spans = [self._span(record) for record in records]
        shown = [(low, high) for low, high in spans if low < high]
        free = set(range(len(self.records)))
        for low, high in shown:
            free -= set(self._find_partner(low, high, free))
        return 2 * (len(self.records) - len(free)) / max(len(shown) + len(self.records), 1)

    def _find_partner(self, low: int, high: int, free: set[int]) -> list[int]:
        """Return the number of the true record that a stretch of words is, if it is one that is free."""
        first, last = bisect_left(self._places, low), bisect_left(self._places, high)
        words = Counter(self._words[low:high])
        if self._by_path:
            near = range(max(first - 1, 0), min(last + 1, len(self.records)))
            alike = (n for n in near if n in free and _jaccard(words, self.records[n].words) >= COVERED)
            return list(alike)[:1]
        if last - first != 1 or first not in free or high - low > self._longest:
            return []
        asked = self.records[first].words
        return [first] if (words & asked).total() >= COVERED * asked.total() else []

    def _span(self, record: Sequence[int]) -> tuple[int, int]:
        """Return which words of the page a record has."""
        spans = self._nodes.spans
        low, high = int(spans.start[record[0]]), int(spans.end[record[-1]])
        return bisect_left(self._starts, low), bisect_left(self._starts, high)

    def _from_rows(self, rows: Sequence[Sequence[str]]) -> list[_Gold]:
        """Find each row by its longest cell that is there, after the row before where it can be."""
        placed: dict[int, Counter[str]] = {}
        last = -1
        for row in rows:
            cells = sorted((cell for cell in map(split, row) if cell), key=len, reverse=True)
            places = next((some for cell in cells if (some := [at for at in self._find(cell) if at not in placed])), [])
            if places:
                last = next((place for place in places if place > last), places[0])
                placed[last] = Counter(word for cell in cells for word in cell)
        # Words of a row that do not stand between its neighbours were changed by whoever copied them.
        ordered = sorted(placed)
        around = zip([0, *ordered], [*ordered[1:], len(self._words)], strict=False)
        near = [Counter(self._words[before:after]) for before, after in around]
        return [_Gold(place, placed[place] & words) for place, words in zip(ordered, near, strict=True)]

    def _find(self, cell: list[str]) -> list[int]:
        """Return where a cell stands, by its first words, or else by its last ones."""
        for needle in (cell[:NEEDLE], cell[-NEEDLE:]):
            starts = (at for at, word in enumerate(self._words) if word == needle[0])
            if found := [at for at in starts if self._words[at : at + len(needle)] == needle]:
                return found
        return []

    def _from_paths(self, records: Sequence[Sequence[str]]) -> list[_Gold]:
        found = []
        for paths in records:
            nodes = [node for path in paths for node in find_path(self._nodes, path)]
            spans = [self._span([node]) for node in nodes]
            words = Counter(word for low, high in spans for word in self._words[low:high])
            if words:
                found.append(_Gold(min(low for low, high in spans if low < high), words))
        return sorted(found, key=lambda gold: gold.place)


def find_path(nodes: Nodes, path: str) -> list[int]:
    """Return the nodes at an absolute XPath of plain steps."""
    found = [0]
    for step in path.strip("/").split("/"):
        name, number = STEP.fullmatch(step).groups()  # type: ignore[union-attr]
        below = [nodes.children(node) for node in found]
        fitting = [some[_is_called(nodes, some, name)].tolist() for some in below]
        found = [node for some in fitting for node in (some if number is None else some[int(number) - 1 : int(number)])]
    return found


def _is_called(nodes: Nodes, some: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
    if name == "text()":
        return np.asarray(nodes.kind[some] == Kind.TEXT)
    return np.asarray((nodes.kind[some] == Kind.ELEMENT) & nodes.tag.is_in({name})[some])


def split(text: str) -> list[str]:
    """Return the words and numbers of a text, case and accents folded."""
    return [fold(token) for token in TOKEN.findall(text)]


def fold(word: str) -> str:
    """Return a word without case and accents."""
    plain = word if word.isascii() else unicodedata.normalize("NFKD", word)
    return "".join(char for char in plain.casefold() if not unicodedata.combining(char))


def _jaccard(one: Counter[str], other: Counter[str]) -> float:
    common = (one & other).total()
    return common / max(one.total() + other.total() - common, 1)
