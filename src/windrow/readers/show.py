"""What people are shown of each reader's results, as plain blocks that a terminal or a web page can lay out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from windrow.outline import Entry, Outline, Text
    from windrow.page import Page
    from windrow.region import Region
    from windrow.table import Table
    from windrow.title import Title
    from windrow.toplist import TopList

Row: TypeAlias = tuple[str, ...]

MOST_COLUMNS = 6
"""Columns of a region that are shown; all of them are in the exports."""
WIDEST = 48
"""Characters of a region's cell that are shown."""
DEEPEST = 20
"""Levels of an outline that are indented."""


@dataclass(frozen=True)
class Block:
    """One thing to show: a heading with a remark beside it, then rows, then a note; each may be missing."""

    heading: str = ""
    remark: str = ""
    columns: Row = ()
    """Names above the rows; without them the rows are lines, their parts one after the other."""
    rows: tuple[Row, ...] = ()
    header_rows: int = 0
    """How many of the rows are headings themselves, as in a table; such rows stand in a grid."""
    is_grid: bool = False
    note: str = ""


def show_title(_: Page, title: Title, __: int | None) -> list[Block]:
    """Show the title, or why there is none."""
    return [Block(heading=title.text) if title.text else Block(note=title.reason or "no title")]


def show_text(_: Page, text: Text, most: int | None) -> list[Block]:
    """Show the visible text, or its first lines."""
    return [_lines([(line,) for line in text.text.split("\n")], most)]


def show_structure(_: Page, outline: Outline, most: int | None) -> list[Block]:
    """Show the outline, each landmark further in than the one that it stands in."""
    shown = _lines([_entry_to_row(entry) for entry in outline.entries], most)
    return [replace(shown, note="\n".join(filter(None, [shown.note, outline.lack])))]


def _entry_to_row(entry: Entry) -> Row:
    indent = "  " * min(entry.depth, DEEPEST)
    if entry.level is None:
        return (f"{indent}{entry.role} {entry.text}".rstrip(),)
    return (f"{indent}{'  ' * (entry.level - 1)}h{entry.level} {entry.text}",)


def _lines(rows: Sequence[Row], most: int | None, what: str = "lines") -> Block:
    left = len(rows) - most if most is not None else 0
    return Block(rows=tuple(rows[:most]), note=f"… {left:,} more {what}" if left > 0 else "")


def show_toplist(page: Page, found: TopList | None, most: int | None) -> list[Block]:
    """Show the items by rank, or why there are none; in a summary, nothing where the page promises none."""
    verdict = page.toplist_verdict()
    if found is None:
        return [] if most is not None and verdict.k is None else [Block(note=verdict.reason)]
    about = " · ".join(filter(None, [found.criterion, found.concept, found.time, found.location]))
    rows = []
    for item in found.items:
        details = " · ".join(f"{name}: {value}" for name, value in item.attributes.items())
        rows.append((f"{item.rank:>4}  ", item.name, *([f"  {details}"] if details else [])))
    shown = _lines(rows, most, "items")
    return [Block(heading=f"{found.k}: {about}", rows=shown.rows, note=shown.note)]


def show_regions(page: Page, regions: list[Region], most: int | None) -> list[Block]:
    """Show the best region as a table, or all of them where there is room."""
    if not regions:
        return [Block(note="no list of records")]
    return [_show_region(page, region, most) for region in (regions if most is None else regions[:1])]


def _show_region(page: Page, region: Region, most: int | None) -> Block:
    names = region.columns[:MOST_COLUMNS]
    rows = tuple(tuple(_short(record.fields.get(name, "")) for name in names) for record in region.records[:most])
    columns = _counted(len(region.columns), "column")
    columns = f"the first {len(names)} of {columns} (-o FILE.csv has all)" if region.columns[len(names) :] else columns
    basis = "" if region.rendered else ", from structure alone"
    same = f", the same as the table {region.table}" if region.table else ""
    following = f", next page: {region.next_url}" if region.next_url else ""
    note = (
        f"{_counted(len(region.records), 'record')}, {columns}{basis}{same}{following}{_tell_lost_links(page, region)}"
    )
    note = f"{note}\n{region.lack}" if region.lack else note
    left = len(region.records) - most if most is not None else 0
    return Block(columns=tuple(names), rows=rows, note=f"… {left:,} more records\n{note}" if left > 0 else note)


def _tell_lost_links(page: Page, region: Region) -> str:
    """Tell that the page's relative links lead nowhere, where nobody said where it came from."""
    inside = np.zeros(len(page.nodes), dtype=bool)
    inside[list(region.nodes)] = True
    inside = page.nodes.inside(inside)
    hrefs = page.nodes.attributes.having("href") if not page.base_url else {}
    lost = [
        node
        for node, href in hrefs.items()
        if inside[node] and page.link(node) is None and not href.strip().lower().startswith(("#", "javascript:"))
    ]
    links = _counted(len(lost), "relative link")
    return f"; {links} left out, as --url does not say where the page came from" if lost else ""


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _short(cell: str | list[str]) -> str:
    text = " ".join((cell if isinstance(cell, str) else " · ".join(cell)).split())
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def show_tables(_: Page, tables: list[Table], most: int | None) -> list[Block]:
    """Show the tables; in a summary one line each."""
    if not tables:
        return [Block(note="no tables")]
    if most is None:
        return [_show_table(table) for table in tables]
    shown = _lines([(table.label, f"  {_size(table)}") for table in tables], most, "tables")
    return [shown]


def _show_table(table: Table) -> Block:
    rows = tuple(tuple(row) for row in table.rows)
    return Block(table.label, _size(table), rows=rows, header_rows=table.header_rows, is_grid=True, note=table.lack)


def _size(table: Table) -> str:
    return f"{table.row_count} × {table.column_count}, {table.origin}, {table.confidence:.0%}"
