from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.wrapper.slices import cut

PLAIN = st.text(st.characters(categories=["L", "P"]), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("text", "prefix", "suffix", "part"),
    [
        ("by Ada Rake", "by ", "", "Ada Rake"),
        ("★ 4.1 (12 reviews)", "★ ", " (864 reviews)", "4.1"),
        ("Price:  £9.00 only", "Price: ", " only", "£9.00"),
        ("Ada Rake", "", "", "Ada Rake"),
    ],
)
def test_a_part_is_cut_where_the_same_words_stand_around_it(text: str, prefix: str, suffix: str, part: str) -> None:
    assert cut(text, prefix, suffix) == part


@pytest.mark.parametrize("text", ["from Ada Rake", "Ada Rake", "by", ""])
def test_there_is_no_part_where_other_words_stand_around_it(text: str) -> None:
    assert not cut(text, "by ", "")


@pytest.mark.parametrize(
    ("text", "prefix", "part", "wanted"),
    [
        ("Date: 4 May", "Venue: ", "a 9", ""),
        ("Room and venue: Hall 7", "Place and venue: ", "a 9", "Hall 7"),
        ("Hay, pp. 112-114, 2019", "Hay, pp. ", "9-9", ""),
        ("Hay, pp. 112-114", "Hay, pp. ", "9-9", "112-114"),
        ("Oats, pp. 112-114, 2019", "Hay, pp. ", "9-9", ""),
        ("by Cleo Pail, 2021", "by ", "a a", ""),
        ("by Pail, Cleo", "by ", "a a", "Pail, Cleo"),
        ("Seats: none", "Seats: ", "9", ""),
        ("Seats: 12", "Seats: ", "9", "12"),
        ("Cups: ½", "Cups: ", "9", "½"),
    ],
)
def test_a_part_is_neither_another_value_nor_more_than_one(text: str, prefix: str, part: str, wanted: str) -> None:
    assert cut(text, prefix, "", part) == wanted


@given(PLAIN, PLAIN, PLAIN)
def test_what_was_cut_is_cut_again(prefix: str, part: str, suffix: str) -> None:
    assert part.startswith(cut(f"{prefix}{part}{suffix}", prefix, suffix))
