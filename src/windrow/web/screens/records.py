"""Records of a source: searched, sorted and filtered, a page at a time, and as files of just what is shown."""

from __future__ import annotations

import re
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.background import BackgroundTask
from starlette.responses import FileResponse, StreamingResponse

from windrow.atomic import written
from windrow.errors import LimitError
from windrow.extras import library
from windrow.result.files import grid_to_csv, write_grids
from windrow.store.browsing import Selected, browse, count
from windrow.store.facets import find_facets
from windrow.store.fields import list_fields
from windrow.store.grids import records_to_grid
from windrow.store.selection import ABOUT, Filter
from windrow.web.problems import MissingError
from windrow.web.record_queries import HOWS, read_query
from windrow.web.screen import View, to_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.responses import Response

    from windrow.store.selection import Chosen
    from windrow.store.sources import SourceRow
    from windrow.web.record_queries import Query
    from windrow.web.screen import Call

CELLS = 500
"""Cells of a page; a source with many labels has fewer rows on it."""
MOST_ROWS, FEWEST_ROWS = 50, 10
COUNTED_AT_ONCE = 2_000
"""Up to so many records, their values are counted with every page; beyond, where somebody asks for it."""
MOST_IN_SHEETS = 200_000
"""Records that a file may have which is made as a whole."""
STATES = {"present": "There", "gone": "Gone", "all": "All"}
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
}
LIBRARIES = {"xlsx": "openpyxl", "parquet": "pyarrow.parquet"}
DOWNLOADS_A_MINUTE = 30


def overview(call: Call) -> View:
    """Show a page of the records that are asked for."""
    source = call.source()
    with call.desk.store.reading() as connection:
        columns = len(list_fields(connection, source.id)) + 1
        query = read_query(call.request.query_params, max(FEWEST_ROWS, min(MOST_ROWS, CELLS // columns)))
        found = browse(connection, source, query.asked)
        counts = found.total <= COUNTED_AT_ONCE or query.facets
        facets = find_facets(connection, source, query.chosen) if counts else None
    labels = [field.label for field in found.fields]
    data: dict[str, Any] = {
        "source": source.name,
        "labels": labels,
        "records": [{"id": each.id, **each.to_dict()} for each in found.records],
        "total": found.total,
        "first": found.first,
        "next": found.next,
        "previous": found.previous,
        "last": found.last,
        "asked": query.asked,
        "facets": facets,
    }
    shown = {"query": query, "links": _links(query, labels, facets), "hows": HOWS, "states": STATES, "forms": TYPES}
    return View("records.html", f"Records of {source.name}", data, shown=shown)


def _links(query: Query, labels: list[str], facets: Any) -> dict[str, Any]:  # noqa: ANN401 - what was counted, or nothing
    """Return where the page leads to: other orders, and values to see only."""
    asked = query.asked
    turned = {name: "1" if asked.sort == name and not asked.descending else None for name in ("", *labels, *ABOUT)}
    return {
        "sorts": {name: query.to_text(sort=name, desc=desc) for name, desc in turned.items()},
        "only": {}
        if facets is None
        else {
            (facet.label, text): query.with_filter(Filter(facet.label, "is", text))
            for facet in facets.facets
            for text, _ in facet.values
        },
        "filters": [(each, query.without_filter(number)) for number, each in enumerate(asked.filters)],
    }


def download(call: Call) -> Response:
    """Give the records that are asked for as a file."""
    source, form = call.source(), call.param("form")
    if form not in TYPES:
        raise MissingError(f"There is no form {form!r}; there are: {', '.join(TYPES)}.")
    call.desk.attempts.count("download", call.who, DOWNLOADS_A_MINUTE, 60.0)
    if form in LIBRARIES:
        library(LIBRARIES[form])
    chosen = read_query(call.request.query_params).chosen
    headers = {"content-disposition": _attachment(source.name, form)}
    if form in LIBRARIES:
        path = _write(call, source, chosen, form)
        return FileResponse(path, media_type=TYPES[form], headers=headers, background=BackgroundTask(path.unlink))
    with call.desk.store.reading() as connection:
        headers["windrow-records"] = str(count(connection, source, chosen))
    as_is = call.query("as_is") == "1"
    chunks = _lines(call, source, chosen) if form == "jsonl" else _csv(call, source, chosen, as_is=as_is)
    return StreamingResponse(chunks, media_type=TYPES[form], headers=headers)


def _attachment(name: str, form: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[:80] or "records"
    return f"attachment; filename=\"{plain}.{form}\"; filename*=UTF-8''{quote(name[:80], safe='')}.{form}"


def _lines(call: Call, source: SourceRow, chosen: Chosen) -> Iterator[bytes]:
    with call.desk.store.reading() as connection:
        yield from to_lines(record.to_dict() for record in Selected(connection, source, chosen))


def _csv(call: Call, source: SourceRow, chosen: Chosen, *, as_is: bool) -> Iterator[bytes]:
    with call.desk.store.reading() as connection:
        grid = records_to_grid([Selected(connection, source, chosen)], source.name, _pass)
        yield from grid_to_csv(grid, for_sheets=not as_is)


def _write(call: Call, source: SourceRow, chosen: Chosen, form: str) -> Path:
    """Write a file that can only be made as a whole, and return where."""
    with ExitStack() as stack:
        connection = stack.enter_context(call.desk.store.reading())
        number = count(connection, source, chosen)
        if number > MOST_IN_SHEETS:
            raise LimitError(
                f"{number:,} records are more than the {MOST_IN_SHEETS:,} that such a file is made of here. "
                "Take CSV or JSON lines, or choose fewer."
            )
        grid = records_to_grid([Selected(connection, source, chosen)], source.name, _pass)
        with tempfile.NamedTemporaryFile(prefix="windrow-", suffix=f".{form}", delete=False) as begun:
            path = Path(begun.name)
        with written(path) as file:
            write_grids(file, f".{form}", [grid])
    return path


def _pass() -> None:
    """Count nothing."""
