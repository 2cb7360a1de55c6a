from __future__ import annotations

import time
from typing import TYPE_CHECKING

import orchard
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import windrow

if TYPE_CHECKING:
    from windrow.region import Region

URL = "https://orchard.example/list"
SECONDS = 5


def regions_of(html: str, *, render: bool = False) -> list[Region]:
    return windrow.parse(html, url=URL, render=render).regions()


CASES = {
    "a grid of cards": (orchard.SHOP, 9, "Apple tree"),
    "cards in several rows": (orchard.SHOP_IN_ROWS, 9, "Apple tree"),
    "search results": (orchard.SEARCH, 9, "All about the Apple"),
    "advertisements in between": (orchard.WITH_ADVERTISEMENTS, 9, "All about the Apple"),
    "terms and descriptions": (orchard.DEFINITIONS, 9, "Apple\nA fruit that ripens late"),
    "pairs of rows": (orchard.ROW_PAIRS, 9, "2.\tApple trees for windy places\n2 points by grower2"),
    "rows of a table": (orchard.FORUM, 9, "Why does my apple not bear?"),
    "lists in several sections": (orchard.SECTIONS, 12, "The Apple book"),
    "offers within products": (orchard.OFFERS, 5, "Apple press"),
    "text between line breaks": (orchard.FLAT, 9, "Apple of the old sort\n- keeps well"),
    "one record only": (orchard.ONE, 1, "All about the Medlar"),
}


INNS = "Old Mill House,Ada Loft,Quay Lights,Grey Heron,Salt Marsh,North Lane,Kite Barn,Lower Ford,Pine Hollow".split(
    ","
)


def link_to(number: int, name: str) -> str:
    return f'<a href="/p/{number}"><img src="/{number}.jpg"> {name}</a> <i>{20 + number} EUR</i>'


def cards(tag: str) -> str:
    return " ".join(f"<{tag}>{link_to(number, name)}</{tag.split(maxsplit=1)[0]}>" for number, name in enumerate(INNS))


BLOCK = 'div class=card style="display:inline-block"'
PLAIN = [f'<a href="/p/{number}">{name} {number}</a>' for number, name in enumerate(INNS * 5)]
BESIDE_WORDS = {
    "a count before cards": (f"<div><b>9 results</b> {cards(BLOCK)}</div>", 9),
    "a link behind cards": (f'<div>{cards(BLOCK)} <a href="/list?p=2">Next page</a></div>', 9),
    "labels with a button": (f"<div>{cards('label class=card')} <button>Buy</button></div>", 9),
    "two rows of cards": (
        f"<div><p>Here: {cards('span class=card')}</p><p>There: {cards('span class=card')}</p></div>",
        18,
    ),
    "two records in one of many lines": (
        "<div>" + "".join(f"{a}, quiet{'; see ' if n == 4 else '<br>'}" for n, a in enumerate(PLAIN)) + "</div>",
        45,
    ),
    "lines that are no elements": (
        "<div>" + "".join(f"{a}, {b} and more<br>" for a, b in zip(PLAIN[::2], PLAIN[1::2], strict=False)) + "</div>",
        44,
    ),
}


def rows(*others: str) -> list[str]:
    return [
        f"<tr><td><a href=/p/{number}>{name}</a></td>" + "".join(f"<td>{other}</td>" for other in others) + "</tr>"
        for number, name in enumerate(INNS)
    ]


FOOT = "<tfoot><tr><td>Total</td><td>red</td><td>open</td></tr></tfoot>"
TABLES = {
    "words in all cells": (rows("red", "open"), 9, "Old Mill House"),
    "a row of a forum": (rows("by Ann", "Today"), 9, "Old Mill House"),
    "the first one stands out": (
        ["<tr class=top><td><a href=/p/x>Fox Den</a></td><td>call us</td><td>new</td></tr>", *rows("30 EUR", "4")],
        10,
        "Fox Den",
    ),
    "groups": (
        [
            f"<tr><td colspan=3>{2020 + n // 3}</td></tr>{row}" if n % 3 == 0 else row
            for n, row in enumerate(rows("30 EUR", "4"))
        ],
        12,
        "2020",
    ),
    "a marked foot": ([*rows("red", "open"), FOOT], 9, "Old Mill House"),
    "marked headings that sort": (
        ["<tr><th><a href=?n>Name</a></th><th><a href=?c>Colour</a></th><th>State</th></tr>", *rows("red", "open")],
        9,
        "Old Mill House",
    ),
}


@pytest.mark.parametrize(("table", "count", "first"), TABLES.values(), ids=TABLES)
def test_no_row_of_a_table_is_lost(table: list[str], count: int, first: str) -> None:
    region = regions_of(orchard.page(f"<h1>Inns</h1><table>{''.join(table)}</table>"))[0]
    assert len(region.records) == count
    assert region.records[0].text.startswith(first)


@pytest.mark.parametrize(("body", "count"), BESIDE_WORDS.values(), ids=BESIDE_WORDS)
def test_records_beside_words_are_found(body: str, count: int) -> None:
    assert [len(region.records) for region in regions_of(orchard.page(f"<h1>Inns</h1>{body}"))] == [count]


@pytest.mark.parametrize("render", [False, pytest.param(True, marks=pytest.mark.browser)])
@pytest.mark.parametrize(("html", "count", "start"), CASES.values(), ids=CASES)
def test_records_are_found(html: str, count: int, start: str, *, render: bool) -> None:
    region = regions_of(html, render=render)[0]
    assert len(region.records) == count
    assert " ".join(region.records[0].text.split()).startswith(" ".join(start.split()))
    assert region.rendered is render
    assert (region.box is not None) is render


def test_menus_are_no_regions() -> None:
    for html in (orchard.SHOP, orchard.SEARCH, orchard.FORUM):
        texts = " ".join(record.text for region in regions_of(html) for record in region.records)
        assert "Contact" not in texts
        assert "Privacy" not in texts


def test_a_page_without_lists_has_no_regions() -> None:
    assert regions_of("") == []
    assert regions_of("<p>One paragraph about pears.</p>") == []
    assert windrow.parse("").regions(method="emine") == []
    assert windrow.parse("").regions(method="mdr") == []


def test_two_lists_are_two_regions_best_first() -> None:
    news = "".join(
        f'<article class="news"><h4><a href="/n/{k}">Frost in week {k}</a></h4>'
        "<p>Cover your blossoms at night.</p></article>"
        for k in range(8)
    )
    results = "".join(orchard.result(name) for name in orchard.FRUIT)
    found = regions_of(orchard.page(f'<ol class="results">{results}</ol><div>{news}</div>'))
    assert [len(region.records) for region in found] == [9, 8]
    assert found[0].confidence > found[1].confidence


def test_stripes_are_not_pairs() -> None:
    rows = "".join(
        f'<tr class="{"odd" if k % 2 else "even"}"><td><a href="/{k}">Tree {name}</a></td><td>{k} m</td></tr>'
        for k, name in enumerate((*orchard.FRUIT, "Fig"))
    )
    assert len(regions_of(orchard.page(f"<table>{rows}</table>"))[0].records) == 10


def test_stripes_change_nothing() -> None:
    records = [f'<li><a href="/{n}">The {n}</a><p>Of {n} and its many uses.</p><b>4 €</b></li>' for n in orchard.FRUIT]
    striped = [each.replace("<li>", f'<li class="{"odd" if k % 2 else "even"}">') for k, each in enumerate(records)]
    plain, found = (regions_of(orchard.page(f"<ul>{''.join(each)}</ul>"))[0] for each in (records, striped))
    assert [record.text for record in found.records] == [record.text for record in plain.records]
    assert list(found.columns) == list(plain.columns)


def test_records_at_two_levels_are_one_list() -> None:
    hits = [f'<div class="hit"><a href="/{n}">The {n}</a><p>Of {n} and its many uses.</p></div>' for n in orchard.FRUIT]
    html = orchard.page(f'<div>{hits[0]}<div class="more">{"".join(hits[1:])}</div></div>')
    assert len(regions_of(html)[0].records) == 9


def test_an_unknown_method_says_which_there_are() -> None:
    with pytest.raises(windrow.WindrowError, match="best, emine, mdr"):
        windrow.parse("<p>x</p>").regions(method="magic")


def test_the_same_page_gives_the_same_result() -> None:
    assert [r.to_json() for r in regions_of(orchard.OFFERS)] == [r.to_json() for r in regions_of(orchard.OFFERS)]


TAGS = st.sampled_from(["div", "p", "ul", "li", "a", "b", "span", "table", "tr", "td", "br", "h3"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(TAGS, st.booleans(), st.text("ab 1$\n", max_size=5)), max_size=60))
def test_any_markup_can_be_read(parts: list[tuple[str, bool, str]]) -> None:
    html = "".join(f"<{tag}>{text}" + f"</{tag}>" * closed for tag, closed, text in parts)
    page = windrow.parse(html)
    for method in (None, "mdr"):
        for region in page.regions(method):
            for record in region.records:
                for cell in record.fields.values():
                    for text in [cell] if isinstance(cell, str) else cell:
                        assert "".join(text.split()) in "".join(page.text.split())


LEAVES = st.sampled_from(["Pear", "12 kg", "$3", "Topic: jam", '<a href="/x">more</a>', "<br>", "<img src=x>", ""])
TREES = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        "<{0}>{1}</{0}>".format,
        st.sampled_from(["div", "b", "em", "span", "li", "a", "td", "h3"]),
        st.lists(inner, max_size=4).map("".join),
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(TREES, min_size=1, max_size=4), st.integers(2, 6))
def test_any_repeated_markup_can_be_read(parts: list[str], times: int) -> None:
    page = windrow.parse(f"<main><div>{''.join(parts) * times}</div></main>", url=URL)
    for method in (None, "mdr"):
        for region in page.regions(method):
            assert len(region.rows) == len(region.records)
            assert all(record.nodes for record in region.records)


def test_deep_nesting_and_many_siblings_are_read_in_time() -> None:
    assert regions_of("<div>" * 2000 + "x") == []
    items = "".join(f'<li class="c{k % 7}"><a href="/{k}">Item {k}</a><i>{"x" * (k % 5)}</i></li>' for k in range(4000))
    assert len(regions_of(f"<ul>{items}</ul>")[0].records) == 4000


DEEP = "<div>Row" * 3_000
WIDE = "".join(f"<span class='{''.join(chr(97 + int(c)) for c in str(k))}'>Word {k}</span>" for k in range(6_000))


@pytest.mark.parametrize(
    "records",
    [
        f"<li><a href='/x'>Ash</a>{DEEP}{'</div>' * 3_000}</li>" * 3,
        f"<li>{WIDE}</li>" * 2,
        "".join(f"<li><a href='/{k}'>Ash {k}</a><i>$3</i><p>Tall {k}</p><x-{k}>Old</x-{k}></li>" for k in range(6_000)),
    ],
    ids=["depth", "classes", "columns"],
)
def test_hostile_records_cost_little(records: str) -> None:
    page = windrow.parse(f"<ul>{records}</ul>", url="https://orchard.example/")
    start = time.process_time()
    assert page.regions()
    assert time.process_time() - start < SECONDS


def test_records_may_begin_with_highlighting_around_elements() -> None:
    body = "".join(f'<b><a href="/{n}">{n}</a></b> grows in Kent, {k} m high<br>' for k, n in enumerate(orchard.FRUIT))
    page = windrow.parse(orchard.page(f"<div>{body}</div>"), url="https://orchard.example/")
    for method in (None, "mdr"):
        texts = [record.text for region in page.regions(method) for record in region.records]
        assert any(text.startswith("Quince") for text in texts)
