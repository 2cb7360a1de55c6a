"""How the command shows a ranked list: as lines, as JSON, and drawn on the page with the candidates that lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from windrow import geometry
from windrow.cli.terminal import shown
from windrow.overlay import Mark

if TYPE_CHECKING:
    from windrow.geometry import Boxes
    from windrow.page import Page
    from windrow.toplist import Reading

MOST_LOSERS = 3


def toplist_to_json(page: Page) -> dict[str, Any]:
    """Give the verdict and, where there is one, the list as plain values."""
    verdict, found = page.toplist_verdict(), page.toplist()
    plain: dict[str, Any] = {"is_topk": verdict.is_topk, "reason": verdict.reason}
    return plain | (found.to_dict() if found else {"items": []})


def view_toplist(page: Page, most: int | None) -> Text:
    """Show the items by rank, or why there are none; in a summary, nothing where the page promises none."""
    found, verdict = page.toplist(), page.toplist_verdict()
    if found is None:
        return Text() if most is not None and verdict.k is None else shown(verdict.reason, "dim")
    about = [found.criterion, found.concept, found.time, found.location]
    lines = [shown(f"{found.k}: {' · '.join(filter(None, about))}", "bold")]
    for item in found.items:
        line = Text(f"{item.rank:>4}  ", "dim").append(shown(item.name))
        details = " · ".join(f"{name}: {value}" for name, value in item.attributes.items())
        lines.append(line.append(shown(f"  {details}" if details else "", "dim")))
    view = Text("\n").join(lines[: None if most is None else most + 1])
    if most is not None:
        view.no_wrap, view.overflow = True, "ellipsis"
        if len(lines) > most + 1:
            view.append(f"\n… {len(lines) - most - 1:,} more items", "dim")
    return view


def find_toplist_marks(page: Page) -> list[Mark]:
    """Frame the items of the candidate that won, and, dashed, those of the next best."""
    reading, layout = page.toplist_reading, page.nodes.layout
    if layout is None or reading.lines is None:
        return []
    marks: list[Mark] = []
    taken: set[int] = set()
    ranked = [candidate.lines for candidate in reading.ranked]
    for lines in ranked[:1]:
        taken.update(lines)
        group = "the list" if reading.toplist else "best candidate"
        marks += _frame(reading, lines, layout.box, group, numbered=True)
    losers = 0
    for lines in ranked[1:]:
        if losers < MOST_LOSERS and taken.isdisjoint(lines):
            taken.update(lines)
            losers += 1
            marks += _frame(reading, lines, layout.box, f"candidate {losers + 1}", numbered=False)
    return marks


def _frame(reading: Reading, lines: tuple[int, ...], box: Boxes, group: str, *, numbered: bool) -> list[Mark]:
    page = reading.lines
    if page is None:
        return []
    marks = []
    for place, line in enumerate(lines, 1):
        within = np.arange(int(page.first[line]), int(page.last[line]) + 1)
        left, top, right, bottom = geometry.hull(box[within]).tolist()
        label = str(place) if numbered else ""
        marks.append(Mark((left, top, right, bottom), label, group, "solid" if numbered else "dashed"))
    return marks
