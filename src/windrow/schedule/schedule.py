"""``Schedule``: when a source is to be read, as a pure function from one instant to the next fire."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, Self

from windrow.errors import UsageError
from windrow.schedule.cron import parse_cron
from windrow.schedule.durations import parse_duration
from windrow.schedule.fires import Every, Fires, Grid
from windrow.schedule.hours import Hours, parse_hours
from windrow.schedule.zones import find_zone

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_FIRES = 100_000


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """When a source is read: every so often, or at the times that a cron expression names.

    ``schedule.after(instant)`` is the first fire after an instant. It reads no clock, and jumps over any distance at
    once.
    """

    every: str | None = None
    """A duration in real time, as in ``6 hours``, ``30 min`` or ``PT6H``."""
    cron: str | None = None
    """Five fields, as in ``30 2 * * 1-5``, or a name such as ``@daily``."""
    zone: str = "UTC"
    """The time zone of the expression and of the active hours."""
    hours: str | None = None
    """Active hours, as in ``08:00-20:00``; a fire outside waits for the opening, and several become one."""
    jitter: str | None = None
    """The most that a fire is delayed, always the same for the same source and time."""
    missed: Literal["once", "skip"] = "once"
    """Whether fires that were missed become one, as soon as possible, or none."""

    def __post_init__(self) -> None:
        """Refuse what is no schedule."""
        for name in ("every", "cron", "hours", "jitter"):
            if not isinstance(getattr(self, name), str | None):
                raise UsageError(f"{name} of a schedule is not text. Write it in quotes, or leave it out.")
        if (self.every is None) == (self.cron is None):
            raise UsageError(
                "A schedule needs one of every and cron. Write every = '6 hours' or cron = '30 2 * * 1-5'."
            )
        if not isinstance(self.zone, str):
            raise UsageError("zone of a schedule is not text. Write it as in 'Europe/Berlin' or 'UTC'.")
        if self.missed not in {"once", "skip"}:
            raise UsageError(f"{self.missed!r} is not what can be done about missed fires. Write 'once' or 'skip'.")
        find_zone(self.zone)
        self._parts()

    def after(self, instant: datetime, *, source: str = "", anchor: datetime | None = None) -> datetime:
        """Return the first fire after an instant, in UTC.

        ``source`` is what jitter tells sources apart by. ``anchor`` is any point of the grid that ``every`` goes on
        from; without one, the grid begins at the instant.
        """
        return self._listed(1, instant, source, anchor)[0]

    def fires(self, count: int, start: datetime, *, source: str = "", anchor: datetime | None = None) -> list[datetime]:
        """Return the next fires after an instant, in UTC; the first is that of ``after``."""
        if not 0 <= count <= MOST_FIRES:
            raise UsageError(f"{count} is not a number of fires to list. Ask for at most {MOST_FIRES:,}.")
        return self._listed(count, start, source, anchor)

    def opened(self, instant: datetime) -> datetime:
        """Return the instant itself within the active hours, otherwise their next opening."""
        hours = self._parts()[1]
        return _checked(instant) if hours is None else hours.opened(_checked(instant))

    def to_dict(self) -> dict[str, str]:
        """Return what differs from the defaults, as TOML and JSON can hold it."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        return {each.name: plain[each.name] for each in fields(self) if plain[each.name] != each.default}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Return the schedule that ``to_dict`` described; what is missing has its default."""
        unknown = [key for key in plain if key not in {each.name for each in fields(cls)}]
        if unknown:
            raise UsageError(f"A schedule has no {unknown[0]!r}. It has every, cron, zone, hours, jitter and missed.")
        return cls(**plain)

    def _parts(self) -> tuple[Grid | timedelta, Hours | None, timedelta | None]:
        """Return the grid (or its period, where the origin is still open), the hours and the jitter."""
        zone = find_zone(self.zone)
        grid: Grid | timedelta = timedelta(0)
        if self.every is not None:
            grid = parse_duration(self.every, "every")
        elif self.cron is not None:
            grid = parse_cron(self.cron, zone)
        hours = None if self.hours is None else parse_hours(self.hours, zone)
        return grid, hours, None if self.jitter is None else parse_duration(self.jitter, "jitter")

    def _listed(self, count: int, instant: datetime, source: str, anchor: datetime | None) -> list[datetime]:
        moment = _checked(instant)
        grid, hours, jitter = self._parts()
        if isinstance(grid, timedelta):
            grid = Every(moment, grid, after_origin=True) if anchor is None else Every(_checked(anchor), grid)
        fires, found = Fires(grid, hours, jitter, source), []
        try:
            for _ in range(count):
                moment = fires.after(moment)
                found.append(moment)
        except (OverflowError, ValueError):
            raise UsageError(f"After {moment.isoformat()} the calendar ends. Ask for an earlier time.") from None
        return found


def _checked(instant: object) -> datetime:
    if not isinstance(instant, datetime) or instant.utcoffset() is None:
        raise UsageError("The instant has no time zone. Give a datetime with one, as in datetime.now(UTC).")
    return instant.astimezone(UTC)
