"""From what stands in the form of a source to its plan: where runs begin, how records are reached, and when."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import ada_url

from windrow.errors import UsageError
from windrow.harvest.setting_up import Plan, parse_schedule, propose_key, propose_name
from windrow.harvest.settings import Follow, Keep, SourceSettings
from windrow.web.beginnings import find_beginnings
from windrow.web.drafts import WAYS, Draft, lines_of
from windrow.web.pages import SCHEME, full_address

if TYPE_CHECKING:
    from windrow.page import Page
    from windrow.web.screen import Call
    from windrow.web.setup_view import Shown


def is_at(page: Page | None, address: str) -> bool:
    """Whether a page is the one at an address, as it was asked for or as it was led to."""
    return page is not None and _plain(full_address(address)) in {_plain(page.source), _plain(page.url)}


def _plain(url: str) -> str:
    """Return an address as it is asked for, without the place within the page."""
    return ada_url.URL(url).href.partition("#")[0] if ada_url.check_url(url) else url


def addresses_of(text: str, page: Page | None) -> list[str]:
    """Return the addresses that somebody wrote, a line each; relative ones are meant from the page on.

    Patterns such as ``{1..20}`` stay as they are written.
    """
    return [_address_of(line, page) for line in lines_of(text)]


def _address_of(line: str, page: Page | None) -> str:
    if page is None or SCHEME.match(line):
        return full_address(line)
    before, brace, pattern = line.partition("{")
    return full_address((page.resolve(before or ".") or before) + brace + pattern)


def follow_of(draft: Draft) -> Follow:
    """Return how records are reached."""
    lists: Any = {"list": "region", "sitemap": "sitemap", "feed": "feed"}.get(draft.way, "none")
    return Follow(list=lists, next="auto" if draft.next else "none", detail=draft.detail or None)


def start_of(draft: Draft, page: Page | None) -> tuple[str, ...]:
    """Return the addresses that a run begins with; relative ones are meant from the page on."""
    if draft.way == "only":
        return ((page.url if page is not None and is_at(page, draft.address) else "") or full_address(draft.address),)
    found = tuple(addresses_of(draft.addresses, page))
    if not found:
        raise UsageError(f"“{WAYS[draft.way]}” needs addresses. Give at least one, a line each.")
    return found


def plan_of(call: Call, shown: Shown, stored: Draft | None) -> Plan:
    """Return what was chosen; ``stored`` is what the form of a source that is there was filled with.

    Where only the learned page is read, and nobody gave another one, runs begin where they began.
    """
    draft, page = shown.draft, shown.page
    if draft.way == "only" and lines_of(draft.addresses):
        raise UsageError(
            f"Addresses were given, and “{WAYS['only']}” would read none of them. Choose how they are meant, or take "
            "them out."
        )
    before = None if shown.source is None else SourceSettings.from_dict(shown.source.settings)
    schedule = parse_schedule(draft.schedule, None if before is None else before.schedule)
    is_same = stored is not None and (stored.way, stored.address) == ("only", draft.address) == (
        draft.way,
        draft.address,
    )
    labels = draft.labels
    key = tuple(each.strip() for each in draft.key.split(",") if each.strip()) or (propose_key(labels),)
    with call.desk.store.reading() as connection:
        kept = find_beginnings(connection)
    send = lines_of(draft.send)
    return Plan(
        name=draft.name or propose_name(full_address(draft.address)),
        start=before.start if before is not None and is_same else start_of(draft, page),
        follow=follow_of(draft),
        key=key,
        schedule=None if schedule is None else replace(schedule, zone=draft.zone),
        render=page is None or page.rendered,
        allow_private=call.desk.reach.allow_private,
        send=kept.put_back(send) if before is None else tuple(send),
        manners=kept.manners,
        keep=Keep(pages=draft.keep),
    )
