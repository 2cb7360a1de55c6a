"""A grid of cells, however it was found: who stands where, over how many rows and columns, with which text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.geometry import Mask

Kind: TypeAlias = Literal["table", "definitions", "text", "boxes", "grid", "rows"]
"""How a grid was found: by table markup or table display, as a definition list, by the columns of preformatted text, by
boxes, by a CSS grid's own placement, or by the repetition of rows."""
MARKED_KINDS = frozenset({"table", "definitions", "text"})
Section: TypeAlias = Literal["head", "body", "foot"]

BULLETS = frozenset("-–—\u2212•·∙‣▪▫◦●○*")
MOST_PLACES = 4_000_000
"""A grid with more places than this is an attack by spans, not a table."""


class Place(NamedTuple):
    """One cell: its element, its place, and whether the markup calls it a heading."""

    node: int
    row: int
    column: int
    row_span: int
    column_span: int
    text: str
    heading: bool = False


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells on rows and columns; no two cells share a place."""

    root: int
    """The element around all cells."""
    kind: Kind
    places: tuple[Place, ...]
    sections: tuple[Section, ...]
    """What each row is by its markup."""
    caption: str = ""
    parts: tuple[int, ...] = ()
    """The elements that the grid was put together of, where there are several."""

    @property
    def is_marked(self) -> bool:
        """Whether its author wrote it as a table, a definition list or preformatted text."""
        return self.kind in MARKED_KINDS

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self.sections)

    @cached_property
    def column_count(self) -> int:
        """How many columns there are."""
        return max((place.column + place.column_span for place in self.places), default=0)

    @cached_property
    def matrix(self) -> NDArray[np.int32]:
        """The number of the cell that covers each row and column, or -1."""
        matrix = np.full((self.row_count, self.column_count), -1, dtype=np.int32)
        corners = [place.row * self.column_count + place.column for place in self.places]
        matrix.ravel()[corners] = np.arange(len(corners))
        for number, place in enumerate(self.places):
            if place.row_span > 1 or place.column_span > 1:
                rows = slice(place.row, place.row + place.row_span)
                matrix[rows, place.column : place.column + place.column_span] = number
        return matrix

    @cached_property
    def texts(self) -> list[list[str]]:
        """The texts by rows; the text of a cell stands in every place that it covers."""
        words = [*(place.text for place in self.places), ""]
        return [[words[number] for number in row] for row in self.matrix.tolist()]


def clean(grid: Grid) -> Grid:
    """Leave out the rows and columns in which no cell begins or no text stands; a lone empty cell is a value."""
    grid = _trim_notes(grid)
    filled = np.array([bool(place.text) for place in grid.places] + [False])
    shown = filled[grid.matrix]
    rows, columns = np.asarray(shown.any(axis=1)), np.asarray(shown.any(axis=0))
    return grid if rows.all() and columns.all() else _keep(grid, rows, columns)


def first_rows(grid: Grid, most: int) -> Grid:
    """Return the first rows of a grid; cells that go on below shrink."""
    return _keep(grid, np.arange(grid.row_count) < most, np.ones(grid.column_count, dtype=bool))


def _keep(grid: Grid, rows: Mask, columns: Mask) -> Grid:
    """Leave out all rows and columns but these; cells over several shrink."""
    row_of = np.concatenate([[0], np.cumsum(rows)])
    column_of = np.concatenate([[0], np.cumsum(columns)])
    kept = []
    for place in grid.places:
        top, left = int(row_of[place.row]), int(column_of[place.column])
        high = int(row_of[place.row + place.row_span]) - top
        wide = int(column_of[place.column + place.column_span]) - left
        if high and wide:
            kept.append(place._replace(row=top, column=left, row_span=high, column_span=wide))
    sections = tuple(section for section, stays in zip(grid.sections, np.asarray(rows).tolist(), strict=True) if stays)
    return replace(grid, places=tuple(kept), sections=sections)


def _trim_notes(grid: Grid) -> Grid:
    """Let no cell that stands alone in its row, and is no heading, reach further than the cells of the other rows."""
    if not any(place.column_span > 1 and not place.column and not place.heading for place in grid.places):
        return grid
    cells_in = Counter(row for place in grid.places for row in range(place.row, place.row + place.row_span))
    notes = {
        place.row
        for place in grid.places
        if not place.column and cells_in[place.row] == place.row_span == 1
        if not place.heading and grid.sections[place.row] != "head"
    }
    reach = max((place.column + place.column_span for place in grid.places if place.row not in notes), default=0)
    if not reach or not any(place.column_span > reach for place in grid.places if place.row in notes):
        return grid
    places = (
        place._replace(column_span=min(place.column_span, reach)) if place.row in notes else place
        for place in grid.places
    )
    return replace(grid, places=tuple(places))


def condense(grid: Grid) -> Grid:
    """Leave out the columns that say nothing: a first one of bullets, and each that only repeats the one before.

    What is left is what a grid is judged by; a list with bullets in a column of their own has one column.
    """
    matrix = grid.matrix
    if not matrix.size:
        return grid
    columns = np.concatenate([[not _is_bullets(grid)], (matrix[:, 1:] != matrix[:, :-1]).any(axis=0)])
    return grid if columns.all() else _keep(grid, np.ones(grid.row_count, dtype=bool), columns)


def _is_bullets(grid: Grid) -> bool:
    """Whether the first column holds one and the same mark throughout, or none but dashes and bullets."""
    words = [*(place.text for place in grid.places), ""]
    marks = {words[number] for number in grid.matrix[:, 0].tolist()}
    return marks <= BULLETS or (len(marks) == 1 and not any(map(str.isalnum, *marks)))


def has_data(grid: Grid) -> bool:
    """Whether more stands in a grid than a row of headings; a row that a single cell fills is a title or a remark."""
    matrix = grid.matrix
    rows = np.flatnonzero((matrix != matrix[:, :1]).any(axis=1)).tolist()
    return len(rows) != 1 or any(not place.heading for place in grid.places if place.row in rows)


def fits(rows: int, columns: int) -> bool:
    """Whether a grid of this size is a table and no attack."""
    return rows * columns <= MOST_PLACES


def sections_of(rows: int, head: int = 0) -> tuple[Section, ...]:
    """Call the first rows head and the rest body."""
    return (*(["head"] * head), *(["body"] * (rows - head)))  # type: ignore[arg-type]
