from __future__ import annotations

import json

import pytest

import windrow
from windrow.title.markup import read_markup
from windrow.title.metadata import Thing, read_items, read_json, read_metas


def things_of(value: object) -> list[Thing]:
    html = f'<script type="application/ld+json">{json.dumps(value)}</script>'
    return read_json(read_markup(windrow.parse(html).nodes))


@pytest.mark.parametrize(
    ("value", "things"),
    [
        ({"@type": "NewsArticle", "headline": "Rain", "name": "Rain!"}, [("article", "Rain"), ("article", "Rain!")]),
        ({"@type": ["Product", "Thing"], "name": "Fork"}, [("thing", "Fork")]),
        ([{"@type": "WebSite", "name": "News"}], [("site", "News")]),
        ({"@graph": [{"@type": "WebPage", "name": "Rain"}]}, [("page", "Rain")]),
        ({"@type": "WebPage", "mainEntity": {"@type": "Book", "name": "Salt"}}, [("thing", "Salt")]),
        ({"@type": "BlogPosting", "publisher": {"@type": "Person", "name": "Ada"}}, [("site", "Ada")]),
        ({"@type": "Person", "name": "Ada"}, []),
        ({"@type": "BlogPosting", "author": {"@type": "Person", "name": "Ada"}}, []),
        ({"@type": "BlogPosting", "publisher": "Ada"}, []),
        ({"@type": "BreadcrumbList", "itemListElement": [{"name": "A"}, {"item": {"name": "B"}}]}, []),
        ({"@type": "Book", "name": " Salt &amp; Road "}, [("thing", "Salt & Road")]),
        ({"@type": "Book", "name": ["Salt"]}, []),
        ({"name": "Salt"}, []),
        ("Salt", []),
    ],
)
def test_json(value: object, things: list[tuple[str, str]]) -> None:
    assert [(thing.kind, thing.text) for thing in things_of(value)] == things


@pytest.mark.parametrize("body", ['{"@type": "Book", "name": "a\tb"}', '{"@type": broken', "[" * 5000 + '"@type"'])
def test_broken_json_is_left_out(body: str) -> None:
    markup = read_markup(windrow.parse(f'<script type="application/ld+json">{body}</script>').nodes)
    assert [thing.text for thing in read_json(markup)] in ([], ["a b"])


def test_items() -> None:
    html = """
    <div itemscope itemtype="https://schema.org/Book"><b itemprop="name">Salt</b>
      <p itemprop="author" itemscope itemtype="https://schema.org/Person"><i itemprop="name">Ada</i></p></div>
    <h2 itemprop="headline">Rain</h2>"""
    markup = read_markup(windrow.parse(html).nodes)
    assert [(thing.kind, thing.text) for thing in read_items(markup)] == [("thing", "Salt"), ("article", "Rain")]


def test_metas() -> None:
    html = '<meta property="OG:Title" content=" A  b "><meta name="title" content="">'
    html += '<meta name="x" content="1"><meta name="x" content="2">'
    assert read_metas(read_markup(windrow.parse(html).nodes)) == {"og:title": ["A b"], "x": ["1", "2"]}
