"""Fit the weights of the best region, calibrate the confidence of all, and write ``region/weights.json``.

    python bench/weights_region.py

A conditional logit over the groups of each page, laid out and by structure alone, with a square penalty; each weight
has a sign that was declared beforehand. A region is right when the F1 of its records with the true list is at least
0.8. Pages come from the folder ``records`` in WINDROW_BENCH_DATA, as they are and cut to a few records, and those of
one site are left out together. What is
reached, and what without each of the measures, goes into ``docs/regions.md``.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from data import data_folder, read_rows
from fitting import (
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
from list_mutations import SHORT, agreement
from records_truth import Truth
from region_stress import read_html, rewrite

import windrow
from windrow.region.best import PARAMETERS, Choice, choose_groups, find_candidates
from windrow.region.emine import find_emine_records
from windrow.region.mdr import find_mdr_records
from windrow.region.measures import PageMeasures
from windrow.region.ranking import read_features
from windrow.weights import Calibration

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from windrow.nodes import Nodes
    from windrow.region.groups import Group

    Places = NDArray[np.intp]

SIGNS = {
    "share": 1,
    "count": 1,
    "texts": 1,
    "links": -1,
    "linked": 1,
    "pictures": 1,
    "headings": 1,
    "uneven": -1,
    "aside": -1,
    "main": 1,
}
"""Which way each measure counts."""
RIGHT = 0.8
"""The F1 of its records from which on a region is right."""
SHARPNESS = 12.0
"""How much more than one a tenth of F1 lower a group is wanted: e to the power of a tenth of it."""
PENALTY = 5.0
FOLDS = 8
STEPS = 100
DOCUMENT = Path(__file__).parent.parent / "docs" / "regions.md"
RELIABILITY, ABLATION = "<!-- made by make weights-region -->", "<!-- ablation by make weights-region -->"
BUCKETS = 5
"""Parts of the confidence in the table: the tenths in the middle have a handful of results each."""
NEARLY_NONE = 0.01
"""Share of right lists that may be taken for none."""
SHORT_VOTE = 0.1
"""How much a page counts that was shortened, beside one that is as it was found."""
MOST = 20
"""How many times as many records as there are a group may have before it is compared with them."""
LARGEST_FOR_MDR = 4000
"""Nodes of a page up to which MDR is tried: it compares everything with everything."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The groups of one page, what is measured of each, and how well it agrees with the truth."""

    site: str
    measures: PageMeasures
    groups: list[Group]
    features: Mapping[str, Numbers]
    agreement: Numbers
    votes: float = 1.0
    """How much the page counts beside the others of its site."""

    @property
    def name(self) -> str:
        """How the page is read."""
        if self.votes < 1:
            return "shortened"
        return "structure" if self.measures.nodes.layout is None else "laid out"

    def matrix(self, names: Sequence[str]) -> Numbers:
        """Return the features as one row a group."""
        return np.column_stack([self.features[name] for name in names])


def main() -> None:
    """Fit, measure on sites left out, and write."""
    folder = data_folder("records")
    rows = read_rows(folder / "records.jsonl")
    pages: list[Candidates] = []
    papers: dict[str, list[tuple[bool, bool]]] = {"emine": [], "mdr": []}
    for row in rows:
        for render in (True, False):
            page = windrow.load(folder / row["html_path"], url=f"https://{row['site']}/", render=render)
            if page.cut:
                sys.exit(f"{row['id']} was not read to its end: {page.cut}. Run again when the machine is less busy.")
            truth = Truth(page.nodes, row["truth"])
            pages.append(read_candidates(row["site"], page.nodes, truth))
            if not render:
                pages += shorten(row, folder)
            for name, found in read_papers(page.nodes, truth).items():
                papers[name] += found
    windrow.close()
    names = list(SIGNS)
    left_out = score_left_out(pages, names)
    write_into(DOCUMENT, ABLATION, ablate(pages, names, left_out))
    weights = fit(pages, names)
    nothing = find_nothing(pages, left_out)
    calibration, reliability = calibrate(pages, left_out, nothing)
    write_into(DOCUMENT, RELIABILITY, reliability_to_markdown(reliability, BUCKETS))
    write_weights(
        "region",
        head={
            "pages": len(rows),
            "sites": len({row["site"] for row in rows}),
            "data": digest_of(folder),
            "sites left out": reach(pages, left_out),
            "reliability": reliability,
        },
        values=dict(zip(names, weights.tolist(), strict=True)),
        thresholds={"nothing": nothing},
        calibrations={
            "best": calibration,
            **{name: calibrate_paper(found) for name, found in papers.items()},
        },
    )


def read_candidates(site: str, nodes: Nodes, truth: Truth) -> Candidates:
    """Measure the groups of a page."""
    measures = PageMeasures(nodes)
    groups = find_candidates(measures)
    agreement = np.array([truth.agreement(group.records) for group in groups])
    return Candidates(site, measures, groups, read_features(measures, groups), agreement)


def shorten(row: dict[str, Any], folder: Path) -> Iterator[Candidates]:
    """Measure a page with all but its first few records taken away: pages of few results are as real, and rare here."""
    html, url = read_html(folder, row), f"https://{row['site']}/"
    for _, short, texts in rewrite(html, url, row, [f"{count} records" for count in SHORT]):
        nodes = windrow.parse(short, url=url).nodes
        measures = PageMeasures(nodes)
        groups = find_candidates(measures)
        found = [["\n".join(map(nodes.visible_text, record)) for record in group.records] for group in groups]
        agreements = np.array([agreement(some, texts) if len(some) <= MOST * len(texts) else 0 for some in found])
        yield Candidates(row["site"], measures, groups, read_features(measures, groups), agreements, SHORT_VOTE)


def read_papers(nodes: Nodes, truth: Truth) -> dict[str, list[tuple[bool, bool]]]:
    """Return of the regions of the papers whether each is the first and whether it is right; MDR asks no layout."""
    if nodes.layout is not None:
        return {"emine": [(True, truth.agreement(find_emine_records(nodes)) >= RIGHT)]}
    found = find_mdr_records(PageMeasures(nodes)) if len(nodes) <= LARGEST_FOR_MDR else []
    return {"mdr": [(rank == 0, truth.agreement(records) >= RIGHT) for rank, records in enumerate(found)]}


def fit(pages: Sequence[Candidates], names: Sequence[str]) -> Numbers:
    """Climb the penalised likelihood of the groups that agree best, by Newton's method, with declared signs."""
    pages = [page for page in pages if len(page.groups) and page.agreement.max() >= RIGHT / 2]
    sizes = np.array([len(page.groups) for page in pages])
    starts, at = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(pages)), sizes)
    rows = np.concatenate([page.matrix(names) for page in pages])
    spread = rows.std(axis=0)
    rows = rows / spread
    agreement = np.concatenate([page.agreement for page in pages])
    wanted = np.exp((agreement - np.maximum.reduceat(agreement, starts)[at]) * SHARPNESS)
    wanted /= np.add.reduceat(wanted, starts)[at]
    votes = (weigh_sites([page.site for page in pages]) * [page.votes for page in pages])[at]
    free, signs = np.ones(len(names), bool), np.array([SIGNS[name] for name in names])
    while True:
        weights = np.zeros(len(names))
        weights[free] = _newton(rows[:, free], wanted, votes, starts, at)
        wrong = signs * weights < 0
        if not wrong.any():
            return np.asarray(weights / spread)
        free[int(np.argmax(np.where(wrong, np.abs(weights), -1)))] = False


def _newton(rows: Numbers, wanted: Numbers, votes: Numbers, starts: Places, at: Places) -> Numbers:
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        scores = rows @ weights
        belief = np.exp(scores - np.maximum.reduceat(scores, starts)[at])
        belief /= np.add.reduceat(belief, starts)[at]
        centred = rows - np.add.reduceat(belief[:, None] * rows, starts)[at]
        slope = rows.T @ (votes * (wanted - belief)) - PENALTY * weights
        bend = (centred * (votes * belief)[:, None]).T @ centred + PENALTY * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights = weights + step * min(1.0, 1.0 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-9:  # noqa: PLR2004 - far below what is written
            break
    return weights


def score_left_out(pages: Sequence[Candidates], names: Sequence[str]) -> list[Numbers]:
    """Score the groups of each page by weights that were fitted without its site."""
    fold = deal_sites([page.site for page in pages], FOLDS)
    scores: list[Numbers] = [np.zeros(0)] * len(pages)
    for number in range(FOLDS):
        weights = fit([page for page, part in zip(pages, fold, strict=True) if part != number], names)
        for at in np.flatnonzero(fold == number).tolist():
            scores[at] = pages[at].matrix(names) @ weights if pages[at].groups else scores[at]
    return scores


def reach(pages: Sequence[Candidates], scores: Sequence[Numbers]) -> dict[str, float]:
    """Return the mean agreement of the first group, and the share of pages where it is right, by layout."""
    reached: dict[str, list[float]] = {"laid out": [], "structure": [], "shortened": []}
    for page, own in zip(pages, scores, strict=True):
        first = next((page.groups.index(choice.group) for choice in choose(page, own)), None)
        reached[page.name].append(0.0 if first is None else float(page.agreement[first]))
    mean = {f"F1, {name}": float(np.mean(found)) for name, found in reached.items()}
    right = {f"right, {name}": float(np.mean(np.array(found) >= RIGHT)) for name, found in reached.items()}
    return {name: round(value, 3) for name, value in (mean | right).items()}


def ablate(pages: Sequence[Candidates], names: Sequence[str], scores: Sequence[Numbers]) -> str:
    """Write a table of what is reached on sites left out, and what without each of the measures."""
    found = {"all measures": reach(pages, scores)}
    for name in names:
        found[f"without `{name}`"] = reach(pages, score_left_out(pages, [other for other in names if other != name]))
    head = ["", *found["all measures"]]
    lines = [[name, *(f"{value:.3f}" for value in reached.values())] for name, reached in found.items()]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [head, ["---"] * len(head), *lines])


def calibrate(
    pages: Sequence[Candidates], scores: Sequence[Numbers], nothing: float
) -> tuple[Calibration, list[dict[str, float]]]:
    """Fit the confidence to the regions that are found on sites left out, and see how reliable it is there.

    Groups that are so far behind that their lead was cut off say nothing about where doubt begins.
    """
    leads, right, sites = [], [], []
    for page, own in zip(pages, scores, strict=True):
        for rank, choice in enumerate(choose(page, own, nothing) if page.votes == 1 else ()):
            if rank == 0 or choice.lead > -PARAMETERS.lead:
                leads.append([choice.lead])
                right.append(page.agreement[page.groups.index(choice.group)] >= RIGHT)
                sites.append(page.site)
    signals, truth = np.array(leads), np.array(right)
    model = fit_logistic(signals, truth, weigh_sites(sites), signs=[1])
    stated = leave_sites_out(signals, truth, sites, signs=[1])
    given = (signals[:, 0] >= 0) | (stated >= PARAMETERS.least)
    return Calibration(model.bias, {"lead": model.weights[0]}), find_reliability(stated[given], truth[given], BUCKETS)


def choose(page: Candidates, scores: Numbers, nothing: float = -np.inf) -> list[Choice]:
    """Return the groups of a page that could be regions, best first."""
    return choose_groups(page.measures, page.groups, scores, nothing) if page.groups else []


def find_nothing(pages: Sequence[Candidates], scores: Sequence[Numbers]) -> float:
    """Return the score that hardly any right list of a site left out is below: what has less is no list."""
    firsts = [
        (own.max(), page.agreement[int(np.argmax(own))]) for page, own in zip(pages, scores, strict=True) if len(own)
    ]
    return float(np.quantile([score for score, agreed in firsts if agreed >= RIGHT], NEARLY_NONE))


def calibrate_paper(found: Sequence[tuple[bool, bool]]) -> Calibration:
    """Return the log-odds of being right of the regions after the first, and how much more the first has."""

    def odds(*, first: bool) -> float:
        right = [truth for is_first, truth in found if is_first is first]
        return math.log((sum(right) + 0.5) / (len(right) - sum(right) + 0.5))

    if all(is_first for is_first, _ in found):
        return Calibration(odds(first=True), {})
    return Calibration(odds(first=False), {"first": odds(first=True) - odds(first=False)})


if __name__ == "__main__":
    main()
