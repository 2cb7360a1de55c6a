"""Local time: from what a clock on the wall shows to the instant that is meant, also where the clocks are changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

from windrow.errors import UsageError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

SECOND = timedelta(seconds=1)
INSTANT = timedelta(microseconds=1)
"""The least that two instants differ by."""


@dataclass(frozen=True)
class Jump:
    """A change of the clocks: the instant, and what they differ from UTC by before and after it."""

    at: datetime
    before: timedelta
    after: timedelta

    @property
    def is_gap(self) -> bool:
        """Whether times are left out; otherwise they come twice."""
        return self.after > self.before

    @property
    def first(self) -> datetime:
        """The earliest local time that is left out or comes twice."""
        return _naive(self.at) + min(self.before, self.after)

    @property
    def end(self) -> datetime:
        """The local time at which every time exists once again."""
        return _naive(self.at) + max(self.before, self.after)


@cache
def find_zone(name: str) -> ZoneInfo:
    """Return a time zone by its name."""
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - most commands read no calendar

    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(
            f"{name!r} is not a time zone that this machine knows. Write it as in 'Europe/Berlin' or 'UTC'."
        ) from None


def find_jump(wall: datetime, zone: ZoneInfo) -> Jump | None:
    """Return the change of the clocks that leaves a local time out or makes it come twice."""
    before, after = _offset(wall.replace(tzinfo=zone, fold=0)), _offset(wall.replace(tzinfo=zone, fold=1))
    if before == after:
        return None
    low, high = sorted((wall.replace(tzinfo=UTC) - before, wall.replace(tzinfo=UTC) - after))
    low, high = low.replace(microsecond=0), high.replace(microsecond=0)
    while high - low > SECOND:
        middle = low + (high - low) // SECOND // 2 * SECOND
        if _offset(middle.astimezone(zone)) == before:
            low = middle
        else:
            high = middle
    return Jump(high, before, after)


def local_to_instant(wall: datetime, zone: ZoneInfo, fold: int = 0) -> datetime:
    """Return the instant of a local time: one that is left out is the end of the gap, of two it is that of the fold."""
    jump = find_jump(wall, zone)
    return jump.at if jump and jump.is_gap else wall.replace(tzinfo=zone, fold=fold).astimezone(UTC)


def instant_to_local(instant: datetime, zone: ZoneInfo, fold: int = 0) -> datetime:
    """Return the latest local time whose instant, the first or the second of two, is not after the given one."""
    local = instant.astimezone(zone)
    wall = _naive(local)
    jump = None if local.fold == fold else find_jump(wall, zone)
    if jump is None:
        return wall
    return (jump.end if fold == 0 else jump.first) - INSTANT


def _naive(moment: datetime) -> datetime:
    return moment.replace(tzinfo=None, fold=0)


def _offset(moment: datetime) -> timedelta:
    return moment.utcoffset() or timedelta(0)
