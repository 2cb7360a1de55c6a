"""The front page: every source, how it is, and what can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.web.screen import View, go
from windrow.web.source_states import summarise_sources

if TYPE_CHECKING:
    from starlette.responses import Response

    from windrow.web.screen import Call


def overview(call: Call) -> View:
    """Show all sources."""
    with call.desk.store.reading() as connection:
        return View("sources.html", "Sources", {"sources": summarise_sources(connection)})


def run_now(call: Call) -> Response:
    """Begin a run, and lead to it."""
    source = call.source()
    number = call.desk.harvests.start(source.name)
    return go("sources", source.name, "runs", str(number), done="started")
