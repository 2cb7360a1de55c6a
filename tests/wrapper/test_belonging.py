from __future__ import annotations

import pytest

import windrow
from windrow.wrapper.belonging import Entries, are_alike, parts_of

URL = "https://example.org/p/1"


def find_foreign(page: windrow.Page, **texts: str) -> set[str]:
    """Return the labels whose texts are other records', as if a wrapper had read them where they stand."""
    places = {label: [page.nodes.text.index(text)] for label, text in texts.items()}
    return Entries(page.nodes, page.url, page.resolve).find_foreign(places)


def page_of(related: str, head: str = "<h1>Cox</h1>") -> windrow.Page:
    facts = "<table><tr><th>Price</th><td>£5</td></tr><tr><th>Grower</th><td>Hollin</td></tr></table>"
    return windrow.parse(f"<main>{head}{facts}</main><aside>{related}</aside>", url=URL)


RELATED = "<ul><li><a href='/p/2'>Gala</a> <b>£6</b></li><li><a href='/p/3'>Luna</a> <b>£7</b></li></ul>"


def test_a_value_in_a_list_of_other_records_is_theirs() -> None:
    page = page_of(RELATED)
    assert find_foreign(page, name="Cox", price="£6", grower="Hollin") == {"price"}
    assert find_foreign(page, name="Cox", price="£5", grower="Hollin") == set()


def test_a_list_of_other_things_is_no_list_of_records() -> None:
    page = page_of(RELATED.replace("/p/", "/growers/"))
    assert find_foreign(page, name="Cox", price="£6", grower="Hollin") == set()


def test_links_to_the_pages_before_and_after_make_no_list() -> None:
    page = page_of("", head="<div><h1>Cox</h1><a href='/p/0'>Back</a> <a href='/p/2'>On</a></div>")
    assert find_foreign(page, name="Cox", price="£5", grower="Hollin") == set()


def test_one_label_alone_says_nothing() -> None:
    page = page_of(RELATED)
    assert find_foreign(page, price="£6") == set()


def test_rows_that_hold_the_values_of_the_record_are_its_own() -> None:
    rows = "<div><p>£5 <a href='/p/1-large'>large</a></p><p><b>Hollin</b> <a href='/p/1-small'>small</a></p></div>"
    page = windrow.parse(f"<main><h1>Cox</h1>{rows}</main>", url=URL)
    assert find_foreign(page, name="Cox", price="£5 ", grower="Hollin") == set()


def test_two_values_may_have_strayed_into_one_entry() -> None:
    page = page_of(RELATED.replace("<b>£6</b>", "<b>£6</b> <i>Lindhof</i>"), head="<h1>Cox</h1><p>T-1</p><p>1950</p>")
    strayed = find_foreign(page, name="Cox", number="T-1", year="1950", price="£6", grower="Lindhof")
    assert strayed == {"price", "grower"}


@pytest.mark.parametrize("count", [1, 2])
def test_a_page_without_a_price_does_not_take_that_of_a_related_record(count: int) -> None:
    offer = "<div class=offer><b class=price>{}</b></div>"
    html = "<header><a href='/'>Apples</a></header><main><h1>{}</h1>{}<p>From Kent</p>{}</main>"
    wrapper = windrow.learn(
        windrow.parse(html.format("Cox", offer.format("£5"), ""), url=URL), {"name": "Cox", "price": "£5"}
    )
    cards = "".join(f"<div><a href='/p/{number}'>Gala</a>{offer.format('£6')}</div>" for number in range(2, 2 + count))
    found = wrapper.extract(
        windrow.parse(html.format("Luna", "", f"<div>{cards}</div>"), url="https://example.org/p/9")
    )
    assert (found.values["name"], found.missing, found.doubtful) == (["Luna"], ["price"], {"price": ["£6"]})


def test_an_entry_leads_to_one_record() -> None:
    page = page_of(
        RELATED.replace("Gala</a>", "Gala</a> <a href='/p/4'>Spur</a>").replace("Luna</a>", "Luna</a> <a>-</a>")
    )
    assert find_foreign(page, name="Cox", price="£6", grower="Hollin") == set()


def test_entries_are_made_alike() -> None:
    other = RELATED.replace("<li><a href='/p/3'>Luna</a> <b>£7</b>", "<li class=more><a href='/p/3'>More of them</a>")
    assert find_foreign(page_of(other), name="Cox", price="£6", grower="Hollin") == set()
    assert find_foreign(page_of(other.replace(" class=more", "")), name="Cox", price="£6", grower="Hollin") == {"price"}


@pytest.mark.parametrize(("own", "other", "alike"), [
    ("/p/1", "/p/2", True), ("/p/1", "/p/2?from=1", True), ("/p/1", "/p/1?print=1", False), ("/p/1", "/q/2", False),
    ("/p?id=1", "/p?id=2", True), ("/p?id=1", "/print?id=1", False), ("/p?id=1", "/p?id=1&size=2", False),
])  # fmt: skip
def test_records_have_addresses_alike_and_views_of_one_do_not_count(own: str, other: str, *, alike: bool) -> None:
    one, two = parts_of(f"https://www.a.example{own}"), parts_of(f"https://a.example{other}")
    assert one is not None
    assert two is not None
    assert are_alike(one, two) is alike


ONE = "<h1>{}</h1><table><tr><th>Grower</th><td>{}</td></tr></table>"
ROWS = "<ul><li><a href='/p/{}'>{}</a> <b>{}</b></li><li><a href='/p/8'>Luna</a> <b>£7</b></li></ul>"


def test_a_value_of_another_record_is_doubtful() -> None:
    own = "<ul><li>{}</li><li>In stock</li></ul>"
    page = f"<main>{ONE}<div>{{}}</div></main>"
    taught = windrow.parse(page.format("Cox", "Hollin", own.format("<a>Price</a> <b>£5</b>")), url=URL)
    wrapper = windrow.learn(taught, {"name": "Cox", "grower": "Hollin", "price": "£5"})
    found = wrapper.extract(
        windrow.parse(page.format("Gala", "Lindhof", ROWS.format(3, "Spur", "£6")), url="https://example.org/p/2")
    )
    assert (found.values["name"], found.values["price"]) == (["Gala"], [])
    assert found.missing == ["price"]


def test_what_was_pasted_from_among_other_records_is_read_there() -> None:
    page = f"<main>{ONE}</main><aside>{ROWS}</aside>"
    taught = windrow.parse(page.format("Cox", "Hollin", 3, "Spur", "£6"), url=URL)
    wrapper = windrow.learn(taught, {"name": "Cox", "grower": "Hollin", "related": "Spur"})
    assert wrapper == windrow.Wrapper.from_json(wrapper.to_json())
    other = windrow.parse(page.format("Gala", "Lindhof", 4, "Elstar", "£8"), url="https://example.org/p/2")
    assert wrapper.extract(other).values["related"] == ["Elstar"]
