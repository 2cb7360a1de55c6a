"""An oracle for fires that knows nothing but minutes: it looks at the clock on the wall at every one of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

MINUTE = timedelta(minutes=1)


@cache
def minutes_of(zone: str, start: datetime, days: int) -> dict[datetime, list[datetime]]:
    """Return the instants at which the clock on the wall shows a time, by that time, for every minute."""
    seen: dict[datetime, list[datetime]] = {}
    for number in range(days * 1440):
        instant = start + number * MINUTE
        seen.setdefault(instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None, fold=0), []).append(instant)
    return seen


def expected_fires(
    zone: str, start: datetime, days: int, cron: tuple[range | set[int], range | set[int]]
) -> list[datetime]:
    """Return the fires of a cron expression with these minutes and hours on every day."""
    minutes, hours = cron
    seen = minutes_of(zone, start, days)
    if len(hours) == 24:
        return sorted(each for wall, instants in seen.items() if wall.minute in minutes for each in instants)
    fires, wall, last = set(), min(seen), max(seen)
    while wall <= last:
        if wall.minute in minutes and wall.hour in hours:
            shown = wall
            while shown not in seen:
                shown += MINUTE
            fires.add(seen[shown][0])
        wall += MINUTE
    return sorted(fires)


def utc(text: str) -> datetime:
    """Return an instant in UTC from its date and time."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
