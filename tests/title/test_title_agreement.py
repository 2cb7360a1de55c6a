"""When a page agrees on what it is called, so that nothing is weighed and no column is made."""

from __future__ import annotations

import pytest

import windrow
from windrow.title import find_best_title
from windrow.title.agreement import find_agreed
from windrow.title.evidence import read_witnesses

INNER = "https://hay-barn.example/8812"
OG = "<meta property=og:title content='Rye bread'>"


@pytest.mark.parametrize(
    ("html", "url", "is_agreed"),
    [
        (f"{OG}<h1>Rye bread</h1>", INNER, True),
        ("<title>Rye bread - Hay Barn</title><h1>Rye bread</h1>", INNER, True),
        ("<title>Rye bread - Hay Barn</title><h1>Rye bread</h1><h1>Oats</h1>", INNER, True),
        ("<title>Rye bread - Hay Barn</title><h1>Oats</h1><h1>Rye bread</h1>", INNER, True),
        ("<title>Rye bread - Hay Barn</title><h2>Rye bread</h2>", INNER, True),
        (f"{OG}<h1><a href=x>Rye bread</a></h1>", INNER, True),
        # the tag says the same at greater length
        ("<title>Recipes - Rye bread</title><h1>Rye bread</h1>", INNER, True),
        ("<title>Baking rye and oat bread at home</title><h1>Rye bread</h1>", INNER, True),
        # the heading says more, less, or something else
        (f"{OG}<h1>Rye</h1>", INNER, False),
        ("<title>Recipes - Rye</title><h1>Rye</h1>", INNER, False),
        ("<title>Rye and oat bread</title><h1>Rye bread</h1><h1>Oats</h1>", INNER, False),
        ("<title>Rye bread - Hay Barn</title><h1>Oats</h1><h2>Rye bread</h2>", INNER, False),
        # it names something else than the page
        (f"{OG}<a href=x><h1>Rye bread</h1></a>", INNER, False),
        (f"{OG}<aside><h1>Rye bread</h1></aside>", INNER, False),
        ("<title>Hay Barn - Rye bread</title><h1>Hay Barn</h1>", INNER, False),
        (
            "<meta property=og:site_name content='Sheaf'><title>Sheaf | Rye bread</title><h1>Sheaf</h1>",
            INNER,
            False,
        ),
        ("<title>Contact | Hay Barn</title><h1>Contact</h1>", INNER, False),
        ("<title>About our rye | Hay Barn</title><h1>About our rye</h1>", INNER, False),
        # a front page is called by whose it is
        (f"{OG}<h1>Rye bread</h1>", "https://hay-barn.example/", False),
    ],
)
def test_a_page_agrees_where_tag_or_preview_say_what_its_heading_says(html: str, url: str, is_agreed: bool) -> None:  # noqa: FBT001 - a case
    agreed = find_agreed(read_witnesses(windrow.parse(html, url=url).nodes, url))
    assert (agreed is not None) == is_agreed
    assert agreed is None or agreed[0].text == "Rye bread"


def test_what_other_pages_have_is_no_agreement() -> None:
    html = "<title>Garden Finder - Harrow Meadow</title><h1>Garden Finder</h1><p>Harrow Meadow</p>"
    nodes = windrow.parse(html, url=INNER).nodes
    assert find_best_title(nodes, INNER).text == "Garden Finder"
    title = find_best_title(nodes, INNER, [("Garden Finder - Long Acre", "Garden Finder")])
    assert title.text == "Harrow Meadow"
    assert len(title.candidates) > 1


def test_a_page_that_agrees_makes_no_columns() -> None:
    page = windrow.parse(f"{OG}<h1>Rye bread</h1><p>Some words</p>", url=INNER)
    title = page.title()
    assert "kind" not in vars(page.nodes)
    assert page.nodes.tag[title.node] == "h1"
