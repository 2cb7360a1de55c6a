"""The form of a source as it is shown: picture, frames, lists that are offered, preview, and pages that were tried."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from windrow.errors import UsageError
from windrow.harvest.setting_up import Tried, parse_schedule, propose_key
from windrow.harvest.settings import SourceSettings
from windrow.harvest.timetable import next_fires
from windrow.result import TYPES
from windrow.store.collections import list_collections
from windrow.store.sources import find_source
from windrow.web.drafts import KINDS, WAYS
from windrow.web.lessons import Placed, Places, frames_of, offered_lists, region_of, widen
from windrow.web.pages import frame, picture_of
from windrow.web.screen import View, address
from windrow.wrapper.gathering import find_same

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.page import Page
    from windrow.region import Region
    from windrow.store.sources import SourceRow
    from windrow.web.drafts import Draft
    from windrow.web.screen import Call
    from windrow.wrapper import Wrapper

MOST_ROWS = 50
"""Rows of a preview."""


@dataclass
class Shown:
    """What the form shows beside what stands in it."""

    draft: Draft
    source: SourceRow | None = None
    page: Page | None = None
    wrapper: Wrapper | None = None
    tried: tuple[Tried, ...] = ()
    error: str = ""
    status: int = 200
    current: str = ""
    """The settings as they are now, where the form is out of date."""
    focus: str = ""
    """The control to begin at."""
    warning: Mapping[str, Any] | None = None
    """What the source warned of, where somebody comes to mend that."""


def show_form(call: Call, shown: Shown) -> View:
    """Return the form with everything that is shown beside it."""
    draft, page, source = shown.draft, shown.page, shown.source
    data: dict[str, Any] = {
        "draft": draft,
        "source": None if source is None else source.name,
        "action": "/sources/new" if source is None else address("sources", source.name, "edit"),
        "kinds": KINDS,
        "types": TYPES,
        "ways": WAYS,
        "known_labels": _known_labels(call),
        "keys": list(dict.fromkeys(filter(None, [draft.key, "url", *draft.labels]))),
        "proposed_key": draft.key or propose_key(draft.labels),
        "runs": describe_runs(call, draft),
        "current": shown.current,
        "focus": shown.focus,
        "warning": shown.warning,
        **_page_data(draft, page),
        **_result_data(call, shown),
    }
    heading = "Add a source" if source is None else f"Edit {source.name}"
    return View("setup.html", heading, data, shown.status, shown.error)


def _known_labels(call: Call) -> list[str]:
    with call.desk.store.reading() as connection:
        labels = (
            label for each in list_collections(connection) for mapped in each.sources.values() for label in mapped
        )
        return sorted(set(labels))


def describe_runs(call: Call, draft: Draft) -> dict[str, Any]:
    """Return the next runs of a draft's schedule, within the hours that are stored, or what is wrong with it."""
    try:
        with call.desk.store.reading() as connection:
            source = find_source(connection, draft.name)
            before = None if source is None else SourceSettings.from_dict(source.settings).schedule
            schedule = parse_schedule(draft.schedule, before)
            schedule = None if schedule is None else replace(schedule, zone=draft.zone)
            fires = next_fires(connection, draft.name, schedule)
    except UsageError as error:
        return {"problem": str(error), "fires": []}
    zone = UTC if schedule is None else ZoneInfo(schedule.zone)
    return {"problem": "", "fires": [each.astimezone(zone).isoformat().replace("+00:00", "Z") for each in fires]}


def _page_data(draft: Draft, page: Page | None) -> dict[str, Any]:
    if page is None:
        none = tuple(Placed() for _ in draft.fields)
        return {"page": None, "picture": None, "frames": [], "lists": [], "placed": none, "ats": []}
    places = Places(page, region_of(draft, page))
    placed = [places.of_field(each) for each in draft.fields]
    lists = offered_lists(page)
    frames = frames_of(draft, page, placed)
    if not draft.filled:
        frames += [
            replace(
                frame(region.box, f"List {number}", number, note=f"{len(region.records)} records?", dashed=True),
                choice=f"list-{number}",
            )
            for number, region in enumerate(lists, 1)
            if region.box is not None
        ]
    picture = picture_of(page, draft.page)
    about = {"title": page.title().text, "url": page.url, "text": page.text, "cut": page.cut}
    ats = [
        [f"{widen(page.text, spot.start)}-{widen(page.text, spot.end)}" for spot in each.spots if spot.start >= 0]
        for each in placed
    ]
    return {
        "page": about,
        "picture": picture,
        "frames": frames,
        "lists": _list_data(lists),
        "placed": placed,
        "ats": ats,
    }


def _list_data(lists: Sequence[Region]) -> list[dict[str, Any]]:
    return [
        {
            "count": len(region.records),
            "columns": region.columns,
            "sample": " ".join(region.records[0].text.split())[:90],
            "next": region.next_url,
        }
        for region in lists
    ]


def _result_data(call: Call, shown: Shown) -> dict[str, Any]:
    wrapper, page = shown.wrapper, shown.page
    data: dict[str, Any] = {"preview": None, "tried": None, "notes": [], "local": []}
    if wrapper is None or page is None:
        return data
    found = Tried(page.url, page, wrapper.extract(page))
    local = wrapper.local_labels
    data["preview"] = {"labels": wrapper.labels, "rows": found.rows()[:MOST_ROWS], "count": len(found.rows())}
    data |= {"notes": wrapper.remarks, "local": local}
    if shown.tried:
        data["tried"] = tried_data(call, shown, wrapper)
    return data


def tried_data(call: Call, shown: Shown, wrapper: Wrapper) -> dict[str, Any]:
    """Return the grid of pages and labels: each cell with its text, and whether it is doubtful or was corrected."""
    said = {each.url: each.values for each in shown.draft.corrections}
    rows = []
    for each in shown.tried:
        name = "" if each.page is None else call.desk.shelf.put(each.page)
        cells = [_cell(each, label, said.get(each.url, {})) for label in wrapper.labels]
        count = len(each.rows()) if wrapper.list_rule is not None else 1
        rows.append({"url": each.url, "page": name, "cells": cells, "error": each.error, "count": count})
    found = [each.found for each in shown.tried if each.found is not None]
    found += [] if shown.page is None else [wrapper.extract(shown.page)]
    return {"labels": wrapper.labels, "rows": rows, "same": find_same(found, wrapper.labels)}


def _cell(tried: Tried, label: str, said: Mapping[str, str]) -> dict[str, Any]:
    if tried.found is None:
        return {"text": "", "state": "failed", "said": False, "now": ""}
    texts = (tried.rows() or [{}])[0].get(label, [])
    doubtful = tried.found.doubtful.get(label, [])
    text = "\n".join(texts or doubtful)
    state = "sure" if texts else "doubtful" if doubtful else "missing"
    return {"text": text, "state": state, "said": label in said, "now": said.get(label, text)}
