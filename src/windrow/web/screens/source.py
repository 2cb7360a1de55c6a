"""A source: how it is, what it reads, its bar-trees, its last runs and changes, its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.responses import Response

from windrow.errors import UsageError
from windrow.harvest.captures import read_capture
from windrow.harvest.passing_on import export_toml
from windrow.harvest.settings import SourceSettings
from windrow.result import Mark
from windrow.store.captures import list_captures
from windrow.store.runs import find_under_way, is_at_work, list_runs
from windrow.store.sources import find_wrapper, retire, set_state
from windrow.store.views import remove_with_view
from windrow.web.problems import MissingError
from windrow.web.redrawing import room_of, with_picture
from windrow.web.run_states import summarise_run
from windrow.web.screen import View, go
from windrow.web.source_states import summarise_sources
from windrow.web.template_changes import list_changes, newest_trees
from windrow.wrapper import Wrapper

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from windrow.page import Page
    from windrow.store.sources import SourceRow
    from windrow.web.screen import Call

LAST = 5
"""Runs and changes that are shown here."""
PICTURES_A_MINUTE = 60
WAYS = {
    "none": "the addresses themselves",
    "region": "the links of a list",
    "links": "the links of a page",
    "toplist": "the links of a ranked list",
    "sitemap": "a sitemap",
    "feed": "a feed",
}
"""How records are reached, by the setting ``follow.list``."""
FOR_A_DAY = "private, max-age=86400"


def overview(call: Call) -> View:
    """Show a source."""
    source, desk = call.source(), call.desk
    toml, _ = export_toml(desk.store, [source.name], collections=False)
    with desk.store.reading() as connection:
        (summary,) = summarise_sources(connection, source.name)
        runs = [summarise_run(row, desk.harvests) for row in list_runs(connection, source.id)[:LAST]]
        captures = list_captures(connection, source.id)
        page = read_capture(connection, source.id, captures[0].id) if captures else None
        learned, last = newest_trees(connection, source, page)
        data: dict[str, Any] = {
            "source": source.name,
            "summary": summary,
            "runs": runs,
            "changes": list_changes(connection, source)[:LAST],
            "labels": _labels(connection, source),
            "capture": captures[0] if captures else None,
            "room": None if page is None else room_of(page),
            "trees": {"learned": Markup(learned), "last": Markup(last)},  # noqa: S704 - drawn here, its texts escaped
            "facts": _facts(SourceSettings.from_dict(source.settings)),
            "toml": toml,
        }
    return View("source.html", source.name, data)


def _labels(connection: Connection, source: SourceRow) -> list[dict[str, Any]]:
    """Return what is read, with what was said of it and what stood there when it was learned."""
    row = find_wrapper(connection, source.id)
    if row is None:
        return []
    wrapper = Wrapper.from_json(row.body)
    example, local = wrapper.examples[0].values, set(wrapper.local_labels)
    return [
        {
            "label": label,
            "type": wrapper.fields[label].type if label in wrapper.fields else None,
            "required": label in wrapper.fields and wrapper.fields[label].required,
            "example": list(example.get(label, ())),
            "is_local": label in local,
        }
        for label in wrapper.labels
    ]


def _facts(settings: SourceSettings) -> dict[str, str]:
    """Return the settings that people ask for, in words."""
    follow, schedule = settings.follow, settings.schedule
    when = "by hand only"
    if schedule is not None:
        when = f"every {schedule.every}" if schedule.every else f"{schedule.cron} ({schedule.zone})"
    read_by = settings.read.reader or "what was learned from pasted text"
    return {
        "Begins at": "\n".join(settings.start[:20]) + ("\n…" if len(settings.start) > 20 else ""),  # noqa: PLR2004 - as above
        "Reaches records by": f"{WAYS[follow.list]}{f', those like {follow.detail}' if follow.detail else ''}",
        "Read by": read_by,
        "Key": ", ".join(settings.read.key),
        "When": when,
        "Browser": "yes" if settings.network.render is not False else "no",
        "Warnings go to": f"{len(settings.warn.send)} addresses" if settings.warn.send else "nobody",
    }


def picture(call: Call) -> Response:
    """Give the picture of a page that was kept, with frames around what is read there."""
    source, desk = call.source(), call.desk
    number = int(call.param("number"))
    with desk.store.reading() as connection:
        capture = next((each for each in list_captures(connection, source.id) if each.id == number), None)
        page = None if capture is None else read_capture(connection, source.id, number)
        row = None if capture is None else find_wrapper(connection, source.id, capture.wrapper_version)
    if page is None:
        raise MissingError("This page is no longer kept.")
    desk.attempts.count("picture", call.who, PICTURES_A_MINUTE, 60.0)
    shown = with_picture(call, page)
    if shown.screenshot is None:
        raise MissingError("There is no picture of this page, and no browser to draw one.")
    from windrow.overlay import draw  # noqa: PLC0415 - what it draws with takes ten megabytes

    marks = [] if row is None else _marks(Wrapper.from_json(row.body), shown)
    headers = {"cache-control": FOR_A_DAY, "content-disposition": 'attachment; filename="page.png"'}
    return Response(draw(shown.screenshot, marks), media_type="image/png", headers=headers)


def _marks(wrapper: Wrapper, page: Page) -> list[Mark]:
    """Return a frame for each value; each label has a colour of its own."""
    located = wrapper.read(page).located
    return [Mark(place.box, label, label) for label in wrapper.labels for place in located.get(label, ()) if place.box]


def pause(call: Call) -> Response:
    """Leave a source alone until it is resumed."""
    return _set_state(call, "paused")


def resume(call: Call) -> Response:
    """Go on with a source that was paused or deferred."""
    return _set_state(call, "active")


def _set_state(call: Call, state: Any) -> Response:  # noqa: ANN401 - one of the states
    source = call.source()
    with call.desk.store.writing() as connection:
        set_state(connection, source.id, state)
    return go("sources", source.name, done="paused" if state == "paused" else "resumed")


def ask_removal(call: Call, error: str = "") -> View:
    """Ask whether a source is really to be removed."""
    source = call.source()
    with call.desk.store.reading() as connection:
        (summary,) = summarise_sources(connection, source.name)
    data = {"source": source.name, "records": summary.records + summary.gone}
    return View("remove.html", f"Remove {source.name}", data, 422 if error else 200, error)


def remove(call: Call) -> View | Response:
    """Remove a source whose name was typed, with or without its data."""
    source = call.source()
    if call.text("name") != source.name:
        return ask_removal(call, "That is not the name of the source. Nothing was removed.")
    with call.desk.store.reading() as connection:
        run = find_under_way(connection, source.id)
        if run is not None and is_at_work(run):
            raise UsageError(f"{source.name} is being read. Stop the run first, then remove it.")
    if call.text("keep"):
        with call.desk.store.writing() as connection:
            retire(connection, source.id)
    else:
        remove_with_view(call.desk.store, source.id)
    return go("", done="removed")
