"""What came of a harvest, for people and programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from windrow.store.runs import Counts

RunState: TypeAlias = Literal["whole", "partial", "deferred", "failed", "busy"]


@dataclass(frozen=True)
class Report:
    """How a run of a source ended."""

    source: str
    run: int | None
    state: RunState
    sentence: str
    exit_code: int
    counts: Counts = field(default_factory=Counts)
    warnings: tuple[str, ...] = ()
    """Their kinds."""
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {
            "source": self.source,
            "run": self.run,
            "state": self.state,
            **vars(self.counts),
            "warnings": list(self.warnings),
            "seconds": round(self.seconds, 3),
            "sentence": self.sentence,
        }
