"""A timetable in memory, and a machine whose clocks, sleep and death a test decides."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from windrow.schedule import Entry, Plan, Schedule

if TYPE_CHECKING:
    from collections.abc import Callable


class MemoryTimetable:
    """What a store keeps: it outlives the schedulers that use it."""

    def __init__(self, **schedules: Schedule) -> None:
        self.schedules = dict(schedules)
        self.plans: dict[str, Plan] = {}
        self.claimed: set[tuple[str, datetime]] = set()
        self.under_way: set[str] = set()

    def entries(self) -> list[Entry]:
        return [Entry(name, schedule, self.plans.get(name)) for name, schedule in self.schedules.items()]

    def fired(self, source: str, since: datetime) -> list[datetime]:
        return [due for name, due in self.claimed if name == source and due >= since]

    def plan(self, source: str, plan: Plan, instead_of: Plan | None) -> bool:
        if self.plans.get(source) != instead_of or source not in self.schedules:
            return False
        self.plans[source] = plan
        return True

    def claim(self, source: str, plan: Plan, following: Plan) -> bool:
        fire = (source, plan.due)
        if self.plans.get(source) != plan or fire in self.claimed or source in self.under_way:
            return False
        # Everything goes through the form that a store keeps it in.
        self.plans[source] = Plan.from_dict(following.to_dict())
        self.claimed.add(fire)
        return True

    def pause(self, source: str) -> Schedule:
        self.plans.pop(source, None)
        return self.schedules.pop(source)


class Killed(BaseException):
    """The process is no more."""


@dataclass
class Machine:
    """Two clocks over one true time, counted in seconds; things happen to it at set times."""

    start: datetime
    events: list[tuple[float, Callable[[Machine], None]]] = field(default_factory=list)
    true: float = 0.0
    offset: float = 0.0
    booted: float = -1000.0
    boots: int = 0
    steps: list[tuple[float, float]] = field(default_factory=list)
    """When the wall clock was set, and what it differs from the true time by since then."""
    idle: list[tuple[float, float]] = field(default_factory=list)
    """The waits of a machine that is awake."""
    slept: float = 0.0

    @property
    def boot(self) -> str:
        return f"boot {self.boots}"

    def wall(self) -> datetime:
        return self.start + timedelta(seconds=self.true + self.offset)

    def steady(self) -> float:
        return self.true - self.booted

    def wait(self, seconds: float) -> None:
        assert 0 < seconds <= 30
        begun, self.slept = self.true, float("inf")
        self.spend(seconds)
        self.idle.append((begun, min(self.true, self.slept)))

    def spend(self, seconds: float) -> None:
        end = self.true + seconds
        while self.events and self.events[0][0] <= end:
            moment, happens = self.events.pop(0)
            self.true = max(self.true, moment)
            happens(self)
        self.true = max(self.true, end)

    def set_wall(self, seconds: float) -> None:
        self.offset += seconds
        self.steps.append((self.true, self.offset))

    def sleep(self, seconds: float) -> None:
        self.slept = self.true
        self.true += seconds

    def die(self) -> None:
        raise Killed

    def reboot(self) -> None:
        self.boots += 1
        self.booted = self.true
