"""Active hours: the part of each day, by the clock of a time zone, in which a source may be read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from windrow.errors import UsageError
from windrow.schedule.zones import INSTANT, local_to_instant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from zoneinfo import ZoneInfo

HOURS = re.compile(r"\s*([01]?\d|2[0-4]):([0-5]\d)\s*[-–]\s*([01]?\d|2[0-4]):([0-5]\d)\s*", re.ASCII)
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Hours:
    """A window of each day; it may cross midnight. Windows are of instants, so that none opens twice a day."""

    opens: timedelta
    """After midnight."""
    closes: timedelta
    """After the same midnight, later than it opens."""
    zone: ZoneInfo

    def is_open(self, instant: datetime) -> bool:
        """Whether a source may be read at an instant."""
        return any(opening <= instant < closing for opening, closing in self._windows(instant))

    def opened(self, instant: datetime) -> datetime:
        """Return the instant itself if the window is open, otherwise the next opening."""
        if self.is_open(instant):
            return instant
        return min(opening for opening, _ in self._windows(instant) if opening > instant)

    def last_open(self, instant: datetime) -> datetime:
        """Return the instant itself if the window is open, otherwise the last one before it closed."""
        if self.is_open(instant):
            return instant
        return max(closing for _, closing in self._windows(instant) if closing <= instant) - INSTANT

    def closing(self, instant: datetime) -> datetime:
        """Return when the window closes that is open at an instant."""
        return max(closing for opening, closing in self._windows(instant) if opening <= instant < closing)

    def _windows(self, instant: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield the windows around an instant; a day whose window falls into a gap has none."""
        midnight = datetime.combine(instant.astimezone(self.zone), time())
        for days in range(-3, 4):
            opening = local_to_instant(midnight + days * DAY + self.opens, self.zone)
            closing = local_to_instant(midnight + days * DAY + self.closes, self.zone)
            if opening < closing:
                yield opening, closing


@lru_cache(maxsize=256)
def parse_hours(text: str, zone: ZoneInfo) -> Hours:
    """Return the active hours that a text such as 08:00-20:00 names."""
    found = HOURS.fullmatch(text)
    numbers = [int(number) for number in found.groups()] if found else []
    opens, closes = (timedelta(hours=numbers[i], minutes=numbers[i + 1]) if numbers else DAY for i in (0, 2))
    if opens >= DAY or closes > DAY or opens == closes:
        raise UsageError(
            f"{text!r} are not active hours. Write the first and the last time of day, as in '08:00-20:00' or "
            "'22:00-06:00', or leave hours out for the whole day."
        )
    return Hours(opens, closes if closes > opens else closes + DAY, zone)
