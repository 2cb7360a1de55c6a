"""Fit how places are compared and how sure a value is, from detail pages and redesigns with known values, by site.

    WINDROW_BENCH_DATA=… python bench/weights_wrapper.py

1. What agreement in each feature adds: a choice among all candidates of a page, of which those that show the true value
   are right (conditional logit, no weight below 0).
2. How sure a place is by itself, from its lead over the next candidate.
3. How sure a value is, from its places and how far they agree: the confidence. What counts is fitted with pages that
   were changed, where more is wrong; what a confidence says is then scaled to pages as they are.
4. How sure a cell of a list is, from what reads it and from its row.
5. From which likeness of its fingerprint on a page of another address shows the learned template.

Whatever is measured on a site comes from a fit without it; examples and pages are drawn with fixed seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
from data import data_folder
from detail_pages import comparable, read_sites
from fitting import (
    DIGITS,
    Logistic,
    Numbers,
    deal_sites,
    digest_of,
    find_reliability,
    fit_logistic,
    leave_sites_out,
    reliability_to_markdown,
    weigh_sites,
    write_into,
    write_weights,
)
from list_cells import read_cells
from place_choices import Choices, find_choices, fit_choice
from template_likeness import find_cut, find_templates, leave_cut_out
from wrapper_trials import Trial, change_pages, draw_trials

from windrow.weights import Calibration, Weights
from windrow.wrapper import matching, reading
from windrow.wrapper.extraction import PageReader
from windrow.wrapper.lists.confidence import SIGNALS as CELL
from windrow.wrapper.location import FEATURES
from windrow.wrapper.reading import SIGNALS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

FOLDS = 8
SINGLE, SEVERAL = 3, 2
"""So many times a site is learned from one example, and from three."""
EXAMPLES = 3
FINEST = 10.0**-DIGITS
"""Steps of a threshold: as fine as confidence is stated, for most of what is read lies between .95 and 1."""
MOST_WRONG = 0.01
"""Share of the values given that may be wrong."""
LEAST_CONFIDENCE = 0.9
"""Below this a value is doubtful however few are wrong in all: where pages change, two in five of such are."""
DRAWS, SURE = 2000, 0.95
"""So many times the sites are drawn anew, and the share of draws that a bound holds for."""
LEAST_CELL = 0.5
"""Below this a cell is doubtful however few are wrong in all: it is more likely wrong than right."""
ASKED_ROWS = 2
"""Pasted rows that the threshold of cells holds for: people are told to paste two."""
PLACE, VALUE = ("lead",), SIGNALS
DOCUMENT = Path(__file__).parents[1] / "docs" / "wrapper.md"
MARKS = ("values of pages as they are", "values of changed pages", "cells of lists")
"""What stands before the tables of reliability in the document."""
PROVISIONAL = Calibration(-3.0, {"lead": 3.0, "share": 3.0})
"""How sure a value is while that is being fitted: as sure as its places are."""


@contextmanager
def using(weights: Weights) -> Iterator[None]:
    """Let the room decide by other weights than those it loaded."""
    agree = np.array([weights.values.get(name, 0.0) for name in FEATURES])
    with patch.object(matching, "AGREE", agree), patch.object(reading, "WEIGHTS", weights):
        yield


# How sure a place and a value are.


def find_votes(trial: Trial) -> list[tuple[Mapping[str, float], bool]]:
    """Return the signals of all places of a wrapper on the other pages, and whether they found a true value."""
    wrapper, found = trial.learn(), list[tuple[Mapping[str, float], bool]]()
    for known in trial.others:
        reader = PageReader(known.page.nodes, is_home=False)
        for label, rules in wrapper.rules.items():
            wanted = set(map(comparable, known.truth.get(label, ())))
            votes = [vote for rule in rules for places in rule.values for vote in reader.votes(places)]
            found += [(vote.signals, comparable(vote.text) in wanted) for vote in votes if label in known.truth]
    for page in trial.strangers:
        reader = PageReader(page.nodes, is_home=False)
        places = [values for rules in wrapper.rules.values() for rule in rules for values in rule.values]
        found += [(vote.signals, False) for some in places for vote in reader.votes(some)]
    return found


def find_readings(trial: Trial) -> list[tuple[Mapping[str, float], bool]]:
    """Return the signals of each label that was found on the other pages, and whether its values are right."""
    wrapper, found = trial.learn(), list[tuple[Mapping[str, float], bool]]()
    for known in trial.others:
        for label, one in wrapper.read_labels(PageReader(known.page.nodes, is_home=False)).items():
            if label in known.truth:
                texts = [value.text for value in one.values]
                got, wanted = ({*map(comparable, some)} for some in (texts, known.truth[label]))
                found.append((one.signals, got == wanted))
    return found


@dataclass(frozen=True)
class Sample:
    """Signals by row, what was right, and whose rows they are."""

    signals: Numbers
    right: NDArray[np.bool_]
    sites: list[str]

    def and_more(self, other: Sample) -> Sample:
        """Return the rows of this one, then those of another."""
        return Sample(
            np.concatenate([self.signals, other.signals]),
            np.concatenate([self.right, other.right]),
            self.sites + other.sites,
        )

    def part(self, kept: NDArray[np.bool_]) -> Sample:
        """Return some of the rows."""
        return Sample(
            self.signals[kept], self.right[kept], [site for site, own in zip(self.sites, kept, strict=True) if own]
        )

    def leave_out(self) -> Numbers:
        """Return the probability of each row by a fit without its site."""
        signs = [1] * self.signals.shape[1]
        return leave_sites_out(self.signals, self.right, self.sites, signs=signs, folds=FOLDS)

    def fit(self, names: Sequence[str], fold: int | None = None) -> Calibration:
        """Fit a calibration, on the sites of all folds but one."""
        kept = deal_sites(self.sites, FOLDS) != fold
        votes = weigh_sites(self.sites)
        model = fit_logistic(self.signals[kept], self.right[kept], votes[kept], signs=[1] * len(names))
        return Calibration(model.bias, dict(zip(names, model.weights.tolist(), strict=True)))


def find_scale(stated: Numbers, sample: Sample) -> Logistic:
    """Return how the log-odds that were stated on sites left out become those that are true."""
    return fit_logistic(odds_of(stated)[:, None], sample.right, weigh_sites(sample.sites))


def odds_of(chance: Numbers) -> Numbers:
    """Return the log-odds of probabilities."""
    return np.asarray(np.log(chance / (1 - chance)))


def rescale(found: Calibration, scale: Logistic) -> Calibration:
    """Return a calibration whose log-odds are scaled."""
    factor = float(scale.weights[0])
    weights = {name: weight * factor for name, weight in found.weights.items()}
    return Calibration(scale.bias + factor * found.bias, weights)


def leave_scale_out(sample: Sample, is_plain: NDArray[np.bool_]) -> Numbers:
    """Return the probability of each row by a fit, scaled to plain pages, both without its site."""
    found, fold = np.zeros(len(sample.right)), deal_sites(sample.sites, FOLDS)
    for number in np.unique(fold):
        out = fold == number
        kept, plain = sample.part(~out), is_plain[~out]
        scale = find_scale(kept.leave_out()[plain], kept.part(plain))
        model = rescale(kept.fit(VALUE), scale)
        weights = np.array([model.weights[name] for name in VALUE])
        found[out] = Logistic(model.bias, weights).probability(sample.signals[out])
    return found


def gather(
    trials: Sequence[Trial],
    names: Sequence[str],
    weights: Sequence[Weights],
    find: Callable[[Trial], list[tuple[Mapping[str, float], bool]]],
) -> Sample:
    """Read every site by the weights that were fitted without it."""
    signals, right, sites = [], [], []
    for trial, fold in zip(trials, deal_sites([trial.site for trial in trials], FOLDS), strict=True):
        with using(weights[fold]):
            for found, is_right in find(trial):
                signals.append([found[name] for name in names])
                right.append(is_right)
                sites.append(trial.site)
    return Sample(np.array(signals), np.array(right), sites)


def make_weights(agree: Numbers, place: Calibration) -> Weights:
    """Return weights as the room would load them."""
    values = dict(zip(FEATURES, agree.tolist(), strict=True))
    return Weights({}, 0.0, values, {}, {"place": place, "value": PROVISIONAL})


def find_threshold(stated: Numbers, right: NDArray[np.bool_], lowest: float) -> float:
    """Return the least confidence from which on few enough values are wrong, on sites left out."""
    for least in np.arange(lowest, 1.0, FINEST).round(DIGITS):
        if (~right[stated >= least]).mean() <= MOST_WRONG:
            return float(least)
    return 1.0


@dataclass(frozen=True)
class Bound:
    """The share of wrong values as a mean over sites, and what it stays below in nineteen of twenty draws of sites."""

    mean: float
    most: float


def bound_wrong(stated: Numbers, sample: Sample, least: float) -> Bound:
    """Return how much is wrong from a confidence on: pages of one site are right or wrong together, so sites count."""
    kept = stated >= least
    wrong, owners = ~sample.right[kept], np.array(sample.sites)[kept]
    shares = np.array([wrong[owners == site].mean() for site in np.unique(owners)])
    draws = np.random.default_rng(0).choice(shares, (DRAWS, len(shares))).mean(axis=1)
    return Bound(float(shares.mean()), float(np.quantile(draws, SURE)))


# How sure a cell of a list is.


@dataclass(frozen=True)
class CellFit:
    """The calibration of cells, from which confidence on they are given, and what is true of them on sites left out."""

    calibration: Calibration
    threshold: float
    reliability: list[dict[str, float]]


def fit_cells() -> CellFit:
    """Fit how sure the cells of lists are."""
    cells = read_cells()
    sample = Sample(
        np.array([[cell.signals[name] for name in CELL] for cell in cells]),
        np.array([cell.is_right for cell in cells]),
        [cell.site for cell in cells],
    )
    stated, asked = sample.leave_out(), np.array([cell.pasted == ASKED_ROWS for cell in cells])
    threshold = find_threshold(stated[asked], sample.right[asked], LEAST_CELL)
    return CellFit(sample.fit(CELL), threshold, find_reliability(stated, sample.right, sites=sample.sites))


def main() -> int:
    """Fit, write, and print what was reached on sites left out."""
    sites = read_sites()
    single, several = draw_trials(sites, 1, SINGLE), draw_trials(sites, EXAMPLES, SEVERAL)

    choices = find_choices(single)
    fold, reached, agree = deal_sites([choice.site for choice in choices], FOLDS), [], []
    for number in range(FOLDS):
        kept = Choices([choice for choice, own in zip(choices, fold, strict=True) if own != number])
        agree.append(fit_choice(kept))
        if (fold == number).any():
            out = Choices([choice for choice, own in zip(choices, fold, strict=True) if own == number])
            reached += out.is_right(agree[-1]).tolist()
    whole = fit_choice(Choices(choices))
    print(f"{len(choices)} choices among candidates, right on sites left out: {np.mean(reached):.1%}")
    print(", ".join(f"{name} {weight:.2f}" for name, weight in zip(FEATURES, whole, strict=True)))

    start = Calibration(0.0, dict.fromkeys(PLACE, 0.0))
    votes = gather(single, PLACE, [make_weights(part, start) for part in agree], find_votes)
    weights = [make_weights(part, votes.fit(PLACE, number)) for number, part in enumerate(agree)]
    plain = gather([*single, *several], VALUE, weights, find_readings)
    changed_pages = [*change_pages(sites, 1), *change_pages(sites, EXAMPLES)]
    values = plain.and_more(gather(changed_pages, VALUE, weights, find_readings))
    is_plain = np.arange(len(values.right)) < len(plain.right)
    raw, stated = values.leave_out()[is_plain], leave_scale_out(values, is_plain)
    scale = find_scale(raw, plain)
    least = find_threshold(stated[is_plain], plain.right, LEAST_CONFIDENCE)
    bound = bound_wrong(stated[is_plain], plain, least)
    print(f"wrong from {least} on: mean over sites {bound.mean:.2%}, in 19 of 20 draws of sites below {bound.most:.2%}")
    reliability = find_reliability(stated[is_plain], plain.right, sites=plain.sites)
    changed_ones = values.part(~is_plain)
    of_changed = find_reliability(stated[~is_plain], changed_ones.right, sites=changed_ones.sites)
    cells = fit_cells()
    for mark, rows in zip(MARKS, (reliability, of_changed, cells.reliability), strict=True):
        write_into(DOCUMENT, f"<!-- {mark} by make weights-wrapper -->", reliability_to_markdown(rows))

    likeness, changed, owners = find_templates(sites)
    told = leave_cut_out(likeness, changed, owners)
    print(f"changed templates on sites left out: F1 {told:.1%}")
    head = {
        "pages": sum(map(len, sites.values())),
        "sites": len(sites),
        "digest": digest_of(data_folder("wrappers")),
        "digest of changes": digest_of(data_folder("changes")),
        "digest of records": digest_of(data_folder("records")),
        "left out": {
            "places chosen right": round(float(np.mean(reached)), 3),
            "changed templates, F1": round(told, 3),
            "values": len(plain.right),
            "right": round(float(plain.right.mean()), 3),
            "wrong of the values given, mean over sites and bound": [round(bound.mean, 4), round(bound.most, 4)],
            "reliability": reliability,
            "reliability of cells": cells.reliability,
        },
    }
    write_weights(
        "wrapper",
        head=head,
        values=dict(zip(FEATURES, whole.tolist(), strict=True)),
        thresholds={
            "template": find_cut(likeness, changed),
            "value": least,
            "cell": cells.threshold,
        },
        calibrations={"place": votes.fit(PLACE), "value": rescale(values.fit(VALUE), scale), "cell": cells.calibration},
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
