"""The tables of a page: found in every way at once, judged, told apart from layout, put in order, the best first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.table.arrangement import join_beside, join_stacked
from windrow.table.boxes import find_box_grids
from windrow.table.budget import Budget
from windrow.table.cards import are_cards
from windrow.table.evidence import Counts, Judgement, judge
from windrow.table.grid import Grid, clean, condense, has_data
from windrow.table.headers import Looks
from windrow.table.hidden import Shown
from windrow.table.interpretation import HEADING_TAGS, Surroundings, grid_to_table
from windrow.table.markup import DEFINITIONS, TABLE, find_definition_grids, find_markup_grids, part_of_table
from windrow.table.preformatted import DRAWN, find_text_grids
from windrow.table.reasons import has_reason
from windrow.table.repetition import RepeatedRoots, find_calling, find_repeated_grids, find_repeated_roots

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.geometry import Mask
    from windrow.nodes import Nodes
    from windrow.table.interpretation import Resolve
    from windrow.table.result import Table


@dataclass(frozen=True)
class BestParameters:
    """What a grid must be like to be called a table."""

    least_rows: int = 2  # the paper, characteristic 5
    least_columns: int = 2
    least_confidence: float = 0.5  # as likely a table as not


PARAMETERS = BestParameters()


@dataclass(frozen=True, eq=False)
class JudgedGrid:
    """A grid that was found to be a table."""

    grid: Grid
    judgement: Judgement


def find_best_tables(
    nodes: Nodes, resolver: Callable[[], Resolve], most: int, keyword: str | None = None
) -> list[Table]:
    """Return the tables of a page with so many places at most, best first; with a keyword those in which it stands."""
    roots = None
    if nodes.layout is None:
        calling = find_calling(nodes.elements)
        if not nodes.has_columns and not has_reason(nodes.elements, calling):
            return []
        roots = find_repeated_roots(nodes, calling)
        readable = _find_readable(nodes, roots)
        if not readable.any():
            return []
        nodes = nodes.with_text_in(readable | nodes.tag.is_in(set(HEADING_TAGS)))
    shown, looks = Shown(nodes), Looks(nodes)
    around, wanted = Surroundings(shown, resolver), (keyword or "").casefold()
    counts = Counts(nodes)
    found = (grid for grid in find_candidates(shown, looks, roots) if grid.is_marked or not are_cards(grid, nodes))
    judged = [JudgedGrid(grid, judge(grid, counts)) for grid in found]
    accepted = [each for each in judged if each.judgement.confidence >= PARAMETERS.least_confidence]
    budget = Budget(most)
    tables = [
        grid_to_table(each.grid, budget.take(each.grid), looks, each.judgement, around)
        for each in sorted(_without_doubles(nodes, accepted), key=lambda each: -each.judgement.confidence)
        if any(wanted in place.text.casefold() for place in each.grid.places)
    ]
    return sorted(tables, key=_rank)


def _find_readable(nodes: Nodes, roots: RepeatedRoots) -> Mask:
    """Return the elements without boxes of whose text tables may be made."""
    readable: Mask = (part_of_table(nodes) == TABLE) | nodes.tag.is_in({DEFINITIONS, *DRAWN})
    readable[[*roots.placed, *roots.repeated]] = True
    return readable


def find_candidates(shown: Shown, looks: Looks, roots: RepeatedRoots | None) -> list[Grid]:
    """Return every grid of the page with two rows and columns or more, however it is made.

    ``roots`` are for pages that were not laid out: the elements in which rows repeat.
    """
    nodes = shown.nodes
    # With boxes a lone row or column may be a part of a table.
    least = 1 if nodes.layout else min(PARAMETERS.least_rows, PARAMETERS.least_columns)
    grids = [*find_markup_grids(shown, least), *find_definition_grids(nodes), *find_text_grids(nodes)]
    grids += find_box_grids(nodes, looks) if roots is None else find_repeated_grids(nodes, roots)
    joined = join_beside(join_stacked(grids, nodes), nodes)
    return [grid for grid in map(clean, joined) if _is_large_enough(condense(grid))]


def _is_large_enough(grid: Grid) -> bool:
    large = grid.row_count >= PARAMETERS.least_rows and grid.column_count >= PARAMETERS.least_columns
    return large and has_data(grid)


def _without_doubles(nodes: Nodes, found: list[JudgedGrid]) -> list[JudgedGrid]:
    """Keep, of grids without markup that hold or lie in another one, the surer."""
    kept = [each for each in found if each.grid.kind == "table"]
    others = sorted(
        (each for each in found if each.grid.kind != "table"), key=lambda each: (-_weight(each), each.grid.root)
    )
    for each in others:
        if not any(_share_cells(nodes, each.grid, other.grid) for other in kept):
            kept.append(each)
    return kept


def _weight(found: JudgedGrid) -> float:
    return found.judgement.confidence * len(found.grid.places)


def _share_cells(nodes: Nodes, grid: Grid, other: Grid) -> bool:
    """Whether the element of one of two grids lies in the other's; blocks of one text share none."""
    if grid.kind == other.kind == "text" and grid.root == other.root:
        return False
    root, roots = grid.root, other.parts or (other.root,)
    return any(
        first <= second < int(nodes.end[first]) for each in roots for first, second in ((root, each), (each, root))
    )


def _rank(table: Table) -> tuple[bool, float, str]:
    """Order by how much of a table it is: shown before closed, then sure and large before doubtful and small."""
    size = min(table.row_count * table.column_count, 400) ** 0.5
    return (not table.visible, -round(table.confidence * size, 4), table.xpath)
