"""Blocks as the terminal shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from windrow.cli.terminal import shown
from windrow.readers.registry import READERS

if TYPE_CHECKING:
    from collections.abc import Collection

    from rich.console import RenderableType

    from windrow.page import Page
    from windrow.readers.names import Settings
    from windrow.readers.show import Block


def view_reader(
    page: Page, name: str, settings: Settings, most: int | None = None, *, beside: Collection[str] = ()
) -> RenderableType | None:
    """Show what a reader finds, in so many lines or all of it; None where there is nothing to show.

    Where tables are shown ``beside`` regions, a region that is one of them is left to them.
    """
    found = page.read(name, **settings)
    if name == "regions" and "tables" in beside:
        found = [region for region in found if not region.table]
        if not found:
            return shown("no list of records beside the tables", "dim")
    if "number" in settings and not found:
        return None
    if settings.get("keyword") and not found:
        return shown(f"no table holds {settings['keyword']!r}", "dim")
    blocks = READERS[name].show(page, found, most)
    views = [view_block(block, is_short=most is not None) for block in blocks]
    if not views:
        return None
    parts = [part for view in views[1:] for part in (Text(), view)]
    return Group(views[0], *parts) if parts else views[0]


def view_block(block: Block, *, is_short: bool) -> RenderableType:
    """Show a block; in a summary, lines that are too long are cut."""
    parts: list[RenderableType] = []
    if block.heading or block.remark:
        remark = f"  {block.remark}" if block.remark else ""
        parts.append(shown(block.heading, "bold").append(shown(remark, "dim")))
    if block.is_grid:
        parts.append(_grid(block))
    elif block.columns:
        parts.append(_table(block))
    elif block.rows:
        parts.append(_lines(block, is_short=is_short))
    if block.note:
        parts.append(shown(block.note, "dim"))
    return parts[0] if len(parts) == 1 else Group(*parts)


def _grid(block: Block) -> Table:
    grid = Table(show_header=False, show_lines=False)
    for _ in range(max(map(len, block.rows), default=0)):
        grid.add_column(overflow="fold")
    for number, row in enumerate(block.rows):
        grid.add_row(*(shown(text, "bold" if number < block.header_rows else "") for text in row))
    return grid


def _table(block: Block) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in block.columns:
        table.add_column(shown(name, "bold"))
    for row in block.rows:
        table.add_row(*map(shown, row))
    return table


def _lines(block: Block, *, is_short: bool) -> Text:
    lines = Text("\n").join(shown("".join(row)) for row in block.rows)
    if is_short:
        lines.no_wrap, lines.overflow = True, "ellipsis"
    return lines
