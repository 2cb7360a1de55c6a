"""What a check says: whether the template changed, what kind of change it is, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from windrow.wrapper.bartree import BarTree, Case

Kind = Literal["same", "content", "template", "gone", "blocked"]


@dataclass(frozen=True)
class Change:
    """The outcome of a check."""

    changed: bool
    kind: Kind
    case: Case = "none"
    depth: int | None = None
    """How deep the first difference lies, the document's own element at 0."""
    path: str = ""
    """Where on the new page it is."""
    sentence: str = ""
    old: BarTree | None = None
    new: BarTree | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give what JSON can hold."""
        return {
            "changed": self.changed,
            "kind": self.kind,
            "case": self.case,
            "depth": self.depth,
            "path": self.path,
            "sentence": self.sentence,
        }
