"""What a check says: whether the layout changed, how and where, and whether what is read is in doubt.

A page whose layout changed while every label is read as before is worth a note. Labels that are lost or in doubt are a
warning. A wall, or a page that shows nothing that was learned, stops whoever reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from windrow.wrapper.template.bartree import BarTree, Case

ChangeKind = Literal["same", "content", "template", "gone", "blocked"]
Severity = Literal["none", "note", "warning", "stop"]
STOPPING: tuple[ChangeKind, ...] = ("gone", "blocked")


@dataclass(frozen=True)
class Change:
    """The outcome of a check."""

    changed: bool
    """Whether the layout around what is read differs from the learned one."""
    kind: ChangeKind
    case: Case = "none"
    depth: int | None = None
    """How deep the first difference lies, the document's own element at 0."""
    path: str = ""
    """Where on the new page it is."""
    sentence: str = ""
    labels: tuple[str, ...] = ()
    """The labels whose values are lost or in doubt."""
    old: BarTree | None = None
    """The learned tree around the region."""
    new: BarTree | None = None
    """The page's, where it differs and there is a region."""

    @property
    def affected(self) -> bool:
        """Whether what the wrapper reads is in doubt."""
        return self.changed and (bool(self.labels) or self.kind in STOPPING)

    @property
    def severity(self) -> Severity:
        """How much it matters: nothing, a note, a warning, or a reason to stop."""
        if not self.changed:
            return "none"
        if self.kind in STOPPING:
            return "stop"
        return "warning" if self.affected else "note"

    def to_svg(self) -> str:
        """Draw the learned tree, and the new one beside it, with the depths marked at which they differ."""
        from windrow.wrapper.template.drawing import draw_svg  # noqa: PLC0415 - who does not draw need not load a drawing library

        return draw_svg(self._trees)

    def to_png(self) -> bytes:
        """Draw the same as a PNG file."""
        from windrow.wrapper.template.drawing import draw_png  # noqa: PLC0415 - as above

        return draw_png(self._trees)

    @property
    def _trees(self) -> list[BarTree]:
        return [tree for tree in (self.old, self.new) if tree is not None]

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {
            "changed": self.changed,
            "affected": self.affected,
            "severity": self.severity,
            "labels": list(self.labels),
            "kind": self.kind,
            "case": self.case,
            "depth": self.depth,
            "path": self.path,
            "sentence": self.sentence,
        }
