from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.wrapper.normalization import MOST_SHAPE, folded, full_shape, is_blank, shape, shown


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


@pytest.mark.parametrize("text", ["می\u200cخواهم", "👩\u200d🌾", "hay\u200brow"])
def test_joiners_stay_in_what_is_shown_and_do_not_count_where_texts_are_compared(text: str) -> None:
    assert shown(f" {text}\n") == text
    assert folded(text) == folded(text.replace("\u200c", "").replace("\u200d", "").replace("\u200b", ""))


@pytest.mark.parametrize(("text", "blank"), [("", True), ("\u200b", True), ("\u200d \u00ad", True), ("a\u200b", False)])
def test_a_text_of_nothing_but_characters_without_width_is_blank(text: str, *, blank: bool) -> None:
    assert is_blank(text) is blank
