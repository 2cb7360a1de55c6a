"""Records that are rows of a table: a label's place is its column, known by its header, or else by its number.

Columns are counted over all cells, be they empty, and with spans: a cell that reaches down is in the rows below it too.
Where another page has the header over another column, that is the one; where it has headers but not this one, nothing
tells which column is meant. A row of sums that are marked as headers is no record, and what is
below it keeps the headers above.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windrow.nodes.table_rows import find_rows, find_table, is_header_row, place_sections
from windrow.wrapper.lists.pattern import RecordSpan
from windrow.wrapper.lists.texts import RecordView

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windrow.nodes import Nodes
    from windrow.nodes.cells import Slot
    from windrow.wrapper.lists.texts import PageTexts

ROW, HEAD = "tr", "thead"
KEPT = "_wrapper_grids"
COUNT = re.compile(r"[(\[]\s*\d+\s*[)\]]")
"""How many records a column has, as some headers say."""
FIGURE = re.compile(r"(?<!\w)(?!(?:1[89]|20)\d\d\b)\d")
"""A number that is no year, in the words over a column."""


@dataclass(frozen=True, eq=False)
class TableGrid:
    """The rows of one table: what stands in each, and the headers."""

    cells: dict[int, list[tuple[int, Slot]]]
    """The cells of each row with their slots, those that reach down from above too."""
    headers: list[tuple[int, list[str]]]
    """The rows of headers that say what is below them, each with its texts by column."""
    marked: frozenset[int]
    """All rows whose cells are marked as headers, sums too."""

    def has_headers(self, row: int) -> bool:
        """Whether a row is marked as one of headers, and so is no record."""
        return row in self.marked

    def headers_over(self, row: int) -> list[str]:
        """Return the headers of the columns in a row, as the nearest row of headers above it has them."""
        place = bisect_left(self.headers, row, key=lambda header: header[0])
        return self.headers[place - 1][1] if place else []

    def cell_at(self, row: int, column: int) -> tuple[int, Slot] | None:
        """Return the cell that covers a column of a row."""
        covering = (
            (cell, slot)
            for cell, slot in self.cells.get(row, ())
            if slot.column <= column < slot.column + slot.column_span
        )
        return next(covering, None)


def grid_around(view: RecordView) -> TableGrid | None:
    """Return the table that a record is a row of; None where it is none."""
    nodes, row = view.features.nodes, view.span.root
    if row != view.span.start or nodes.tag[row] != ROW:
        return None
    table = find_table(nodes, row)
    kept: dict[int, TableGrid] = vars(nodes).setdefault(KEPT, {})
    if table and table not in kept:
        kept[table] = _read_grid(view.texts, table)
    return kept.get(table)


def _read_grid(texts: PageTexts, table: int) -> TableGrid:
    nodes = texts.features.nodes
    rows = find_rows(nodes, table)
    placed: dict[int, list[tuple[int, Slot]]] = {row: [] for row in rows}
    for members, slots in place_sections(nodes, rows):
        for cell, slot in slots.items():
            for row in members[slot.row : slot.row + slot.row_span]:
                placed[row].append((cell, slot))
    marked = frozenset(row for row, cells in rows.items() if is_header_row(nodes, row, cells))
    first = next((row for row, cells in rows.items() if len(cells) > 1), None)
    headers: list[tuple[int, list[str]]] = []
    for row in filter(marked.__contains__, rows):
        own = _header_texts(texts, placed[row])
        if row == first or _is_in_head(nodes, row) or _are_headers(own, headers[-1][1] if headers else ()):
            headers.append((row, own))
    return TableGrid(placed, headers, marked)


def _are_headers(own: Sequence[str], above: Sequence[str]) -> bool:
    """Whether a row further down that is marked as headers has some, not sums: no figures, or some of those above."""
    return not any(map(FIGURE.search, own)) or not set(filter(None, own)).isdisjoint(above)


def _is_in_head(nodes: Nodes, row: int) -> bool:
    return nodes.tag[int(nodes.parent[row])] == HEAD


def _header_texts(texts: PageTexts, cells: Sequence[tuple[int, Slot]]) -> list[str]:
    """Return the words over each column; arrows and other marks come and go, and so do counts that tell none apart."""
    shown = [texts.features.text_of(cell).casefold() for cell, _ in cells]
    bare = [_words(COUNT.sub(" ", text)) for text in shown]
    columns: dict[int, str] = {}
    for (_, slot), text, words in zip(cells, shown, bare, strict=True):
        own = words if words and bare.count(words) == 1 else _words(text)
        columns.update(dict.fromkeys(range(slot.column, slot.column + slot.column_span), own))
    return [columns.get(column, "") for column in range(max(columns, default=-1) + 1)]


def _words(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text).split())


@dataclass(frozen=True)
class Column:
    """The column that a label stands in."""

    number: int
    width: int = 1
    """How many columns its cells take."""
    header: str | None = None
    """The words over it; None where the table has no headers."""
    rank: int = 0
    alike: int = 1
    """Which of the columns with such a header it is, and how many there are."""

    @classmethod
    def of(cls, grid: TableGrid, row: int, slot: Slot) -> Column:
        """Take a column of the learned page."""
        headers, number = grid.headers_over(row), slot.column
        if number >= len(headers):
            return cls(number, slot.column_span)
        alike = [place for place, words in enumerate(headers) if words == headers[number]]
        return cls(number, slot.column_span, headers[number], alike.index(number), len(alike))

    @property
    def is_named(self) -> bool:
        """Whether a header says what is in it."""
        return bool(self.header)

    @property
    def place(self) -> str:
        """Which column it is, for people."""
        return f"/column {self.header!r}" if self.header else f"/column {self.number + 1}"

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        plain: dict[str, Any] = {"number": self.number}
        if self.width > 1:
            plain["width"] = self.width
        if self.header is not None:
            plain["header"] = self.header
        return plain | ({"rank": self.rank, "alike": self.alike} if self.alike > 1 else {})

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Column:
        """Return what ``to_dict`` wrote."""
        header = plain.get("header")
        width, rank, alike = (
            int(plain.get(name, default)) for name, default in (("width", 1), ("rank", 0), ("alike", 1))
        )
        return cls(int(plain["number"]), width, None if header is None else str(header), rank, alike)

    def find(self, view: RecordView) -> tuple[RecordView | None, bool]:
        """Return the cell of a record in this column, if there is one, and whether it is surely this column's.

        It is not where the headers do not say so, and where a cell takes more columns than the learned ones; a row that
        is nothing but such a cell is no record.
        """
        grid = grid_around(view)
        row = view.span.root
        if grid is None or grid.has_headers(row):
            return None, True
        headers = grid.headers_over(row)
        number: int | None = self.number
        if self.header is not None and headers:
            alike = [place for place, words in enumerate(headers) if words == self.header]
            number = alike[self.rank] if len(alike) == self.alike else None
        found = grid.cell_at(row, self.number if number is None else number)
        if found is None:
            return None, True
        cell, slot = found
        if slot.column_span > self.width and len(grid.cells[row]) == 1:
            return None, True
        return cell_view(view, cell), number == slot.column and slot.column_span == self.width


def cell_view(view: RecordView, cell: int) -> RecordView:
    """Return a cell of a record as something to be read by itself."""
    return RecordView(view.texts, RecordSpan(cell, cell, int(view.features.nodes.end[cell])), is_cell=True)


def find_columns(view: RecordView, nodes: Sequence[int]) -> Iterator[Column]:
    """Yield the columns of a record's cells that some of its nodes stand in."""
    grid, row = grid_around(view), view.span.root
    if grid is None:
        return
    for cell, slot in grid.cells.get(row, ()):
        if any(cell <= node < view.features.nodes.end[cell] for node in nodes):
            yield Column.of(grid, row, slot)
