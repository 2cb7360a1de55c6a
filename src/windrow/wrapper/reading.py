"""What was read of a label, and how sure that is: the votes of its places, what won, and what speaks for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from windrow.weights import load_weights
from windrow.wrapper.normalization import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windrow.wrapper.rule import Place

ELLIPSIS = "..."
"""What the character for it is in the form in which texts are compared."""
SIGNALS = tuple("lead likeness share support fresh anchored formatted complete agreement".split())
"""What the confidence in a label's values is worked out from, each from 0 to 1."""
WEIGHTS = load_weights("wrapper")


@dataclass(frozen=True)
class ReadValue:
    """One value that was read: its text, its node, and what would have been read instead."""

    text: str
    node: int
    runner_up: str = ""


@dataclass(frozen=True)
class Reading:
    """What was read of one label, and what speaks for it."""

    values: tuple[ReadValue, ...]
    signals: Mapping[str, float]

    @cached_property
    def confidence(self) -> float:
        """The probability that the values are right and complete."""
        return round(WEIGHTS.calibrations["value"].confidence(self.signals), 3)

    @property
    def texts(self) -> frozenset[str]:
        """The texts in the form in which they are compared."""
        return frozenset(folded(value.text) for value in self.values)


@dataclass(frozen=True)
class Vote:
    """What one place found."""

    place: Place
    node: int
    text: str
    likeness: float
    """How much of what is known of the place agrees."""
    lead: float
    """By how much less the next candidate with another text agrees."""
    rival: str
    """That candidate's text."""

    @property
    def signals(self) -> dict[str, float]:
        """What its probability is worked out from."""
        return {"lead": self.lead}

    @cached_property
    def probability(self) -> float:
        """The probability that it is right, by itself."""
        return WEIGHTS.calibrations["place"].confidence(self.signals)

    @property
    def weight(self) -> float:
        """How much it counts."""
        return self.probability * self.place.worth


@dataclass(frozen=True)
class Winner:
    """What the places of a value agreed on: all votes for the same text, the strongest first."""

    votes: list[Vote]
    share: float
    """Of the weight of all votes."""
    support: float
    """Of the worth of all places, those that found nothing among them."""
    rival: str
    is_fresh: bool = True
    """Whether it is another text than the learned one."""

    @property
    def best(self) -> Vote:
        """The strongest vote."""
        return self.votes[0]


def by_text(votes: Iterable[Vote]) -> dict[str, list[Vote]]:
    """Group votes by their texts in the form in which they are compared; one that is cut short goes with the whole."""
    groups: dict[str, list[Vote]] = {}
    for vote in votes:
        groups.setdefault(folded(vote.text), []).append(vote)
    for text in [text for text in groups if text.endswith(ELLIPSIS)]:
        stem = text.rstrip(".")
        if whole := next((other for other in groups if other != text and stem and other.startswith(stem)), None):
            groups[whole] += groups.pop(text)
    return groups
