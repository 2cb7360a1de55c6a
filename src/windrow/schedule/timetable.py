"""What the scheduler asks of whoever keeps the sources: a timetable with the next fire of each, and what has fired."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from windrow.schedule.schedule import Schedule


@dataclass(frozen=True)
class Plan:
    """The next fire of a source, with what both clocks said when it was planned."""

    due: datetime
    """When the source is to be read, in UTC and whole seconds; with the source's name it is what is claimed."""
    schedule: Schedule
    """What it was planned by; where the source has another one by now, it is planned again."""
    anchor: datetime
    """A point of the grid that ``every`` goes on from."""
    wall: datetime
    steady: float
    boot: str
    """Which start of the machine the steady clock counts from."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        moments = {name: getattr(self, name).isoformat() for name in ("due", "anchor", "wall")}
        return {**moments, "steady": self.steady, "boot": self.boot, "schedule": self.schedule.to_dict()}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Return the plan that ``to_dict`` described."""
        from windrow.schedule.schedule import Schedule  # noqa: PLC0415 - a plan is data that knows its schedule by name

        moments = {name: datetime.fromisoformat(plain[name]) for name in ("due", "anchor", "wall")}
        schedule = Schedule.from_dict(plain["schedule"])
        return cls(**moments, schedule=schedule, steady=float(plain["steady"]), boot=str(plain["boot"]))


@dataclass(frozen=True)
class Entry:
    """An active source, how it is scheduled, and its next fire, if one was planned."""

    source: str
    schedule: Schedule
    plan: Plan | None = None


@runtime_checkable
class Timetable(Protocol):
    """The sources and their fires, shared by all processes that keep the schedule.

    Each method is one transaction. The scheduler calls them from one thread.
    """

    def entries(self) -> Iterable[Entry]:
        """Return the active sources that have a schedule; asked for at every look, at least twice a minute.

        A source that was added or resumed has no plan, so that what a pause left out is not missed. A changed schedule
        needs no care: the plan knows what it was made by.
        """

    def fired(self, source: str, since: datetime) -> Collection[datetime]:
        """Return the due times of a source that were claimed and are not earlier than an instant."""

    def plan(self, source: str, plan: Plan, instead_of: Plan | None) -> bool:
        """Keep a plan if the one that is kept is still ``instead_of``; return whether it was."""

    def claim(self, source: str, plan: Plan, following: Plan) -> bool:
        """Begin the run that a plan names, and keep the plan that follows; return whether this caller may work.

        It may if the kept plan is still ``plan``, nobody has claimed (source, due) before, and no run of the source is
        under way anywhere; otherwise nothing changes. Once claimed, a fire never comes again: what is left of a run
        whose process died is resumed from the run itself, not from the schedule.
        """
