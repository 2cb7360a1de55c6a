"""Keys of different sources: what is the same though it is written differently, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.store.matching import normalise


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AB-12", "ab 12"),
        ("Ａ１２", "a12"),
        ("Straße", "STRASSE"),
        ("  The  Hay Year. ", "the hay year"),
        ("10.1000/ABC-1", "https://doi.org/10.1000/abc-1"),
        ("doi:10.1000/abc-1", "http://dx.doi.org/10.1000/abc-1"),
        ("DOI 10.1000/abc-1", "doi.org/10.1000/abc-1"),
        ("0-306-40615-2", "978-0-306-40615-7"),
        ("ISBN 0306406152", "ISBN-13: 9780306406157"),
        ("080442957X", "978 0 8044 2957 3"),
    ],
)
def test_the_same(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.5", "15"),
        ("12-3", "1-23"),
        ("12_3", "123"),
        ("C", "C++"),
        ("10.1000/abc-1", "10.1000/abc1"),
        ("***", "---"),
        ("0-306-40615-3", "978-0-306-40615-7"),
        ("ab1", "a1"),
    ],
)
def test_not_the_same(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@given(st.text())
def test_it_is_stable(text: str) -> None:
    assert normalise(text) == normalise(text.upper().lower().upper().lower()) or text.upper().lower() != text.lower()
    assert bool(normalise(text)) == bool(text.strip())
