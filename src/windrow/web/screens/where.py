"""Where a value stands: the page that showed it, with a frame around the value, or with a word that it is not there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windrow.nodes import find_by_xpath
from windrow.page import Page
from windrow.pagefile import bytes_to_parts
from windrow.store.bodies import find_body_of
from windrow.store.rows import Rows, Wanted
from windrow.web.pages import box_of_nodes, boxes_of, frame, lay_out, load_page, picture_of
from windrow.web.problems import MissingError
from windrow.web.redrawing import redraw
from windrow.web.screen import View, address
from windrow.wrapper import Spot
from windrow.wrapper.normalization import folded
from windrow.wrapper.page_features import features_of
from windrow.wrapper.spot import FoldedText, find_spots
from windrow.wrapper.text_search import TextIndex

if TYPE_CHECKING:
    from windrow.store.bodies import KeptBody
    from windrow.store.rows import Record
    from windrow.store.sources import SourceRow
    from windrow.web.pages import Frame
    from windrow.web.screen import Call

AROUND = 60
"""Characters before and after a value that are shown where there is no picture."""


@dataclass(frozen=True)
class Stand:
    """Where the values of a label stand on a page."""

    spots: tuple[Spot, ...] = ()
    note: str = ""


def where(call: Call) -> View:
    """Show the page that showed a value."""
    source, label = call.source(), call.param("label")
    record, body = _find(call, source, label)
    origin = (record.origin or {}).get(label) or {}
    value = record.values.get(label)
    texts = [value] if isinstance(value, str) else list(value or ())
    page, said = _page(call, body, str(origin.get("url") or record.url or ""))
    stand = locate(page, texts, str(origin.get("path") or ""))
    name = call.desk.shelf.put(page)
    data: dict[str, Any] = {
        "source": source.name,
        "back": address("sources", source.name, "records", call.param("record")),
        "label": label,
        "texts": texts,
        "url": page.url,
        "at": origin.get("at"),
        "path": origin.get("path"),
        "said": said,
        "note": stand.note,
        "picture": picture_of(page, name),
        "frames": _frames(page, stand, label),
        "around": [quote_around(page, spot) for spot in stand.spots if spot.start >= 0],
    }
    return View("where.html", f"Where it stands: {label}", data)


def _find(call: Call, source: SourceRow, label: str) -> tuple[Record, KeptBody | None]:
    number = int(call.param("record"))
    with call.desk.store.reading() as connection:
        found = next(iter(Rows(connection, source, Wanted(gone=True, origin=True)).pick([number])), None)
        if found is None or label not in found.values:
            raise MissingError(f"{source.name} has no such record, or it has no {label}. Its records list what it has.")
        page_id = ((found.origin or {}).get(label) or {}).get("page")
        body = None if page_id is None else find_body_of(connection, page_id)
    return found, body


def _page(call: Call, body: KeptBody | None, url: str) -> tuple[Page, str]:
    """Return the page, and what it is: as it was kept, or, where nothing was, as it is now."""
    if body is None:
        page = load_page(call, url)
        return page, "No page was kept when this was read, so this is the page as it is now."
    if body.kind == "page":
        kept = Page(**bytes_to_parts(body.content))
        drawn = redraw(call.desk, kept)
        how = "" if drawn is kept else ", drawn anew: its fonts and images were not kept"
        return drawn, f"The page as it was kept when it was read last{how}."
    page = lay_out(call.desk, body.content, body.headers.get(":url", body.url), body.headers.get("content-type"))
    return page, "The page as it was kept when it was read last, without what it loads besides."


def locate(page: Page, texts: list[str], path: str) -> Stand:
    """Return where values stand: at the place where they were read, if the text is still there, or else elsewhere."""
    if not texts:
        return Stand(note="The record has no value here.")
    index = TextIndex(features_of(page.nodes), page.resolve)
    node = find_by_xpath(page.nodes, path) if path else None
    first = None if node is None else _spot_in(page, node, texts[0])
    if first is not None:
        rest = [found[0] for text in texts[1:] if len(found := find_spots(page, index, text)) == 1]
        return Stand((first, *rest))
    spots = [spot for text in texts for spot in find_spots(page, index, text)[:1]]
    if spots:
        return Stand(tuple(spots), "It does not stand where it was read any more; the same text stands here.")
    return Stand(note="It is not on this page any more.")


def _spot_in(page: Page, node: int, text: str) -> Spot | None:
    """Return the place of a text within what a node shows or holds; None where it is not there."""
    if text in {page.links[node], page.images[node]}:
        return Spot(text, node=node)
    start, end = int(page.nodes.spans.start[node]), int(page.nodes.spans.end[node])
    part, wanted = page.text[start:end], folded(text)
    at = folded(part).find(wanted) if wanted else -1
    if at < 0:
        held = {folded(value) for value in page.nodes.attributes[node].values()}
        return Spot(text, node=node) if wanted in held else None
    plain = FoldedText(part)
    return Spot(text, start + plain.unfold(at), start + plain.unfold(at + len(wanted) - 1) + 1)


def _frames(page: Page, stand: Stand, label: str) -> list[Frame]:
    boxes = [box for spot in stand.spots for box in boxes_of(page, spot) or box_of_nodes(page, [max(spot.node, 0)])]
    return [frame(box, label) for box in boxes]


def quote_around(page: Page, spot: Spot) -> dict[str, str]:
    """Return a value and whole words before and after it."""
    before, after = page.text[: spot.start], page.text[spot.end :]
    if len(before) > AROUND:
        before = "…" + re.sub(r"^\S{0,20}(?=\s)", "", before[-AROUND:])
    if len(after) > AROUND:
        after = re.sub(r"(?<=\s)\S{0,20}$", "", after[:AROUND]) + "…"
    return {"before": before, "text": page.text[spot.start : spot.end], "after": after}
