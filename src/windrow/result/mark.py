"""``Mark``: one frame on the picture of a page; readers say what to mark, the overlay draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Style: TypeAlias = Literal["solid", "dashed", "filled"]


@dataclass(frozen=True)
class Mark:
    """One frame to draw: left, top, right, bottom; marks of one group share a colour and a line of the legend."""

    box: tuple[float, float, float, float]
    label: str = ""
    group: str = ""
    style: Style = "solid"
