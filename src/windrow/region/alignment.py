"""Records aligned into columns: the same way is the same column; what repeats on one way is told apart by its place.

After DEPTA's partial tree alignment (Zhai and Liu, 2005): the fullest record is the seed, and the pieces of the
others are matched to its own in order; what finds no partner leaves an empty cell and never moves its neighbours. A
way that most records fill a different number of times is one column of lists.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from windrow.region.kinds import SHORT, kind_of
from windrow.region.pieces import Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.region.columns import Columns
    from windrow.region.pieces import Way

STEADY = 0.75
"""Share of the records that must fill a way equally often for its pieces to be columns by position."""
MOST_SLOTS = 6
"""Up to how many pieces on one way are matched to each other; more of them are a list."""
ENUMERATED = frozenset({"a", "li"})
"""Elements that list things of one kind."""
LOOSE = 4
"""From how many different counts on the pieces of a way are a list."""
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


def align(columns: Columns, records: Sequence[Sequence[Piece]]) -> list[Column]:
    """Sort the pieces of all records into columns, in the order in which they stand in the records."""
    by_tags: dict[Way, dict[Way, Rows]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    place: dict[int, float] = {}
    for number, pieces in enumerate(records):
        for rank, piece in enumerate(pieces):
            tags = tuple(step.partition(".")[0] for step in piece.way)
            by_tags[tags][piece.way][number].append(piece)
            place[id(piece)] = rank / len(pieces)
    found = []
    for ways in by_tags.values():
        for way, rows in _join_variants(ways):
            for cells in _slots(columns, rows):
                where = float(np.mean([place[id(cell[0])] for cell in cells.values()]))
                found.append(Column(way, cells, where))
    return _without_copies(_join_alternatives(sorted(found, key=lambda column: column.place)))


def _without_copies(found: list[Column]) -> list[Column]:
    """Drop columns that say nothing but what an element inside of theirs says."""
    texts = [{n: [piece.text for piece in pieces] for n, pieces in column.cells.items()} for column in found]
    return [
        column
        for number, column in enumerate(found)
        if not any(
            texts[number] == texts[other]
            and len(way.way) > len(column.way)
            and way.way[: len(column.way)] == column.way
            for other, way in enumerate(found)
        )
    ]


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


def _slots(columns: Columns, rows: Rows) -> list[dict[int, tuple[Piece, ...]]]:
    """Part the pieces of one way into columns."""
    counts = Counter(len(pieces) for pieces in rows.values())
    usual, times = counts.most_common(1)[0]
    most = max(counts)
    if most == 1:
        return [{n: (pieces[0],) for n, pieces in rows.items()}]
    if times >= STEADY * len(rows) and usual == most:
        most = usual
    elif most > MOST_SLOTS or _is_enumeration(rows, len(counts)):
        return [{n: tuple(pieces) for n, pieces in rows.items()}]
    seed = max(rows, key=lambda n: (len(rows[n]), -n))
    looks = [
        _look(columns, [pieces[k] for pieces in rows.values() if len(pieces) == most]) for k in range(len(rows[seed]))
    ]
    slots: list[dict[int, tuple[Piece, ...]]] = [{} for _ in looks]
    for n, pieces in rows.items():
        chosen = _match(columns, pieces, looks)
        for slot, piece in zip(chosen, pieces, strict=True):
            slots[slot][n] = (piece,)
    return [slot for slot in slots if slot]


def _is_enumeration(rows: Rows, different: int) -> bool:
    """Say whether records fill a way ever differently often and with things of one kind: tags, authors, colours."""
    texts = [piece.text for pieces in rows.values() for piece in pieces]
    # Labels ("Origin: Kent") say that the pieces are different things.
    plain = all(len(text) <= SHORT and ":" not in text for text in texts)
    linked = all(piece.way[-1].partition(".")[0] in ENUMERATED for pieces in rows.values() for piece in pieces)
    return different >= LOOSE and plain and linked and len({kind_of(text) for text in texts}) == 1


@dataclass(frozen=True)
class Look:
    """What the pieces of a column have in common."""

    kind: str
    length: float
    size: float
    weight: float
    words: frozenset[str]


def _look(columns: Columns, pieces: list[Piece]) -> Look:
    layout = columns.nodes.layout
    kinds = Counter(kind_of(piece.text) for piece in pieces)
    words = Counter(word for piece in pieces for word in _first_words(piece.text))
    return Look(
        kinds.most_common(1)[0][0],
        float(np.median([len(piece.text) for piece in pieces])),
        float(np.median([layout.font_size[piece.node] for piece in pieces])) if layout else 0.0,
        float(np.median([layout.font_weight[piece.node] for piece in pieces])) if layout else 0.0,
        frozenset(word for word, count in words.items() if count > len(pieces) / 2),
    )


def _first_words(text: str) -> set[str]:
    """Give the first words, among them a label if there is one."""
    return set(text.split()[:3])


def _match(columns: Columns, pieces: list[Piece], looks: list[Look]) -> tuple[int, ...]:
    """Choose slots for the pieces in order, so that they resemble what usually stands there."""
    if len(pieces) >= len(looks):
        return tuple(range(len(pieces)))
    scores = [[_resemblance(columns, piece, look) for look in looks] for piece in pieces]
    ways = combinations(range(len(looks)), len(pieces))
    return max(ways, key=lambda slots: sum(scores[k][slot] for k, slot in enumerate(slots)))


def _resemblance(columns: Columns, piece: Piece, look: Look) -> float:
    layout = columns.nodes.layout
    length = len(piece.text)
    score = 2.0 * (kind_of(piece.text) == look.kind) + min(length, look.length) / max(length, look.length, 1)
    score += bool(look.words & _first_words(piece.text))
    if layout:
        score += abs(float(layout.font_size[piece.node]) - look.size) < 1
        score += abs(float(layout.font_weight[piece.node]) - look.weight) < 1
    return score


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
