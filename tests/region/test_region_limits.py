"""Where the decisions of the reader turn: pages on either side of each limit."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest

import windrow
from windrow.loader import Outcome
from windrow.loader.outcome import outcome_to_plain, read_outcome
from windrow.region.best import find_candidates
from windrow.region.groups import find_groups
from windrow.region.measures import PageMeasures
from windrow.region.ranking import read_features
from windrow.result import gather

if TYPE_CHECKING:
    from windrow.region import Region
    from windrow.region.groups import Group

URL = "https://limits.example/"


def regions(body: str, method: str | None = None) -> list[Region]:
    return windrow.parse(f"<!doctype html><body>{body}", url=URL).regions(method)


def groups(body: str) -> list[Group]:
    return find_groups(PageMeasures(windrow.parse(f"<!doctype html><body>{body}", url=URL).nodes))


def sizes(body: str, how: str) -> list[int]:
    return [len(group.records) for group in groups(body) if group.how == how]


def feature(body: str, name: str) -> float:
    measures = PageMeasures(windrow.parse(f"<!doctype html><body>{body}", url=URL).nodes)
    return float(read_features(measures, find_candidates(measures))[name][0])


def items(count: int, inside: str = "word") -> str:
    return "<ul>" + f"<li><a href=/>{inside}</a></li>" * count + "</ul>"


def test_lists_of_six_records_are_long() -> None:
    counts = [np.exp(feature(items(count), "count")) for count in (5, 6, 7)]
    assert np.allclose(counts, [5, 6, 6])


def test_records_of_twelve_texts_are_rich() -> None:
    counts = [
        np.exp(feature("<ul>" + f"<li>{'<i class=x>a</i>' * count}</li>" * 2 + "</ul>", "texts"))
        for count in (11, 12, 13)
    ]
    assert np.allclose(counts, [11, 12, 12])


def test_confidence_is_the_share_of_such_regions_that_are_right() -> None:
    one, other = (f"<div><p class={name}><a href=/>some of them</a></p>" * 5 + "</div>" for name in "ab")
    first, second = regions(one + other)
    assert first.confidence == second.confidence  # neither leads
    assert 0.1 < first.confidence < 0.25
    rich = "<h3>word</h3>word<img src=/x.png>"
    assert 0.9 < regions(items(20, rich))[0].confidence < 0.97


def test_what_scores_no_more_than_a_page_without_a_list_is_none() -> None:
    prose = "<p>What grows in a garden depends on the soil, the sun and the patience of who keeps it.</p>"
    menu = "<div>" + "".join(f"<a href=/{name}>{name}</a>" for name in ("Home", "Shop", "News", "Contact")) + "</div>"
    assert regions(menu + prose * 9) == []
    least = regions(items(3))[0].confidence
    assert least < regions(items(20))[0].confidence < regions(items(20, "<h3>word</h3>word"))[0].confidence


def test_papers_state_the_share_of_their_regions_that_are_right() -> None:
    first, second = regions(items(8, "a longer text") + "<p>between</p>" + items(3), "mdr")
    assert 0.2 < first.confidence < 0.5
    assert second.confidence < 0.02


def test_there_are_four_regions_at_most() -> None:
    tags = ("div", "section", "article", "form", "blockquote", "fieldset")
    assert len(regions("".join(f"<{tag}>{f'<p class={tag}><a href=/>text</a></p>' * 5}</{tag}>" for tag in tags))) == 4


@pytest.mark.parametrize(("text", "found"), [("nineteen characters", []), ("twenty characters so", [1])])
def test_a_lone_record_has_twenty_characters(text: str, found: list[int]) -> None:
    assert len(text) == (20 if found else 19)
    assert sizes(f"<div class=results><div><a href=/>{text[:9]}</a><p>{text[10:]}</p></div></div>", "lone") == found


@pytest.mark.parametrize(
    ("inside", "found"),
    [("<a href=/>one text only, but a long one</a>", []), ("<a href=/>two texts</a><p>of enough words</p>", [1])],
)
def test_a_lone_record_has_two_texts(inside: str, found: list[int]) -> None:
    assert sizes(f"<div class=results><div>{inside}</div></div>", "lone") == found


def test_a_lone_record_has_a_link_and_stands_alone_in_what_is_called_a_list() -> None:
    record = "<div><a href=/>two texts</a><p>of enough words</p></div>"
    assert sizes(f"<div class=wrapper>{record}</div>", "lone") == []
    assert sizes(f"<div id=search-results>{record}</div>", "lone") == [1]
    assert sizes(f"<div role=feed>{record}</div>", "lone") == [1]
    assert sizes(f"<ul>{record}</ul>", "lone") == [1]
    assert sizes(f"<ul>{record}<p>more</p></ul>", "lone") == []
    assert sizes("<ul><div><b>two texts</b><p>of enough words</p></div></ul>", "lone") == []


def alone(rest: int) -> str:
    """Return like nodes that are each alone in a parent of a kind of its own, and other text."""
    inside = f"<p class=x>{'w' * 80}</p><h6>{'w' * 20}</h6>"
    return "".join(f"<{tag}>{inside}</{tag}>" for tag in ("div", "section", "article")) + f"<pre>{'w' * rest}</pre>"


@pytest.mark.parametrize(("rest", "found"), [(400, [3]), (600, [])])
def test_like_nodes_alone_in_their_parents_hold_three_tenths_of_the_text(rest: int, found: list[int]) -> None:
    assert sizes(alone(rest), "spread") == found


def apart(between: int) -> str:
    """Return two lists of a hundred characters each with something between them."""
    some = "<div>" + f"<p class=x>{'w' * 50}</p>" * 2 + "</div>"
    return f"{some}<h2>{'w' * between}</h2>{some}"


@pytest.mark.parametrize(("between", "found"), [(180, [4]), (220, [])])
def test_half_of_the_text_from_list_to_list_is_in_records(between: int, found: list[int]) -> None:
    assert sizes(apart(between), "spread") == found


@pytest.mark.parametrize(("classes", "found"), [("ab", [2]), ("abc", [2]), ("abcd", [])])
def test_two_or_three_siblings_take_turns(classes: str, found: list[int]) -> None:
    rows = "".join(f"<p class={name}>text</p>" for name in classes * 2)
    assert sizes(f"<div>{rows}</div>", "runs") == found


def test_turns_have_no_exception() -> None:
    for rows in ("aba", "abba", "ababa", "aabb"):
        assert sizes("<div>" + "".join(f"<p class={name}>text</p>" for name in rows) + "</div>", "runs") == [], rows


@pytest.mark.parametrize(("followed", "found"), [(2, False), (3, True)])
def test_six_in_ten_records_have_something_beside_their_head(followed: int, *, found: bool) -> None:
    heads = "".join(f"<h3>Head {n}</h3>" + ("<p>said</p>" if n < followed else "") for n in range(5))
    assert (5 in sizes(f"<div>{heads}</div>", "runs")) is found


@pytest.mark.parametrize(("times", "lengths"), [(1, [2, 2, 2, 2, 2]), (2, [3, 3, 2, 2, 2])])
def test_what_follows_few_records_is_no_part_of_them(times: int, lengths: list[int]) -> None:
    rows = "".join(f"<h3>Head {n}</h3><p>said</p>" + ("<form>Search</form>" if n < times else "") for n in range(5))
    runs = [group.records for group in groups(f"<div>{rows}</div>") if group.how == "runs"]
    assert lengths in [[len(record) for record in records] for records in runs]


def test_heads_begin_lines() -> None:
    assert sizes("<div>" + "by <a href=/>Ann</a> <i class=x>now</i> " * 4 + "</div>", "runs") == []


def unlike(more: int) -> str:
    """Return two siblings that share one of the paths below them."""
    inside = "".join(f"<{tag}>a</{tag}>" for tag in ("h1", "h2", "h3", "h4")[:more])
    return f"<div><section><p>a</p></section><section><p>a</p>{inside}</section></div>"


@pytest.mark.parametrize(("more", "found"), [(0, [2]), (1, [2]), (3, [])])
def test_siblings_are_alike_by_what_stands_in_them(more: int, found: list[int]) -> None:
    assert [len(group.records) for group in groups(unlike(more)) if group.how == "siblings"] == found


def fields(rows: list[list[str]], tag: str = "span") -> Region:
    """Read records whose fields stand in like elements."""
    parts = ["".join(f"<{tag}>{text}</{tag}>" for text in row) for row in rows]
    heads = [f"<h3><a href=/{n}>Name {n}</a></h3><img src=/x.png>" for n in range(len(rows))]
    body = "".join(f"<div class=row>{head}{part}</div>" for head, part in zip(heads, parts, strict=True))
    return regions(f"<main>{body}</main>")[0]


def test_more_than_six_repetitions_are_a_list() -> None:
    many = fields([["word"] * 7, ["word"] * 3, ["word"] * 7, ["word"] * 3])
    assert many.records[0].fields["text"] == ["word"] * 7
    few = fields([[f"word {k}{n}" for k in range(count)] for n, count in enumerate([6, 3, 6, 3])])
    assert few.records[0].fields["text"] == "word 00"


def test_links_up_to_four_in_a_record_are_a_list() -> None:
    rows = [["one"], ["one", "two"], ["one", "two", "six"], ["one", "two", "six", "ten"]]
    four = fields([[f"<a href=/t>{word}</a>" for word in row] for row in rows], "i")
    assert ["one", "two", "six", "ten"] in four.records[3].fields.values()
    three = fields([[f"<a href=/t>{word}</a>" for word in row] for row in [*rows[:3], rows[2]]], "i")
    assert ["one", "two", "six"] not in three.records[3].fields.values()


def test_names_have_thirty_characters_at_most() -> None:
    head = "<tr><th>Name</th><th>" + "abcdefghij" * 4 + "</th></tr>"
    body = "".join(f"<tr><td><a href=/{n}>Row {n}</a></td><td>{n}</td></tr>" for n in range(4))
    assert regions(f"<table>{head}{body}</table>")[0].columns[1] == "abcdefghij" * 3


def test_a_label_names_a_column_where_six_in_ten_cells_have_it() -> None:
    rows = [["Weight: 3 kg"], ["Weight: 4 kg"], ["Weight: 5 kg"], ["unknown"], ["unknown"]]
    assert fields(rows).columns[1] == "weight"
    mixed = [["Weight: 3 kg"], ["Weight: 4 kg"], ["Height: 2 m"], ["Depth: 1 m"], ["unknown"]]
    assert fields(mixed).columns[1] == "text"


def pager(current: str, others: list[str]) -> str:
    links = "".join(f" <a href=/p{number}>{number}</a>" for number in others)
    return items(5, "some longer text") + f"<div><b>{current}</b>{links}</div>"


def test_page_numbers_have_five_digits_at_most() -> None:
    assert regions(pager("1", ["2", "3"]))[0].next_url == f"{URL}p2"
    assert regions(pager("99998", ["99997", "99999"]))[0].next_url == f"{URL}p99999"
    assert regions(pager("199998", ["199997", "199999"]))[0].next_url is None


def test_the_next_number_stands_close() -> None:
    filler = [f"x{n}" for n in range(12)]
    assert regions(pager("1", [*filler[:9], "5", "2"]))[0].next_url == f"{URL}p2"
    assert regions(pager("1", ["5", *["7"] * 10, "2"]))[0].next_url == f"{URL}p2"
    assert regions(pager("1", ["5", *["7"] * 11, "2"]))[0].next_url is None


def test_mdr_takes_three_tenths_of_the_tags_for_alike() -> None:
    first, like, unlike = "<i>a</i>" * 8, "<i>a</i>" * 6 + "<b>a</b>" * 2, "<i>a</i>" * 5 + "<b>a</b>" * 3
    assert [len(region.records) for region in regions(f"<div><p>{first}</p><p>{like}</p></div>", "mdr")] == [2]
    assert all(
        region.records[0].text != "aaaaaaaa" for region in regions(f"<div><p>{first}</p><p>{unlike}</p></div>", "mdr")
    )


def test_mdr_looks_at_parents_of_two_levels() -> None:
    assert len(regions("<div><p><i>a</i></p><p><i>b</i></p></div>", "mdr")) == 1
    assert regions("<div><p>a</p><p>b</p></div>", "mdr") == []


@pytest.mark.parametrize(("rest", "aside"), [(300, True), (10, False)])
def test_what_holds_most_of_the_page_is_not_beside_it(rest: int, *, aside: bool) -> None:
    html = f"<!doctype html><body><div class=menu>{'w' * 100}</div><p>{'w' * rest}</p>"
    measures = PageMeasures(windrow.parse(html).nodes)
    assert bool(measures.aside.any()) is aside


def test_fields_of_most_records_are_columns_by_position() -> None:
    rows = [[f"Tree {n}", f"{n} m"] for n in range(2, 5)]
    steady = fields([*rows, ["5 m"]])
    assert steady.records[3].fields.get("number", steady.records[3].fields.get("text_2")) == "5 m"


def test_shapes_reach_six_levels_down_and_classes_two() -> None:
    def likeness(one: str, other: str) -> float:
        nodes = windrow.parse(f"<!doctype html><body><main>{one}{other}</main><p class='x y'>{one}</p>").nodes
        first, second = nodes.children(int(nodes.tag.where("main")[0])).tolist()
        return PageMeasures(nodes).shapes.likeness(first, second)

    def deep(levels: int, inside: str) -> str:
        return "<div>" * levels + inside + "</div>" * levels

    assert likeness(deep(6, "<u>a</u><h1>a</h1>"), deep(6, "<u>a</u>")) < 1
    assert likeness(deep(7, "<u>a</u><h1>a</h1>"), deep(7, "<u>a</u>")) == 1
    assert likeness(deep(2, "<p class=x>a</p>"), deep(2, "<p class=y>a</p>")) < 1
    assert likeness(deep(3, "<p class=x>a</p>"), deep(3, "<p class=y>a</p>")) == 1


def long_list(count: int) -> str:
    return (
        "<ul>" + "".join(f"<li><a href=/{n}>Tree {n}</a> <b>{n} kg</b> <i>old</i></li>" for n in range(count)) + "</ul>"
    )


def test_a_very_long_list_is_read_as_far_as_the_page_may_be() -> None:
    html = f"<!doctype html><title>Trees</title><body>{long_list(300)}"
    options = windrow.Options(limits=windrow.Limits(nodes=2800))
    (region,) = windrow.parse(html, url=URL, options=options).regions()
    assert len(region.records) == 2800 // 10 // 3
    assert region.left_out == 300 - len(region.records)
    assert f"{region.left_out} more records" in region.lack
    assert region.to_dict()["left_out"] == region.left_out
    assert windrow.Region.from_dict(region.to_dict()).lack == region.lack
    (whole,) = windrow.parse(html, url=URL).regions()
    assert (len(whole.records), whole.left_out, whole.lack) == (300, 0, "")


def test_what_may_be_read_of_a_page_goes_with_it() -> None:
    options = windrow.Options(limits=windrow.Limits(nodes=2800))
    page = windrow.parse(f"<!doctype html><title>Trees</title><body>{long_list(300)}", url=URL, options=options)
    assert pickle.loads(pickle.dumps(page)).regions()[0].left_out == page.regions()[0].left_out > 0  # noqa: S301 - ours


def test_what_is_left_out_is_a_warning_of_what_was_read() -> None:
    options = windrow.Options(limits=windrow.Limits(nodes=2800))
    page = windrow.parse(f"<!doctype html><title>Trees</title><body>{long_list(300)}", url=URL, options=options)
    lack = page.regions()[0].lack
    outcome = read_outcome(Outcome.of_page(page), {"regions": {}}, pages=True)
    assert [(notice.kind, notice.text) for notice in outcome.warnings] == [("left-out", lack)]
    assert gather(outcome_to_plain(outcome, {"regions": {}}))["warnings"] == [{"kind": "left-out", "text": lack}]
    assert gather(outcome_to_plain(outcome, {"title": {}}))["warnings"] == []
    assert f"{page.regions()[0].left_out} more" in repr(page.regions()[0])


@pytest.mark.parametrize(("picture", "found"), [("", [3]), ("<img src=/x.png>", [])])
def test_a_heading_over_several_linked_pictures_begins_no_record(picture: str, found: list[int]) -> None:
    day = "<h4>Day</h4>" + f"<p class=game><a href=/x>{picture}<span>Name</span></a></p>" * 2
    assert sizes(f"<div>{day * 3}</div>", "runs") == found


def test_what_leads_nowhere_is_no_link_of_a_record() -> None:
    assert feature(items(4), "linked") == 1
    assert feature(items(4).replace("href=/", "href='#'"), "linked") == 0
    assert feature(items(4).replace("href=/", "href='javascript:save()'"), "linked") == 0
