"""Fits what the top-k reader loads: the title classifier from headlines, ranker and confidence from labelled pages.

WINDROW_BENCH_DATA=… python bench/weights_toplist.py    # or: make weights-toplist

Weights of the ranker are fitted so that the right candidates of a page beat its others, with the sign of each declared
beforehand. Confidence and verdict are fitted to choices on sites left out, since choices on the sites that the ranker
was fitted on look surer than they are. What the head of the file says is measured on sites left out of both fits.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from data import data_folder, read_rows
from fitting import (
    Numbers,
    deal_sites,
    digest_of,
    find_reliability,
    fit_logistic,
    reliability_to_markdown,
    write_weights,
)
from numpy.typing import NDArray
from toplist import Case, matches, precision_recall, read_cases, site_of

import windrow
from windrow.toplist.best import may_be_given
from windrow.toplist.candidates import find_candidates
from windrow.toplist.classifier import FILE, read_features
from windrow.toplist.language import Language, choose_language
from windrow.toplist.lines import read_lines
from windrow.toplist.measurements import Measurements, measure_candidates
from windrow.toplist.phrase import Phrase, find_phrase, is_superlative
from windrow.toplist.promise import PARAMETERS, Promise, declared_language, find_promise, read_promise
from windrow.toplist.ranker import choose_candidate
from windrow.toplist.tokens import Mention, Token, find_mentions, split_tokens
from windrow.weights import Calibration, load_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def main() -> None:
    """Fit and write the classifier, then what stands on it."""
    fit_classifier()
    load_weights.cache_clear()
    cases = read_cases()
    pages = [page for case in cases if (page := read_page(case))]
    lists = sum(bool(case.names) for case in cases)
    promised = sum(case.row["is_topk"] for case in cases)
    left_out = leave_twice_out(pages)
    given = [outcome.right for outcome, fit in left_out if fit.gives(outcome)]
    judged = [outcome.is_topk for outcome, fit in left_out if fit.confirms(outcome)]
    reliability = find_reliability(
        np.array([fit.confidence("list", outcome) for outcome, fit in left_out if outcome.may_be_given]),
        np.array([outcome.right for outcome, _ in left_out if outcome.may_be_given]),
    )
    fit = fit_all(pages)
    head = {
        "pages": len(cases),
        "pages with candidates": len(pages),
        "sites": len({site_of(case) for case in cases}),
        "data": digest_of(data_folder("toplists")),
        "on sites left out": {
            "best candidate is right": sum(outcome.right for outcome, _ in left_out),
            "lists": {"right": sum(given), "given": len(given), "wanted": lists},
            "verdicts": {"right": sum(judged), "given": len(judged), "wanted": promised},
            "reliability": reliability,
        },
    }
    write_weights("toplist", head=head, values=fit.weights, thresholds=fit.thresholds, calibrations=fit.calibrations)
    print(json.dumps(head["on sites left out"], indent=1))
    print(reliability_to_markdown(reliability))


# ---- the title classifier ------------------------------------------------------------------------------------------

Example = tuple[list[str], int, float]
"""The features of one number, whether it is a promise, and how much the example counts."""
NEWS = frozenset({"chakraborty_non_clickbait", "fb_cnn", "hackernews"})
COUNTING_NEWS = "chakraborty_non_clickbait"
"""News only: a number that opens a headline counts what happened."""
LISTICLES = frozenset({"chakraborty_clickbait", "fb_buzzfeed"})
"""Sources whose headlines open with a number only where a list follows."""
TITLE_SIGNS = {
    "top": 1,
    "superlative": 1,
    "plural": 1,
    "opening": 1,
    "no noun": -1,
    "unit": -1,
    "head unit": -1,
    "hyphen": -1,
    "mention": -1,
}
"""What is weighed of a number in a title, and which way it can count; none of it depends on what is counted."""
TITLE_PENALTY = 1.0
RARE = 4.0
"""How much what is rare in headlines counts: mentions of a top ten, plans in five steps."""


def fit_classifier() -> None:
    """Label the headlines weakly, all but those that it is measured on; fit the classifier and write its weights."""
    folder = data_folder("headlines")
    labelled = read_rows(folder / "labelled.jsonl")
    known = {row["title"] for row in labelled}
    rows = [line.partition("\t")[::2] for line in (folder / "headlines.tsv").read_text("utf-8").splitlines()]
    rows = [(source, title) for source, title in rows if title not in known]
    examples = [example for source, title in rows for example in label_title(source, title)]
    bias, weights = fit_titles(examples)
    head: dict[str, Any] = {
        "headlines": len(rows),
        "sources": len({source for source, _ in rows}),
        "numbers": len(examples),
        "data": digest_of(folder),
    }
    # Written twice: what it reaches is measured by the reader itself, with the weights that it loads.
    write_weights("toplist", head=head, bias=bias, values=weights, file=FILE)
    load_weights.cache_clear()
    promises = [(read_promise(row["title"]), row["is_topk"]) for row in labelled]
    precision, recall = precision_recall(
        [(found is not None and found.score >= PARAMETERS.likely, true) for found, true in promises]
    )
    head["on labelled headlines left out"] = {
        "headlines": len(labelled),
        "precision": round(precision, 3),
        "recall": round(recall, 3),
    }
    write_weights("toplist", head=head, bias=bias, values=weights, file=FILE)
    print(f"{len(weights)} weights; {head}")


def label_title(source: str, title: str) -> list[Example]:
    """Label the numbers of a headline by the paper's rules and by where it comes from; doubtful ones are left out."""
    language = choose_language(title.split())
    tokens = split_tokens(title, language)
    numbers = []
    for mention in find_mentions(title, tokens, language):
        phrase = find_phrase(tokens, mention.after, language)
        numbers.append((mention, phrase, read_features(tokens, mention, phrase, language)))
    part = any("part of" in names for _, _, names in numbers)
    examples: list[Example] = []
    for mention, phrase, names in numbers:
        unit = "unit" in names or "head unit" in names
        if follows_rule(tokens, mention, phrase, language) and not unit:
            promise = int("mention" not in names and not part)
            examples.append((names, promise, 1.0 if promise and "hyphen step" not in names else RARE))
            if promise and "top" in names:  # the second rule: the same without "top"
                without = [name for name in names if name != "top"]
                examples.append((without, 1, 1.0))
        elif (label := label_by_source(source, phrase, set(names), unit=unit)) is not None:
            examples.append((names, *label))
    return examples


def follows_rule(tokens: list[Token], mention: Mention, phrase: Phrase, language: Language) -> bool:
    """Whether a number stands as in "top 10", "10 best", "10 most loved", and two more: "best 10", "10-step"."""
    before = tokens[mention.place - 1].word if mention.place else ""
    start, end = phrase.criterion
    if before in language.top and phrase.head >= 0:
        return True
    if (
        end > start
        and (is_superlative(tokens[start].word, language) or tokens[start].word in language.most)
        and phrase.plural
    ):
        return True
    if before and is_superlative(before, language) and phrase.plural and phrase.head == mention.after:
        return True
    return mention.hyphen and mention.after < len(tokens) and tokens[mention.after].word in language.steps


def label_by_source(source: str, phrase: Phrase, names: set[str], *, unit: bool) -> tuple[int, float] | None:
    """Label what the rules do not decide: a number that opens a headline is no negative but in the news."""
    if "own" in names:
        return 1, 2.0
    if unit or "top" in names:
        return 0, 1.0
    if "opening" in names:
        if source in LISTICLES and phrase.plural:
            return 1, 1.0
        return (0, 0.5) if source == COUNTING_NEWS else None
    return (0, 1.0) if source in NEWS else None


def fit_titles(examples: Sequence[Example]) -> tuple[float, dict[str, float]]:
    """Fit a logistic regression, the sign of each weight declared beforehand."""
    features = np.array([[float(name in names) for name in TITLE_SIGNS] for names, _, _ in examples])
    right = np.array([bool(label) for _, label, _ in examples])
    votes = np.array([counts for _, _, counts in examples])
    found = fit_logistic(features, right, votes, penalty=TITLE_PENALTY, signs=list(TITLE_SIGNS.values()))
    return found.bias, dict(zip(TITLE_SIGNS, found.weights.tolist(), strict=True))


# ---- the ranker ----------------------------------------------------------------------------------------------------

SIGNS = {
    "awards": -1,
    "bold": 1,
    "counts": 1,
    "counts to k": 1,
    "described": 1,
    "exactly k": 1,
    "fewer than k": -1,
    "goes on": -1,
    "headings": 1,
    "k in a row": -1,
    "one path": 1,
    "questions": -1,
    "repeated": 1,
    "share of group": 1,
    "uneven bodies": -1,
    "uneven names": -1,
}
"""The measurements that are weighed, and which way each can count. Each of those that are not here, P-Score, V-Score
and thirty more, left the likelihood of right lists on sites left out as it was, or lowered it."""
FOLDS = 5
PENALTY = 0.5
STEPS = 50
LONGEST_STEP = 2.0
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page whose title may promise a list, and which of its candidates are right."""

    site: str
    promise: Promise
    measured: Measurements
    right: Mask
    may_be_given: Mask
    is_topk: bool


@dataclass(frozen=True)
class Outcome:
    """What the ranker chose on a page."""

    signals: dict[str, float]
    share: float
    right: bool
    may_be_given: bool
    is_topk: bool


def read_page(case: Case) -> LabelledPage | None:
    """Return the candidates of a page and which of them are right; None where it has none."""
    page = windrow.parse(case.html, url=case.row["url"])
    promise = find_promise(page.nodes, lambda: page.title().text)
    if promise is None:
        return None
    lines = read_lines(page.nodes, choose_language(promise.title.split(), declared_language(page.nodes)))
    measured = measure_candidates(lines, find_candidates(lines, promise.k), promise)
    if not measured.candidates:
        return None
    named = [[measured.names[place] for place in candidate.lines] for candidate in measured.candidates]
    right = [matches(names, case.names) or matches(names[::-1], case.names) for names in named]
    given = [may_be_given(promise, lines, measured, place) for place in range(len(named))]
    return LabelledPage(site_of(case), promise, measured, np.array(right), np.array(given), bool(case.row["is_topk"]))


def fit_ranker(pages: Sequence[LabelledPage]) -> dict[str, float]:
    """Maximise the share of the right candidates of each page; a weight that would end on the wrong side is 0."""
    usable = [page for page in pages if page.right.any()]
    names = np.array(list(SIGNS))
    features = np.concatenate([page.measured.matrix(list(SIGNS)) for page in usable])
    right = np.concatenate([page.right for page in usable])
    counts = np.array([len(page.right) for page in usable])
    spread = features.std(axis=0)
    spread[spread == 0] = 1.0
    free = np.ones(len(names), bool)
    while True:
        weights = np.zeros(len(names))
        weights[free] = maximise_share(features[:, free] / spread[free], right, counts)
        wrong = weights * np.array(list(SIGNS.values())) < 0
        if not wrong.any():
            return dict(zip(names.tolist(), (weights / spread).tolist(), strict=True))
        # The worst offender first: the others may turn around once it is gone.
        free[int(np.argmax(np.where(wrong, np.abs(weights), -1)))] = False


def maximise_share(features: Numbers, right: Mask, counts: NDArray[np.int64]) -> Numbers:
    """Solve a conditional logistic regression with a square penalty by Newton's method."""
    starts, owner = np.cumsum(counts) - counts, np.repeat(np.arange(len(counts)), counts)
    weights = np.zeros(features.shape[1])
    for _ in range(STEPS):
        scores = features @ weights
        odds = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        wanted = np.where(right, odds, 0.0)
        share = odds / np.add.reduceat(odds, starts)[owner]
        target = wanted / np.add.reduceat(wanted, starts)[owner]
        slope = features.T @ (target - share) - PENALTY * weights
        means = np.add.reduceat(features * share[:, None], starts, axis=0)
        bend = (features * share[:, None]).T @ features - means.T @ means + PENALTY * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights = weights + step * min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-7:  # noqa: PLR2004 - far below what is written
            break
    return weights


def choose_on(page: LabelledPage, weights: dict[str, float]) -> Outcome:
    """Return what the ranker chooses on a page with these weights."""
    choice = choose_candidate(page.measured, weights)
    right, may_be_given = bool(page.right[choice.place]), bool(page.may_be_given[choice.place])
    return Outcome(choice.signals(page.promise), choice.share, right, may_be_given, page.is_topk)


def leave_out(pages: Sequence[LabelledPage], deal: int) -> list[Outcome]:
    """Return what is chosen on each page with weights that were fitted without its fold of sites."""
    fold = deal_sites([page.site for page in pages], FOLDS, deal).tolist()
    fits = [fit_ranker([page for page, own in zip(pages, fold, strict=True) if own != out]) for out in range(FOLDS)]
    return [choose_on(page, fits[own]) for page, own in zip(pages, fold, strict=True)]


# ---- confidence ----------------------------------------------------------------------------------------------------

EVEN = 0.5
"""What is more likely wrong than right is not said, whatever a fit to so few pages would say."""
CLEAR = 0.42
"""Nor is a list given that is far less likely than the other lists of its page together."""
SIGNALS = {"list": ("score", "margin", "title"), "verdict": ("score", "title")}
"""What each probability is made of; all count for it."""
CALIBRATION_PENALTY = 1.0


@dataclass(frozen=True)
class Fit:
    """All that is loaded with the ranker."""

    weights: dict[str, float]
    calibrations: dict[str, Calibration]
    thresholds: dict[str, float]

    def confidence(self, kind: str, outcome: Outcome) -> float:
        """Return the probability that a list, or a verdict, is right."""
        return self.calibrations[kind].confidence(outcome.signals)

    def confirms(self, outcome: Outcome) -> bool:
        """Whether the page is said to be a top-k page."""
        return self.confidence("verdict", outcome) >= self.thresholds["verdict"]

    def gives(self, outcome: Outcome) -> bool:
        """Whether the list is returned."""
        sure = self.confidence("list", outcome) >= self.thresholds["list"]
        clear = outcome.share >= self.thresholds["share"]
        return sure and clear and outcome.may_be_given and self.confirms(outcome)


def fit_all(pages: Sequence[LabelledPage], deal: int = 0) -> Fit:
    """Fit the ranker, and confidence to what it chooses on sites left out."""
    outcomes = leave_out(pages, deal)
    givable = [outcome for outcome in outcomes if outcome.may_be_given]
    calibrations = {
        "list": calibrate(givable, "list", lambda outcome: outcome.right),
        "verdict": calibrate(outcomes, "verdict", lambda outcome: outcome.is_topk),
    }
    return Fit(fit_ranker(pages), calibrations, {"list": EVEN, "share": CLEAR, "verdict": EVEN})


def calibrate(outcomes: Sequence[Outcome], kind: str, is_right: Callable[[Outcome], bool]) -> Calibration:
    """Fit the probability that choices are right to their signals."""
    names = SIGNALS[kind]
    signals = np.array([[outcome.signals[name] for name in names] for outcome in outcomes])
    right = np.array([is_right(outcome) for outcome in outcomes])
    found = fit_logistic(signals, right, penalty=CALIBRATION_PENALTY, signs=[1] * len(names))
    return Calibration(found.bias, dict(zip(names, found.weights.tolist(), strict=True)))


def leave_twice_out(pages: Sequence[LabelledPage]) -> list[tuple[Outcome, Fit]]:
    """Return the outcome of each page with all that was fitted without its fold of sites."""
    fold = deal_sites([page.site for page in pages], FOLDS).tolist()
    fits = [fit_all([page for page, own in zip(pages, fold, strict=True) if own != out], 1) for out in range(FOLDS)]
    return [(choose_on(page, fits[own].weights), fits[own]) for page, own in zip(pages, fold, strict=True)]


if __name__ == "__main__":
    main()
