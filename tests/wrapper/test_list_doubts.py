"""Lists: cells that the pasted rows speak against are doubtful, former prices left out, series kept together."""

from __future__ import annotations

import pytest

import windrow

TOOLS = [{"name": "Rake", "price": "£12.50"}, {"name": "Fork", "price": "£9.00"}]
CARD = '<li class="item"><a href="/{0}">{0}</a><div class="{2}">{1}</div></li>'


def shop(*items: tuple[str, str], name: str = "price") -> windrow.Page:
    """Return a page of cards, each with a name and the content of its second element, which has a class."""
    cards = "".join(CARD.format(*item, name) for item in items)
    return windrow.parse(f"<body><h1>Shop</h1><ul class='list'>{cards}</ul></body>", url="https://shop.example/")


KNOWN = [("Rake", "£12.50"), ("Fork", "£9.00"), ("Hoe", "£7.00")]


def test_a_list_of_something_else_in_the_same_frame_gives_no_prices() -> None:
    wrapper = windrow.learn(shop(*KNOWN), TOOLS)
    found = wrapper.extract(shop(("Fair", "3 May 2020"), ("Sale", "4 May 2020"), name="date"))
    assert found.values["price"] == []
    assert found.doubtful == {"price": ["3 May 2020", "4 May 2020"]}


def test_a_text_of_another_kind_is_doubtful_by_whatever_name() -> None:
    found = windrow.learn(shop(*KNOWN), TOOLS).extract(shop(("Axe", "40 cm"), ("Saw", "£3.00"), ("Pin", "ask us")))
    assert found.values["price"] == ["£3.00", "ask us"]
    assert found.doubtful == {"price": ["40 cm"]}


def test_what_is_struck_out_is_not_the_price() -> None:
    page = shop(*KNOWN, ("Saw", "<s>£6.00</s> £3.00"), ("Axe", "<del>£8.00</del>"))
    found = windrow.learn(page, TOOLS).extract(page)
    assert found.values["price"] == ["£12.50", "£9.00", "£7.00", "£3.00"]


def test_what_is_struck_out_is_read_where_it_was_pasted() -> None:
    page = shop(*((name, f"<s>{price}0</s> {price}") for name, price in KNOWN), ("Axe", "£1.00"))
    rows = [row | {"was": f"{row['price']}0"} for row in TOOLS]
    wrapper = windrow.Wrapper.from_json(windrow.learn(page, rows).to_json())
    assert wrapper.extract(page).values["was"] == ["£12.500", "£9.000", "£7.000"]
    assert wrapper.extract(page).values["price"] == ["£12.50", "£9.00", "£7.00", "£1.00"]


@pytest.mark.parametrize("before", ["", "<span>new</span>"])
def test_of_two_prices_either_may_be_meant(before: str) -> None:
    prices = [(name, f"{before}<span>{price}</span>") for name, price in KNOWN]
    page = shop(*prices, ("Saw", f"{before}<span>£6.00</span> <span>£3.00</span>"))
    found = windrow.learn(page, TOOLS).extract(page)
    assert found.values["price"] == ["£12.50", "£9.00", "£7.00"]
    assert found.values["name"][-1] == "Saw"


def test_several_prices_are_read_where_several_were_pasted() -> None:
    sizes = [(name, f"<span>{price}</span> <span>£1.00</span>") for name, price in KNOWN]
    page = shop(*sizes)
    rows = [{"name": row["name"], "price": [row["price"], "£1.00"]} for row in TOOLS]
    assert windrow.learn(page, rows).extract(page).values["price"][-2:] == ["£7.00", "£1.00"]


BOOKS = [("Owl", ("Dora",)), ("Bat", ("Cyril",)), ("Well", ("Xan", "Zoe", "Quin")), ("Hay", ("Ada", "Ben"))]


@pytest.mark.parametrize("pasted", [1, 2])
@pytest.mark.parametrize("last", [", ", " and ", " &amp; "])
def test_the_authors_of_a_book_are_no_books(pasted: int, last: str) -> None:
    html = ""
    for title, authors in BOOKS:
        links = [f"<a href='/by/{author}'>{author}</a>" for author in authors]
        series = last.join([", ".join(links[:-1]), links[-1]] if links[1:] else links)
        html += f"<li><h3><a href='/{title}'>{title}</a></h3><p>by {series}</p></li>"
    page = windrow.parse(f"<body><ul>{html}</ul></body>")
    rows = [{"title": "Owl", "author": "Dora"}, {"title": "Bat", "author": "Cyril"}][:pasted]
    found = windrow.learn(page, rows).extract(page)
    assert found.rows == [{"title": [title], "author": list(authors)} for title, authors in BOOKS]


def test_a_part_of_another_pasted_text_is_no_label() -> None:
    line = "<li><span class='note'>(<i>Book</i> also available)</span> <span>{}</span></li>"
    plain = "<li><span>{}</span></li>"
    html = line.format("$1.95") + line.format("$2.95") + line.format("$3.95") + plain.format("$4.95")
    page = windrow.parse(f"<body><ul>{html}</ul></body>")
    rows = [{"note": "(Book also available)", "price": price} for price in ("$1.95", "$2.95")]
    assert windrow.learn(page, rows).extract(page).values["price"] == ["$1.95", "$2.95", "$3.95", "$4.95"]


def test_a_text_that_happens_to_be_in_another_one_does_not_confirm_it() -> None:
    trees = [("Oak", "3", "5 m"), ("Elm", "4", "6 m"), ("Fir", "7 m"), ("Ash", "1 m", "1"), ("Bay", "9")]
    html = "".join(
        f"<div class=c><h3>{name}</h3>{''.join(f'<p>{text}' for text in rest)}</div>" for name, *rest in trees
    )
    page = windrow.parse(f"<body><main>{html}</main></body>")
    rows = [{"name": "Oak", "age": "3", "height": "5 m"}, {"name": "Elm", "age": "4", "height": "6 m"}]
    found = windrow.learn(page, rows).extract(page)
    assert found.values["age"] == ["3", "4", "9"]
    assert found.values["height"] == ["5 m", "6 m", "7 m"]


@pytest.mark.parametrize(
    ("selector", "is_struck"),
    [
        (".price", True),
        ("div.price", True),
        ("/* former */ ul .price", True),
        (".list li.item .price", True),
        (".bundle .price", False),
        (".item .list .price", False),
        (".price.was", False),
        ("ul > .price", False),
        (".price:hover", False),
        ("#shop .price", False),
    ],
)
def test_a_style_sheet_strikes_through_only_what_its_selectors_name(selector: str, is_struck: bool) -> None:  # noqa: FBT001 - of pytest
    cards = "".join(CARD.format(*item, "price") for item in KNOWN)
    sheet = f"<style>b {{ color: red }} {selector} {{ text-decoration: line-through }}</style>"
    page = windrow.parse(f"{sheet}<body><h1>Shop</h1><ul class='list'>{cards}</ul></body>", url="https://shop.example/")
    found = windrow.learn(shop(*KNOWN), TOOLS).extract(page)
    assert found.values["price"] == ([] if is_struck else ["£12.50", "£9.00", "£7.00"])


HAND = "<li><span class='who'>{}</span> <span>{}</span></li>"
TURNED = "<li><span>{1}</span> <span class='who'>{0}</span></li>"
HANDS = [{"who": "Ada", "place": "Barn"}, {"who": "Ben", "place": "Yard"}]


def staff(*cards: str) -> windrow.Page:
    """Return a page of people, of whom the name has a class and the place has none."""
    known = [HAND.format("Ada", "Barn"), HAND.format("Ben", "Yard"), HAND.format("Cleo", "Mill")]
    html = f"<body><ul id='staff'>{''.join([*known, *cards])}</ul></body>"
    return windrow.parse(html, url="https://staff.example/")


def test_a_position_that_reads_what_is_surely_another_label_disputes_nothing() -> None:
    page = staff(TURNED.format("Dora", "Loft"))
    found = windrow.learn(page, HANDS).extract(page)
    assert found.rows[3] == {"who": ["Dora"], "place": ["Loft"]}
    assert found.doubtful == {}


def test_positions_that_disagree_stay_doubtful_where_no_label_is_sure() -> None:
    rows = [("Ada", "Barn"), ("Ben", "Yard"), ("Cleo", "Mill"), ("Dora", "Loft", "Gate")]
    cards = ["".join(f"<span>{text}</span> " for text in row) for row in rows]
    html = f"<body><ul id='staff'>{''.join(f'<li>{card}</li>' for card in cards)}</ul></body>"
    page = windrow.parse(html, url="https://staff.example/")
    found = windrow.learn(page, HANDS).extract(page)
    assert found.values["place"] == ["Barn", "Yard", "Mill"]
    assert set(found.doubtful) == {"who", "place"}
