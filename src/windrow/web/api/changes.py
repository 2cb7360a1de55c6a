"""History in the API: what happened to records, and what two points of it differ in."""

from itertools import islice
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from windrow.store.history import Asked, History, choose_points
from windrow.store.points import Point, find_point
from windrow.web.api.answers import ChangesAnswer, DiffAnswer
from windrow.web.api.endpoint import Asking, Endpoint, Name, give, link_next
from windrow.web.api.runs import Part


class Wanted(Part):
    """Which changes are wanted."""

    key: str | None = Field(default=None, max_length=10_000, description="Only of the record with this key.")
    label: str | None = Field(default=None, max_length=200, description="Only the values of this label.")
    since: str | None = Field(
        default=None, max_length=100, description="Only after this run or time.", examples=["2027-03-28"]
    )


def history(call: Asking, source: Name, query: Annotated[Wanted, Query()]) -> Response:
    """Tell what happened to the records of a source: added, changed, removed, returned; oldest first."""
    row = call.source(source)
    with call.desk.store.reading() as connection:
        since = None if query.since is None else find_point(connection, row, query.since)
        asked = Asked(query.key, query.label, since, query.after)
        found = list(islice(History(connection, row).changes(asked, query.limit + 1), query.limit + 1))
    shown = found[: query.limit]
    following = str(shown[-1].id) if len(found) > query.limit else None
    headers = link_next(call, after=following) if following else {}
    return give({"changes": [change.to_dict() for change in shown], "next": following}, headers=headers)


class Compared(BaseModel):
    """What is compared with what."""

    model_config = ConfigDict(extra="forbid")
    since: str | None = Field(default=None, max_length=100, description="The earlier run or time.")
    until: str | None = Field(
        default=None, max_length=100, description="The later run or time; the last whole run by default."
    )
    held: bool = Field(
        default=False, description="Instead, what the last run would have changed, had it not been held."
    )
    limit: int = Field(default=200, ge=1, le=1000)
    after: int = Field(default=0, ge=0, le=2**62, description="The cursor `next` of the part before.")


def difference(call: Asking, source: Name, query: Annotated[Compared, Query()]) -> Response:
    """Tell what the records of a source differ in, by key, between two runs or times."""
    row = call.source(source)
    pinned: dict[str, str] = {}
    with call.desk.store.reading() as connection:
        known = History(connection, row)
        if query.held:
            changes = known.held()
        else:
            given = [each for each in (query.since, query.until) if each is not None]
            older, newer = choose_points(connection, row, given)
            changes = known.difference(older, newer)
            pinned = {"since": _written(older), "until": _written(newer)}
        found = list(islice(changes, query.after, query.after + query.limit + 1))
    shown = found[: query.limit]
    following = str(query.after + len(shown)) if len(found) > query.limit else None
    headers = link_next(call, after=following, **pinned) if following else {}
    return give({**pinned, "changes": [change.to_dict() for change in shown], "next": following}, headers=headers)


def _written(point: Point) -> str:
    return point.moment if point.run is None else str(point.run)


ENDPOINTS = [
    Endpoint("GET", "/sources/{source}/history", history, "read", ChangesAnswer, gives=("Link",)),
    Endpoint("GET", "/sources/{source}/diff", difference, "read", DiffAnswer, gives=("Link",)),
]
