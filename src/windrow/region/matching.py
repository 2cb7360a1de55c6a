"""What repeats on one path, told apart: the second figure of one record is the second of the others, or a list.

After DEPTA's partial tree alignment (Zhai and Liu, 2005), from the top down: what the repeated fields stand in is
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
from windrow.region.fields import Field
from windrow.region.text_kinds import SHORT, label_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.region.fields import RecordNodes
    from windrow.region.measures import PageMeasures
    from windrow.region.text_kinds import Kinds


@dataclass(frozen=True)
class Parameters:
    """When repeated fields are columns, and when a list; set by hand."""

    steady: float = 0.75
    """Share of the records that must fill a path equally often for its fields to be columns by position."""
    most_slots: int = 6
    """Up to how many fields on one path are matched to each other; more of them are a list."""
    loose: int = 4
    """From how many links or items in one record on they are a list where other records have fewer."""
    near: float = 4.0
    """Pixels within which two fields begin at the same place in their records."""
    labelled: float = 0.6
    """Share of the fields on one path that must have a label for labels to part them."""


PARAMETERS = Parameters()

ENUMERATED = frozenset({"a", "li"})
"""Elements that list things of one kind."""

Rows: TypeAlias = dict[int, list[Field]]
"""The fields of one path, by the record's number."""
Cells: TypeAlias = dict[int, tuple[Field, ...]]


@dataclass(frozen=True)
class FieldLook:
    """What the fields of a column have in common."""

    kind: str
    length: float
    size: float
    weight: float
    words: frozenset[str]
    place: tuple[float, float]
    """How far to the right and how far down in their records they stand."""


@dataclass(frozen=True, eq=False)
class Matcher:
    """Tells apart what repeats on one path in some records."""

    measures: PageMeasures
    kinds: Kinds
    records: Sequence[RecordNodes]

    def part(self, rows: Rows) -> list[Cells]:
        """Part the fields of one path into columns."""
        counts = Counter(map(len, rows.values()))
        most = max(counts)
        if most > 1 and self._is_shuffled(rows):
            return [as_list(rows)]
        if len(counts) == 1:
            return [{n: (fields[k],) for n, fields in rows.items()} for k in range(most)]
        if counts[most] >= PARAMETERS.steady * len(rows):
            return self._part_by_look(rows)
        parted = _part_by_labels(rows) or self._part_by_parents(rows)
        if not parted and (most > PARAMETERS.most_slots or self._is_enumeration(rows, most)):
            return [as_list(rows)]
        return parted or self._part_by_look(rows)

    def _part_by_look(self, rows: Rows) -> list[Cells]:
        slots: dict[int, Cells] = defaultdict(dict)
        for n, chosen in self._choose_slots(rows).items():
            for slot, field in zip(chosen, rows[n], strict=True):
                slots[slot][n] = (field,)
        return [slots[slot] for slot in sorted(slots)]

    def _part_by_parents(self, rows: Rows) -> list[Cells]:
        """Match what the fields stand in, where that is what repeats, and part the fields of each; else nothing."""
        depth = self._find_fork(rows)
        if depth is None:
            return []
        items = {n: [list(some) for _, some in groupby(p, lambda e: self._above(e, depth))] for n, p in rows.items()}
        most = max(map(len, items.values()))
        if most > PARAMETERS.most_slots or not any(len(item) > 1 for some in items.values() for item in some):
            return []
        whole = {n: [_as_one(item) for item in some] for n, some in items.items()}
        slots: dict[int, Rows] = defaultdict(dict)
        for n, chosen in self._choose_slots(whole).items():
            for slot, item in zip(chosen, items[n], strict=True):
                slots[slot][n] = item
        return [cells for slot in sorted(slots) for cells in self.part(slots[slot])]

    def _find_fork(self, rows: Rows) -> int | None:
        """Return at which step of the path the fields of a record part; None where only the last one parts them."""
        several = [fields for fields in rows.values() if len(fields) > 1]
        for depth in range(1, len(several[0][0].path) - 1):
            if any(len({self._above(field, depth) for field in fields}) > 1 for fields in several):
                return depth
        return None

    def _above(self, field: Field, depth: int) -> int:
        """Return the element at one step of the path to a field."""
        node = field.node
        for _ in range(len(field.path) - 1 - depth):
            node = int(self.measures.holder[node])
        return node

    def _choose_slots(self, rows: Rows) -> dict[int, list[int]]:
        """Choose for the fields of each record which of those of the fullest records they are like."""
        most = max(map(len, rows.values()))
        full = [fields for fields in rows.values() if len(fields) == most]
        looks = [self._look([fields[k] for fields in full]) for k in range(most)]
        return {n: self._match(fields, looks) for n, fields in rows.items()}

    def _match(self, fields: list[Field], looks: list[FieldLook]) -> list[int]:
        """Choose slots for the fields in order, so that they resemble what usually stands there."""
        if len(fields) == len(looks):
            return list(range(len(fields)))
        scores = [[self._resemblance(field, look) for look in looks] for field in fields]
        return choose_in_order(scores)

    def _is_enumeration(self, rows: Rows, most: int) -> bool:
        """Whether records fill a path ever differently often and with things of one kind: tags, authors, colours."""
        if most < PARAMETERS.loose or next(iter(rows.values()))[0].path[-1].partition(".")[0] not in ENUMERATED:
            return False
        texts = [field.text for fields in rows.values() for field in fields]
        # Labels ("Origin: Kent") say that the fields are different things.
        plain = all(len(text) <= SHORT and ":" not in text for text in texts)
        return plain and len(set(map(self.kinds.of, texts))) == 1

    def _is_shuffled(self, rows: Rows) -> bool:
        """Whether what records share stands now first, now second: things of one kind, in no order."""
        texts = [field.text for fields in rows.values() for field in fields]
        if any(len(text) > SHORT for text in texts) or len(set(map(self.kinds.of, texts))) > 1:
            return False
        places: dict[str, list[int]] = defaultdict(list)
        for fields in rows.values():
            for place, field in enumerate(fields):
                places[field.text.casefold()].append(place)
        shared = [found for found in places.values() if len(found) > 1]
        moved = sum(len(set(found)) > 1 for found in shared)
        return moved > len(shared) / 2

    def _look(self, fields: list[Field]) -> FieldLook:
        layout = self.measures.nodes.layout
        kinds = Counter(self.kinds.of(field.text) for field in fields)
        words = Counter(word for field in fields for word in _first_words(field.text))
        return FieldLook(
            kinds.most_common(1)[0][0],
            median(len(field.text) for field in fields),
            median(float(layout.font_size[field.node]) for field in fields) if layout else 0.0,
            median(float(layout.font_weight[field.node]) for field in fields) if layout else 0.0,
            frozenset(word for word, count in words.items() if count > len(fields) / 2),
            _middle([self._find_place(field) for field in fields]),
        )

    def _resemblance(self, field: Field, look: FieldLook) -> float:
        layout = self.measures.nodes.layout
        length = len(field.text)
        score = 2.0 * (self.kinds.of(field.text) == look.kind)
        score += min(length, look.length) / max(length, look.length, 1)
        score += not look.words.isdisjoint(_first_words(field.text))
        if layout:
            score += abs(float(layout.font_size[field.node]) - look.size) < 1
            score += abs(float(layout.font_weight[field.node]) - look.weight) < 1
            score += sum(
                abs(one - usual) < PARAMETERS.near
                for one, usual in zip(self._find_place(field), look.place, strict=True)
            )
        return score

    def _find_place(self, field: Field) -> tuple[float, float]:
        """Return how far to the right and how far down in its record a field stands."""
        layout = self.measures.nodes.layout
        if layout is None:
            return 0.0, 0.0
        root = self.records[bisect_right(self.records, (field.node + 1,)) - 1][0]
        left, top = (layout.box[field.node, :RIGHT] - layout.box[root, :RIGHT]).tolist()
        return left, top


def choose_in_order(scores: Sequence[Sequence[float]]) -> list[int]:
    """Return a column for each row, later ones for later rows, with the highest sum; of equals the first ones."""
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
    """Make a column of each label ("Origin: Kent") where most fields have one that comes again; else nothing."""
    by_label: dict[str, Rows] = defaultdict(lambda: defaultdict(list))
    for n, fields in rows.items():
        for field in fields:
            by_label[_label(field)][n].append(field)
    known = dict.fromkeys(label for label, some in by_label.items() if label and len(some) > 1)
    if sum(len(by_label[label]) for label in known) < PARAMETERS.labelled * sum(map(len, rows.values())):
        return []
    others = {n: [field for field in fields if _label(field) not in known] for n, fields in rows.items()}
    parted = [*(by_label[label] for label in known), others]
    return [cells for some in parted if (cells := {n: tuple(fields) for n, fields in some.items() if fields})]


def _label(field: Field) -> str:
    """Return the label of a field, "Topic" and "Topics" being the same."""
    return label_of(field.text).casefold().rstrip("s")


def as_list(rows: Rows) -> Cells:
    """Return the fields of one path as one column with several values a record."""
    return {n: tuple(fields) for n, fields in rows.items()}


def _middle(places: list[tuple[float, float]]) -> tuple[float, float]:
    return median(left for left, _ in places), median(top for _, top in places)


def _as_one(fields: list[Field]) -> Field:
    return Field(fields[0].node, fields[0].path, " ".join(field.text for field in fields))


def _first_words(text: str) -> set[str]:
    """Return the first words, among them a label if there is one."""
    return set(text.split(maxsplit=3)[:3])
