"""Values that say themselves that they are another field's, and those of which a part no longer holds."""

from __future__ import annotations

import pytest

import windrow
from windrow.wrapper.contradictions import find_amounts

ONE, TWO, THREE = (f"https://barn.example/{number}" for number in (1, 2, 3))


def parse(body: str, url: str) -> windrow.Page:
    return windrow.parse(f"<!DOCTYPE html><html><body><main>{body}</main></body></html>", url=url)


def lines(name: str, *texts: str) -> str:
    return f"<h1>{name}</h1>" + "".join(f"<div>{text}</div>" for text in texts)


@pytest.mark.parametrize("count", [1, 2])
def test_an_amount_is_no_year_and_a_year_no_author(count: int) -> None:
    rows = [("Hay", "Ada Rake", "1999", "£5.00"), ("Oats", "Ben Fork", "1998", "£6.00")]
    examples = [
        (parse(lines(*row), url), dict(zip(("name", "author", "year", "price"), row, strict=True)))
        for row, url in zip(rows, (ONE, TWO), strict=True)
    ]
    wrapper = windrow.learn(examples[:count])
    found = wrapper.extract(parse(lines("Rye", "Cleo Pail", "£7.00"), THREE))
    assert found.values == {"name": ["Rye"], "author": ["Cleo Pail"], "year": [], "price": []}
    assert found.doubtful == {"year": ["£7.00"]}
    found = wrapper.extract(parse(lines("Rye", "2001", "£7.00"), THREE))
    assert found.values == {"name": ["Rye"], "author": [], "year": [], "price": []}
    assert found.doubtful == {"author": ["2001"], "year": ["£7.00"]}


def test_what_is_surely_not_of_the_declared_type_is_doubtful() -> None:
    page = "<h1>{}</h1><p class=size>{}</p>"
    fields = {"size": windrow.Field(type="number")}
    wrapper = windrow.learn(parse(page.format("Rake", "No. 4"), ONE), {"name": "Rake", "size": "No. 4"}, fields=fields)
    assert wrapper.extract(parse(page.format("Fork", "No. 5"), TWO)).values["size"] == ["No. 5"]
    assert wrapper.extract(parse(page.format("Fork", "£5.00"), TWO)).doubtful == {"size": ["£5.00"]}


def test_the_text_behind_another_labels_name_is_the_others() -> None:
    page = "<h1>{}</h1><address>{}</address>"
    taught = page.format("Rake & Son", "1 High St<br>Ely<br>CB7 4EJ<br>Tel 01353 1234")
    wanted = {"street": "1 High St", "zip": "CB7 4EJ", "tel": "01353 1234"}
    wrapper = windrow.learn(parse(taught, ONE), wanted)
    got = wrapper.extract(parse(page.format("Fork & Co", "2 Low St<br>York<br>YO1 1AA<br>Tel 01904 555"), TWO)).values
    assert got == {"street": ["2 Low St"], "zip": ["YO1 1AA"], "tel": ["01904 555"]}
    found = wrapper.extract(parse(page.format("Hoe Ltd", "York<br>YO1 1AA<br>Tel 01904 555"), TWO))
    assert found.values["zip"] == []


SPLIT = "<span>£</span><span>{}</span><sup>.{}</sup>"


@pytest.mark.parametrize("price", [f"<s>{SPLIT.format(19, 99)}</s> {SPLIT.format(9, 99)}", "<del>£19.99</del> £9.99"])
def test_what_is_struck_out_is_no_part_of_the_price(price: str) -> None:
    page = "<h1>{}</h1><div class=price>{}</div>"
    wrapper = windrow.learn(parse(page.format("Rake", SPLIT.format(12, 50)), ONE), {"name": "Rake", "price": "£12.50"})
    assert wrapper.extract(parse(page.format("Fork", price), TWO)).values["price"] == ["£9.99"]


def test_what_was_learned_with_its_struck_part_keeps_it() -> None:
    page = "<h1>{}</h1><div class=price>{}</div>"
    both = "<s>£19.99</s> <b>£9.99</b>"
    wrapper = windrow.learn(parse(page.format("Rake", both), ONE), {"price": "£19.99 £9.99"})
    assert wrapper.extract(parse(page.format("Rake", both), ONE)).values == {"price": ["£19.99 £9.99"]}


@pytest.mark.parametrize("price", ["Was £20.00 Now £15.00", "£20.00 (was £25.00)", "£15.00 – £20.00"])
def test_two_amounts_where_one_was_learned_are_doubtful(price: str) -> None:
    page = "<h1>{}</h1><div class=price>{}</div>"
    wrapper = windrow.learn(parse(page.format("Rake", "£12.50"), ONE), {"name": "Rake", "price": "£12.50"})
    found = wrapper.extract(parse(page.format("Fork", price), TWO))
    assert found.values == {"name": ["Fork"], "price": []}
    assert found.doubtful == {"price": [price]}


@pytest.mark.parametrize(
    ("text", "count"), [("£5", 1), ("5 € statt 7 €", 2), ("£5–£7", 2), ("£5, that is £5", 1), ("3 of 40", 0), ("", 0)]
)
def test_amounts_in_a_text_are_counted(text: str, count: int) -> None:
    assert len(find_amounts(text)) == count


@pytest.mark.parametrize("cast", [["Eve Fay"], ["Eve Fay", "Gil Hay"], ["Eve Fay", "Gil Hay", "R2 D2"]])
def test_all_descriptions_of_a_term_are_read(cast: list[str]) -> None:
    def page(name: str, some: list[str]) -> str:
        people = "".join(f"<dd>{one}</dd>" for one in some)
        return f"<h1>{name}</h1><dl><dt>Cast</dt>{people}<dt>Country</dt><dd>UK</dd></dl>"

    wrapper = windrow.learn(
        parse(page("Hay", ["Ann Bee", "Cy Dee"]), ONE), {"cast": ["Ann Bee", "Cy Dee"], "country": "UK"}
    )
    kept = windrow.Wrapper.from_json(wrapper.to_json())
    assert kept.extract(parse(page("Oats", cast), TWO)).values == {"cast": cast, "country": ["UK"]}


@pytest.mark.parametrize(("count", "wanted"), [(1, []), (2, ["Needles"])])
def test_the_last_of_several_is_not_the_one_of_its_number(count: int, wanted: list[str]) -> None:
    def page(name: str, *crumbs: str) -> str:
        return "<ol>" + "".join(f"<li><a>{crumb}</a></li>" for crumb in crumbs) + f"</ol><h1>{name}</h1>"

    examples = [
        (parse(page("Oak", "Home", "Trees", "Leafy"), ONE), {"name": "Oak", "kind": "Leafy"}),
        (parse(page("Rye", "Home", "Crops", "Grain", "Tall"), TWO), {"name": "Rye", "kind": "Grain"}),
    ]
    wrapper = windrow.learn(examples[:count])
    assert wrapper.extract(parse(page("Hop", "Home", "Crops", "Climbing"), THREE)).values["kind"] == ["Climbing"]
    assert wrapper.extract(parse(page("Fir", "Home", "Trees", "Needles", "Tall"), THREE)).values["kind"] == wanted
