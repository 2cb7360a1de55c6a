from __future__ import annotations

import numpy as np
import pytest
import shelf

import windrow
from windrow.wrapper.extraction import PageReader
from windrow.wrapper.location import locate
from windrow.wrapper.matching import MOST_PAIRS, SHAPE, Candidates, Sought, find_parts
from windrow.wrapper.rule import Place


@pytest.fixture(scope="module")
def learned() -> windrow.Wrapper:
    return windrow.learn(shelf.old(shelf.HAY), shelf.HAY)


@pytest.mark.parametrize("book", [shelf.HAY, shelf.WELL, shelf.BARN], ids=lambda book: str(book["title"]))
def test_other_pages_are_read_from_one_example(learned: windrow.Wrapper, book: shelf.Book) -> None:
    found = learned.extract(shelf.old(book, shelf.OTHER))
    assert found.values == shelf.values_of(book)
    assert found.missing == []


def test_a_banner_does_not_matter(learned: windrow.Wrapper) -> None:
    banner = "<div class=promo><p>Sale</p><ul class=contents2><li>Only today</li></ul></div>"
    assert learned.extract(shelf.old(shelf.WELL, shelf.OTHER, banner)).values == shelf.values_of(shelf.WELL)


def test_changed_class_names_do_not_matter(learned: windrow.Wrapper) -> None:
    html = shelf.old_page(shelf.WELL).replace('class="', 'class="x-')
    found = learned.extract(windrow.parse(html, url=shelf.OTHER)).values
    assert found["title"] == ["A Well in the Field"]
    assert found["isbn"] == [shelf.WELL["isbn"]]


def test_what_is_absent_is_missing_not_guessed(learned: windrow.Wrapper) -> None:
    html = shelf.old_page(shelf.WELL).replace("<tr><th>Price:</th><td><b>£8.00</b></td></tr>", "")
    found = learned.extract(windrow.parse(html, url=shelf.OTHER))
    assert found.missing == ["price"]
    assert found.values["isbn"] == [shelf.WELL["isbn"]]


def test_every_value_says_where_it_stands(learned: windrow.Wrapper) -> None:
    page = shelf.old(shelf.WELL, shelf.OTHER)
    found = learned.extract(page)
    assert found.paths["title"] == ["/html/body/div[2]/h1/text()"]
    assert found.boxes["title"] == [None]
    assert set(found.confidence) == set(shelf.WELL)
    assert all(0.6 <= sure <= 1 for sure in found.confidence.values())
    assert all(value in page.text for values in found.values.values() for value in values)


def test_more_examples_agree_on_what_counts() -> None:
    pages = [(shelf.old(shelf.HAY), shelf.HAY), (shelf.old(shelf.BARN, shelf.OTHER), shelf.BARN)]
    assert windrow.learn(pages).extract(shelf.old(shelf.WELL, shelf.OTHER)).values == shelf.values_of(shelf.WELL)


def test_records_become_rows() -> None:
    def page(rows: list[tuple[str, str]]) -> windrow.Page:
        items = "".join(
            f"<div class=card><h3>{name}</h3>{f'<em>{price}</em>' if price else ''}</div>" for name, price in rows
        )
        return windrow.parse(f"<body><p>Tools</p><section>{items}</section><p>end</p></body>")

    taught = page([("Rake", "£1"), ("Fork", "£2")])
    wrapper = windrow.learn(taught, {"name": ["Rake", "Fork"], "price": ["£1", "£2"]})
    found = wrapper.extract(page([("Scythe", "£3"), ("Barrow", ""), ("Spade", "£5")]))
    assert found.rows == [
        {"name": ["Scythe"], "price": ["£3"]},
        {"name": ["Barrow"]},
        {"name": ["Spade"], "price": ["£5"]},
    ]


def test_a_few_records_stand_for_all_of_a_pasted_region() -> None:
    items = "".join(f"<li><b>{name}</b></li>" for name in ("Rake", "Fork", "Spade", "Hoe"))
    page = windrow.parse(f"<body><p>Tools</p><ul>{items}</ul></body>")
    wrapper = windrow.learn(page, {"tool": ["Rake", "Fork"]}, region="Rake Fork Spade Hoe")
    assert wrapper.extract(page).values == {"tool": ["Rake", "Fork", "Spade", "Hoe"]}


def test_two_labels_never_take_the_same_text() -> None:
    html = """<body><div><h1>{}</h1><table><tr><th>Published</th><td>{}</td></tr>{}</table></div></body>"""
    pages = "<tr><th>Pages</th><td>320</td></tr>"
    page = windrow.parse(html.format("The Hay Year", "2024", pages), url=shelf.HOME)
    wrapper = windrow.learn(page, {"title": "The Hay Year", "published": "2024", "pages": "320"})
    found = wrapper.extract(windrow.parse(html.format("Stone Walls", "2019", ""), url=shelf.OTHER))
    assert found.values == {"title": ["Stone Walls"], "published": ["2019"], "pages": []}
    assert found.missing == ["pages"]


@pytest.mark.parametrize("fact", ["<tr><th>{}</th><td>{}</td></tr>", "<dt>{}</dt><dd>{}</dd>"])
def test_a_cell_with_another_name_and_format_is_not_taken(fact: str) -> None:
    def facts(url: str, **told: str) -> windrow.Page:
        around = "dl" if "<dt>" in fact else "table"
        cells = "".join(fact.format(name, text) for name, text in told.items())
        return windrow.parse(f"<body><h1>Book</h1><{around}>{cells}</{around}></body>", url=url)

    wrapper = windrow.learn(facts(shelf.HOME, Published="3 May 2024", Price="£12.50"), {"price": "£12.50"})
    assert wrapper.extract(facts(shelf.OTHER, Published="1 March 2019")).missing == ["price"]
    found = wrapper.extract(facts(shelf.OTHER, Published="1 March 2019", Price="£8.00"))
    assert found.values == {"price": ["£8.00"]}


def test_labels_that_were_learned_from_one_text_share_it() -> None:
    html = "<body><div><h1>{}</h1><p>A book</p></div></body>"
    page = windrow.parse(html.format("The Hay Year"), url=shelf.HOME)
    wrapper = windrow.learn(page, {"title": "The Hay Year", "name": "The Hay Year"})
    found = wrapper.extract(windrow.parse(html.format("Stone Walls"), url=shelf.OTHER))
    assert found.values == {"title": ["Stone Walls"], "name": ["Stone Walls"]}


def test_where_nothing_is_close_no_closest_text_is_shown() -> None:
    with pytest.raises(windrow.UsageError, match=r"'zzz' of 'title' is not on the page\. Paste"):
        windrow.learn(shelf.old(shelf.HAY), {"title": "zzz"})


def test_a_text_that_is_not_there_is_an_error_with_the_closest_one() -> None:
    with pytest.raises(windrow.UsageError, match="closest is 'The Hay Year'"):
        windrow.learn(shelf.old(shelf.HAY), {"title": "The Hay Years"})


@pytest.mark.parametrize("wanted", [None, {}, {"title": []}])
def test_nothing_pasted_is_wrong_use(wanted: dict[str, str] | None) -> None:
    with pytest.raises(windrow.UsageError, match="Nothing was pasted"):
        windrow.learn(shelf.old(shelf.HAY), wanted)


def test_an_example_may_lack_what_others_show() -> None:
    bare = windrow.parse(shelf.old_page(shelf.WELL).replace("£8.00", ""), url=shelf.OTHER)
    learned = windrow.learn([(bare, {**shelf.WELL, "price": []}), (shelf.old(shelf.HAY), shelf.HAY)])
    assert learned.extract(shelf.old(shelf.BARN)).values["price"] == ["£21.00"]
    assert learned.extract(bare).missing == ["price"]
    with pytest.raises(windrow.UsageError, match="pasted for price"):
        windrow.learn(bare, {**shelf.WELL, "price": []})


def test_the_runner_up_is_given_as_the_page_shows_it(learned: windrow.Wrapper) -> None:
    page = windrow.parse(shelf.old_page(shelf.WELL, '<div id="book"><h1>Another Title</h1></div>'), url=shelf.OTHER)
    found = learned.extract(page)
    assert "Another Title" in (found.values["title"] + found.runners_up["title"])


def test_an_empty_page_gives_nothing(learned: windrow.Wrapper) -> None:
    assert learned.extract(windrow.parse("")).missing == list(shelf.HAY)


def test_a_place_and_the_rows_of_a_page_are_made_alike() -> None:
    features = PageReader(shelf.old(shelf.HAY).nodes).features
    elements = np.flatnonzero(features.is_element & (features.first_text < features.last_text))
    for nodes in (features.texts, elements):
        candidates = Candidates(features, nodes)
        rows = np.concatenate([candidates.rows, candidates.block_rows])
        rows[SHAPE] = candidates.shapes(np.arange(len(nodes)))
        locations = [locate(features, node).row for node in nodes.tolist()]
        assert (np.stack(locations, axis=1) == rows).all()


def test_many_places_are_compared_in_parts_as_alone() -> None:
    count = 2000
    page = windrow.parse(f"<ul>{''.join(f'<li><b>Sheaf {n}</b></li>' for n in range(count))}</ul>")
    features = PageReader(page.nodes).features
    places = [Place(locate(features, int(node)), 1.0) for node in features.texts[: 2 * MOST_PAIRS // count]]
    assert find_parts(range(0, count * len(places) + 1, count)) == [(0, 65), (65, 130), (130, 131)]
    candidates = Candidates(features, features.texts)
    together = candidates.rank(Sought(places))
    assert len(together) == len(places)
    for number in (0, len(places) // 2, len(places) - 1):
        assert together[number].scores == candidates.rank(Sought([places[number]]))[0].scores


@pytest.mark.browser
def test_a_page_with_boxes_is_read_by_a_wrapper_learned_without(learned: windrow.Wrapper) -> None:
    page = windrow.parse(shelf.old_page(shelf.WELL), url=shelf.OTHER, render=True)
    found = learned.extract(page)
    assert found.values == shelf.values_of(shelf.WELL)
    assert all(box is not None for boxes in found.boxes.values() for box in boxes)
    assert not learned.check(page).changed


def test_what_was_learned_and_read_is_told_in_a_line() -> None:
    html = "<body><div><h1>{}</h1><p>A book</p></div></body>"
    wrapper = windrow.learn(windrow.parse(html.format("The Hay Year"), url=shelf.HOME), {"title": "The Hay Year"})
    assert repr(wrapper) == f"<Wrapper of {shelf.HOME} (title)>"
    found = wrapper.extract(windrow.parse(html.format("Stone Walls"), url=shelf.OTHER))
    assert repr(found) == "<Extraction {'title': ['Stone Walls']} (missing: nothing)>"


def test_a_value_of_one_record_is_not_given_to_the_others() -> None:
    def page(*rows: str) -> windrow.Page:
        return windrow.parse(f"<h1>Tools</h1><ul>{''.join(f'<li>{row}</li>' for row in rows)}</ul>")

    full = [f"<b>{name}</b> <i>£{price}</i> <u>{price} %</u>" for name, price in (("Axe", 3), ("Saw", 5), ("Bow", 7))]
    wanted = {"name": ["Axe", "Saw", "Bow"], "price": ["£3", "£5", "£7"], "discount": ["3 %", "5 %", "7 %"]}
    wrapper = windrow.learn(page(*full), {"shop": "Tools", **wanted})
    found = wrapper.extract(page("<b>Hoe</b> <i>£2</i>", "<b>Rake</b> <i>£4</i> <u>40 %</u>", "<b>Fork</b> <i>£6</i>"))
    rows = found.to_dicts()
    assert [row["name"] for row in rows] == ["Hoe", "Rake", "Fork"]
    assert {row["shop"] for row in rows} == {"Tools"}
    assert [row["discount"] for row in rows if row["discount"]] in ([], ["40 %"])
    assert all(row["discount"] is None for row in rows if row["name"] != "Rake")


@pytest.mark.parametrize(
    ("was", "now"), [("<b>{}</b>", "{}"), ("{}", "<a href=/all>{}</a>"), ("<i>{}</i>", "<b>{}</b>")]
)
def test_inline_elements_around_a_value_come_and_go(was: str, now: str) -> None:
    page = "<main><h1>{}</h1><ul><li>{}</li><li>Sold here</li></ul></main>"
    wrapper = windrow.learn(
        windrow.parse(page.format("Hay", was.format("12 kg")), url=shelf.HOME), {"name": "Hay", "weight": "12 kg"}
    )
    found = wrapper.extract(windrow.parse(page.format("Straw", now.format("9 kg")), url=shelf.OTHER))
    assert found.values == {"name": ["Straw"], "weight": ["9 kg"]}


def test_a_neighbour_that_moved_up_is_not_the_value() -> None:
    page = "<main><h1>{}</h1><div><h2>Kind</h2><p>{}</p><h2>Size</h2><p>{}</p></div></main>"
    wrapper = windrow.learn(windrow.parse(page.format("Hay", "Fodder", "Large"), url=shelf.HOME), {"kind": "Fodder"})
    without = page.format("Oats", "", "Small").replace("<p></p><h2>Size</h2>", "<p><b>Size</b></p>")
    assert wrapper.extract(windrow.parse(without, url=shelf.OTHER)).values == {"kind": []}


def test_the_main_heading_needs_no_name_before_it() -> None:
    page = "<main><h1>{}{}</h1><p>{} left</p></main>"
    wrapper = windrow.learn(windrow.parse(page.format("<b>As new:</b> ", "Rake", 3), url=shelf.HOME), {"name": "Rake"})
    assert wrapper.extract(windrow.parse(page.format("", "Fork", 5), url=shelf.OTHER)).values == {"name": ["Fork"]}


STEPS = "<main class='{}'><h1>{}</h1><div class=steps>{}</div></main>"
GROUP = "<div class=group><h3>{}</h3><ul class=items>{}</ul></div>"


def list_of_steps(page: str, groups: dict[str, list[str]], mark: str = "") -> str:
    inside = "".join(
        GROUP.format(name, "".join(f"<li>{mark}<span>{step}</span></li>" for step in steps))
        for name, steps in groups.items()
    )
    return STEPS.format(page, page.title(), inside)


@pytest.mark.parametrize("mark", ["", "<i>▢</i> "], ids=["plain", "with boxes to tick"])
def test_a_list_in_several_groups_is_read_whole(mark: str) -> None:
    steps = ["Cut the grass", "Turn the rows", "Cart the hay"]
    page = windrow.parse(list_of_steps("hay", {"Field": steps}, mark), url=shelf.HOME)
    wrapper = windrow.learn(page, {"title": "Hay", "steps": steps})
    assert wrapper.extract(page).values["steps"] == steps
    groups = {"Shaft": ["Dig the shaft", "Line the walls"], "Water": ["Lower a pail", "Draw the water"]}
    other = windrow.parse(list_of_steps("well", groups, mark), url=shelf.OTHER)
    assert wrapper.extract(other).values["steps"] == [step for some in groups.values() for step in some]


def test_an_item_that_comes_twice_may_be_pasted_once() -> None:
    groups = {"Dough": ["2 cups flour", "1 egg"], "Glaze": ["1 egg", "3 spoons sugar"]}
    page = windrow.parse(list_of_steps("cake", groups), url=shelf.HOME)
    wrapper = windrow.learn(page, {"title": "Cake", "steps": ["2 cups flour", "1 egg", "3 spoons sugar"]})
    assert wrapper.local_labels == []
    other = windrow.parse(
        list_of_steps("pie", {"Dough": ["1 cup oats", "2 eggs"], "Top": ["5 plums"]}), url=shelf.OTHER
    )
    assert wrapper.extract(other).values["steps"] == ["1 cup oats", "2 eggs", "5 plums"]


SUMMARY = "<main><h1>{}</h1><div class=summary><span>{}</span></div><p>Filed under fields</p></main>"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("A well that <a href=/w>never runs dry</a> even in summer.", "A well that never runs dry even in summer."),
        ("<b>A well</b> that never runs dry.", "A well that never runs dry."),
        ("A well that never runs dry. <a href=/w>see all</a>", "A well that never runs dry."),
    ],
)
def test_a_sentence_reads_on_through_its_links_but_not_into_one_behind_it(markup: str, text: str) -> None:
    learned = {"title": "Hay", "summary": "Grass that is cut and dried in June."}
    wrapper = windrow.learn(windrow.parse(SUMMARY.format(*learned.values()), url=shelf.HOME), learned)
    assert wrapper.extract(windrow.parse(SUMMARY.format("Well", markup), url=shelf.OTHER)).values["summary"] == [text]


def test_a_learned_text_that_stands_alone_in_its_kind_speaks_against_another() -> None:
    page = "<nav><a>Home</a><a class=trail>{}</a></nav><h1>{}</h1><p class=course>{}</p><p>Rake and fork</p>"
    learned = windrow.parse(page.format("Dinner", "Stew", "Dinner"), url=shelf.HOME)
    wrapper = windrow.learn(learned, {"title": "Stew", "course": "Dinner"})
    found = wrapper.extract(windrow.parse(page.format("Soup", "Broth", "Dinner"), url=shelf.OTHER))
    assert found.values["course"] != ["Soup"]


def test_a_name_within_the_element_tells_which_one_is_meant() -> None:
    page = "<h1>{}</h1><p>Of oats and honey.</p><div class=facts>{} | {} | {}</div><p>Serve cold.</p>"
    fat, sugar, energy = (
        f"<span class='fact {name.lower()}'>{name}: <b>{{}}</b> {unit}</span>"
        for name, unit in (("Fat", "g"), ("Sugar", "g"), ("Calories", "kcal"))
    )
    first = page.format("Hay cake", fat.format(3), sugar.format(5), energy.format(82))
    wrapper = windrow.learn(windrow.parse(first, url="https://barn.example/1"), {"energy": "82 kcal"})
    moved = page.format("Straw cake", energy.format(91), fat.format(4), sugar.format(7))
    assert wrapper.extract(windrow.parse(moved, url="https://barn.example/2")).values == {"energy": ["91 kcal"]}


def test_a_value_that_is_a_link_on_another_page_is_as_sure() -> None:
    page = "<h1>{}</h1><div><h4>Made by</h4><ul><li>{}</li></ul></div><div><h4>Wood</h4><ul><li>{}</li></ul></div>"
    taught = windrow.parse(page.format("Cart", "Ada Rake", "Oak"), url="https://barn.example/1")
    wrapper = windrow.learn(taught, {"maker": "Ada Rake", "wood": "Oak"})
    linked = page.format("Sled", "<a href=/ben>Ben Fork</a>", "<a href=/ash>Ash</a>")
    read = wrapper.extract(windrow.parse(linked, url="https://barn.example/2")).values
    assert read == {"maker": ["Ben Fork"], "wood": ["Ash"]}


def test_bold_words_in_running_text_do_not_speak_against_the_heading() -> None:
    page = (
        "<header><h1>{0}</h1><h1>Barn</h1></header><p>You will fall head over heels for this <strong>{1}</strong>, "
        "which takes a quarter of an hour from start to end, and no more than that.</p>"
    )
    taught = windrow.parse(page.format("Hay cake", "Hay cake"), url="https://barn.example/1")
    wrapper = windrow.learn(taught, {"name": "Hay cake"})
    other = windrow.parse(page.format("Straw cake", "little oven"), url="https://barn.example/2")
    assert wrapper.extract(other).values == {"name": ["Straw cake"]}


@pytest.mark.parametrize(
    ("learned", "lines", "values"),
    [
        ("Weight 2 kg", ["Weightlessness 4 m", "Weight 5 kg"], ["5 kg"]),
        ("Weight 2 kg", ["Weightlessness 4 m", "Length 3 m"], []),
        ("Weight 2 kg", ["Weightlessness 4 m"], []),
        ("Author Ada Rake", ["Authority Hay Board", "Author Ben Fork"], ["Ben Fork"]),
        ("Weight:2 kg", ["Length:4 m", "Weight:5 kg"], ["5 kg"]),
        ("Finish:red", ["Length:4 m", "Finish:blue"], ["blue"]),
    ],
)
def test_a_name_before_a_value_is_a_whole_word(learned: str, lines: list[str], values: list[str]) -> None:
    def page(name: str, *said: str) -> windrow.Page:
        body = "".join(f"<p>{line}</p>" for line in said)
        return windrow.parse(f"<main><h1>{name}</h1>{body}</main>", url=f"https://tools.example/{name}")

    wrapper = windrow.learn(page("Rake", learned, "Length 3 m"), {"name": "Rake", "it": learned[7:].strip()})
    assert wrapper.extract(page("Fork", *lines)).values["it"] == values


def test_a_name_that_begins_the_block_tells_more_than_the_position() -> None:
    html = "<h1>{}</h1>{}<p><b>Weight</b><br>{}</p>"
    taught = windrow.parse(html.format("Rake", "<p><b>Price</b><br>£5.00</p>", "912 g"), url="https://tools.example/1")
    wrapper = windrow.learn(taught, {"name": "Rake", "weight": "912 g"})
    rows = "<p><b>Price</b><br>£6.00</p><p><b>Remarks</b><br>none given</p>"
    other = windrow.parse(html.format("Fork", rows, "1005 g"), url="https://tools.example/2")
    assert wrapper.extract(other).values == {"name": ["Fork"], "weight": ["1005 g"]}
