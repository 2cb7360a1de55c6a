from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.title.likeness import score_dice


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [
        ("night", "nacht", 0.25),
        ("", "", 1.0),
        ("", "a", 0.0),
        ("a", "a", 1.0),
        ("a", "b", 0.0),
        ("Rye  bread", "rye bread", 1.0),
        ("aaa", "aa", 2 / 3),
    ],
)
def test_values(one: str, other: str, score: float) -> None:
    assert score_dice(one, other) == pytest.approx(score)


def test_order_of_words_matters_little() -> None:
    assert score_dice("nba mcgrady", "mcgrady nba") >= 0.8


@given(st.text(max_size=30), st.text(max_size=30))
def test_symmetry_and_range(one: str, other: str) -> None:
    assert score_dice(one, other) == score_dice(other, one)
    assert 0 <= score_dice(one, other) <= 1


@given(st.text(max_size=30))
def test_text_is_like_itself(text: str) -> None:
    assert score_dice(text, text) == 1
