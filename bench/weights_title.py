"""Fit the weights of the best title, and the confidence of every method: ``make weights-title``.

    python bench/weights_title.py

A conditional logit over the candidates of each page: the softmax of their scores is the belief in each, and what is
climbed is the expected Dice coefficient, with a little of the log-likelihood of the best candidates. What each feature
weighs is declared beforehand, in whole numbers; a square penalty draws every weight to what was declared, so that
pages move it only as far as many sites agree, and no accident of the data can turn one around. Pages that agree on
their title teach as well, though nothing is weighed there; front pages that are called by whose they are do not, since
nothing of that is fitted. Pages come from the folder ``titles`` in
WINDROW_BENCH_DATA; those of one site are never on both sides.

The confidence of a title is a logistic model of whether it is right, which is to say, like the true one by at least
0.9 (Dice); it is fitted to what weights chose that had not seen the site.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from data import data_folder, titled_pages
from fitting import (
    Numbers,
    deal_sites,
    digest_of,
    find_reliability,
    fit_logistic,
    leave_sites_out,
    reliability_to_markdown,
    weigh_sites,
    write_weights,
)

import windrow
from windrow.title.best import AGREED, NAMED, read_agreement, read_candidates
from windrow.title.confidence import RIGHT, read_signals
from windrow.title.likeness import score_dice
from windrow.weights import Calibration

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from data import TitledPage
    from numpy.typing import NDArray

    from windrow.title.features import Features

Judged: TypeAlias = list[tuple[str, dict[str, float], bool]]
"""The site of each title, its signals, and whether it is right."""

DOCUMENT = Path(__file__).parent.parent / "docs" / "title.md"
RELIABILITY = re.compile(r"(?<=<!-- reliability -->\n).*?(?=<!-- end of reliability -->)", re.DOTALL)
FOLDS = 8
DEALS = 3
STEPS = 300
PENALTY = 20.0
"""How strongly a weight is drawn to the declared one, in pages."""
RATE = 0.05
SHARPNESS = 12.0
"""How much better a candidate must be to be wanted: one that is worse by 0.1 is wanted a third as much."""
GAIN, LIKELIHOOD = 4.8, 0.2
"""How much the expected Dice coefficient and the log-likelihood count."""
MIXED = "wcxb-dev"
"""The one collection with pages of all kinds, which count half as much again."""

FOR, AGAINST = 1, -1
HINT, PLAIN, DECISIVE = 1, 2, 3
DECLARED = {
    # the title tag
    "cut at colon": -PLAIN,
    "cut at comma": -PLAIN,
    "like tag": HINT,
    "not in tag": -PLAIN,
    "other is h2": -PLAIN,
    "rest is other": 0,
    "tag first": HINT,
    "text amid tag": -PLAIN,
    # what the page says to machines
    "like og": HINT,
    "og": HINT,
    "og first": HINT,
    # headings
    "h1 article": HINT,
    "h1 clear": HINT,
    "h1 only": HINT,
    "h1 strange": -PLAIN,
    "h1 title": HINT,
    "h2 for h1": PLAIN,
    "piece": PLAIN,
    "styled": PLAIN,
    # agreement
    "agreement": HINT,
    "stands free": HINT,
    # the address
    "address covered": HINT,
    "document": HINT,
    "program": -PLAIN,
    "query": DECISIVE,
    "within address": HINT,
    # the name of the site
    "name": -PLAIN,
    # the words
    "generic": -PLAIN,
    "generic start": -PLAIN,
    "lower": -PLAIN,
    "one word": -PLAIN,
}
"""The features that have a weight, and what each weighs before any page is seen; none passes zero, but where nothing
is declared. What speaks for a text is a hint, what speaks against it weighs twice as much; so does what takes the place
of a heading. What the address asks for by name decides.
"""
SIGNALS = {
    "best": {"margin": FOR, "agreement": FOR, "heading": FOR, "like tag": FOR},
    AGREED: {"parts": AGAINST},
    NAMED: {"score": FOR, "margin": FOR},
    "tta": {"score": FOR, "margin": FOR},
    "titlefinder": {"score": FOR, "margin": FOR},
    "tag": {"parts": AGAINST},
}
"""What the confidence in each method's title rests on."""
TABLES = {
    "best": "Where evidence was weighed",
    AGREED: "Where the page agrees on its title",
    NAMED: "Where a front page is called by whose it is",
}
"""The parts of the best method whose reliability its document shows."""


@dataclass(frozen=True)
class Page:
    """A page with a known title: its candidates with their features and their likeness to the true title."""

    row: TitledPage
    candidates: list[tuple[str, Features]]
    likeness: list[float]
    settled: float | None
    """The likeness of the title where nothing is weighed: the page agrees on it, or is a front page with a name."""
    is_named: bool
    """Whether it is such a front page."""
    methods: dict[str, tuple[dict[str, float], bool]]
    """The signals of the title by each method of the papers, and whether it is right."""


@dataclass(frozen=True)
class Choices:
    """The candidates of some pages in one matrix: features, likeness to the true title, and where each page begins."""

    features: Numbers
    likeness: Numbers
    starts: NDArray[np.intp]
    page: NDArray[np.intp]
    votes: Numbers

    def only(self, pages: NDArray[np.bool_]) -> Choices:
        """Return some of the pages."""
        rows = pages[self.page]
        sizes = np.diff([*self.starts, len(self.page)])[pages]
        page = np.repeat(np.arange(len(sizes)), sizes)
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        return Choices(self.features[rows], self.likeness[rows], starts, page, self.votes[pages])

    def spans(self) -> Iterator[slice]:
        """Yield where the candidates of each page are."""
        for start, end in zip(self.starts, [*self.starts[1:], len(self.page)], strict=True):
            yield slice(int(start), int(end))


def main() -> None:
    """Fit the weights and the calibrations, print what they reach, and write them."""
    pages = read_pages(titled_pages())
    choices = gather_choices(pages)
    weights = fit(choices)
    left_out = score_left_out(choices, pages)
    reached = measure_left_out(choices, pages)
    fitted = reach(choices, choices.features @ weights, pages)
    print(f"mean Dice: {reached.mean():.4f} on sites left out, {fitted.mean():.4f} on the pages that were fitted to")
    values = dict(zip(DECLARED, weights.tolist(), strict=True))
    print(f"weights that came to nothing: {', '.join(name for name in values if not round(values[name], 1)) or 'none'}")
    found = {
        method: calibrate(rows, SIGNALS[method]) for method, rows in gather_signals(pages, choices, left_out).items()
    }
    head = {
        "pages": len(pages),
        "sites": len({page.row.site for page in pages}),
        "digest": digest_of(data_folder("titles")),
        "right": f"Dice's coefficient with the true title is at least {RIGHT}",
        "mean Dice on sites left out": round(float(reached.mean()), 4),
        "reliability on sites left out": {method: table for method, (_, table) in found.items()},
    }
    calibrations = {method: calibration for method, (calibration, _) in found.items()}
    write_weights("title", head=head, values=values, calibrations=calibrations)
    write_reliability({method: reliability_to_markdown(table) for method, (_, table) in found.items()})


def write_reliability(tables_of: Mapping[str, str]) -> None:
    """Put the reliability of the best method's confidence into its document, in place of the tables that are there."""
    text = DOCUMENT.read_text("utf-8")
    tables = "\n\n".join(f"{heading}:\n\n{tables_of[method]}" for method, heading in TABLES.items())
    DOCUMENT.write_text(RELIABILITY.sub(f"\n{tables}\n\n", text, count=1), "utf-8")
    print(tables)


def read_pages(rows: Sequence[TitledPage]) -> list[Page]:
    """Read every candidate of every page, and what the methods of the papers choose."""
    found = []
    for row in rows:
        page = windrow.parse(row.html, url=row.url)
        reading = read_candidates(page.nodes, page.url)
        scored = {name: page.title(name).candidates for name in SIGNALS if name not in ("best", AGREED, NAMED)}
        methods = {
            name: (
                read_signals([(each.text, each.score) for each in candidates]),
                score_dice(candidates[0].text, row.title) >= RIGHT,
            )
            for name, candidates in {**scored, NAMED: reading.named}.items()
            if candidates
        }
        if reading.candidates:
            likeness = [score_dice(text, row.title) for text, _ in reading.candidates]
            settling = reading.agreed or (reading.named[0].text if reading.named else "")
            settled = score_dice(settling, row.title) if settling else None
            found.append(Page(row, reading.candidates, likeness, settled, bool(reading.named), methods))
    return found


def gather_choices(pages: Sequence[Page]) -> Choices:
    """Return the candidates of all pages in one matrix."""
    features = [[features.get(name, 0.0) for name in DECLARED] for page in pages for _, features in page.candidates]
    sizes = np.array([len(page.candidates) for page in pages])
    votes = weigh_sites([page.row.site for page in pages]) * [
        0.0 if page.is_named else 1.5 if page.row.corpus == MIXED else 1.0 for page in pages
    ]
    return Choices(
        np.array(features, np.float64),
        np.array([value for page in pages for value in page.likeness]),
        np.concatenate([[0], np.cumsum(sizes)[:-1]]),
        np.repeat(np.arange(len(pages)), sizes),
        votes / votes.mean(),
    )


def fit(choices: Choices) -> Numbers:
    """Climb the expected likeness and the log-likelihood of the best candidates, by Adam with a falling rate."""
    page, starts = choices.page, choices.starts
    best = np.maximum.reduceat(choices.likeness, starts)[page]
    wanted = np.exp((choices.likeness - best) * SHARPNESS)
    wanted /= np.add.reduceat(wanted, starts)[page]
    declared = np.array(list(DECLARED.values()), np.float64)
    lowest, highest = np.where(declared > 0, 0.0, -np.inf), np.where(declared < 0, 0.0, np.inf)
    weights, (mean, square) = declared, np.zeros((2, len(declared)))
    transposed = np.ascontiguousarray(choices.features.T)
    for step in range(1, STEPS + 1):
        scores = weights @ transposed
        belief = np.exp(scores - np.maximum.reduceat(scores, starts)[page])
        belief /= np.add.reduceat(belief, starts)[page]
        expected = np.add.reduceat(belief * choices.likeness, starts)[page]
        pull = LIKELIHOOD * (wanted - belief) + GAIN * belief * (choices.likeness - expected)
        slope = (transposed @ (choices.votes[page] * pull) - PENALTY * (weights - declared)) / choices.votes.sum()
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        speed = RATE * (0.52 + 0.5 * math.cos(math.pi * step / STEPS))
        weights = weights + speed * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weights = np.clip(weights, lowest, highest)
    return np.asarray(weights, np.float64)


def reach(choices: Choices, scores: Numbers, pages: Sequence[Page]) -> Numbers:
    """Return the likeness of each page's title: what settles it, or the candidate with the highest score."""
    weighed = [choices.likeness[span][int(np.argmax(scores[span]))] for span in choices.spans()]
    settled = [page.settled for page in pages]
    return np.array([one if other is None else other for one, other in zip(weighed, settled, strict=True)])


def score_left_out(choices: Choices, pages: Sequence[Page], deal: int = 0) -> Numbers:
    """Return the score of every candidate by weights that were fitted without the pages of its site."""
    scores, fold = np.zeros(len(choices.page)), deal_sites([page.row.site for page in pages], FOLDS, deal)
    for number in range(FOLDS):
        rows = (fold == number)[choices.page]
        scores[rows] = choices.features[rows] @ fit(choices.only(fold != number))
    return scores


def measure_left_out(choices: Choices, pages: Sequence[Page]) -> Numbers:
    """Return the likeness of each page's title by weights that had not seen its site, the mean of several deals."""
    reached = [reach(choices, score_left_out(choices, pages, deal), pages) for deal in range(DEALS)]
    return np.asarray(np.mean(reached, axis=0))


def gather_signals(pages: Sequence[Page], choices: Choices, scores: Numbers) -> dict[str, Judged]:
    """Return the titles of each method, judged; those of the best method by scores that had not seen the site."""
    judged: dict[str, Judged] = {method: [] for method in SIGNALS}
    for page, span in zip(pages, choices.spans(), strict=True):
        for method, (signals, is_right) in page.methods.items():
            judged[method].append((page.row.site, signals, is_right))
        order = np.argsort(-scores[span], kind="stable").tolist()
        signals = read_signals([(page.candidates[place][0], float(scores[span][place])) for place in order])
        signals |= read_agreement(page.candidates[order[0]][1])
        if page.settled is None:
            judged["best"].append((page.row.site, signals, page.likeness[order[0]] >= RIGHT))
        elif not page.is_named:
            judged[AGREED].append((page.row.site, signals, page.settled >= RIGHT))
    return judged


def calibrate(judged: Judged, signs: Mapping[str, int]) -> tuple[Calibration, list[dict[str, float]]]:
    """Fit the confidence to judged titles, and measure on sites left out how reliable it is."""
    sites = [site for site, _, _ in judged]
    signals = np.array([[signals[name] for name in signs] for _, signals, _ in judged])
    right = np.array([is_right for _, _, is_right in judged])
    ways = list(signs.values())
    model = fit_logistic(signals, right, weigh_sites(sites), signs=ways)
    stated = leave_sites_out(signals, right, sites, signs=ways)
    weights = dict(zip(signs, model.weights.tolist(), strict=True))
    return Calibration(model.bias, weights), find_reliability(stated, right)


if __name__ == "__main__":
    main()
