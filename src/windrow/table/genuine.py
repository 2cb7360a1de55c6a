"""Is a grid a table that a reader would want as one? A weighed sum of the evidence, with its reasons in words.

The weights and the calibration are fitted to labelled tables of real pages by ``make weights-table``; each measure's
part in the sum can be read off, which is what the reasons do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windrow.table.grid import Grid

MOST_REASONS = 3
MARKED_FILE, UNMARKED_FILE = "weights.json", "unmarked.json"
"""What grids are judged by that their author marked as one, and what others are."""
WORDS = {"rows": "many rows", "colons": "labels with colons", "digits": "numbers", "named": "heading cells"}
"""What the measures that speak for a table say."""


@dataclass(frozen=True)
class Judgement:
    """How sure it is that a grid is a table, and what made it so, strongest first."""

    confidence: float
    reasons: tuple[str, ...]


def judge(grid: Grid, measures: Mapping[str, float]) -> Judgement:
    """Weigh the evidence."""
    weights = load_weights("table", MARKED_FILE if grid.is_marked else UNMARKED_FILE)
    parts = {name: weight * measures[name] for name, weight in weights.values.items()}
    confidence = weights.calibrations[grid.kind].confidence({"score": weights.bias + sum(parts.values())})
    # Heading cells count by what they make up for: empty cells, and columns that are all alike.
    parts["named"] = -measures["named"] * sum(
        weights.values.get(f"{name}_unnamed", 0.0) * measures[name] for name in ("empty", "uniform")
    )
    told = sorted((-parts[name], words) for name, words in WORDS.items() if parts.get(name, 0.0) > 0)
    return Judgement(round(confidence, 4), tuple(words for _, words in told[:MOST_REASONS]))
