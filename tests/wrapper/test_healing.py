from __future__ import annotations

from dataclasses import replace

import pytest
import shelf

import windrow


@pytest.fixture(scope="module")
def learned() -> windrow.Wrapper:
    return windrow.learn(shelf.old(shelf.HAY), shelf.HAY)


def test_a_new_template_is_learned_by_the_old_values(learned: windrow.Wrapper) -> None:
    healed = learned.heal(shelf.new(shelf.HAY))
    assert healed.extract(shelf.new(shelf.HAY)).values == shelf.values_of(shelf.HAY)
    assert not healed.check(shelf.new(shelf.HAY)).changed


def test_the_healed_wrapper_reads_other_pages_of_the_new_template(learned: windrow.Wrapper) -> None:
    healed = learned.heal(shelf.new(shelf.HAY))
    assert healed.extract(shelf.new(shelf.WELL, shelf.OTHER)).values == shelf.values_of(shelf.WELL)


def test_the_report_says_where_everything_went(learned: windrow.Wrapper) -> None:
    report = learned.heal(shelf.new(shelf.HAY)).report
    assert report is not None
    assert report.lost == ()
    assert report.moves["title"].old.endswith("div[2]/h1[1]/#text[1]")
    assert report.moves["title"].new.endswith("main[1]/section[1]/div[1]/h1[1]/#text[1]")
    assert set(report.to_dict()) == {"confidence", "moves", "lost", "doubtful", "sentence"}


def test_several_pages_must_agree(learned: windrow.Wrapper) -> None:
    pages = [shelf.new(shelf.HAY), shelf.new(shelf.WELL, shelf.OTHER), shelf.new(shelf.BARN, shelf.OTHER + "3")]
    report = learned.heal(pages).report
    assert report is not None
    assert {move.pages for move in report.moves.values()} == {3}
    bare = windrow.parse("<main><p>Nothing here</p></main>", url=shelf.OTHER)
    with pytest.raises(windrow.HealUncertain, match="read back"):
        learned.heal([pages[0], bare])


def test_every_example_is_known_by_its_own_values() -> None:
    examples = [(shelf.old(shelf.HAY), shelf.HAY), (shelf.old(shelf.BARN, shelf.OTHER), shelf.BARN)]
    again = windrow.Wrapper.from_json(windrow.learn(examples).to_json())
    healed = again.heal([shelf.new(shelf.WELL), shelf.new(shelf.BARN, shelf.OTHER)])
    assert healed.reference.url == shelf.OTHER
    assert healed.extract(shelf.new(shelf.WELL, shelf.HOME)).values == shelf.values_of(shelf.WELL)


def test_a_page_without_an_address_asks_for_one() -> None:
    wrapper = windrow.learn(shelf.old(shelf.HAY), {"title": "The Hay Year"})
    with pytest.raises(windrow.HealUncertain, match="--url"):
        wrapper.heal(windrow.parse(shelf.new_page(shelf.HAY)))


def test_healing_by_no_page_is_wrong_use(learned: windrow.Wrapper) -> None:
    with pytest.raises(windrow.UsageError):
        learned.heal([])


def test_where_the_text_is_gone_somebody_is_warned(learned: windrow.Wrapper) -> None:
    with pytest.raises(windrow.RegionGone) as caught:
        learned.heal(shelf.new(shelf.WELL))
    assert caught.value.report.confidence < 0.5


def test_where_some_of_it_is_there_a_person_decides(learned: windrow.Wrapper) -> None:
    page = windrow.parse(shelf.new_page(shelf.HAY).replace("12.50", "13.00").replace("000001", "9"), url=shelf.HOME)
    with pytest.raises(windrow.HealUncertain) as caught:
        learned.heal(page)
    assert caught.value.report.lost == ("price", "isbn")


def test_a_byline_on_another_address_proves_nothing() -> None:
    wrapper = windrow.learn(windrow.parse("<p>By <b>Field Press</b></p>", url=shelf.HOME), {"by": "Field Press"})
    with pytest.raises(windrow.RegionGone):
        wrapper.heal(windrow.parse("<main><div>Field Press</div></main>", url=shelf.OTHER))


def test_a_value_within_other_words_is_kept_to_its_address(learned: windrow.Wrapper) -> None:
    html = shelf.new_page(shelf.HAY).replace("<h1>The Hay Year</h1>", "<h1>The Hay Year and other books</h1>")
    healed = learned.heal(windrow.parse(html, url=shelf.HOME))
    assert healed.report is not None
    assert healed.report.doubtful == ("title",)
    assert healed.extract(windrow.parse(html, url=shelf.HOME)).values["title"] == ["The Hay Year"]
    assert healed.extract(windrow.parse(html, url=shelf.OTHER)).missing == ["title"]


def test_a_label_that_healing_dropped_is_no_matter_of_the_next(learned: windrow.Wrapper) -> None:
    rules = {label: rules for label, rules in learned.rules.items() if label != "price"}
    healed = replace(learned, rules=rules).heal(shelf.new(shelf.HAY))
    assert healed.report is not None
    assert set(healed.report.moves) == set(healed.labels) == set(rules)
