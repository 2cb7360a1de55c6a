from __future__ import annotations

import json
from datetime import date
from itertools import combinations

import orchard
import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow.region import Record, Region
from windrow.region.matching import choose_in_order
from windrow.result import Value


def first(html: str) -> Region:
    return windrow.parse(html, url="https://orchard.example/list").regions()[0]


def test_an_optional_field_is_an_empty_cell_and_shifts_nothing() -> None:
    results = [orchard.result(name, date=f"{k} May 2021" if k % 2 else "") for k, name in enumerate(orchard.FRUIT, 1)]
    region = first(orchard.search(results))
    dates = [row[region.columns.index("date")] for row in region.rows]
    assert dates == ["1 May 2021", "", "3 May 2021", "", "5 May 2021", "", "7 May 2021", "", "9 May 2021"]
    texts = [row[region.columns.index("text")] for row in region.rows]
    assert all(str(text).startswith("How to plant") for text in texts)


def test_an_optional_field_without_a_class_is_told_by_its_look() -> None:
    items = [
        f'<li><a href="/{n}">The {n}</a>{f"<p>${k}.00</p>" if k % 3 else ""}'
        f"<p>A fruit for every kind of garden, {n}.</p></li>"
        for k, n in enumerate(orchard.FRUIT, 1)
    ]
    region = first(orchard.page(f"<ul>{''.join(items)}</ul>"))
    prices = [record.fields.get("price") for record in region.records]
    assert prices == ["$1.00", "$2.00", None, "$4.00", "$5.00", None, "$7.00", "$8.00", None]


def test_labels_part_what_repeats() -> None:
    lines = [
        "Topic: jam",
        "Topics: jam, juice<br>Source: Kent",
        "Source: Wales",
        "<i class=n>1</i> seen<br>Topic: pie",
    ] * 2
    items = [
        f'<li><h3><a href="/{n}">All about the {n}</a></h3><p>How to grow it, {n}.</p><div>{line}</div></li>'
        for n, line in zip(orchard.FRUIT, lines, strict=False)
    ]
    region = first(orchard.page(f"<ul>{''.join(items)}</ul>"))
    told = [(record.fields.get("topic"), record.fields.get("source")) for record in region.records[:4]]
    assert told == [
        ("Topic: jam", None),
        ("Topics: jam, juice", "Source: Kent"),
        (None, "Source: Wales"),
        ("Topic: pie", None),
    ]


def test_what_fields_stand_in_is_aligned_before_them() -> None:
    extras = ["<li><i></i><span>{k}</span> <span>Kudos</span>", "<li><span>{k}</span> <span>Replies</span>", ""]
    items = [
        f'<div class="post"><h3><a href="/{n}">On the {n}</a></h3><p>What I think of it, {n}.</p>'
        f"<ul><li><span>{n}son</span><li><span>{k}{k}</span> <span>Views</span><li><span>2021-05-0{k}</span>"
        f"{''.join(extra.format(k=k) for extra in extras[k % 3 :])}</ul></div>"
        for k, n in enumerate(orchard.FRUIT, 1)
    ]
    records = first(orchard.page(f"<div class=results>{''.join(items)}</div>")).records
    assert [record.fields["date"] for record in records] == [f"2021-05-0{k}" for k in range(1, 10)]
    assert [record.fields["number"] for record in records] == [f"{k}{k}" for k in range(1, 10)]
    views = next(name for name, cell in records[0].fields.items() if cell == "Views")
    assert {record.fields[views] for record in records} == {"Views"}


@given(st.integers(1, 4), st.integers(0, 4), st.data())
def test_slots_are_chosen_in_order_with_the_highest_sum(rows: int, more: int, data: st.DataObject) -> None:
    row = st.lists(st.integers(0, 3), min_size=rows + more, max_size=rows + more)
    scores = data.draw(st.lists(row, min_size=rows, max_size=rows))
    ways = combinations(range(rows + more), rows)
    best = max(ways, key=lambda slots: sum(scores[k][slot] for k, slot in enumerate(slots)))
    assert choose_in_order(scores) == list(best)


@pytest.mark.browser
def test_words_that_do_not_touch_on_screen_are_kept_apart_in_a_cell() -> None:
    style = "<style>.n {margin-left: 9px}</style>"
    items = "".join(
        f"<li><a href='/{k}'>Tree {k}</a><p>by <b class=n>Ann</b><b class=n>{k}K</b></p></li>" for k in range(11, 17)
    )
    region = windrow.parse(f"{style}<ul>{items}</ul>", render=True).regions()[0]
    assert "by Ann 11K" in region.rows[0]


@pytest.mark.browser
def test_counters_and_links_are_words_of_their_own_without_a_style_sheet() -> None:
    items = "".join(
        f"<li><h3><a href='/{k}'>Tr<span>ee</span></a></h3><i class=a>{k}</i><i class=b>{k}K</i> "
        f"<a href='/x{k}'>Share</a><a href='/y{k}'>Save</a></li>"
        for k in range(11, 17)
    )
    record = windrow.parse(f"<ul>{items}</ul>", render=True).regions()[0].records[0]
    assert record.text.split() == ["Tree", "11", "11K", "Share", "Save"]


def test_a_repeated_field_is_a_list() -> None:
    words = ("sweet", "sour", "early", "late", "red", "green", "hardy", "small")
    results = [orchard.result(name, tags=words[: k % 8]) for k, name in enumerate(orchard.FRUIT, 1)]
    region = first(orchard.search(results))
    assert region.records[2].fields["tag"] == ["sweet", "sour", "early"]
    assert "tag" not in region.records[7].fields


def test_nested_offers_stay_in_their_product() -> None:
    region = first(orchard.OFFERS)
    prices = [region.records[0].fields[name] for name in ("price", "price_2", "price_3")]
    assert len(set(prices)) == len(prices)
    assert region.records[1].fields["title"] == "Pear press"


def test_what_every_record_offers_to_do_is_set_apart_but_where_it_leads_is_kept() -> None:
    items = "".join(
        f'<li><h3><a href="/p/{k}">{name}</a></h3><span>{k} left</span>'
        f'<a href="/pdf/{k}">Care sheet</a><button>Quick view</button><i class="brand">Orchard</i></li>'
        for k, name in enumerate(orchard.FRUIT, 1)
    )
    region = first(orchard.page(f'<ul class="results">{items}</ul>'))
    assert region.constants == {"care_sheet": "Care sheet", "quick_view": "Quick view"}
    assert set(region.columns).isdisjoint(region.constants)
    assert str(region.records[0].fields["care_sheet_url"]).endswith("/pdf/1")
    assert region.records[0].fields["brand"] == "Orchard"
    assert "Quick view" in region.records[0].text


def test_types_stand_beside_the_text() -> None:
    shop = first(orchard.SHOP)
    node = shop.records[0].places["price"][0]
    assert shop.records[0].fields["price"] == "$3.50"
    assert shop.values(0)["price"] == [Value("$3.50", "money", 3.5, "$", node=node)]
    assert first(orchard.SEARCH).values(1)["date"][0].value == date(2021, 5, 2)
    kinds = {column.name: column.kind for column in shop.data.columns}
    assert kinds == {"title": "text", "price": "money", "url": "link", "image": "image"}


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("4.5 / 5", 4.5, "/5"),
        ("8 out of 10", 8, "/10"),
        ("3 stars", 3, "stars"),
        ("★★★☆☆", 3, "/5"),
        ("★★★★★", None, ""),
        ("4/5 of the fruit", None, ""),
    ],
)
def test_ratings_are_read(text: str, value: float | None, unit: str) -> None:
    region = Region((Record((1,), "", None, None, {"rating": text}),), ("rating",), None, None, 1.0, rendered=False)
    [read] = region.values(0)["rating"]
    assert (read.value, read.unit, read.text) == (value, unit, text)


@pytest.mark.browser
def test_the_place_on_screen_tells_fields_apart() -> None:
    style = "<style>li {display: grid; grid-template-columns: 200px 90px 90px 90px}</style>"
    items = [
        f'<li><a href="/{n}">The {n}</a>'
        + "".join(
            f'<span style="grid-column: {place}">{k}{place}</span>' for place in (2, 3, 4) if (k + place) % 4 or k == 3
        )
        for k, n in enumerate(orchard.FRUIT, 1)
    ]
    region = windrow.parse(style + orchard.page(f"<ul>{''.join(items)}</ul>"), render=True).regions()[0]
    for number, name in enumerate(("number", "number_2", "number_3"), 2):
        assert all(str(cell).endswith(str(number)) for row in region.to_dicts() if (cell := row[name]))


def test_a_region_says_what_it_is_in_a_line() -> None:
    told = "<Region of 9 records (title, price, url, image; structure only; "
    assert repr(first(orchard.SHOP)).startswith(told)


@pytest.mark.parametrize(
    ("item", "names"),
    [
        ('<span itemprop="sku">A{k}</span><i itemprop="maker">Oak {k}</i>', ["sku", "maker"]),
        ('<span class="item__price">{k} pieces of it</span><i class="postAuthor">Ann</i>', ["price", "author"]),
        ("<p>Weight: {k} kg of it</p><p>Made in: Kent {k}</p>", ["weight", "made_in"]),
        ("<p><span>Colour:</span> <em>red {k}</em></p><div>{k} USD</div>", ["colour", "price"]),
        ("<h4>Tree {k}</h4><time>soon {k}</time><div>{k}.5 / 5</div>", ["title", "date", "rating"]),
    ],
)
def test_columns_are_named_as_the_page_names_them(item: str, names: list[str]) -> None:
    filler = "<u>Words of no name at all, {k}.</u>"
    items = "".join("<li>" + (item + filler).replace("{k}", str(k)) + "</li>" for k in range(2, 8))
    columns = first(f"<main><ul>{items}</ul></main>").columns
    assert [name for name in names if name not in columns] == []


def test_table_headers_name_columns() -> None:
    assert first(orchard.FORUM).columns == ["thread", "replies", "last_post", "url"]


def test_counters_beside_each_other_are_two_words() -> None:
    items = "".join(f"<li><a href='/{k}'>Tree {k}</a><span>{k}</span><span>{k}K</span></li>" for k in range(11, 17))
    assert first(f"<ul>{items}</ul>").records[0].text.split() == ["Tree", "11", "11", "11K"]


def test_every_form_says_the_same() -> None:
    words = ("sweet", "sour", "early", "late", "red", "green", "hardy", "small")
    region = first(orchard.search([orchard.result(n, tags=words[: k % 8]) for k, n in enumerate(orchard.FRUIT, 1)]))
    assert region.to_dicts()[0]["title"] == "All about the Apple"
    assert region.to_csv().splitlines()[0] == ",".join(region.columns)
    told = json.loads(region.to_json())
    assert told["records"][2]["fields"]["tag"] == ["sweet", "sour", "early"]
    assert told["rendered"] is False


def test_data_frames_arrow_and_workbooks() -> None:
    region = first(orchard.SEARCH)
    pandas, arrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    openpyxl = pytest.importorskip("openpyxl")
    assert isinstance(region.to_pandas(), pandas.DataFrame)
    assert list(region.to_pandas().columns) == region.columns
    assert isinstance(region.to_arrow(), arrow.Table)
    assert region.to_arrow().num_rows == 9
    assert openpyxl is not None
    assert region.to_xlsx()[:2] == b"PK"


def test_the_column_tells_how_prices_are_read() -> None:
    prices = ["1.234 €", "12,50 €", "2.499 €"] * 3
    items = [
        f'<li><a href="/{n}">The {n}</a><b class="price">{price}</b></li>'
        for n, price in zip(orchard.FRUIT, prices, strict=True)
    ]
    region = first(orchard.page(f"<ul>{''.join(items)}</ul>"))
    assert [region.values(n)["price"][0].value for n in range(9)] == [1234, 12.5, 2499] * 3


def test_headings_over_several_columns_name_what_stands_below() -> None:
    rows = "".join(
        f'<tr><td>{k}<td><a href="/{n}">{n}</a><td>{k} May 2021<td>{k * 7}' for k, n in enumerate(orchard.FRUIT, 1)
    )
    region = first(orchard.page(f"<table><tr><th colspan=2>Fruit<th>Picked<th>Weight{rows}</table>"))
    cells = region.records[0].fields
    assert (cells["picked"], cells["weight"]) == ("1 May 2021", "7")


def test_headings_of_two_rows_stand_over_their_own_columns() -> None:
    rows = "".join(
        f"<tr><td>{name}<td>{k},40<td>{'' if k == 2 else f'{k},10'}<td>{k * 110} kg"
        for k, name in enumerate(orchard.FRUIT, 1)
    )
    head = "<tr><th rowspan=2>Fruit<th colspan=2>Price<th rowspan=2>Amount<tr><th>This week<th>Last week"
    region = first(orchard.page(f"<table><thead>{head}<tbody>{rows}</table>"))
    assert region.columns == ["fruit", "this_week", "last_week", "amount"]
    assert region.rows[1][1:] == ["2,40", "", "220 kg"]


def test_cells_that_reach_down_move_no_heading() -> None:
    rows = "".join(
        f'<tr>{"<td rowspan=3>Monday" if k % 3 == 1 else ""}<td><a href="/{k}">{name}</a><td>{k * 7} kg<td>{k} May 2021'
        for k, name in enumerate(orchard.FRUIT[:6], 1)
    )
    region = first(orchard.page(f"<table><tr><th>Day<th>Fruit<th>Amount<th>Picked{rows}</table>"))
    assert [record.fields["amount"] for record in region.records] == [f"{k * 7} kg" for k in range(1, 7)]
    assert [record.fields["picked"] for record in region.records] == [f"{k} May 2021" for k in range(1, 7)]


def test_numbers_in_brackets_throughout_a_column_are_no_less_than_zero() -> None:
    items = "".join(
        f"<li><a href='/{k}'>{name}</a> <span>{k}.5</span> <span class=reviews>({k * 12})</span>"
        for k, name in enumerate(orchard.FRUIT, 1)
    )
    [value] = first(orchard.page(f"<ul>{items}</ul>")).values(1)["reviews"]
    assert (value.value, value.text) == (24, "(24)")


@pytest.mark.parametrize(
    "old", ["<del class=old-price>£{}</del>", "<s>£{}</s>", "<span class='price price--was'>£{}</span>"]
)
def test_a_former_price_is_not_called_the_price(old: str) -> None:
    items = "".join(
        f"<li><a href='/{k}'>{name}</a> <p>{old.format(k + 5) if k % 2 else ''} <span class=price>£{k}</span></p>"
        for k, name in enumerate(orchard.FRUIT, 1)
    )
    fields = [record.fields for record in first(orchard.page(f"<ul>{items}</ul>")).records]
    assert (fields[0]["old_price"], fields[0]["price"]) == ("£6", "£1")
    assert ("old_price" in fields[1], fields[1]["price"]) == (False, "£2")


def test_repeated_fields_have_their_values_in_json() -> None:
    records = [Record((n,), "", None, None, {"sizes": ["1,5 kg", f"{n} kg"]}) for n in range(1, 4)]
    records += [Record((4,), "", None, None, {"sizes": ["2 kg", "red"]})]
    typed = Region(tuple(records), ("sizes",), None, None, 1.0, rendered=False).to_dict()["typed"]
    assert typed[0] == {"sizes": [1.5, 1]}
    assert typed[3] == {"sizes": [2, None]}


def test_plain_paragraphs_are_no_region() -> None:
    prose = "".join(f"<p>The {n} grows well where it is warm, and in no other place.</p>" for n in orchard.FRUIT)
    assert windrow.parse(f"<body><main>{prose}</main></body>").regions() == []
    assert windrow.parse(f"<body><main class=results>{prose}</main></body>").regions() != []


def test_records_of_many_fields_have_a_column_each() -> None:
    fields = "".join(f"<p>Word {k}</p>" for k in range(1000))
    region = first(f"<main>{f'<article><h2>Tree</h2>{fields}</article>' * 3}</main>")
    assert (len(region.columns), region.columns[-1]) == (1001, "text_1000")


@pytest.mark.timeout(30)
def test_cells_that_reach_over_thousands_of_rows_and_columns_cost_no_more_than_others() -> None:
    rows = "".join(f"<tr><td>Pear {n}<td>{n} kg" for n in range(8000))
    head = "<td colspan=1000 rowspan=0>a" * 1000
    (region,) = windrow.parse(f"<table><tr>{head}{rows}</table>").regions()
    assert len(region.records) >= 8000
