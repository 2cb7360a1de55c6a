from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import windrow
from windrow.wrapper.known_records import KnownRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = tuple[str, str]
LESSON = {"number": "T-1", "name": "Cox", "price": "£5.00", "grower": "Hollin"}


def table(rows: Sequence[Row]) -> str:
    return f"<table>{''.join(f'<tr><th>{name}</th><td>{value}</td></tr>' for name, value in rows)}</table>"


def cards(rows: Sequence[Row]) -> str:
    return f"<div>{''.join(f'<div><span>{name}:</span> <b>{value}</b></div>' for name, value in rows)}</div>"


def page_of(facts: str, related: str = "", number: int = 1, name: str = "Cox") -> windrow.Page:
    return windrow.parse(f"<main>{related}<h1>{name}</h1>{facts}</main>", url=f"https://example.org/p/{number}")


def learned() -> windrow.Wrapper:
    first = table([("Number", "T-1"), ("Price", "£5.00"), ("Grower", "Hollin")])
    second = table([("Number", "T-2"), ("Price", "£6.50"), ("Grower", "Okafor")])
    other = {"number": "T-2", "name": "Gala", "price": "£6.50", "grower": "Okafor"}
    return windrow.learn([(page_of(first), LESSON), (page_of(second, number=2, name="Gala"), other)])


def related(*prices: str, grower: str = "Okafor") -> str:
    """Other trees, in the markup of the page's own."""
    entries = [
        f"<li><h3><a href='/p/{number}'>Tree {number}</a></h3>{cards([('Price', price), ('Grower', grower)])}</li>"
        for number, price in enumerate(prices, 7)
    ]
    return f"<ul>{''.join(entries)}</ul>"


def record_on(page: windrow.Page, **values: str) -> KnownRecord:
    return KnownRecord(learned(), page, {label: [text] for label, text in (LESSON | values).items()})


def test_a_value_that_changed_with_the_template_stands_behind_its_name_where_the_record_is() -> None:
    facts = cards([("Height", "3 m"), ("Number", "T-1"), ("Price", "£9.00"), ("Grower", "Hollin")])
    assert record_on(page_of(facts, related("£7.00", "£8.00"))).renewed() == {"price": "£9.00"}


def test_a_price_that_is_struck_out_is_not_the_new_one() -> None:
    facts = cards([("Number", "T-1"), ("Price", "<del>£9.00</del> <ins>£8.00</ins>"), ("Grower", "Hollin")])
    assert record_on(page_of(facts)).renewed() == {"price": "£8.00"}


@pytest.mark.parametrize(
    "price",
    ["3 m", "on request", "£9<sup>50</sup>", "from £9.00 to <b>£11.00</b>", "<span hidden>£9.00</span>"],
)
def test_what_is_no_amount_alone_behind_its_name_is_not_taken(price: str) -> None:
    facts = cards([("Number", "T-1"), ("Price", price), ("Grower", "Hollin")])
    assert record_on(page_of(facts)).renewed() == {}


def test_nothing_is_taken_where_two_names_stand_as_near_or_the_record_is_not_found() -> None:
    twice = cards([("Number", "T-1"), ("Price", "£9.00"), ("Price", "£8.00"), ("Grower", "Hollin")])
    assert record_on(page_of(twice)).renewed() == {}
    alone = cards([("Price", "£9.00")])
    assert record_on(page_of(alone)).renewed() == {}


NUMBER, PRICE, GROWER = (
    f"<dt>{name}</dt><dd>{text}</dd>" for name, text in [("Number", "T-1"), ("Price", ""), ("Grower", "Hollin")]
)
SOLD_OUT = f"<dl>{NUMBER}{GROWER}</dl>"
OTHER_PRICE = "<span>Price:</span> <b>£7.00</b>"


@pytest.mark.parametrize(
    "facts",
    [
        f"{SOLD_OUT}<aside><h3>Tree 7</h3><p>{OTHER_PRICE}</p></aside>",
        f"{SOLD_OUT}<div><h3>Tree 7</h3><p>{OTHER_PRICE}</p><p>Grower: <b>Hollin</b></p></div>",
        f"{SOLD_OUT}<div><a href='/p/7'><img alt='' src='7.png'></a>{OTHER_PRICE}</div>",
        f"<dl>{NUMBER}<dd><h3>Tree 7</h3>{OTHER_PRICE}</dd>{GROWER}</dl>",
        f"{SOLD_OUT}<footer><p>{OTHER_PRICE}</p></footer>",
        f"<dl>{NUMBER}{GROWER}{PRICE}</dl><p>£3.00</p>",
        f"<dl>{NUMBER}{PRICE}<dd>£3.00</dd>{GROWER}</dl>",
        f"<dl>{NUMBER}<dt>Price</dt><dd>£9.00</dd><dd>£8.00</dd>{GROWER}</dl>",
        f"<dl>{NUMBER}<dt>Price <del>£9.00</del></dt><dd>£3.00</dd>{GROWER}</dl>",
        f"<dl>{NUMBER}<dt>Price</dt><dd><p>£9.00</p><p>bare root</p><p>£12.00</p></dd>{GROWER}</dl>",
        f"<dl>{NUMBER}<dt>Price</dt><dd>€9.00</dd>{GROWER}</dl>",
        "<p>Number <b>T-1</b>, <i>Price</i> <b>£9</b><sup>50</sup>, Grower <b>Hollin</b></p>",
        "<table><tr><th>Grower</th><th>Price</th></tr><tr><td>£3.00</td><td>Hollin</td><td>T-1</td></tr></table>",
    ],
    ids=[
        "another record's",
        "another record's of the same grower",
        "another record's with a picture",
        "another record's within",
        "of the footer",
        "behind an empty one and outside",
        "behind an empty one",
        "two amounts",
        "only a former price",
        "variants",
        "another currency",
        "pence raised",
        "names above values",
    ],
)
def test_an_amount_that_may_be_something_elses_is_not_taken(facts: str) -> None:
    record = record_on(page_of(facts))
    assert {"number", "grower", "name"} <= set(record.standing)
    assert record.renewed() == {}
    found = record.wrapper.extract(record.page)
    unsure = replace(
        found, values=found.values | {"price": []}, located=found.located | {"price": ()}, missing=["price"]
    )
    assert record.settle(unsure).values["price"] == []


def test_a_known_text_is_placed_where_the_record_is_and_not_among_others() -> None:
    facts = cards([("Number", "T-1"), ("Price", "£5.00"), ("Grower", "Hollin")])
    page = page_of(facts, related("£7.00", "£5.00", grower="Hollin"))
    placed = record_on(page).placed()
    assert placed["grower"].start == page.text.rindex("Hollin")
    assert placed["price"].start == page.text.rindex("£5.00")


def test_a_text_that_was_read_away_from_the_record_is_another_ones() -> None:
    facts = cards([("Number", "T-1"), ("Price", "£5.00"), ("Grower", "Hollin")])
    record = record_on(page_of(facts, related("£7.00", "£8.00")))
    assert record.is_stray("grower", "Okafor")
    assert record.is_stray("price", "£7.00")
    assert not record.is_stray("grower", "Hollin")
    changed = record_on(page_of(facts.replace("£5.00", "£9.00"), related("£7.00", "£8.00")))
    assert not changed.is_stray("price", "£9.00")


def test_what_a_wrapper_is_not_sure_of_is_settled_by_the_record() -> None:
    wrapper = learned()
    page = page_of(table([("Number", "T-1"), ("Grower", "Hollin")]) + cards([("Price", "£8.00")]))
    found = wrapper.extract(page)
    assert "price" in found.missing
    settled = KnownRecord(wrapper, page, {label: [text] for label, text in LESSON.items()}).settle(found)
    assert settled.values == {**found.values, "price": ["£8.00"]}
    assert settled.missing == []
    assert settled.located["price"][0].path.endswith("/b/text()")
    assert settled.confidence["price"] == min(found.confidence.values())


def test_a_label_is_not_meant_to_be_read_among_others_where_one_example_strays() -> None:
    """An example that says nothing of a label does not show that the label stands in a list of other records."""
    rows = [("Number", "T-1"), ("Price", "£5.00"), ("Grower", "Hollin")]
    lists = related("£7.00", "£8.00").replace("Grower:", "Grower")
    first = page_of(cards(rows).replace("Grower:", "Grower"), lists)
    second = page_of(cards([("Number", "T-2"), ("Price", "£6.00")]), lists, 2, "Gala")
    wrapper = windrow.learn([(first, LESSON), (second, {"number": "T-2", "name": "Gala", "price": "£6.00"})])
    assert not any(known.is_listed for known in wrapper.surroundings.labels.values())
    assert wrapper.extract(second).values["grower"] == []
