"""Warnings: open, acknowledged and resolved, with what can be done about each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args
from urllib.parse import urlencode

from starlette.responses import RedirectResponse

from windrow.store.sources import find_source, list_sources
from windrow.store.warnings import Kind, list_warnings, set_warnings
from windrow.web.problems import MissingError
from windrow.web.screen import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.responses import Response

    from windrow.store.warnings import State
    from windrow.web.screen import Call

STATES = {"open": "Open", "acknowledged": "Acknowledged", "resolved": "Resolved", "all": "All"}
KINDS: tuple[str, ...] = get_args(Kind)
MOST = 200
CHOOSE = frozenset({"gone", "template", "missing"})
"""Kinds that another text may mend."""
ACCEPT = frozenset({"fewer", "empty", "missing", "type"})
"""Kinds that a run which takes things as they are ends."""
CHANGE = frozenset({"healed", "template", "gone", "blocked"})
"""Kinds that a change of the template, or of the whole page, is behind."""


def overview(call: Call) -> View:
    """Show the warnings that are asked for."""
    state = call.query("state", "open")
    state, name, kind = state if state in STATES else "open", call.query("source"), call.query("kind")
    with call.desk.store.reading() as connection:
        sources = {source.name: source.state for source in list_sources(connection)}
        source = find_source(connection, name) if name else None
        if name and source is None:
            raise MissingError(f"There is no source {name!r}. Choose another, or all.")
        found = list_warnings(connection, state, None if source is None else source.id)
    chosen = [each for each in found if not kind or each["kind"] == kind]
    data: dict[str, Any] = {
        "warnings": [_with_deeds(each, sources) for each in chosen[:MOST]],
        "more": max(0, len(chosen) - MOST),
        "asked": {"state": state, "source": name, "kind": kind},
        "states": STATES,
        "kinds": KINDS,
        "sources": list(sources),
    }
    return View("warnings.html", "Warnings", data)


def _with_deeds(warning: dict[str, Any], sources: Mapping[str, str]) -> dict[str, Any]:
    """Return a warning with what can be done about it."""
    is_alive, state = warning["state"] != "resolved", sources.get(warning["source"])
    deeds = {
        "choose": is_alive and warning["kind"] in CHOOSE,
        "accept": is_alive and (warning["kind"] in ACCEPT or "--accept`" in warning["text"]),
        "see": warning["kind"] in CHANGE,
        # Errors defer a source; what is only told of, as a heal, is not what it waits for.
        "resume": is_alive and (state == "paused" or (state == "deferred" and warning["severity"] == "error")),
    }
    return {**warning, "deeds": deeds}


def acknowledge(call: Call) -> Response:
    """Say that a warning is known; it goes on counting."""
    return _set(call, "acknowledged")


def resolve(call: Call) -> Response:
    """Say that somebody saw to a warning."""
    return _set(call, "resolved")


def _set(call: Call, state: State) -> Response:
    with call.desk.store.writing() as connection:
        set_warnings(connection, [int(call.param("number"))], state)
    asked = {name: call.text(name) for name in ("state", "source", "kind") if call.text(name)}
    return RedirectResponse(f"/warnings?{urlencode({**asked, 'done': state})}", 303)
