"""What columns are called: as the page calls them, or else by what stands in them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from windrow.nodes.identifiers import words_of
from windrow.region.labels import LABELLED, label_in
from windrow.region.measures import HEADINGS
from windrow.region.text_kinds import label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from windrow.region.fields import RecordNodes
    from windrow.region.grid import Grid
    from windrow.region.measures import PageMeasures
    from windrow.region.repetition import FieldColumn

SPOKEN = frozenset(
    (
        "title headline heading name price cost date time published author byline description desc summary snippet "
        "excerpt abstract rating stars score review reviews comment comments view views vote votes reply replies "
        "location address city country category tag tags brand size color colour duration source domain url publisher "
        "seller vendor supplier phone email salary company employer status type rank year genre language artist album "
        "label badge discount stock shipping condition model sku isbn pages edition subtitle kicker topic section "
        "user username subject "
    ).split()
)
"""Words in classes that say what a field is."""
FORMER = frozenset("old was original former previous before strike strikethrough crossed".split())
"""Words in classes that say of a price that it is no longer asked."""
STRUCK = frozenset({"del", "s", "strike"})
ACTIONS = frozenset({"a", "button"})
"""Elements whose words say what can be done rather than what is."""
NOT_A_NAME = re.compile(r"[^\w]+")


@dataclass(frozen=True)
class Parameters:
    """When cells name their column; set by hand."""

    longest: int = 30
    usual: float = 0.6
    """Share of a column's cells that must say the same for it to be the column's name."""
    several: int = 3
    """Records from which on it says something that all have the same text."""


PARAMETERS = Parameters()


class ColumnNames(NamedTuple):
    """A name of its own for each column, and the columns that say the same in every record, with what they say."""

    all: list[str]
    constants: dict[str, str]


def name_columns(
    measures: PageMeasures, found: Sequence[FieldColumn], records: Sequence[RecordNodes], grid: Grid
) -> ColumnNames:
    """Name the columns. What the page names is data, be it the same everywhere."""
    properties = _Properties(measures, measures.nodes.attributes.having("itemprop"))
    taken: dict[str, int] = {}
    constants: dict[str, str] = {}
    for column in found:
        said = _usual(properties.around(node, records[n][0]) for n, node in column.nodes)
        said = said or _usual(grid.heading_over(node) for _, node in column.nodes)
        said = said or label_in(column.path) or _usual(map(label_of, column.texts)) or _from_classes(column)
        constant = "" if said else _find_constant(column, len(records))
        name = _take(_plain(said or constant or _by_look(measures, column)) or column.kind, taken)
        if constant:
            constants[name] = constant
    return ColumnNames(list(taken), constants)


def _find_constant(column: FieldColumn, records: int) -> str:
    """Return the words that stand in each of several records ("Quick view"), which tell none from another."""
    tags = {step.partition(".")[0] for step in column.path}
    if column.kind != "text" or records < PARAMETERS.several or len(column.cells) < records or not tags & ACTIONS:
        return ""
    texts = {field.text for fields in column.cells.values() for field in fields}
    return texts.pop() if len(texts) == 1 else ""


def _usual(said: Iterable[str]) -> str:
    """Return what most cells say, if they do."""
    counts = Counter(said)
    name, count = counts.most_common(1)[0]
    return name if count >= PARAMETERS.usual * counts.total() else ""


@dataclass(frozen=True, eq=False)
class _Properties:
    """What microdata calls nodes."""

    measures: PageMeasures
    given: Mapping[int, str]

    def around(self, node: int, root: int) -> str:
        """Return the name of a part of a record, by the nearest element that has one."""
        while self.given and node >= root:
            if name := self.given.get(node):
                return name.split()[0] if name.split() else ""
            node = int(self.measures.nodes.parent[node])
        return ""


def _from_classes(column: FieldColumn) -> str:
    for step in reversed(column.path[-3:]):
        words = [words_of(name) for name in step.split(".")[1:]]
        spoken = next((found for name in words if (found := [word for word in name if word in SPOKEN])), [])
        if spoken:
            is_former = spoken[-1] == "price" and any(word in FORMER for name in words for word in name)
            return "old price" if is_former else spoken[-1]
    return ""


def _by_look(measures: PageMeasures, column: FieldColumn) -> str:
    """Return a name by the column's element or by what kind of values it holds; other classes are words of the site."""
    tags = {step.partition(".")[0].partition(LABELLED)[0] for step in column.path}
    if tags & HEADINGS:
        return "title"
    if "time" in tags:
        return "date"
    if column.kind == "price" and tags & STRUCK:
        return "old price"
    if column.kind != "text":
        return column.kind
    node = next(iter(column.cells.values()))[0].node
    return "link" if measures.links[node] or "a" in tags else "text"


def _plain(name: str) -> str:
    return NOT_A_NAME.sub("_", name.strip().lower()).strip("_")[: PARAMETERS.longest].strip("_")


def _take(name: str, taken: dict[str, int]) -> str:
    """Add a name, with a number if it is there; beside each name stands the number that it was last given with."""
    found = name
    while found in taken:
        taken[name] += 1
        found = f"{name}_{taken[name]}"
    taken[found] = 1
    return found
