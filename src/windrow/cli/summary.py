"""What the terminal shows of a page by default: what it is, how much there is, and the beginning of everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from windrow.cli.sources import without_password
from windrow.cli.terminal import shown
from windrow.cli.view import view_reader
from windrow.readers.registry import READERS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from rich.console import RenderableType

    from windrow.loader import Outcome
    from windrow.outline import Outline
    from windrow.page import Page
    from windrow.readers.names import Settings

ROOM = {"structure": 24, "text": 12}
"""Lines that a reader gets in the summary."""
DEFAULT_ROOM = 12
INSET = 2


def view_outcome(
    outcome: Outcome,
    only: Mapping[str, Settings] | None,
    *,
    apart: bool,
    without: Collection[str] = (),
) -> list[RenderableType]:
    """Show one page: a summary, or all of what the chosen readers found; ``apart`` tells it from its neighbours.

    ``without`` names readers that failed on it.
    """
    if outcome.page is None:
        return []
    view: list[RenderableType] = [Rule(shown(outcome.source), style="dim", align="left")] if apart else []
    if only is None:
        view += _summary(outcome, outcome.page, without)
    else:
        views = (view_reader(outcome.page, name, only[name], beside=only) for name in only if name not in without)
        view += [each for each in views if each is not None]
    return view


def _summary(outcome: Outcome, page: Page, without: Collection[str]) -> Iterator[RenderableType]:
    if "title" not in without:
        yield view_reader(page, "title", {}) or Text()
    yield shown(outcome.source, "dim")
    if (url := without_password(page.url)) and url != outcome.source:
        yield shown(url, "dim")
    if "structure" not in without:
        yield _counts(page)
    for name in READERS:
        if name == "title" or name in without:
            continue
        if (view := view_reader(page, name, {}, ROOM.get(name, DEFAULT_ROOM))) is not None:
            yield Text(f"\n{name.capitalize()}", "bold")
            yield Padding(view, (0, 0, 0, INSET))


def _counts(page: Page) -> Text:
    outline: Outline = page.read("structure")
    parts = [f"{count:,} {name if count != 1 else name[:-1]}" for name, count in outline.counts.items()]
    if layout := page.nodes.layout:
        parts.append(f"laid out at {layout.viewport[0]} x {layout.viewport[1]}")
    else:
        parts.append("not laid out")
    return Text(", ".join(parts))
