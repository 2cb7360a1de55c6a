"""From pasted text to the places on the page that show it, although white space, quotes, case and markup differ."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from windrow.nodes import Kind
from windrow.wrapper.normalization import folded, shown
from windrow.wrapper.spot import Spot

if TYPE_CHECKING:
    from windrow.wrapper.page_features import PageFeatures

Resolve: TypeAlias = Callable[[str, int], "str | None"]
"""From a reference and the node where it stands to an address in full; None where it is none."""
ADDRESSES = frozenset("href src data-src".split())
ATTRIBUTES = ("href", "src", "data-src", "datetime", "content", "value", "alt", "title")
"""Where a page holds what it does not display as text."""
NUMBER = re.compile(r"\W*\d+\W*")
WHOLE = re.compile(r"\D*\d+(?:[,.]\d{3})*")
FRACTION = re.compile(r"[.,]\d{1,2}(?![\d.,/-])")
SERIES = re.compile(r"\d[.,]$")
"""What tells that a figure goes on: its fraction stands behind, and no other figure before."""
MOST_PLACES = 12
"""Of a text that stands everywhere, so many places are looked at."""
MOST_GROWTH = 100
"""White space makes a text at most so many times as long."""


def address_in(attribute: str, value: str, node: int, resolve: Resolve | None) -> str:
    """Return what an attribute says: an address in full, anything else as it stands."""
    if attribute in ADDRESSES and resolve is not None:
        return resolve(value, node) or shown(value)
    return shown(value)


@dataclass(frozen=True)
class Occurrence:
    """A node that shows a pasted text, and what else it shows before and after it."""

    node: int
    prefix: str = ""
    suffix: str = ""
    attribute: str = ""
    """The attribute that holds it, where the page does not display it."""

    @property
    def is_exact(self) -> bool:
        """Whether the node shows the text and nothing else."""
        return not self.prefix and not self.suffix

    @property
    def is_whole_words(self) -> bool:
        """Whether the text does not begin or end within a word."""
        return not self.prefix[-1:].isalnum() and not self.suffix[:1].isalnum()

    def cuts_figure(self, text: str) -> bool:
        """Whether a text begins or ends within a figure here ("4.5" of "4.57", "49" of "49.00"): no page shows that."""
        goes_on_before = self.prefix[-1:].isdecimal() and text[:1].isdecimal()
        goes_on_behind = self.suffix[:1].isdecimal() and text[-1:].isdecimal()
        return (
            goes_on_before
            or goes_on_behind
            or bool(WHOLE.fullmatch(text) and FRACTION.match(self.suffix) and not SERIES.search(self.prefix))
        )

    @property
    def is_numbered(self) -> bool:
        """Whether nothing but a number stands before the text."""
        return not self.suffix and NUMBER.fullmatch(self.prefix) is not None

    @property
    def is_marked(self) -> bool:
        """Whether nothing but a mark stands before the text, as a box to tick or a bullet does."""
        return not self.suffix and bool(self.prefix) and not any(map(str.isalnum, self.prefix))

    def excess(self) -> int:
        """Count the characters that are shown besides."""
        return len(self.prefix) + len(self.suffix)


class TextIndex:
    """All shown texts of a page in the form in which they are compared, in one string."""

    def __init__(self, features: PageFeatures, resolve: Resolve | None = None, *, with_hidden: bool = True) -> None:
        """Fold the page's texts once; those that markup hides may be left out."""
        self.features = features
        self.resolve = resolve
        self.with_hidden = with_hidden
        self.pieces = [folded(words) for words in features.words]
        if not with_hidden:
            seen = features.nodes.visible[features.texts].tolist()
            self.pieces = [piece if shows else "" for piece, shows in zip(self.pieces, seen, strict=True)]
        self.whole = "".join(self.pieces)
        self.starts = [0, *accumulate(map(len, self.pieces))]

    def find(self, text: str) -> list[Occurrence]:
        """Return the places that show a text: those that show nothing else, or else those that hold it.

        A text that knows its place stands there alone.
        """
        if isinstance(text, Spot):
            return self._find_spot(text)
        wanted = folded(text)
        found = self._find(text, wanted)
        if not found and (seen := self._without_unread(wanted)) != wanted:
            found = [place for place in self._find(text, seen) if self._holds(place.node, wanted)]
        return found or self._find_attributes(text)

    def within(self, region: int | None, places: list[Occurrence]) -> list[Occurrence]:
        """Keep to the places in the element of the region of interest, where there are any."""
        if region is None:
            return places
        end = int(self.features.nodes.end[region])
        return [place for place in places if region <= place.node < end] or places

    def _find_spot(self, spot: Spot) -> list[Occurrence]:
        if spot.node >= 0:
            return [place for place in self._find_attributes(spot, most=None) if place.node == spot.node][:1]
        start, end = spot.find_in(self.features, self.starts)
        if start < end and self.whole[start:end] == folded(spot):
            return [self._place(start, end)]
        # A hidden text in between is not pointed at.
        return (
            TextIndex(self.features, self.resolve, with_hidden=False).find(spot)
            if self.with_hidden
            else self.find(str(spot))
        )

    @cached_property
    def _ranks(self) -> dict[str, list[int]]:
        """Which of the shown texts are alike, so that a thousand pasted texts are looked up and not searched for."""
        ranks: dict[str, list[int]] = {}
        for rank, piece in enumerate(self.pieces):
            ranks.setdefault(piece, []).append(rank)
        return ranks

    def shows(self, text: str) -> bool:
        """Whether the page displays a text, so that it does not stand in an attribute only."""
        return any(not place.attribute for place in self.find(text))

    def _find_attributes(self, text: str, most: int | None = MOST_PLACES) -> list[Occurrence]:
        """Return the elements that hold a text in an attribute: an address as it stands there, or in full."""
        wanted, found = shown(text), list[Occurrence]()
        for name in ATTRIBUTES if wanted else ():
            for node, value in self.features.nodes.attributes.having(name).items():
                if wanted in {shown(value), address_in(name, value, node, self.resolve)}:
                    found.append(Occurrence(node, attribute=name))
        return found[:most]

    def _holds(self, node: int, wanted: str) -> bool:
        """Whether a text stands in a node, or in one around it that shows no more, with what nobody reads."""
        nodes, up = self.features.nodes, self.features.up
        first, last = self.features.first_text, self.features.last_text
        root = node
        while root and (first[up[root]], last[up[root]]) == (first[node], last[node]):
            root = int(up[root])
        inside = root + np.flatnonzero(nodes.kind[root : int(nodes.end[root])] == Kind.TEXT.value)
        return wanted in folded("".join(map(nodes.text.__getitem__, inside.tolist())))

    def _without_unread(self, wanted: str) -> str:
        """Take out of a pasted text what scripts and styles hold: some programs copy it along."""
        features = self.features
        unread = np.flatnonzero((features.nodes.kind == Kind.TEXT.value) & ~features.is_read).tolist()
        for node in unread:
            if len(features.nodes.text[node]) <= MOST_GROWTH * len(wanted) and (
                piece := folded(features.nodes.text[node])
            ):
                wanted = wanted.replace(piece, "")
        return wanted

    def _find(self, text: str, wanted: str) -> list[Occurrence]:
        if not wanted:
            return []
        if alone := self._ranks.get(wanted):
            alike = [rank for rank in alone if self.features.words[rank] == shown(text)]
            alone = alike or alone  # letter for letter goes before small letters for capitals
            return [Occurrence(int(self.features.texts[rank])) for rank in alone[:MOST_PLACES]]
        places = dict.fromkeys(self._place(start, start + len(wanted)) for start in self._occurrences(wanted))
        found = [place for place in places if not place.cuts_figure(wanted)]
        if not found and self.with_hidden:
            # A hidden text in between is not pasted.
            return TextIndex(self.features, self.resolve, with_hidden=False).find(text)
        exact = [place for place in found if place.is_exact]
        whole_words = [place for place in found if place.is_whole_words]
        return (exact or sorted(whole_words or found, key=Occurrence.excess))[:MOST_PLACES]

    def _occurrences(self, wanted: str) -> list[int]:
        """Return where a text begins; of very many, first those where a shown text begins."""
        found, start = [], self.whole.find(wanted)
        while start >= 0:
            found.append(start)
            start = self.whole.find(wanted, start + 1)
        begins = set(self.starts)
        return sorted(found, key=lambda place: place not in begins)[: 4 * MOST_PLACES]

    def closest(self, text: str) -> str:
        """Return the shown text that is most like one that was not found."""
        wanted = folded(text)
        best, likeness = "", 0.0
        for piece, words in zip(self.pieces, self.features.words, strict=True):
            matcher = SequenceMatcher(None, piece, wanted, autojunk=False)
            if matcher.real_quick_ratio() > likeness and matcher.quick_ratio() > likeness:
                ratio = matcher.ratio()
                if ratio > likeness:
                    best, likeness = words, ratio
        return best

    def _place(self, start: int, end: int) -> Occurrence:
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        features = self.features
        node = int(features.texts[first])
        if last > first:
            final = int(features.texts[last])
            while features.nodes.end[node] <= final:
                node = int(features.up[node])
        begin, stop = int(features.first_text[node]), int(features.last_text[node])
        if features.is_text[node]:
            begin, stop = first, first + 1
        before = start - self.starts[begin]
        after = self.starts[stop] - end
        if not before and not after:
            return Occurrence(node)
        words = features.text_of(node)
        start_in, end_in = unfolded(words, before), unfolded(words, self.starts[stop] - self.starts[begin] - after)
        while words[start_in : start_in + 1].isspace():
            start_in += 1
        return Occurrence(node, words[:start_in], words[end_in:])


def unfolded(text: str, count: int) -> int:
    """Return the place in a text up to which its folded form has so many characters."""
    if count <= 0:
        return 0
    length = 0
    for place, char in enumerate(text):
        length += len(folded(char))
        if length >= count:
            return place + 1
    return len(text)
