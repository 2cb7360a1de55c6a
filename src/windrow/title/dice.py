"""How alike two texts are: the share of character pairs that they have in common."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise


def score_dice(one: str, other: str) -> float:
    """Give Dice's coefficient over multisets of character pairs, case folded and white space collapsed.

    Equation 7 of TTA. Two empty texts are alike (1), an empty and a filled one are not (0); a text of one character has
    no pairs and is like nothing but itself.
    """
    one, other = fold_case(one), fold_case(other)
    if one == other:
        return 1.0
    return score_pairs(pairs(one), pairs(other))


def fold_case(text: str) -> str:
    """Fold the case of a text and collapse its white space."""
    return " ".join(text.casefold().split())


def pairs(text: str) -> Counter[str]:
    """Count the pairs of neighbouring characters."""
    return Counter(map("".join, pairwise(text)))


def score_pairs(one: Counter[str], other: Counter[str]) -> float:
    """Give Dice's coefficient of two counts of pairs; 0 where neither has any."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0
