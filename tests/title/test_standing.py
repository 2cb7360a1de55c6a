"""Whatever the markup, a title is text that stands on the page: nothing is put together from what stands apart."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow

PIECES = st.sampled_from(
    [
        *(
            "<h1>",
            "</h1>",
            "<h2>",
            "<p>",
            "</p>",
            "<b>",
            "</b>",
            "<i>",
            "<title>",
            "</title>",
            "<br>",
            "<div class=title>",
        ),
        *(
            "<select>",
            "<option>",
            "<button>",
            "</button>",
            "<textarea>",
            "<table>",
            "<td>",
            "</div>",
            "<a href='/'>",
            "</a>",
        ),
        *(
            "<script>",
            "</script>",
            "<style>",
            "<!--",
            "-->",
            "<svg>",
            "</svg>",
            "<template>",
            "<noscript>",
            "</noscript>",
        ),
        *(
            "<img alt='Hay logo'>",
            "<img alt='2 logo x'>",
            "1 < 2",
            "x",
            "2 x",
            "Rye bread",
            "Oats",
            "logo",
            "&amp;",
            "&#0;",
        ),
        *(" - ", " | ", ": ", ", ", "«", "»", "#", "\u200b", "漢", "é", "<"),
    ]
)
SECONDS = 5
SPACE = re.compile(r"\s+")


def squeeze(text: str) -> str:
    return SPACE.sub("", text)


@given(st.lists(PIECES, max_size=16).map("".join))
def test_title_stands_on_the_page(html: str) -> None:
    page = windrow.parse(html, url="https://hay.example/rye-bread")
    unshown = page.nodes.tag.is_in(frozenset({"script", "style", "noscript", "template", "title", "svg:title"}))
    parents = page.nodes.parent.tolist()
    shown = "".join(
        text
        for node, text in enumerate(page.nodes.text)
        if page.nodes.kind[node] == windrow.nodes.Kind.TEXT and not unshown[parents[node]]
    )
    places = [shown, *page.nodes.text, "Hay logo", "2 logo x"]
    title = page.title().text
    assert any(squeeze(title) in squeeze(place) for place in places)


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<a href='/'>2 logo x</a>", "2 logo x"),
        ("<h1>2 <button>Copy</button> x</h1>", "2"),
        ("<h1><button>Back</button> Rye bread</h1>", "Rye bread"),
        ("<h1>Rye <script>var a</script>bread</h1>", "Rye bread"),
        ("<h1>Rye bread<a href='#rye'>#</a></h1>", "Rye bread"),
        ("<title>C#</title><h1>C#</h1>", "C#"),
        ("<title>-v</title><h1>-v</h1>", "-v"),
        ("<title>- Rye |</title>", "Rye"),
        ("<title>«Rye» bread</title>", "«Rye» bread"),
        ("<title>Rye »</title>", "Rye"),
        ("<title>X</title>", "X"),
        ("<title>水</title>", "水"),
        ("<title>\ufeffRye\u200b</title>", "Rye"),
        ("<title>😀😀</title>", "😀😀"),
        ("<title>\u200b\u200b</title>", ""),
        ("<title>| - » ,</title>", ""),
        ('<script type="application/ld+json">{"@type": "Article", "headline": "a\\ud800b"}</script>', "a\ufffdb"),
    ],
)
def test_odd_titles(html: str, title: str) -> None:
    assert windrow.parse(html).title().text == title


@pytest.mark.parametrize("method", ["best", "tta", "titlefinder", "tag"])
@pytest.mark.parametrize(
    "html",
    [
        "<title>" + "rye - " * 100_000,
        "<title>" + "a" * 500_000,
        "<title>Rye</title>" + "<h1>Rye bread</h1>" * 10_000,
        "<title>" + " | ".join(map(str, range(10_000))) + "</title>" + "<h2>7</h2>" * 5_000,
        "<div>" * 200 + "<i itemprop=name>a</i>" * 5_000,
        ("<p>" + "©" * 218 + "</p>") * 1_000,
        "<h1>" + "<b>" * 1_000 + "Rye",
        f"<h1 class='sidebar {'x-' * 50_000}'>Rye</h1>",
    ],
    ids=["parts", "letters", "headings", "segments", "items", "rights", "depth", "classes"],
)
def test_hostile_pages_cost_little(html: str, method: str) -> None:
    page = windrow.parse(html, url="https://a.example/")
    start = time.process_time()
    page.title(method)
    assert time.process_time() - start < SECONDS


def test_terms_stand_in_the_same_order_in_every_process() -> None:
    title = windrow.parse("<title>Field: Winter Rye, Summer Oats</title><p>Winter Rye</p>").title()
    cuts = [[term for term in each.terms if term.startswith("cut at")] for each in title.candidates]
    assert max(map(len, cuts)) > 1
    assert cuts == [sorted(names) for names in cuts]
