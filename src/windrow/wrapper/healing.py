"""Healing: after a template change the old values are found on the new page, verified, and learned again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windrow.errors import HealUncertain, RegionGone
from windrow.wrapper.extraction import Reader
from windrow.wrapper.pasting import Writing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windrow.nodes import Nodes
    from windrow.wrapper.rule import Rule


@dataclass(frozen=True)
class Bounds:
    """When a page counts as the learned one in a new dress."""

    heal: float = 0.99
    """Share of the old texts that must be there to heal without asking."""
    gone: float = 0.34
    """Below this share the text is gone."""


BOUNDS = Bounds()


@dataclass(frozen=True)
class HealReport:
    """What was found again, and where: old to new."""

    confidence: float
    moves: Mapping[str, tuple[str, str]]
    """The old and the new path of each label."""
    lost: tuple[str, ...] = ()
    """Labels whose values are no longer there."""
    sentence: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Give what JSON can hold."""
        return {
            "confidence": self.confidence,
            "moves": {label: list(paths) for label, paths in self.moves.items()},
            "lost": list(self.lost),
            "sentence": self.sentence,
        }


@dataclass(frozen=True)
class Healed:
    """The values to learn from, and the report."""

    values: Mapping[str, tuple[str, ...]]
    report: HealReport


def heal(nodes: Nodes, values: Mapping[str, tuple[str, ...]], rules: Mapping[str, tuple[Rule, ...]]) -> Healed:
    """Find the old values on the new page."""
    reader = Reader(nodes)
    writing = Writing(reader.evidence)
    texts = list(dict.fromkeys(text for found in values.values() for text in found))
    there = {text for text in texts if writing.find(text)}
    share = len(there) / max(1, len(texts))
    whole = {label: found for label, found in values.items() if all(text in there for text in found)}
    lost = tuple(label for label in values if label not in whole)
    report = HealReport(round(share, 3), {}, lost, f"{len(there)} of {len(texts)} learned texts are on the page.")
    if share < BOUNDS.gone or not whole:
        raise RegionGone("The learned text is no longer on the page. Paste another text from it.", report)
    if share < BOUNDS.heal:
        raise HealUncertain("Only some of the learned texts are on the page. Look at the report and decide.", report)
    return Healed(whole, report)
