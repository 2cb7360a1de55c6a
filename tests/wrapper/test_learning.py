"""Where the decisions of learning, checking and healing turn: one character, one place, one digit more or less."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import shelf

import windrow
from windrow.wrapper.consensus import Trials, try_rule
from windrow.wrapper.healing import PARAMETERS as HEAL
from windrow.wrapper.learning import PARAMETERS, Lesson, is_beside
from windrow.wrapper.page_features import features_of, steady_class
from windrow.wrapper.template.bartree import grow_bartree


def lesson(html: str, **wanted: str) -> Lesson:
    return Lesson.of(windrow.parse(html), wanted)


def test_the_worth_of_a_place_grows_with_a_label_and_in_the_heading() -> None:
    page = "<body><h1>Hay</h1><h2>{}</h2><p>Straw</p></body>"
    plain, labelled = (
        lesson(page.format(text), cost="Straw").rules[0].values[0][0].worth for text in ("Cheap", "Price:")
    )
    heading = lesson(page, name="Hay").rules[0].values[0][0].worth
    assert (plain, labelled, heading) == pytest.approx((1.2, 1.8, 1.8))


def test_at_most_four_places_vote() -> None:
    places = lesson("<body>" + "<p>Hay</p>" * 6 + "</body>", name="Hay").rules[0].values[0]
    assert len(places) == PARAMETERS.most_places == 4


@pytest.mark.parametrize(("tag", "count", "beside"), [("aside", 2, True), ("aside", 1, False), ("main", 2, False)])
def test_one_of_several_in_the_margin_is_beside_the_content(tag: str, count: int, *, beside: bool) -> None:
    features = features_of(windrow.parse(f"<body><h1>Hay</h1><{tag}>{'<p>Straw</p>' * count}</{tag}></body>").nodes)
    assert is_beside(features, int(features.texts[-1])) is beside


def test_an_answer_to_a_comment_is_one_of_several_though_it_stands_deeper() -> None:
    talk = "<ol><li><footer><b class=fn>A</b></footer><ol><li><footer><b class=fn>Bea</b></footer></li></ol></li></ol>"
    features = features_of(windrow.parse(f"<body><h1>Hay</h1><b class=by>Bea</b>{talk}</body>").nodes)
    assert [is_beside(features, int(text)) for text in features.texts] == [False, False, True, True]


def test_a_class_with_three_digits_names_one_page() -> None:
    assert steady_class("col-12 post-123 a1b2c3") == "col-12"


def test_an_example_refutes_a_rule_that_reads_something_else_there() -> None:
    page = "<body><h1>{}</h1><p class=a>{}</p><p class=b>{}</p></body>"
    rule = lesson(page.format("Hay", "£1", "May"), price="£1").rules[0]
    right = lesson(page.format("Oats", "£2", "June"), price="£2")
    wrong = lesson(page.format("Oats", "June", "£2"), price="£2")
    without = lesson(page.format("Oats", "£2", "June"), name="Oats")
    assert try_rule(rule, [right]) == Trials(1, 0)
    assert try_rule(rule, [wrong, without]) == Trials(0, 2)


@pytest.mark.parametrize("short", [True, False])
def test_on_another_address_only_a_long_text_proves_that_it_is_the_page(*, short: bool) -> None:
    title = "h" * (HEAL.distinct - short)
    wrapper = windrow.learn(windrow.parse(f"<h1>{title}</h1><p>Hay</p>", url=shelf.HOME), {"title": title})
    other = windrow.parse(f"<main><h2>{title}</h2></main>", url=shelf.OTHER)
    if short:
        with pytest.raises(windrow.RegionGone):
            wrapper.heal(other)
    else:
        assert wrapper.heal(other).extract(other).values == {"title": [title]}


def test_the_ratio_is_a_tenth_on_pages_that_are_not_deep() -> None:
    nodes = windrow.parse("<body><div><p>Hay</p></div></body>").nodes
    text = int(features_of(nodes).texts[0])
    assert grow_bartree(nodes, text, text).ratio == Fraction(1, 10)


def test_a_header_cell_of_another_row_heads_nothing() -> None:
    page = "<body><h1>{}</h1><table><tr><th>{}</th></tr><tr><td>{}</td></tr></table></body>"
    wrapper = windrow.learn(
        windrow.parse(page.format("Hay", "Price", "£1"), url=shelf.HOME), {"name": "Hay", "price": "£1"}
    )
    found = wrapper.extract(windrow.parse(page.format("Oats", "Cost today", "free"), url=shelf.OTHER))
    assert found.values == {"name": ["Oats"], "price": ["free"]}


@pytest.mark.parametrize("pasted", ["Hay", {"title": None}, {"title": 3}, {"title": [3]}, [{"title": None}], ["Hay"]])
def test_what_is_no_text_by_label_is_wrong_use(pasted: Any) -> None:  # noqa: ANN401 - whatever people give
    with pytest.raises(windrow.UsageError, match=r"is no text|without labels"):
        windrow.learn(shelf.old(shelf.HAY), pasted)


def test_very_many_values_that_make_no_list_are_refused() -> None:
    rows = [f"<p class=c{n % 7}>Some {n} text</p><div><b>Other {n}</b></div>" for n in range(300)]
    page = windrow.parse(f"<body>{''.join(rows)}</body>")
    mixed = [f"Some {n} text" if n % 2 else f"Other {n}" for n in range(300)]
    with pytest.raises(windrow.UsageError, match="300 texts were pasted for 'what', and they make no list"):
        windrow.learn(page, {"what": mixed})
    whole = [f"Some {n} text" for n in range(300)]
    assert windrow.learn(page, {"what": whole}).extract(page).values["what"] == whole
