"""The bar that shows how far a command with many sources is."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from windrow.cli.terminal import is_terminal, standard_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console


@contextmanager
def progress(console: Console, total: int, *, as_json: bool, doing: str = "reading") -> Iterator[Callable[[], None]]:
    """Show a bar for many things, where somebody looks and nothing else is written to the same terminal."""
    lines_on_terminal = as_json and is_terminal(sys.stdout)
    if total == 1 or not is_terminal(sys.stderr) or lines_on_terminal:
        yield lambda: None
        return
    # What is printed while a bar stands must go through the bar's own console.
    where = console if is_terminal(sys.stdout) else standard_error()
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=where, transient=True, redirect_stdout=False, redirect_stderr=True) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda: bar.advance(task)
