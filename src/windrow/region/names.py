"""What columns are called: as the page calls them, or else by what stands in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from windrow.region.columns import HEADINGS
from windrow.region.identifiers import words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

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
LABEL = re.compile(r"\s*([^\W\d][^:\uff1a]{0,28}?)\s*[:\uff1a](?:\s|$)")
_Headings: TypeAlias = tuple[list[int], list[str]]
SPAN = re.compile(r"\s*\+?(\d{1,9})")
MOST_SPAN = 1000
"""The HTML standard's own limit."""
NOT_A_NAME = re.compile(r"[^\w]+")
LONGEST = 30
USUAL = 0.6
"""Share of a column's cells that must say the same for it to be the column's name."""


def name_columns(
    columns: Columns, found: Sequence[Column], records: Sequence[RecordNodes], kinds: Sequence[str]
) -> list[str]:
    """Give each column a name of its own."""
    headings = _find_headings(columns, records)
    names: list[str] = []
    before = ""
    for column, kind in zip(found, kinds, strict=True):
        said = _spoken(columns, column, records, headings)
        said = said or before or _by_look(columns, column, kind)
        before = _lone_label(column)
        names.append(_unique(_plain(said) or kind, names))
    return names


def _spoken(columns: Columns, column: Column, records: Sequence[RecordNodes], headings: _Headings) -> str:
    """Ask microdata, table headers, labels in the text and classes, in this order."""
    microdata: Counter[str] = Counter()
    header: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    for number, pieces in column.cells.items():
        node = pieces[0].node
        microdata[_property(columns, node, records[number][0])] += 1
        header[_heading_of(columns, node, headings)] += 1
        label = LABEL.match(pieces[0].text)
        labels[label[1] if label and label.end() < len(pieces[0].text) else ""] += 1
    for spoken in (microdata, header, labels):
        name, count = spoken.most_common(1)[0]
        if name and count >= USUAL * len(column.cells):
            return name
    return _from_classes(column)


def _property(columns: Columns, node: int, root: int) -> str:
    while node >= root:
        if name := columns.nodes.attributes[node].get("itemprop"):
            return name.split()[0] if name.split() else ""
        node = int(columns.nodes.parent[node])
    return ""


def _from_classes(column: Column) -> str:
    for step in reversed(column.way[-3:]):
        for name in step.split(".")[1:]:
            words = [word for word in words_of(name) if word in SPOKEN]
            if words:
                return words[-1]
    return ""


def _by_look(columns: Columns, column: Column, kind: str) -> str:
    """Name a column by its element, by what kind of values it holds, or by its class."""
    tags = {step.partition(".")[0] for step in column.way}
    if tags & HEADINGS:
        return "title"
    if "time" in tags:
        return "date"
    if kind != "text":
        return kind
    own = column.way[-1].split(".")[1:]
    if own and len(own[-1]) > 2 and own[-1].replace("-", "").replace("_", "").isalpha():  # noqa: PLR2004 -- a word
        return own[-1]
    node = next(iter(column.cells.values()))[0].node
    return "link" if columns.links[node] or "a" in tags else "text"


def _lone_label(column: Column) -> str:
    """Give the label that a column consists of, which then names the next column."""
    texts = {pieces[0].text for pieces in column.cells.values()}
    if len(texts) != 1 or len(column.cells) == 1:
        return ""
    text = texts.pop().strip()
    return text[:-1] if text.endswith((":", "\uff1a")) else ""


def _find_headings(columns: Columns, records: Sequence[RecordNodes]) -> _Headings:
    """Read the heading row above records that are rows of a table: where its cells begin, and their texts."""
    nodes, first = columns.nodes, records[0][0]
    if nodes.tag[first] != "tr":
        return [], []
    table = int(nodes.parent[first])
    while table > 0 and nodes.tag[table] != "table":
        table = int(nodes.parent[table])
    rows = [row for row in nodes.tag.where("tr").tolist() if table < row < first]
    for row in reversed(rows):
        cells = _cells_of(columns, row)
        if sum(nodes.tag[cell] == "th" for cell in cells) > 1:
            return _edges(columns, cells), [*map(nodes.visible_text, cells), ""]
    return [], []


def _heading_of(columns: Columns, node: int, headings: _Headings) -> str:
    """Give the text of the heading over the column in which the cell around a node begins."""
    nodes = columns.nodes
    edges, texts = headings
    while edges and node > 0:
        if nodes.tag[node] in ("td", "th"):
            row = _cells_of(columns, int(nodes.parent[node]))
            return texts[bisect_right(edges, _edges(columns, row)[row.index(node)]) - 1]
        node = int(nodes.parent[node])
    return ""


def _cells_of(columns: Columns, row: int) -> list[int]:
    return [cell for cell in columns.nodes.children(row).tolist() if columns.nodes.tag[cell] in ("td", "th")]


def _edges(columns: Columns, cells: list[int]) -> list[int]:
    """Give the column in which each cell begins, and the one after the last cell."""
    edges = [0]
    for cell in cells:
        found = SPAN.match(columns.nodes.attributes[cell].get("colspan", ""))
        edges.append(edges[-1] + max(1, min(int(found[1]), MOST_SPAN) if found else 1))
    return edges


def _plain(name: str) -> str:
    return NOT_A_NAME.sub("_", name.strip().lower()).strip("_")[:LONGEST].strip("_")


def _unique(name: str, taken: list[str]) -> str:
    found, again = name, 2
    while found in taken:
        found, again = f"{name}_{again}", again + 1
    return found
