"""Ranker (TOPK, third stage): which candidate is the list, and how sure that is.

The paper's score is a weighted sum of P-Score, how well the names fit the concept of the title, and V-Score, how much
of the page the list takes. Ours is a weighted sum of what was measured of each candidate, fitted so that right
candidates beat the others of their page.
Departures: neither P-Score nor V-Score is part of the sum, since on sites left out no list is chosen better with them;
the share of the best candidate among all says how clear the choice is; of a list that is shown several times the one
with the descriptions is taken.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from windrow.toplist.measurements import Measurements
    from windrow.toplist.promise import Promise

NO_WORD = re.compile(r"\W+")


@dataclass(frozen=True)
class Parameters:
    """When two candidates are the same list; set by what pages do, not fitted."""

    twins: float = 4.0
    """How much less than the best the same list elsewhere may score and still be taken for its descriptions."""
    long: int = 20
    """Items from which on a list counts as found although a few lines at its ends are in doubt."""
    overlap: float = 0.9
    """Share of its lines that two candidates for such a list have in common."""
    clearest: float = 6.0
    """Log-odds of the share beyond which a choice is as clear as can be."""
    surest: float = 0.98
    """Probability of a title beyond which it promises as surely as can be."""


PARAMETERS = Parameters()


@dataclass(frozen=True)
class Choice:
    """The best candidate, and how sure it is."""

    place: int
    """Which candidate."""
    score: float
    share: float
    """The share of the candidate, and of others that name the same things, among all."""
    scores: tuple[float, ...]

    def signals(self, promise: Promise) -> dict[str, float]:
        """Return what the probabilities of the list and of the verdict are made of."""
        clear, sure = 1 / (1 + math.exp(-PARAMETERS.clearest)), PARAMETERS.surest
        return {
            "score": self.score,
            "margin": _log_odds(min(self.share, clear)),
            "title": _log_odds(min(max(promise.score, 1 - sure), sure)),
        }


def _log_odds(chance: float) -> float:
    return math.log(chance / (1 - chance))


def choose_candidate(measured: Measurements, weights: Mapping[str, float]) -> Choice:
    """Score all candidates and return the best."""
    names = list(weights)
    scores = measured.matrix(names) @ np.array([weights[name] for name in names])
    best = int(scores.argmax())
    twins = find_twins(measured, best)
    odds = np.exp(scores - scores.max())
    same = np.zeros(len(odds), dtype=bool)
    same[twins] = same[find_overlapping(measured, best)] = True
    share = float(odds[same].sum() / odds.sum())
    near = [place for place in twins if scores[place] > scores[best] - PARAMETERS.twins]
    described = measured.columns["described"]
    chosen = max(near, key=lambda place: (described[place], scores[place]))
    return Choice(chosen, float(scores[best]), share, tuple(scores.tolist()))


def find_twins(measured: Measurements, best: int) -> NDArray[np.int64]:
    """Return the candidates that name the same things as one of them, itself included."""
    words = cache(lambda line: frozenset(NO_WORD.split(measured.names[line].lower())) - {""})
    own = measured.candidates[best].lines
    found = []
    for place, candidate in enumerate(measured.candidates):
        if len(candidate) == len(own):
            pairs = ((words(a), words(b)) for a, b in zip(candidate.lines, own, strict=True))
            if all(a <= b or b <= a for a, b in pairs):
                found.append(place)
    return np.array(found)


def find_overlapping(measured: Measurements, best: int) -> NDArray[np.int64]:
    """Return the candidates that share nearly all lines with a long one, itself included; of a short one, itself."""
    own = frozenset(measured.candidates[best].lines)
    if len(own) < PARAMETERS.long:
        return np.array([best])
    most = [max(len(own), len(candidate)) for candidate in measured.candidates]
    common = [len(own.intersection(candidate.lines)) for candidate in measured.candidates]
    return np.flatnonzero(np.array(common) >= PARAMETERS.overlap * np.array(most))
