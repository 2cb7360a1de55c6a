"""From pasted rows to where they stand on the page: one place for each text, as close together as they can be."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, TypeAlias

from windrow.errors import UsageError
from windrow.wrapper.normalization import folded
from windrow.wrapper.spot import Spot
from windrow.wrapper.text_search import TextIndex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.wrapper.lists.texts import PageTexts

MOST_PLACES = 2000  # not a decision: a limit of the work
"""Of a text that stands everywhere, so many places are looked at."""
Texts: TypeAlias = "Mapping[str, tuple[str, ...]]"
"""The texts of a row, by label."""
Stretch: TypeAlias = tuple[int, int]
"""The first and the last node of a text."""


@dataclass(frozen=True)
class PlacedRow:
    """A pasted row on the page."""

    nodes: Mapping[str, int]
    """The first text of each label, or its link or image."""
    last: int
    """The last node of its texts."""

    @property
    def first(self) -> int:
        """The first node."""
        return min(self.nodes.values())


@dataclass(frozen=True)
class Placing:
    """Where the rows of a page can stand."""

    rows: tuple[PlacedRow, ...]
    above: frozenset[str] = frozenset()
    """The labels that stand above the rows and not in them."""

    @property
    def is_apart(self) -> bool:
        """Whether no row begins before another one ends."""
        return all(
            before.last < after.first for before, after in pairwise(sorted(self.rows, key=lambda row: row.first))
        )

    @property
    def length(self) -> int:
        """How many nodes the rows take together."""
        return sum(row.last - row.first for row in self.rows)


def place_rows(texts: PageTexts, rows: Sequence[Texts]) -> list[Placing]:
    """Return where the rows can stand: whole, and with one label above them, as a heading; the closest first."""
    occurrences = Occurrences(texts)
    found = [occurrences.of_row(row) for row in rows]
    labels = list(dict.fromkeys(label for row in found for label in row))
    whole = _place(found, None)
    headed = [placing for label in labels if (placing := _place(found, label)) and _is_above(found, label, placing)]
    if whole is not None and whole.is_apart:
        firsts = {min(row.nodes, key=row.nodes.__getitem__) for row in whole.rows}
        headed = [placing for placing in headed if placing.above <= firsts]
    placed = [whole, *sorted(headed, key=lambda placing: placing.length)]
    return [placing for placing in placed if placing is not None and placing.is_apart]


def _is_above(found: Sequence[Mapping[str, Sequence[Stretch]]], label: str, placing: Placing) -> bool:
    """Whether a label stands somewhere before each row that has it."""
    pairs = zip(found, placing.rows, strict=True)
    return all(any(last < row.first for _, last in places[label]) for places, row in pairs if label in places)


def _place(found: Sequence[Mapping[str, Sequence[Stretch]]], above: str | None) -> Placing | None:
    """Place each row without a label; None where that leaves nothing of a row."""
    inside = [{label: places for label, places in row.items() if label != above} for row in found]
    if not all(inside):
        return None
    rows: list[PlacedRow] = []
    for places in inside:
        rows.append(place_closest(places, rows))
    return Placing(tuple(rows), frozenset({above} if above else ()))


def place_closest(found: Mapping[str, Sequence[Stretch]], others: Sequence[PlacedRow] = ()) -> PlacedRow:
    """Return one place for each label, all as close together as they can be, clear of other rows where that can be."""
    latest: dict[str, Stretch] = {}
    best: tuple[tuple[bool, int], dict[str, Stretch]] | None = None
    for first, last, label in sorted((*place, label) for label, places in found.items() for place in places):
        latest[label] = (first, last)
        if len(latest) == len(found):
            begin, end = min(begin for begin, _ in latest.values()), max(end for _, end in latest.values())
            rank = (any(begin <= row.last and row.first <= end for row in others), end - begin)
            if best is None or rank < best[0]:
                best = (rank, dict(latest))
    chosen = best[1] if best else {}
    return PlacedRow({label: first for label, (first, _) in chosen.items()}, max(last for _, last in chosen.values()))


class Occurrences:
    """Where texts and addresses stand on a page."""

    def __init__(self, texts: PageTexts) -> None:
        """Put the page's texts into one string."""
        self._texts = texts
        self._whole = "".join(texts.pieces)
        self._starts = [0, *accumulate(map(len, texts.pieces))]
        self._begins = set(self._starts)

    def of_row(self, row: Texts) -> dict[str, list[Stretch]]:
        """Return the places of each label's first text; an error where it is not there."""
        found = {}
        for label, values in row.items():
            if not values:
                continue
            found[label] = self.find(values[0])
            if not found[label]:
                closest = TextIndex(self._texts.features).closest(values[0])
                raise UsageError(f"{label}: the text {values[0]!r} is not on the page. The closest one is {closest!r}.")
        return found

    def find(self, text: str) -> list[Stretch]:
        """Return where a text stands by itself, or else within others, or else what holds it.

        A text that knows its place stands there alone.
        """
        if isinstance(text, Spot) and text.node >= 0:
            return [(text.node, text.node)]
        if isinstance(text, Spot):
            start, end = text.find_in(self._texts.features, self._starts)
            if start < end and self._whole[start:end] == folded(text):
                return [(self._node(start), self._node(end - 1))]
        wanted = folded(text)
        places: list[int] = []
        at = self._whole.find(wanted) if wanted else -1
        while at >= 0 and len(places) < MOST_PLACES:
            places.append(at)
            at = self._whole.find(wanted, at + 1)
        aligned = [at for at in places if at in self._begins and at + len(wanted) in self._begins]
        found = [(self._node(at), self._node(at + len(wanted) - 1)) for at in aligned or places]
        return found or [(node, node) for node, _ in self._texts.holding(text)]

    def _node(self, at: int) -> int:
        return int(self._texts.features.texts[bisect_right(self._starts, at) - 1])
