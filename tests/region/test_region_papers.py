from __future__ import annotations

import orchard
import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow.region.mdr import edit_distance

BOX = '<div style="height:{0}px;background:#eee">{1}</div>'
TAG_STRINGS = st.lists(st.integers(0, 3), max_size=8)


def emine(body: str) -> list[str]:
    html = f'<!doctype html><body style="margin:0">{body}</body>'
    return [r.text for region in windrow.parse(html, render=True).regions("emine") for r in region.records]


@pytest.mark.browser
def test_emine_takes_the_largest_child_and_drops_what_is_low() -> None:
    records = "".join(BOX.format(100, f"record {k}") for k in range(4))
    page = (
        BOX.format(80, "header") + f"<div>{records}{BOX.format(20, 'advertisement')}</div>" + BOX.format(40, "footer")
    )
    assert emine(page) == ["record 0", "record 1", "record 2", "record 3"]


@pytest.mark.browser
def test_emine_takes_the_last_descendant_that_covers_more_than_half() -> None:
    inner = "<div><section>" + "".join(BOX.format(90, f"record {k}") for k in range(5)) + "</section></div>"
    assert emine(f"<div>{BOX.format(200, 'search')}{inner}</div>") == [f"record {k}" for k in range(5)]


@pytest.mark.browser
def test_emine_states_the_share_of_its_regions_that_are_right() -> None:
    page = windrow.parse(f"<div>{BOX.format(90, 'record') * 3}</div>", render=True)
    assert 0.05 < page.regions("emine")[0].confidence < 0.2


@pytest.mark.browser
def test_emine_finds_one_record_and_skips_what_is_fixed() -> None:
    fixed = '<div style="position:fixed;width:100%;height:2000px">overlay</div>'
    assert emine(f"{fixed}<div>{BOX.format(300, 'only one')}</div>") == ["only one"]


def test_emine_needs_boxes() -> None:
    assert windrow.parse(orchard.SHOP).regions("emine") == []


def test_mdr_finds_like_siblings_and_menus_too() -> None:
    regions = windrow.parse(orchard.SHOP).regions("mdr")
    assert [len(region.records) for region in regions] == [9, 5, 3]
    assert regions[0].method == "mdr"


def test_mdr_finds_generalised_nodes_of_two_tags() -> None:
    pairs = "".join(f"<h3><a>{n}</a></h3><div><p>Of {n}</p><p>and <i>jam</i></p></div>" for n in orchard.FRUIT)
    regions = windrow.parse(f"<body><div>{pairs}</div></body>").regions("mdr")
    assert [len(record.nodes) for record in regions[0].records] == [2] * 9


def test_mdr_breaks_where_something_else_stands_between() -> None:
    card = "<div><h3><a>Tree</a></h3><p>Jam <b>and</b> <i>juice</i></p></div>"
    html = f"<body><main>{card * 3}<p>advertisement</p>{card * 3}</main></body>"
    assert [len(region.records) for region in windrow.parse(html).regions("mdr")] == [3, 3]
    assert len(windrow.parse(html).regions()[0].records) == 6


def test_mdr_reads_the_tag_tree_of_the_source_hidden_or_not() -> None:
    card = "<div><h3><a>Tree</a></h3><p>Jam <b>and</b> <i>juice</i></p></div>"
    hidden = f"<div hidden><ol>{'<li>1</li>' * 20}</ol></div>"
    html = f"<body><main>{card * 3}{hidden}{card * 3}</main></body>"
    assert [len(region.records) for region in windrow.parse(html).regions("mdr")] == [3, 3]


@given(TAG_STRINGS, TAG_STRINGS)
def test_edit_distance_is_a_distance(one: list[int], other: list[int]) -> None:
    found = edit_distance(one, other)
    assert found == edit_distance(other, one)
    assert (found == 0) == (one == other)
    assert abs(len(one) - len(other)) <= found <= max(len(one), len(other))


@given(TAG_STRINGS, TAG_STRINGS, TAG_STRINGS)
def test_edit_distance_holds_the_triangle(one: list[int], other: list[int], third: list[int]) -> None:
    assert edit_distance(one, third) <= edit_distance(one, other) + edit_distance(other, third)


def test_edit_distance_by_hand() -> None:
    assert edit_distance([1, 2, 3, 4], [1, 3, 4, 5]) == 2
    assert edit_distance([], [1, 2]) == 2
