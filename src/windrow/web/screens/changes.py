"""Changes of a source's template: what stood before and after side by side, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from windrow.errors import UsageError
from windrow.harvest.versions import go_back
from windrow.store.sources import find_wrapper
from windrow.store.warnings import set_warnings
from windrow.web.problems import MissingError
from windrow.web.redrawing import room_of
from windrow.web.screen import View, go
from windrow.web.template_changes import draw_trees, find_change, list_changes, read_pages

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection
    from starlette.responses import Response

    from windrow.store.sources import SourceRow
    from windrow.web.screen import Call
    from windrow.web.template_changes import TemplateChange

LONGEST_VERSION = 9
"""No version has more digits."""


def overview(call: Call) -> View:
    """Show all changes of a source's template."""
    source = call.source()
    with call.desk.store.reading() as connection:
        changes = list_changes(connection, source)
    return View("changes.html", f"Changes of {source.name}", {"source": source.name, "changes": changes})


def one(call: Call) -> View:
    """Show a change: pictures and bar-trees side by side, and where each label was and is."""
    source = call.source()
    with call.desk.store.reading() as connection:
        change = _find(connection, source, call.param("which"))
        pages = read_pages(connection, source, change)
        before, after = draw_trees(connection, source, change, pages)
        in_use = find_wrapper(connection, source.id)
    rooms = [None if page is None else room_of(page) for page in pages]
    data: dict[str, Any] = {
        "source": source.name,
        "change": change,
        "rooms": dict(zip(("before", "after"), rooms, strict=True)),
        "in_use": None if in_use is None else in_use.version,
        "moves": change.report.get("moves", {}),
        "lost": change.report.get("lost", []),
        "trees": {"before": Markup(before), "after": Markup(after)},  # noqa: S704 - drawn here, its texts escaped
    }
    return View("change.html", f"{change.shown}: {source.name}", data)


def _find(connection: Connection, source: SourceRow, which: str) -> TemplateChange:
    found = find_change(connection, source, which)
    if found is None:
        raise MissingError(
            "There is no such change; its page may no longer be kept. Changes lists those that are there."
        )
    return found


def accept(call: Call) -> Response:
    """Resolve what was warned of when a change came: it is right as it is now."""
    source = call.source()
    with call.desk.store.writing() as connection:
        change = _find(connection, source, call.text("which"))
        set_warnings(connection, [] if change.warning is None else [change.warning], "resolved")
    return go("sources", source.name, "changes", done="heal-accepted")


def undo(call: Call) -> Response:
    """Put the version before a change in use again, as long as the one that was seen in use still is."""
    source, version, current = call.source(), call.text("version"), call.text("current")
    if not all(each.isdecimal() and len(each) <= LONGEST_VERSION for each in (version, current)):
        raise UsageError("Nothing says which version is meant. Load the page again.")
    go_back(call.desk.store, source.name, int(version), current=int(current))
    return go("sources", source.name, "changes", done="undone")
