"""From a bare grid of times to fires: those outside the active hours wait for the opening, and jitter spreads them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from windrow.schedule.hours import Hours


class Grid(Protocol):
    """Instants in order, such as every sixth hour, or what a cron expression names."""

    def next(self, instant: datetime) -> datetime:
        """Return the first one after an instant."""

    def previous(self, instant: datetime) -> datetime | None:
        """Return the last one that is not after an instant, if there is one."""


@dataclass(frozen=True)
class Every:
    """Instants at equal distances in real time, on both sides of the origin or after it only."""

    origin: datetime
    period: timedelta
    after_origin: bool = False

    def next(self, instant: datetime) -> datetime:
        """Return the first one after an instant."""
        count = (instant - self.origin) // self.period + 1
        return self.origin + (max(count, 1) if self.after_origin else count) * self.period

    def previous(self, instant: datetime) -> datetime | None:
        """Return the last one that is not after an instant, if there is one."""
        count = (instant - self.origin) // self.period
        return None if self.after_origin and count < 1 else self.origin + count * self.period


@dataclass(frozen=True)
class Fires:
    """The fires of one source.

    Every point of the grid stands for one fire: itself while the active hours last, otherwise their next opening, where
    several become one. Jitter delays a fire, less than up to the next one and never beyond the active hours.
    """

    grid: Grid
    hours: Hours | None
    jitter: timedelta | None
    source: str

    def after(self, instant: datetime) -> datetime:
        """Return the first fire after an instant."""
        if self.jitter is not None:
            last = self._previous(instant)
            fire = instant if last is None else self._delayed(last, self.jitter)
            if fire > instant:
                return fire
        point = self._next(instant)
        return point if self.jitter is None else self._delayed(point, self.jitter)

    def _next(self, instant: datetime) -> datetime:
        if self.hours is None:
            return self.grid.next(instant)
        # What the grid named since the window closed waits for the same opening.
        return self.hours.opened(self.grid.next(self.hours.last_open(instant)))

    def _previous(self, instant: datetime) -> datetime | None:
        point = self.grid.previous(instant if self.hours is None else self.hours.last_open(instant))
        return point if point is None or self.hours is None else self.hours.opened(point)

    def _delayed(self, point: datetime, jitter: timedelta) -> datetime:
        most = min(jitter, self._next(point) - point)
        if self.hours is not None:
            most = min(most, self.hours.closing(point) - point)
        text = f"{self.source}\0{point.isoformat()}".encode("utf-8", "surrogatepass")
        number = int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
        # As many bits as a float holds, so that the share stays below 1.
        return point + timedelta(seconds=int((number >> 11) / 2**53 * most.total_seconds()))
