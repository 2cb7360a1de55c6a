"""A run against the last whole one: the fill rate of each label, values that are everywhere the same, types.

A fall beyond what is usual means that something else is read than before, even where every page fitted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from windrow.store.warnings import Warned

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from windrow.harvest.reading import PageReading

LEAST_RECORDS = 8
"""Records that both runs must have read anew before their shares are compared; fewer say nothing."""


TELLING = 0.5
"""A run stands for the source where it read at least this share of the records that the last telling one read."""


@dataclass
class Stats:
    """How often each label was there, in the records that a run read anew."""

    records: int = 0
    pages: int = 0
    filled: Counter[str] = field(default_factory=Counter)
    equal: Counter[str] = field(default_factory=Counter)
    """The learned text, on a page that is another."""
    misfits: Counter[str] = field(default_factory=Counter)

    def add(self, reading: PageReading) -> None:
        """Count what a page gave."""
        self.pages += 1
        self.records += len(reading.sightings)
        for sighting in reading.sightings:
            self.filled.update(sighting.values.keys())
        self.equal.update(reading.equal)
        self.misfits.update(reading.misfits)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        counters = {name: dict(getattr(self, name)) for name in ("filled", "equal", "misfits")}
        return {"records": self.records, "pages": self.pages, **counters}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any] | None) -> Stats:
        """Return what ``to_dict`` wrote."""
        if not plain:
            return cls()
        counters = {name: Counter(plain[name]) for name in ("filled", "equal", "misfits")}
        return cls(plain["records"], plain["pages"], **counters)


def choose_baseline(now: Stats, before: Stats) -> Stats:
    """Return what the next run is compared with: not this one where it read too little anew to stand for the source."""
    is_telling = now.records >= max(LEAST_RECORDS, TELLING * before.records)
    return now if is_telling or not before.records else before


def find_falls(now: Stats, before: Stats, labels: Collection[str], usual: float) -> list[Warned]:
    """Return what is worse with some labels than in the run before, by more than a share that is usual."""
    if min(now.records, before.records) < LEAST_RECORDS:
        return []
    found = []
    known = [label for label in labels if before.filled[label]]
    for label in known:
        was, is_ = before.filled[label] / before.records, now.filled[label] / now.records
        if was - is_ > usual:
            text = f"{label} was there in {was:.0%} of the records, and is in {is_:.0%} now."
            found.append(Warned("missing", "warning", text))
    for label in known:
        was, is_ = before.equal[label] / before.records, now.equal[label] / now.records
        if is_ - was > usual:
            text = (
                f"{label} reads the learned text on {is_:.0%} of the other pages ({was:.0%} before): its place moved."
            )
            found.append(Warned("template", "warning", text))
    for label in known:
        was, is_ = before.misfits[label] / before.records, now.misfits[label] / now.records
        if is_ - was > usual:
            text = f"{label} is not of its type in {is_:.0%} of the records ({was:.0%} before)."
            found.append(Warned("type", "warning", text))
    return found
