"""The end of a run: whole, and what no page shows any more is gone; or short, with the reason; or held for review."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from windrow.crawl.addresses import learn_ignored
from windrow.harvest.captures import Packed, keep_page
from windrow.harvest.comparison import Stats, choose_baseline, find_falls
from windrow.harvest.healing import DEFERRED, DeferredError
from windrow.harvest.inquiry import LISTS_KEY, count_found
from windrow.harvest.report import Report
from windrow.store.fields import forget_unused
from windrow.store.frontier import forget_former
from windrow.store.moments import now
from windrow.store.outdated import find_outdated
from windrow.store.runs import Counts, end_run, hold, keep_stats
from windrow.store.samples import keys_of_pages
from windrow.store.sources import get_source, ignore_parameters, set_state
from windrow.store.undo import forget_undo, take_back
from windrow.store.warnings import Warned, kinds_of_run, resolve_absent

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from windrow.harvest.progress import RunUnderWay
    from windrow.harvest.report import RunState

UNREADABLE, BUDGET = 3, 5
MOST_ADDRESSES = 5_000
"""Addresses that parameters are learned from."""


class Shortfall(NamedTuple):
    """Why a run is not whole."""

    state: RunState
    sentence: str
    exit_code: int
    warned: Warned | None = None


def finish(run: RunUnderWay) -> Report:
    """End a run that came to the end of its frontier, or of its budget."""
    shortfall = find_shortfall(run)
    falls = [] if run.choices.accept else _find_falls(run)
    with run.store.writing() as connection:
        hold(connection, run.run)
        if falls:
            also = [] if shortfall is None or shortfall.warned is None else [shortfall.warned]
            return _hold_back(run, connection, falls, also)
        if shortfall is not None:
            return _end_short(run, connection, shortfall)
        return _end_whole(run, connection)


def _end_whole(run: RunUnderWay, connection: Connection) -> Report:
    counts = run.counts
    forget_undo(connection, run.run)
    before = Stats.from_dict(None if run.before is None else run.before.stats)
    keep_stats(connection, run.run, {**choose_baseline(run.stats, before).to_dict(), LISTS_KEY: run.tally.lists})
    # What was kept says nothing of what the site is like now.
    if not run.choices.is_offline:
        # A feed shows the latest alone: what left it is not gone.
        counts += run.ledger.remove_unseen(connection, now(), by_page=run.settings.follow.list == "feed")
        forget_former(connection, run.run)
        _learn_parameters(run, connection)
        if run.choices.accept:
            counts += Counts(changed=run.ledger.erase_lacking(connection, now()))
        if run.source.state == "deferred":
            set_state(connection, run.source.id, "active")
    told = _tell_outdated(run, connection, is_held=False)
    run.kinds |= kinds_of_run(connection, run.run.id)
    if not run.choices.is_offline:
        resolve_absent(connection, run.source.id, run.kinds)
    return _end(run, connection, "whole", f"{summary(counts)}{told}", 0, counts)


def _tell_outdated(run: RunUnderWay, connection: Connection, *, is_held: bool) -> str:
    """Tell people of values that are kept though their pages no longer surely show them; return a sentence for it.

    Where a run ``is_held`` for review, perhaps by a warning of the same kind, that warning stays as it is.
    """
    found = find_outdated(connection, run.source.id)
    if found is None:
        return ""
    name, labels = run.source.name, ", ".join(f"{label} ({count:,})" for label, count in found.labels.items())
    who, whose = (
        ("1 record keeps", "its page") if found.records == 1 else (f"{found.records:,} records keep", "their pages")
    )
    text = f"{who} values that {whose} did not surely show when last read: {labels}."
    more = (
        f"One is {found.key[:80]!r}. `windrow export {name}` names such labels as kept. To let them go: "
        f"`windrow harvest {name} --accept`."
    )
    if not is_held:
        warned = Warned("missing", "warning", f"{text} {more}", found.url, found.records, is_total=True)
        run.warn(warned, connection)
    return f" {text}"


def _learn_parameters(run: RunUnderWay, connection: Connection) -> None:
    """Learn from two addresses with one record which of their parameters do not matter, such as those of sessions."""
    if run.ledger.twins and not run.reader.reads_lists:
        known = frozenset(run.source.ignored or ())
        found = learn_ignored(keys_of_pages(connection, run.ledger, MOST_ADDRESSES))
        if not found <= known:
            ignore_parameters(connection, run.source.id, known | found)


def defer(run: RunUnderWay, error: DeferredError) -> Report:
    """End a run of a source that is not as it was learned; nothing more is stored until a person has looked."""
    state: RunState = "deferred" if error.exit_code == DEFERRED else "failed"
    shortfall = Shortfall(state, error.warned.text, error.exit_code, error.warned)
    packed = None if error.page is None else Packed.of(error.page)
    with run.store.writing() as connection:
        if packed is not None:
            keep_page(run, connection, "refused", packed)
        return _end_short(run, connection, shortfall)


def _end_short(run: RunUnderWay, connection: Connection, shortfall: Shortfall) -> Report:
    if shortfall.warned is not None:
        run.warn(shortfall.warned, connection)
    if shortfall.state == "deferred":
        _set_deferred(run, connection, shortfall.sentence)
    run.ledger.claims.drop(connection)
    told = _tell_outdated(run, connection, is_held=run.source.state == "deferred")
    sentence = f"{shortfall.sentence}{told}"
    return _end(run, connection, shortfall.state, sentence, shortfall.exit_code, run.counts)


def _set_deferred(run: RunUnderWay, connection: Connection, reason: str) -> None:
    """Say that a source waits for a person; one that was paused, were it since the run began, stays so."""
    if get_source(connection, run.source.name).state != "paused":
        set_state(connection, run.source.id, "deferred", reason)


def _end(  # noqa: PLR0913, PLR0917 - all that is said of an end
    run: RunUnderWay, connection: Connection, state: RunState, sentence: str, exit_code: int, counts: Counts
) -> Report:
    end_run(connection, run.run, state, counts, sentence)
    return Report(run.source.name, run.run.id, state, sentence, exit_code, counts, run.warned)


def find_shortfall(run: RunUnderWay) -> Shortfall | None:  # noqa: PLR0911 - one for each reason, the gravest first
    """Return why a run is not whole; None where it is."""
    counts, before = run.counts, 0 if run.before is None else int(run.before.counts.get("records", 0))
    if run.is_cut:
        return _budget(run)
    if run.tally.missed and not run.tally.read and not counts.not_modified and not counts.records:
        error = run.last_error
        sentence = "Nothing could be fetched." if error is None else str(error)
        return Shortfall("failed", sentence, UNREADABLE if error is None else error.exit_code)
    if counts.records == 0 and run.keyless:
        key = ", ".join(run.settings.read.key)
        text = f"{run.keyless:,} records were found, but none has the key ({key}), so none was stored. Choose another: "
        text += f"`windrow source set {run.source.name} read.key=LABEL`; the labels are: {', '.join(run.labels)}."
        return Shortfall("deferred", text, DEFERRED, Warned("key", "error", text))
    is_quiet = _is_quiet_feed(run)
    if counts.records == 0 and not is_quiet:
        were = f", where there were {before:,}" if before else ""
        text = f"No record was found{were}. Nothing was removed. Look at the pages, or learn them anew."
        return Shortfall("deferred", text, DEFERRED, Warned("empty", "error", text))
    # Of some pages none may have been kept.
    takes_all = run.choices.accept or run.choices.is_offline or is_quiet
    if counts.records < run.settings.warn.fewer * before and not takes_all:
        return _fewer(run, before)
    if misfits := run.tally.misfits + run.tally.emptied:
        pages = "1 page did" if misfits == 1 else f"{misfits} pages did"
        return Shortfall("partial", f"{pages} not fit, and nothing was removed. {summary(counts)}", DEFERRED)
    if not run.choices.accept and (shortfall := _find_more(run)):
        return shortfall
    if run.tally.missed:
        pages = "1 page" if run.tally.missed == 1 else f"{run.tally.missed} pages"
        sentence = f"{pages} could not be had, so nothing was removed. {summary(counts)}"
        return Shortfall("partial", sentence, UNREADABLE)
    return None


def _budget(run: RunUnderWay) -> Shortfall:
    is_asked = run.choices.pages is not None
    text = f"Stopped after {run.counts.pages} pages, as {'asked' if is_asked else 'follow.pages says'}."
    warned = None if is_asked else Warned("limit", "warning", f"{text} Raise follow.pages to read on.")
    return Shortfall("partial", f"{text} {summary(run.counts)}", BUDGET, warned)


def _fewer(run: RunUnderWay, before: int) -> Shortfall:
    text = (
        f"Only {run.counts.records:,} records were found, where there were {before:,}. What was read is stored, "
        f"nothing was removed. If that is right: `windrow harvest {run.source.name} --accept`."
    )
    return Shortfall("deferred", text, DEFERRED, Warned("fewer", "error", text))


def _is_quiet_feed(run: RunUnderWay) -> bool:
    """Whether feeds that were read before list nothing at the moment, which is ordinary."""
    tally, has_led = run.tally, run.counts.pages > run.starts
    return run.settings.follow.list == "feed" and run.before is not None and not (has_led or tally.missed)


def _find_more(run: RunUnderWay) -> Shortfall | None:
    """Return that a list may go on, by what was asked for before records would be removed."""
    if found := count_found(run):
        what = "1 record is" if found == 1 else f"{found:,} records are"
    elif undecided := run.tally.undecided:
        what = "1 page is" if undecided == 1 else f"{undecided:,} pages are"
    else:
        return None
    text = (
        f"A list ends earlier than it did, or leads elsewhere, but of what was behind it {what} still there. "
        "Nothing was removed. See whether its link to the next page is broken; if the list is right as it is: "
        f"`windrow harvest {run.source.name} --accept`."
    )
    return Shortfall("partial", f"{text} {summary(run.counts)}", DEFERRED, Warned("fewer", "warning", text))


def _find_falls(run: RunUnderWay) -> list[Warned]:
    if run.before is None:
        return []
    before, wrapper = Stats.from_dict(run.before.stats), run.reader.wrapper
    labels = list(before.filled) if wrapper is None else wrapper.labels
    return find_falls(run.stats, before, labels, run.settings.warn.fall)


def _hold_back(run: RunUnderWay, connection: Connection, falls: list[Warned], also: list[Warned]) -> Report:
    """Take a run back that can't be believed, and hold what it would have changed for a person to look at."""
    held = take_back(connection, run.run)
    wanted = () if run.reader.wrapper is None else run.reader.wrapper.labels
    run.ledger.has_new_fields |= forget_unused(connection, run.source.id, wanted)
    name = run.source.name
    text = (
        f"{' '.join(warned.text for warned in falls)} What this run would have changed, of {held} records, is held for "
        f"review and not stored. See `windrow diff {name} --held`; take it with `windrow harvest {name} --accept`."
    )
    for warned in (*(replace(warned, text=text) for warned in falls), *also):
        run.warn(warned, connection)
    _set_deferred(run, connection, text)
    counts = Counts(run.counts.pages, run.counts.not_modified, run.counts.failed, requests=run.counts.requests)
    return _end(run, connection, "deferred", text, DEFERRED, counts)


def summary(counts: Counts) -> str:
    """Return what was stored, in a line."""
    changes = {
        "added": counts.added,
        "changed": counts.changed,
        "removed": counts.removed,
        "returned": counts.returned,
    }
    said = ", ".join(f"{number:,} {what}" for what, number in changes.items() if number)
    return f"{counts.records:,} records from {counts.pages:,} pages: {said or 'nothing changed'}."
