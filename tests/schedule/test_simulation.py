"""Thirty days in which clocks are changed and set, the machine sleeps and starts again, and the process is killed."""

from __future__ import annotations

import bisect
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from calendar_oracle import expected_fires, utc
from memory import Killed, Machine, MemoryTimetable

from windrow.schedule import Schedule, Scheduler

if TYPE_CHECKING:
    from collections.abc import Callable

DAYS = 30
LOOK = 31.0
"""Within so many idle seconds a fire must have been noticed."""
STARTS = {"Europe/Berlin": "2027-10-15", "America/New_York": "2027-03-01", "Australia/Lord_Howe": "2027-03-20"}
PARTS: dict[str, tuple[range | set[int], range | set[int]]] = {
    "night": ({30}, {2}),
    "steps": ({0}, set(range(0, 24, 2))),
    "often": ({0, 30}, range(24)),
    "skips": ({10}, set(range(0, 24, 3))),
}
EVERY = timedelta(minutes=50)


@dataclass(frozen=True)
class Call:
    source: str
    due: datetime
    begun: float
    wall: datetime
    ended: float


def make_schedules(zone: str) -> dict[str, Schedule]:
    return {
        "night": Schedule(cron="30 2 * * *", zone=zone),
        "steps": Schedule(cron="0 */2 * * *", zone=zone, jitter="5 min"),
        "often": Schedule(cron="*/30 * * * *", zone=zone),
        "skips": Schedule(cron="10 */3 * * *", zone=zone, missed="skip"),
        "every": Schedule(every="50 min"),
    }


def simulate(zone: str, seed: int) -> tuple[list[Call], Machine, list[float]]:
    chance = random.Random(seed)  # noqa: S311 - a simulation
    machine = Machine(utc(f"{STARTS[zone]}T00:00"))
    moment = 3600.0
    while moment < (DAYS - 1) * 86_400:
        step = float(chance.choice([-7200, -3600, -1800, -40, 40, 1800, 3600, 7200]))
        happens: list[Callable[[Machine], None]] = [
            partial(Machine.set_wall, seconds=step),
            partial(Machine.sleep, seconds=chance.uniform(60, 30_000)),
            Machine.die,
        ]
        machine.events.append((moment, chance.choice(happens)))
        moment += chance.uniform(1200, 80_000)
    timetable = MemoryTimetable(**make_schedules(zone))
    calls: list[Call] = []
    downs: list[float] = []

    def work(source: str, due: datetime) -> None:
        timetable.under_way.add(source)
        begun, wall = machine.true, machine.wall()
        try:
            machine.spend(chance.choice([1] * 9 + [20] * 8 + [300, 2400, 9000]))
        finally:
            timetable.under_way.discard(source)
            calls.append(Call(source, due, begun, wall, machine.true))

    end = machine.start + timedelta(days=DAYS)
    while machine.wall() < end:
        try:
            Scheduler(timetable, work, machine).run(until=end)
        except Killed:
            downs.append(machine.true)
            machine.true += chance.choice([0.0, 1.0, 4000.0, 50_000.0])
            # A clock that is set before the machine starts again is all that the next start knows of.
            if chance.random() < 0.5 and machine.idle[-1][0] > max((moment for moment, _ in machine.steps), default=0):
                machine.reboot()
    return calls, machine, downs


def idle_until(machine: Machine, moment: float) -> float:
    """Return when the scheduler has waited long enough since a moment to have looked at the clocks."""
    left, at = LOOK, bisect.bisect_left([ended for _, ended in machine.idle], moment)
    for begun, ended in machine.idle[at:]:
        left -= ended - max(begun, moment)
        if left <= 0:
            return ended
    return float("inf")


def find_crossings(machine: Machine, due: datetime) -> list[tuple[float, bool]]:
    """Return when the wall clock came to show a time, and whether it did so by itself."""
    steps = [(0.0, 0.0), *machine.steps, (machine.true, machine.offset)]
    target, before, found = (due - machine.start).total_seconds(), float("-inf"), []
    for (begun, offset), (ended, _) in pairwise(steps):
        if before < target <= ended + offset:
            found.append((max(begun, target - offset), target - offset > begun))
        before = ended + offset
    return found


def offset_at(machine: Machine, moment: float) -> float:
    return next((offset for begun, offset in reversed(machine.steps) if begun <= moment), 0.0)


@pytest.fixture(scope="module", params=[(zone, seed) for zone in STARTS for seed in (1, 2)], ids=str)
def thirty_days(request: pytest.FixtureRequest) -> tuple[str, list[Call], Machine, list[float]]:
    zone, seed = request.param
    return zone, *simulate(zone, seed)


def test_no_fire_is_lost_doubled_or_overlapping(thirty_days: tuple[str, list[Call], Machine, list[float]]) -> None:
    zone, calls, machine, downs = thirty_days
    assert len(machine.steps) >= 3
    assert machine.boots >= 1
    assert len(downs) >= 3
    for earlier, later in pairwise(calls):
        assert earlier.ended <= later.begun
    fires = [(call.source, call.due) for call in calls]
    assert len(set(fires)) == len(fires)
    for source, parts in PARTS.items():
        mine = [call for call in calls if call.source == source]
        expected = expected_fires(zone, machine.start - timedelta(days=1), DAYS + 3, parts)
        delay = timedelta(minutes=5 if source == "steps" else 0)
        fires_of = make_schedules(zone)[source].after
        delayed = [fires_of(base - timedelta(microseconds=1), source=source) for base in expected]
        assert all(base <= fire <= base + delay for base, fire in zip(expected, delayed, strict=True))
        assert {call.due for call in mine} <= set(delayed)
        assert all(call.wall >= call.due for call in mine)
        if source != "skips":
            check_none_lost(machine, mine, delayed)


def check_none_lost(machine: Machine, calls: list[Call], expected: list[datetime]) -> None:
    counted = 0
    for due in filter(machine.start.__lt__, expected):
        for moment, _ in find_crossings(machine, due):
            noticed = idle_until(machine, moment)
            if (
                noticed == float("inf")
                or machine.start + timedelta(seconds=noticed + offset_at(machine, noticed)) < due
            ):
                continue
            counted += 1
            calls_for = [call for call in calls if call.due <= due]
            before = [call for call in calls_for if call.begun < moment and due <= call.wall]
            after = [call for call in calls_for if moment - 0.001 <= call.begun <= noticed]
            assert before or after, (due, moment)
    assert counted > DAYS * 0.8


def test_skipped_fires_come_in_time_or_not_at_all(thirty_days: tuple[str, list[Call], Machine, list[float]]) -> None:
    zone, calls, machine, _ = thirty_days
    mine = {call.due: call for call in calls if call.source == "skips"}
    busy = [(call.begun, call.ended) for call in calls if call.source != "skips"]
    for call in mine.values():
        came = call.begun - (call.wall - call.due).total_seconds()
        if any(came <= moment <= call.begun for moment, _ in machine.steps):
            continue
        waited = sum(max(0.0, min(ended, call.begun) - max(begun, came)) for begun, ended in busy)
        assert call.begun - came - waited <= 61
    counted = 0
    for due in expected_fires(zone, machine.start, DAYS, PARTS["skips"]):
        for moment, by_itself in find_crossings(machine, due):
            waiting = any(begun < moment <= ended for begun, ended in machine.idle)
            if by_itself and waiting and due not in mine:
                # Only what came while the machine was about to be set, sleep or die may be missing.
                assert idle_until(machine, moment) - moment > LOOK + 1, due
            counted += by_itself and waiting
    assert counted > DAYS / 2


def test_every_goes_on_in_real_time(thirty_days: tuple[str, list[Call], Machine, list[float]]) -> None:
    _, calls, machine, _ = thirty_days
    mine = [call for call in calls if call.source == "every"]
    period = EVERY.total_seconds()
    for number in range(1, int(mine[-1].begun / period)):
        noticed = idle_until(machine, number * period + 2)
        assert any(number * period - 2 <= call.begun <= noticed for call in mine), number
    for earlier, later in pairwise(mine):
        # Between two calls lies a point of the grid, which the later one is for.
        assert int((later.begun + 0.01) / period) > int((earlier.begun + 0.01) / period)
    assert len(mine) > DAYS * 10
    assert max(call.due for call in mine) < datetime(2028, 1, 1, tzinfo=UTC)
