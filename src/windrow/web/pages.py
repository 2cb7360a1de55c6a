"""Pages that people look at: loaded with their picture where there is a browser, and framed where something stands."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from windrow.errors import BrowserError, LimitError, UsageError
from windrow.geometry import hull
from windrow.nodes.words import PageWords, read_page_words
from windrow.render.executable import find_browser

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windrow.geometry import Boxes
    from windrow.options import Options
    from windrow.page import Page
    from windrow.result import Box
    from windrow.web.desk import Desk
    from windrow.web.screen import Call
    from windrow.wrapper import Spot

logger = logging.getLogger(__name__)

COLOURS = 8
"""Marks come in so many colours; see the sheet."""
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
KEPT_WORDS = "_page_words"


@dataclass(frozen=True)
class Frame:
    """A frame on the picture of a page."""

    label: str
    """What it is around."""
    left: float
    top: float
    width: float
    height: float
    colour: int = 0
    note: str = ""
    """What is written at its corner."""
    dashed: bool = False
    field: int = 0
    """The number of the field that it is of; 0 for what is no field's."""
    choice: str = ""
    """What the form is told to do where the frame is pressed; nothing for one that is only looked at."""


@dataclass(frozen=True)
class Picture:
    """The picture of a page, by the name that the page has on the shelf."""

    name: str
    width: int
    height: int
    notes: tuple[str, ...] = ()


def full_address(text: str) -> str:
    """Return the address that a person typed; ``UsageError`` where it is none of the web's."""
    text = text.strip()
    if not text:
        raise UsageError("There is no address. Write it as in https://example.org/page.")
    if SCHEME.match(text) and not text.lower().startswith(("http://", "https://")):
        is_host = re.match(r"[\w.-]+:\d+(/|$)", text)
        if not is_host:
            raise UsageError(f"{text[:80]!r} is no address of the web. It should begin with https:// or http://.")
    return text if text.lower().startswith(("http://", "https://")) else f"https://{text}"


def load_page(call: Call, address: str) -> Page:
    """Load a page to be shown, as far as it comes within its limits."""
    url = full_address(address)
    call.desk.count_loads(call.who, 1)
    with call.desk.loading() as loader:
        return _read(lambda render, options: loader.load(url, render=render, options=options), loader.options)


def lay_out(desk: Desk, html: str | bytes, url: str, content_type: str | None = None) -> Page:
    """Lay a page out that is at hand, with the network closed."""
    with desk.loading() as loader:
        return _read(
            lambda render, options: loader.parse(
                html, url=url, content_type=content_type, render=render, options=options
            ),
            loader.options,
        )


def _read(read: Callable[[bool, Options], Page], options: Options) -> Page:
    """Read a page with its picture or, where no browser is at hand or it fails, without; one that is cut as it is."""
    try:
        if find_browser() is not None:
            return _cut(read, replace(options, screenshot=True, words=True), render=True)
    except BrowserError as error:
        logger.warning("a page is shown without its picture: %s", error)
    return _cut(read, options, render=False)


def _cut(read: Callable[[bool, Options], Page], options: Options, *, render: bool) -> Page:
    try:
        return read(render, options)
    except LimitError as error:
        if error.page is None:
            raise
        page: Page = error.page
        return page


def picture_of(page: Page, name: str) -> Picture | None:
    """Return the picture of a page; None where it has none."""
    if page.screenshot is None:
        return None
    width, height = picture_size(page.screenshot)
    return Picture(name, width, height, tuple(map(str, page.warnings)))


@lru_cache(maxsize=64)
def picture_size(png: bytes) -> tuple[int, int]:
    """Return the width and height of a PNG."""
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def words_of(page: Page) -> PageWords:
    """Return the words of a page, worked out once."""
    kept: dict[str, PageWords] = vars(page.nodes)
    if KEPT_WORDS not in kept:
        kept[KEPT_WORDS] = read_page_words(page.nodes)
    return kept[KEPT_WORDS]


def boxes_of(page: Page, spot: Spot) -> list[Box]:
    """Return where a spot stands on the picture, a box a line; none where the page was not laid out."""
    if page.nodes.layout is None:
        return []
    if spot.node >= 0:
        return to_boxes(page.nodes.layout.box[[_shown_part(page, spot.node)]])
    return to_boxes(_joined(words_of(page).boxes_between(spot.start, spot.end)))


def _shown_part(page: Page, node: int) -> int:
    """Return an element itself or, where it takes no room of its own, the first in it that does."""
    layout = page.nodes.layout
    assert layout is not None  # noqa: S101 - whoever asks has looked
    inside = np.arange(node, int(page.nodes.end[node]))
    boxes = layout.box[inside]
    solid = inside[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]
    return int(solid[0]) if len(solid) else node


def _joined(boxes: Boxes) -> Boxes:
    """Join the boxes of words that follow each other on a line."""
    rows: list[list[float]] = []
    for left, top, right, bottom in boxes.tolist():
        middle = (top + bottom) / 2
        if rows and rows[-1][1] <= middle <= rows[-1][3] and left >= rows[-1][0]:
            rows[-1] = [rows[-1][0], min(rows[-1][1], top), max(rows[-1][2], right), max(rows[-1][3], bottom)]
        else:
            rows.append([left, top, right, bottom])
    return np.array(rows, np.float32).reshape(-1, 4)


def to_boxes(boxes: Boxes) -> list[Box]:
    """Return rows of edges as boxes, without those that are none."""
    return [(left, top, right, bottom) for left, top, right, bottom in boxes.tolist() if left == left]  # noqa: PLR0124 - not a number


def box_of_nodes(page: Page, nodes: Sequence[int]) -> list[Box]:
    """Return the box around some nodes; none where they have none."""
    if page.nodes.layout is None or not len(nodes):
        return []
    return to_boxes(hull(page.nodes.layout.box[list(nodes)]).reshape(1, 4))


def frame(  # noqa: PLR0913 - by name: how it looks
    box: Box, label: str, colour: int = 0, *, note: str = "", dashed: bool = False, field: int = 0
) -> Frame:
    """Return a frame around a box, a little outside of it."""
    left, top, right, bottom = box
    size = round(max(0.0, right - left) + 4, 1), round(max(0.0, bottom - top) + 4, 1)
    return Frame(label, round(left - 2, 1), round(top - 2, 1), *size, colour % COLOURS, note, dashed, field)
