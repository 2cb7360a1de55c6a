"""The stages of VENTREC as frames on the picture of the page: element boxes, hyperBoxes, how each grew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.result import Box, Mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.table.ventrec import Stages

MARKED_CELLS = 600
"""Cells of one hyperBox that are framed one by one."""


def draw_plane(stages: Stages) -> list[Mark]:
    """Frame every element box that the spatial reasoning looks at."""
    return [Mark(_box(box), "", "element box", "dashed") for box in stages.plane.boxes.tolist()]


def draw_hyperboxes(stages: Stages) -> list[Mark]:
    """Frame the hyperBoxes that tables came of, with their cells."""
    marks = []
    for growth in stages.growths:
        marks.append(Mark(growth[-1].box, "", "hyperBox"))
        cells = stages.plane.boxes[list(growth[-1].cells[:MARKED_CELLS])].tolist()
        marks += [Mark(_box(box), "", "cell", "dashed") for box in cells]
    return marks


def draw_growth(stages: Stages) -> list[list[Mark]]:
    """Frame the growth of the expansion: one picture a step, the start filled."""
    frames = []
    for growth in stages.growths:
        start = Mark(growth[0].box, "", "start", "filled")
        frames += [[start, Mark(step.box, f"step {number}", "hyperBox")] for number, step in enumerate(growth)]
    return frames


def _box(edges: Sequence[float]) -> Box:
    left, top, right, bottom = edges
    return left, top, right, bottom
