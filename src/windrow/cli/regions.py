"""How the command shows regions: a table of the records of each, and frames around regions, records and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich.console import Group
from rich.table import Table

from windrow.cli.terminal import Json, counted, shown
from windrow.geometry import hull
from windrow.overlay import Mark

if TYPE_CHECKING:
    from rich.console import RenderableType

    from windrow.page import Page
    from windrow.region import Region

MOST_COLUMNS = 6
"""Columns that fit on a terminal; all of them are in the JSON."""
WIDEST = 48
MARKED_REGIONS = 3


def regions_to_json(page: Page) -> Json:
    """Give all regions as plain values, best first."""
    return [region.to_dict() for region in page.regions()]


def view_regions(page: Page, most: int | None) -> RenderableType:
    """Show the best region as a table, or all of them where there is room."""
    regions = page.regions()
    if not regions:
        return shown("no list of records", "dim")
    chosen = regions if most is None else regions[:1]
    views = [_view_region(page, region, most) for region in chosen]
    return Group(*views[:1], *(part for view in views[1:] for part in (shown(""), view)))


def _view_region(page: Page, region: Region, most: int | None) -> RenderableType:
    names = region.columns[:MOST_COLUMNS]
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(shown(name, "bold"))
    for record in region.records[:most]:
        table.add_row(*(shown(_short(record.fields.get(name, ""))) for name in names))
    basis = "" if region.rendered else ", from structure alone"
    following = f", next page: {region.next_url}" if region.next_url else ""
    columns = counted(len(region.columns), "column")
    columns = f"the first {len(names)} of {columns} (-o FILE.csv has all)" if region.columns[len(names) :] else columns
    size = f"{counted(len(region.records), 'record')}, {columns}"
    summary = shown(f"{size}{basis}{following}{_say_what_is_lost(page, region)}", "dim")
    left = len(region.records) - most if most is not None else 0
    return Group(table, shown(f"… {left:,} more records", "dim"), summary) if left > 0 else Group(table, summary)


def _say_what_is_lost(page: Page, region: Region) -> str:
    """Say that the page's relative links lead nowhere, where nobody said where it came from."""
    inside = np.zeros(len(page.nodes), dtype=bool)
    inside[[node for record in region.records for node in record.nodes]] = True
    inside = page.nodes.inside(inside)
    hrefs = page.nodes.attributes.having("href") if not page.base_url else {}
    lost = [
        node
        for node, href in hrefs.items()
        if inside[node] and page.link(node) is None and not href.strip().lower().startswith(("#", "javascript:"))
    ]
    links = counted(len(lost), "relative link")
    return f"; {links} left out, as --url does not say where the page came from" if lost else ""


def _short(cell: str | list[str]) -> str:
    text = " ".join((cell if isinstance(cell, str) else " · ".join(cell)).split())
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def find_region_marks(page: Page) -> list[Mark]:
    """Frame the first regions, the records of each, and the cells of the best one, a colour a column."""
    marks = []
    for number, region in enumerate(page.regions()[:MARKED_REGIONS], 1):
        if region.box is not None:
            marks.append(Mark(region.box, f"region {number}", "region"))
        marks += [Mark(record.box, "", "record", "dashed") for record in region.records if record.box is not None]
        marks += _cell_marks(page, region) if number == 1 else []
    return marks


def _cell_marks(page: Page, region: Region) -> list[Mark]:
    layout = page.nodes.layout
    if layout is None:
        return []
    marks = []
    for record in region.records:
        for name, nodes in record.places.items():
            left, top, right, bottom = hull(layout.box[list(nodes)]).tolist()
            marks.append(Mark((left, top, right, bottom), "", name, "filled"))
    return marks
