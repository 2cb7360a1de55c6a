"""What the store's commands list: one JSON object a line, or a table for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from windrow.cli.terminal import shown, standard_output, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LONGEST = 60
"""Characters of a text that a cell shows."""


def print_lines(things: Iterable[Mapping[str, Any]]) -> None:
    """Print one JSON object a line."""
    for each in things:
        click.echo(to_json(each))


def print_table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; long texts are cut, and nothing is an order to the terminal."""
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(shown(name, "bold"), overflow="fold")
    for row in rows:
        table.add_row(*(shown(in_short(cell)) for cell in row))
    standard_output().print(table)


def in_short(cell: object) -> str:
    """Return what a cell shows of a value: its beginning, on one line."""
    if cell is None:
        return "–"
    parts = cell if isinstance(cell, list | tuple) else [cell]
    text = " | ".join(" ".join(str(part)[: 4 * LONGEST].split()) for part in parts)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def moment(text: str | None) -> str | None:
    """Return a moment as people read it, in UTC, and as ``--at`` and ``--since`` take it again."""
    return None if text is None else text.replace("T", " ")
