"""How alike two texts are: the share of character pairs that they have in common."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TypeAlias
from unicodedata import normalize

Grams: TypeAlias = frozenset[tuple[str, str]]

SPELLINGS = (
    ("\u2018", "'"),
    ("\u2019", "'"),
    ("\u201c", '"'),
    ("\u201d", '"'),
    ("\u2013", "-"),
    ("\u2014", "-"),
)
"""Marks that one page writes in two ways."""


def score_dice(one: str, other: str) -> float:
    """Return Dice's coefficient over multisets of character pairs, case folded and white space collapsed.

    Equation 7 of TTA. Two empty texts are alike (1), an empty and a filled one are not (0); a text of one character has
    no pairs and is like nothing but itself.
    """
    one, other = fold_case(one), fold_case(other)
    if one == other:
        return 1.0
    counts, others = (Counter(map("".join, pairwise(text))) for text in (one, other))
    total = counts.total() + others.total()
    return 2 * (counts & others).total() / total if total else 0.0


def fold_case(text: str) -> str:
    """Fold the case of a text and collapse its white space."""
    return " ".join(text.casefold().split())


def fold(text: str) -> str:
    """Return the form in which texts of one page are compared: case, white space, width and marks folded."""
    return " ".join(fold_marks(text).casefold().split())


def fold_marks(text: str) -> str:
    """Write full-width letters, quotation marks and dashes in one way."""
    if not text.isascii():
        text = normalize("NFKC", text)
        for mark, plain in SPELLINGS:
            text = text.replace(mark, plain)
    return text


def grams(text: str) -> Grams:
    """Return the set of character pairs of a text."""
    return frozenset(pairwise(text))


def alike(one: Grams, other: Grams) -> float:
    """Return Dice's coefficient of two sets of pairs; 0 where both are empty."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


def most_alike(one: Grams, others: tuple[Grams, ...]) -> float:
    """Return the largest likeness to any of several sets; 0 where there is none."""
    return max((alike(one, other) for other in others), default=0.0)


def share(part: Grams, whole: Grams) -> float:
    """Return the share of pairs of the first set that the second has too."""
    return len(part & whole) / len(part) if part else 0.0
