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
    [
        ([", ", " and "], (",", "and")),
        ([" and "], ("and",)),
        ([" og "], ("og",)),
        ([" / "], (" / ",)),
        ([" / ", "/"], ("/",)),
        ([" of "], ()),
        ([" "], ()),
    ],
)
def test_what_parts_values(between: list[str], parting: tuple[str, ...]) -> None:
    assert find_parting(between) == parting


@pytest.mark.parametrize(
    ("learned", "pasted", "cast", "values"),
    [
        pytest.param(
            "Emma and Persuasion",
            ["Emma", "Persuasion"],
            "And Then There Were None, Emma and Curtain",
            ["And Then There Were None", "Emma", "Curtain"],
            id="a title that begins with the word",
        ),
        pytest.param(
            "Emma, Ivanhoe and Persuasion",
            ["Emma", "Ivanhoe", "Persuasion"],
            "Emma, And Then There Were None and Curtain",
            ["Emma", "And Then There Were None", "Curtain"],
            id="such a title after a comma",
        ),
        pytest.param("Ana y Luis", ["Ana", "Luis"], "Y Combinator", ["Y Combinator"], id="a name that begins with it"),
        pytest.param(
            "Red / Blue", ["Red", "Blue"], "Green/Black / White", ["Green/Black", "White"], id="marks between spaces"
        ),
        pytest.param("Red / Blue", ["Red", "Blue"], "n/a", ["n/a"], id="a mark without spaces"),
        pytest.param("Red/Blue", ["Red", "Blue"], "Green/Black", ["Green", "Black"], id="marks without spaces"),
        pytest.param(
            "Ada Rake &amp; Ben Fork",
            ["Ada Rake", "Ben Fork"],
            "Cleo Barn, Jr. &amp; Don Hay",
            ["Cleo Barn, Jr.", "Don Hay"],
            id="a comma in a name",
        ),
        pytest.param(
            "Ada Rake and Ben Fork",
            ["Ada Rake", "Ben Fork"],
            "Portland, Oregon",
            ["Portland, Oregon"],
            id="a comma that nobody showed",
        ),
        pytest.param(
            "Ada Rake and Ben Fork",
            ["Ada Rake", "Ben Fork"],
            "Cleo Barn, Dora Loft, and Ed Sill",
            ["Cleo Barn", "Dora Loft", "Ed Sill"],
            id="commas before the last",
        ),
    ],
)
def test_only_what_parts_values_parts_them(learned: str, pasted: list[str], cast: str, values: list[str]) -> None:
    wrapper = windrow.learn(play("Hay", learned), {"title": "Hay", "cast": pasted})
    read = wrapper.extract(play("Straw", cast))
    assert [*read.values["cast"], *read.doubtful.get("cast", [])] == values


@pytest.mark.parametrize("sizes", ["38/39/40", "38,39,40"])
def test_figures_without_spaces_are_learned_and_another_page_is_not_misread(sizes: str) -> None:
    page = play("Hay", sizes)
    wrapper = windrow.learn(page, {"title": "Hay", "sizes": ["38", "39", "40"]})
    assert wrapper.extract(page).values["sizes"] == ["38", "39", "40"]
    assert wrapper.extract(play("Straw", sizes[:2] + sizes[2] + "42")).values["sizes"] == []
