"""Lists that are tables: a label is read from its column, by the header over it or by the grid, and from no other."""

from __future__ import annotations

import pytest

import windrow

TREES = [
    {"tree": "Oak", "age": "1", "girth": "2", "height": "3"},
    {"tree": "Elm", "age": "4", "girth": "5", "height": "6"},
]
TOOLS = [
    {"name": "Rake", "price": "£12.50", "state": "in stock"},
    {"name": "Fork", "price": "£9.00", "state": "sold out"},
]


def table(header: str, *rows: str) -> windrow.Page:
    """Return a page with a table; cells are parted by bars."""
    body = "".join("<tr>" + "".join(f"<td>{text}" for text in row.split("|")) for row in rows)
    head = "<tr>" + "".join(f"<th>{text}" for text in header.split("|")) if header else ""
    return windrow.parse(f"<body><table>{head}{body}</table></body>", url="https://trees.example/")


def tools(header: str, *rows: str) -> windrow.Extraction:
    """Return what is read from a table by a wrapper of another one, whose headers are Name, Price and State."""
    learned = table("Name|Price|State", "Rake|£12.50|in stock", "Fork|£9.00|sold out", "Hoe|£7.00|in stock")
    wrapper = windrow.Wrapper.from_json(windrow.learn(learned, TOOLS).to_json())
    return wrapper.extract(table(header, *rows))


@pytest.mark.parametrize("header", ["Tree|Age|Girth|Height", ""])
@pytest.mark.parametrize("empty", ["", "&nbsp;", "<span></span>", "<img src=x.png>"])
@pytest.mark.parametrize("pasted", [1, 2])
def test_an_empty_cell_keeps_its_column(header: str, empty: str, pasted: int) -> None:
    page = table(header, "Oak|1|2|3", "Elm|4|5|6", f"Fir|{empty}|8|9", f"Yew|10|11|{empty}", f"Ash|12|{empty}|13")
    found = windrow.learn(page, TREES[:pasted]).extract(page)
    assert found.rows[2:] == [
        {"tree": ["Fir"], "girth": ["8"], "height": ["9"]},
        {"tree": ["Yew"], "age": ["10"], "girth": ["11"]},
        {"tree": ["Ash"], "age": ["12"], "height": ["13"]},
    ]
    assert not found.doubtful


def test_a_cell_that_reaches_down_is_in_the_rows_below() -> None:
    page = windrow.parse(
        "<table><tr><th>Day<th>Film<th>Time<tr><td rowspan=2>Mon<td>Owl<td>10:00<tr><td>Bat<td>12:00"
        "<tr><td>Tue<td>Hay<td>11:00</table>"
    )
    pasted = [{"day": "Mon", "film": "Owl", "time": "10:00"}, {"day": "Tue", "film": "Hay", "time": "11:00"}]
    found = windrow.learn(page, pasted).extract(page)
    assert found.rows[1] == {"day": ["Mon"], "film": ["Bat"], "time": ["12:00"]}
    assert len(found.rows) == 3


def test_columns_that_changed_places_are_told_by_their_headers() -> None:
    found = tools("Name|State|Price ▲", "Axe|in stock|£3.00", "Saw|sold out|£4.00")
    assert found.rows == [
        {"name": ["Axe"], "price": ["£3.00"], "state": ["in stock"]},
        {"name": ["Saw"], "price": ["£4.00"], "state": ["sold out"]},
    ]


def test_a_new_column_is_not_taken_for_the_one_that_stood_there() -> None:
    found = tools("Name|Was|Price|State", "Axe|£6.00|£3.00|in stock", "Saw|£9.00||sold out")
    assert found.values["price"] == ["£3.00"]
    assert found.values["state"] == ["in stock", "sold out"]


def test_a_column_with_another_header_is_doubtful() -> None:
    found = tools("Name|Deposit|State", "Axe|£3.00|in stock", "Saw|£4.00|sold out")
    assert found.values == {"name": ["Axe", "Saw"], "price": [], "state": ["in stock", "sold out"]}
    assert found.doubtful == {"price": ["£3.00", "£4.00"]}


def test_a_header_that_comes_twice_says_nothing() -> None:
    assert tools("Name|Price|State|Price", "Axe|£3.00|in stock|£2.00").missing == ["price"]


def test_a_table_without_headers_is_read_by_the_numbers_of_its_columns() -> None:
    assert tools("", "Axe|£3.00|in stock", "Saw||sold out").values["price"] == ["£3.00"]


def test_a_row_across_all_columns_is_no_record() -> None:
    learned = table("Name|Price|State", "Rake|£12.50|in stock", "Fork|£9.00|sold out", "Hoe|£7.00|in stock")
    html = "<table><tr><th>Name<th>Price<th>State{}<tr><td>Axe<td>£3.00<td>in stock</table>"
    found = windrow.learn(learned, TOOLS).extract(windrow.parse(html.format("<tr><td colspan=3>Sharp tools")))
    assert found.values["name"] == ["Axe"]


def test_names_say_more_than_the_number_of_a_column() -> None:
    row = "<tr><td class=name>{}<td class=price>{}<td class=state>{}"
    page = windrow.parse("<table>" + "".join(row.format(*tool.values()) for tool in TOOLS) + "</table>")
    other = windrow.parse("<table><tr><td class=name>Axe<td class=state>in stock<td class=price>£3.00</table>")
    assert windrow.learn(page, TOOLS).extract(other).rows == [
        {"name": ["Axe"], "price": ["£3.00"], "state": ["in stock"]}
    ]


def marked(*rows: str) -> windrow.Page:
    """Return a page with a table whose rows are headers where they begin with a bang."""
    cells = [("<th>" if row[0] == "!" else "<td>", row.lstrip("!").split("|")) for row in rows]
    body = "".join("<tr>" + "".join(f"{tag}{text}" for text in texts) for tag, texts in cells)
    return windrow.parse(f"<body><table>{body}</table></body>", url="https://trees.example/")


@pytest.mark.parametrize("sums", ["!Subtotal|£21.50|2 tools", "!Subtotal||£21.50", "!Hoe|£7.00|in stock"])
@pytest.mark.parametrize("head", ["!Name|Price|State", "!Name||State"])
def test_what_is_below_a_row_of_sums_keeps_its_headers(head: str, sums: str) -> None:
    page = marked(head, "Rake|£12.50|in stock", "Fork|£9.00|sold out", sums, "Axe|£3.00|in stock", "Saw|£4.00|sold out")
    found = windrow.learn(page, TOOLS).extract(page)
    assert found.values == {
        "name": ["Rake", "Fork", "Axe", "Saw"],
        "price": ["£12.50", "£9.00", "£3.00", "£4.00"],
        "state": ["in stock", "sold out", "in stock", "sold out"],
    }
    assert not found.doubtful


@pytest.mark.parametrize(
    ("again", "wanted"),
    [
        ("!Name|State|Price", ["£12.50", "£3.00"]),
        ("!Name|2 for|Price", ["£12.50", "£3.00"]),
        ("!Tool|2024|2025", ["£12.50"]),
        ("!Tool|Deposit|Hire", ["£12.50"]),
    ],
)
def test_headers_further_down_hold_for_what_is_below_them(again: str, wanted: list[str]) -> None:
    page = marked("!Name|Price|State", "Rake|£12.50|in stock", again, "Axe|£2.00|£3.00")
    learned = table("Name|Price|State", "Rake|£12.50|in stock", "Fork|£9.00|sold out", "Hoe|£7.00|in stock")
    assert windrow.learn(learned, TOOLS).extract(page).values["price"] == wanted


def test_a_table_whose_headers_are_all_others_is_doubtful() -> None:
    found = tools("Ding|Preis|Lage", "Axe|£3.00|in stock", "Saw|£4.00|sold out")
    assert (found.kind, found.rows, found.links) == ("page", [], ())
    assert found.doubtful == {"name": ["Axe", "Saw"], "price": ["£3.00", "£4.00"], "state": ["in stock", "sold out"]}


def test_rows_in_doubt_leave_the_others_their_links() -> None:
    rows = [
        f"<a href=/{name.lower()}>{name}</a>|£{price}.00|in stock" for name, price in zip("ABCDE", "34567", strict=True)
    ]
    pasted = [{"name": "A", "price": "£3.00"}, {"name": "B", "price": "£4.00"}]
    wrapper = windrow.learn(table("Name|Price|State", *rows), pasted)
    found = wrapper.extract(
        marked("!Name|Price|State", rows[2], "!Ding|Preis|Lage", rows[3], "!Name|Price|State", rows[4])
    )
    assert found.rows == [{"name": ["C"], "price": ["£5.00"]}, {"name": ["E"], "price": ["£7.00"]}]
    assert found.links == ("https://trees.example/c", "https://trees.example/e")
    assert found.doubtful == {"name": ["D"], "price": ["£6.00"]}


def test_a_list_that_says_across_all_columns_that_it_has_no_records_is_empty() -> None:
    learned = table("Name|Price|State", "Rake|£12.50|in stock", "Fork|£9.00|sold out", "Hoe|£7.00|in stock")
    page = windrow.parse("<body><table><tr><th>Name<th>Price<th>State<tr><td colspan=3>No tools</table></body>")
    found = windrow.learn(learned, TOOLS).extract(page)
    assert (found.kind, found.doubtful) == ("empty", {})


def test_counts_in_headers_come_and_go() -> None:
    assert tools("Name (2)|State (2)|Price (2)", "Axe|in stock|£3.00").values["price"] == ["£3.00"]


@pytest.mark.parametrize("header", ["Name|Price (2023)|Price (2024)|State", "Name|Price 2|Deposit|State"])
def test_numbers_in_headers_that_tell_columns_apart_are_no_counts(header: str) -> None:
    found = tools(header, "Axe|£3.00|£2.00|in stock")
    assert (found.values["price"], found.doubtful) == ([], {"price": ["£3.00"]})
