"""Warnings in the API: listed, acknowledged, resolved."""

from typing import Annotated, Literal

from fastapi import Query
from pydantic import Field
from starlette.responses import Response

from windrow.errors import UsageError
from windrow.store.warnings import State, list_warnings, set_warnings
from windrow.web.api.answers import WarningAnswer, WarningsAnswer
from windrow.web.api.endpoint import Asking, Endpoint, Number, give, link_next
from windrow.web.api.runs import Part
from windrow.web.problems import MissingError
from windrow.web.screen import Call


class Wanted(Part):
    """Which warnings are wanted."""

    state: Literal["open", "acknowledged", "resolved", "all"] = "open"
    source: str | None = Field(default=None, max_length=200, description="Only those of this source.")


def list_all(call: Asking, query: Annotated[Wanted, Query()]) -> Response:
    """List warnings, newest first."""
    source_id = None if query.source is None else call.source(query.source).id
    with call.desk.store.reading() as connection:
        found = list_warnings(connection, query.state, source_id)
    left = [each for each in found if query.after is None or each["id"] < query.after]
    shown = left[: query.limit]
    following = str(shown[-1]["id"]) if len(left) > len(shown) else None
    return give({"warnings": shown, "next": following}, headers=link_next(call, after=following) if following else {})


def acknowledge(call: Asking, warning: Number) -> Response:
    """Say that a warning is known; it goes on counting."""
    return _set(call, warning, "acknowledged")


def resolve(call: Asking, warning: Number) -> Response:
    """Say that the cause of a warning was seen to; should it be met again, a new one is raised."""
    return _set(call, warning, "resolved")


def _set(call: Call, number: int, state: State) -> Response:
    try:
        with call.desk.store.writing() as connection:
            set_warnings(connection, [number], state)
            found = next(each for each in list_warnings(connection, "all") if each["id"] == number)
    except UsageError:
        raise MissingError(f"There is no warning {number}. /api/v1/warnings?state=all lists them.") from None
    return give(found)


ENDPOINTS = [
    Endpoint("GET", "/warnings", list_all, "read", WarningsAnswer, problems=(404,), gives=("Link",)),
    Endpoint("POST", "/warnings/{warning}/ack", acknowledge, "write", WarningAnswer),
    Endpoint("POST", "/warnings/{warning}/resolve", resolve, "write", WarningAnswer),
]
