"""The picture of a kept page that has none: taken now, or drawn again from where every text, box and image stood on it.

What a browser made of the page is known, but neither its styles nor its images were kept. So the texts are written at
their places, in their size, width and colour, by the browser and with the network closed.
"""

from __future__ import annotations

import html
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from windrow.errors import WindrowError
from windrow.nodes import Kind
from windrow.nodes.text import collapse
from windrow.options import Options
from windrow.render.executable import find_browser
from windrow.web.pages import lay_out, load_page, picture_size
from windrow.wrapper.normalization import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.nodes import Layout
    from windrow.page import Page
    from windrow.web.desk import Desk
    from windrow.web.screen import Call

MOST_HEIGHT = 16_000
WHITE = (255, 255, 255, 255)
BOLD, FAT = 600, ' font-weight="700"'
BASELINE = 0.78
"""How far down its line a text stands."""
IMAGES = frozenset({"img", "svg:svg", "canvas", "video", "picture"})
IMAGE = "#d9dde0"


def with_picture(call: Call, page: Page) -> Page:
    """Return a page with its picture: that of its time, or one that is drawn now.

    As long as the page is what it was, it is loaded with its styles. Else it is drawn as it was kept, without the
    network: where everything stood, or, if it was read without a browser, as plain as it came.
    """
    if page.screenshot is not None or find_browser() is None:
        return page
    with suppress(WindrowError):
        now = load_page(call, page.url)
        if now.screenshot is not None and folded(now.text) == folded(page.text):
            return now
    return lay_out(call.desk, page.html, page.url) if page.nodes.layout is None else redraw(call.desk, page)


def redraw(desk: Desk, page: Page) -> Page:
    """Return a page with a picture, drawn from its columns; without one, where no browser laid it out or is here."""
    layout = page.nodes.layout
    if page.screenshot is not None or layout is None:
        return page
    return replace(page, screenshot=lay_out(desk, page_to_svg(page, layout), "").screenshot)


def room_of(page: Page) -> tuple[int, int]:
    """Return how wide and high the picture of a page will be; of one that nobody laid out yet, at least the window."""
    if page.screenshot is not None:
        return picture_size(page.screenshot)
    return Options.viewport if page.nodes.layout is None else _size(page.nodes.layout)


def _size(layout: Layout) -> tuple[int, int]:
    bottom = np.nanmax(layout.box[layout.visible, 3], initial=layout.viewport[1])
    return layout.viewport[0], min(int(np.ceil(bottom)), MOST_HEIGHT)


def page_to_svg(page: Page, layout: Layout) -> str:
    """Return a document of ours that shows a page as it was laid out."""
    width, height = _size(layout)
    shapes = "".join([*_draw_boxes(page, layout), *_draw_lines(page, layout)])
    return (
        "<!doctype html><meta charset=utf-8><style>body{margin:0}svg{display:block}text{white-space:pre}</style>"
        f'<svg width="{width}" height="{height}" font-family="sans-serif">{_draw_canvas(page, layout)}{shapes}</svg>'
    )


def _draw_canvas(page: Page, layout: Layout) -> str:
    """Draw what is behind everything: as browsers do, in the colour of the document, or else of its body."""
    for node in page.nodes.tag.where("html", "body").tolist():
        red, green, blue, alpha = layout.background[node].tolist()
        if alpha:
            return (
                f'<rect width="100%" height="100%" fill="rgb({red},{green},{blue})" fill-opacity="{alpha / 255:.2f}"/>'
            )
    return ""


def _draw_boxes(page: Page, layout: Layout) -> Iterator[str]:
    nodes = page.nodes
    is_image = nodes.tag.is_in(IMAGES)
    for node in np.flatnonzero((nodes.kind == Kind.ELEMENT) & layout.visible).tolist():
        left, top, right, bottom = layout.box[node].tolist()
        red, green, blue, alpha = layout.background[node].tolist()
        if not (right > left and bottom > top):
            continue
        size = f'x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}"'
        if is_image[node]:
            yield f'<rect {size} fill="{IMAGE}"/>'
        elif alpha and (red, green, blue, alpha) != WHITE:
            yield f'<rect {size} fill="rgb({red},{green},{blue})" fill-opacity="{alpha / 255:.2f}"/>'


def _draw_lines(page: Page, layout: Layout) -> Iterator[str]:
    lines, nodes = layout.lines, page.nodes
    columns = (lines.node.tolist(), lines.start.tolist(), lines.length.tolist(), lines.box.tolist())
    for node, start, length, (left, top, right, bottom) in zip(*columns, strict=True):
        raw = nodes.text[node]
        text = (raw if layout.preserved[node] else collapse(raw))[start : start + length]
        if not layout.visible[node] or not text.strip() or right <= left:
            continue
        red, green, blue, _ = layout.color[node].tolist()
        style = f'fill="rgb({red},{green},{blue})"{FAT if layout.font_weight[node] >= BOLD else ""}'
        yield (
            f'<text x="{left:.1f}" y="{top + BASELINE * (bottom - top):.1f}" font-size="{layout.font_size[node]:.1f}"'
            f' textLength="{right - left:.1f}" lengthAdjust="spacingAndGlyphs" {style}>'
            f"{html.escape(text.strip())}</text>"
        )
