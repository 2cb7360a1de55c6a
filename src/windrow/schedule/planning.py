"""From a schedule, the clocks and what has fired to the next fire of a source.

Cron keeps to the clock on the wall. ``every`` keeps to the steady clock while the machine runs: where the wall clock is
set, its plan moves along; after another start of the machine it keeps to the wall clock.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from windrow.schedule.durations import parse_duration
from windrow.schedule.timetable import Entry, Plan, Timetable
from windrow.schedule.zones import SECOND

if TYPE_CHECKING:
    from windrow.schedule.clock import Reading

TOLERANCE = SECOND
"""What both clocks may differ by before one was set: more than a network's time service corrects without a step."""


def plan_now(entry: Entry, now: Reading, timetable: Timetable) -> Plan:
    """Return the plan that is right now: the one of the entry where nothing has happened to it."""
    plan = entry.plan
    if plan is None or plan.schedule != entry.schedule:
        return _plan_first(entry, now, timetable)
    if not plan.boot or plan.boot != now.boot or now.steady < plan.steady:
        return _plan_again(entry.source, plan, now, timetable)
    shift = (now.wall - plan.wall) - timedelta(seconds=now.steady - plan.steady)
    if abs(shift) <= TOLERANCE:
        return plan
    if plan.schedule.every is None:
        return _plan_again(entry.source, plan, now, timetable)
    return _plan_shifted(entry.source, plan, round(shift / SECOND) * SECOND, now, timetable)


def plan_following(source: str, plan: Plan, now: Reading, timetable: Timetable) -> Plan:
    """Return the plan after one that fires now; whatever was missed until now is part of that fire."""
    start = max(now.wall, plan.due)
    if plan.schedule.every is None:
        return _dated(plan, _first_unclaimed(source, plan, start, timetable), now)
    due = plan.schedule.after(start, source=source, anchor=plan.anchor)
    return _dated(plan, _renamed(source, due, timetable), now)


def _plan_first(entry: Entry, now: Reading, timetable: Timetable) -> Plan:
    schedule, start = entry.schedule, now.wall.replace(microsecond=0)
    anchor, fresh = start, True
    if schedule.every is not None:
        # A changed setting does not begin the count anew.
        fired = timetable.fired(entry.source, start - parse_duration(schedule.every, "every"))
        anchor, fresh = max((due for due in fired if due <= start), default=start), not fired
    due = schedule.after(start, source=entry.source, anchor=None if fresh else anchor)
    plan = Plan(due, schedule, anchor, now.wall, now.steady, now.boot)
    claimed = timetable.fired(entry.source, due)
    return replace(plan, due=_first_unclaimed(entry.source, plan, due, timetable)) if due in claimed else plan


def _plan_again(source: str, plan: Plan, now: Reading, timetable: Timetable) -> Plan:
    """Plan after the wall clock was set or the machine started: an earlier fire where the clock was put back."""
    if plan.due <= now.wall:
        return _dated(plan, plan.due, now)
    return _dated(plan, min(plan.due, _first_unclaimed(source, plan, now.wall, timetable)), now)


def _plan_shifted(source: str, plan: Plan, shift: timedelta, now: Reading, timetable: Timetable) -> Plan:
    """Plan the same moment of the steady clock under its new name on the wall clock."""
    due = _renamed(source, plan.schedule.opened(plan.due + shift), timetable)
    return replace(_dated(plan, due, now), anchor=plan.anchor + shift)


def _renamed(source: str, due: datetime, timetable: Timetable) -> datetime:
    """Return a due time that was never claimed: set back, the wall clock shows the same time at two moments."""
    claimed = set(timetable.fired(source, due))
    while due in claimed:
        due += SECOND
    return due


def _first_unclaimed(source: str, plan: Plan, instant: datetime, timetable: Timetable) -> datetime:
    """Return the first fire after an instant that has not happened, which it may have before the clock was put back."""
    claimed = set(timetable.fired(source, instant))
    due = plan.schedule.after(instant, source=source, anchor=plan.anchor)
    while due in claimed:
        due = plan.schedule.after(due, source=source, anchor=plan.anchor)
    return due


def _dated(plan: Plan, due: datetime, now: Reading) -> Plan:
    return replace(plan, due=due, wall=now.wall, steady=now.steady, boot=now.boot)
