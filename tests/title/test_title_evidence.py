"""What is read of a page."""

from __future__ import annotations

import numpy as np
import pytest

import windrow
from windrow.title.evidence import TitleEvidence, gather, read_witnesses
from windrow.title.headings import read_headings, read_large
from windrow.title.markup import read_markup

HOME = "<a href='/'>Hay Barn</a>"
NAMED = "<meta property=og:site_name content='Hay Barn'>"
INNER = "https://hay-barn.example/8812"


def evidence_of(html: str, url: str = INNER) -> TitleEvidence:
    return gather(read_witnesses(windrow.parse(html, url=url).nodes, url))


@pytest.mark.parametrize(
    ("html", "url", "is_read"),
    [
        (f"{NAMED}{HOME}<h1>Rye</h1>", INNER, False),
        (f"{HOME}<h1>Rye</h1>", INNER, True),
        (f"{NAMED}{HOME}<p>Rye</p>", INNER, True),
        (f"{NAMED}{HOME}<h2>Rye</h2>", INNER, True),
        (f"{NAMED}{HOME}<aside><h1>Rye</h1></aside>", INNER, True),
        (f"{NAMED}{HOME}<h1>Rye</h1>", "https://hay-barn.example/", True),
    ],
)
def test_links_are_read_where_they_may_matter(html: str, url: str, is_read: bool) -> None:  # noqa: FBT001 - a case
    kinds = [kind for kind, _ in evidence_of(html, url).names]
    assert ("home link" in kinds) == is_read


@pytest.mark.parametrize(
    ("canonical", "url", "is_home"),
    [
        ("https://hay.example/rye", "https://hay.example/", False),
        ("https://oats.example/rye", "https://hay.example/", True),
        ("https://hay.example/", "https://hay.example/rye", False),
        ("https://hay.example/", "", True),
    ],
)
def test_canonical_address(canonical: str, url: str, is_home: bool) -> None:  # noqa: FBT001 - a case
    assert evidence_of(f"<link rel=canonical href='{canonical}'>", url).address.is_home == is_home


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ("<div class=logo><img alt='Hay Barn' src=a.png></div>", [("logo", "Hay Barn")]),
        ("<img alt='Hay Barn' src=logo.png>", [("logo", "Hay Barn")]),
        ("<img alt='Hay Barn logo' src=a.png>", [("logo", "Hay Barn")]),
        ("<img alt='Hay Barn' src=a.png>", []),
        ("<img alt='HB' src=logo.png>", []),
        (f"<img alt='{'H' * 80}' src=logo.png>", []),
        ("<a href='/'><img alt='Hay Barn'></a>", [("home link", "Hay Barn")]),
        ("<a href='https://www.hay-barn.example/'>Hay</a>", [("home link", "Hay")]),
        ("<a href='/rye'>Hay</a>", []),
        ("<link href='/'>", []),
        ("<meta name=copyright content='Hay Barn Ltd'>", [("copyright", "Hay Barn Ltd")]),
    ],
)
def test_names_of_the_site(html: str, names: list[tuple[str, str]]) -> None:
    assert evidence_of(html).names == names


@pytest.mark.parametrize(("depth", "is_clear"), [(0, False), (3, False), (4, True)])
def test_attributes_say_what_is_near(depth: int, is_clear: bool) -> None:  # noqa: FBT001 - a case
    html = "<div class=sidebar>" * (depth > 0) + "<div>" * (depth - 1)
    html += "<h1>Rye</h1>" if depth else "<h1 class=sidebar>Rye</h1>"
    (heading,) = read_headings(read_markup(windrow.parse(html).nodes))
    assert heading.is_clear == is_clear


@pytest.mark.parametrize(("sizes", "texts"), [((40, 40), ["Rye", "Oats"]), ((40, 30), ["Rye"]), ((30, 40), ["Oats"])])
def test_largest_letters(sizes: tuple[int, int], texts: list[str]) -> None:
    nodes = windrow.parse("<p>Rye</p><p>Oats</p><p>Hay</p>").nodes
    size = np.full(len(nodes), 16, dtype=np.float32)
    size[[nodes.text.index("Rye"), nodes.text.index("Oats")]] = sizes
    empty = np.zeros(0, dtype=np.int32)
    layout = windrow.nodes.Layout(
        box=np.zeros((len(nodes), 4), dtype=np.float32),
        font_size=size,
        font_weight=np.full(len(nodes), 400, dtype=np.int16),
        color=np.zeros((len(nodes), 4), dtype=np.uint8),
        background=np.zeros((len(nodes), 4), dtype=np.uint8),
        display=windrow.nodes.Words(np.zeros(len(nodes), dtype=np.int32), ["block"]),
        position=windrow.nodes.Words(np.zeros(len(nodes), dtype=np.int32), ["static"]),
        preserved=np.zeros(len(nodes), dtype=np.bool_),
        visible=np.ones(len(nodes), dtype=np.bool_),
        lines=windrow.nodes.Lines(empty, empty, empty, np.zeros((0, 4), dtype=np.float32)),
        sources={},
        viewport=(1280, 800),
    )
    laid_out = windrow.nodes.Nodes(nodes.kind, nodes.parent, nodes.tag, nodes.attributes, nodes.text_source, layout)
    assert read_large(read_markup(laid_out)) == texts
