"""What repeats on one way, told apart: the second figure of one record is the second of the others, or a list.

After DEPTA's partial tree alignment (Zhai and Liu, 2005), from the top down: what the repeated pieces stand in is
matched first, and then what is inside. The fullest records say what usually stands where, and the others are matched
to them in order, so that what is missing leaves an empty cell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING, TypeAlias

from windrow.geometry import RIGHT
from windrow.region.kinds import SHORT, label_of
from windrow.region.pieces import Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.region.columns import Columns
    from windrow.region.kinds import Kinds
    from windrow.region.pieces import RecordNodes

STEADY = 0.75
"""Share of the records that must fill a way equally often for its pieces to be columns by position."""
MOST_SLOTS = 6
"""Up to how many pieces on one way are matched to each other; more of them are a list."""
ENUMERATED = frozenset({"a", "li"})
"""Elements that list things of one kind."""
LOOSE = 4
"""From how many different counts on the pieces of a way are a list."""
NEAR = 4.0
"""Pixels within which two pieces begin at the same place in their records."""
LABELLED = 0.6
"""Share of the pieces on one way that must have a label for labels to part them."""

Rows: TypeAlias = dict[int, list[Piece]]
"""The pieces of one way, by the record's number."""
Cells: TypeAlias = dict[int, tuple[Piece, ...]]


@dataclass(frozen=True)
class Look:
    """What the pieces of a column have in common."""

    kind: str
    length: float
    size: float
    weight: float
    words: frozenset[str]
    place: tuple[float, float]
    """How far to the right and how far down in their records they stand."""


@dataclass(frozen=True, eq=False)
class Matcher:
    """Tells apart what repeats on one way in some records."""

    columns: Columns
    kinds: Kinds
    records: Sequence[RecordNodes]

    def part(self, rows: Rows) -> list[Cells]:
        """Part the pieces of one way into columns."""
        counts = Counter(map(len, rows.values()))
        most = max(counts)
        if len(counts) == 1:
            return [{n: (pieces[k],) for n, pieces in rows.items()} for k in range(most)]
        if counts[most] >= STEADY * len(rows):
            return self._part_by_look(rows)
        if labelled := _part_by_labels(rows):
            return labelled
        if parents := self._part_by_parents(rows):
            return parents
        if most > MOST_SLOTS or self._is_enumeration(rows, len(counts)):
            return [{n: tuple(pieces) for n, pieces in rows.items()}]
        return self._part_by_look(rows)

    def _part_by_look(self, rows: Rows) -> list[Cells]:
        slots: dict[int, Cells] = defaultdict(dict)
        for n, chosen in self._choose_slots(rows).items():
            for slot, piece in zip(chosen, rows[n], strict=True):
                slots[slot][n] = (piece,)
        return [slots[slot] for slot in sorted(slots)]

    def _part_by_parents(self, rows: Rows) -> list[Cells]:
        """Match what the pieces stand in, where that is what repeats, and part the pieces of each; else nothing."""
        depth = self._find_fork(rows)
        if depth is None:
            return []
        items = {n: [list(some) for _, some in groupby(p, lambda e: self._above(e, depth))] for n, p in rows.items()}
        most = max(map(len, items.values()))
        if most > MOST_SLOTS or not any(len(item) > 1 for some in items.values() for item in some):
            return []
        whole = {n: [_as_one(item) for item in some] for n, some in items.items()}
        slots: dict[int, Rows] = defaultdict(dict)
        for n, chosen in self._choose_slots(whole).items():
            for slot, item in zip(chosen, items[n], strict=True):
                slots[slot][n] = item
        return [cells for slot in sorted(slots) for cells in self.part(slots[slot])]

    def _find_fork(self, rows: Rows) -> int | None:
        """Say at which step of the way the pieces of a record part; None where only the last one parts them."""
        several = [pieces for pieces in rows.values() if len(pieces) > 1]
        for depth in range(1, len(several[0][0].way) - 1):
            if any(len({self._above(piece, depth) for piece in pieces}) > 1 for pieces in several):
                return depth
        return None

    def _above(self, piece: Piece, depth: int) -> int:
        """Give the element at one step of the way to a piece."""
        node = piece.node
        for _ in range(len(piece.way) - 1 - depth):
            node = int(self.columns.holder[node])
        return node

    def _choose_slots(self, rows: Rows) -> dict[int, list[int]]:
        """Choose for the pieces of each record which of those of the fullest records they are like."""
        most = max(map(len, rows.values()))
        full = [pieces for pieces in rows.values() if len(pieces) == most]
        looks = [self._look([pieces[k] for pieces in full]) for k in range(most)]
        return {n: self._match(pieces, looks) for n, pieces in rows.items()}

    def _match(self, pieces: list[Piece], looks: list[Look]) -> list[int]:
        """Choose slots for the pieces in order, so that they resemble what usually stands there."""
        if len(pieces) == len(looks):
            return list(range(len(pieces)))
        scores = [[self._resemblance(piece, look) for look in looks] for piece in pieces]
        return choose_in_order(scores)

    def _is_enumeration(self, rows: Rows, different: int) -> bool:
        """Say whether records fill a way ever differently often and with things of one kind: tags, authors, colours."""
        if different < LOOSE or next(iter(rows.values()))[0].way[-1].partition(".")[0] not in ENUMERATED:
            return False
        texts = [piece.text for pieces in rows.values() for piece in pieces]
        # Labels ("Origin: Kent") say that the pieces are different things.
        plain = all(len(text) <= SHORT and ":" not in text for text in texts)
        return plain and len(set(map(self.kinds.of, texts))) == 1

    def _look(self, pieces: list[Piece]) -> Look:
        layout = self.columns.nodes.layout
        kinds = Counter(self.kinds.of(piece.text) for piece in pieces)
        words = Counter(word for piece in pieces for word in _first_words(piece.text))
        return Look(
            kinds.most_common(1)[0][0],
            median(len(piece.text) for piece in pieces),
            median(float(layout.font_size[piece.node]) for piece in pieces) if layout else 0.0,
            median(float(layout.font_weight[piece.node]) for piece in pieces) if layout else 0.0,
            frozenset(word for word, count in words.items() if count > len(pieces) / 2),
            _middle([self._find_place(piece) for piece in pieces]),
        )

    def _resemblance(self, piece: Piece, look: Look) -> float:
        layout = self.columns.nodes.layout
        length = len(piece.text)
        score = 2.0 * (self.kinds.of(piece.text) == look.kind)
        score += min(length, look.length) / max(length, look.length, 1)
        score += not look.words.isdisjoint(_first_words(piece.text))
        if layout:
            score += abs(float(layout.font_size[piece.node]) - look.size) < 1
            score += abs(float(layout.font_weight[piece.node]) - look.weight) < 1
            score += sum(
                abs(one - usual) < NEAR for one, usual in zip(self._find_place(piece), look.place, strict=True)
            )
        return score

    def _find_place(self, piece: Piece) -> tuple[float, float]:
        """Measure how far to the right and how far down in its record a piece stands."""
        layout = self.columns.nodes.layout
        if layout is None:
            return 0.0, 0.0
        root = self.records[bisect_right(self.records, (piece.node + 1,)) - 1][0]
        left, top = (layout.box[piece.node, :RIGHT] - layout.box[root, :RIGHT]).tolist()
        return left, top


def choose_in_order(scores: Sequence[Sequence[float]]) -> list[int]:
    """Give each row a column of its own, later ones to later rows, with the highest sum; of equals the first ones."""
    rows, columns = len(scores), len(scores[0])
    # What can be had from a row on, with the columns from one on; a row that finds no column would cost everything.
    best = [[float("-inf")] * (columns + 1) for _ in range(rows)] + [[0.0] * (columns + 1)]
    for row in reversed(range(rows)):
        for column in reversed(range(columns)):
            taken = scores[row][column] + best[row + 1][column + 1]
            best[row][column] = max(taken, best[row][column + 1])
    chosen, column = [], 0
    for row in range(rows):
        while best[row][column] > scores[row][column] + best[row + 1][column + 1]:
            column += 1
        chosen.append(column)
        column += 1
    return chosen


def _part_by_labels(rows: Rows) -> list[Cells]:
    """Make a column of each label ("Origin: Kent") where most pieces have one that comes again; else nothing."""
    by_label: dict[str, Rows] = defaultdict(lambda: defaultdict(list))
    for n, pieces in rows.items():
        for piece in pieces:
            by_label[_label(piece)][n].append(piece)
    known = dict.fromkeys(label for label, some in by_label.items() if label and len(some) > 1)
    if sum(len(by_label[label]) for label in known) < LABELLED * sum(map(len, rows.values())):
        return []
    others = {n: [piece for piece in pieces if _label(piece) not in known] for n, pieces in rows.items()}
    parted = [*(by_label[label] for label in known), others]
    return [cells for some in parted if (cells := {n: tuple(pieces) for n, pieces in some.items() if pieces})]


def _label(piece: Piece) -> str:
    """Give the label of a piece, "Topic" and "Topics" being the same."""
    return label_of(piece.text).casefold().rstrip("s")


def _middle(places: list[tuple[float, float]]) -> tuple[float, float]:
    return median(left for left, _ in places), median(top for _, top in places)


def _as_one(pieces: list[Piece]) -> Piece:
    return Piece(pieces[0].node, pieces[0].way, " ".join(piece.text for piece in pieces))


def _first_words(text: str) -> set[str]:
    """Give the first words, among them a label if there is one."""
    return set(text.split(maxsplit=3)[:3])
