"""``Spot``: a text of a page with the place where it stands, for who points at it instead of pasting it."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Self

import numpy as np

from windrow.errors import UsageError
from windrow.wrapper.normalization import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.page import Page
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.text_search import TextIndex


class Spot(str):
    """A text that stands at one place: only that place is learned from, wherever else the page shows the text.

    Anything that takes a pasted text takes it, too.
    """

    __slots__ = ("end", "node", "start")

    start: int
    """The character of ``page.text`` that it begins with; -1 for what an element holds and does not display."""
    end: int
    node: int
    """The element that holds it; -1 for what the page displays."""

    def __new__(cls, text: str, start: int = -1, end: int = -1, node: int = -1) -> Self:
        """Take a text and its place, which nobody has looked at yet: ``of`` and ``held_by`` do."""
        made = super().__new__(cls, text)
        made.start, made.end, made.node = start, end, node
        return made

    def __getnewargs__(self) -> tuple[str, int, int, int]:  # type: ignore[override] # of what __new__ takes
        """Be copied with its place."""
        return str(self), self.start, self.end, self.node

    @classmethod
    def of(cls, page: Page, start: int, end: int, text: str | None = None) -> Self:
        """Take a part of the page's text; ``UsageError`` where it is not the text that is said to stand there."""
        there = page.text[start:end] if 0 <= start < end <= len(page.text) else ""
        if not there.strip() or (text is not None and folded(text) != folded(there)):
            said = "Nothing stands" if text is None else f"{text[:80]!r} does not stand"
            raise UsageError(f"{said} at the place that was pointed at. The page may have changed: point at it again.")
        return cls(there.strip() if text is None else text, start, end)

    @classmethod
    def held_by(cls, page: Page, node: int, address: str) -> Self:
        """Take the address that an element links to, or of the picture that it shows."""
        if not 0 <= node < len(page.nodes) or address not in {page.links[node], page.images[node]}:
            raise UsageError(f"No element there holds {address[:80]!r}. Point at its link or picture again.")
        return cls(address, node=node)

    def find_in(self, features: PageFeatures, starts: Sequence[int]) -> tuple[int, int]:
        """Return where it begins and ends among the page's folded texts, of which each begins at one of ``starts``."""
        spans = features.nodes.spans
        texts = np.asarray(features.texts)
        covers = (spans.start[texts] <= self.start) & (self.start < spans.end[texts]) & features.nodes.visible[texts]
        found = np.flatnonzero(covers)
        if self.start < 0 or not len(found):
            return 0, 0
        rank = int(found[0])
        begin = starts[rank] + len(folded(spans.text[int(spans.start[texts[rank]]) : self.start]))
        return begin, begin + len(folded(self))


def find_spots(page: Page, index: TextIndex, text: str, region: int | None = None) -> list[Spot]:
    """Return every place of a page that a text would be learned from, the likeliest first.

    ``region`` is the element of the region of interest: what stands in it goes before the same text elsewhere.
    """
    plain = FoldedText(page.text)
    spots = []
    for place in index.within(region, index.find(text)):
        if place.attribute:
            spots.append(Spot(text, node=place.node))
            continue
        begin = plain.fold(int(page.nodes.spans.start[place.node])) + len(folded(place.prefix))
        start, end = plain.unfold(begin), plain.unfold(begin + len(folded(text)) - 1) + 1
        if folded(page.text[start:end]) == folded(text):
            spots.append(Spot(text, start, end))
    return spots


class FoldedText:
    """A text beside its folded form, to go from a place in one to that in the other."""

    def __init__(self, text: str) -> None:
        """Fold a text letter by letter."""
        self._starts = [0, *accumulate(map(_folded_length, text))]

    def fold(self, at: int) -> int:
        """Return the place in the folded form of a character of the text."""
        return self._starts[at]

    def unfold(self, at: int) -> int:
        """Return the character of the text that a place in the folded form comes from."""
        return min(bisect_right(self._starts, at), len(self._starts) - 1) - 1


@lru_cache(maxsize=4096)
def _folded_length(character: str) -> int:
    return len(folded(character))
