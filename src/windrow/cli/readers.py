"""The readers that the command knows, each in one line: what ``--only`` may name, and what is shown without it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from rich.console import RenderableType
from rich.text import Text

from windrow.cli.regions import find_region_marks, regions_to_json, view_regions
from windrow.cli.structure import Entry, find_marks, find_outline, structure_to_json
from windrow.cli.tables import find_table_marks, tables_to_json, view_tables
from windrow.cli.terminal import Json, shown
from windrow.cli.toplist import find_toplist_marks, toplist_to_json, view_toplist
from windrow.errors import UsageError
from windrow.page import Page

if TYPE_CHECKING:
    from windrow.overlay import Mark

View: TypeAlias = Callable[[Page, int | None], RenderableType]


@dataclass(frozen=True)
class Reader:
    """How the command shows one kind of result."""

    to_json: Callable[[Page], Json]
    to_terminal: View
    """Gets the page and how many lines there is room for; None for all of it."""
    marks: Callable[[Page], list[Mark]] | None = None
    """What ``--picture`` draws."""


def view_title(page: Page, _: int | None) -> Text:
    """Show the title."""
    title = page.title()
    return shown(title.text, "bold") if title.text else shown(title.reason or "no title", "dim")


def view_text(page: Page, most: int | None) -> Text:
    """Show the visible text, or its first lines."""
    if most is None:
        return shown(page.text)
    return lines_to_view((shown(line) for line in page.text.split("\n")), most)


def view_structure(page: Page, most: int | None) -> Text:
    """Show the outline, each landmark further in than the one that it stands in."""
    return lines_to_view(map(_entry_to_line, find_outline(page)), most)


def lines_to_view(lines: Iterable[Text], most: int | None) -> Text:
    """Put lines under each other; of too many, say how many are left out."""
    lines = list(lines)
    view = Text("\n").join(lines[:most])
    if most is not None:
        view.no_wrap, view.overflow = True, "ellipsis"
        if len(lines) > most:
            view.append(f"\n… {len(lines) - most:,} more lines", "dim")
    return view


def _entry_to_line(entry: Entry) -> Text:
    if entry.level is None:
        return (
            Text("  " * min(entry.depth, 20)).append(shown(entry.role, "cyan")).append(shown(f" {entry.text}".rstrip()))
        )
    inset = "  " * (min(entry.depth, 20) + entry.level - 1)
    return Text(inset).append(f"h{entry.level} ", "dim").append(shown(entry.text))


READERS: dict[str, Reader] = {
    "title": Reader(lambda page: page.title().text, view_title),
    "text": Reader(lambda page: page.text, view_text),
    "toplist": Reader(toplist_to_json, view_toplist, find_toplist_marks),
    "regions": Reader(regions_to_json, view_regions, find_region_marks),
    "tables": Reader(tables_to_json, view_tables, find_table_marks),
    "structure": Reader(structure_to_json, view_structure, find_marks),
}


def choose_readers(names: str | None) -> dict[str, Reader] | None:
    """Take the readers that ``--only`` names, in the order of the registry; None where it names none."""
    if names is None:
        return None
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in READERS]
    if unknown or not wanted:
        what = f"There is no reader {unknown[0]!r}" if unknown else "--only names no reader"
        raise UsageError(f"{what}; there are: {', '.join(READERS)}.")
    return {name: reader for name, reader in READERS.items() if name in wanted}


def with_keyword(readers: dict[str, Reader] | None, keyword: str | None) -> dict[str, Reader] | None:
    """Let the reader of tables give only those with a keyword; unless others are asked for, it is the only one."""
    if keyword is None:
        return readers
    if readers is not None and "tables" not in readers:
        raise UsageError("--keyword picks tables, and --only leaves them out. Add tables to --only.")
    picking = Reader(
        partial(tables_to_json, keyword=keyword),
        partial(view_tables, keyword=keyword),
        partial(find_table_marks, keyword=keyword),
    )
    return {**(readers or {}), "tables": picking}
