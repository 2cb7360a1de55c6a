from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.toplist.language import load_language
from windrow.toplist.numbering import find_runs, read_label

ENGLISH = load_language("en")


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
        ("2) Jonagold", 2, "Jonagold"),
    ],
)
def test_labels(text: str, number: int, rest: str) -> None:
    label = read_label(text, ENGLISH)
    assert label is not None
    assert (label.number, label.rest) == (number, rest)


@pytest.mark.parametrize("text", ["3.5 stars", "2024 was dry", "50% more fruit", "apples", "12 kilos of apples"])
def test_no_labels(text: str) -> None:
    assert read_label(text, ENGLISH) is None


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
