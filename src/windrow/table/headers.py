"""Which rows on top and which columns on the left are headings: by markup, else by look, else by what stands in them.

Read as a person reads: a title over the whole width and the rows of names below it are headings; rows that mark only
their first cell are data with a heading column. Where the markup says nothing, names differ from data in look (bold,
own background) or in kind (words over numbers).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind
from windrow.table.evidence import is_numeric, is_placeholder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.geometry import Mask
    from windrow.nodes import Nodes
    from windrow.table.grid import Grid, Place

LABEL = re.compile(r".{1,60}:")
DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class HeaderParameters:
    """What rows and columns of headings look like; by principle."""

    bold: int = 600  # from this font weight on, as CSS calls it
    bold_tags: frozenset[str] = frozenset({"b", "strong", "th", "h1", "h2", "h3", "h4", "h5", "h6"})
    longest_name: int = 60  # characters: a longer text is data; a title may have twice as many
    most_rows: int = 6
    most_columns: int = 3
    looked_at: int = 25  # rows below a heading that are compared with it by what they hold
    compared: int = 8  # rows below a heading that are compared with it by their look
    mostly: float = 0.6


PARAMETERS = HeaderParameters()


@dataclass(frozen=True)
class Headings:
    """How many rows and columns are headings."""

    rows: int
    columns: int


class Looks:
    """How the text of elements looks: bold or not, and on which background; by markup where nothing was laid out."""

    def __init__(self, nodes: Nodes) -> None:
        """Remember the page."""
        self.nodes = nodes

    def is_bold(self, node: int) -> bool:
        """Whether all text of an element is bold."""
        return bool(self._bold[node])

    def background(self, node: int) -> tuple[int, ...] | str:
        """Return the colour behind an element, or what its markup says of it; nothing where it is its surroundings'."""
        if self.nodes.layout is None:
            return self._colors.get(node, "")
        color = tuple(self.nodes.layout.background[node].tolist())
        return color if color[3] else ""

    @cached_property
    def _colors(self) -> dict[int, str]:
        return self.nodes.attributes.having("bgcolor")

    @cached_property
    def _bold(self) -> Mask:
        """Whether each node holds text, and only bold text."""
        nodes = self.nodes
        texts = (nodes.kind == Kind.TEXT) & nodes.visible & (nodes.spans.end > nodes.spans.start)
        if nodes.layout is not None:
            bold = nodes.layout.font_weight >= PARAMETERS.bold
        else:
            bold = nodes.inside(nodes.tag.is_in(PARAMETERS.bold_tags))
        count = nodes.sum_inside(texts)
        return np.asarray((count > 0) & (nodes.sum_inside(texts & bold) == count))


def find_headings(grid: Grid, looks: Looks) -> Headings:
    """Count the heading rows and columns of a grid."""
    table = _Rows(grid, looks)
    rows = _heading_rows(table)
    columns = _heading_columns(table, rows)
    return Headings(rows, columns)


class _Rows:
    """A grid by rows: the cells that begin in each, and the texts that stand in it."""

    def __init__(self, grid: Grid, looks: Looks) -> None:
        self.grid, self.looks = grid, looks
        self.texts = grid.texts
        self.height, self.width = grid.row_count, grid.column_count
        self.cells: list[list[Place]] = [[] for _ in range(self.height)]
        for place in grid.places:
            self.cells[place.row].append(place)
        self.covered: list[list[Place]] = [
            [grid.places[number] for number in dict.fromkeys(row) if number >= 0]
            for row in grid.matrix[: PARAMETERS.most_rows + PARAMETERS.looked_at].tolist()
        ]

    def filled(self, row: int) -> list[Place]:
        """Return the cells over a row that hold text."""
        return [place for place in self.covered[row] if place.text]

    def is_title(self, row: int) -> bool:
        """Whether one cell covers the whole row, or all the text that it has."""
        own = self.covered[row]
        return len(own) == 1 and bool(own[0].text) and own[0].column_span == self.width > 1

    def is_marked(self, row: int) -> bool:
        """Whether the markup calls the whole row a heading: more than its first cell, and no cell of data."""
        filled = self.filled(row)
        marked = [place for place in filled if place.heading]
        whole = (
            len(filled) > 1
            or self.is_title(row)
            or (len(self.cells[row]) > 1 and all(place.heading for place in self.cells[row]))
        )
        return bool(marked) and len(marked) == len(filled) and whole


def _heading_rows(table: _Rows) -> int:
    last = min(table.height - 1, PARAMETERS.most_rows)
    rows = 0
    while rows < last and _is_marked_heading(table, rows):
        rows += 1
    if rows and not all(table.is_title(row) for row in range(rows)):
        return _with_spans(table, rows)
    while rows < last and table.is_title(rows) and _is_title_like(table, rows):
        rows += 1
    if rows < last and _looks_like_names(table, rows):
        rows += 1
        while rows < last and _continues(table, rows):
            rows += 1
    return _with_spans(table, rows)


def _is_marked_heading(table: _Rows, row: int) -> bool:
    if table.grid.sections[row] == "head":
        return bool(table.filled(row))
    return table.is_marked(row)


def _is_title_like(table: _Rows, row: int) -> bool:
    text = table.filled(row)[0].text
    return len(text) <= 2 * PARAMETERS.longest_name


def _with_spans(table: _Rows, rows: int) -> int:
    """Reach as far down as the tallest heading that begins in the first of these rows."""
    if rows == 0:
        return 0
    reach = max(
        (place.row + place.row_span for row in range(rows) for place in table.cells[row] if place.heading), default=0
    )
    return min(max(rows, reach if reach <= rows + 1 else rows), table.height - 1)


def _looks_like_names(table: _Rows, row: int) -> bool:
    """Whether an unmarked row names the columns below it."""
    names = table.filled(row)
    if len(names) < min(2, table.width) or any(_is_data(place.text) for place in names):
        return False
    below = range(row + 1, min(table.height, row + 1 + PARAMETERS.looked_at))
    if table.width == 2 and LABEL.fullmatch(names[0].text):  # noqa: PLR2004 - a name and its value
        return False
    return _stands_out(table, row, below) or _words_over_numbers(table, row, below) or _are_plain_names(table, row)


def _are_plain_names(table: _Rows, row: int) -> bool:
    """Whether three or more different words without a figure stand over every column, and more rows below."""
    names = table.texts[row]
    plain = [text for text in names if text and DIGIT.search(text) is None]
    enough = table.width > 2 and table.height - row > 2  # noqa: PLR2004 - with two of either, anything could be a name
    return enough and len(set(plain)) == len(names)


def _is_data(text: str) -> bool:
    return len(text) > PARAMETERS.longest_name or _is_figure(text)


def _is_figure(text: str) -> bool:
    return is_numeric(text) or is_placeholder(text)


def _stands_out(table: _Rows, row: int, below: Sequence[int]) -> bool:
    """Whether a row looks unlike the rows below it: all bold, or on a background of its own."""
    looks = table.looks
    names = table.filled(row)
    others = [
        place for other in below[: PARAMETERS.compared] for place in table.cells[other] if place.text and place.column
    ]
    if not others:
        return False
    if all(place.heading or looks.is_bold(place.node) for place in names):
        return sum(looks.is_bold(place.node) for place in others) < PARAMETERS.mostly * len(others)
    own = {_behind(table, place) for place in names}
    if len(own) != 1 or own == {""}:
        return False
    return not own & {_behind(table, place) for place in others}


def _behind(table: _Rows, place: Place) -> tuple[int, ...] | str:
    """Return the background of a cell, or of its row."""
    return table.looks.background(place.node) or table.looks.background(int(table.looks.nodes.parent[place.node]))


def _words_over_numbers(table: _Rows, row: int, below: Sequence[int]) -> bool:
    """Whether words stand over columns of numbers, more than one row of them."""
    if len(below) < 2:  # noqa: PLR2004
        return False
    numeric = 0
    for column in range(table.width):
        texts = [table.texts[other][column] for other in below if table.texts[other][column]]
        share = sum(_is_figure(text) for text in texts) / len(texts) if texts else 0.0
        numeric += share >= PARAMETERS.mostly and bool(table.texts[row][column])
    return numeric > 0 and (numeric > 1 or table.width > 2)  # noqa: PLR2004


def _continues(table: _Rows, row: int) -> bool:
    """Whether a row goes on with the heading above it: its names stand under a name over several columns."""
    above = [place for place in table.covered[row - 1] if place.column_span > 1 and place.text]
    under = [place for place in table.cells[row] if place.text]
    if not above or not under or any(_is_data(place.text) for place in under):
        return False
    below = range(row + 1, min(table.height, row + 1 + PARAMETERS.looked_at))
    return _stands_out(table, row, below) or _words_over_numbers(table, row, below)


def _heading_columns(table: _Rows, rows: int) -> int:
    body = [
        row
        for row in range(rows, min(table.height, PARAMETERS.most_rows + PARAMETERS.looked_at))
        if not table.is_title(row)
    ]
    if not body:
        return 0
    columns = 0
    for column in range(min(table.width - 1, PARAMETERS.most_columns)):
        numbers = [int(table.grid.matrix[row, column]) for row in body]
        cells = [table.grid.places[number] for number in numbers if number >= 0 and table.grid.places[number].text]
        if not cells or sum(place.heading for place in cells) < PARAMETERS.mostly * len(cells):
            break
        columns += 1
    if columns:
        return columns
    return int(_is_attribute_value(table, body, rows) or _is_matrix(table, body, rows))


def _is_attribute_value(table: _Rows, body: Sequence[int], rows: int) -> bool:
    """Whether a table without named columns pairs names with values."""
    if table.width != 2 or any(not table.is_title(row) for row in range(rows)):  # noqa: PLR2004
        return False
    names = [table.texts[row][0] for row in body if table.texts[row][0]]
    short = [text for text in names if not _is_data(text)]
    return bool(names) and len(set(short)) >= PARAMETERS.mostly * len(names)


def _is_matrix(table: _Rows, body: Sequence[int], rows: int) -> bool:
    """Whether names of columns have an empty corner at their left and words under it."""
    if rows == 0 or table.width < 3 or any(table.texts[row][0] for row in range(rows) if not table.is_title(row)):  # noqa: PLR2004
        return False
    named = [row for row in body if table.texts[row][0] and not _is_data(table.texts[row][0])]
    return len(named) >= PARAMETERS.mostly * len(body)
