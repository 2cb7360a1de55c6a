"""Records in the API: searched, filtered, sorted, a page at a time or all as JSON lines; and one with its history."""

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Annotated, Any, Literal, cast, get_args

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from windrow.errors import UsageError
from windrow.store import browsing
from windrow.store.batches import in_batches
from windrow.store.history import Asked as AskedChanges
from windrow.store.history import History
from windrow.store.rows import Rows, Wanted
from windrow.store.selection import Chosen, Filter, How, State
from windrow.store.sources import SourceRow
from windrow.web.api.answers import ChangeAnswer, RecordAnswer, RecordsAnswer
from windrow.web.api.endpoint import JSON, JSON_LINES, Asking, Endpoint, Name, give, link_next
from windrow.web.problems import MissingError
from windrow.web.screen import Call, to_lines

FILTER = re.compile(rf"(?P<label>.+?):(?P<how>{'|'.join(get_args(How))})(?::(?P<text>.*))?", re.DOTALL)
MOST_HISTORY = 1000
"""Changes that stand beside a record; the history has all."""


class Choice(BaseModel):
    """Which records are wanted, and in which order."""

    model_config = ConfigDict(extra="forbid")
    search: str = Field(default="", max_length=1000, description="A text that the key or a value has in it.")
    filter: list[Annotated[str, Field(max_length=2000)]] = Field(
        default_factory=list,
        max_length=20,
        description="What has to hold, all of it: LABEL:is:TEXT, LABEL:has:TEXT, LABEL:lacks, LABEL:least:NUMBER or "
        "LABEL:most:NUMBER.",
        examples=[["price:most:20", "title:has:pear"]],
    )
    sort: str = Field(
        default="",
        max_length=300,
        description="A label, @key, @first_seen or @last_seen; with a minus before it, descending.",
        examples=["-price"],
    )
    state: State = "present"

    def chosen(self) -> dict[str, Any]:
        """Return the same as the store takes it."""
        sort = self.sort.removeprefix("-")
        return {
            "search": self.search,
            "filters": tuple(map(to_filter, self.filter)),
            "sort": sort,
            "descending": sort != self.sort,
            "state": self.state,
        }


class Asked(Choice):
    """Which page of them, and in which form."""

    limit: int = Field(default=100, ge=1, le=browsing.MOST_AT_ONCE)
    after: str = Field(default="", max_length=100, description="The cursor `next` of the part before.")
    origin: bool = Field(default=False, description="With where each value came from.")
    format: Literal["json", "jsonl"] | None = Field(default=None, description="jsonl gives all records, one a line.")


def to_filter(text: str) -> Filter:
    """Return the filter that somebody wrote."""
    found = FILTER.fullmatch(text)
    if found is None:
        raise UsageError(f"{text!r} is no filter. Write LABEL:is:TEXT, or has, lacks, least or most instead of is.")
    return Filter(found["label"], cast("How", found["how"]), found["text"] or "")


def list_all(call: Asking, source: Name, query: Annotated[Asked, Query()]) -> Response:
    """Give the records of a source, a page at a time, or all of them as JSON lines."""
    row = call.source(source)
    if wants_lines(call, query.format):
        return lines(_dicts(call, row, query))
    with call.desk.store.reading() as connection:
        asked = browsing.Asked(**query.chosen(), cursor=query.after, limit=query.limit)
        found = browsing.browse(connection, row, asked)
        records = found.records
        if query.origin:
            whole = Rows(connection, row, Wanted(gone=True, origin=True)).pick([record.id for record in records])
            known = {record.id: record for record in whole}
            records = [known[record.id] for record in records]
    headers = link_next(call, after=found.next) if found.next else {}
    about = {"next": found.next, "total": found.total}
    return give({"records": [record.to_dict() for record in records], **about}, headers=headers)


def _dicts(call: Call, row: SourceRow, query: Asked) -> Iterator[dict[str, Any]]:
    with call.desk.store.reading() as connection:
        found = browsing.Selected(connection, row, Chosen(**query.chosen()))
        if not query.origin:
            yield from (record.to_dict() for record in found)
            return
        rows = Rows(connection, row, Wanted(gone=True, origin=True))
        for numbers in in_batches(record.id for record in found):
            known = {record.id: record for record in rows.pick(numbers)}
            yield from (known[number].to_dict() for number in numbers)


def lines(dicts: Iterator[dict[str, Any]]) -> Response:
    """Answer with JSON lines, sent as they are read; what is wrong with the question is known with the first."""
    encoded = to_lines(dicts)
    return StreamingResponse(chain(list(islice(encoded, 1)), encoded), media_type=JSON_LINES)


def wants_lines(call: Call, form: str | None) -> bool:
    """Whether a list is wanted as JSON lines, all of it."""
    accepted = {part.partition(";")[0].strip() for part in call.request.headers.get("accept", "").split(",")}
    return form == "jsonl" or (form is None and JSON_LINES in accepted and not accepted & {JSON, "*/*"})


class WholeRecordAnswer(RecordAnswer):
    """A record with where its values came from, and what happened to it."""

    history: list[ChangeAnswer]


def get(call: Asking, source: Name, key: Name) -> Response:
    """Give a record by its key, with where its values came from and what happened to it."""
    row = call.source(source)
    with call.desk.store.reading() as connection:
        known = History(connection, row)
        try:
            numbers = known.find(key)
        except UsageError:
            raise MissingError(f"{source} has no record with the key {key!r}. Search its records.") from None
        if len(numbers) > 1:
            raise UsageError(f"{len(numbers)} records have {key!r} in their key. Give the whole key as a JSON array.")
        (record,) = Rows(connection, row, Wanted(gone=True, origin=True)).pick(numbers)
        changes = islice(known.changes(AskedChanges(record=record.id)), MOST_HISTORY)
        return give({**record.to_dict(), "history": [change.to_dict() for change in changes]})


ENDPOINTS = [
    Endpoint(
        "GET",
        "/sources/{source}/records",
        list_all,
        "read",
        RecordsAnswer,
        media=(JSON, JSON_LINES),
        problems=(424,),
        gives=("Link",),
    ),
    Endpoint("GET", "/sources/{source}/records/{key}", get, "read", WholeRecordAnswer),
]
