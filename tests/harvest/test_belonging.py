from __future__ import annotations

import windrow
from windrow.harvest.belonging import find_foreign
from windrow.wrapper.result import Located

URL = "https://example.org/p/1"


def places(page: windrow.Page, **texts: str) -> dict[str, list[Located]]:
    """Return where texts stand on a page, as if a wrapper had read them there."""
    return {label: [Located(text, page.nodes.text.index(text), "", None, 1.0)] for label, text in texts.items()}


def page_of(related: str, head: str = "<h1>Cox</h1>") -> windrow.Page:
    facts = "<table><tr><th>Price</th><td>£5</td></tr><tr><th>Grower</th><td>Hollin</td></tr></table>"
    return windrow.parse(f"<main>{head}{facts}</main><aside>{related}</aside>", url=URL)


RELATED = "<ul><li><a href='/p/2'>Gala</a> <b>£6</b></li><li><a href='/p/3'>Luna</a> <b>£7</b></li></ul>"


def test_a_value_in_a_list_of_other_records_is_theirs() -> None:
    page = page_of(RELATED)
    assert find_foreign(page, places(page, name="Cox", price="£6", grower="Hollin")) == {"price"}
    assert find_foreign(page, places(page, name="Cox", price="£5", grower="Hollin")) == set()


def test_a_list_of_other_things_is_no_list_of_records() -> None:
    page = page_of(RELATED.replace("/p/", "/growers/"))
    assert find_foreign(page, places(page, name="Cox", price="£6", grower="Hollin")) == set()


def test_links_to_the_pages_before_and_after_make_no_list() -> None:
    page = page_of("", head="<div><h1>Cox</h1><a href='/p/0'>Back</a> <a href='/p/2'>On</a></div>")
    assert find_foreign(page, places(page, name="Cox", price="£5", grower="Hollin")) == set()


def test_one_label_alone_says_nothing() -> None:
    page = page_of(RELATED)
    assert find_foreign(page, places(page, price="£6")) == set()


def test_rows_that_hold_the_values_of_the_record_are_its_own() -> None:
    rows = "<div><p>£5 <a href='/p/1-large'>large</a></p><p><b>Hollin</b> <a href='/p/1-small'>small</a></p></div>"
    page = windrow.parse(f"<main><h1>Cox</h1>{rows}</main>", url=URL)
    assert find_foreign(page, places(page, name="Cox", price="£5 ", grower="Hollin")) == set()


def test_two_values_may_have_strayed_into_one_entry() -> None:
    page = page_of(RELATED.replace("<b>£6</b>", "<b>£6</b> <i>Lindhof</i>"), head="<h1>Cox</h1><p>T-1</p><p>1950</p>")
    strayed = places(page, name="Cox", number="T-1", year="1950", price="£6", grower="Lindhof")
    assert find_foreign(page, strayed) == {"price", "grower"}
