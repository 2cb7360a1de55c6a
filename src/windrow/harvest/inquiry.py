"""Before records are removed: whether the lists surely ended where they seem to, asked of the pages themselves.

A list whose next link broke looks like one that became shorter. So a page that a list led to, and no longer does, is
asked for all the same: first those that a list ended before, then those that it turned away from. Where they show
nothing more, and the list does not end within a page, some of the records that nothing leads to any more are asked for,
too. Where any of them is still there, or new ones are found, or a page is there and shows neither records nor that it
is gone, the list is not surely at its end, and nothing is removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from windrow.harvest.settings import SourceSettings
from windrow.store import frontier
from windrow.store.absence import count_absent, sample_absent
from windrow.store.frontier import ENDED, TURNED
from windrow.store.runs import hold
from windrow.store.sources import find_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.engine import Connection

    from windrow.harvest.progress import RunUnderWay
    from windrow.store.frontier import Entry

MOST_ASKED = 5
"""Pages of records that are asked for: where a list broke off, nearly all of them are still there."""
LISTINGS = frozenset({"list", "sitemap"})
"""The roles of pages that lead to all records there are; a feed leads to the latest."""
LISTS_KEY = "lists"
"""The key of the number of lists that led to records, in what is kept of a run."""
Link = tuple[str, str, int]
"""A role, an address as it was found, and how far from the start it is."""


class Former(NamedTuple):
    """What a page led to when it was read last, and leads to no more."""

    links: tuple[Link, ...] = ()
    """Pages of lists, in the role of those that wait."""
    is_open: bool = False
    """Whether the list ends where it did not, and as if it went on: with a full page, or with its tail missing."""


def find_former(entry: Entry, found: Sequence[Link], *, is_unfolded: bool) -> Former:
    """Compare where a list leads now with where it led to before.

    ``is_unfolded`` are lists on one page, of which a browser shows more and more.
    """
    before = [(role.rpartition(" ")[2], url, int(depth)) for role, url, depth in entry.links or ()]
    lists = [link for link in before if link[0] in LISTINGS]
    now = {url for _, url, _ in found}
    were = [url for role, url, _ in before if role == "detail"]
    size = sum(role == "detail" for role, *_ in found)
    if is_unfolded:
        still = [place for place, url in enumerate(were) if url in now]
        return Former(is_open=bool(still) and size < len(were) and still[-1] + 1 == len(still))
    lost = [link for link in lists if link[1] not in now]
    is_ended = bool(lost) and not any(role in LISTINGS for role, *_ in found)
    waiting = ENDED if is_ended and entry.role == "list" else TURNED
    return Former(tuple((waiting + role, url, depth) for role, url, depth in lost), is_ended and size >= len(were))


def asks_on(run: RunUnderWay) -> bool:
    """Put pages into the frontier that are asked for before records are removed; return whether there are any."""
    tally = run.tally
    if run.choices.accept or run.choices.is_offline or run.settings.follow.list == "feed" or tally.has_asked_records:
        return False
    if run.is_cut or tally.misfits or tally.emptied or tally.missed or tally.undecided:
        return False  # nothing is removed anyway
    with run.store.writing() as connection:
        hold(connection, run.run)
        absent = count_absent(connection, run.run)
        if not absent or _are_ways_new(run, connection) or (tally.asked and _count_found(run, connection)):
            return False
        if not tally.asked:
            tally.asked, tally.added_before = absent, _count_added(run)
        woken = frontier.wake(connection, run.run, ENDED) or frontier.wake(connection, run.run, TURNED)
        if not woken:
            tally.has_asked_records = True
            if _is_in_doubt(run) and not run.reader.reads_lists:
                leads = sample_absent(connection, run.run, MOST_ASKED)
                woken = frontier.enqueue(connection, run.run, leads)
        run.keep_stats(connection)
    return woken > 0


def _are_ways_new(run: RunUnderWay, connection: Connection) -> bool:
    """Whether a person has changed what leads to records since the last whole run."""
    if run.before is None:
        return False
    then = find_settings(connection, run.source.id, run.before.settings_version)
    return SourceSettings.from_dict(then).ways != run.settings.ways


def _is_in_doubt(run: RunUnderWay) -> bool:
    """Whether lists may go on, though none of the pages that they led to shows more."""
    tally = run.tally
    stats = None if run.before is None else run.before.stats
    are_fewer = tally.lists < int((stats or {}).get(LISTS_KEY, 0))
    return bool(tally.open_ends or tally.turned or (are_fewer and not tally.ends))


def count_found(run: RunUnderWay) -> int:
    """Return how many records are still there, or new, that no list leads to any more, as far as was asked for."""
    if not run.tally.asked:
        return 0
    with run.store.reading() as connection:
        return _count_found(run, connection)


def _count_found(run: RunUnderWay, connection: Connection) -> int:
    new = _count_added(run) - run.tally.added_before
    return run.tally.asked - count_absent(connection, run.run) + new


def _count_added(run: RunUnderWay) -> int:
    return run.counts.added + run.counts.returned
