"""The computed styles that a capture asks for, from the browser's strings to columns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.columns import Words

if TYPE_CHECKING:
    from numpy.typing import NDArray

STYLES = (
    "display",
    "position",
    "visibility",
    "opacity",
    "overflow-x",
    "clip-path",
    "white-space-collapse",
    "font-size",
    "font-weight",
    "color",
    "background-color",
)
NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?")
CHANNELS = 4


@dataclass(frozen=True)
class Styles:
    """One column a property; nodes that are not laid out have no words and zeros."""

    display: Words
    position: Words
    visibility: Words
    overflow: Words
    clip_path: Words
    white_space: Words
    opacity: NDArray[np.float32]
    font_size: NDArray[np.float32]
    font_weight: NDArray[np.int16]
    color: NDArray[np.uint8]
    background: NDArray[np.uint8]


def read_styles(indices: NDArray[np.int32], strings: list[str]) -> Styles:
    """Read the columns; ``indices`` point into ``strings``, one row a node and one column a property, -1 for none."""
    columns = {name: _words(indices[:, place], strings) for place, name in enumerate(STYLES)}
    return Styles(
        display=columns["display"],
        position=columns["position"],
        visibility=columns["visibility"],
        overflow=columns["overflow-x"],
        clip_path=columns["clip-path"],
        white_space=columns["white-space-collapse"],
        opacity=_numbers(columns["opacity"], missing=1.0),
        font_size=_numbers(columns["font-size"]),
        font_weight=_numbers(columns["font-weight"]).astype(np.int16),
        color=_colors(columns["color"]),
        background=_colors(columns["background-color"]),
    )


def _words(column: NDArray[np.int32], strings: list[str]) -> Words:
    used, codes = np.unique(column, return_inverse=True)
    none = int(used[0] < 0) if len(used) else 0
    return Words(codes.astype(np.int32) - none, [strings[index] for index in used.tolist() if index >= 0])


def _numbers(column: Words, missing: float = 0.0) -> NDArray[np.float32]:
    found = [NUMBER.match(word) for word in column.words]
    values = [float(number.group()) if number else missing for number in found]
    return np.asarray(np.array([*values, missing], dtype=np.float32)[column.codes])


def _colors(column: Words) -> NDArray[np.uint8]:
    table = np.array([*map(_color, column.words), (0, 0, 0, 0)], dtype=np.uint8)
    return np.asarray(table[column.codes])


def _color(word: str) -> tuple[int, int, int, int]:
    """Read ``rgb(…)``, ``rgba(…)`` and ``color(srgb …)``; anything else is taken for black."""
    numbers = [float(number) for number in NUMBER.findall(word.removeprefix("color(srgb"))]
    if word.startswith("color("):
        numbers = [255 * number for number in numbers[:3]] + numbers[3:]
    alpha = numbers[3] if len(numbers) >= CHANNELS else 1.0
    red, green, blue = (int(min(255, max(0, round(number)))) for number in (*numbers[:3], 0, 0, 0)[:3])
    return red, green, blue, int(min(255, max(0, round(255 * alpha))))
