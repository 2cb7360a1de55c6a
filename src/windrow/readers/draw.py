"""The frames that each reader's results make on the picture of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import hull
from windrow.result import Box, Mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.outline import Outline
    from windrow.page import Page
    from windrow.region import Region
    from windrow.table import Table
    from windrow.title import Title
    from windrow.toplist import TopList

MARKED_REGIONS = 3
MARKED_CANDIDATES = 3
"""Candidates for a ranked list that lost and are drawn all the same."""
MARKED_CELLS = 600
"""Cells of one table that are framed one by one."""
STRUCTURE = {
    "heading": ("h1", "h2", "h3", "h4", "h5", "h6"),
    "table": ("table",),
    "list": ("ul", "ol", "dl"),
    "image": ("img", "svg:svg", "canvas", "video"),
    "form": ("form",),
}


def draw_nothing(_: Page, __: object) -> list[Mark]:
    """Draw nothing."""
    return []


def draw_title(_: Page, title: Title) -> list[Mark]:
    """Frame the title, where it stands on the page."""
    return [Mark(title.box, "title", "title")] if title.box is not None else []


def draw_structure(page: Page, _: Outline) -> list[Mark]:
    """Frame what structures the page: headings, tables, lists, images and forms, as far as they can be seen."""
    nodes, layout = page.nodes, page.nodes.layout
    if layout is None:
        return []
    marks = []
    for group, tags in STRUCTURE.items():
        for node in nodes.tag.where(*tags).tolist():
            if nodes.visible[node]:
                label = nodes.tag[node].removeprefix("svg:")
                box = to_box(layout.box[node].tolist())
                marks.append(Mark(box, label, group, "dashed" if group == "list" else "solid"))
    return marks


def draw_regions(page: Page, regions: list[Region]) -> list[Mark]:
    """Frame the first regions, the records of each, and the cells of the best one, a colour a column."""
    marks = []
    for number, region in enumerate(regions[:MARKED_REGIONS], 1):
        if region.box is not None:
            marks.append(Mark(region.box, f"region {number}", "region"))
        marks += [Mark(record.box, "", "record", "dashed") for record in region.records if record.box is not None]
        marks += _draw_cells(page, region) if number == 1 else []
    return marks


def _draw_cells(page: Page, region: Region) -> list[Mark]:
    layout = page.nodes.layout
    if layout is None:
        return []
    return [
        Mark(to_box(hull(layout.box[list(nodes)]).tolist()), "", name, "filled")
        for record in region.records
        for name, nodes in record.places.items()
    ]


def draw_tables(_: Page, tables: list[Table]) -> list[Mark]:
    """Frame the tables and the grid of their cells."""
    marks = []
    for table in tables:
        if table.box is not None and table.visible:
            marks.append(Mark(table.box, table.name or table.origin, "table"))
        for cell in table.cells[:MARKED_CELLS]:
            if cell.box is not None:
                group = "heading cell" if cell.heading else "cell"
                marks.append(Mark(cell.box, "", group, "filled" if cell.heading else "dashed"))
    return marks


def draw_toplist(page: Page, _: TopList | None) -> list[Mark]:
    """Frame the items of the list, and, dashed, those of the next best candidates; all are dashed where none is it."""
    reading = page.toplist_reading
    marks: list[Mark] = []
    taken: set[int] = set()
    losers = 0
    for candidate in reading.ranked:
        if not taken:
            group, style = ("the list", "solid") if reading.toplist else ("best candidate", "dashed")
        elif losers < MARKED_CANDIDATES and taken.isdisjoint(candidate.lines):
            losers += 1
            group, style = f"candidate {losers + 1}", "dashed"
        else:
            continue
        taken.update(candidate.lines)
        marks += _draw_lines(page, candidate.lines, group, is_chosen=style == "solid")
    return marks


def _draw_lines(page: Page, places: tuple[int, ...], group: str, *, is_chosen: bool) -> list[Mark]:
    lines, layout = page.toplist_reading.lines, page.nodes.layout
    if lines is None or layout is None:
        return []
    marks = []
    for rank, line in enumerate(places, 1):
        within = np.arange(int(lines.first[line]), int(lines.last[line]) + 1)
        box = to_box(hull(layout.box[within]).tolist())
        marks.append(Mark(box, str(rank) if is_chosen else "", group, "solid" if is_chosen else "dashed"))
    return marks


def to_box(edges: Sequence[float]) -> Box:
    """Return four edges as a box."""
    left, top, right, bottom = edges
    return left, top, right, bottom
