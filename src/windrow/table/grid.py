"""A grid of cells, however it was found: who stands where, over how many rows and columns, with which text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Kind: TypeAlias = Literal["table", "boxes", "grid", "rows", "definitions", "lists", "text"]
"""How a grid was found: by table markup or table display, by boxes, by a CSS grid's own placement, by the repetition of
rows, as a definition list, as lists set side by side, or by the columns of preformatted text."""
Section: TypeAlias = Literal["head", "body", "foot"]

MOST_PLACES = 4_000_000
"""A grid with more places than this is an attack by spans, not a table."""


@dataclass(frozen=True)
class Place:
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
    def row_count(self) -> int:
        """Count the rows."""
        return len(self.sections)

    @cached_property
    def column_count(self) -> int:
        """Count the columns."""
        return max((place.column + place.column_span for place in self.places), default=0)

    @cached_property
    def matrix(self) -> NDArray[np.int32]:
        """Give for every row and column the number of the cell that covers it, or -1."""
        matrix = np.full((self.row_count, self.column_count), -1, dtype=np.int32)
        for number, place in enumerate(self.places):
            rows = slice(place.row, place.row + place.row_span)
            matrix[rows, place.column : place.column + place.column_span] = number
        return matrix

    @cached_property
    def texts(self) -> list[list[str]]:
        """Write the cells out by rows; a cell's text stands in every place that it covers."""
        words = [*(place.text for place in self.places), ""]
        return [[words[number] for number in row] for row in self.matrix.tolist()]


def clean(grid: Grid) -> Grid:
    """Leave out the rows and columns in which no cell begins or no text stands; a lone empty cell is a value."""
    grid = _trim_notes(grid)
    filled = np.array([bool(place.text) for place in grid.places] + [False])
    shown = filled[grid.matrix]
    rows, columns = shown.any(axis=1), shown.any(axis=0)
    if rows.all() and columns.all():
        return grid
    row_of = np.concatenate([[0], np.cumsum(rows)])
    column_of = np.concatenate([[0], np.cumsum(columns)])
    kept = []
    for place in grid.places:
        top, left = int(row_of[place.row]), int(column_of[place.column])
        high = int(row_of[place.row + place.row_span]) - top
        wide = int(column_of[place.column + place.column_span]) - left
        if high and wide:
            kept.append(replace(place, row=top, column=left, row_span=high, column_span=wide))
    sections = tuple(section for section, stays in zip(grid.sections, np.asarray(rows).tolist(), strict=True) if stays)
    return replace(grid, places=tuple(kept), sections=sections)


def _trim_notes(grid: Grid) -> Grid:
    """Let no cell that stands alone in its row, and is no heading, reach further than the cells of the other rows."""
    cells_in = Counter(row for place in grid.places for row in range(place.row, place.row + place.row_span))
    notes = {
        place
        for place in grid.places
        if not place.column and cells_in[place.row] == place.row_span == 1
        if not place.heading and grid.sections[place.row] != "head"
    }
    reach = max((place.column + place.column_span for place in grid.places if place not in notes), default=0)
    if not reach or not any(place.column_span > reach for place in notes):
        return grid
    places = (
        replace(place, column_span=min(place.column_span, reach)) if place in notes else place for place in grid.places
    )
    return replace(grid, places=tuple(places))


def merge_twins(grid: Grid) -> Grid:
    """Leave out each column that only repeats the cells of the one before: spans that split nothing."""
    matrix = grid.matrix
    columns = (
        np.concatenate([[True], (matrix[:, 1:] != matrix[:, :-1]).any(axis=0)]) if matrix.size else np.ones(0, bool)
    )
    if columns.all():
        return grid
    column_of = np.concatenate([[0], np.cumsum(columns)])
    places = []
    for place in grid.places:
        left = int(column_of[place.column + 1]) - 1
        right = int(column_of[place.column + place.column_span])
        places.append(replace(place, column=left, column_span=right - left))
    return replace(grid, places=tuple(places))


def fits(rows: int, columns: int) -> bool:
    """Say whether a grid of this size is a table and no attack."""
    return rows * columns <= MOST_PLACES


def sections_of(rows: int, head: int = 0) -> tuple[Section, ...]:
    """Call the first rows head and the rest body."""
    return (*(["head"] * head), *(["body"] * (rows - head)))  # type: ignore[arg-type]
