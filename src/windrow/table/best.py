"""The tables of a page: found in every way at once, judged, told apart from layout, put in order, the best first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.table.boxes import find_box_grids
from windrow.table.evidence import Counts, measure
from windrow.table.genuine import Judgement, judge
from windrow.table.grid import Grid, clean, merge_twins
from windrow.table.headers import Looks, find_headings
from windrow.table.hidden import Shown
from windrow.table.interpretation import Surroundings, grid_to_table
from windrow.table.lists import find_definition_grids
from windrow.table.markup import find_markup_grids
from windrow.table.preformatted import find_text_grids
from windrow.table.repetition import find_repeated_grids
from windrow.table.stacking import join_stacked

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.nodes import Nodes
    from windrow.table.result import Table


@dataclass(frozen=True)
class Parameters:
    """What a grid must be like to be called a table."""

    least_rows: int = 2  # the paper, characteristic 5
    least_columns: int = 2
    marked: float = 0.5  # as likely a table as not
    unmarked: float = 0.7  # without table markup a grid is a layout more often; tuned on the pages of the benchmarks
    closed: float = 0.6  # what nobody sees must be clear
    longest_mean: float = 80.0  # characters a cell, without table markup: more are cards and prose
    most_linked: float = 0.75  # share of linked text, without table markup: more are menus,
    least_named: float = 0.6  # unless this share of the first row looks like names


PARAMETERS = Parameters()


@dataclass(frozen=True, eq=False)
class Found:
    """A grid and what was made of it."""

    grid: Grid
    judgement: Judgement
    accepted: bool


def find_best_tables(
    nodes: Nodes, resolve: Callable[[str, int], str | None], keyword: str | None = None
) -> list[Table]:
    """Give the tables of a page, best first; with a keyword only those in which it stands."""
    shown, looks = Shown(nodes), Looks(nodes)
    around, wanted = Surroundings(shown, resolve), (keyword or "").casefold()
    tables = []
    for found in find_grids(nodes, shown, looks):
        if found.accepted and any(wanted in place.text.casefold() for place in found.grid.places):
            headings = find_headings(found.grid, looks)
            tables.append(grid_to_table(found.grid, headings, found.judgement, around))
    return sorted(tables, key=_rank)


def find_grids(nodes: Nodes, shown: Shown, looks: Looks) -> list[Found]:
    """Give every grid of the page with its judgement, in document order; of grids over the same cells, the best."""
    marked = find_markup_grids(shown)
    others = [*find_definition_grids(nodes), *find_text_grids(nodes)]
    others += find_box_grids(nodes, looks) if nodes.layout is not None else find_repeated_grids(nodes)
    counts = Counts(nodes)
    found = [_judge(clean(grid), counts, shown) for grid in join_stacked([*marked, *others], nodes)]
    return sorted(_without_doubles(nodes, found), key=lambda each: each.grid.root)


def _judge(grid: Grid, counts: Counts, shown: Shown) -> Found:
    least = PARAMETERS.least_rows, PARAMETERS.least_columns
    if grid.row_count < least[0] or grid.column_count < least[1]:
        return Found(grid, Judgement(0.0, ("less than two rows and two columns",)), accepted=False)
    measures = measure(merge_twins(grid), counts)
    judgement = judge(measures)
    bar = PARAMETERS.closed if shown.closed[grid.root] else PARAMETERS.marked
    if grid.kind not in ("table", "text"):
        bar = PARAMETERS.unmarked
        cards = measures["length"] * 100 > PARAMETERS.longest_mean
        menu = (
            grid.kind != "grid"
            and measures["linked"] > PARAMETERS.most_linked
            and measures["th_row"] < PARAMETERS.least_named
        )
        if cards or menu:
            return Found(grid, judgement, accepted=False)
    return Found(grid, judgement, accepted=judgement.confidence >= bar)


def _without_doubles(nodes: Nodes, found: list[Found]) -> list[Found]:
    """Keep, of accepted grids without markup that hold or lie in another accepted one, the surer."""
    accepted = [each for each in found if each.accepted]
    kept: list[Found] = [each for each in accepted if each.grid.kind == "table"]
    others = sorted(
        (each for each in accepted if each.grid.kind != "table"), key=lambda each: (-_weight(each), each.grid.root)
    )
    for each in others:
        if not any(_share_cells(nodes, each.grid, other.grid) for other in kept):
            kept.append(each)
    return [*kept, *(each for each in found if not each.accepted)]


def _weight(found: Found) -> float:
    return found.judgement.confidence * len(found.grid.places)


def _share_cells(nodes: Nodes, grid: Grid, other: Grid) -> bool:
    """Say whether the element of one of two grids lies in the other's; blocks of one text share none."""
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
