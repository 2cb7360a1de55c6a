"""The visible text of a page, as a result."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from windrow.geometry import hull
from windrow.result import Box, Column, Data, Result, Source, read_data

if TYPE_CHECKING:
    from windrow.nodes import Nodes


@dataclass(frozen=True, repr=False)
class Text(Result, name="text"):
    """The text that a reader sees, blocks on lines of their own."""

    text: str
    confidence: float = 1.0
    """Always 1: nothing is decided."""
    nodes: tuple[int, ...] = (0,)
    box: Box | None = None

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def __repr__(self) -> str:
        """Return the size of the text in a line."""
        return f"<Text of {len(self.text):,} characters>"

    @cached_property
    def data(self) -> Data:
        """One row a line."""
        return read_data([Column("text", wordy=True)], [[[Source(line)]] for line in self.text.splitlines()])


def find_text(nodes: Nodes) -> Text:
    """Return the visible text of a page."""
    if nodes.layout is None:
        return Text(nodes.visible_text())
    left, top, right, bottom = hull(nodes.layout.box[nodes.visible]).tolist()
    return Text(nodes.visible_text(), box=(left, top, right, bottom) if left == left else None)  # noqa: PLR0124 - not a number
