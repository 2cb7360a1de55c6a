"""Several values in one text: what parts them is learned, and the text of another page is taken apart by it."""

from __future__ import annotations

import pytest

import windrow
from windrow.wrapper.series import find_parting, split_series

PAGE = "<!DOCTYPE html><body><h1>{}</h1><p>Cast: {}</p><p>Seats are free. Doors open at eight.</p></body>"


def play(title: str, cast: str) -> windrow.Page:
    return windrow.parse(PAGE.format(title, cast), url=f"https://stage.example/{title}")


@pytest.mark.parametrize(
    ("cast", "values"),
    [
        ("Cleo Barn, Dora Loft, Ed Sill", ["Cleo Barn", "Dora Loft", "Ed Sill"]),
        ("Cleo Barn", ["Cleo Barn"]),
        ("Cleo Barn, Dora Loft", ["Cleo Barn", "Dora Loft"]),
    ],
)
def test_every_value_of_a_line_is_read(cast: str, values: list[str]) -> None:
    wrapper = windrow.learn(play("Hay", "Ada Rake, Ben Fork"), {"title": "Hay", "cast": ["Ada Rake", "Ben Fork"]})
    assert wrapper.extract(play("Straw", cast)).values == {"title": ["Straw"], "cast": values}


def test_it_is_kept_in_the_file() -> None:
    wrapper = windrow.learn(play("Hay", "Ada Rake & Ben Fork"), {"cast": ["Ada Rake", "Ben Fork"]})
    again = windrow.Wrapper.from_json(wrapper.to_json())
    read = again.extract(play("Straw", "Cleo Barn, Dora Loft & Ed Sill")).values
    assert read == {"cast": ["Cleo Barn", "Dora Loft", "Ed Sill"]}


def test_a_second_example_with_one_value_does_not_refute_the_line() -> None:
    wrapper = windrow.learn(
        [
            (play("Hay", "Ada Rake, Ben Fork"), {"title": "Hay", "cast": ["Ada Rake", "Ben Fork"]}),
            (play("Dew", "Fay Gate"), {"title": "Dew", "cast": ["Fay Gate"]}),
        ]
    )
    read = wrapper.extract(play("Straw", "Cleo Barn, Dora Loft, Ed Sill")).values["cast"]
    assert read == ["Cleo Barn", "Dora Loft", "Ed Sill"]


def test_a_number_with_a_comma_is_one_value() -> None:
    assert split_series("1,200, 900", [","]) == ["1,200", "900"]


@pytest.mark.parametrize(
    ("between", "parting"),
    [([", ", " and "], (",", "and")), ([" and "], (",", "and")), ([" / "], ("/",)), ([" of "], ()), ([" "], ())],
)
def test_what_parts_values(between: list[str], parting: tuple[str, ...]) -> None:
    assert find_parting(between) == parting
