"""What surely is no value of a label: a text that says something of another kind."""

from __future__ import annotations

import pytest

import windrow
from windrow.wrapper.kinds import is_contradicted


@pytest.mark.parametrize(("text", "learned", "is_other"), [
    ("3 m", "£5", True), ("3 May 2024", "£5", True), ("20 %", "£5", True), ("£5", "3 m", True),
    ("£6", "£5", False), ("6", "£5", False), ("Sold out", "£5", False), ("500 g", "12 kg", False),
    ("2024-05-03T10:00", "3 May 2024", False), ("£5", "Hay", False),
])  # fmt: skip
def test_only_what_both_surely_say_counts(text: str, learned: str, *, is_other: bool) -> None:
    assert is_contradicted([text], [learned]) is is_other


def test_one_learned_value_of_the_kind_is_enough() -> None:
    assert not is_contradicted(["3 m"], ["£5", "2 m"])
    assert is_contradicted(["£6", "3 m"], ["£5"])
    assert not is_contradicted(["3 m"], [])


def test_a_length_where_a_price_was_learned_is_doubtful() -> None:
    page = "<main><h1>{}</h1><ul><li>{}</li><li>{}</li></ul></main>"
    wrapper = windrow.learn(
        windrow.parse(page.format("Rake", "£5", "In stock"), url="https://tools.example/1"),
        {"name": "Rake", "price": "£5"},
    )
    found = wrapper.extract(windrow.parse(page.format("Rope", "3 m", "In stock"), url="https://tools.example/2"))
    assert (found.values["price"], found.doubtful["price"]) == ([], ["3 m"])
