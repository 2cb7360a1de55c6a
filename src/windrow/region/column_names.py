"""What columns are called: as the page calls them, or else by what stands in them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from windrow.nodes.identifiers import words_of
from windrow.region.labels import LABELLED, label_in
from windrow.region.measures import HEADINGS
from windrow.region.text_kinds import SHORT, sole_label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from windrow.region.fields import Path, RecordNodes
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
MONEY = frozenset("price cost salary discount".split())
FIGURES = dict.fromkeys(MONEY, frozenset({"price", "number"}))
FIGURES |= dict.fromkeys("date time published year".split(), frozenset({"date", "duration", "number"}))
FIGURES |= dict.fromkeys(
    "rating stars score reviews comments view views vote votes reply replies duration rank pages".split(),
    frozenset({"rating", "number", "duration"}),
)
"""Words for what has figures in it, and the kinds of texts that it can be beside words with a figure."""
WORDS = frozenset(
    (
        "title headline heading name author byline description desc summary snippet excerpt abstract location city "
        "country category tag tags brand publisher seller vendor supplier company employer genre language artist album "
        "subtitle kicker topic section user username subject color colour source "
    ).split()
)
"""Words for what is words, and no price, date or number."""
FIGURE = re.compile(r"\d|[★☆⭐]")
FORMER = frozenset("old was original former previous before strike strikethrough crossed".split())
"""Words in classes that say of a price that it is no longer asked."""
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
    properties = _find_properties(measures, found, records)
    inside = Counter(column.path[:depth] for column in found for depth in range(len(column.path)))
    taken: dict[str, int] = {}
    constants: dict[str, str] = {}
    for column, given in zip(found, properties, strict=True):
        said = given or _usual(grid.heading_over(node) for _, node in column.nodes)
        said = said or label_in(column.path) or _usual(map(sole_label_of, column.texts))
        said = said or _former(measures, column) or _from_classes(column, inside)
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


def _find_properties(measures: PageMeasures, found: Sequence[FieldColumn], records: Sequence[RecordNodes]) -> list[str]:
    """Return what microdata calls each column; nothing where its name stands around several of them."""
    given = measures.nodes.attributes.having("itemprop")
    if not given:
        return [""] * len(found)
    around = [[_find_named(measures, given, node, records[n][0]) for n, node in column.nodes] for column in found]
    sharing = Counter(named for nodes in around for named in set(nodes))
    return [
        _usual(
            next(iter(given[named].split()), "") if named >= 0 and (named == node or sharing[named] == 1) else ""
            for named, (_, node) in zip(nodes, column.nodes, strict=True)
        )
        for nodes, column in zip(around, found, strict=True)
    ]


def _find_named(measures: PageMeasures, given: Mapping[int, str], node: int, root: int) -> int:
    """Return the nearest element of a record around a node that microdata names, or -1."""
    while node >= root:
        if node in given:
            return node
        node = int(measures.nodes.parent[node])
    return -1


def _former(measures: PageMeasures, column: FieldColumn) -> str:
    """Return the name of a price that is struck out."""
    struck = column.kind == "price" and 2 * sum(measures.struck[node] for _, node in column.nodes) > len(column.cells)
    return "old price" if struck else ""


def _from_classes(column: FieldColumn, inside: Mapping[Path, int]) -> str:
    """Return the word in a class that says what the column is, where its texts may be that.

    What holds several columns is called by what they are together, which names none of them.
    """
    for depth in range(len(column.path), max(len(column.path) - 3, 0), -1):
        if depth < len(column.path) and inside[column.path[:depth]] > 1:
            return ""
        words = [words_of(name) for name in column.path[depth - 1].split(".")[1:]]
        spoken = next((found for name in words if (found := [word for word in name if word in SPOKEN])), [])
        if spoken:
            is_former = spoken[-1] in MONEY and any(word in FORMER for name in words for word in name)
            return ("old price" if is_former else spoken[-1]) if _may_be(spoken[-1], column) else ""
    return ""


def _may_be(word: str, column: FieldColumn) -> bool:
    """Whether the texts of a column can be what a word calls them: amounts and counts have figures, names are words."""
    if word in WORDS:
        return column.kind in {"text", "address"}
    if word not in FIGURES:
        return True
    if column.kind == "text":
        figures = sum(len(text) <= SHORT and FIGURE.search(text) is not None for text in column.texts)
        return 2 * figures > len(column.texts)
    return column.kind in FIGURES[word]


def _by_look(measures: PageMeasures, column: FieldColumn) -> str:
    """Return a name by the column's element or by what kind of values it holds; other classes are words of the site."""
    tags = {step.partition(".")[0].partition(LABELLED)[0] for step in column.path}
    node = next(iter(column.cells.values()))[0].node
    if tags & HEADINGS or measures.nodes.tag[node] in HEADINGS:
        return "title"
    if "time" in tags:
        return "date"
    if column.kind != "text":
        return column.kind
    linked = measures.texts[node] > 0 and measures.linked_texts[node] == measures.texts[node]
    return "link" if linked else "text"


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
