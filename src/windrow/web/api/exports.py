"""Exports in the API: records of a source or rows of a collection as a file."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from windrow.atomic import NewFile, written
from windrow.errors import UsageError
from windrow.extras import library
from windrow.result.files import grid_to_csv, write_grids
from windrow.result.grid import Grid
from windrow.store.browsing import Selected
from windrow.store.collections import Gathering
from windrow.store.grids import Several, collection_to_grid, records_to_grid
from windrow.store.points import find_moment, find_point
from windrow.store.rows import Rows, Wanted
from windrow.store.selection import Chosen
from windrow.web.api.collections import find
from windrow.web.api.endpoint import JSON_LINES, Asking, Endpoint, Name
from windrow.web.api.records import Choice
from windrow.web.screen import to_lines

Form = Literal["csv", "jsonl", "xlsx", "parquet"]
FORMS: dict[Form, str] = {
    "csv": "text/csv",
    "jsonl": JSON_LINES,
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
}
LIBRARIES = {"xlsx": "openpyxl", "parquet": "pyarrow.parquet"}
AT = Field(default=None, max_length=100, description="As it was at the end of this run, or at this time.")
AS_IS = Field(
    default=False, description="CSV with texts as they stand; else one that a spreadsheet would run has an apostrophe."
)


class Wanting(Choice):
    """Which records, in which form."""

    format: Form = "csv"
    at: str | None = AT
    as_is: bool = AS_IS
    origin: bool = Field(default=False, description="With where each value came from; in JSON lines.")


def records(call: Asking, source: Name, query: Annotated[Wanting, Query()]) -> Response:
    """Give the records of a source as a file, of just what is asked for."""
    if query.origin and query.format != "jsonl":
        raise UsageError("Where values came from has room in JSON lines only. Ask for format=jsonl.")
    row = call.source(source)
    chosen = Chosen(**query.chosen())
    with call.desk.store.reading() as connection:
        if query.at is None and not query.origin:
            found: Several = Selected(connection, row, chosen)
        elif chosen.is_plain and chosen.state != "gone":
            at = None if query.at is None else find_point(connection, row, query.at)
            found = Rows(connection, row, Wanted(chosen.state == "all", at, query.origin))
        else:
            raise UsageError(
                "What was earlier, and where values came from, is given of all records. Leave filters out."
            )
        return give_file(query.format, source, lambda file: _write(file, query, source, found))


def _write(file: NewFile, query: Wanting, name: str, found: Several) -> None:
    if query.format == "jsonl":
        for chunk in to_lines(record.to_dict() for record in found):
            file.write(chunk)
    else:
        _write_grid(file, query.format, records_to_grid([found], name, lambda: None), as_is=query.as_is)


def _write_grid(file: NewFile, form: Form, grid: Grid, *, as_is: bool) -> None:
    if form != "csv":
        write_grids(file, f".{form}", [grid])
        return
    for chunk in grid_to_csv(grid, for_sheets=not as_is):
        file.write(chunk)


class WantingRows(BaseModel):
    """In which form, and as of when."""

    model_config = ConfigDict(extra="forbid")
    format: Form = "csv"
    at: str | None = AT
    as_is: bool = AS_IS


def rows(call: Asking, collection: Name, query: Annotated[WantingRows, Query()]) -> Response:
    """Give the rows of a collection as a file."""
    known = find(call, collection)
    at = None if query.at is None else find_moment(query.at)

    def write(file: NewFile) -> None:
        with call.desk.store.reading() as connection:
            gathering = Gathering(connection, known, Wanted(at=at))
            if query.format == "jsonl":
                for chunk in to_lines(row.to_dict() for row in gathering):
                    file.write(chunk)
            else:
                _write_grid(file, query.format, collection_to_grid(gathering, lambda: None), as_is=query.as_is)

    return give_file(query.format, collection, write)


def give_file(form: Form, name: str, write: Callable[[NewFile], None]) -> Response:
    """Answer with a file that is written first, and thrown away when it was sent."""
    if form in LIBRARIES:
        library(LIBRARIES[form])
    folder = tempfile.TemporaryDirectory(prefix="windrow-")
    try:
        path = Path(folder.name) / f"export.{form}"
        with written(path) as file:
            write(file)
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(
        path, filename=f"{name}.{form}", media_type=FORMS[form], background=BackgroundTask(folder.cleanup)
    )


MEDIA = tuple(FORMS.values())
ENDPOINTS = [
    Endpoint("GET", "/sources/{source}/export", records, "read", media=MEDIA, problems=(424,)),
    Endpoint("GET", "/collections/{collection}/export", rows, "read", media=MEDIA),
]
