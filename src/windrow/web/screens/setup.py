"""Setting a source up, and changing one: one form in steps, whose state is the form itself."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from windrow.crawl.patterns import expand
from windrow.errors import StaleError, UsageError, WindrowError
from windrow.harvest.setting_up import MOST_TRIED, SAMPLES, find_samples, propose_name, try_pages
from windrow.harvest.settings import SourceSettings
from windrow.harvest.sources import check_settings, save
from windrow.harvest.toml import parse_toml, to_toml
from windrow.page import Page
from windrow.pagefile import bytes_to_parts
from windrow.store.captures import find_capture, list_captures
from windrow.store.sources import find_source, find_wrapper
from windrow.store.warnings import list_warnings
from windrow.web.beginnings import find_beginnings
from windrow.web.drafts import Draft, FieldDraft, form_to_draft, lines_of, source_to_draft
from windrow.web.lessons import (
    learn_draft,
    take_list,
)
from windrow.web.pages import load_page
from windrow.web.plans import addresses_of, follow_of, is_at, plan_of, start_of
from windrow.web.problems import sentence_of, status_of
from windrow.web.redrawing import with_picture
from windrow.web.screen import go, json_response, to_number
from windrow.web.setup_view import Shown, describe_runs, show_form
from windrow.web.trust import trusted
from windrow.wrapper import Wrapper

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.engine import Connection
    from starlette.responses import Response

    from windrow.store.sources import SourceRow
    from windrow.web.screen import Call, View


def begin(call: Call) -> View:
    """Show an empty form, or one for an address that somebody read."""
    with call.desk.store.reading() as connection:
        kept = find_beginnings(connection).public
    draft = Draft(
        address=call.query("address"),
        page=call.query("page"),
        send="\n".join(kept.send),
    )
    shown = Shown(draft, page=call.desk.shelf.find(draft.page))
    if shown.page is not None and (number := to_number(call.query("list"))) is not None:
        shown.draft = take_list(draft, shown.page, number - 1)
    return show_form(call, shown)


def edit(call: Call) -> View:
    """Show the form with what is stored of a source, and the page that it was learned from."""
    source = call.source()
    shown = Shown(Draft(), source)
    shown.draft = stored_draft(call, source)
    captured = captured_page(call, source)
    if captured is not None:
        shown.page = with_picture(call, captured)
        shown.draft = replace(shown.draft, page=call.desk.shelf.put(shown.page))
    shown.warning = warning_of(call, source, call.query("warning"))
    if shown.warning is not None:
        shown.focus = where_to_begin(shown.draft, shown.warning)
    return show_form(call, shown)


def warning_of(call: Call, source: SourceRow, number: str) -> dict[str, Any] | None:
    """Return the warning of a source that led to its form; None where none did."""
    if not number:
        return None
    with call.desk.store.reading() as connection:
        warnings = list_warnings(connection, "all", source.id)
    return next((each for each in warnings if str(each["id"]) == number), None)


def where_to_begin(draft: Draft, warning: Mapping[str, Any]) -> str:
    """Return the control that mends what a warning says: the field that it names, or the address."""
    labels = {each.label: number for number, each in enumerate(draft.fields, 1) if each.label}
    named = (n for label, n in labels.items() if re.search(rf"(?<!\w){re.escape(label)}(?!\w)", warning["text"]))
    other = "address" if warning["kind"] == "gone" else "text-1"
    return next((f"text-{number}" for number in named), other)


def stored_draft(call: Call, source: SourceRow) -> Draft:
    """Return what is stored of a source as a draft."""
    with call.desk.store.reading() as connection:
        kept = find_wrapper(connection, source.id)
    wrapper = None if kept is None else Wrapper.from_json(kept.body)
    toml = to_toml([SourceSettings.from_dict(source.settings)])
    return source_to_draft(source, wrapper, 0 if kept is None else kept.version, toml)


def captured_page(call: Call, source: SourceRow) -> Page | None:
    """Return the newest page that something was learned from, or that was refused."""
    with call.desk.store.reading() as connection:
        captures = list_captures(connection, source.id)
        content = find_capture(connection, source.id, captures[0].id) if captures else None
    return None if content is None else Page(**bytes_to_parts(content))


def work_new(call: Call) -> View | Response:
    """Do what a button of the form for a new source asks for."""
    return work(call, None)


def work_edit(call: Call) -> View | Response:
    """Do what a button of the form of a source asks for."""
    source = call.source()
    return work(call, source, warning_of(call, source, call.text("warning")))


def work(call: Call, source: SourceRow | None, warning: Mapping[str, Any] | None = None) -> View | Response:
    """Do what a button asks for; whatever goes wrong, the form stays filled in."""
    shown = Shown(form_to_draft(call), source, warning=warning)
    task = call.text("do")
    try:
        shown.page = call.desk.shelf.find(shown.draft.page)
        return _do(call, shown, task) or show_form(call, shown)
    except StaleError as error:
        shown.error, shown.status, shown.current = str(error), status_of(error), str(error.current or "")
    except WindrowError as error:
        shown.error, shown.status = sentence_of(error), status_of(error)
    return show_form(call, shown)


def _do(call: Call, shown: Shown, task: str) -> Response | None:
    draft = shown.draft
    what, _, number = task.partition("-")
    if what == "load" or (what == "" and not is_at(shown.page, draft.address)):
        load(call, shown)
    elif what == "toml":
        return save_toml(call, shown)
    elif what == "add":
        shown.draft = replace(draft, fields=(*draft.fields, FieldDraft()))
        shown.focus = f"label-{len(draft.fields) + 1}"
    elif what == "drop":
        left = tuple(each for place, each in enumerate(draft.fields, 1) if str(place) != number)
        shown.draft = replace(draft, fields=left or (FieldDraft(),))
    elif what == "list":
        page = need_page(call, shown)
        shown.draft = take_list(shown.draft, page, (to_number(number) or 0) - 1)
        shown.wrapper = learn_draft(call, shown.draft, page)
    elif what == "single":
        shown.draft = replace(draft, rows=False)
    elif what == "try":
        try_others(call, shown)
    elif what == "save":
        return save_source(call, shown)
    elif what != "runs":
        page = need_page(call, shown)
        shown.wrapper = learn_draft(call, shown.draft, page)
    return None


def load(call: Call, shown: Shown) -> None:
    """Load the page of the address; what was filled in stays."""
    page = load_page(call, shown.draft.address)
    shown.page = page
    name = shown.draft.name or ("" if shown.source else propose_name(page.url or page.source))
    shown.draft = replace(shown.draft, page=call.desk.shelf.put(page), name=name)


def need_page(call: Call, shown: Shown) -> Page:
    """Return the page of the form, loaded where it is no more at hand, or where another address was given since."""
    if not is_at(shown.page, shown.draft.address):
        load(call, shown)
    assert shown.page is not None  # noqa: S101 - it was loaded or raised
    return shown.page


def try_others(call: Call, shown: Shown) -> None:
    """Learn, and read other pages by what was learned."""
    page, draft = need_page(call, shown), shown.draft
    shown.wrapper = learn_draft(call, draft, page)
    with call.desk.loading() as loader:
        urls = [url for each in addresses_of(draft.tries, page) for url in expand(each)]
        if not urls:
            if draft.way == "only":
                raise UsageError("Name other pages to try, an address a line, or choose above how they are reached.")
            call.desk.count_loads(call.who, 1)
            urls = find_samples(loader, follow_of(draft), start_of(draft, page), render=page.rendered, most=SAMPLES)
        urls = [*dict.fromkeys([*(each.url for each in draft.corrections), *urls])][:MOST_TRIED]
        call.desk.count_loads(call.who, len(urls))
        shown.tried = tuple(try_pages(loader, shown.wrapper, urls, render=page.rendered))


def save_source(call: Call, shown: Shown) -> Response:
    """Keep the source with its wrapper and its page, and lead to it."""
    source = shown.source
    stored = None if source is None else stored_draft(call, source)
    learned = None
    if stored is None or not is_as_learned(stored, shown.draft):
        page = need_page(call, shown)
        learned = learn_draft(call, shown.draft, page)
    plan = plan_of(call, shown, stored)
    if source is None:
        settings, before = plan.to_settings(), None
        with call.desk.store.reading() as connection:
            if find_source(connection, plan.name) is not None:
                raise UsageError(f"There is a source {plan.name} already. Give this one another name.")
    else:
        before = SourceSettings.from_dict(source.settings)
        settings = plan.change(before)
    settings = trusted(settings, before, allow_private=call.desk.reach.allow_private)
    check_settings(settings)
    if learned is not None:
        learned = replace(learned, name=settings.name)

    return keep(call, shown, settings, learned)


def keep(call: Call, shown: Shown, settings: SourceSettings, learned: Wrapper | None) -> Response:
    """Keep settings and what was learned unless the form is out of date, and lead to the source.

    Where that was to be found out, its screen begins with whether pages are read with a browser.
    """

    def check(connection: Connection) -> None:
        check_version(connection, shown)

    said: list[str] = []
    save(call.desk.store, settings, learned, say=said.append, page=shown.page, check=check)
    if not said:
        return go("sources", settings.name, done="saved")
    render = SourceSettings.from_dict(call.source(settings.name).settings).network.render
    return go("sources", settings.name, done="with-browser" if render else "without-browser")


def is_as_learned(stored: Draft, draft: Draft) -> bool:
    """Whether nothing of what is learned from was changed, so that the wrapper stays as it is, healed or not."""
    before, now = (
        (
            [replace(each, text="", at="") for each in some.filled],
            [each.texts for each in some.filled],
            [(each.url, each.values) for each in some.corrections],
            (some.address, some.rows, lines_of(some.region)),
        )
        for some in (stored, draft)
    )
    return before == now and not draft.region_at and not any(each.at for each in draft.filled)


def check_version(connection: Connection, shown: Shown) -> None:
    """Refuse a form that is out of date."""
    if shown.source is None:
        if find_source(connection, shown.draft.name) is not None:
            raise UsageError(f"There is a source {shown.draft.name} already. Give this one another name.")
        return
    current = find_source(connection, shown.source.name)
    kept = None if current is None else find_wrapper(connection, current.id)
    version = "" if current is None else f"{current.version}.{0 if kept is None else kept.version}"
    if version != shown.draft.version:
        now = "" if current is None else to_toml([SourceSettings.from_dict(current.settings)])
        raise StaleError(
            f"{shown.source.name} was changed since this form was opened, so nothing was saved. Below is what it is "
            "now; what you filled in is still in the form. Open the source again to change it.",
            now,
        )


def save_toml(call: Call, shown: Shown) -> Response:
    """Keep settings that were written as TOML."""
    if shown.source is None:
        raise UsageError("Only a source that is there has settings as TOML. Save it first.")
    sources, collections = parse_toml(shown.draft.toml)
    if len(sources) != 1 or collections or sources[0].name != shown.source.name:
        raise UsageError(f"Write the settings of this source alone, under [source.{shown.source.name}].")
    settings, before = sources[0], SourceSettings.from_dict(shown.source.settings)
    settings = trusted(settings, before, allow_private=call.desk.reach.allow_private)
    check_settings(settings)
    return keep(call, shown, settings, None)


def show_runs(call: Call) -> Response:
    """Give the next runs of a schedule, for the form to show while one writes."""
    draft = Draft(schedule=call.query("schedule"), zone=call.query("zone") or "UTC", name=call.query("name"))
    return json_response(describe_runs(call, draft))
