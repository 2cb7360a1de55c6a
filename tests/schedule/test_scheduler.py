from __future__ import annotations

import logging
import os
import signal
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
from calendar_oracle import utc
from memory import Machine, MemoryTimetable

from windrow.errors import UsageError
from windrow.schedule import Clock, Plan, Schedule, Scheduler

DAY = 86_400.0
HOUR = 3600.0


class Harness:
    """A scheduler on a machine of its own; each fire takes a while, and is written down."""

    def __init__(self, *, seconds: float = 1.0, **schedules: Schedule) -> None:
        self.machine = Machine(utc("2027-06-01T00:00"))
        self.timetable = MemoryTimetable(**schedules)
        self.seconds = seconds
        self.fires: list[tuple[str, str, str]] = []
        self.scheduler = self.begin()

    def begin(self) -> Scheduler:
        self.scheduler = Scheduler(self.timetable, self.work, self.machine)
        return self.scheduler

    def work(self, source: str, due: datetime) -> None:
        form = "%Y-%m-%d %H:%M"
        self.fires.append((source, due.strftime(form), self.machine.wall().strftime(form)))
        self.machine.spend(self.seconds)

    def run(self, seconds: float) -> list[str]:
        """Let time pass, and return the due times of what was fired."""
        end, seen = self.machine.true + seconds, len(self.fires)
        while self.machine.true < end:
            pause = self.scheduler.step()
            if pause:
                self.machine.wait(min(pause, max(end - self.machine.true, 0.001)))
        return [due for _, due, _ in self.fires[seen:]]


def test_fires_happen_at_their_time_the_oldest_first() -> None:
    harness = Harness(b=Schedule(cron="0 12 * * *"), a=Schedule(cron="0 12 * * *"), c=Schedule(cron="59 11 * * *"))
    harness.run(DAY)
    noon = "2027-06-01 12:00"
    assert harness.fires == [("c", "2027-06-01 11:59", "2027-06-01 11:59"), ("a", noon, noon), ("b", noon, noon)]


def test_a_forward_step_of_years_is_one_catch_up_and_back_again_the_calendar_goes_on() -> None:
    harness = Harness(a=Schedule(cron="0 * * * *"), b=Schedule(cron="0 * * * *", missed="skip"))
    harness.run(HOUR * 1.5)
    harness.machine.set_wall(DAY * 3650)
    harness.run(HOUR)
    assert harness.fires[2:3] == [("a", "2027-06-01 02:00", "2037-05-29 01:30")]
    assert [source for source, _, _ in harness.fires] == ["a", "b", "a", "a", "b"]
    harness.machine.set_wall(DAY * -3650)
    assert harness.run(HOUR) == ["2027-06-01 03:00"] * 2


def test_a_backward_step_repeats_nothing() -> None:
    harness = Harness(a=Schedule(cron="0 * * * *"))
    assert len(harness.run(HOUR * 5.5)) == 5
    harness.machine.set_wall(HOUR * -4)
    assert harness.run(HOUR * 5) == ["2027-06-01 06:00"]
    # A step while nobody looks is found at the next start.
    harness.machine.set_wall(DAY * -30)
    harness.machine.reboot()
    harness.begin()
    assert harness.run(HOUR) == ["2027-05-02 07:00"]


@pytest.mark.parametrize("step", [HOUR * 6, HOUR * -6, HOUR * -12, 40.0, DAY * 400])
def test_every_keeps_to_the_steady_clock(step: float) -> None:
    harness = Harness(a=Schedule(every="6 hours"))
    harness.run(HOUR * 13)
    harness.machine.set_wall(step)
    assert len(harness.run(HOUR * 4.9)) == 0
    assert len(harness.run(HOUR * 0.2)) == 1
    assert len(harness.run(HOUR * 60)) == 10
    assert len(harness.fires) == len(harness.timetable.claimed)


def test_every_keeps_to_the_wall_clock_after_another_start() -> None:
    harness = Harness(a=Schedule(every="6 hours"))
    harness.run(HOUR * 7)
    harness.machine.reboot()
    harness.machine.true += HOUR * 2
    harness.begin()
    assert harness.run(HOUR * 4) == ["2027-06-01 12:00"]
    # A clock without a battery: it begins in 1970, and the network sets it a little later.
    harness.machine.reboot()
    harness.machine.set_wall(-DAY * 365 * 57)
    harness.begin()
    harness.run(HOUR * 0.1)
    harness.machine.set_wall(DAY * 365 * 57)
    assert len(harness.run(HOUR * 12)) == 2
    assert harness.fires[-1][1].startswith("2027-06-0")


def test_every_waits_for_active_hours_that_a_step_moved() -> None:
    harness = Harness(a=Schedule(every="5 hours", hours="08:00-20:00"))
    harness.run(HOUR * 9)
    assert [due for _, due, _ in harness.fires] == ["2027-06-01 08:00"]
    harness.machine.set_wall(HOUR * 11)
    assert harness.run(HOUR * 14) == ["2027-06-02 08:00"]


def test_a_fire_during_a_run_of_the_source_is_missed() -> None:
    harness = Harness(a=Schedule(cron="0 * * * *"), seconds=HOUR * 2.5)
    harness.run(HOUR * 7)
    assert [fire[1:] for fire in harness.fires] == [
        ("2027-06-01 01:00", "2027-06-01 01:00"),
        ("2027-06-01 02:00", "2027-06-01 03:30"),
        ("2027-06-01 04:00", "2027-06-01 06:00"),
    ]
    harness = Harness(a=Schedule(cron="0 * * * *", missed="skip"), seconds=HOUR * 2.5)
    harness.run(HOUR * 7)
    assert [fire[2] for fire in harness.fires] == ["2027-06-01 01:00", "2027-06-01 04:00"]


def test_a_fire_that_comes_just_before_the_end_of_a_run_is_missed_too() -> None:
    harness = Harness(a=Schedule(cron="0 * * * *", missed="skip"), seconds=HOUR + 20)
    assert harness.run(HOUR * 4) == ["2027-06-01 01:00", "2027-06-01 03:00"]


def test_waiting_for_other_sources_is_not_missing() -> None:
    long = Schedule(cron="0 3 * * *")
    short = Schedule(cron="1 3 * * *", missed="skip")
    last = Schedule(cron="2 3 * * *", missed="skip")
    harness = Harness(a=long, b=long, c=short, d=last, seconds=HOUR)
    harness.run(DAY)
    assert [source for source, _, _ in harness.fires] == ["a", "b", "c", "d"]


def test_sleep_makes_one_or_none_of_what_was_missed() -> None:
    harness = Harness(a=Schedule(cron="0 * * * *"), b=Schedule(cron="30 * * * *", missed="skip"))
    harness.run(HOUR * 1.25)
    harness.machine.true += HOUR * 6
    harness.run(HOUR * 0.5)
    assert harness.fires[2:] == [
        ("a", "2027-06-01 02:00", "2027-06-01 07:15"),
        ("b", "2027-06-01 07:30", "2027-06-01 07:30"),
    ]


def test_sources_come_and_go_and_change_while_it_runs() -> None:
    harness = Harness(a=Schedule(cron="0 * * * *"))
    harness.run(HOUR * 1.25)
    harness.timetable.schedules["b"] = Schedule(every="30 min")
    assert harness.run(HOUR) == ["2027-06-01 01:45", "2027-06-01 02:00"]
    schedule = harness.timetable.pause("a")
    assert {source for source, _, _ in harness.fires[-len(harness.run(HOUR * 2)) :]} == {"b"}
    harness.timetable.pause("b")
    harness.timetable.schedules["a"] = schedule
    # What a pause left out was not missed.
    assert harness.run(HOUR) == ["2027-06-01 05:00"]
    harness.timetable.schedules["a"] = Schedule(cron="45 * * * *")
    assert harness.run(HOUR) == ["2027-06-01 05:45"]
    harness.timetable.schedules["a"] = Schedule(every="2 hours")
    assert harness.run(HOUR * 2) == ["2027-06-01 07:45"]
    # A changed setting does not begin the count anew.
    harness.timetable.schedules["a"] = Schedule(every="1 hour", missed="skip")
    assert harness.run(HOUR * 0.75) == ["2027-06-01 08:45"]


def test_two_schedulers_fire_once_and_never_overlap() -> None:
    harness = Harness(a=Schedule(cron="*/10 * * * *"))
    other = Scheduler(harness.timetable, harness.work, harness.machine)
    for _ in range(400):
        first, second = harness.scheduler.step(), other.step()
        harness.machine.wait(max(min(first, second), 0.001))
    dues = [due for _, due, _ in harness.fires]
    assert len(dues) == len(set(dues)) >= 15
    # While a run is under way elsewhere, nobody begins another; then what was missed is one.
    harness.timetable.under_way.add("a")
    assert harness.run(HOUR) == []
    harness.timetable.under_way.discard("a")
    assert len(harness.run(60)) == 1


def test_a_source_that_fails_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    harness = Harness(a=Schedule(cron="0 * * * *"))
    calls: list[str] = []

    def fail(source: str, due: datetime) -> None:
        calls.append(source)
        raise OSError(f"{due} went wrong")

    harness.scheduler = Scheduler(harness.timetable, fail, harness.machine)
    with caplog.at_level(logging.ERROR, "windrow.schedule"):
        harness.run(HOUR * 3.5)
    assert len(calls) == 3
    assert "the run that was due 2027-06-01 01:00:00+00:00 failed" in caplog.text


def test_the_plan_is_kept_before_the_work_begins() -> None:
    harness = Harness(a=Schedule(cron="0 * * * *", jitter="5 min"))
    kept: list[Plan] = []
    harness.scheduler = Scheduler(
        harness.timetable, lambda source, _due: kept.append(harness.timetable.plans[source]), harness.machine
    )
    harness.run(HOUR * 1.5)
    assert len(kept) == len(harness.timetable.claimed) > 0
    assert kept[-1].due > harness.machine.wall()
    assert Plan.from_dict(kept[0].to_dict()) == kept[0]


def test_a_clock_may_know_nothing_of_starts() -> None:
    class Bare:
        def __init__(self, machine: Machine) -> None:
            self.wall, self.steady, self.wait = machine.wall, machine.steady, machine.wait

    harness = Harness(a=Schedule(every="1 hour"))
    Scheduler(harness.timetable, harness.work, Bare(harness.machine)).run(until=utc("2027-06-01T03:30"))
    assert len(harness.fires) == 3


def test_what_is_no_scheduler() -> None:
    with pytest.raises(UsageError, match="no store"):
        Scheduler("windrow.db", print)
    with pytest.raises(UsageError, match="number of workers"):
        Scheduler(MemoryTimetable(), print, workers=0)


def test_heartbeats_come_at_every_look() -> None:
    beats: list[int] = []
    machine = Machine(utc("2027-06-01T00:00"))
    scheduler = Scheduler(MemoryTimetable(), print, machine, heartbeat=lambda: beats.append(1))
    scheduler.run(until=utc("2027-06-01T00:10"))
    assert len(beats) == 20


def test_a_signal_ends_a_wait_at_once() -> None:
    scheduler = Scheduler(MemoryTimetable(a=Schedule(cron="0 0 1 1 *")), print)
    before = signal.signal(signal.SIGUSR1, lambda _number, _frame: scheduler.stop())
    try:
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1))
        timer.start()
        begun = time.monotonic()
        scheduler.run()
        assert time.monotonic() - begun < 10
        assert scheduler.stopping
        timer.join()
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_work_under_way_is_done_before_it_stops() -> None:
    harness = Harness(a=Schedule(cron="0 * * * *"), b=Schedule(cron="0 * * * *"))

    def work(source: str, due: datetime) -> None:
        harness.work(source, due)
        scheduler.stop()

    scheduler = Scheduler(harness.timetable, work, harness.machine)
    scheduler.run()
    assert [source for source, _, _ in harness.fires] == ["a"]
    assert len(harness.timetable.claimed) == 1


def test_workers_do_several_sources_at_a_time_but_none_twice() -> None:
    timetable = MemoryTimetable(**{name: Schedule(every="1 second") for name in "abc"})
    lock, running, most, calls = threading.Lock(), set[str](), [0], list[str]()

    def work(source: str, _due: datetime) -> None:
        with lock:
            assert source not in running
            running.add(source)
            most[0] = max(most[0], len(running))
            calls.append(source)
        time.sleep(0.8)
        with lock:
            running.discard(source)

    scheduler = Scheduler(timetable, work, Clock(), workers=2)
    scheduler.run(until=datetime.now(UTC) + timedelta(seconds=4))
    assert not running
    assert most == [2]
    assert set(calls) == set("abc")


def test_waiting_for_a_worker_is_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("windrow.schedule.scheduler.GRACE", 0.5)
    timetable = MemoryTimetable(**{name: Schedule(every="1 second", missed="skip") for name in "abc"})
    late: dict[str, timedelta] = {}

    def work(source: str, due: datetime) -> None:
        late.setdefault(source, datetime.now(UTC) - due)
        time.sleep(2.2)
        if source == "c":
            scheduler.stop()

    scheduler = Scheduler(timetable, work, Clock(), workers=2)
    scheduler.run(until=datetime.now(UTC) + timedelta(seconds=30))
    assert late["c"] > timedelta(seconds=1.5)


def test_the_clocks_of_the_machine() -> None:
    clock = Clock()
    assert clock.boot == Clock().boot
    assert abs(clock.wall() - datetime.now(UTC)) < timedelta(seconds=5)
    begun = clock.steady()
    clock.wait(0.05)
    assert clock.steady() - begun >= 0.04
    for _ in range(100_000):
        clock.wake()
    clock.wait(60)
    assert clock.steady() - begun < 30
