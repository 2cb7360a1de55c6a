"""Runs of a source: all of them, one of them while it is under way, and what became of its pages."""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from windrow.errors import UsageError
from windrow.store.pages import count_verdicts, list_pages
from windrow.store.runs import find_run, list_runs
from windrow.store.sources import find_source
from windrow.store.warnings import list_warnings
from windrow.web.gate import SLASH
from windrow.web.problems import MissingError, problem
from windrow.web.run_states import summarise_run
from windrow.web.screen import View, go, to_number

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from windrow.web.desk import Desk
    from windrow.web.run_states import RunSummary
    from windrow.web.screen import Call

PAGES = 100
"""Pages of a run that are shown together."""
MOST_RUNS = 200
EVERY = 0.5
"""Seconds between two looks at the store."""
BEAT = 15.0
"""Seconds after which a silent connection says that it is still there."""
LONGEST = 900.0
"""Seconds after which a connection ends; browsers connect again by themselves."""
MOST_WATCHING = 24
"""Connections that watch runs at the same time."""
SWITCHES = ("offline", "fresh", "accept")


def overview(call: Call) -> View:
    """Show the runs of a source, newest first."""
    source = call.source()
    with call.desk.store.reading() as connection:
        rows = list_runs(connection, source.id)
    runs = [summarise_run(row, call.desk.harvests) for row in rows[:MOST_RUNS]]
    data = {"source": source.name, "runs": runs, "more": max(0, len(rows) - MOST_RUNS)}
    return View("runs.html", f"Runs of {source.name}", data)


def start(call: Call) -> Response:
    """Begin a run with what was chosen for it, and lead to it."""
    source = call.source()
    choices = [f"--{name}" for name in SWITCHES if call.text(name)]
    if pages := call.text("pages").strip():
        most = to_number(pages)
        if most is None or not 0 < most < 10**9:
            raise UsageError(f"{pages[:20]!r} is no number of pages. Write a whole number, or leave it empty.")
        choices += ["--pages", str(most)]
    number = call.desk.harvests.start(source.name, choices)
    return go("sources", source.name, "runs", str(number), done="started")


def one(call: Call) -> View:
    """Show a run: how far it is, what it stored, and what it did not, with the reasons."""
    source = call.source()
    number, after, verdict = int(call.param("number")), call.query("after", "0"), call.query("verdict")
    with call.desk.store.reading() as connection:
        run = _find(call.desk, source.id, source.name, number)
        verdicts = count_verdicts(connection, number)
        first = int(after) if after.isdecimal() and len(after) < 18 else 0  # noqa: PLR2004 - digits that a database knows
        pages = list_pages(connection, number, verdict=verdict, after=first, limit=PAGES + 1)
        warnings = [each for each in list_warnings(connection, "all", source.id) if each["run"] == number]
    data = {
        "source": source.name,
        "run": run,
        "verdicts": verdicts,
        "verdict": verdict,
        "pages": pages[:PAGES],
        "next": pages[PAGES - 1]["id"] if len(pages) > PAGES else None,
        "warnings": warnings,
    }
    return View("run.html", f"Run {number} of {source.name}", data)


def stop(call: Call) -> Response:
    """Ask a run to end at the border of a page."""
    source = call.source()
    run = _find(call.desk, source.id, source.name, int(call.param("number")))
    if not run.is_under_way:
        raise UsageError(f"Run {run.run} has ended already: {run.shown}.")
    if not call.desk.harvests.stop(source.name):
        raise UsageError(
            f"No run of {source.name} was started here. One that another process works at is stopped there, by Ctrl-C."
        )
    return go("sources", source.name, "runs", call.param("number"), done="stopping")


def _find(desk: Desk, source_id: int, name: str, number: int) -> RunSummary:
    with desk.store.reading() as connection:
        row = find_run(connection, number) if number.bit_length() < 63 else None  # noqa: PLR2004 - as a database knows them
        if row is None or row.source_id != source_id:
            raise MissingError(f"{name} has no run {number}. Its runs are listed.")
        return summarise_run(row, desk.harvests, connection)


class Watching:
    """How many connections watch runs."""

    count = 0


async def events(request: Request) -> Response:
    """Tell how a run goes on as it does, until it has ended: as events that the server sends."""
    desk: Desk = request.app.state.desk
    name, number = request.path_params["source"].replace(SLASH, "/"), request.path_params["number"]
    if Watching.count >= MOST_WATCHING:
        return problem(503, "Too many people watch runs at the moment. Load the page again to see how it goes on.")
    try:
        source_id = await run_in_threadpool(_source_id, desk, name)
        await run_in_threadpool(_find, desk, source_id, name, number)
    except UsageError as error:
        return problem(404, str(error))
    stream = _tell(request, desk, source_id, name, number)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


def _source_id(desk: Desk, name: str) -> int:
    with desk.store.reading() as connection:
        found = find_source(connection, name)
    if found is None:
        raise MissingError(f"There is no source {name!r}.")
    return found.id


async def _tell(request: Request, desk: Desk, source_id: int, name: str, number: int) -> AsyncIterator[bytes]:
    Watching.count += 1
    try:
        last, quiet, waited = request.headers.get("last-event-id", ""), 0.0, 0.0
        yield b"retry: 2000\n\n"
        while waited < LONGEST and not await request.is_disconnected():
            run = await run_in_threadpool(_find, desk, source_id, name, number)
            data = orjson.dumps(run)
            mark = hashlib.sha256(data).hexdigest()[:16]
            if mark != last:
                last, quiet = mark, 0.0
                kind = b"" if run.is_under_way else b"event: end\n"
                yield b"id: " + mark.encode() + b"\n" + kind + b"data: " + data + b"\n\n"
            if not run.is_under_way:
                return
            if quiet >= BEAT:
                quiet = 0.0
                yield b": still there\n\n"
            await asyncio.sleep(EVERY)
            quiet, waited = quiet + EVERY, waited + EVERY
    finally:
        Watching.count -= 1
