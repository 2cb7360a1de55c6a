"""Ranker (TOPK, third stage): which candidate is the list, and how sure that is.

The paper's score is a weighted sum of P-Score, how well the names fit the concept of the title, and V-Score, how much
of the page the list takes. Ours adds what else was measured, all in one weighted sum; the weights stand in one file
that a command tunes on labelled pages.
Departures: the share of the best candidate among all says how sure the choice is; of a list that is shown several
times the one with the descriptions is taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from windrow.toplist.evidence import Evidence

FILE = "ranker.json"
NO_WORD = re.compile(r"\W+")


@dataclass(frozen=True)
class Parameters:
    """When a choice counts; tuned on labelled pages, half of the sites against the other half."""

    twins: float = 4.0
    """How much less than the best the same list elsewhere may score and still be taken for its descriptions."""
    long: int = 20
    """Items from which on a list counts as found although a few lines at its ends are in doubt."""
    overlap: float = 0.9
    """Share of its lines that two candidates for such a list have in common."""
    least_score: float = 2.0
    """Below this, the best candidate looks like no list at all."""
    least_share: float = 0.45
    """Below this, another list is nearly as likely."""
    least_share_off: float = 0.7
    """The same for lists that have another length than promised."""
    verdict_score: float = -0.5
    """Below this, the title promises what the page does not hold."""
    likely_title: float = 0.65
    """A title that is a promise for itself."""
    possible_title: float = 0.12
    """A title that is one where the page counts just so many items."""
    certain_title: float = 0.9


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


@cache
def load_weights() -> Mapping[str, float]:
    """Read the weights that the tuning wrote; "bias" is added to every score."""
    weights: dict[str, float] = orjson.loads((files(__package__) / FILE).read_bytes())
    return weights


def choose_candidate(evidence: Evidence, weights: Mapping[str, float]) -> Choice:
    """Score all candidates and give the best."""
    names = [name for name in weights if name != "bias"]
    scores = evidence.matrix(names) @ np.array([weights[name] for name in names]) + weights.get("bias", 0.0)
    best = int(scores.argmax())
    twins = find_twins(evidence, best)
    odds = np.exp(scores - scores.max())
    same = np.zeros(len(odds), dtype=bool)
    same[twins] = same[find_overlapping(evidence, best)] = True
    share = float(odds[same].sum() / odds.sum())
    near = [place for place in twins if scores[place] > scores[best] - PARAMETERS.twins]
    described = evidence.columns["described"]
    chosen = max(near, key=lambda place: (described[place], scores[place]))
    return Choice(chosen, float(scores[best]), share, tuple(scores.tolist()))


def find_twins(evidence: Evidence, best: int) -> NDArray[np.int64]:
    """Give the candidates that name the same things as one of them, itself included."""
    words = cache(lambda line: frozenset(NO_WORD.split(evidence.names[line].lower())) - {""})
    own = evidence.candidates[best].lines
    found = []
    for place, candidate in enumerate(evidence.candidates):
        if len(candidate.lines) == len(own):
            pairs = ((words(a), words(b)) for a, b in zip(candidate.lines, own, strict=True))
            if all(a <= b or b <= a for a, b in pairs):
                found.append(place)
    return np.array(found)


def find_overlapping(evidence: Evidence, best: int) -> NDArray[np.int64]:
    """Give the candidates that share nearly all lines with a long one, itself included; of a short one, itself."""
    own = frozenset(evidence.candidates[best].lines)
    if len(own) < PARAMETERS.long:
        return np.array([best])
    most = [max(len(own), len(candidate.lines)) for candidate in evidence.candidates]
    common = [len(own.intersection(candidate.lines)) for candidate in evidence.candidates]
    return np.flatnonzero(np.array(common) >= PARAMETERS.overlap * np.array(most))
