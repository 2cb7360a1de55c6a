"""Weights that commands fit and readers load: ``make weights-NAME`` writes a room's files, nobody edits them.

A file has a head that says what it was fitted on and what it reaches on sites left out, the weights by feature, the
thresholds by name, and the calibration, which turns a reader's signals into the share of such results that are right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from operator import mul
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "weights.json"
STEEPEST = 30.0
"""Log-odds beyond which a probability is as good as 0 or 1, and ``exp`` would only overflow."""


@dataclass(frozen=True)
class Calibration:
    """A logistic model from named signals to the probability that a result is right."""

    bias: float
    weights: Mapping[str, float]

    def confidence(self, signals: Mapping[str, float]) -> float:
        """Return the probability that a result with these signals is right; every signal must be given."""
        odds = self.bias + sum(map(mul, self.weights.values(), map(signals.__getitem__, self.weights)))
        return 1.0 / (1.0 + math.exp(-min(max(odds, -STEEPEST), STEEPEST)))


@dataclass(frozen=True)
class Weights:
    """What one command fitted."""

    head: Mapping[str, Any]
    """How many pages and sites, the digest of the data, and what was reached on sites left out."""
    bias: float
    values: Mapping[str, float]
    """By feature; a feature that has none counts nothing."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    """By what it is the confidence of."""


@cache
def load_weights(room: str, file: str = FILE) -> Weights:
    """Return the weights of a room, read once."""
    plain = orjson.loads((files("windrow") / room / file).read_bytes())
    calibrations = {
        name: Calibration(found["bias"], found["weights"]) for name, found in plain.get("calibrations", {}).items()
    }
    return Weights(plain["head"], plain["bias"], plain["values"], plain.get("thresholds", {}), calibrations)
