"""What agreement in a feature adds: a choice among all candidates of a page, of which some show the true value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from detail_pages import comparable
from fitting import Numbers, weigh_sites

from windrow.wrapper import matching
from windrow.wrapper.extraction import PageReader
from windrow.wrapper.matching import Sought

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from wrapper_trials import Trial

    from windrow.wrapper.rule import Place

PENALTY = 10.0
"""On the weights of the features; of 0.1, 1, 10 and 100 it chooses best on sites left out."""
STEPS = 100


@dataclass(frozen=True)
class Choice:
    """The candidates for one place, alike ones together: how they agree, how many there are, and are right."""

    site: str
    agrees: NDArray[np.bool_]
    count: Numbers
    right: Numbers


def find_choices(trials: Sequence[Trial]) -> list[Choice]:
    """Return, for every place on every page that shows its value, the candidates."""
    return [
        choice
        for trial in trials
        for label, rules in trial.learn().rules.items()
        for known in trial.others
        if known.truth.get(label)
        for places in rules[0].values
        for place in places
        if not place.is_local
        and (choice := find_choice(trial.site, PageReader(known.page.nodes), place, known.truth[label]))
    ]


def find_choice(site: str, reader: PageReader, place: Place, truth: Sequence[str]) -> Choice | None:
    """Return the candidates for one place; None where there is nothing to choose."""
    sought = Sought([place])
    candidates = reader.candidates(place.location.steps[-1].tag)
    agrees, nodes = candidates.agreements(sought)
    wanted, location = set(map(comparable, truth)), place.location
    texts = [reader.text_at(node, location) for node in nodes.tolist()]
    right = np.array([comparable(text) in wanted for text in texts], bool)
    if not right.any() or right.all():
        return None
    patterns, which = np.unique(agrees.T, axis=0, return_inverse=True)
    count = np.bincount(which.ravel(), minlength=len(patterns)).astype(np.float64)
    return Choice(site, patterns, count, np.bincount(which.ravel(), right, len(patterns)).astype(np.float64))


class Choices:
    """Many choices as one table: a row for each pattern of agreement."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        """Put the patterns of all choices below each other."""
        self.rows = np.concatenate([choice.agrees for choice in choices]).astype(np.float64)
        self.count = np.concatenate([choice.count for choice in choices])
        self.right = np.concatenate([choice.right for choice in choices])
        self.group = np.repeat(np.arange(len(choices)), [len(choice.agrees) for choice in choices])
        self.votes = weigh_sites([choice.site for choice in choices])

    def shares(self, weights: Numbers, of: Numbers) -> Numbers:
        """Return how much of the chance of each choice falls to each row, where ``of`` says how many it stands for."""
        score = self.rows @ weights
        most = np.full(len(self.votes), -np.inf)
        np.maximum.at(most, self.group, score)
        chance = of * np.exp(score - most[self.group])
        return np.asarray(chance / np.bincount(self.group, chance)[self.group])

    def means(self, shares: Numbers) -> Numbers:
        """Return the mean row of each choice."""
        return np.stack([np.bincount(self.group, shares * column) for column in self.rows.T], axis=1)

    def is_right(self, weights: Numbers) -> Numbers:
        """Return, for each choice, the share of the best candidates that are right."""
        score = (self.rows @ weights).round(matching.DIGITS)
        most = np.full(len(self.votes), -np.inf)
        np.maximum.at(most, self.group, score)
        best = score == most[self.group]
        return np.asarray(np.bincount(self.group, self.right * best) / np.bincount(self.group, self.count * best))


def fit_choice(choices: Choices) -> Numbers:
    """Fit what agreement adds by Newton's method; a weight that would end below 0 is 0."""
    size = choices.rows.shape[1]
    free = np.ones(size, bool)
    while True:
        weights = np.zeros(size)
        for _ in range(STEPS):
            chance = choices.shares(weights, choices.count)
            mean, wanted = choices.means(chance), choices.means(choices.shares(weights, choices.right))
            slope = (choices.votes[:, None] * (wanted - mean)).sum(axis=0) - PENALTY * weights
            spread = (choices.rows * (choices.votes[choices.group] * chance)[:, None]).T @ choices.rows
            bend = spread - (mean * choices.votes[:, None]).T @ mean + PENALTY * np.eye(size)
            step = np.zeros(size)
            step[free] = np.linalg.solve(bend[np.ix_(free, free)], slope[free])
            weights += step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
            if np.abs(step).max() < 1e-8:  # noqa: PLR2004 - far below what is written
                break
        if (weights >= 0).all():
            return weights
        free[int(np.argmin(weights))] = False
