"""Records aligned into columns: the same path is the same column; what repeats on one path is told apart by its place.

After DEPTA's partial tree alignment (Zhai and Liu, 2005): what finds no partner leaves an empty cell and never moves
its neighbours. Ways that differ in some classes only, or are never filled together, are one column.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import islice
from statistics import fmean
from typing import TYPE_CHECKING

from windrow.region.labels import label_in, name_values
from windrow.region.matching import Matcher, as_list
from windrow.region.repetition import FieldColumn, drop_repetition

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.region.fields import FieldReader, Path
    from windrow.region.matching import Rows
    from windrow.region.text_kinds import Kinds


@dataclass(frozen=True)
class Parameters:
    """When two paths are one column; set by hand."""

    alike: float = 0.5
    """Share of the classes along two paths that must agree for them to be one column."""
    most_compared: int = 200  # not a decision: a limit against attacks
    """With how many others a path or column is compared, so that no page takes quadratic time."""


PARAMETERS = Parameters()


def align(reader: FieldReader, kinds: Kinds, heading_over: Callable[[int], str]) -> list[FieldColumn]:
    """Sort the fields of all records into columns, in the order in which they stand in the records.

    ``heading_over`` tells what a table calls the column that a node stands in.
    """
    records = name_values(reader.measures, reader.read_all())
    by_tags: dict[Path, dict[Path, Rows]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    place: dict[int, float] = {}
    for number, fields in enumerate(records):
        for rank, field in enumerate(fields):
            by_tags[reader.tags_of(field.path)][field.path][number].append(field)
            place[id(field)] = rank / len(fields)
    matcher = Matcher(reader.measures, kinds, reader.records)
    found = []
    for paths in by_tags.values():
        for path, rows in _join_variants(paths):
            # What one label names is one thing, be it several values.
            for cells in [as_list(rows)] if label_in(path) else matcher.part(rows):
                where = fmean(place[id(cell[0])] for cell in cells.values())
                found.append(FieldColumn(path, cells, where))
    joined = _join_alternatives(sorted(found, key=lambda column: column.place))
    return drop_repetition([replace(column, kind=kinds.common(column.texts)) for column in joined], heading_over)


def _join_variants(paths: dict[Path, Rows]) -> list[tuple[Path, Rows]]:
    """Join paths of the same tags whose classes differ in some (``even``, ``first``) and that no record fills twice."""
    kept: list[tuple[Path, Rows]] = []
    for path, rows in sorted(paths.items(), key=lambda item: (-len(item[1]), item[0])):
        for other, taken in islice(kept, PARAMETERS.most_compared):
            if not rows.keys() & taken.keys() and _classes_alike(path, other):
                taken.update(rows)
                break
        else:
            kept.append((path, dict(rows)))
    return [(path, dict(sorted(rows.items()))) for path, rows in kept]


def _classes_alike(one: Path, other: Path) -> bool:
    """Whether the last elements of two paths share a class, or have none, and the paths most of theirs."""
    last, others_last = set(one[-1].split(".")[1:]), set(other[-1].split(".")[1:])
    if last != others_last and not last & others_last:
        return False
    names = {(k, name) for k, step in enumerate(one) for name in step.split(".")[1:]}
    others = {(k, name) for k, step in enumerate(other) for name in step.split(".")[1:]}
    return 2 * len(names & others) >= PARAMETERS.alike * (len(names) + len(others))


def _join_alternatives(found: list[FieldColumn]) -> list[FieldColumn]:
    """Join columns that end in the same element and are never filled together: one template in two variants."""
    kept: dict[int, FieldColumn] = {}
    ending: dict[str, list[int]] = defaultdict(list)
    for number, column in enumerate(found):
        last = column.path[-1]
        for place in islice(ending[last], PARAMETERS.most_compared) if "." in last else ():
            other = kept[place]
            if column.path != other.path and column.cells.keys().isdisjoint(other.cells.keys()):
                kept[place] = FieldColumn(
                    other.path, dict(sorted({**other.cells, **column.cells}.items())), other.place
                )
                break
        else:
            kept[number] = column
            ending[last].append(number)
    return list(kept.values())
