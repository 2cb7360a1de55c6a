"""How far a batch is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windrow.batch.watch import Glance


@dataclass(frozen=True)
class Progress:
    """Records and bytes that are behind us, of so many."""

    total: int
    """Bytes of the input."""
    done: int = 0
    records: int = 0
    rejects: int = 0
    doing: str = "reading"

    def plus(self, done: int, records: int, rejects: int) -> Progress:
        """Return the same with a part of the input behind us."""
        return replace(self, done=self.done + done, records=self.records + records, rejects=self.rejects + rejects)

    def at(self, glances: Iterable[Glance]) -> Progress:
        """Return the same with what the processes are at just now."""
        found = self
        for glance in glances:
            found = found.plus(glance.done, glance.records, glance.rejects)
        return replace(found, done=min(found.done, self.total))
