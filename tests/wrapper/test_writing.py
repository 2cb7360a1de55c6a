from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.wrapper.writing import MOST_SHAPE, full_shape, shape, shown


@given(st.text(st.sampled_from("ab1 2.,-é–"), max_size=600))
def test_the_format_of_a_beginning_is_the_beginning_of_the_format(text: str) -> None:
    text = shown(text)
    assert shape(text) == full_shape(text)[:MOST_SHAPE]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("£12.50", "£9.9"), ("Mowing in June 2024", "a a a 9"), ("978-0-00", "9-9-9"), ("Café, 3 €", "a, 9 €")],
)
def test_a_format_keeps_the_marks_between_words_and_numbers(text: str, expected: str) -> None:
    assert shape(text) == expected
