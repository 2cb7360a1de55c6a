"""Records aligned into columns: the same way is the same column; what repeats on one way is told apart by its place.

After DEPTA's partial tree alignment (Zhai and Liu, 2005): the fullest record is the seed, and the pieces of the
others are matched to its own in order; what finds no partner leaves an empty cell and never moves its neighbours. A
way that most records fill a different number of times is one column of lists.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median
from typing import TYPE_CHECKING, TypeAlias

from windrow.region.kinds import SHORT, label_of
from windrow.region.pieces import Piece

if TYPE_CHECKING:
    from windrow.region.columns import Columns
    from windrow.region.kinds import Kinds
    from windrow.region.pieces import Cutter, Way

STEADY = 0.75
"""Share of the records that must fill a way equally often for its pieces to be columns by position."""
MOST_SLOTS = 6
"""Up to how many pieces on one way are matched to each other; more of them are a list."""
ENUMERATED = frozenset({"a", "li"})
"""Elements that list things of one kind."""
LOOSE = 4
"""From how many different counts on the pieces of a way are a list."""
LABELLED = 0.6
"""Share of the pieces on one way that must have a label for labels to part them."""
ALIKE = 0.5
"""Share of the classes along two ways that must agree for them to be one column."""

Rows: TypeAlias = dict[int, list[Piece]]


@dataclass(frozen=True)
class Column:
    """One column: the way that it stands for, and the pieces of each record (by the record's number)."""

    way: Way
    cells: dict[int, tuple[Piece, ...]]
    place: float
    """Where in the records the column stands, on average: 0 for the start, 1 for the end."""

    @property
    def texts(self) -> list[str]:
        """The first text of each record."""
        return [pieces[0].text for pieces in self.cells.values()]

    @property
    def nodes(self) -> list[tuple[int, int]]:
        """The number of each record with the node of its first text."""
        return [(number, pieces[0].node) for number, pieces in self.cells.items()]


def align(cutter: Cutter, kinds: Kinds) -> list[Column]:
    """Sort the pieces of all records into columns, in the order in which they stand in the records."""
    records = cutter.cut_all()
    by_tags: dict[Way, dict[Way, Rows]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    place: dict[int, float] = {}
    for number, pieces in enumerate(records):
        for rank, piece in enumerate(pieces):
            by_tags[cutter.tags_of(piece.way)][piece.way][number].append(piece)
            place[id(piece)] = rank / len(pieces)
    matcher = Matcher(cutter.columns, kinds)
    found = []
    for ways in by_tags.values():
        for way, rows in _join_variants(ways):
            for cells in matcher.part(rows):
                where = fmean(place[id(cell[0])] for cell in cells.values())
                found.append(Column(way, cells, where))
    return _without_copies(_join_alternatives(sorted(found, key=lambda column: column.place)))


def _without_copies(found: list[Column]) -> list[Column]:
    """Drop columns that say nothing but what an element inside of theirs says."""
    return [column for column in found if not any(_is_copy(column, other) for other in found)]


def _is_copy(column: Column, other: Column) -> bool:
    if len(other.way) <= len(column.way) or other.way[: len(column.way)] != column.way:
        return False
    if column.cells.keys() != other.cells.keys():
        return False
    return all(
        [piece.text for piece in pieces] == [piece.text for piece in other.cells[number]]
        for number, pieces in column.cells.items()
    )


def _join_variants(ways: dict[Way, Rows]) -> list[tuple[Way, Rows]]:
    """Join ways of the same tags whose classes differ in some (``even``, ``first``) and that no record fills twice."""
    kept: list[tuple[Way, Rows]] = []
    for way, rows in sorted(ways.items(), key=lambda item: (-len(item[1]), item[0])):
        for other, taken in kept:
            if not rows.keys() & taken.keys() and _classes_alike(way, other):
                taken.update(rows)
                break
        else:
            kept.append((way, dict(rows)))
    return [(way, dict(sorted(rows.items()))) for way, rows in kept]


def _classes_alike(one: Way, other: Way) -> bool:
    """Say whether the last elements of two ways share a class, or have none, and the ways most of theirs."""
    last, others_last = set(one[-1].split(".")[1:]), set(other[-1].split(".")[1:])
    if last != others_last and not last & others_last:
        return False
    names = {(k, name) for k, step in enumerate(one) for name in step.split(".")[1:]}
    others = {(k, name) for k, step in enumerate(other) for name in step.split(".")[1:]}
    return 2 * len(names & others) >= ALIKE * (len(names) + len(others))


@dataclass(frozen=True)
class Look:
    """What the pieces of a column have in common."""

    kind: str
    length: float
    size: float
    weight: float
    words: frozenset[str]


@dataclass(frozen=True, eq=False)
class Matcher:
    """Tells apart what repeats on one way."""

    columns: Columns
    kinds: Kinds

    def part(self, rows: Rows) -> list[dict[int, tuple[Piece, ...]]]:
        """Part the pieces of one way into columns."""
        counts = Counter(map(len, rows.values()))
        usual, times = counts.most_common(1)[0]
        most = max(counts)
        if most == 1:
            return [{n: (pieces[0],) for n, pieces in rows.items()}]
        steady = times >= STEADY * len(rows) and usual == most
        if not steady and (labelled := _part_by_labels(rows)):
            return labelled
        if not steady and (most > MOST_SLOTS or self._is_enumeration(rows, len(counts))):
            return [{n: tuple(pieces) for n, pieces in rows.items()}]
        if len(counts) == 1:
            return [{n: (pieces[k],) for n, pieces in rows.items()} for k in range(most)]
        full = [pieces for pieces in rows.values() if len(pieces) == most]
        looks = [self._look([pieces[k] for pieces in full]) for k in range(most)]
        slots: list[dict[int, tuple[Piece, ...]]] = [{} for _ in looks]
        for n, pieces in rows.items():
            for slot, piece in zip(self._match(pieces, looks), pieces, strict=True):
                slots[slot][n] = (piece,)
        return [slot for slot in slots if slot]

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
        )

    def _match(self, pieces: list[Piece], looks: list[Look]) -> tuple[int, ...]:
        """Choose slots for the pieces in order, so that they resemble what usually stands there."""
        if len(pieces) >= len(looks):
            return tuple(range(len(pieces)))
        scores = [[self._resemblance(piece, look) for look in looks] for piece in pieces]
        ways = combinations(range(len(looks)), len(pieces))
        return max(ways, key=lambda slots: sum(scores[k][slot] for k, slot in enumerate(slots)))

    def _resemblance(self, piece: Piece, look: Look) -> float:
        layout = self.columns.nodes.layout
        length = len(piece.text)
        score = 2.0 * (self.kinds.of(piece.text) == look.kind)
        score += min(length, look.length) / max(length, look.length, 1)
        score += not look.words.isdisjoint(_first_words(piece.text))
        if layout:
            score += abs(float(layout.font_size[piece.node]) - look.size) < 1
            score += abs(float(layout.font_weight[piece.node]) - look.weight) < 1
        return score


def _part_by_labels(rows: Rows) -> list[dict[int, tuple[Piece, ...]]]:
    """Make a column of each label ("Origin: Kent") where most pieces have one that comes again; else nothing."""
    by_label: dict[str, Rows] = defaultdict(lambda: defaultdict(list))
    for n, pieces in rows.items():
        for piece in pieces:
            by_label[label_of(piece.text).casefold().rstrip("s")][n].append(piece)
    known = {label for label, some in by_label.items() if label and len(some) > 1}
    if sum(len(by_label[label]) for label in known) < LABELLED * sum(map(len, rows.values())):
        return []
    others: Rows = defaultdict(list)
    for n, pieces in rows.items():
        others[n] += [piece for piece in pieces if label_of(piece.text).casefold().rstrip("s") not in known]
    columns = [by_label[label] for label in by_label if label in known] + [others]
    return [cells for some in columns if (cells := {n: tuple(pieces) for n, pieces in some.items() if pieces})]


def _first_words(text: str) -> set[str]:
    """Give the first words, among them a label if there is one."""
    return set(text.split(maxsplit=3)[:3])


def _join_alternatives(found: list[Column]) -> list[Column]:
    """Join columns that end in the same element and are never filled together: one template in two variants."""
    kept: list[Column] = []
    for column in found:
        for number, other in enumerate(kept):
            if (
                column.way[-1] == other.way[-1]
                and "." in column.way[-1]
                and column.way != other.way
                and not column.cells.keys() & other.cells.keys()
            ):
                kept[number] = Column(other.way, dict(sorted({**other.cells, **column.cells}.items())), other.place)
                break
        else:
            kept.append(column)
    return kept
