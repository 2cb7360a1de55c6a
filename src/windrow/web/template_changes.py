"""Changes of a source's template: versions of its wrapper, and pages that were refused, each with what was before."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from windrow.harvest.captures import read_capture
from windrow.store.captures import list_captures
from windrow.store.moments import shown
from windrow.store.sources import find_wrapper, list_wrappers
from windrow.store.warnings import last_moments, list_warnings
from windrow.wrapper import Wrapper
from windrow.wrapper.portrait import portray, portray_learned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.engine import Connection

    from windrow.page import Page
    from windrow.store.captures import Capture
    from windrow.store.sources import SourceRow, WrapperRow

BEFORE, AFTER = "Bar-tree before", "Bar-tree after"
KINDS = {
    "heal": "Healed",
    "back": "Gone back",
    "person": "Learned anew",
    "refused": "Refused",
    "warned": "Warned",
}
WARNED = frozenset({"template", "gone", "blocked"})
"""Warnings that stand for a change of which no page was kept."""


@dataclass(frozen=True)
class TemplateChange:
    """Something that happened to the template of a source, or to what reads it."""

    which: str
    """What finds it again: ``v2`` for a version, ``c7`` for a refused page, ``w3`` for a warning."""
    kind: str
    shown: str
    at: str | None
    sentence: str
    before: int | None
    """The version of the wrapper before."""
    after: int | None = None
    """The version since, where there is one."""
    capture_before: int | None = None
    capture_after: int | None = None
    run: int | None = None
    warning: int | None = None
    """The warning that tells of it, as long as nobody has seen to it."""
    report: Mapping[str, Any] = field(default_factory=dict)


def list_changes(connection: Connection, source: SourceRow) -> list[TemplateChange]:
    """Return the changes of a source, newest first."""
    versions, captures = list_wrappers(connection, source.id), list_captures(connection, source.id)
    warnings = [each for each in list_warnings(connection, "all", source.id) if each["kind"] in {"healed", *WARNED}]
    alive = {each["kind"]: each["id"] for each in warnings if each["state"] != "resolved"}
    pages = _pages_of_versions(captures)
    # By the moments as they are stored: those that are shown are cut to the second.
    found = [(new.made_at, _of_version(old, new, pages, alive)) for old, new in pairwise(versions)]
    refused = [each for each in captures if each.kind == "refused"]
    found += [(each.at, _of_refused(each, pages, warnings)) for each in refused]
    runs = {each.run for each in refused}
    told = [each for each in warnings if each["kind"] in WARNED and each["run"] not in runs]
    moments = last_moments(connection, source.id)
    found += [(moments[each["id"]], _of_warning(each, versions)) for each in told]
    return [change for _, change in sorted(found, key=itemgetter(0), reverse=True)]


def find_change(connection: Connection, source: SourceRow, which: str) -> TemplateChange | None:
    """Return a change by what finds it; ``w3`` finds the one that the warning tells of, whatever else finds that."""
    changes = list_changes(connection, source)
    found = next((each for each in changes if each.which == which), None)
    if found is not None or not which.startswith("w"):
        return found
    warning = next((each for each in list_warnings(connection, "all", source.id) if f"w{each['id']}" == which), None)
    return None if warning is None else _told_by(changes, warning)


def _told_by(changes: list[TemplateChange], warning: Mapping[str, Any]) -> TemplateChange | None:
    """Return the newest change of the run that a warning came with; one whose run is not known came before it."""
    kind, run, at = "heal" if warning["kind"] == "healed" else "refused", warning["run"], warning["at"]
    alike = (each for each in changes if each.kind == kind)
    return next((each for each in alike if each.run == run or (each.run is None and (each.at or "") <= at)), None)


def _pages_of_versions(captures: list[Capture]) -> dict[int, Capture]:
    """Return the page of each version; the newest where there are several."""
    return {each.wrapper_version: each for each in reversed(captures) if each.kind != "refused"}


def _of_version(
    old: WrapperRow, new: WrapperRow, pages: Mapping[int, Capture], alive: Mapping[str, int]
) -> TemplateChange:
    report = new.report or {}
    kind = "back" if "back_to" in report else new.made_by if new.made_by in KINDS else "person"
    sentence = str(report.get("sentence", ""))
    if kind == "back":
        sentence = f"Version {report['back_to']} is in use again, as version {new.version}."
    before, after = pages.get(old.version), pages.get(new.version)
    return TemplateChange(
        f"v{new.version}",
        kind,
        KINDS[kind],
        shown(new.made_at),
        sentence,
        old.version,
        new.version,
        None if before is None else before.id,
        None if after is None else after.id,
        None if after is None else after.run,
        alive.get("healed") if kind == "heal" else None,
        report,
    )


def _of_refused(capture: Capture, pages: Mapping[int, Capture], warnings: list[dict[str, Any]]) -> TemplateChange:
    told = next((each for each in warnings if each["run"] == capture.run and each["kind"] != "healed"), None)
    before = pages.get(capture.wrapper_version)
    return TemplateChange(
        f"c{capture.id}",
        "refused",
        KINDS["refused"],
        shown(capture.at),
        "" if told is None else told["text"],
        capture.wrapper_version,
        None,
        None if before is None else before.id,
        capture.id,
        capture.run,
        None if told is None or told["state"] == "resolved" else told["id"],
    )


def _of_warning(warning: dict[str, Any], versions: list[WrapperRow]) -> TemplateChange:
    return TemplateChange(
        f"w{warning['id']}",
        "warned",
        KINDS["warned"],
        warning["at"],
        warning["text"],
        versions[-1].version if versions else None,
        run=warning["run"],
        warning=warning["id"] if warning["state"] != "resolved" else None,
    )


def read_pages(connection: Connection, source: SourceRow, change: TemplateChange) -> tuple[Page | None, Page | None]:
    """Return the pages before and after a change, as far as they were kept."""
    numbers = change.capture_before, change.capture_after
    before, after = (None if each is None else read_capture(connection, source.id, each) for each in numbers)
    return before, after


def draw_trees(
    connection: Connection, source: SourceRow, change: TemplateChange, pages: tuple[Page | None, Page | None]
) -> tuple[str, str]:
    """Return the bar-trees before and after a change as SVG; empty where there is nothing to draw."""
    old, new = _wrapper(connection, source, change.before), _wrapper(connection, source, change.after)
    before = None if old is None else portray_learned(old, pages[0])
    after = None if new is None else portray_learned(new, pages[1])
    if new is None and old is not None and pages[1] is not None:
        after = portray(old, pages[1])
    return (
        "" if before is None else before.to_svg(BEFORE, after),
        "" if after is None else after.to_svg(AFTER, before),
    )


def _wrapper(connection: Connection, source: SourceRow, version: int | None) -> Wrapper | None:
    row = None if version is None else find_wrapper(connection, source.id, version)
    return None if row is None else Wrapper.from_json(row.body)


def newest_trees(connection: Connection, source: SourceRow, page: Page | None) -> tuple[str, str]:
    """Return the bar-tree that was learned and that of the last page that was kept, as SVG."""
    versions, captures = list_wrappers(connection, source.id), list_captures(connection, source.id)
    if not versions:
        return "", ""
    wrapper = Wrapper.from_json(versions[-1].body)
    home = _pages_of_versions(captures).get(versions[-1].version)
    learned = portray_learned(wrapper, None if home is None else read_capture(connection, source.id, home.id))
    last = None if page is None else portray(wrapper, page)
    drawn = "" if last is None else last.to_svg("Bar-tree of the last page that was kept", learned)
    return learned.to_svg("Bar-tree as it was learned", last), drawn
