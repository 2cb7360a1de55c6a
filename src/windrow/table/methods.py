"""The ways to read tables, by name: our best, and the paper's with and without its heuristic."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from windrow.errors import UsageError
from windrow.table.best import find_best_tables
from windrow.table.budget import Budget
from windrow.table.evidence import Counts, judge
from windrow.table.headers import Looks
from windrow.table.hidden import Shown
from windrow.table.interpretation import Surroundings, grid_to_table
from windrow.table.ventrec import PAPER, WITH_HEURISTIC, find_interesting_tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.nodes import Nodes
    from windrow.table.interpretation import Resolve
    from windrow.table.result import Table

VENTREC = {"ventrec": PAPER, "ventrec20": WITH_HEURISTIC}
"""The paper's method, and the same with its bound of 20 words a cell."""
METHODS = ("best", *VENTREC)
GROWN = "grown from a box that holds the keyword"


def find_tables(
    nodes: Nodes,
    resolver: Callable[[], Resolve],
    most: int,
    keyword: str | None = None,
    method: str | None = None,
) -> list[Table]:
    """Return the tables of a page, best first; ``resolver`` gives what makes references absolute addresses.

    ``most`` is how many places are read; of a table with more, the first rows.
    """
    if method is None or method == "best":
        return find_best_tables(nodes, resolver, most, keyword)
    if method not in VENTREC:
        raise UsageError(f"There is no table method {method!r}; there are: {', '.join(METHODS)}.")
    if nodes.layout is None:
        raise UsageError(
            f"The method {method} reasons on boxes, and this page was not laid out. Load it with render=True."
        )
    looks, around, counts = Looks(nodes), Surroundings(Shown(nodes), resolver), Counts(nodes)
    grids = find_interesting_tables(nodes, keyword, VENTREC[method]).grids
    judgements = [replace(judge(grid, counts), reasons=(GROWN,)) for grid in grids]
    budget = Budget(most)
    return [
        grid_to_table(grid, budget.take(grid), looks, judgement, around)
        for grid, judgement in zip(grids, judgements, strict=True)
    ]
