"""Lists by example: one or two pasted rows teach all rows of such pages."""

from __future__ import annotations

import pytest

import windrow

SHOP = """<body><ul class="menu"><li><a href="/">Start</a></li><li><a href="/all">All tools</a></li></ul>
<ul class="results">{}</ul><div class="foot"><a href="/imprint">Imprint</a></div></body>"""
ITEM = '<li class="tool"><h3><a href="/{0}">{1}</a></h3>{2}<span class="price">{3}</span></li>'
BRAND = '<em class="brand">{}</em>'


def shop(*items: tuple[str, str, str]) -> windrow.Page:
    """Return a page of tools: name, brand or nothing, price."""
    rows = [
        ITEM.format(name.lower(), name, BRAND.format(brand) if brand else "", price) for name, brand, price in items
    ]
    return windrow.parse(SHOP.format("".join(rows)), url="https://tools.example/")


ROWS = [("Rake", "12.50"), ("Fork", "9.00"), ("Hoe", "4.20"), ("Axe", "31.00")]
TOOLS = shop(("Rake", "Ada", "12.50"), ("Fork", "", "9.00"), ("Spade", "Ben", "12.50"), ("Scythe", "Ada", "40.00"))
PASTED = [{"name": "Rake", "brand": "Ada", "price": "12.50"}, {"name": "Fork", "brand": "", "price": "9.00"}]


def test_two_rows_teach_all_rows() -> None:
    found = windrow.learn(TOOLS, PASTED).extract(TOOLS)
    assert found.rows == [
        {"name": ["Rake"], "brand": ["Ada"], "price": ["12.50"]},
        {"name": ["Fork"], "price": ["9.00"]},
        {"name": ["Spade"], "brand": ["Ben"], "price": ["12.50"]},
        {"name": ["Scythe"], "brand": ["Ada"], "price": ["40.00"]},
    ]


def test_equal_values_of_two_rows_are_both_kept() -> None:
    found = windrow.learn(TOOLS, PASTED).extract(TOOLS)
    assert found.values["price"] == ["12.50", "9.00", "12.50", "40.00"]
    assert [place.row for place in found.located["brand"]] == [1, 3, 4]


def test_each_row_has_its_own_link() -> None:
    found = windrow.learn(TOOLS, PASTED).extract(TOOLS)
    assert found.links == tuple(f"https://tools.example/{name}" for name in ("rake", "fork", "spade", "scythe"))


def test_one_row_teaches_all_rows() -> None:
    found = windrow.learn(TOOLS, PASTED[:1]).extract(TOOLS)
    assert [row["name"] for row in found.rows] == [["Rake"], ["Fork"], ["Spade"], ["Scythe"]]
    assert "brand" not in found.rows[1]


def test_another_page_of_the_list_mixes_no_rows() -> None:
    other = shop(("Hoe", "", "7.00"), ("Axe", "Ben", "30.00"), ("Sickle", "", "11.00"))
    for rows in (PASTED, PASTED[:1]):
        assert windrow.learn(TOOLS, rows).extract(other).rows == [
            {"name": ["Hoe"], "price": ["7.00"]},
            {"name": ["Axe"], "brand": ["Ben"], "price": ["30.00"]},
            {"name": ["Sickle"], "price": ["11.00"]},
        ]


def test_a_page_without_the_list_gives_no_rows() -> None:
    found = windrow.learn(TOOLS, PASTED).extract(shop())
    assert found.rows == []
    assert found.values == {"name": [], "brand": [], "price": []}
    assert found.missing == ["name", "brand", "price"]
    assert found.kind == "empty"
    assert "no records" in found.sentence


def test_a_page_without_the_element_around_the_list_is_another_page() -> None:
    found = windrow.learn(TOOLS, PASTED).extract(windrow.parse("<body><ul><li><h3>About us</h3></li></ul></body>"))
    assert (found.kind, found.rows) == ("other", [])


def test_a_menu_is_no_list_of_plain_items() -> None:
    html = "<body><nav><ul>{}</ul></nav><div><ul>{}</ul></div></body>"
    menu = "".join(f"<li><a href='/{word}'>{word}</a></li>" for word in ("Home", "News", "Help"))
    items = "".join(f"<li><a href='/{word}'>{word}</a></li>" for word in ("Barley", "Oats", "Rye"))
    wrapper = windrow.learn(windrow.parse(html.format(menu, items)), [{"crop": "Barley"}, {"crop": "Oats"}])
    assert wrapper.extract(windrow.parse(html.format(menu, items))).values == {"crop": ["Barley", "Oats", "Rye"]}
    assert wrapper.extract(windrow.parse(html.format(menu, ""))).rows == []


def test_a_column_with_equal_cells() -> None:
    cells = [("Hall 1", "Free"), ("Hall 2", "Lent"), ("Hall 3", "Free"), ("Hall 4", "Gone")]
    html = "".join(f"<tr><td>{hall}</td><td>{state}</td></tr>" for hall, state in cells)
    page = windrow.parse(f"<body><table><tr><th>Hall</th><th>State</th></tr>{html}</table></body>")
    found = windrow.learn(page, [{"hall": "Hall 1", "state": "Free"}, {"hall": "Hall 2", "state": "Lent"}]).extract(
        page
    )
    assert found.values == {
        "hall": ["Hall 1", "Hall 2", "Hall 3", "Hall 4"],
        "state": ["Free", "Lent", "Free", "Gone"],
    }


@pytest.mark.parametrize("taught", [("Oak", "Ash"), ("Oak", "Elm"), ("Ash", "Yew")])
def test_rows_of_a_grid_are_its_cells(taught: tuple[str, str]) -> None:
    trees = ["Oak", "Ash", "Fir", "Elm", "Yew", "Box", "Bay", "Fig", "Nut"]
    cells = [f"<div class='cell'><b>{tree}</b><i>{len(tree)}{n} m</i></div>" for n, tree in enumerate(trees)]
    rows = ["<div class='row'>" + "".join(cells[n : n + 3]) + "</div>" for n in (0, 3, 6)]
    page = windrow.parse(f"<body><main>{''.join(rows)}</main></body>")
    pasted = [{"tree": tree, "height": f"3{trees.index(tree)} m"} for tree in taught]
    assert windrow.learn(page, pasted).extract(page).values["tree"] == trees


def test_rows_whose_classes_take_turns() -> None:
    items = [f"<li class='{'odd' if n % 2 else 'even'}'><b>Tool {n}</b><i>{n} €</i></li>" for n in range(6)]
    page = windrow.parse(f"<body><ol class='list'>{''.join(items)}</ol></body>")
    pasted = [{"tool": "Tool 0", "price": "0 €"}, {"tool": "Tool 2", "price": "2 €"}]
    assert len(windrow.learn(page, pasted).extract(page).rows) == 6


def test_records_of_several_siblings() -> None:
    entries = "".join(
        f"<dt>{name}</dt><dd>{text}</dd>{more}"
        for name, text, more in [
            ("Rake", "Gathers hay", ""),
            ("Fork", "Lifts hay", "<dd class='note'>Sold out</dd>"),
            ("Scythe", "Cuts hay", ""),
        ]
    )
    page = windrow.parse(f"<body><dl>{entries}</dl></body>")
    found = windrow.learn(page, [{"tool": "Rake", "use": "Gathers hay"}, {"tool": "Fork", "use": "Lifts hay"}])
    assert found.extract(page).rows == [
        {"tool": ["Rake"], "use": ["Gathers hay"]},
        {"tool": ["Fork"], "use": ["Lifts hay"]},
        {"tool": ["Scythe"], "use": ["Cuts hay"]},
    ]


def test_a_heading_is_a_field_of_the_records_below_it() -> None:
    years = {"2021": ["Barn", "Loft"], "2020": ["Mill"], "2019": ["Shed", "Well"]}
    html = "".join(
        f"<h3>{year}</h3><ul>" + "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in names) + "</ul>"
        for year, names in years.items()
    )
    page = windrow.parse(f"<body><div id='built'>{html}</div></body>")
    for rows in (
        [{"year": "2021", "name": "Barn"}, {"year": "2021", "name": "Loft"}],
        [{"year": "2021", "name": "Barn"}, {"year": "2019", "name": "Well"}],
    ):
        found = windrow.learn(page, rows).extract(page)
        assert [(row["year"], row["name"]) for row in found.rows] == [
            ([year], [name]) for year, names in years.items() for name in names
        ]


def test_headings_in_sections_are_no_records() -> None:
    years = {"2021": ["Barn", "Loft"], "2020": ["Mill", "Gate"], "2019": ["Shed", "Well"]}
    html = "".join(
        f"<section><h3>{year}</h3><ul>" + "".join(f"<li>{name}</li>" for name in names) + "</ul></section>"
        for year, names in years.items()
    )
    page = windrow.parse(f"<body><div id='built'>{html}</div></body>")
    found = windrow.learn(page, [{"year": "2021", "name": "Barn"}, {"year": "2020", "name": "Mill"}]).extract(page)
    assert [row["name"] for row in found.rows] == [[name] for names in years.values() for name in names]
    assert found.values["year"] == ["2021", "2021", "2020", "2020", "2019", "2019"]


def test_two_labels_with_the_same_text_ask_for_another_row() -> None:
    items = "".join(
        f"<li><b>{one}</b><i>{other}</i></li>" for one, other in [("Oak", "Oak"), ("Ash", "Elm"), ("Fir", "Yew")]
    )
    page = windrow.parse(f"<body><ul id='trees'>{items}</ul></body>")
    with pytest.raises(windrow.UsageError, match="same text as tree"):
        windrow.learn(page, [{"tree": "Oak", "wood": "Oak"}])
    found = windrow.learn(page, [{"tree": "Oak", "wood": "Oak"}, {"tree": "Ash", "wood": "Elm"}]).extract(page)
    assert found.values == {"tree": ["Oak", "Ash", "Fir"], "wood": ["Oak", "Elm", "Yew"]}


def test_a_text_that_ends_within_a_word_is_refused() -> None:
    with pytest.raises(windrow.UsageError, match="nothing in the records tells where 'Scy' stands"):
        windrow.learn(TOOLS, [{"name": "Scy", "price": "40.00"}, {"name": "Fork", "price": "9.00"}])


def test_a_healed_list_is_a_list_of_what_is_there_now() -> None:
    shop = "<body><h1>Tools</h1><ul class=a>{}</ul><p>End</p></body>"
    old = windrow.parse(
        shop.format("".join(f"<li><b>{name}</b> <i>{price}</i></li>" for name, price in ROWS)), url="https://a.example/"
    )
    learned = windrow.learn(old, [{"name": name, "price": price} for name, price in ROWS[:2]])
    now = [("Spade", "7.00"), *ROWS]
    cards = "".join(f"<div class=card><h3>{name}</h3><p>{price}</p></div>" for name, price in now)
    new = windrow.parse(f"<body><header>Shop</header><main>{cards}</main></body>", url="https://a.example/")
    healed = windrow.Wrapper.from_json(learned.heal(new).to_json())
    assert healed.extract(new).rows == [{"name": [name], "price": [price]} for name, price in now]
    assert (healed.version, healed.undo().version) == (2, 1)
    assert [example.url for example in healed.examples] == ["https://a.example/"]
    assert all(0.9 < sure <= 1 for sure in healed.extract(new).confidence.values())
    with pytest.raises(windrow.RegionGone, match="no longer on the page"):
        learned.heal(windrow.parse("<p>Gone fishing</p>", url="https://a.example/"))


def test_a_label_of_a_list_is_renamed() -> None:
    renamed = windrow.learn(TOOLS, PASTED).rename_label("name", "tool")
    assert renamed.extract(TOOLS).rows[0]["tool"] == [PASTED[0]["name"]]
    assert renamed.examples[0].rows[0]["tool"] == (PASTED[0]["name"],)


def test_a_part_of_a_text_is_cut_alike_in_all_rows() -> None:
    ratings = [("Rake", "★ 3.2 (864)"), ("Fork", "★ 4.8 (12)"), ("Hoe", "★ 2.0 (5)"), ("Axe", "not rated")]
    items = "".join(f"<li><b>{name}</b><span class='stars'>{text}</span></li>" for name, text in ratings)
    page = windrow.parse(f"<body><ul id='tools'>{items}</ul></body>")
    found = windrow.learn(page, [{"name": "Rake", "stars": "3.2"}, {"name": "Fork", "stars": "4.8"}]).extract(page)
    assert found.values["stars"] == ["3.2", "4.8", "2.0"]
    assert "stars" not in found.rows[3]


def test_addresses_of_links_and_images_are_values() -> None:
    items = "".join(
        f"<li><img src='/{name}.png'><b>{name}</b> <a class='doc' href='/{name}.pdf'>Manual</a></li>"
        for name in ("rake", "fork", "hoe")
    )
    page = windrow.parse(f"<body><ul id='tools'>{items}</ul></body>", url="https://tools.example/")
    pasted = [
        {"name": name, "manual": f"https://tools.example/{name}.pdf", "picture": f"https://tools.example/{name}.png"}
        for name in ("rake", "fork")
    ]
    found = windrow.learn(page, pasted).extract(page)
    assert found.values["manual"][2] == "https://tools.example/hoe.pdf"
    assert found.values["picture"][2] == "https://tools.example/hoe.png"


def test_several_values_in_a_row_are_all_read() -> None:
    papers = [("Hay", ["Ada Rake"]), ("Straw", ["Ben Fork"]), ("Chaff", ["Ada Rake", "Dora Loft", "Eve Mill"])]
    items = "".join(
        f"<li><h3>{title}</h3><p class='by'>{', '.join(f'<a>{name}</a>' for name in names)}</p></li>"
        for title, names in papers
    )
    page = windrow.parse(f"<body><ol id='papers'>{items}</ol></body>")
    rows = [{"title": "Hay", "authors": "Ada Rake"}, {"title": "Straw", "authors": "Ben Fork"}]
    assert windrow.learn(page, rows).extract(page).rows[2]["authors"] == ["Ada Rake", "Dora Loft", "Eve Mill"]
    several: list[dict[str, str | list[str]]] = [
        {"title": "Chaff", "authors": ["Ada Rake", "Dora Loft", "Eve Mill"]},
        {"title": "Hay", "authors": "Ada Rake"},
    ]
    assert [row["authors"] for row in windrow.learn(page, several).extract(page).rows] == [names for _, names in papers]


def test_what_two_places_disagree_on_is_doubtful() -> None:
    items = [
        "<li><b>Rake</b><i class='price'>9 €</i></li>",
        "<li><b>Fork</b><i class='price'>7 €</i></li>",
        "<li><b>Hoe</b><div><i class='price'>12 €</i></div><p><i class='price'>5 €</i></p></li>",
        "<li><b>Axe</b><i class='price'>30 €</i></li>",
    ]
    page = windrow.parse(f"<body><ul id='tools'>{''.join(items)}</ul></body>")
    found = windrow.learn(page, [{"tool": "Rake", "price": "9 €"}, {"tool": "Fork", "price": "7 €"}]).extract(page)
    assert found.values["price"] == ["9 €", "7 €", "30 €"]


def test_a_text_that_is_not_there_is_an_error_that_shows_the_closest() -> None:
    with pytest.raises(windrow.UsageError, match=r"'Rakes' is not on the page\. The closest one is 'Rake'"):
        windrow.learn(TOOLS, [{"name": "Rakes", "price": "12.50"}])


def test_texts_of_two_rows_in_one_are_an_error() -> None:
    with pytest.raises(windrow.UsageError):
        windrow.learn(TOOLS, [{"name": "Rake", "price": "40.00"}, {"name": "Fork", "price": "12.50"}])


def test_a_label_without_any_text_is_an_error() -> None:
    with pytest.raises(windrow.UsageError, match="No text was pasted for colour"):
        windrow.learn(TOOLS, [{"name": "Rake", "colour": ""}, {"name": "Fork"}])


def test_rows_and_single_values_are_not_learned_together() -> None:
    with pytest.raises(windrow.UsageError, match="learned by themselves"):
        windrow.learn([(TOOLS, PASTED), (TOOLS, {"name": "Rake"})])


def test_rows_of_several_pages() -> None:
    other = shop(("Hoe", "Ben", "7.00"), ("Axe", "", "30.00"))
    wrapper = windrow.learn([(TOOLS, PASTED[:1]), (other, [{"name": "Axe", "brand": "", "price": "30.00"}])])
    assert [row["name"] for row in wrapper.extract(other).rows] == [["Hoe"], ["Axe"]]


def test_a_list_is_read_back_from_its_file() -> None:
    wrapper = windrow.learn(TOOLS, PASTED)
    again = windrow.Wrapper.from_json(wrapper.to_json())
    assert again == wrapper
    assert again.labels == ["name", "brand", "price"]
    assert again.extract(TOOLS) == wrapper.extract(TOOLS)


def test_healing_a_list_drops_no_label_silently() -> None:
    page = SHOP.format("".join(ITEM.format("x", name, "", price) for name, price in ROWS))
    first, second = (windrow.parse(page, url=f"https://tools.example/{number}") for number in (1, 2))
    learned = windrow.learn(
        [(first, [{"name": "Rake", "price": "12.50"}, {"name": "Fork", "price": "9.00"}]), (second, [{"name": "Hoe"}])]
    )
    new = page.replace("h3", "h4").replace('class="tool"', 'class="card"')
    with pytest.raises(windrow.HealUncertain, match="price") as caught:
        learned.heal(windrow.parse(new, url="https://tools.example/2"))
    assert caught.value.report is not None
    assert caught.value.report.lost == ("price",)
    assert learned.heal(windrow.parse(new, url="https://tools.example/1")).labels == ["name", "price"]


def redesigned(number: int, rows: list[tuple[str, str]], item: str) -> windrow.Page:
    """Return a page of the shop in another dress."""
    html = SHOP.replace("results", "found").format("".join(item.format(name, price) for name, price in rows))
    return windrow.parse(html, url=f"https://tools.example/{number}")


CARD = '<li class="card"><b>{0}</b><i class="cost">{1}</i></li>'


def test_healing_a_list_says_where_each_label_was_and_is() -> None:
    page = SHOP.format("".join(ITEM.format("x", name, "", price) for name, price in ROWS))
    pasted = [{"name": "Rake", "price": "12.50"}, {"name": "Fork", "price": "9.00"}]
    learned = windrow.learn(windrow.parse(page, url="https://tools.example/1"), pasted)
    healed = learned.heal([redesigned(1, ROWS, CARD), redesigned(2, [("Sickle", "8.00"), ("Pail", "3.00")], CARD)])
    assert healed.report is not None
    move = healed.report.moves["price"]
    assert move.old == "html/body/ul.results/li.tool/span.price"
    assert move.new == "html/body/ul.found/li.card/i.cost"
    assert move.old_values == ("12.50", "9.00")
    assert move.new_values == ("12.50", "9.00", "4.20", "31.00")
    assert (move.pages, move.runner_up) == (2, "")
    assert 0.9 < move.confidence <= 1.0
    assert list(healed.report.moves) == ["name", "price"]
    assert windrow.Wrapper.from_json(healed.to_json()).labels == ["name", "price"]


def test_a_healed_list_must_read_the_other_pages_too() -> None:
    page = SHOP.format("".join(ITEM.format("x", name, "", price) for name, price in ROWS))
    pasted = [{"name": "Rake", "price": "12.50"}, {"name": "Fork", "price": "9.00"}]
    learned = windrow.learn(windrow.parse(page, url="https://tools.example/1"), pasted)
    elsewhere = '<li class="card"><b>{0}</b><i class="stock">In stock</i></li>'
    others = [redesigned(number, [("Sickle", "8.00"), ("Pail", "3.00")], elsewhere) for number in (2, 3)]
    with pytest.raises(windrow.HealUncertain, match="do not show price") as caught:
        learned.heal([redesigned(1, ROWS, CARD), *others])
    assert caught.value.report is not None
    assert caught.value.report.lost == ("price",)
    assert list(caught.value.report.moves) == ["name"]


def test_a_list_is_healed_by_the_page_that_fits_the_others() -> None:
    page = SHOP.format("".join(ITEM.format("x", name, "", price) for name, price in ROWS))
    pasted = [{"name": "Rake", "price": "12.50"}, {"name": "Fork", "price": "9.00"}]
    pages = [windrow.parse(page, url=f"https://tools.example/{number}") for number in (1, 2)]
    learned = windrow.learn([(one, pasted) for one in pages])
    odd = '<li class="tile"><u>{0}</u><s>{1}</s></li>'
    new = [redesigned(1, ROWS, odd), redesigned(2, ROWS, CARD), redesigned(3, [("Pail", "3.00")], CARD)]
    assert learned.heal(new).extract(new[2]).rows == [{"name": ["Pail"], "price": ["3.00"]}]


def test_healing_a_list_by_no_page_is_wrong_use() -> None:
    with pytest.raises(windrow.UsageError, match="no page"):
        windrow.learn(TOOLS, PASTED).heal([])


def test_every_row_of_a_long_list_is_read() -> None:
    items = [
        ITEM.format(n, f"Tool {n}", BRAND.format(f"Brand {n}") if n % 3 == 0 else "", f"{n}.50") for n in range(1500)
    ]
    page = windrow.parse(SHOP.format("".join(items)), url="https://tools.example/")
    pasted = [
        {"name": "Tool 701", "brand": "", "price": "701.50"},
        {"name": "Tool 702", "brand": "Brand 702", "price": "702.50"},
    ]
    found = windrow.learn(page, pasted).extract(page)
    assert found.values["price"] == [f"{n}.50" for n in range(1500)]
    assert found.values["brand"] == [f"Brand {n}" for n in range(0, 1500, 3)]


@pytest.mark.parametrize(
    "rows",
    [
        [("Pail", "1.00"), ("Saw", "2.00"), ("Spade", "3.00"), ("Sickle", "4.00")],
        [("Pail", "1.00"), ("Saw", "2.00")],
        [(f"Tool {n}", f"{n}.00") for n in range(9)],
        [("Pail", "1.00"), *ROWS[:3]],
        [("Pail", "1.00"), *ROWS],
    ],
    ids=["others", "fewer", "more", "pushed down", "one more"],
)
@pytest.mark.parametrize("url", ["https://tools.example/", "https://tools.example/2"])
def test_new_rows_that_push_the_pasted_ones_away_are_content(rows: list[tuple[str, str]], url: str) -> None:
    html = SHOP.format("".join(ITEM.format("x", name, "", price) for name, price in ROWS))
    pasted = [{"name": "Rake", "price": "12.50"}, {"name": "Fork", "price": "9.00"}]
    wrapper = windrow.learn(windrow.parse(html, url="https://tools.example/"), pasted)
    new = SHOP.format("".join(ITEM.format("x", name, "", price) for name, price in rows))
    page = windrow.parse(new, url=url)
    change = wrapper.check(page)
    assert (change.kind, change.changed, change.affected) == ("content", False, False)
    assert wrapper.extract(page).rows == [{"name": [name], "price": [price]} for name, price in rows]
    again = windrow.Wrapper.from_json(wrapper.to_json())
    assert again.check(page).kind == "content"


def test_a_list_in_another_dress_is_changed_however_many_rows_it_has() -> None:
    html = SHOP.format("".join(ITEM.format("x", name, "", price) for name, price in ROWS))
    pasted = [{"name": "Rake", "price": "12.50"}, {"name": "Fork", "price": "9.00"}]
    wrapper = windrow.learn(windrow.parse(html, url="https://tools.example/"), pasted)
    fewer = SHOP.format("".join(ITEM.format("x", name, "", price) for name, price in ROWS[:2]))
    banner = fewer.replace("<body>", "<body><p>Sale</p>")
    restyled = fewer.replace("h3", "h4").replace("span", "b")
    for new in (banner, restyled):
        assert wrapper.check(windrow.parse(new, url="https://tools.example/")).kind == "template"


def test_columns_that_changed_places_are_changed() -> None:
    rows = [("Hall 1", "Free"), ("Hall 2", "Lent"), ("Hall 3", "Free")]
    table = "<body><table>{}</table></body>"
    pages = [
        windrow.parse(table.format("".join(f"<tr><td>{row[a]}</td><td>{row[b]}</td></tr>" for row in rows)), url=url)
        for url, a, b in (("https://halls.example/", 0, 1), ("https://halls.example/", 1, 0))
    ]
    wrapper = windrow.learn(pages[0], [{"hall": "Hall 1", "state": "Free"}, {"hall": "Hall 2", "state": "Lent"}])
    assert wrapper.check(pages[1]).kind == "template"


def test_a_first_row_that_is_set_apart_teaches_with_a_plain_one() -> None:
    item = '<article class="{}"><h3>{}</h3><span>{}</span></article>'
    items = [item.format("tool", name, price) for name, price in ROWS]
    first = f'<div class="hero">{item.format("tool best", "Spade", "20.00")}</div>'
    page = windrow.parse(f"<main>{first}{''.join(items)}</main>")
    found = windrow.learn(page, [{"name": "Spade", "price": "20.00"}, {"name": "Rake", "price": "12.50"}]).extract(page)
    assert found.values["name"] == ["Spade", "Rake", "Fork", "Hoe", "Axe"]
    assert found.values["price"] == ["20.00", "12.50", "9.00", "4.20", "31.00"]


def test_two_rows_with_the_same_texts_are_two_records() -> None:
    page = shop(("Rake", "", "12.50"), ("Fork", "", "9.00"), ("Rake", "", "12.50"))
    same = {"name": "Rake", "price": "12.50"}
    assert windrow.learn(page, [same, same]).extract(page).values["name"] == ["Rake", "Fork", "Rake"]


@pytest.mark.parametrize("form", ["{}, |", "{},", "- {}"])
def test_a_separator_that_was_pasted_along_is_of_no_value(form: str) -> None:
    item = "<li><b>{0}</b> - <i class=year>{1}</i>, | <em>{2}</em></li>"
    years = [("Rake", "1990", "wood"), ("Fork", "1991", "wood"), ("Hoe", "1992", "steel"), ("Axe", "1993", "iron")]
    page = windrow.parse(f"<ul>{''.join(item.format(*row) for row in years)}</ul>")
    rows = [{"name": name, "year": form.format(year)} for name, year, _ in years[:2]]
    assert windrow.learn(page, rows).extract(page).values["year"] == ["1990", "1991", "1992", "1993"]


def test_the_sign_of_a_figure_is_no_separator() -> None:
    item = "<li><b>{}</b> <i>-</i><em>{}</em> m</li>"
    page = windrow.parse(f"<ul>{''.join(item.format(*row) for row in ROWS)}</ul>")
    rows = [{"name": name, "depth": f"-{depth}"} for name, depth in ROWS[:2]]
    with pytest.raises(windrow.WindrowError, match=r"depth: .* '-12\.50' stands"):
        windrow.learn(page, rows)


def test_words_of_adjacent_elements_do_not_run_together() -> None:
    rows = [f"<li class=s><h3>{name}</h3><span>BL {name}1</span> <b>{name}2,50 €</b></li>" for name in "3456"]
    page = windrow.parse(f"<ul>{''.join(rows)}</ul>")
    wrapper = windrow.learn(page, [{"t": "3", "p": "BL 31 32,50 €"}, {"t": "4", "p": "BL 41 42,50 €"}])
    assert [row["p"] for row in wrapper.extract(page).rows] == [[f"BL {name}1 {name}2,50 €"] for name in "3456"]


def test_a_row_that_is_left_out_takes_no_link_of_another() -> None:
    rows = [(["Rake"], ["1 €"]), (["Fork", "Pail"], ["2 €", "3 €"]), (["Hoe"], ["4 €"]), (["Axe"], ["5 €"])]
    items = "".join(
        f"<li><a href='/{names[0].lower()}'>more</a><p>{''.join(f'<b>{name}</b>' for name in names)}</p>"
        f"<div>{''.join(f'<i>{price}</i>' for price in prices)}</div></li>"
        for names, prices in rows
    )
    page = windrow.parse(f"<body><ul id='tools'>{items}</ul></body>", url="https://tools.example/")
    one = windrow.Field(several=False)
    pasted = [{"name": "Rake", "price": "1 €"}, {"name": "Hoe", "price": "4 €"}]
    found = windrow.learn(page, pasted, fields={"name": one, "price": one}).extract(page)
    assert [row["name"] for row in found.rows] == [["Rake"], ["Hoe"], ["Axe"]]
    assert found.links == tuple(f"https://tools.example/{name}" for name in ("rake", "hoe", "axe"))
    assert found.doubtful == {"name": ["Fork", "Pail"], "price": ["2 €", "3 €"]}


def test_other_records_of_the_same_number_are_tried_too() -> None:
    full, bare = "<li class='{0}'><b>{1}</b><i>{2} €</i><u>{2} kg</u></li>", "<li class='{}'><b>{}</b></li>"
    items = [full.format("big sold", "Rake", 1), bare.format("big", "Our offers"), full.format("big sold", "Fork", 2)]
    items += [full.format("sold", "Hoe", 3), *(bare.format("", f"News {number}") for number in range(4))]
    page = windrow.parse(f"<body><ul>{''.join(items)}</ul></body>")
    rows = [{"tool": "Rake", "price": "1 €", "mass": "1 kg"}, {"tool": "Fork", "price": "2 €", "mass": "2 kg"}]
    assert windrow.learn(page, rows).extract(page).values["tool"] == ["Rake", "Fork", "Hoe"]
