"""How sure a title is: more where more speaks for it, and never without reason."""

from __future__ import annotations

import pytest

import windrow
from windrow.title import Candidate
from windrow.title.best import read_agreement
from windrow.title.confidence import WIDEST, read_signals, state_confidence

NOTHING = {"agreement": 0.0, "heading": 0.0, "like tag": 0.0}


def confidence(method: str, *scored: tuple[str, float], **more: float) -> float:
    candidates = [Candidate(text, score) for text, score in scored]
    return state_confidence(method, candidates, {**NOTHING, **more})


def test_margin_is_the_lead_over_the_first_that_is_another_title() -> None:
    signals = read_signals([("Rye bread rolls", 5.0), ("Rye bread roll", 4.5), ("Oats", 2.0), ("Hay", 1.0)])
    assert signals == {"score": 5.0, "margin": 3.0, "parts": 0.0}
    assert read_signals([("Rye", 20.0), ("Oats", 2.0)])["margin"] == WIDEST == 8
    assert read_signals([("Rye", 1.0)])["margin"] == WIDEST
    assert read_signals([("Rye | Oats", 1.0)])["parts"] == pytest.approx(0.693, abs=0.001)


@pytest.mark.parametrize("method", ["best", "tta", "titlefinder"])
def test_lead_over_the_next_makes_sure(method: str) -> None:
    near, far = (confidence(method, ("Rye", 0.0), ("Oats", score)) for score in (0.0, -5.0))
    assert near < far - 0.1
    assert near < 0.5


@pytest.mark.parametrize("method", ["tta", "titlefinder"])
def test_score_makes_sure(method: str) -> None:
    low, high = (confidence(method, ("Rye", score), ("Oats", score)) for score in (0.0, 1.0))
    assert low < 0.2 < high


def test_tag_in_many_parts_is_seldom_the_title() -> None:
    assert confidence("tag", ("Rye - Oats - Hay", 1.0)) < 0.25 < confidence("tag", ("Rye", 1.0)) < 0.5


@pytest.mark.parametrize(("signal", "direction"), [("agreement", 1), ("heading", 1), ("like tag", 1)])
def test_agreement_makes_sure(signal: str, direction: int) -> None:
    without = confidence("best", ("Rye", 3.0), ("Oats", 0.0))
    with_it = confidence("best", ("Rye", 3.0), ("Oats", 0.0), **{signal: 1.0})
    assert (with_it - without) * direction > 0.01


def test_signals_come_from_the_features() -> None:
    features = {"agreement": 0.5, "h1 clear": 1.0, "like tag": 0.7}
    assert read_agreement(features) == {"agreement": 0.5, "heading": 1.0, "like tag": 0.7}
    assert read_agreement({"agreement": 0.5, "like tag": 0.7})["heading"] == 0


@pytest.mark.parametrize("method", ["best", "tta", "titlefinder", "tag"])
def test_every_method_states_its_confidence(method: str) -> None:
    page = windrow.parse("<title>Rye bread</title><h1>Rye bread</h1>", url="https://hay.example/rye-bread")
    assert 0.4 < page.title(method).confidence < 1
    assert windrow.parse("<p></p>").title(method).confidence == 0


def test_page_that_agrees_is_surer_than_one_that_contradicts_itself() -> None:
    agreed = windrow.parse("<title>Rye bread</title><h1>Rye bread</h1>", url="https://hay.example/rye-bread").title()
    torn = windrow.parse("<title>Oat milk</title><h1>Rye bread</h1>", url="https://hay.example/8812").title()
    assert agreed.confidence > 0.9
    assert torn.confidence < 0.6
