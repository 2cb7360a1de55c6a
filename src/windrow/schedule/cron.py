"""Cron expressions of five fields, on the clock of a time zone.

Where hours are named (``30 2 * * *``, ``0 */2 * * *``), a fire is a time of day: one that does not exist comes once, at
the end of the gap, and one that exists twice comes once, the first time. Where every hour is meant
(``*/30 * * * *``), the minutes go on in real time while the clocks are changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from windrow.errors import UsageError
from windrow.schedule.zones import INSTANT, SECOND, find_jump, instant_to_local, local_to_instant

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from cronsim import CronSim

NAMES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
FIELDS = 5
EVERY_HOUR = set(range(24))


@dataclass(frozen=True)
class Cron:
    """The fires of an expression in a zone."""

    expression: str
    zone: ZoneInfo
    folds: tuple[int, ...]
    """Which of two equal local times fire: the first, or both where the minutes go on in real time."""

    def next(self, instant: datetime) -> datetime:
        """Return the first fire after an instant."""
        return min(self._next(instant_to_local(instant, self.zone, fold), fold) for fold in self.folds)

    def previous(self, instant: datetime) -> datetime | None:
        """Return the last fire that is not after an instant."""
        found = [self._previous(instant_to_local(instant, self.zone, fold), fold) for fold in self.folds]
        return max((fire for fire in found if fire is not None), default=None)

    def _next(self, wall: datetime, fold: int) -> datetime:
        fire = next(_simulate(self.expression, wall), None)
        if fire is None:
            raise UsageError(f"The cron expression {self.expression!r} has no further time. Name a day that comes.")
        jump = self._left_out(fire)
        return local_to_instant(fire, self.zone, fold) if jump is None else self._next(jump[1] - INSTANT, fold)

    def _previous(self, wall: datetime, fold: int) -> datetime | None:
        fire = next(_simulate(self.expression, wall.replace(microsecond=0) + SECOND, reverse=True), None)
        jump = None if fire is None else self._left_out(fire)
        if fire is None or jump is None:
            return None if fire is None else local_to_instant(fire, self.zone, fold)
        return self._previous(jump[0] - INSTANT, fold)

    def _left_out(self, wall: datetime) -> tuple[datetime, datetime] | None:
        """Return the gap in real time that a local time lies in, if it does."""
        jump = find_jump(wall, self.zone) if len(self.folds) > 1 else None
        return (jump.first, jump.end) if jump and jump.is_gap else None


@lru_cache(maxsize=256)
def parse_cron(text: str, zone: ZoneInfo) -> Cron:
    """Return the fires of a cron expression; a sentence says what is wrong with it."""
    expression = NAMES.get(text.strip().lower(), text.strip())
    count = len(expression.split())
    if expression.startswith("@"):
        raise UsageError(f"{text!r} is not a cron expression. Known names are {', '.join(NAMES)}.")
    if count == FIELDS + 1:
        raise UsageError(
            f"The cron expression {text!r} has six fields. Leave the seconds out: minute, hour, day of the month, "
            f"month, day of the week, as in {' '.join(expression.split()[1:])!r}."
        )
    if count != FIELDS:
        raise UsageError(
            f"The cron expression {text!r} has {count} fields, not five. Write minute, hour, day of the month, month "
            "and day of the week, as in '30 2 * * 1-5'."
        )
    from cronsim import CronSimError  # noqa: PLC0415 - only who has a calendar pays for it

    try:
        simulated = _simulate(expression, datetime(2000, 1, 1))  # noqa: DTZ001 - local time of no zone
        first = next(simulated, None)
    except (CronSimError, ValueError, AssertionError, OverflowError) as error:
        raise UsageError(
            f"The cron expression {text!r} is not understood: {str(error).lower() or 'a field is wrong'}. "
            "Write five fields, as in '30 2 * * 1-5'."
        ) from None
    if first is None:
        raise UsageError(f"The cron expression {text!r} names a day that never comes. Name one that does.")
    return Cron(expression, zone, (0, 1) if simulated.hours == EVERY_HOUR else (0,))


def _simulate(expression: str, wall: datetime, *, reverse: bool = False) -> CronSim:
    from cronsim import CronSim  # noqa: PLC0415 - only who has a calendar pays for it

    return CronSim(expression, wall, reverse)
