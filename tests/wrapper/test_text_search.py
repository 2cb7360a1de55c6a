from __future__ import annotations

import pytest

import windrow
from windrow.wrapper.page_features import PageFeatures
from windrow.wrapper.text_search import TextIndex


def index(html: str) -> TextIndex:
    return TextIndex(PageFeatures(windrow.parse(html).nodes))


@pytest.mark.parametrize(
    ("html", "pasted"),
    [
        ("<p>Hay   and\n straw</p>", "Hay and straw"),
        ("<p>Hay &amp; straw&nbsp;bales</p>", "Hay & straw bales"),
        ("<p>Hay <b>and</b> <i>str</i>aw</p>", "Hay and straw"),
        ("<p>Hay and straw</p>", "HAY AND STRAW"),
        ("<p>“Hay” isn’t straw – ever</p>", '"Hay" isn\'t straw - ever'),
        ("<p>Hay\u00adstack\u200b row</p>", "Haystack row"),
        ("<p>Hay<br>and straw</p>", "Hay and\nstraw"),
        ("<p>ﬁne hay ①</p>", "fine hay 1"),
    ],
)
def test_a_text_is_found_however_it_is_written(html: str, pasted: str) -> None:
    places = index(html).find(pasted)
    assert len(places) == 1
    assert places[0].is_exact


def test_a_text_within_a_longer_one_keeps_what_is_around_it() -> None:
    place = index("<p>Posted by Ada Rake today</p>").find("Ada Rake")[0]
    assert (place.prefix.strip(), place.suffix.strip()) == ("Posted by", "today")


def test_the_same_letters_go_before_other_letters() -> None:
    found = index("<p>HAY DAY</p><h1>Hay Day</h1>")
    assert [found.features.text_of(place.node) for place in found.find("Hay Day")] == ["Hay Day"]


def test_a_short_text_is_not_found_within_words() -> None:
    found = index("<p>ReadValue</p><p>Rated R</p>")
    assert [place.prefix.strip() for place in found.find("R")] == ["Rated"]


def test_a_piece_of_a_figure_is_not_on_the_page() -> None:
    page = windrow.parse("<p>4.57 from 12 votes</p><p>Lot 3310</p>", url="https://barn.example/1")
    for pasted, closest in (("4.5", "4.57 from 12 votes"), ("310", "Lot 3310")):
        with pytest.raises(windrow.UsageError, match=f"is not on the page; the closest is '{closest}'"):
            windrow.learn(page, {"what": pasted})
    assert windrow.learn(page, {"what": "4.57"}).extract(page).values == {"what": ["4.57"]}
    price = windrow.parse("<p>£49.00</p>", url="https://barn.example/2")
    with pytest.raises(windrow.UsageError, match="closest is '£49"):
        windrow.learn(price, {"what": "49"})


def test_nothing_is_found_in_what_nobody_reads() -> None:
    page = "<script>hay</script><style>hay</style><template><p>hay</p></template><p>straw</p>"
    assert index(page).find("hay") == []


def test_a_style_that_was_copied_along_is_not_looked_for() -> None:
    found = index("<div>Hay <style>p { color: red }</style> and straw</div><p>Oats</p>")
    places = found.find("Hay p { color: red } and straw")
    assert [found.features.nodes.tag[place.node] for place in places] == ["div"]
    assert len(index("<div><b>Hay</b><script>go()</script></div><p>Oats</p>").find("Hay go()")) == 1


@pytest.mark.parametrize("unread", ["<script>1</script>", "<style>.501</style>", "<noscript>£12.501</noscript>"])
def test_a_script_elsewhere_takes_nothing_from_a_text(unread: str) -> None:
    html = f"<head>{unread}</head><p>Hay</p><p>£12.50</p><p>Oats</p>"
    assert index(html).find("£12.501") == []


def test_the_closest_text_is_shown() -> None:
    assert index("<p>Mowing in July</p><p>Carting</p>").closest("Mowing in June") == "Mowing in July"


def test_hidden_words_in_between_are_not_pasted() -> None:
    found = index("<div><p>Hay</p><p style='display:none'>secret</p><p>straw</p></div>")
    assert [found.features.nodes.tag[place.node] for place in found.find("Hay straw")] == ["div"]


TWICE = "<body><p>Hay</p><div><h2>Straw</h2><p>Hay</p><p>3 bales</p></div></body>"


def test_of_several_places_the_one_near_the_other_labels_is_taken_and_said() -> None:
    choice = windrow.learn(windrow.parse(TWICE), {"name": "Hay", "count": "3 bales"}).choices[0]
    assert (choice.label, choice.text) == ("name", "Hay")
    assert choice.chosen == "/html[1]/body[1]/div[1]/p[1]/text()[normalize-space()][1]"
    assert choice.others == ("/html[1]/body[1]/p[1]/text()[normalize-space()][1]",)


def test_with_a_region_only_the_places_in_it_count() -> None:
    wrapper = windrow.learn(windrow.parse(TWICE), {"name": "Hay"}, region="Straw Hay 3 bales")
    assert wrapper.choices == ()
    assert (
        wrapper.rules["name"][0].values[0][0].location.path
        == "/html[1]/body[1]/div[1]/p[1]/text()[normalize-space()][1]"
    )


def test_the_place_of_a_text_is_an_xpath() -> None:
    html = "<body><p> <b>Old</b> and <i>new</i> Hay <svg><text>Barn</text></svg></p><img alt='A rick'></body>"
    places = {
        "Hay": "/html[1]/body[1]/p[1]/text()[normalize-space()][2]",
        "new": "/html[1]/body[1]/p[1]/i[1]/text()[normalize-space()][1]",
        "Barn": "/html[1]/body[1]/p[1]/*[name()='svg'][1]/*[name()='text'][1]/text()[normalize-space()][1]",
        "A rick": "/html[1]/body[1]/img[1]/@alt",
    }
    page = windrow.parse(html)
    found = {text: windrow.learn(page, {"it": text}).rules["it"][0].values[0][0].location.path for text in places}
    assert found == places
