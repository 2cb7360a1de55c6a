"""What columns are called: as the page calls them, or else by what stands in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from windrow.nodes.cells import Spans, place_cells
from windrow.region.columns import HEADINGS
from windrow.region.identifiers import words_of
from windrow.region.kinds import label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from windrow.nodes.cells import Span
    from windrow.region.alignment import Column
    from windrow.region.columns import Columns
    from windrow.region.pieces import RecordNodes

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
CELLS = frozenset({"td", "th"})
WIDEST = 100
"""Columns that a cell reaches over at most, so that an attack by spans costs little."""
NOT_A_NAME = re.compile(r"[^\w]+")
LONGEST = 30
USUAL = 0.6
"""Share of a column's cells that must say the same for it to be the column's name."""


def name_columns(
    columns: Columns, found: Sequence[Column], records: Sequence[RecordNodes], kinds: Sequence[str]
) -> list[str]:
    """Give each column a name of its own."""
    headings = _find_headings(columns, records)
    properties = _Properties(columns, columns.nodes.attributes.having("itemprop"))
    taken: dict[str, int] = {}
    before = ""
    for column, kind in zip(found, kinds, strict=True):
        said = _usual(properties.around(node, records[n][0]) for n, node in column.nodes)
        said = said or (_usual(headings.over(node) for _, node in column.nodes) if headings else "")
        said = said or _usual(map(label_of, column.texts)) or _from_classes(column)
        said = said or before or _by_look(columns, column, kind)
        before = _lone_label(column)
        _take(_plain(said) or kind, taken)
    return list(taken)


def _usual(said: Iterable[str]) -> str:
    """Give what most cells say, if they do."""
    counts = Counter(said)
    name, count = counts.most_common(1)[0]
    return name if count >= USUAL * counts.total() else ""


@dataclass(frozen=True, eq=False)
class _Properties:
    """What microdata calls nodes."""

    columns: Columns
    given: Mapping[int, str]

    def around(self, node: int, root: int) -> str:
        """Give the name of a part of a record, by the nearest element that has one."""
        while self.given and node >= root:
            if name := self.given.get(node):
                return name.split()[0] if name.split() else ""
            node = int(self.columns.nodes.parent[node])
        return ""


def _from_classes(column: Column) -> str:
    for step in reversed(column.way[-3:]):
        words = [words_of(name) for name in step.split(".")[1:]]
        spoken = next((found for name in words if (found := [word for word in name if word in SPOKEN])), [])
        if spoken:
            is_former = spoken[-1] == "price" and any(word in FORMER for name in words for word in name)
            return "old price" if is_former else spoken[-1]
    return ""


def _by_look(columns: Columns, column: Column, kind: str) -> str:
    """Name a column by its element, by what kind of values it holds, or by its class."""
    tags = {step.partition(".")[0] for step in column.way}
    if tags & HEADINGS:
        return "title"
    if "time" in tags:
        return "date"
    if kind == "price" and tags & STRUCK:
        return "old price"
    if kind != "text":
        return kind
    own = column.way[-1].split(".")[1:]
    if own and len(own[-1]) > 2 and own[-1].replace("-", "").replace("_", "").isalpha():  # noqa: PLR2004 -- a word
        return own[-1]
    node = next(iter(column.cells.values()))[0].node
    return "link" if columns.links[node] or "a" in tags else "text"


def _lone_label(column: Column) -> str:
    """Give the label that a column consists of, which then names the next column."""
    texts = set(column.texts)
    if len(texts) != 1 or len(column.cells) == 1:
        return ""
    text = texts.pop().strip()
    return text[:-1] if text.endswith((":", "\uff1a")) else ""


@dataclass(frozen=True, eq=False)
class _Headings:
    """The lowest headings above records that are rows of a table: the columns they begin in, and their texts."""

    columns: Columns
    edges: list[int]
    texts: list[str]
    places: dict[int, int]
    """The column in which each cell of the table begins."""

    def over(self, node: int) -> str:
        """Give the text of the heading over the column in which the cell around a node begins."""
        nodes = self.columns.nodes
        while node > 0:
            if node in self.places:
                return self.texts[bisect_right(self.edges, self.places[node]) - 1]
            node = int(nodes.parent[node])
        return ""


def _find_headings(columns: Columns, records: Sequence[RecordNodes]) -> _Headings | None:
    """Read the headings, where the records are rows of a table that has a row of them."""
    nodes, first = columns.nodes, records[0][0]
    if nodes.tag[first] != "tr":
        return None
    table = int(nodes.parent[first])
    while table > 0 and nodes.tag[table] != "table":
        table = int(nodes.parent[table])
    rows = [row for row in nodes.tag.where("tr").tolist() if table < row < nodes.end[table]]
    rows = [row for row in rows if table in (parent := int(nodes.parent[row]), int(nodes.parent[parent]))]
    cells = {row: _cells_of(columns, row) for row in rows}
    above = [row for row in rows if row < first and sum(nodes.tag[cell] == "th" for cell in cells[row]) > 1]
    if not above:
        return None
    places, lowest = _place_cells(columns, cells, above[-1])
    texts = {edge: nodes.visible_text(cell) if cell else "" for edge, cell in sorted(lowest.items())}
    return _Headings(columns, list(texts), list(texts.values()), places)


def _cells_of(columns: Columns, row: int) -> list[int]:
    return [cell for cell in columns.nodes.children(row).tolist() if columns.nodes.tag[cell] in CELLS]


def _place_cells(
    columns: Columns, rows: Mapping[int, list[int]], heading: int
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the column in which each cell begins, and the cells over the columns in the heading row, by their first.

    A cell that reaches down from a row above takes its columns there, too. Behind the last cell stands none: 0.
    """
    spans = Spans(columns.nodes)
    places: dict[int, int] = {}
    lowest: dict[int, int] = {}
    for _, section in groupby(rows, lambda row: int(columns.nodes.parent[row])):
        members = list(section)
        wanted = members.index(heading) if heading in members else -1
        cells = [cell for row in members for cell in rows[row]]
        slots = place_cells([[_narrow(spans.of(cell)) for cell in rows[row]] for row in members])
        for cell, slot in zip(cells, slots, strict=True):
            places[cell] = slot.column
            if slot.row <= wanted < slot.row + slot.row_span:
                lowest.setdefault(slot.column + slot.column_span, 0)
                lowest[slot.column] = cell
    return places, lowest


def _narrow(span: Span) -> Span:
    return span._replace(columns=min(span.columns, WIDEST))


def _plain(name: str) -> str:
    return NOT_A_NAME.sub("_", name.strip().lower()).strip("_")[:LONGEST].strip("_")


def _take(name: str, taken: dict[str, int]) -> None:
    """Add a name, with a number if it is there; beside each name stands the number that it was last given with."""
    found = name
    while found in taken:
        taken[name] += 1
        found = f"{name}_{taken[name]}"
    taken[found] = 1
