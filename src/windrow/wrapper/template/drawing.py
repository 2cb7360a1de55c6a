"""The pictures of BARTREE: nested bars (Fig. 4) and the silhouette whose area is A_total (Fig. 5), old beside new.

A bar of depth d is d high and w_d wide, so its strip can be divided into the P_d slots of the level below; the next bar
stands in the slot of the one that was followed. Depths at which two trees differ are drawn in another colour.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from windrow.wrapper.template.bartree import changed_depths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.wrapper.template.bartree import BarTree

PANEL, MARGIN, CAPTION = 420, 24, 18
"""Width and height of one picture, the room around it, and the height of its caption, in pixels."""
PLAIN, MARKED, LINE = "#9db8d2", "#e07a5f", "#26445f"
SMALLEST = 1.0
"""No bar is drawn thinner than a pixel: deep ones would vanish."""


@dataclass(frozen=True)
class Bar:
    """One bar: where it begins and how wide it is, as shares of the whole width; how deep it is."""

    depth: int
    left: float
    width: float


@dataclass(frozen=True)
class Rectangle:
    """Something to draw, in pixels from the top left."""

    left: float
    top: float
    right: float
    bottom: float
    color: str
    words: str = ""
    """What it stands for."""


@dataclass(frozen=True)
class Legend:
    """What is said of a picture beside its bars."""

    name: str = "Bar-tree"
    """Of the whole picture, for whoever can't see it."""
    captions: Sequence[str] = ("old", "new")
    """Above each tree, where there are several."""
    elements: Sequence[Sequence[str]] = ()
    """For each tree, the elements that its bars stand for, by depth."""
    against: BarTree | None = None
    """A tree that a single one is compared with."""


USUAL = Legend()


def place_bars(tree: BarTree) -> list[Bar]:
    """Place the bars of depth 1 to d_max, each in the slot of the one followed above it."""
    left, bars = 0.0, []
    widths = [float(width) for width in tree.widths]
    for depth, (above, own) in enumerate(pairwise(widths), start=1):
        slot = above / tree.parallel[depth - 1]
        left += (tree.ordinals[depth - 1] - 1) * slot + (slot - own) / 2
        bars.append(Bar(depth, left, own))
    return bars


def draw_svg(trees: Sequence[BarTree], legend: Legend = USUAL) -> str:
    """Draw one tree, or an old and a new one side by side: above the nested bars, below the silhouettes.

    Each bar says which element it stands for. Nothing in the picture is a style, so that it can stand in any page.
    """
    width, height = picture_size(trees)
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    about = f'role="img" aria-label="{escaped(legend.name)}" font-family="sans-serif" font-size="12"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {about}>']
    parts.append(f'<rect width="{width}" height="{height}" fill="white"/>')
    for shape in find_rectangles(trees, legend):
        size = f'width="{shape.right - shape.left:.2f}" height="{shape.bottom - shape.top:.2f}"'
        look = f'fill="{shape.color}" stroke="{LINE}" stroke-width="0.5"'
        title = f"<title>{escaped(shape.words)}</title>"
        parts.append(f'<rect x="{shape.left:.2f}" y="{shape.top:.2f}" {size} {look}>{title}</rect>')
    for left, top, words in find_captions(trees, legend.captions):
        parts.append(f'<text x="{left}" y="{top + CAPTION - 6}" fill="{LINE}">{escaped(words)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def draw_png(trees: Sequence[BarTree], legend: Legend = USUAL) -> bytes:
    """Draw the same as a PNG file."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 - ten megabytes, for the only picture that is no SVG

    picture = Image.new("RGB", picture_size(trees), "white")
    pen = ImageDraw.Draw(picture)
    for shape in find_rectangles(trees, legend):
        pen.rectangle((shape.left, shape.top, shape.right, shape.bottom), fill=shape.color, outline=LINE)
    font = ImageFont.load_default(12)
    for left, top, words in find_captions(trees, legend.captions):
        pen.text((left, top), words, fill=LINE, font=font)
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def picture_size(trees: Sequence[BarTree]) -> tuple[int, int]:
    """Return width and height: one column a tree, two rows."""
    return MARGIN + len(trees) * (PANEL + MARGIN), 2 * (PANEL // 2 + CAPTION + MARGIN) + MARGIN


def find_rectangles(trees: Sequence[BarTree], legend: Legend = USUAL) -> list[Rectangle]:
    """Return what is drawn: all nested bars, then all layers of the silhouettes."""
    marked = set(changed_depths(trees[0], legend.against or trees[-1]))
    deepest = max(tree.depth for tree in trees) or 1
    unit = PANEL / 2 / deepest
    shapes = []
    for row in range(2):
        floor = (row + 1) * (PANEL // 2 + CAPTION + MARGIN)
        for column, tree in enumerate(trees):
            origin = MARGIN + column * (PANEL + MARGIN)
            for bar in place_bars(tree):
                left = origin + bar.left * PANEL
                right = left + max(bar.width * PANEL, SMALLEST)
                bottom = floor if row == 0 else floor - (bar.depth - 1) * unit
                color = MARKED if bar.depth in marked else PLAIN
                words = describe_bar(tree, bar.depth, legend.elements[column] if legend.elements else ())
                shapes.append(Rectangle(left, floor - bar.depth * unit, right, bottom, color, words))
    return shapes


def describe_bar(tree: BarTree, depth: int, elements: Sequence[str]) -> str:
    """Return which element a bar stands for, and where that stands."""
    name = f": {elements[depth]}" if depth < len(elements) else ""
    return f"Level {depth}{name}, number {tree.ordinals[depth]} of {tree.parallel[depth]} side by side"


def find_captions(trees: Sequence[BarTree], captions: Sequence[str]) -> list[tuple[float, float, str]]:
    """Return what is written, and where."""
    found: list[tuple[float, float, str]] = []
    for column, tree in enumerate(trees):
        left = MARGIN + column * (PANEL + MARGIN)
        name = f"{captions[column]}: " if len(trees) > 1 else ""
        found.append((left, MARGIN - CAPTION, f"{name}{tree.depth} levels, delta = {tree.delta}"))
        below = PANEL // 2 + CAPTION + 2 * MARGIN - CAPTION
        found.append((left, below, f"{name}total area {float(tree.total):.4f}"))
    return found


def escaped(words: str) -> str:
    """Write text so that XML takes it for text, in attributes as well."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
