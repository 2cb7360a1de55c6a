"""The best title: what explains it, how sure it is, and pages that are no pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import windrow
from windrow.nodes import Nodes
from windrow.title.best import find_best_title, read_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray


def test_terms_explain_the_score() -> None:
    title = windrow.parse("<title>Shop | Plums</title><h1>Plums</h1>", url="https://shop.example/plums").title()
    assert title.text == "Plums"
    assert 0 < title.score <= 1
    assert [candidate.score for candidate in title.candidates] == sorted(
        (candidate.score for candidate in title.candidates), reverse=True
    )
    for candidate in title.candidates:
        assert candidate.score == pytest.approx(sum(candidate.terms.values()))
        assert set(candidate.terms) <= set(read_weights())
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


def test_front_page_keeps_the_name_that_other_pages_have() -> None:
    front = windrow.parse("<title>Green Acres | Hay and straw</title>", url="https://green-acres.example/")
    other = windrow.parse("<title>Green Acres | Oats</title>", url="https://green-acres.example/oats")
    assert front.title(others=[other]).text == "Green Acres"


def test_large_letters_speak_for_a_text() -> None:
    page = windrow.parse("<title>Profile</title><p>Some words</p><p>Ada Marsh</p>", url="https://x.example/p?id=3")
    nodes = page.nodes
    count = len(nodes)
    size = np.full(count, 16.0, dtype=np.float32)
    name = nodes.text.index("Ada Marsh")
    size[name] = 40.0
    layout = _layout(count, size)
    laid_out = Nodes(nodes.kind, nodes.parent, nodes.tag, nodes.attributes, nodes.text_source, layout)
    title = find_best_title(laid_out, page.url)
    assert title.text == "Ada Marsh"
    # Large letters weigh less than a heading of the main content: banners have them, too.
    assert 0 < title.candidates[0].terms["large"] < read_weights()["h1 clear"]
    assert title.nodes == (name,)
    assert title.box == (0, 0, 0, 0)


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


@pytest.mark.parametrize(
    ("html", "tag", "text"),
    [
        ("<title>Rye bread | Barn</title><h1>Rye <b>bread</b></h1>", "h1", ""),
        ("<title>Rye bread | Barn</title>", "", "Rye bread | Barn"),
        ("<title>Rye bread of Dale</title><p>Rye bread of Dale</p>", "", "Rye bread of Dale"),
        ("<title>Rye bread</title><div class=title>Rye <b>bread</b></div>", "", "Rye bread"),
    ],
)
def test_title_says_where_it_stands(html: str, tag: str, text: str) -> None:
    page = windrow.parse(html, url="https://hay.example/rye-bread")
    title = page.title()
    assert title.text.startswith("Rye bread")
    assert len(title.nodes) == 1
    assert page.nodes.text[title.nodes[0]] == text
    assert not tag or page.nodes.tag.where(tag).tolist() == list(title.nodes)
    assert title.box is None


def test_title_from_a_meta_tag_stands_nowhere() -> None:
    title = windrow.parse('<meta property="og:title" content="Rye bread">').title()
    assert title.text == "Rye bread"
    assert title.nodes == ()


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
