"""The trained weights of the title classifier: a logistic regression over named features, read on first use."""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FILE = "model.json"
CLIP = 30.0


@cache
def load_weights() -> Mapping[str, float]:
    """Read the weights that the training wrote."""
    weights: dict[str, float] = orjson.loads((files(__package__) / FILE).read_bytes())
    return weights


def score_features(names: Iterable[str], weights: Mapping[str, float]) -> float:
    """Give the probability of a promise; features that the training never met count nothing."""
    total = sum(weights.get(name, 0.0) for name in names)
    return 1.0 / (1.0 + math.exp(-min(max(total, -CLIP), CLIP)))
