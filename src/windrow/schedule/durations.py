"""Durations as people write them in settings: 6 hours, 30 min, 1 day 12 hours, PT6H."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import lru_cache

from windrow.errors import UsageError

UNITS = {
    name: seconds
    for seconds, names in {
        1: "s sec secs second seconds",
        60: "m min mins minute minutes",
        3600: "h hr hrs hour hours",
        86_400: "d day days",
        604_800: "w week weeks",
    }.items()
    for name in names.split()
}
PART = re.compile(r"\s*(\d{1,9}(?:\.\d{1,6})?)\s*([a-z]+)\.?(?:\s*,|\s+and\b)?", re.IGNORECASE | re.ASCII)
ISO = re.compile(
    r"P(?:(?P<w>\d{1,5})W)?(?:(?P<d>\d{1,6})D)?(?:T(?:(?P<h>\d{1,7})H)?(?:(?P<m>\d{1,9})M)?(?:(?P<s>\d{1,9})S)?)?",
    re.IGNORECASE | re.ASCII,
)
LEAST = timedelta(seconds=1)
MOST = timedelta(days=3660)
"""Ten years: what is rarer is no schedule."""


@lru_cache(maxsize=256)
def parse_duration(text: str, what: str = "duration") -> timedelta:
    """Return the duration that a text names; ``what`` says in the error what it was for."""
    plain = text.strip().removeprefix("every ")
    seconds = _iso_seconds(plain) if plain[:1] in {"P", "p"} else _seconds(plain)
    if seconds is None:
        raise UsageError(
            f"{text!r} is not a duration for {what}. Write a number and a unit, as in '6 hours', '30 min' or '1 day'."
        )
    if not LEAST.total_seconds() <= seconds <= MOST.total_seconds():
        raise UsageError(f"{text!r} is too short or too long for {what}. Give at least 1 second and at most ten years.")
    return timedelta(seconds=seconds)


def _seconds(text: str) -> float | None:
    """Return the sum of amounts with units, the larger first."""
    total, at, last = 0.0, 0, float("inf")
    while at < len(text):
        found = PART.match(text, at)
        unit = UNITS.get(found[2].lower()) if found else None
        if found is None or unit is None or unit >= last:
            return None
        total, at, last = total + float(found[1]) * unit, found.end(), unit
    return total if at else None


def _iso_seconds(text: str) -> float | None:
    found = ISO.fullmatch(text)
    if found is None or text[-1:] in {"T", "t"}:
        return None
    return float(sum(int(amount) * UNITS[unit] for unit, amount in found.groupdict().items() if amount)) or None
