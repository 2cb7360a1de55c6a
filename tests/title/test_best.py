"""The best title: every case is a folder with a page, its address and the title that a reader would give it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import windrow
from windrow.title.best import find_best_title
from windrow.title.weights import WEIGHTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

CASES = sorted((Path(__file__).parent / "cases").iterdir())


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_title_of_case(case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text("utf-8"))
    page = windrow.parse((case / "page.html").read_bytes(), url=expected["url"])
    assert page.title().text == expected["title"]


def test_terms_explain_the_score() -> None:
    title = windrow.parse("<title>Plums | Shop</title><h1>Plums</h1>", url="https://shop.example/plums").title()
    assert title.text == "Plums"
    assert 0 < title.score <= 1
    assert [candidate.score for candidate in title.candidates] == sorted(
        (candidate.score for candidate in title.candidates), reverse=True
    )
    for candidate in title.candidates:
        assert candidate.score == pytest.approx(sum(candidate.terms.values()))
        assert set(candidate.terms) <= set(WEIGHTS)
        assert candidate.compared


@pytest.mark.parametrize("html", ["", "<p></p>", "<title> </title>", "<body><img>", "\0"])
def test_page_without_any_name_says_why(html: str) -> None:
    title = windrow.parse(html).title()
    assert title.text == ""
    assert title.reason


def test_page_without_an_address_still_has_a_title() -> None:
    assert windrow.parse("<title>Plums - Shop</title><h1>Plums</h1>").title().text == "Plums"
    assert windrow.parse("<title>Plums</title>", url="no address").title().text == "Plums"


def test_same_page_gives_the_same_title() -> None:
    html = "<title>A tale - B site</title><h1>A tale</h1><h2>B site</h2>"
    first, second = (windrow.parse(html, url="https://b.example/a").title() for _ in range(2))
    assert first == second


def test_other_pages_of_the_site_tell_what_is_not_the_page() -> None:
    html = "<title>{0} - Green Acres</title><h1>Green Acres</h1><p>{0}</p>"
    page = windrow.parse(html.format("Winter barley"), url="https://ga.example/8812")
    others = [windrow.parse(html.format(name), url="https://ga.example/1") for name in ("Rye", "Oats")]
    assert page.title(others=[page, *others]).text == "Winter barley"
    again = windrow.parse(html.format("Winter barley"), url="https://ga.example/8812")
    assert page.title(others=[again, *others]).text == "Winter barley"


def test_large_letters_speak_for_a_text() -> None:
    page = windrow.parse("<title>Profile</title><p>Some words</p><p>Ada Marsh</p>", url="https://x.example/p?id=3")
    nodes = page.nodes
    count = len(nodes)
    size = np.full(count, 16.0, dtype=np.float32)
    name = nodes.text.index("Ada Marsh")
    size[name] = 40.0
    layout = _layout(count, size)
    laid_out = type(nodes)(nodes.kind, nodes.parent, nodes.tag, nodes.attributes, nodes.text_source, layout)
    title = find_best_title(laid_out, page.url)
    assert title.text == "Ada Marsh"
    assert "large" in title.candidates[0].terms


def _layout(count: int, font_size: NDArray[np.float32]) -> windrow.nodes.Layout:
    words = windrow.nodes.Words(np.zeros(count, dtype=np.int32), ["block"])
    empty = np.zeros(0, dtype=np.int32)
    return windrow.nodes.Layout(
        box=np.zeros((count, 4), dtype=np.float32),
        font_size=font_size,
        font_weight=np.full(count, 400, dtype=np.int16),
        color=np.zeros((count, 4), dtype=np.uint8),
        background=np.zeros((count, 4), dtype=np.uint8),
        display=words,
        position=words,
        preserved=np.zeros(count, dtype=np.bool_),
        visible=np.ones(count, dtype=np.bool_),
        lines=windrow.nodes.Lines(empty, empty, empty, np.zeros((0, 4), dtype=np.float32)),
        sources={},
        viewport=(1280, 800),
    )


def test_deep_and_broken_pages_are_read() -> None:
    deep = "<div>" * 400 + "<h1>Deep down</h1>"
    assert windrow.parse(deep).title().text == "Deep down"
    assert windrow.parse("<title>Cut <b>off").title().text
    assert (
        windrow.parse('<script type="application/ld+json">{"@type": [1, {}], "name": 3}</script><h1>Odd</h1>')
        .title()
        .text
        == "Odd"
    )
