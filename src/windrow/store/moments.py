"""Moments as the store keeps them: texts in ISO 8601 and UTC, to the microsecond, which sort as they are."""

from __future__ import annotations

from datetime import UTC, datetime

from windrow.errors import UsageError


def to_text(moment: datetime) -> str:
    """Return a moment as the store keeps it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def now() -> str:
    """Return the present moment as the store keeps it."""
    return to_text(datetime.now(UTC))


def from_text(text: str) -> datetime:
    """Return the moment that ``to_text`` was given."""
    return datetime.fromisoformat(text)


def shown(text: str | None) -> str | None:
    """Return a stored moment as people and programs are given it: to the second."""
    return None if text is None else f"{text[:19]}Z"


def parse(text: str) -> str:
    """Return a moment that a person wrote, as the store keeps it; without a zone it is local time."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is not a date or a time. Write it as in 2027-03-28 or 2027-03-28T14:00.") from None
    return to_text(moment if moment.tzinfo else moment.astimezone())
