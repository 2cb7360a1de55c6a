"""The picture of a page with frames around what was found, each kind in a colour of its own, and a legend below.

Marks are in CSS pixels from the page's top left corner, which are the picture's pixels too. The legend is added under
the page, so that whatever stands on the picture stays where its box says.
"""

from __future__ import annotations

import io
import math
import shutil
import string
import subprocess
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from anyascii import anyascii
from PIL import Image, ImageDraw, ImageFont

from windrow.errors import SourceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.result import Mark

Color: TypeAlias = tuple[int, int, int]
Place: TypeAlias = tuple[int, int, int, int]
Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

# Okabe and Ito's palette, which colour-blind people can tell apart, darkened where white text must be read on it.
PALETTE: tuple[Color, ...] = (
    (0, 114, 178),
    (190, 75, 0),
    (0, 128, 96),
    (170, 80, 140),
    (140, 105, 0),
    (30, 130, 190),
    (90, 90, 90),
    (120, 40, 40),
)
WHITE: Color = (255, 255, 255)
INK: Color = (40, 40, 40)
FRAME = 2
DASH, GAP = 8, 5
FILL = 0.22
"""How much of its colour a filled mark puts over the page."""
FONT_SIZE = 13
PADDING = 4
LONGEST_LABEL = 48
CELL = 4
"""Pixels of the grid in which labels look for a free place."""
LEGEND_GAP = 18
FONT_SECONDS = 5.0
NO_LETTER = "\U0010fffd"
"""What no font has a letter for."""


def draw(screenshot: bytes, marks: Sequence[Mark]) -> bytes:
    """Draw the marks over a picture of the page, both as PNG."""
    groups = [*dict.fromkeys(mark.group for mark in marks)]
    return _draw(screenshot, marks, groups)


def draw_frames(screenshot: bytes, stages: Sequence[Sequence[Mark]]) -> list[bytes]:
    """Draw one picture a stage; a group has the same colour in all of them, and all have the same size."""
    groups = [*dict.fromkeys(mark.group for marks in stages for mark in marks)]
    return [_draw(screenshot, marks, groups) for marks in stages]


def _draw(screenshot: bytes, marks: Sequence[Mark], groups: Sequence[str]) -> bytes:
    picture = _open(screenshot)
    colors = {group: PALETTE[number % len(PALETTE)] for number, group in enumerate(groups)}
    placed = [(mark, place) for mark in marks if (place := _clip(mark.box, picture.size))]
    for mark, place in placed:
        if mark.style == "filled":
            _fill(picture, place, colors[mark.group])
    pen = ImageDraw.Draw(picture)
    for mark, place in placed:
        _outline(pen, place, colors[mark.group], dashed=mark.style == "dashed")
    labels = _Labels(pen, picture.size)
    # What is large begins further up and left, and so has the first choice.
    for mark, place in sorted(placed, key=lambda each: -_area(each[1])):
        labels.add(mark.label, place, colors[mark.group])
    picture = _with_legend(picture, {group: color for group, color in colors.items() if group})
    written = io.BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


def _open(screenshot: bytes) -> Image.Image:
    """Unpack a picture, which may come from a file of somebody else's."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            return Image.open(io.BytesIO(screenshot), formats=("PNG",)).convert("RGB")
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            raise UsageError("The picture of the page is too large to draw on. Choose a smaller viewport.") from None
        except (OSError, ValueError, SyntaxError):
            raise SourceError("The picture of the page is damaged. Load the page again.") from None


def _clip(box: Sequence[float], size: tuple[int, int]) -> Place | None:
    """Cut a box at the picture's edges; nothing for one that lies outside, is empty, or is no box at all.

    The frame runs around the box, not over what stands in it.
    """
    if not all(map(math.isfinite, box)):
        return None
    left, top = max(box[0], 0), max(box[1], 0)
    right, bottom = min(box[2], size[0]), min(box[3], size[1])
    if right - left < 1 or bottom - top < 1:
        return None
    return (
        max(math.floor(left) - FRAME, 0),
        max(math.floor(top) - FRAME, 0),
        min(math.ceil(right) + FRAME, size[0]) - 1,
        min(math.ceil(bottom) + FRAME, size[1]) - 1,
    )


def _area(place: Place) -> int:
    left, top, right, bottom = place
    return (right - left) * (bottom - top)


def _fill(picture: Image.Image, place: Place, color: Color) -> None:
    left, top, right, bottom = place
    part = picture.crop((left, top, right + 1, bottom + 1))
    picture.paste(Image.blend(part, Image.new("RGB", part.size, color), FILL), (left, top))


def _outline(pen: ImageDraw.ImageDraw, place: Place, color: Color, *, dashed: bool) -> None:
    if not dashed:
        pen.rectangle(place, outline=color, width=FRAME)
        return
    left, top, right, bottom = place
    for x in range(left, right + 1, DASH + GAP):
        end = min(x + DASH, right)
        pen.rectangle((x, top, end, min(top + FRAME - 1, bottom)), fill=color)
        pen.rectangle((x, max(bottom - FRAME + 1, top), end, bottom), fill=color)
    for y in range(top, bottom + 1, DASH + GAP):
        end = min(y + DASH, bottom)
        pen.rectangle((left, y, min(left + FRAME - 1, right), end), fill=color)
        pen.rectangle((max(right - FRAME + 1, left), y, right, end), fill=color)


def _to_drawable(words: str) -> tuple[str, Font]:
    """Return a label with a font that has all its letters; where the machine has none, in Latin letters."""
    usual = ImageFont.load_default(FONT_SIZE)
    if words.isascii():
        return words, usual
    for font in (usual, _find_font("".join(sorted(set(words) - set(string.printable))))):
        if font is not None and _has_letters(font, words):
            return words, font
    return anyascii(words), usual


@lru_cache(maxsize=256)
def _find_font(letters: str) -> Font | None:
    """Return the font that the system names for some letters, where there is a system of fonts."""
    program = shutil.which("fc-match")
    if program is None:
        return None
    pattern = f":charset={' '.join(f'{ord(letter):x}' for letter in letters)}"
    try:
        answer = subprocess.run(  # noqa: S603 - of numbers only
            [program, "--format=%{file}", pattern], capture_output=True, check=True, timeout=FONT_SECONDS
        )
        return ImageFont.truetype(answer.stdout.decode("utf-8", "surrogateescape"), FONT_SIZE)
    except (OSError, subprocess.SubprocessError):
        return None


def _has_letters(font: Font, words: str) -> bool:
    """Whether a font draws each letter, and not the box that it has for letters it lacks."""
    lacking = bytes(font.getmask(NO_LETTER))
    return all(bytes(font.getmask(letter)) != lacking for letter in set(words) if not letter.isspace())


class _Labels:
    """Places labels where no other label stands; one that finds no place is left out, its frame remains."""

    def __init__(self, pen: ImageDraw.ImageDraw, size: tuple[int, int]) -> None:
        self._pen = pen
        self._size = size
        self._taken = np.zeros((size[1] // CELL + 1, size[0] // CELL + 1), dtype=bool)

    def add(self, label: str, place: Place, color: Color) -> None:
        """Write a label at the corner of its frame: above it, or else below or inside."""
        words = " ".join("".join(char if char.isprintable() else " " for char in label[: 4 * LONGEST_LABEL]).split())
        if not words:
            return
        words = words if len(words) <= LONGEST_LABEL else f"{words[: LONGEST_LABEL - 1]}…"
        words, font = _to_drawable(words)
        wide = math.ceil(self._pen.textlength(words, font)) + 2 * PADDING
        high = FONT_SIZE + PADDING
        left, top, right, bottom = place
        end = right - wide + 1
        # Text begins at the left of its box: what stands inside stands best at the right.
        for x, y in ((left, top - high), (end, top - high), (left, bottom + 1), (end, top), (left, top)):
            if self._take(x, y, wide, high):
                self._pen.rectangle((x, y, x + wide - 1, y + high - 1), fill=color)
                self._pen.text((x + PADDING, y + high / 2), words, fill=WHITE, font=font, anchor="lm")
                return

    def _take(self, x: int, y: int, wide: int, high: int) -> bool:
        if x < 0 or y < 0 or x + wide > self._size[0] or y + high > self._size[1]:
            return False
        cells = self._taken[y // CELL : (y + high - 1) // CELL + 1, x // CELL : (x + wide - 1) // CELL + 1]
        if cells.any():
            return False
        cells[:] = True
        return True


def _with_legend(picture: Image.Image, colors: dict[str, Color]) -> Image.Image:
    """Add a strip with the names of the groups under the picture, on as many lines as they need."""
    if not colors:
        return picture
    font = ImageFont.load_default(FONT_SIZE)
    measure = ImageDraw.Draw(picture)
    line = FONT_SIZE + 2 * PADDING
    x, y, entries = LEGEND_GAP, PADDING, []
    for name, color in colors.items():
        wide = FONT_SIZE + PADDING + math.ceil(measure.textlength(name, font))
        if x > LEGEND_GAP and x + wide > picture.width - LEGEND_GAP:
            x, y = LEGEND_GAP, y + line
        entries.append((x, y, name, color))
        x += wide + LEGEND_GAP
    whole = Image.new("RGB", (picture.width, picture.height + y + line + PADDING), WHITE)
    whole.paste(picture, (0, 0))
    pen = ImageDraw.Draw(whole)
    for left, top, name, color in entries:
        middle = picture.height + top + line / 2
        pen.rectangle((left, middle - FONT_SIZE / 2, left + FONT_SIZE, middle + FONT_SIZE / 2), fill=color)
        pen.text((left + FONT_SIZE + PADDING, middle), name, fill=INK, font=font, anchor="lm")
    return whole
