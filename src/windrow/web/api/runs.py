"""Runs in the API: listed, begun, looked at, followed, stopped."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

from fastapi import Header, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from windrow.errors import BusyError
from windrow.store.runs import find_run, list_runs, run_to_dict
from windrow.web.api.answers import RunAnswer, RunsAnswer
from windrow.web.api.bodies import RunBody
from windrow.web.api.endpoint import EVENTS, Asking, Endpoint, Name, Number, give, link_next, place_of
from windrow.web.api.once import Key
from windrow.web.problems import MissingError
from windrow.web.screen import Call, to_json

SECONDS_BETWEEN = 1.0
MOST_EVENTS = 3600
"""Events after which a connection is ended; whoever follows a longer run connects again."""


class Part(BaseModel):
    """Which part of a list is wanted."""

    model_config = ConfigDict(extra="forbid")
    limit: int = Field(default=50, ge=1, le=1000, description="At most so many.")
    after: int | None = Field(default=None, ge=0, le=2**62, description="The cursor `next` of the part before.")


def list_all(call: Asking, query: Annotated[Part, Query()]) -> Response:
    """List the runs of all sources, newest first."""
    return _give_runs(call, query, None)


def list_of_source(call: Asking, source: Name, query: Annotated[Part, Query()]) -> Response:
    """List the runs of a source, newest first."""
    return _give_runs(call, query, call.source(source).id)


def _give_runs(call: Call, query: Part, source_id: int | None) -> Response:
    with call.desk.store.reading() as connection:
        found = list_runs(connection, source_id, before=query.after, most=query.limit + 1)
    shown = found[: query.limit]
    following = str(shown[-1].id) if len(found) > query.limit else None
    headers = link_next(call, after=following) if following else {}
    return give({"runs": [run_to_dict(row) for row in shown], "next": following}, headers=headers)


def get(call: Asking, run: Number) -> Response:
    """Give a run: what it counted, so far or in all."""
    return give(_find(call, run))


def start(call: Asking, source: Name, body: RunBody | None = None, key: Key = None) -> Response:
    """Begin a run of a source, or go on with one that was interrupted."""
    row, wanted = call.source(source), body or RunBody()

    def begin() -> Response:
        choices = [f"--{name}" for name in ("offline", "fresh", "accept") if getattr(wanted, name)]
        choices += [] if wanted.pages is None else ["--pages", str(wanted.pages)]
        number = call.desk.harvests.start(row.name, choices)
        return give(_find(call, number), 202, {"Location": place_of("runs", number)})

    answer: Response = call.request.app.state.deeds.once(call, key, wanted, begin)
    return answer


def stop(call: Asking, run: Number) -> Response:
    """Ask a run to end after the page that is under way; the next one goes on with it."""
    found = _find(call, run)
    if found["ended"] is None and not call.desk.harvests.stop(found["source"]):
        raise BusyError(f"Run {run} was not started here. Stop it where it was started.")
    return give(_find(call, run), 202)


def _find(call: Call, number: int) -> dict[str, Any]:
    with call.desk.store.reading() as connection:
        row = find_run(connection, number)
    if row is None:
        raise MissingError(f"There is no run {number}. /api/v1/runs lists those that there are.")
    return run_to_dict(row)


LastEvent = Annotated[
    str | None, Header(alias="Last-Event-ID", max_length=200, description="The last event that was seen.")
]


def follow(call: Asking, run: Number, last: LastEvent = None) -> Response:
    """Follow a run as server-sent events: `progress` whenever it counted something, then `ended`."""
    _find(call, run)
    return StreamingResponse(_events(lambda: _find(call, run), last), media_type=EVENTS)


async def _events(look: Callable[[], dict[str, Any]], last: str | None) -> AsyncIterator[bytes]:
    for _ in range(MOST_EVENTS):
        found = await run_in_threadpool(look)
        name = "progress" if found["ended"] is None else "ended"
        number = "-".join(str(found[part]) for part in ("pages", "not_modified", "failed", "records", "state"))
        if number != last or name == "ended":
            last = number
            yield f"event: {name}\nid: {number}\ndata: {to_json(found).decode()}\n\n".encode()
        else:
            yield b": nothing new\n\n"
        if name == "ended":
            return
        await asyncio.sleep(SECONDS_BETWEEN)


ENDPOINTS = [
    Endpoint("GET", "/runs", list_all, "read", RunsAnswer, gives=("Link",)),
    Endpoint("GET", "/sources/{source}/runs", list_of_source, "read", RunsAnswer, gives=("Link",)),
    Endpoint("POST", "/sources/{source}/runs", start, "run", RunAnswer, 202, problems=(409,), gives=("Location",)),
    Endpoint("GET", "/runs/{run}", get, "read", RunAnswer),
    Endpoint("POST", "/runs/{run}/stop", stop, "run", RunAnswer, 202, problems=(409,)),
    Endpoint("GET", "/runs/{run}/events", follow, "read", media=(EVENTS,)),
]
