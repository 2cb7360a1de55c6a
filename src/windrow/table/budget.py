"""How much of the tables of a page is read: as far as a document goes, and not as far as spans could take it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.table.grid import first_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.table.grid import Grid


@dataclass(frozen=True)
class BudgetParameters:
    """What a table costs."""

    text: int = 64  # not a decision: a limit against attacks
    """Characters that cost as much as a place, where a span says them once more."""


PARAMETERS = BudgetParameters()


class Budget:
    """The places that may still be read in the tables of a page."""

    def __init__(self, most: int) -> None:
        """Begin with so many places."""
        self._left = most

    def take(self, grid: Grid) -> Grid:
        """Return a grid with the rows that may still be read, from the first one on; those of nearly all are all."""
        spent = np.cumsum(_cost_rows(grid))
        rows = int(np.searchsorted(spent, self._left, side="right"))
        self._left -= int(spent[rows - 1]) if rows else 0
        return grid if rows == grid.row_count else first_rows(grid, rows)


def _cost_rows(grid: Grid) -> NDArray[np.int64]:
    """Return what each row costs: a place each column, and the texts that are said more than once."""
    change = np.zeros(grid.row_count + 1, dtype=np.int64)
    for place in grid.places:
        if place.row_span > 1 or place.column_span > 1:
            again = place.column_span * (len(place.text) // PARAMETERS.text)
            change[place.row] += again
            change[place.row + place.row_span] -= again
    return np.asarray(np.cumsum(change[:-1]) + grid.column_count)
