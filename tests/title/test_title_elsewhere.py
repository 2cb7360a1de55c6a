from __future__ import annotations

import pytest

import windrow
from windrow.title.elsewhere import find_page_names, read_elsewhere


def own_part(tag: str, other: str) -> str:
    nodes = windrow.parse(f"<title>{other}</title>").nodes
    return read_elsewhere([find_page_names(nodes)]).own_part(tag)


@pytest.mark.parametrize(
    ("tag", "other", "own"),
    [
        ("Garden Finder - Ash Meadow", "Garden Finder - Elm Close", "Ash Meadow"),
        ("Ash Meadow plans from the Valley", "Elm Close plans from the Valley", "Ash Meadow"),
        ("Red Pear Tree", "Old Pear Tree", "Red Pear Tree"),
        ("Ash Meadow | Hay", "Elm Close | Hay", "Ash Meadow | Hay"),
        ("Garden Finder", "Garden Finder", "Garden Finder"),
        ("from the Valley", "Elm Close from the Valley", "from the Valley"),
    ],
)
def test_what_other_pages_say_too_is_taken_off(tag: str, other: str, own: str) -> None:
    assert own_part(tag, other) == own


def test_a_thing_behind_a_section_is_called_by_its_name() -> None:
    html = "<title>Garden Finder - {0} - Overview</title><h2>Garden Finder</h2><div>{0}</div>"
    names = ["Harrow Meadow", "Elm Close"]
    pages = [windrow.parse(html.format(name), url=f"https://x.example/finder/?id={name[0]}") for name in names]
    assert [page.title(others=pages).text for page in pages] == names


def test_the_front_page_keeps_its_whole_tag() -> None:
    html = "<title>The Barn</title><h1>Fresh every day</h1>"
    front = windrow.parse(html, url="https://thebarn.example/")
    inner = windrow.parse("<title>The Barn</title><h1>Rye</h1>", url="https://thebarn.example/rye")
    assert front.title(others=[inner]).text == "The Barn"
    assert inner.title(others=[front]).text == "Rye"
