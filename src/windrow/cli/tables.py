"""How the command shows tables: on the terminal, as JSON, in files, and as frames on the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from windrow.cli.terminal import Json, shown
from windrow.overlay import Mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.page import Page
    from windrow.table import Table
    from windrow.table.ventrec import Stages

WIDEST = 48
"""Characters of a cell that the terminal shows in a summary."""
MOST_FRAMED = 600
"""Cells of one table that are framed one by one."""
NONE_FOUND = "no tables"


def tables_to_json(page: Page, keyword: str | None = None) -> Json:
    """Give everything that is known of each table."""
    return [table.to_dict() for table in page.tables(keyword)]


def view_tables(page: Page, most: int | None, keyword: str | None = None) -> RenderableType:
    """Show the tables; in a summary one line each."""
    tables = page.tables(keyword)
    if not tables:
        return shown(NONE_FOUND if keyword is None else f"no table holds {keyword!r}", "dim")
    if most is not None:
        lines = [_line(table) for table in tables[:most]]
        more = [Text(f"… {len(tables) - most:,} more tables", "dim")] if len(tables) > most else []
        return Group(*lines, *more)
    return Group(*(part for table in tables for part in (_line(table), _whole(table), Text())))


def _line(table: Table) -> Text:
    size = f"  {table.row_count} × {table.column_count}, {table.origin}, {table.confidence:.0%}"
    return shown(table.name or "a table without a name", "bold").append(size, "dim")


def _whole(table: Table) -> Grid:
    grid = Grid(show_header=False, show_lines=False)
    for _ in range(table.column_count):
        grid.add_column(overflow="fold")
    for number, row in enumerate(table.rows):
        grid.add_row(*(shown(text, "bold" if number < table.header_rows else "") for text in row))
    return grid


def find_table_marks(page: Page, keyword: str | None = None) -> list[Mark]:
    """Frame the tables and the grid of their cells."""
    marks = []
    for table in page.tables(keyword):
        if table.box is not None and table.visible:
            marks.append(Mark(table.box, table.name or table.origin, "table"))
        for cell in table.cells[:MOST_FRAMED]:
            if cell.box is not None:
                group = "heading cell" if cell.heading else "cell"
                marks.append(Mark(cell.box, "", group, "filled" if cell.heading else "dashed"))
    return marks


def plane_to_marks(stages: Stages) -> list[Mark]:
    """Frame every element box that the spatial reasoning looks at."""
    return [Mark(_box(box), "", "element box", "dashed") for box in stages.plane.boxes.tolist()]


def hyperboxes_to_marks(stages: Stages) -> list[Mark]:
    """Frame the hyperBoxes that tables came of, with their cells."""
    marks = []
    for growth in stages.growths:
        marks.append(Mark(growth[-1].box, "", "hyperBox"))
        cells = stages.plane.boxes[list(growth[-1].cells[:MOST_FRAMED])].tolist()
        marks += [Mark(_box(box), "", "cell", "dashed") for box in cells]
    return marks


def growth_to_marks(stages: Stages) -> list[list[Mark]]:
    """Frame the growth of the expansion: one picture a step, the start filled."""
    frames = []
    for growth in stages.growths:
        start = Mark(growth[0].box, "", "start", "filled")
        frames += [[start, Mark(step.box, f"step {number}", "hyperBox")] for number, step in enumerate(growth)]
    return frames


def _box(edges: Sequence[float]) -> tuple[float, float, float, float]:
    left, top, right, bottom = edges
    return (left, top, right, bottom)
