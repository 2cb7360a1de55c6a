"""Reading a single page: what every reader finds on it, how it came to that, and everything to take away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from windrow.errors import UsageError, WindrowError
from windrow.readers.registry import READERS, page_to_marks
from windrow.web.lessons import offered_lists
from windrow.web.pages import frame, full_address, lay_out, load_page, picture_of
from windrow.web.problems import MissingError, sentence_of, status_of
from windrow.web.screen import View, to_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windrow.page import Page
    from windrow.readers.names import Settings
    from windrow.region import Region
    from windrow.result import Mark, Result
    from windrow.table import Table
    from windrow.web.pages import Frame
    from windrow.web.screen import Call

HEADING = "Read a page"
READS_A_MINUTE = 20
MOST_RESULTS = 8
"""Lists, or tables, of a page that are shown."""
MOST_ROWS = 15
MOST_COLUMNS = 12
MOST_CANDIDATES = 10
MOST_FRAMES = 250
"""Frames on the picture; what is found first has the first choice."""
FRAMED: Mapping[str, Settings] = {"title": {}, "toplist": {}, "regions": {}, "tables": {}}
FORMATS = {"csv": "text/csv", "json": "application/json", "xlsx": "application/vnd.ms-excel"}


def ask(call: Call) -> View:
    """Ask for an address or a file."""
    return View("reading.html", HEADING, {"address": call.query("address"), "found": None})


def read(call: Call) -> View:
    """Read the page of an address, or of a file that was sent."""
    call.desk.attempts.count("read", call.who, READS_A_MINUTE, 60.0)
    address = call.text("address").strip()
    try:
        page = _receive(call, address)
        found = describe(page, call.desk.shelf.put(page))
    except WindrowError as error:
        return View("reading.html", HEADING, {"address": address, "found": None}, status_of(error), sentence_of(error))
    return View("reading.html", HEADING, {"address": address, "found": found})


def _receive(call: Call, address: str) -> Page:
    upload = call.file("file")
    if upload is None:
        if not address:
            raise UsageError("Give the address of a page, or choose a file with one.")
        return load_page(call, address)
    url = full_address(address) if address else ""
    return lay_out(call.desk, upload.file.read(), url)


def describe(page: Page, name: str) -> dict[str, Any]:
    """Return everything that is shown of a page."""
    return {
        "name": name,
        "url": page.url,
        "cut": page.cut,
        "picture": picture_of(page, name),
        "frames": frames_of(page),
        "title": _describe_title(page),
        "toplist": _describe_toplist(page),
        "regions": [_describe_region(each, number) for number, each in enumerate(page.regions()[:MOST_RESULTS], 1)],
        "offered": [page.regions().index(each) + 1 for each in offered_lists(page)],
        "tables": [_describe_table(each, number) for number, each in enumerate(page.tables()[:MOST_RESULTS], 1)],
    }


def frames_of(page: Page) -> list[Frame]:
    """Return the frames of what was found, a colour a group."""
    marks: list[Mark] = page_to_marks(page, FRAMED)
    groups = [*dict.fromkeys(mark.group for mark in marks)]
    named = [mark for mark in marks if mark.label]
    others = [mark for mark in marks if not mark.label]
    return [
        frame(mark.box, mark.label or mark.group, groups.index(mark.group), note=mark.label, dashed=not mark.label)
        for mark in [*named, *others][:MOST_FRAMES]
        if mark.box[0] == mark.box[0]
    ]


def _describe_title(page: Page) -> dict[str, Any]:
    title = page.title()
    candidates = [
        {
            "text": each.text,
            "score": round(each.score, 3),
            "terms": {name: round(value, 3) for name, value in each.terms.items()},
        }
        for each in title.candidates[:MOST_CANDIDATES]
    ]
    return {"text": title.text, "reason": title.reason, "confidence": title.confidence, "candidates": candidates}


def _describe_toplist(page: Page) -> dict[str, Any]:
    reading = page.toplist_reading
    stages = [
        (
            "Title",
            f"promises {reading.promise.k}: “{reading.promise.title}”" if reading.promise else "promises no number",
        ),
        ("Candidates", f"{len(reading.measured.candidates)} lists of about that length" if reading.measured else "–"),
        ("Ranker", _describe_choice(page)),
        ("Verdict", reading.verdict.reason),
    ]
    items = reading.toplist.items if reading.toplist else ()
    rows = [
        {
            "rank": item.rank,
            "name": item.name,
            "more": " · ".join(f"{name}: {text}" for name, text in item.attributes.items()),
        }
        for item in items
    ]
    return {"stages": stages, "entries": rows, "found": reading.toplist is not None}


def _describe_choice(page: Page) -> str:
    choice = page.toplist_reading.choice
    if choice is None:
        return "–"
    best = sorted((float(score) for score in choice.scores), reverse=True)[:3]
    return f"the best of them score {', '.join(f'{score:.2f}' for score in best)}"


def _describe_region(region: Region, number: int) -> dict[str, Any]:
    columns = region.columns[:MOST_COLUMNS]
    rows = [[record.fields.get(name, "") for name in columns] for record in region.records[:MOST_ROWS]]
    about = {"number": number, "count": len(region.records), "confidence": region.confidence, "next": region.next_url}
    about["lack"] = region.lack
    return {**about, "columns": columns, "left": len(region.columns) - len(columns), "rows": rows}


def _describe_table(table: Table, number: int) -> dict[str, Any]:
    rows = [row[:MOST_COLUMNS] for row in table.rows[: MOST_ROWS + table.header_rows]]
    about = {"number": number, "name": table.label, "origin": table.origin, "confidence": table.confidence}
    about["lack"] = table.lack
    size = {"row_count": table.row_count, "column_count": table.column_count, "header_rows": table.header_rows}
    return {**about, **size, "rows": rows}


def export(call: Call) -> Response:
    """Give a result of a page as a file."""
    page = call.desk.shelf.find(call.param("name"))
    reader, number, kind = call.param("reader"), to_number(call.param("number")), call.param("format")
    if page is None or reader not in FRAMED or kind not in FORMATS:
        raise MissingError("This page is no more at hand. Read it again, then take its results away.")
    found: list[Result] = READERS[reader].results(page.read(reader))
    if number is None or not 0 < number <= len(found):
        raise MissingError("The page has no such result.")
    result = found[number - 1]
    makers = {"csv": result.to_csv, "json": result.to_json, "xlsx": result.to_xlsx}
    headers = {"content-disposition": f'attachment; filename="{reader}-{number}.{kind}"'}
    return Response(makers[kind](), media_type=FORMATS[kind], headers=headers)
