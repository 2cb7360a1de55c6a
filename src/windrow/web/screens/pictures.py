"""Pictures of pages, and where the words stand on them, for pointing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response

from windrow.web.pages import words_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from windrow.page import Page
    from windrow.web.desk import Desk

PRIVATE = "private, max-age=3600"
MOST = 2**16 - 1
GONE = "The page is no more at hand. Load it again.\n"


async def give_picture(request: Request) -> Response:
    """Give the picture of a page that somebody has in front of them."""
    desk: Desk = request.app.state.desk
    page = desk.shelf.find(request.path_params["name"])
    if page is None or page.screenshot is None:
        return PlainTextResponse(GONE, 404)
    headers = {"cache-control": PRIVATE, "content-disposition": 'attachment; filename="page.png"'}
    return Response(page.screenshot, media_type="image/png", headers=headers)


async def give_words(request: Request) -> Response:
    """Give the words of a page: for each, from the start of the one before, its length, and its box, in 16 bits."""
    desk: Desk = request.app.state.desk
    page = desk.shelf.find(request.path_params["name"])
    if page is None:
        return PlainTextResponse(GONE, 404)
    packed = await run_in_threadpool(pack_words, page)
    return Response(packed, media_type="application/octet-stream", headers={"cache-control": PRIVATE})


def pack_words(page: Page) -> bytes:
    """Return the words in little-endian numbers of 16 bits: step, length, left, top, width, height.

    Places are counted in UTF-16, as browsers do. A word beyond the largest number is left out; no picture shows it.
    """
    words, text = words_of(page), page.text
    wide = np.cumsum([0, *(2 if ord(each) > MOST else 1 for each in text)]) if not text.isascii() else None
    start, end = (words.start, words.end) if wide is None else (wide[words.start], wide[words.end])
    left, top, right, bottom = words.box.T
    columns = np.stack([start, end - start, left, top, right - left, bottom - top], axis=1) if len(start) else None
    if columns is None:
        return b""
    table = np.rint(columns).astype(np.int64)
    table = table[((table[:, 1:] >= 0) & (table[:, 1:] <= MOST)).all(axis=1)]
    table = table[np.argsort(table[:, 0], kind="stable")]
    table[1:, 0] = np.diff(table[:, 0])
    packed: bytes = table.astype("<u2").tobytes()
    return packed
