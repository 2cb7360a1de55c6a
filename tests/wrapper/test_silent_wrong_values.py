"""Pages on which a wrapper once read a wrong value without a word; each must be read rightly, or not at all."""

from __future__ import annotations

import pytest

import windrow

ONE, TWO, THREE = (f"https://barn.example/{number}" for number in (1, 2, 3))


def parse(body: str, url: str) -> windrow.Page:
    return windrow.parse(f"<!DOCTYPE html><html><body>{body}</body></html>", url=url)


def read(wrapper: windrow.Wrapper, body: str, url: str = TWO) -> dict[str, list[str]]:
    return wrapper.extract(parse(body, url)).values


def test_equal_values_of_a_list_are_all_kept() -> None:
    def page(states: list[str]) -> str:
        return "<h1>Carts</h1><ul>" + "".join(f"<li class=state>{state}</li>" for state in states) + "</ul><p>End</p>"

    states = ["Free", "Lent", "Free", "Gone"]
    wrapper = windrow.learn(parse(page(states), ONE), {"state": states})
    assert read(wrapper, page(["Lent", "Lent", "Gone"])) == {"state": ["Lent", "Lent", "Gone"]}
    assert read(wrapper, page(states), ONE) == {"state": states}


def test_the_cells_of_one_column_are_not_all_cells() -> None:
    def page(rows: list[tuple[str, str, str]]) -> str:
        cells = "".join(f"<tr><td>{a}</td><td>{b}</td><td>{c}</td></tr>" for a, b, c in rows)
        return f"<h1>Tools</h1><table><tr><th>Tool</th><th>Place</th><th>Price</th></tr>{cells}</table>"

    taught = [("Rake", "Barn", "£4"), ("Fork", "Shed", "£5"), ("Hoe", "Yard", "£6")]
    wanted = {"tool": [row[0] for row in taught], "price": [row[2] for row in taught]}
    wrapper = windrow.learn(parse(page(taught), ONE), wanted)
    other = [("Axe", "Yard", "£9"), ("Pail", "Barn", "£2")]
    got = read(wrapper, page(other))
    assert got["tool"] in (["Axe", "Pail"], [])
    assert got["price"] in (["£9", "£2"], [])
    assert read(wrapper, page(taught), ONE) == wanted


def test_the_only_price_is_not_the_old_one() -> None:
    page = "<h1>{}</h1><div class=buy>{}<span class=now>{}</span></div><p>In stock</p>"
    wrapper = windrow.learn(
        parse(page.format("Rake", "<span class=was>£9.00</span> ", "£7.50"), ONE), {"old": "£9.00", "price": "£7.50"}
    )
    assert read(wrapper, page.format("Fork", "", "£5.20"))["old"] == []


def test_the_only_price_is_told_by_its_class_where_no_text_beside_it_stays() -> None:
    page = "<h1>{}</h1><p>by <a>{}</a></p><div class=buy>{}<span class=now>{}</span></div><p>{}</p>"
    taught = page.format("Rake", "Loft", "<span class=was>£9.00</span> ", "£7.50", "In stock")
    wrapper = windrow.learn(parse(taught, ONE), {"name": "Rake", "maker": "Loft", "old": "£9.00", "price": "£7.50"})
    got = read(wrapper, page.format("Fork", "Beam & Sons", "", "£5.20", "Only 3 left"))
    assert (got["old"], got["price"]) == ([], ["£5.20"])


@pytest.mark.parametrize("line", ["by Ben Fork and friends", "Ben Fork", "written by Ben Fork"])
def test_a_part_of_a_line_is_not_the_rest_of_another_line(line: str) -> None:
    page = "<h1>{}</h1><p class=line>{}</p>"
    wrapper = windrow.learn(parse(page.format("Hay", "by Ada Rake, 2019"), ONE), {"author": "Ada Rake"})
    assert read(wrapper, page.format("Straw", "by Cleo Pail, 2021")) == {"author": ["Cleo Pail"]}
    assert read(wrapper, page.format("Oats", line)) == {"author": []}


def test_a_rating_is_cut_out_of_its_line() -> None:
    page = "<h1>{}</h1><p class=stars>★ {} ({} reviews)</p>"
    wrapper = windrow.learn(parse(page.format("Rake", "3.2", 864), ONE), {"rating": "3.2"})
    assert read(wrapper, page.format("Fork", "4.75", 12)) == {"rating": ["4.75"]}


def test_the_parts_of_a_citation_are_told_by_the_marks_around_them() -> None:
    page = "<ul><li class=work>{}</li></ul><p>End</p>"
    first = "Rake, A. (2019). The hay year. Journal of Barns, 12(3), 45–67."
    other = "Loft, D. (2021). Owls at night. Field Letters, 7(11), 8–19."
    wrapper = windrow.learn(parse(page.format(first), ONE), {"pages": "45–67", "journal": "Journal of Barns"})
    assert read(wrapper, page.format(other)) == {"pages": ["8–19"], "journal": ["Field Letters"]}


def test_a_value_does_not_take_its_neighbour_along() -> None:
    page = "<h1>{}</h1><p class=facts><span>{}</span>, <span>{}</span></p>"
    wrapper = windrow.learn(parse(page.format("Harvest", "NR", "1 hr 40 mins"), ONE), {"rating": "NR"})
    assert read(wrapper, page.format("Sowing", "PG", "2 hrs")) == {"rating": ["PG"]}


def test_what_two_examples_happen_to_share_is_no_label() -> None:
    page = "<div class=note>{}</div><h1>{}</h1><p>{}</p>"
    examples = [
        (parse(page.format("Sale today", "Rake", "Ash"), ONE), {"name": "Rake"}),
        (parse(page.format("Sale today", "Fork", "Oak"), TWO), {"name": "Fork"}),
    ]
    assert read(windrow.learn(examples), page.format("New in", "Hoe", "Elm"), THREE) == {"name": ["Hoe"]}


def test_a_text_that_the_menu_shows_too_is_not_read_from_the_menu() -> None:
    menu = "<ul class=menu><li><a>Rakes</a></li><li><a>Forks</a></li><li><a>Hoes</a></li></ul>"
    page = menu + "<div class=item><h1>{}</h1><p class=kind>Kind: <b>{}</b></p></div>"
    wrapper = windrow.learn(parse(page.format("Ash rake", "Rakes"), ONE), {"name": "Ash rake", "kind": "Rakes"})
    assert read(wrapper, page.format("Long hoe", "Hoes")) == {"name": ["Long hoe"], "kind": ["Hoes"]}


def test_one_value_was_pasted_and_another_page_has_several() -> None:
    page = "<h1>{}</h1><dl><dt>Author</dt>{}<dt>Year</dt><dd class=year>{}</dd></dl>"
    taught = parse(page.format("Hay", "<dd class=by><a>Ada Rake</a></dd>", "2019"), ONE)
    wrapper = windrow.learn(taught, {"author": "Ada Rake", "year": "2019"})
    several = "<dd class=by><a>Ben Fork</a></dd><dd class=by><a>Cleo Pail</a></dd>"
    assert read(wrapper, page.format("Straw", several, "2021"))["author"] == ["Ben Fork", "Cleo Pail"]


def test_places_that_disagree_give_a_doubtful_value() -> None:
    page = "<p class=a><i>Maker</i> <b>{1}</b></p><h1>{0}</h1><p class=c><i>Brand</i> <b>{2}</b></p><p>In stock</p>"
    wrapper = windrow.learn(parse(page.format("Rake", "Loft", "Loft"), ONE), {"name": "Rake", "firm": "Loft"})
    found = wrapper.extract(parse(page.format("Fork", "Beam", "Tile"), TWO))
    assert found.values == {"name": ["Fork"], "firm": []}
    assert found.missing == ["firm"]
    assert found.doubtful["firm"] in (["Beam"], ["Tile"])


def test_a_refuted_rule_is_dropped_and_said_to_be() -> None:
    page = "<h1>{}</h1><p>{}</p><p>{}</p>"
    examples = [
        (parse(page.format("Hay", "Ada", "Ben"), ONE), {"name": "Hay", "who": "Ada"}),
        (parse(page.format("Oats", "Cleo", "Dora"), TWO), {"name": "Oats", "who": "Dora"}),
    ]
    wrapper = windrow.learn(examples)
    assert wrapper.local_labels == ["who"]
    assert read(wrapper, page.format("Rye", "Evan", "Fay"), THREE) == {"name": ["Rye"], "who": []}


def test_addresses_and_attributes_are_values() -> None:
    page = (
        "<h1>{0}</h1><p><a class=pdf href='/files/{1}.pdf'>Download</a> <img class=shot src='{1}.png'></p>"
        "<time class=at datetime='{2}'>last week</time>"
    )
    taught = parse(page.format("Hay", "hay", "2024-03-12"), ONE)
    wanted = {
        "title": "Hay",
        "pdf": "https://barn.example/files/hay.pdf",
        "picture": "hay.png",
        "date": "2024-03-12",
    }
    wrapper = windrow.Wrapper.from_json(windrow.learn(taught, wanted).to_json())
    assert read(wrapper, page.format("Oats", "oats", "2025-01-02")) == {
        "title": ["Oats"],
        "pdf": ["https://barn.example/files/oats.pdf"],
        "picture": ["https://barn.example/oats.png"],
        "date": ["2025-01-02"],
    }


def test_a_name_that_was_pasted_along_is_taken_off_and_said_to_be() -> None:
    page = "<h1>{}</h1><p><b>Venue:</b> {}</p>"
    wrapper = windrow.learn(parse(page.format("Fair", "Hall 2"), ONE), {"place": "Venue: Hall 2"})
    assert wrapper.names_taken_off == {"place": "Venue:"}
    assert read(wrapper, page.format("Dance", "Old barn")) == {"place": ["Old barn"]}


@pytest.mark.parametrize(
    "page",
    [
        "<h1>{}</h1><dl><dt>Doors</dt><dd>{}</dd></dl><p>End</p>",
        "<h1>{}</h1><table><tr><th>Doors</th><td>{}</td></tr></table><p>End</p>",
    ],
)
def test_the_header_of_a_cell_that_was_pasted_along_is_taken_off_without_a_colon(page: str) -> None:
    wrapper = windrow.learn(parse(page.format("Fair", "10:30"), ONE), {"opens": "Doors 10:30"})
    assert wrapper.names_taken_off == {"opens": "Doors"}
    assert read(wrapper, page.format("Dance", "20:15")) == {"opens": ["20:15"]}


def test_one_linked_value_was_pasted_and_another_page_has_several_in_the_line() -> None:
    page = "<h1>{}</h1><p>by {}</p><p>Published: {}</p>"
    values = {"title": "Hay", "author": "Ada Rake", "year": "2020"}
    wrapper = windrow.learn(parse(page.format("Hay", "<a href=/ada>Ada Rake</a>", "2020"), ONE), values)
    several = "<a href=/ben>Ben Fork</a>, <a href=/cleo>Cleo Pail</a>"
    assert read(wrapper, page.format("Straw", several, "2021"))["author"] == ["Ben Fork", "Cleo Pail"]


def test_one_line_was_pasted_and_another_page_has_two() -> None:
    page = "<h1>{}</h1><table><tr><th>Crop</th><td>{}</td></tr><tr><th>Year</th><td>{}</td></tr></table>"
    values = {"title": "Hay", "crop": "Clover", "year": "2020"}
    wrapper = windrow.learn(parse(page.format("Hay", "Clover", "2020"), ONE), values)
    found = wrapper.extract(parse(page.format("Straw", "Barley<br>Rye", "2021"), TWO))
    assert found.values == {"title": ["Straw"], "crop": [], "year": ["2021"]}
    assert found.doubtful == {"crop": ["Barley"]}
    assert read(wrapper, page.format("Straw", "Barley<br>", "2021"))["crop"] == ["Barley"]


def test_one_linked_value_is_followed_by_others_before_the_next_name() -> None:
    page = "<h1>{}</h1><p>By: {}<br>Year: <b>{}</b></p>"
    one = page.format("Hay", "<b class=who><a>Ada Rake</a></b>", "2020")
    wrapper = windrow.learn(parse(one, ONE), {"title": "Hay", "author": "Ada Rake", "year": "2020"})
    two = page.format("Straw", "<b class=who><a>Ben Fork</a></b>; <b class=who><a>Cleo Pail</a></b>", "2021")
    assert read(wrapper, two) == {"title": ["Straw"], "author": ["Ben Fork", "Cleo Pail"], "year": ["2021"]}


def test_the_last_of_several_was_pasted_and_others_follow_it_elsewhere() -> None:
    page = "<h1>{}</h1><p><i>Fruit</i> | <i>{}</i>{}</p>"
    wrapper = windrow.learn(parse(page.format("Cox", "Apple", ""), ONE), {"title": "Cox", "kind": "Apple"})
    assert read(wrapper, page.format("Gala", "Pear", " | <i>Kent</i>"))["kind"] in (["Pear"], [])


def test_lines_of_words_are_not_read_as_one() -> None:
    page = "<h1>{}</h1><dl><dt>Use</dt><dd>{}</dd></dl>"
    one = "For cutting grass on steep slopes"
    wrapper = windrow.learn(parse(page.format("Scythe", one), ONE), {"title": "Scythe", "use": one})
    found = wrapper.extract(
        parse(page.format("Fork", "For turning hay in dry weather<br>For lifting straw into carts"), TWO)
    )
    assert found.values["use"] == []
    assert found.doubtful["use"] == ["For turning hay in dry weather"]


def test_several_parts_of_one_line_are_all_kept() -> None:
    page = "<h1>{}</h1><p class=by>Von {}, {}, Nairobi</p>"
    first = parse(page.format("Heu", "Anna Martel", "Lea Wagner"), ONE)
    wrapper = windrow.learn(first, {"authors": ["Anna Martel", "Lea Wagner"]})
    assert wrapper.extract(first).values == {"authors": ["Anna Martel", "Lea Wagner"]}


def test_what_would_be_read_otherwise_is_an_error_with_both_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("windrow.wrapper.extraction.cut", lambda *_: "Straw")
    with pytest.raises(windrow.UsageError, match="'Hay' of 'name' would be read as 'Straw'"):
        windrow.learn(parse("<p>of Hay, dried</p>", ONE), {"name": "Hay"})


def terms(*pairs: tuple[str, list[str]]) -> str:
    """Return a description list."""
    inner = "".join(f"<dt>{term}</dt>" + "".join(f"<dd>{text}</dd>" for text in texts) for term, texts in pairs)
    return f"<h1>Book</h1><dl>{inner}</dl>"


def test_one_description_learned_all_of_the_same_term_are_read() -> None:
    wrapper = windrow.learn(parse(terms(("Author", ["Ada"]), ("Topic", ["Hay", "Oats"])), ONE), {"author": "Ada"})
    other = terms(("Author", ["Ben", "Cleo"]), ("Topic", ["Rye"]))
    assert read(wrapper, other) == {"author": ["Ben", "Cleo"]}


def test_descriptions_of_other_terms_are_not_taken_along() -> None:
    wrapper = windrow.learn(parse(terms(("Author", ["Ada"])), ONE), {"author": "Ada"})
    assert read(wrapper, terms(("Author", ["Ben"]), ("Topic", ["Rye"]))) == {"author": ["Ben"]}


def test_two_labels_that_were_equal_are_not_both_the_first() -> None:
    page = "<h1>{}</h1><table><tr><th>Width</th><td>{}</td></tr><tr><th>Height</th><td>{}</td></tr></table>"
    wrapper = windrow.learn(parse(page.format("Box", "3 cm", "3 cm"), ONE), {"across": "3 cm", "up": "3 cm"})
    found = wrapper.extract(parse(page.format("Crate", "4 cm", "5 cm"), TWO))
    assert found.values == {"across": [], "up": []}
    assert set(found.doubtful) == {"across", "up"}
    assert read(wrapper, page.format("Chest", "7 cm", "7 cm")) == {"across": ["7 cm"], "up": ["7 cm"]}


def test_a_label_that_is_left_out_of_an_example_is_not_absent_there() -> None:
    page = "<h1>{}</h1><p class=kind>{}</p>"
    first = (parse(page.format("Hay", "Dry"), ONE), {"name": "Hay", "kind": "Dry"})
    pages = parse(page.format("Oats", "Wet"), TWO)
    other = page.format("Rye", "Green")
    assert read(windrow.learn([first, (pages, {"name": "Oats"})]), other, THREE)["kind"] == ["Green"]
    assert read(windrow.learn([first, (pages, {"name": "Oats", "kind": []})]), other, THREE)["kind"] == []


def test_the_only_price_is_not_the_old_one_that_was_pasted_alone() -> None:
    page = "<h1>{}</h1><div class=buy>{}<b class=now>{}</b></div>"
    wrapper = windrow.learn(parse(page.format("Rake", "<b class=was>£9.00</b> ", "£7.50"), ONE), {"old": "£9.00"})
    assert read(wrapper, page.format("Fork", "", "£5.20")) == {"old": []}
    assert read(wrapper, page.format("Hoe", "<b class=was>£6.00</b> ", "£5.20")) == {"old": ["£6.00"]}


def test_a_price_that_is_struck_through_is_not_the_price() -> None:
    page = "<h1>{}</h1><p class=cost>{}<b>{}</b></p>"
    wrapper = windrow.learn(parse(page.format("Rake", "", "£7.50"), ONE), {"price": "£7.50"})
    assert read(wrapper, page.format("Fork", "<s><b>£9.00</b></s> ", "£5.20"))["price"] in (["£5.20"], [])
    old = windrow.learn(parse(page.format("Rake", "<s>£9.00</s> ", "£7.50"), ONE), {"old": "£9.00"})
    assert read(old, page.format("Fork", "<s>£6.00</s> ", "£5.20")) == {"old": ["£6.00"]}


@pytest.mark.parametrize(
    "row",
    [
        "<dl><dt>{}</dt><dd>{}</dd></dl>",
        "<p><b>{}</b> {}</p>",
        "<table><tr><th>{}</th><td class=c>{}</td></tr></table>",
    ],
)
@pytest.mark.parametrize("pasted", ["£7.50", "<s>£9.50</s> <b>£7.50</b>"])
@pytest.mark.parametrize("cost", ["£5.20", "<s>£9.00</s> £5.20", "<del>£9.00</del> <b>£5.20</b>"])
def test_the_name_of_a_price_stands_before_what_is_struck_through(row: str, pasted: str, cost: str) -> None:
    page = "<h1>{}</h1>" + row.format("Year", "1987") + row.format("Price:", "{}")
    wrapper = windrow.learn(parse(page.format("Rake", pasted), ONE), {"price": "£7.50"})
    assert read(wrapper, page.format("Fork", cost)) == {"price": ["£5.20"]}


@pytest.mark.parametrize("cost", ["<b>£9.00</b> <b>£5.20</b>", "£9.00<br>£5.20", "<i>£9.00</i> now only <b>£5.20</b>"])
def test_of_two_prices_in_one_place_neither_is_the_price(cost: str) -> None:
    page = "<h1>{}</h1><table><tr><th>Price</th><td>{}</td></tr><tr><th>Weight</th><td>3 kg</td></tr></table>"
    wrapper = windrow.learn(parse(page.format("Rake", "£7.50"), ONE), {"name": "Rake", "price": "£7.50"})
    found = wrapper.extract(parse(page.format("Fork", cost), TWO))
    assert (found.values["name"], found.values["price"]) == (["Fork"], [])
    assert "price" in found.missing
    taught = {"name": "Hoe", "price": "£5.20"}
    both = windrow.learn(parse(page.format("Hoe", "<i>£9.00</i> <b>£5.20</b>"), ONE), taught)
    assert read(both, page.format("Fork", "<i>£8.00</i> <b>£4.20</b>"))["price"] == ["£4.20"]
    assert windrow.Wrapper.from_json(both.to_json()) == both


CELLS = "<h1>{} of the barn</h1><table><tr><td>{}</td><td>{}</td></tr></table><p>In stock</p>"


@pytest.mark.parametrize(
    ("taught", "price", "other", "wanted"),
    [
        (("£9.00", "£7.50"), "£9.00", ("£5.00", "£4.00"), ["£5.00"]),
        (("£9.00", "£7.50"), "£9.00", ("", "£4.00"), []),
        (("£9.00", "£7.50"), "£7.50", ("£5.00", ""), []),
        (("£9.00", "ready"), "£9.00", ("£5.00", "£4.00"), []),
    ],
)
def test_of_two_prices_in_a_row_none_is_taken_for_the_other(
    taught: tuple[str, str], price: str, other: tuple[str, str], wanted: list[str]
) -> None:
    wrapper = windrow.learn(parse(CELLS.format("Rake", *taught), ONE), {"name": "Rake of the barn", "price": price})
    assert read(wrapper, CELLS.format("Fork", *other))["price"] == wanted


STRUCK = "<style>p .was, b.gone {{ text-decoration: line-through }}</style><h1>{} of the barn</h1><p>{}</p>"


@pytest.mark.parametrize(
    ("prices", "wanted"),
    [
        ("<span class=was>£9.00</span> <span>£7.50</span>", ["£7.50"]),
        ("<span class=was>£9.00</span>", []),
        ("<span style='text-decoration: line-through'>£9.00</span> <span>£7.50</span>", ["£7.50"]),
        ("<span class=new>£9.00</span> <span>£7.50</span>", []),
    ],
)
def test_a_price_that_the_page_strikes_through_by_a_style_is_a_former_one(prices: str, wanted: list[str]) -> None:
    wrapper = windrow.learn(
        parse(STRUCK.format("Rake", "<span>£4.00</span>"), ONE), {"name": "Rake of the barn", "price": "£4.00"}
    )
    assert read(wrapper, STRUCK.format("Fork", prices))["price"] in (wanted, [])
    if wanted:
        assert read(wrapper, STRUCK.format("Fork", prices))["price"] == wanted


def test_a_price_that_was_learned_struck_through_is_read_so() -> None:
    prices = "<span class=was>{}</span> <span>{}</span>"
    page = STRUCK.format("Rake", prices.format("£9.00", "£7.50"))
    wrapper = windrow.learn(parse(page, ONE), {"old": "£9.00", "price": "£7.50"})
    other = STRUCK.format("Fork", prices.format("£5.00", "£4.00"))
    assert read(wrapper, other) == {"old": ["£5.00"], "price": ["£4.00"]}


def test_a_name_in_one_text_with_the_value_is_read_along_and_said_to() -> None:
    page = "<h1>{}</h1><p>Venue: {}</p><p>Doors open at eight.</p>"
    wrapper = windrow.learn(parse(page.format("Hay", "Hall 2"), ONE), {"title": "Hay", "venue": "Venue: Hall 2"})
    assert read(wrapper, page.format("Dew", "Loft"))["venue"] == ["Venue: Loft"]
    assert any("'Venue:'" in remark and "'Hall 2'" in remark for remark in wrapper.remarks)
    alone = windrow.learn(parse(page.format("Hay", "Hall 2"), ONE), {"title": "Hay", "venue": "Hall 2"})
    assert read(alone, page.format("Dew", "Loft 3"))["venue"] == ["Loft 3"]


def test_a_part_of_a_text_is_said_to_be_read_beside_the_same_words_only() -> None:
    page = "<h1>{}</h1><p>Raked by <b>{}</b></p><p>{}</p>"
    learned = parse(page.format("Hay", "Ada Loft", "★ 3.2 (864 reviews)"), ONE)
    wrapper = windrow.learn(learned, {"title": "Hay", "family": "Loft", "rating": "3.2"})
    assert "title" not in " ".join(wrapper.remarks)
    assert [remark for remark in wrapper.remarks if "family is a part" in remark and "'Ada'" in remark]
    assert [remark for remark in wrapper.remarks if "rating is a part" in remark and "reviews" in remark]
    found = read(wrapper, page.format("Dew", "Ben Fork", "★ 4.7 (12 reviews)"))
    assert found == {"title": ["Dew"], "family": [], "rating": ["4.7"]}


def test_a_name_is_one_whichever_side_its_colon_stands_on() -> None:
    row = "<li><b>{}</b><span>: {}</span></li>"
    page = "<h1>{}</h1><ul>{}</ul>"
    rows = [row.format("Cuisine", "Orchard"), row.format("Quarter", "Mill Lane")]
    learned = parse(page.format("Hay", "".join(rows)), ONE)
    wrapper = windrow.learn(learned, {"title": "Hay", "kitchen": ": Orchard"})
    other = page.format("Dew", row.format("Quarter", "Loft Row") + row.format("Cuisine", "Barn"))
    assert read(wrapper, other)["kitchen"] == [": Barn"]
    assert read(wrapper, page.format("Dew", row.format("Quarter", "Loft Row")))["kitchen"] == []


def test_a_figure_behind_another_name_in_its_text_is_doubtful() -> None:
    page = "<h1>{}</h1><div>{}</div><div>{}</div>"
    learned = parse(page.format("Rake", "List: £22.50", "Trade: £20.10"), ONE)
    wrapper = windrow.learn(learned, {"title": "Rake", "price": "List: £22.50"})
    assert read(wrapper, page.format("Fork", "List: £9.00", "Trade: £7.50"))["price"] == ["List: £9.00"]
    lacking = wrapper.extract(parse(page.format("Fork", "Trade: £7.50", "Boxed"), TWO))
    assert (lacking.values["price"], lacking.doubtful["price"]) == ([], ["Trade: £7.50"])


def test_a_name_that_differs_between_examples_names_no_figure() -> None:
    page = "<h1>{}</h1><div>{}</div><p>Full time</p>"
    games = [(parse(page.format(name, score), url), {"game": name, "home": score}) for name, score, url in (
        ("Final", "Arlow: 3", ONE), ("Third place", "Brede: 2", TWO),
    )]  # fmt: skip
    other = parse(page.format("Opening", "Caddow: 1"), "https://barn.example/3")
    assert windrow.learn(games).extract(other).values["home"] == ["Caddow: 1"]


def test_what_stands_in_a_frame_for_browsers_without_frames_is_no_value() -> None:
    page = "<h1>{}</h1><center>{}</center><p>{}</p>"
    frame = "<iframe src='/x'><a href='/y'>Ella's barn</a></iframe>"
    learned = parse(page.format("Hay", frame, "Ada"), ONE)
    with pytest.raises(windrow.UsageError, match="is not on the page"):
        windrow.learn(learned, {"title": "Ella's barn"})


@pytest.mark.parametrize("phone", ["<a href='tel:8'>Phone: 804-828-0100</a>", "Phone: 804-828-0100"])
def test_a_text_that_begins_with_another_labels_name_is_not_taken_for_this_one(phone: str) -> None:
    page = "<h1>{}</h1><p>120 Fen Road<br>Fen 35294<br>{}<br><br>{}<br>Fax:<br></p>"
    linked = "<a href='http://northfen.example'>www.northfen.example</a>"
    learned = parse(page.format("North Fen", linked, "Phone: 573-651-2000"), ONE)
    wanted = {"name": "North Fen", "site": "www.northfen.example", "phone": "Phone: 573-651-2000"}
    wrapper = windrow.learn(learned, wanted)
    found = read(wrapper, page.format("Elm Ridge", "www.elm.example", phone))
    assert found["phone"] == ["Phone: 804-828-0100"]
    assert found["site"] in ([], ["www.elm.example"])
    assert read(wrapper, page.format("Elm Ridge", phone, "Open daily"))["site"] == []


CONTACT = "<h1>{}</h1><div>{}</div><p>Fax:</p>"
PHONED = {"name": "North Fen", "phone": "Phone: 573-651-2000"}


@pytest.mark.parametrize(
    "lines",
    [
        "<a href='tel:8'>Phone: 804-828-0100</a>",
        "12 Elm Way<br>Elm Ridge 23284<br>Mail: a@elm.example<br>Phone: 804-828-0100<br>Open daily",
        "<ul><li>12 Elm Way</li><li><b>Phone: 804-828-0100</b></li></ul>",
    ],
)
def test_a_text_with_its_name_in_it_is_found_wherever_it_has_moved_to(lines: str) -> None:
    learned = parse(CONTACT.format("North Fen", "120 Fen Road<br>Phone: 573-651-2000"), ONE)
    found = windrow.learn(learned, PHONED).extract(parse(CONTACT.format("Elm Ridge", lines), TWO))
    assert found.values["phone"] + found.doubtful.get("phone", []) == ["Phone: 804-828-0100"]


def test_a_menu_that_repeats_the_learned_text_with_its_name_does_not_answer() -> None:
    menu = "<ul class=menu><li><a href='/fen'>Phone: 573-651-2000</a></li></ul>"
    learned = parse(menu + CONTACT.format("North Fen", "120 Fen Road<br>Phone: 573-651-2000"), ONE)
    page = menu + CONTACT.format("Elm Ridge", "12 Elm Way<br>Near the mill<br>Phone: 804-828-0100")
    assert read(windrow.learn(learned, PHONED), page)["phone"] in ([], ["Phone: 804-828-0100"])


def test_of_several_texts_with_the_name_elsewhere_none_is_taken() -> None:
    learned = parse(CONTACT.format("North Fen", "120 Fen Road<br>Phone: 573-651-2000"), ONE)
    others = "<ul><li><b>Phone: 804-828-0100</b></li><li><b>Phone: 804-828-0200</b></li></ul>"
    assert read(windrow.learn(learned, PHONED), CONTACT.format("Elm Ridge", others))["phone"] == []
