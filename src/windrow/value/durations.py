"""Durations: 1:02:03, 3:45.67, 1 h 20 min, 90 min, 2 days. A bare 3:45 may be a time of day and is none."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from windrow.value.numbers import read_number

if TYPE_CHECKING:
    from windrow.value.numbers import DecimalSeparator

SECONDS = {
    1: "s sec secs second seconds sek sekunden",
    60: "min mins minute minutes minuten",
    3600: "h hr hrs hour hours std stunde stunden heure heures",
    86_400: "d day days tag tage jour jours",
    604_800: "week weeks woche wochen semaine semaines",
}
MOST_SECONDS = 2**63 // 10**6
"""What fits into 64 bits when it is counted in microseconds, as data frames and Arrow do."""
UNITS = {name: seconds for seconds, names in SECONDS.items() for name in names.split()}
CLOCK = re.compile(r"(\d{1,4}):([0-5]\d):([0-5]\d(?:\.\d{1,6})?)")
FRACTION = re.compile(r"(\d{1,3}):([0-5]\d\.\d{1,6})")
PART = re.compile(r"\s*(\d[\d.,]{0,11})\s*([^\W\d]+)\.?,?")


def read_duration(text: str, separator: DecimalSeparator | None = None) -> timedelta | None:
    """Return the duration that a text is, and None for any other text."""
    if found := CLOCK.fullmatch(text):
        return timedelta(hours=int(found[1]), minutes=int(found[2]), seconds=float(found[3]))
    if found := FRACTION.fullmatch(text):
        return timedelta(minutes=int(found[1]), seconds=float(found[2]))
    return _read_parts(text, separator)


def _read_parts(text: str, separator: DecimalSeparator | None) -> timedelta | None:
    """Return the sum of amounts with units, the larger first."""
    total, at, last = 0.0, 0, float("inf")
    while at < len(text):
        found = PART.match(text, at)
        seconds = _find_unit(found[2]) if found else None
        amount = read_number(found[1].rstrip(".,"), separator) if found else None
        if found is None or seconds is None or seconds >= last or amount is None or amount.value is None:
            return None
        total, at, last = total + amount.value * seconds, found.end(), seconds
    return timedelta(seconds=total) if at > 0 and total <= MOST_SECONDS else None


def _find_unit(name: str) -> int | None:
    """Return the seconds of a unit; a letter is one only where it is small: 3D is no three days."""
    return UNITS.get(name if len(name) == 1 else name.lower())
