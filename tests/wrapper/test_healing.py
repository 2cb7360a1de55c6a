from __future__ import annotations

import json
from dataclasses import replace

import pytest
import shelf

import windrow
from windrow.wrapper import Example
from windrow.wrapper.healing import places_in
from windrow.wrapper.misplacement import is_misplaced


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
    assert report.moves["title"].old.endswith("div[2]/h1[1]/text()[normalize-space()][1]")
    assert report.moves["title"].new.endswith("main[1]/section[1]/div[1]/h1[1]/text()[normalize-space()][1]")
    assert report.moves["chapters"].old_values == report.moves["chapters"].new_values == tuple(shelf.HAY["chapters"])
    assert json.loads(json.dumps(report.to_dict()))["moves"]["price"]["new_values"] == ["£12.50"]
    assert set(report.to_dict()) == {"confidence", "moves", "lost", "doubtful", "sentence"}


def test_several_pages_must_agree(learned: windrow.Wrapper) -> None:
    pages = [shelf.new(shelf.HAY), shelf.new(shelf.WELL, shelf.OTHER), shelf.new(shelf.BARN, shelf.OTHER + "3")]
    report = learned.heal(pages).report
    assert report is not None
    assert {move.pages for move in report.moves.values()} == {3}
    bare = windrow.parse("<main><p>Nothing here</p></main>", url=shelf.OTHER)
    with pytest.raises(windrow.HealUncertain, match="stays as it was") as caught:
        learned.heal([pages[0], bare])
    assert caught.value.report.lost == tuple(learned.labels)


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


def test_a_label_that_cannot_be_kept_is_never_dropped_silently(learned: windrow.Wrapper) -> None:
    page = windrow.parse(shelf.new_page(shelf.HAY).replace("978-0-00-000001-7", "out of print"), url=shelf.HOME)
    with pytest.raises(windrow.HealUncertain, match=r"isbn.*stays as it was") as caught:
        learned.heal(page)
    assert caught.value.report.lost == ("isbn",)
    assert set(caught.value.report.moves) == set(learned.labels) - {"isbn"}
    healed = learned.heal(page, partial=True)
    assert healed.report is not None
    assert (healed.report.lost, "isbn" in healed.labels) == (("isbn",), False)
    assert "Not kept: isbn" in healed.report.sentence


def test_a_list_stays_a_list_after_one_item_more(learned: windrow.Wrapper) -> None:
    longer = shelf.HAY | {"chapters": ["Oiling the gate", *shelf.HAY["chapters"]]}
    healed = learned.heal(shelf.new(longer))
    assert healed.extract(shelf.new(longer)).values["chapters"] == longer["chapters"]
    for book in (shelf.WELL, shelf.BARN):
        assert healed.extract(shelf.new(book, shelf.OTHER)).values == shelf.values_of(book)
    assert healed.report is not None
    assert healed.report.moves["chapters"].new_values == tuple(longer["chapters"])


def test_a_list_is_healed_though_an_item_went() -> None:
    shorter = shelf.HAY | {"chapters": ["Oiling the gate", *shelf.HAY["chapters"], "Resting"]}
    wrapper = windrow.learn(shelf.old(shorter), shorter)
    healed = wrapper.heal(shelf.new(shelf.HAY))
    assert healed.extract(shelf.new(shelf.WELL, shelf.OTHER)).values == shelf.values_of(shelf.WELL)


PRICES = "<body><h1>{}</h1><p class=o>Was: <b>{}</b></p><p class=n>Now: <b>{}</b></p><p>Sent from the barn</p></body>"
NEW_PRICES = "<body><main><h1>{}</h1><div><i>Now:</i> <em>{}</em></div><div>Sent from the barn</div></main></body>"


def test_a_label_is_not_healed_to_the_place_of_another() -> None:
    wanted = {"title": "The long year of hay", "old": "£20", "now": "£15"}
    wrapper = windrow.learn(windrow.parse(PRICES.format(*wanted.values()), url=shelf.HOME), wanted)
    page = windrow.parse(NEW_PRICES.format("The long year of hay", "£20"), url=shelf.HOME)
    with pytest.raises(windrow.HealUncertain) as caught:
        wrapper.heal(page)
    assert caught.value.report.lost == ("old", "now")
    assert wrapper.heal(page, partial=True).labels == ["title"]


def test_a_label_is_not_healed_to_what_the_old_wrapper_reads_for_another() -> None:
    wanted = {"title": "The long year of hay", "old": "£20", "now": "£15"}
    wrapper = windrow.learn(windrow.parse(PRICES.format(*wanted.values()), url=shelf.HOME), wanted)
    html = PRICES.format("The long year of hay", "", "£20").replace("<p class=o>Was: <b></b></p>", "")
    with pytest.raises(windrow.HealUncertain) as caught:
        wrapper.heal(windrow.parse(html, url=shelf.HOME))
    assert "old" in caught.value.report.lost


def test_a_label_is_not_healed_to_a_menu_that_shows_its_text() -> None:
    menu = "<nav><a>Poems</a> <a>Fields and hay</a></nav>"
    html = "<body>{}<div><h1>The long year of hay</h1><p>{}</p><p>Sent from the barn</p></div></body>"
    wanted = {"title": "The long year of hay", "kind": "Fields and hay"}
    wrapper = windrow.learn(windrow.parse(html.format("", "Fields and hay"), url=shelf.HOME), wanted)
    page = windrow.parse(html.format(menu, "Farming").replace("div", "main"), url=shelf.HOME)
    with pytest.raises(windrow.HealUncertain) as caught:
        wrapper.heal(page)
    assert caught.value.report.lost == ("kind",)


def test_a_value_that_changed_is_kept_where_its_name_stands_before_it(learned: windrow.Wrapper) -> None:
    html = shelf.old_page(shelf.HAY).replace("£12.50", "£13.00").replace('<div id="book">', '<hr><div id="book">')
    healed = learned.heal(windrow.parse(html, url=shelf.HOME))
    assert healed.report is not None
    assert healed.report.moves["price"].old_values == ("£12.50",)
    assert healed.report.moves["price"].new_values == ("£13.00",)
    assert healed.extract(shelf.old(shelf.WELL, shelf.OTHER)).values["price"] == ["£8.00"]


def test_the_old_place_stays_where_it_reads_right_on_more_pages() -> None:
    html = "<body><div class={}><h1>{}</h1><p class=by>{}</p></div><div class=foot><p>{}</p><p>{}</p></div></body>"
    texts = ("The long year of hay", "Ada Rake")
    wrapper = windrow.learn(
        windrow.parse(html.format("a", *texts, "Contact", "Terms"), url=shelf.HOME),
        {"title": texts[0], "author": texts[1]},
    )
    # The byline was corrected, and the old name now stands in the margin of this page alone.
    first = html.format("b", texts[0], "Ada B. Rake", "Ada Rake", "Terms")
    pages = [windrow.parse(first, url=shelf.HOME)]
    pages += [
        windrow.parse(html.format("b", f"Book {name}", name, "Call", "Terms"), url=shelf.OTHER + name)
        for name in ("Ben Fork", "Cleo Pail")
    ]
    healed = wrapper.heal(pages)
    assert healed.extract(pages[0]).values["author"] == ["Ada B. Rake"]
    assert healed.extract(pages[1]).values["author"] == ["Ben Fork"]
    with pytest.raises(windrow.HealUncertain) as caught:
        wrapper.heal(pages[0])
    assert caught.value.report.lost == ("author",)


def test_pages_are_healed_by_whichever_stored_record_they_show() -> None:
    examples = [(shelf.old(shelf.HAY), shelf.HAY), (shelf.old(shelf.BARN, shelf.OTHER), shelf.BARN)]
    wrapper = windrow.learn(examples)
    moved = shelf.new(shelf.BARN | {"title": "Barn Owls of Kent and Sussex"}, "https://shelf.example/b/3")
    with pytest.raises(windrow.RegionGone):
        wrapper.heal(moved)
    wrapper = windrow.learn([(page, book | {"note": "Bound in green linen by hand"}) for page, book in with_notes()])
    page = windrow.parse(noted(shelf.new_page(shelf.BARN)), url="https://shelf.example/b/3")
    assert wrapper.heal(page).extract(page).values["title"] == ["Barn Owls"]


def noted(html: str) -> str:
    return html.replace("</h1>", "</h1><p>Bound in green linen by hand</p>")


def with_notes() -> list[tuple[windrow.Page, shelf.Book]]:
    books = ((shelf.HAY, shelf.HOME), (shelf.BARN, shelf.OTHER))
    return [(windrow.parse(noted(shelf.old_page(book)), url=url), book) for book, url in books]


def test_what_was_replaced_is_kept_and_one_step_leads_back(learned: windrow.Wrapper) -> None:
    healed = learned.heal(shelf.new(shelf.HAY))
    assert (learned.version, healed.version) == (1, 2)
    assert healed.undo() == learned
    again = windrow.Wrapper.from_json(healed.to_json())
    assert again.version == 2
    assert again.undo().to_json() == learned.to_json()
    assert again.extract(shelf.new(shelf.HAY)).values == shelf.values_of(shelf.HAY)


def test_every_version_is_kept(learned: windrow.Wrapper) -> None:
    wrapper = learned
    for number in range(5):
        wrapper = wrapper.heal(shelf.old(shelf.HAY, banner="<hr>" * number))
    assert wrapper.version == 6
    wrapper = windrow.Wrapper.from_json(wrapper.to_json())
    for version in (5, 4, 3, 2, 1):
        wrapper = wrapper.undo()
        assert wrapper.version == version
    with pytest.raises(windrow.UsageError, match="first version"):
        wrapper.undo()


def test_healing_one_page_after_the_other_reads_neither_with_the_other_wrapper(learned: windrow.Wrapper) -> None:
    page = shelf.new(shelf.HAY)
    healed = learned.heal(page)
    assert learned.extract(page).values != healed.extract(page).values
    assert learned.extract(page).to_dict() == learned.extract(shelf.new(shelf.HAY)).to_dict()


@pytest.mark.parametrize("required", [True, False])
def test_an_optional_label_may_be_missing_on_further_pages(*, required: bool) -> None:
    html = "<body><div><h1>{}</h1><p class=by>{}</p></div></body>"
    wanted = {"title": "The long year of hay", "author": "Ada Rake"}
    page = windrow.parse(html.format(*wanted.values()), url=shelf.HOME)
    wrapper = windrow.learn(page, wanted, fields={"author": windrow.Field(required=required)})
    new = html.replace("div", "section").replace("h1", "h2")
    other = windrow.parse(new.format("Owls", "").replace("<p class=by></p>", ""), url=shelf.OTHER)
    pages = [windrow.parse(new.format(*wanted.values()), url=shelf.HOME), other]
    assert wrapper.heal(pages, partial=True).labels == (["title"] if required else ["title", "author"])


SHELF = """<body><div class="top"><a>Shelf</a></div><div id="book"><h1>{}</h1><p>by <a>{}</a></p>
<table><tr><th>Price:</th><td>{}</td></tr></table></div><p>Shelf Ltd</p></body>"""
DRESSED = """<body><nav><a>Shelf</a></nav><main><h1>{}</h1><p class="names">{}</p><p class="cost">{}</p>
<ul class="post"><li>By post</li><li>{}</li></ul></main><footer>Shelf Ltd</footer></body>"""
BOOKS = [("The Hay Year in Verse", "Ada Rake", "£12.50"), ("Barn Owls at Night", "Dora Loft", "£21.00"),
         ("A Well in the Field", "Cleo Pail", "£8.00")]  # fmt: skip
ADDRESSES = [f"https://books.example/{number}" for number in (1, 2, 3)]


def stored(number: int) -> Example:
    """Return a book as a harvest stored it."""
    title, author, price = BOOKS[number]
    return Example.of_record(ADDRESSES[number], {"title": [title], "author": [author], "price": [price]})


def dressed(number: int, price: str | None = None, postage: str = "£2.00") -> windrow.Page:
    title, author, old = BOOKS[number]
    return windrow.parse(DRESSED.format(title, author, price or old, postage), url=ADDRESSES[number])


@pytest.fixture
def bookish() -> windrow.Wrapper:
    title, author, price = BOOKS[0]
    page = windrow.parse(SHELF.format(title, author, price), url=ADDRESSES[0])
    return windrow.learn(page, {"title": title, "author": author, "price": price})


def test_known_records_decide_where_an_old_text_stands_by_chance(bookish: windrow.Wrapper) -> None:
    dearer = dressed(0, price="£13.00", postage="£12.50")
    assert bookish.heal(dearer).extract(dearer).values["price"] == ["£12.50"]  # nothing else is known
    pages = [dearer, dressed(1), dressed(2)]
    healed = bookish.heal(pages, known=[stored(1), stored(2)])
    assert [healed.extract(page).values["price"] for page in pages] == [["£13.00"], ["£21.00"], ["£8.00"]]
    assert healed.report is not None
    assert healed.report.moves["price"].pages == 3
    assert healed.report.lost == ()


def test_known_records_heal_without_the_page_of_an_example(bookish: windrow.Wrapper) -> None:
    healed = bookish.heal([dressed(1), dressed(2)], known=[stored(1), stored(2)])
    assert healed.extract(dressed(0)).values == {
        "title": ["The Hay Year in Verse"], "author": ["Ada Rake"], "price": ["£12.50"],
    }  # fmt: skip
    with pytest.raises(windrow.RegionGone):
        bookish.heal([dressed(1), dressed(2)])


def test_what_no_known_record_supports_is_not_healed(bookish: windrow.Wrapper) -> None:
    """The name stands before another value on every page: a price without tax, say."""
    net = SHELF.replace("<p>by <a>{}</a></p>", "<h2 class='names'>{}</h2><p>Sale</p>")
    pages = [
        windrow.parse(net.format(title, author, price), url=url)
        for url, (title, author, _), price in zip(ADDRESSES, BOOKS, ("£11.00", "£19.00", "£7.00"), strict=True)
    ]
    assert bookish.heal(pages[0]).extract(pages[0]).values["price"] == ["£11.00"]  # one price may have changed
    with pytest.raises(windrow.HealUncertain, match="price") as caught:
        bookish.heal(pages, known=[stored(1), stored(2)])
    assert caught.value.report is not None
    assert caught.value.report.lost == ("price",)


def test_known_rows_heal_a_list_whose_pasted_rows_are_gone() -> None:
    old = "<body><ul id='tools'>{}</ul></body>"
    new = "<body><main><ol class='all'>{}</ol></main></body>"
    rows = [("Rake", "12.50"), ("Fork", "9.00"), ("Hoe", "4.20")]
    later = [("Axe", "31.00"), ("Saw", "8.00"), ("Pail", "3.00")]
    first = windrow.parse(old.format("".join(f"<li><b>{a}</b><i>{b}</i></li>" for a, b in rows)), url=ADDRESSES[0])
    wrapper = windrow.learn(first, [{"name": "Rake", "price": "12.50"}, {"name": "Fork", "price": "9.00"}])
    page = windrow.parse(new.format("".join(f"<li><u>{a}</u><s>{b}</s></li>" for a, b in later)), url=ADDRESSES[0])
    known = Example.of_rows(page, [{"name": "Axe", "price": "31.00"}, {"name": "Saw", "price": "8.00"}])
    with pytest.raises(windrow.RegionGone):
        wrapper.heal(page)
    assert wrapper.heal(page, known=[known]).extract(page).values["name"] == ["Axe", "Saw", "Pail"]


def test_a_price_that_is_struck_out_is_no_price_to_heal_to() -> None:
    lines = "<h1>Grafting for Patient People</h1><p class=by>Orla Penhallow and friends</p>"
    old = windrow.parse(f"<main><div>{lines}<p class=price>28.00 €</p></div></main>", url=shelf.HOME)
    shown = {"title": "Grafting for Patient People", "author": "Orla Penhallow and friends", "price": "28.00 €"}
    wrapper = windrow.learn(old, shown)
    sale = "<div class=cost><s>28.00 €</s> <b>21.00 €</b></div>"
    new = windrow.parse(f"<main><section><article>{lines}{sale}</article></section></main>", url=shelf.HOME)
    with pytest.raises(windrow.HealUncertain) as caught:
        wrapper.heal(new)
    assert caught.value.report.lost == ("price",)


def test_a_former_price_is_healed_to_where_it_is_struck_out() -> None:
    lines = "<h1>Grafting for Patient People</h1><p class=by>Orla Penhallow and friends</p>"
    old = windrow.parse(f"<main><div>{lines}<p><s>28.00 €</s> <b>21.00 €</b></p></div></main>", url=shelf.HOME)
    wrapper = windrow.learn(old, {"title": "Grafting for Patient People", "former": "28.00 €", "price": "21.00 €"})
    sale = "<div class=cost><del>28.00 €</del> <strong>21.00 €</strong></div>"
    new = windrow.parse(f"<main><section><article>{lines}{sale}</article></section></main>", url=shelf.HOME)
    assert wrapper.heal(new).extract(new).values["former"] == ["28.00 €"]


ON_SALE = "<main><h1>Grafting for Patient People</h1><div class=price>£12.50</div><div class=stock>7 left</div></main>"
BY_CHANCE = [
    "<p class=cost>£14.00</p><p class=send>Shipping <b>£12.50</b></p>",
    "<p class=cost>£14.00</p><p class=send>Shipping: £12.50</p>",
    "<p class=cost>£14.00</p><table><tr><td>Shipping</td><td>£12.50</td></tr><tr><td>Size</td><td>9</td></tr></table>",
    "<p class=was>£12.50</p><p class=cost>£11.00</p>",
    "<p class=cost>£11.00</p><p class=oldPrice>£12.50</p>",
    "<p class=cost>£14.00</p><p class=review>I paid £12.50 for this</p>",
    "<p class=cost>£14.00</p><ul><li><a href=/books/2>Hay</a> £12.50</li><li><a href=/books/3>Oats</a> £2.50</li></ul>",
    "<p class=cost>£14.00 <b>£12.50</b></p>",
]


@pytest.mark.parametrize("body", BY_CHANCE)
def test_an_old_price_that_stands_elsewhere_by_chance_is_not_healed_to(body: str) -> None:
    wanted = {"title": "Grafting for Patient People", "price": "£12.50"}
    wrapper = windrow.learn(windrow.parse(ON_SALE, url=shelf.HOME), wanted)
    page = f"<main><section><h2>Grafting for Patient People</h2>{body}</section></main>"
    with pytest.raises(windrow.HealUncertain) as caught:
        wrapper.heal(windrow.parse(page, url=shelf.HOME))
    assert caught.value.report.lost == ("price",)


@pytest.mark.parametrize(
    "body",
    [
        "<p class=cost>£12.50</p><p class=send>Shipping <b>£3.00</b></p>",
        "<p class=cost>Our price: <b>£12.50</b></p><p>Shipping <b>£3.00</b></p>",
        "<p class=cost>Yours for <b>£12.50</b></p>",
        "<p class=cost>£12.50</p><ul><li><a href=/books/2>Hay</a> £2.50</li><li><a href=/books/3>Oats</a> £3</li></ul>",
    ],
)
def test_a_price_is_healed_to_where_it_stands_by_itself_or_by_its_name(body: str) -> None:
    wanted = {"title": "Grafting for Patient People", "price": "£12.50"}
    wrapper = windrow.learn(windrow.parse(ON_SALE, url=shelf.HOME), wanted)
    page = windrow.parse(f"<main><section><h2>Grafting for Patient People</h2>{body}</section></main>", url=shelf.HOME)
    assert wrapper.heal(page).extract(page).values == {label: [text] for label, text in wanted.items()}


def test_a_price_is_healed_by_the_name_that_stood_before_it_in_any_language() -> None:
    def tree(number: int, price: str, row: str, holder: str) -> windrow.Page:
        rows = row.format("Sorte", f"Apfel {number}") + row.format("Preis", price) + row.format("Höhe", f"{number} m")
        more = f"<aside><h3>Mehr</h3>{row.format('Preis', '9,50 €')}</aside>"
        html = f"<html lang=de><main><h1>Apfel {number}</h1><{holder}>{rows}</{holder}>{more}</main>"
        return windrow.parse(html, url=f"https://baum.example/{number}")

    prices = {1: ("19,00 €", "19,00 €"), 2: ("24,00 €", "<del>29,00 €</del> <ins>24,00 €</ins>")}
    cells, terms = "<tr><th>{}</th><td>{}</td></tr>", "<dt>{}</dt><dd>{}</dd>"
    lessons = [
        (tree(number, shown, cells, "table"), {"name": f"Apfel {number}", "price": price})
        for number, (price, shown) in prices.items()
    ]
    page = tree(1, "19,00 €", terms, "dl")
    old, new = windrow.learn(lessons), windrow.learn(page, lessons[0][1])
    [value] = new.read(page).located["price"]
    places = places_in(old.rules["price"])
    assert {place.location.before for place in places} == {"Preis"}
    unnamed = [replace(place, location=replace(place.location, before="29,00 €")) for place in places]
    assert not is_misplaced(page, "price", value, places, names=())  # none stands before it on both pages
    assert is_misplaced(page, "price", value, unnamed, ())
    assert old.heal(page).extract(page).values["price"] == ["19,00 €"]


def test_a_place_that_a_redesign_left_as_it_was_counts_more() -> None:
    texts = {"title": "The Hay Year of Ada Rake", "price": "£12.50"}
    home = "https://shelf.example/books/1"
    name = '<p class="name">{title}</p>'.format(**texts)
    old = windrow.parse('<body><div>{}<p class="sum">{price}</p></div></body>'.format(name, **texts), url=home)
    crumb = '<ul><li><span class="crumb">{title}</span></li></ul>'.format(**texts)
    new = windrow.parse(f"<main>{crumb}<section>{name}<b>{texts['price']}</b></section></main>", url=home)
    fresh, healed = (
        {place.location.element.names: place.worth for place in places_in(wrapper.rules["title"])}
        for wrapper in (windrow.learn(new, texts), windrow.learn(old, texts).heal(new))
    )
    assert healed["name"] / healed["crumb"] > fresh["name"] / fresh["crumb"]
