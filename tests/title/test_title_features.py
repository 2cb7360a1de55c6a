"""What each feature says of a candidate, and where candidates come from."""

from __future__ import annotations

import pytest

import windrow
from windrow.title.best import read_candidates
from windrow.title.features import count_words

PAGE = "https://www.hay-barn.example/rye-bread"


def features_of(html: str, url: str, text: str) -> dict[str, float]:
    page = windrow.parse(html, url=url)
    return dict(read_candidates(page.nodes, page.url).candidates)[text]


@pytest.mark.parametrize(
    ("html", "url", "text", "feature", "value"),
    [
        # the title tag
        ("<title>Rye | Oats | Hay Barn</title>", PAGE, "Rye", "rest is other", 0.693),
        ("<title>Rye | Oats</title>", PAGE, "Rye", "cut at bar", 1),
        ("<title>Rye: Oats</title>", PAGE, "Oats", "cut at colon", 1),
        ("<title>Rye, Oats</title>", PAGE, "Rye, Oats", "cut at comma", 0),
        ("<title>Rye | Oats</title><h1>Wheat</h1>", PAGE, "Wheat", "not in tag", 1),
        ("<title>Rye Oats</title><h1>Rye</h1>", PAGE, "Rye", "not in tag", 0),
        ("<h1>Wheat</h1>", PAGE, "Wheat", "not in tag", 0),
        ("<title>Rye | Oats</title><h2>Oats</h2>", PAGE, "Rye", "other is h2", 1),
        ("<title>Rye | Oats</title><h2>Oats</h2>", PAGE, "Oats", "other is h2", 0),
        ("<title>Barn | Rye | Oats</title><h2>Rye | Oats</h2>", PAGE, "Barn", "other is h2", 1),
        ("<title>Rye | Oats</title><h2>Oats</h2>", PAGE, "Rye | Oats", "other is h2", 0),
        ("<title>All about Rye here</title><p>Rye</p>", PAGE, "Rye", "text amid tag", 1),
        ("<title>About Rye</title><p>Rye</p>", PAGE, "Rye", "text amid tag", 0),
        ("<title>Rye and Oats</title><p>Rye</p>", PAGE, "Rye", "text amid tag", 0),
        ("<title>Rye and Oats</title><p>Rye</p>", PAGE, "Rye", "text in tag", 1),
        # headings
        ("<h1>Rye</h1>", PAGE, "Rye", "h1 only", 1),
        ("<h1>Rye</h1><h1>Oats</h1>", PAGE, "Rye", "h1 only", 0),
        ("<h1>Rye</h1><h1 hidden>Oats</h1>", PAGE, "Rye", "h1 only", 1),
        ("<h1>Rye</h1><h1>Oats</h1>", PAGE, "Oats", "h1 clear", 0.5),
        ("<article><h1>Rye</h1></article>", PAGE, "Rye", "h1 article", 1),
        ("<h1 class='post-title'>Rye</h1>", PAGE, "Rye", "h1 title", 1),
        ("<div class=title><h1>Rye</h1></div>", PAGE, "Rye", "h1 title", 0),
        ("<title>Barley</title><h1>Wheat</h1>", PAGE, "Wheat", "h1 strange", 1),
        ("<title>Barley</title><h1>Barley bread</h1>", PAGE, "Barley bread", "h1 strange", 0),
        ("<title>Rye</title><h1>Oats</h1>", PAGE, "Oats", "h1 strange", 0),
        ("<title>Barley</title><h1>Bar</h1>", PAGE, "Bar", "h1 strange", 0),
        ("<title>今日の天気予報</title><h1>料理番組</h1>", PAGE, "料理番組", "h1 strange", 1),
        ("<title>今日の天気予報</title><h1>天気予報一覧</h1>", PAGE, "天気予報一覧", "h1 strange", 0),
        ("<h2>Rye</h2>", PAGE, "Rye", "h2 for h1", 1),
        ("<h1>Oats</h1><h2>Rye</h2>", PAGE, "Rye", "h2 for h1", 0),
        ("<h1><b>Rye</b> <i>and oats</i></h1>", PAGE, "and oats", "piece", 0.5),
        ("<div class='page-title'>Rye</div>", PAGE, "Rye", "styled", 1),
        ("<span class='fn'>Rye</span>", PAGE, "Rye", "styled", 1),
        # agreement
        (
            "<title>Oats, Rye</title><meta property=og:title content='Oats, Rye'><h1>Rye</h1>",
            PAGE,
            "Rye",
            "agreement",
            0.75,
        ),
        ("<title>Rye</title><meta property=og:title content=Rye>", PAGE, "Rye", "like og", 1),
        ("<title>Rye</title><meta property=og:title content='Rye | Barn'>", PAGE, "Rye", "og first", 1),
        # the address
        ("<h1>Rye bread</h1>", PAGE, "Rye bread", "document", 1),
        ("<h1>Rye bread</h1>", "https://hay.example/rye-bread/8812", "Rye bread", "document", 1),
        ("<h1>Rye bread</h1>", "https://hay.example/bread-8/rye-bread", "Rye bread", "document", 1),
        ("<h1>Rye bread</h1>", "https://hay.example/Bread.php?id=8812", "Rye bread", "document", 0),
        ("<h1>Bread</h1>", "https://hay.example/Bread.php?id=8812", "Bread", "program", 1),
        ("<h1>Bread</h1>", "https://hay.example/Bread.html?id=8812", "Bread", "program", 0),
        ("<h1>Rye bread</h1>", "https://hay.example/a?name=Rye+bread", "Rye bread", "query", 1),
        ("<h1>Rye</h1>", "https://hay.example/a?name=Rye", "Rye", "query", 0),
        ("<h1>Rye bread rolls</h1>", PAGE, "Rye bread rolls", "address covered", 1),
        ("<h1>Rye</h1>", PAGE, "Rye", "within address", 1),
        # the name of the site
        ("<meta property=og:site_name content=Rye><h1>Rye</h1>", PAGE, "Rye", "name", 1),
        ("<meta name=author content=Rye><h1>Rye</h1>", PAGE, "Rye", "name", 0),
        ("<h1>Rye</h1><p>Our Hay Barn</p>", "https://hay-barn.example/", "Hay Barn", "name host", 1),
        # the words
        ("<h1>Home</h1>", PAGE, "Home", "generic", 1),
        ("<h1>About Rye</h1>", PAGE, "About Rye", "generic start", 1),
        ("<h1>Rye</h1>", PAGE, "Rye", "one word", 1),
        ("<h1>Rye bread</h1>", PAGE, "Rye bread", "one word", 0),
        ("<h1>rye bread</h1>", PAGE, "rye bread", "lower", 1),
        ("<h1>Rye bread</h1>", PAGE, "Rye bread", "lower", 0),
    ],
)
def test_value_of_a_feature(html: str, url: str, text: str, feature: str, value: float) -> None:
    assert features_of(html, url, text).get(feature, 0) == pytest.approx(value, abs=0.001)


@pytest.mark.parametrize(("text", "words"), [("", 0), ("Rye", 1), ("Rye bread", 2), ("é", 1), ("天気予報", 3)])
def test_words_are_counted_in_any_script(text: str, words: int) -> None:
    assert count_words(text) == words


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<title>A1 | B2 | C3</title>", ["A1 | B2 | C3", "A1", "A1 | B2", "B2 | C3", "C3", "B2"]),
        ("<meta property=og:title content='A1 | B2'>", ["A1 | B2", "A1", "B2"]),
        ("<title>A1</title><meta name=title content='B2 | C3'>", ["A1", "B2 | C3"]),
        ("<meta name=title content='B2 | C3'>", ["B2 | C3", "B2", "C3"]),
        ("<h1>A1 | B2</h1>", ["A1 | B2", "A1", "B2"]),
        ("<h2>A1 | B2</h2>", ["A1 | B2"]),
        ("<h1>A1</h1><h1>B2 | C3</h1><h1>D4 | E5</h1>", ["A1", "B2 | C3", "B2", "C3", "D4 | E5"]),
        ("<h3>A1</h3>", ["A1"]),
        ("<h4>A1</h4>", []),
        ("<h1>A1</h1><h2>B2</h2><h2>C3</h2>", ["A1", "B2"]),
        ("<h1>A1</h1><h1>B2</h1><h2>C3</h2><h2>D4</h2>", ["A1", "B2", "C3", "D4"]),
        ("<aside><h1>A1</h1></aside><h2>B2</h2><aside><h2>C3</h2></aside>", ["A1", "B2"]),
        ("<title>All of Rye is rye</title><p>Rye</p><p>ll of R</p><p>is</p>", ["All of Rye is rye", "Rye"]),
        ("<h1>A1</h1><div class=title>B2 C3</div>", ["A1"]),
        ("<div class=title>B2 C3</div><div class=name>D4</div>", ["B2 C3"]),
        ("<div class=title hidden>B2 C3</div>", []),
        ("<h1>【A1</h1><h1>B2</h1>", ["B2"]),
        ("<h1>\u00adA\u00ad1</h1>", ["A1"]),
        ("<h1>!</h1><h1>A</h1>", ["A"]),
        (f"<h1>{'a' * 250}</h1><h1>{'b' * 251}</h1>", ["a" * 250]),
    ],
)
def test_candidates(html: str, texts: list[str]) -> None:
    page = windrow.parse(html, url="https://hay.example/8812")
    assert [text for text, _ in read_candidates(page.nodes, page.url).candidates] == texts
