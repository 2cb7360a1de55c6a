"""What became of the records of an input: every one is counted once, as read, as skipped or as failed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass
class Counts:
    """How many records there are, and what became of them."""

    records: int = 0
    responses: int = 0
    """Records that hold the answer of a server."""
    html: int = 0
    """Those of them, and saved files, that are web pages, whether they could be read or not."""
    read: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    """Those that nobody wanted, by reason."""
    failed: Counter[str] = field(default_factory=Counter)
    """Those that could not be read, by reason."""

    def add(self, other: Counts) -> None:
        """Add what another part of the input gave."""
        self.records += other.records
        self.responses += other.responses
        self.html += other.html
        self.read += other.read
        self.skipped += other.skipped
        self.failed += other.failed

    @property
    def rejects(self) -> int:
        """Those that were not read."""
        return self.records - self.read

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, reasons in the order of the alphabet."""
        plain: dict[str, Any] = {name: getattr(self, name) for name in ("records", "responses", "html", "read")}
        return plain | {"skipped": dict(sorted(self.skipped.items())), "failed": dict(sorted(self.failed.items()))}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """Return what ``to_dict`` described."""
        numbers = {name: plain[name] for name in ("records", "responses", "html", "read")}
        return cls(**numbers, skipped=Counter(plain["skipped"]), failed=Counter(plain["failed"]))
