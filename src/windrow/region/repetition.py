"""Columns that say what others say: copies, lines that hold or are the sum of their parts, pieces of one value."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from windrow.region.text_kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from windrow.region.fields import Field, Path

SIGNS = re.compile(r"[\W_]+")
WORDY = frozenset({"text", "address"})
"""Kinds of texts that are not the same by chance."""
WHOLE = frozenset({"price", "date", "rating", "duration"})
"""Kinds of values that are written in several pieces: "$", "12", "50"."""


@dataclass(frozen=True)
class Parameters:
    """When a column repeats another one; set by hand."""

    several: int = 3
    """Cells that must be the same for a column to be a copy of another."""
    short: int = 3
    """Letters of a currency or a month beside a figure."""
    most_compared: int = 200  # not a decision: a limit against attacks
    """With how many others a column is compared, so that no page takes quadratic time."""


PARAMETERS = Parameters()


@dataclass(frozen=True)
class FieldColumn:
    """One column: the path that it stands for, and the fields of each record (by the record's number)."""

    path: Path
    cells: dict[int, tuple[Field, ...]]
    place: float
    """Where in the records the column stands, on average: 0 for the start, 1 for the end."""
    kind: str = "text"
    """What most of its texts are."""

    @property
    def texts(self) -> list[str]:
        """The first text of each record."""
        return [fields[0].text for fields in self.cells.values()]

    @property
    def nodes(self) -> list[tuple[int, int]]:
        """The number of each record with the node of its first text."""
        return [(number, fields[0].node) for number, fields in self.cells.items()]


def drop_repetition(found: Sequence[FieldColumn], heading_over: Callable[[int], str]) -> list[FieldColumn]:
    """Drop the columns that say nothing of their own, in the order in which they stand.

    ``heading_over`` tells the heading over the column of a table that a node stands in, if any.
    """
    kept = _without_copies(found, [heading_over(column.nodes[0][1]) for column in found])
    by_path = sorted(kept, key=lambda column: column.path)
    paths = [column.path for column in by_path]
    dropped: set[int] = set()
    rests: dict[int, FieldColumn] = {}
    for column in kept:
        # By path, the parts of a line follow it.
        start = bisect_right(paths, column.path)
        after = by_path[start : start + PARAMETERS.most_compared]
        parts = list(takewhile(partial(_is_part, column), after))
        if parts and _are_pieces(column, parts):
            dropped.update(map(id, parts))
        elif parts and _is_sum(column, parts):
            dropped.add(id(column))
        elif parts and (rest := _rest_beside(column, parts)) is not None:
            rests[id(column)] = rest
    return [rests.get(id(column), column) for column in kept if id(column) not in dropped]


def _rest_beside(column: FieldColumn, parts: Sequence[FieldColumn]) -> FieldColumn | None:
    """Return what lines say beside their parts, where that is the one value that they are named by: "No. 7 £31"."""
    cells: dict[int, tuple[Field, ...]] = {}
    for number, fields in column.cells.items():
        rest = fields[0].text
        for part in parts:
            for own in part.cells.get(number, ()):
                if rest.startswith(f"{own.text} "):
                    rest = rest.removeprefix(own.text).lstrip()
                elif rest.endswith(f" {own.text}"):
                    rest = rest.removesuffix(own.text).rstrip()
        if len(fields) > 1 or kind_of(rest) != column.kind:
            return None
        cells[number] = (fields[0]._replace(text=rest),)
    return replace(column, cells=cells) if column.kind in WHOLE else None


def _are_pieces(column: FieldColumn, parts: Sequence[FieldColumn]) -> bool:
    """Whether a line is one value, and its parts are only pieces of it: figures and signs."""
    return column.kind in WHOLE and all(part.kind == "number" or _is_short(part) for part in parts)


def _is_short(part: FieldColumn) -> bool:
    """Whether a part is no more than the name of a currency or a month."""
    return all(len(text) <= PARAMETERS.short for text in part.texts)


def _is_sum(column: FieldColumn, parts: Sequence[FieldColumn]) -> bool:
    """Whether nothing but signs is left of a line when its parts are taken away."""
    for number, fields in column.cells.items():
        inside = sorted({(field.node, field.text) for part in parts for field in part.cells.get(number, ())})
        if _words(text for _, text in inside) != _words(field.text for field in fields):
            return False
    return True


def _without_copies(found: Sequence[FieldColumn], headings: Sequence[str]) -> list[FieldColumn]:
    """Drop columns that say in each of their records what another one says there, as long as no heading parts them."""
    said = [{n: _words(field.text for field in fields) for n, fields in column.cells.items()} for column in found]
    saying: dict[tuple[int, str], list[int]] = defaultdict(list)
    for number, texts in enumerate(said):
        for each in texts.items():
            saying[each].append(number)
    copies: set[int] = set()
    for number, texts in enumerate(said):
        alike = islice(saying[next(iter(texts.items()))], PARAMETERS.most_compared)
        if any(
            texts.items() <= said[other].items() and _is_copy(found[number], found[other])
            for other in alike
            if other != number and other not in copies and not _are_parted(headings[number], headings[other])
        ):
            copies.add(number)
    return [column for number, column in enumerate(found) if number not in copies]


def _are_parted(heading: str, other: str) -> bool:
    """Whether a table gives two columns headings of their own: what they say alike are two values."""
    return bool(heading and other) and heading != other


def _is_copy(column: FieldColumn, other: FieldColumn) -> bool:
    """Whether a column whose texts another one has, too, goes: that one is a part of it, or both are words."""
    if len(column.cells) == len(other.cells):
        if _is_inside(other.path, column.path):
            return True
        if _is_inside(column.path, other.path) or column.place < other.place:
            return False
    wordy = column.kind in WORDY and len(column.cells) >= PARAMETERS.several
    return wordy and len(set(column.texts)) > 1


def _is_part(line: FieldColumn, column: FieldColumn) -> bool:
    return _is_inside(column.path, line.path)


def _is_inside(path: Path, other: Path) -> bool:
    return len(path) > len(other) and path[: len(other)] == other


def _words(texts: Iterable[str]) -> str:
    """Return the words of some texts without signs."""
    return SIGNS.sub(" ", " ".join(texts)).strip()
