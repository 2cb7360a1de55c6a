"""Fit the weights of the best title, and see what they reach on sites that were left out.

    python bench/title_tuning.py

A conditional logit over the candidates of each page, with the expected Dice coefficient as its gain and a square
penalty, on the features that have a weight already. Pages come from the folder ``titles`` in WINDROW_BENCH_DATA.
"""

from __future__ import annotations

import math
import statistics
import zlib
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
from data import TitledPage, titled_pages
from numpy.typing import NDArray

import windrow
from windrow.title.best import read_candidates
from windrow.title.dice import score_dice
from windrow.title.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FOLDS = 8
DEALS = 3
FRONT = " on a front page"
UNTAUGHT = frozenset({"large", "elsewhere"})
"""Features that no page of the data has."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Choices:
    """The candidates of all pages in one matrix: features, likeness to the true title, and where each page begins."""

    features: NDArray[np.float32]
    likeness: NDArray[np.float32]
    starts: NDArray[np.intp]
    page: NDArray[np.intp]
    votes: NDArray[np.float32]

    def only(self, pages: NDArray[np.bool_]) -> Choices:
        """Keep some of the pages."""
        rows = pages[self.page]
        sizes = np.diff([*self.starts, len(self.page)])[pages]
        page = np.repeat(np.arange(len(sizes)), sizes)
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        return Choices(self.features[rows], self.likeness[rows], starts, page, self.votes[pages])


def main() -> None:
    """Fit the weights, on sites by turns and on all, and print what they reach and what they are."""
    names, choices, kept = read_choices(titled_pages())
    weights = fit(choices)
    for label, values in (("sites left out", leave_sites_out(choices, kept)), ("all pages", reach(choices, weights))):
        by = sorted(zip((row.corpus for row in kept), values.tolist(), strict=True))
        parts = [
            f"{c} {statistics.fmean(v for _, v in group):.3f}" for c, group in groupby(by, key=lambda pair: pair[0])
        ]
        print(f"{label}: {values.mean():.4f} ({', '.join(parts)})")
    for name, weight in zip(names, weights, strict=True):
        print(f"{name:<30} {weight:+.2f}")


def leave_sites_out(choices: Choices, rows: Sequence[TitledPage]) -> Numbers:
    """Give the likeness of the title of each page by weights that were fitted without the pages of its site.

    Sites are dealt into parts in several ways, and the mean counts.
    """
    found = np.zeros(len(rows))
    for deal in range(DEALS):
        part = np.array([zlib.crc32(f"{deal} {row.site}".encode()) % FOLDS for row in rows])
        for number in range(FOLDS):
            weights = fit(choices.only(part != number))
            found[part == number] += reach(choices.only(part == number), weights) / DEALS
    return found


def read_choices(rows: Sequence[TitledPage]) -> tuple[list[str], Choices, list[TitledPage]]:
    """Read the features of every candidate of every page; those of front pages once more under a name of their own."""
    pages: list[list[dict[str, float]]] = []
    kept: list[TitledPage] = []
    likeness: list[float] = []
    for row in rows:
        page = windrow.parse(row.html, url=row.url)
        is_front, candidates = read_candidates(page.nodes, page.url)
        if candidates:
            pages.append([_with_front(features, is_front=is_front) for _, features in candidates])
            kept.append(row)
            likeness += [score_dice(text, row.title) for text, _ in candidates]
    names = [name for name, (always, _) in WEIGHTS.items() if always and name not in UNTAUGHT]
    names += [f"{name}{FRONT}" for name, (_, front) in WEIGHTS.items() if front and name not in UNTAUGHT]
    column = {name: number for number, name in enumerate(names)}
    features = np.zeros((len(likeness), len(names)), dtype=np.float32)
    for number, values in enumerate(f for page in pages for f in page):
        for name, value in values.items():
            if name in column:
                features[number, column[name]] = value
    sizes = np.array([len(page) for page in pages])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return (
        names,
        Choices(features, np.array(likeness, np.float32), starts, np.repeat(np.arange(len(pages)), sizes), vote(kept)),
        kept,
    )


def _with_front(features: dict[str, float], *, is_front: bool) -> dict[str, float]:
    return {**features, **{f"{name}{FRONT}": value for name, value in features.items()}} if is_front else features


def vote(rows: Iterable[TitledPage]) -> NDArray[np.float32]:
    """Let pages of one site share their vote, and those of the largest corpus, which has all kinds, count for more."""
    rows = list(rows)
    sites = Counter(row.site for row in rows)
    largest = Counter(row.corpus for row in rows).most_common(1)[0][0]
    votes = np.array([sites[row.site] ** -0.5 * (1.5 if row.corpus == largest else 1.0) for row in rows], np.float32)
    return np.asarray(votes / votes.mean(), np.float32)


def fit(choices: Choices, steps: int = 300, penalty: float = 0.3, rate: float = 0.05) -> NDArray[np.float32]:
    """Climb the expected likeness and the log-likelihood of the best candidates, by Adam with a falling rate."""
    page, starts = choices.page, choices.starts
    best = np.maximum.reduceat(choices.likeness, starts)[page]
    wanted = np.exp((choices.likeness - best) * 12)
    wanted /= np.add.reduceat(wanted, starts)[page]
    transposed = np.ascontiguousarray(choices.features.T)
    weights = np.zeros(len(transposed), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        scores = choices.features @ weights
        belief = np.exp(scores - np.maximum.reduceat(scores, starts)[page])
        belief /= np.add.reduceat(belief, starts)[page]
        expected = np.add.reduceat(belief * choices.likeness, starts)[page]
        pull = 0.2 * (wanted - belief) + 4.8 * belief * (choices.likeness - expected)
        slope = (transposed @ (choices.votes[page] * pull) - penalty * weights) / choices.votes.sum()
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        speed = rate * (0.52 + 0.5 * math.cos(math.pi * step / steps))
        weights += (speed * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)).astype(np.float32)
    return weights


def reach(choices: Choices, weights: NDArray[np.float32]) -> Numbers:
    """Give the likeness of the candidate that is chosen on each page."""
    scores = choices.features @ weights
    ends = [*choices.starts[1:], len(scores)]
    chosen = [start + int(np.argmax(scores[start:end])) for start, end in zip(choices.starts, ends, strict=True)]
    return choices.likeness[chosen].astype(np.float64)


if __name__ == "__main__":
    main()
