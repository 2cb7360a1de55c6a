"""How sure a title is: the share of titles with such signals that are right, as ``make weights-title`` measured it.

A title is right when its Dice coefficient with the true one is at least 0.9: the same but for a mark or a letter.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from windrow.title.likeness import score_dice
from windrow.title.segments import cut_segments
from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.title.result import Candidate

RIGHT = 0.9
"""Dice's coefficient from which on two titles are the same."""
WIDEST = 8.0
"""Margin beyond which more says nothing, and that of a candidate without a rival."""


def state_confidence(method: str, candidates: Sequence[Candidate], more: Mapping[str, float] | None = None) -> float:
    """Return the probability that the first of some candidates, best first, is right; ``more`` are signals beside."""
    signals = read_signals([(each.text, each.score) for each in candidates])
    return load_weights("title").calibrations[method].confidence({**signals, **(more or {})})


def read_signals(scored: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Return what scored texts, best first, tell of how sure the first is.

    ``score`` is its own, ``margin`` its lead over the first that is another title, and ``parts`` the logarithm of how
    many parts it can be cut into: a title with many is often one that should have been cut.
    """
    text, score = scored[0]
    rival = next((other for name, other in scored[1:] if score_dice(text, name) < RIGHT), -math.inf)
    return {"score": score, "margin": min(score - rival, WIDEST), "parts": math.log(max(1, len(cut_segments(text))))}
