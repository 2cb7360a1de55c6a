from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.toplist.numbering import find_label_words, find_runs, read_label

WORDS = frozenset({"step", "tip"})


@pytest.mark.parametrize(
    ("text", "number", "rest"),
    [
        ("1. Boskoop", 1, "Boskoop"),
        ("#3: Elstar", 3, "Elstar"),
        ("No. 12 Gala", 12, "Gala"),
        ("Step 4: Water the tree", 4, "Water the tree"),
        ("Tip #4 - Mulch", 4, "Mulch"),
        ("(7) Topaz", 7, "Topaz"),
        ("10 – Idared", 10, "Idared"),
        ("N°3 – Reinette", 3, "Reinette"),
        ("③ Topaz", 3, "Topaz"),
        ("1\ufe0f\u20e30\ufe0f\u20e3 Rubinette", 10, "Rubinette"),
        ("2nd: Cox Orange", 2, "Cox Orange"),
        ("3 of 10: Gala", 3, "Gala"),
        ("4、りんご", 4, "りんご"),
        ("2) Jonagold", 2, "Jonagold"),
        ("Best of the valley #2: Rubinola", 2, "Rubinola"),
        ("ᐊ 1 ᐅ Gravenstein", 1, "Gravenstein"),
    ],
)
def test_labels(text: str, number: int, rest: str) -> None:
    label = read_label(text, WORDS)
    assert label is not None
    assert (label.number, label.rest) == (number, rest)


@pytest.mark.parametrize(
    "text",
    [
        "3.5 stars",
        "2024 was dry",
        "50% more fruit",
        "apples",
        "12 kilos of apples",
        "360° view",
        "1st Avenue",
        "4th of July: pies",
    ],
)
def test_no_labels(text: str) -> None:
    assert read_label(text, WORDS) is None


def test_a_page_says_itself_which_words_stand_before_numbers() -> None:
    assert find_label_words(["Hidden gem 1: Quince", "Hidden gem 2: Sloe", "Orchard 7: closed"]) == {"hidden gem"}
    assert find_label_words(["Trend 3", "Text", "Trend 4"]) == {"trend"}
    assert find_label_words(["Trend 3", "Trend 5", "Frost 1.5", "Frost 2.5"]) == frozenset()


@given(st.integers(2, 60), st.booleans())
def test_whole_runs_are_found(count: int, down: bool) -> None:  # noqa: FBT001  # hypothesis draws it
    numbers = range(count, 0, -1) if down else range(1, count + 1)
    assert list(range(count)) in find_runs(list(enumerate(numbers)))


def test_runs_bear_a_missing_number_and_restart() -> None:
    assert [0, 1, 2, 3] in find_runs(list(enumerate([1, 2, 4, 5])))
    assert [3, 4] in find_runs(list(enumerate([1, 2, 3, 1, 2])))


@given(st.lists(st.integers(0, 20), max_size=40))
def test_runs_keep_the_order(numbers: list[int]) -> None:
    for run in find_runs(list(enumerate(numbers))):
        assert run == sorted(set(run))
