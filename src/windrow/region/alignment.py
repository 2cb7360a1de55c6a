"""Records aligned into columns: the same way is the same column; what repeats on one way is told apart by its place.

After DEPTA's partial tree alignment (Zhai and Liu, 2005): what finds no partner leaves an empty cell and never moves
its neighbours. Ways that differ in some classes only, or are never filled together, are one column.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import islice, pairwise
from statistics import fmean
from typing import TYPE_CHECKING

from windrow.region.matching import Matcher

if TYPE_CHECKING:
    from windrow.region.kinds import Kinds
    from windrow.region.matching import Rows
    from windrow.region.pieces import Cutter, Piece, Way

ALIKE = 0.5
"""Share of the classes along two ways that must agree for them to be one column."""
MOST_COMPARED = 200
"""With how many others a way or column is compared, so that no page takes quadratic time."""


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
    matcher = Matcher(cutter.columns, kinds, cutter.records)
    found = []
    for ways in by_tags.values():
        for way, rows in _join_variants(ways):
            for cells in matcher.part(rows):
                where = fmean(place[id(cell[0])] for cell in cells.values())
                found.append(Column(way, cells, where))
    return _without_copies(_join_alternatives(sorted(found, key=lambda column: column.place)))


def _without_copies(found: list[Column]) -> list[Column]:
    """Drop columns that say nothing but what an element inside of theirs says."""
    alike: dict[object, list[Column]] = defaultdict(list)
    for column in found:
        said = tuple((n, *(piece.text for piece in pieces)) for n, pieces in column.cells.items())
        alike[said].append(column)
    copies = set()
    for columns in alike.values():
        # In order, a way stands right before those that go on from it.
        ways = sorted({column.way for column in columns})
        outer = {way for way, after in pairwise(ways) if after[: len(way)] == way}
        copies |= {id(column) for column in columns if column.way in outer}
    return [column for column in found if id(column) not in copies]


def _join_variants(ways: dict[Way, Rows]) -> list[tuple[Way, Rows]]:
    """Join ways of the same tags whose classes differ in some (``even``, ``first``) and that no record fills twice."""
    kept: list[tuple[Way, Rows]] = []
    for way, rows in sorted(ways.items(), key=lambda item: (-len(item[1]), item[0])):
        for other, taken in islice(kept, MOST_COMPARED):
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


def _join_alternatives(found: list[Column]) -> list[Column]:
    """Join columns that end in the same element and are never filled together: one template in two variants."""
    kept: dict[int, Column] = {}
    ending: dict[str, list[int]] = defaultdict(list)
    for number, column in enumerate(found):
        last = column.way[-1]
        for place in islice(ending[last], MOST_COMPARED) if "." in last else ():
            other = kept[place]
            if column.way != other.way and column.cells.keys().isdisjoint(other.cells.keys()):
                kept[place] = Column(other.way, dict(sorted({**other.cells, **column.cells}.items())), other.place)
                break
        else:
            kept[number] = column
            ending[last].append(number)
    return list(kept.values())
