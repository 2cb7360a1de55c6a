from __future__ import annotations

import gc
import json
import pickle
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import windrow
from windrow.result import export
from windrow.table.grid import MOST_PLACES
from windrow.table.hidden import Shown
from windrow.table.markup import find_definition_grids, find_markup_grids
from windrow.table.preformatted import find_text_grids
from windrow.table.repetition import find_calling, find_repeated_grids, find_repeated_roots

SMALL = "<h2>A</h2><table><tr><th>x<th>y<tr><td>1<td>2</table>"
LARGE = (
    "<h2>B</h2><table><tr><th>p<th>q<th>r" + "".join(f"<tr><td>{n}<td>{n * n}<td>{n**3}" for n in range(9)) + "</table>"
)
SPANS = st.integers(0, 5)
CELLS = st.lists(st.lists(st.tuples(SPANS, SPANS, st.sampled_from(["", "a", "7"])), max_size=5), max_size=6)


def test_the_best_comes_first() -> None:
    assert [table.name for table in windrow.parse(SMALL + LARGE).tables()] == ["B", "A"]


def test_a_keyword_picks() -> None:
    assert [table.name for table in windrow.parse(SMALL + LARGE).tables("343")] == ["B"]
    assert windrow.parse(SMALL + LARGE).tables("nowhere") == []


def test_no_tables_is_an_empty_list() -> None:
    assert windrow.parse("").tables() == []
    assert windrow.parse("<p>Only words.").tables() == []


def test_the_same_page_gives_the_same_bytes() -> None:
    first, second = (windrow.parse(SMALL + LARGE).tables() for _ in range(2))
    assert [table.to_json() for table in first] == [table.to_json() for table in second]


def test_xpath_finds_the_table_again() -> None:
    page = windrow.parse(SMALL)
    (table,) = page.tables()
    assert table.xpath == page.xpath(table.node) == "/html/body/table"


def test_spans_can_not_be_made_to_fill_the_memory() -> None:
    row = "<tr>" + "<td colspan=1000 rowspan=65000>x" * 50
    assert windrow.parse("<table>" + row * 3000 + "</table>").tables() == []
    assert MOST_PLACES < 10**7


def test_deep_nesting_is_no_recursion() -> None:
    html = "<table><tr><td>a<td>b<tr><td>1<td>" * 400 + "<dl><dt>x<dd>y" * 400
    windrow.parse(html).tables()


@settings(deadline=None, max_examples=60)
@given(CELLS)
def test_no_two_cells_share_a_place(rows: list[list[tuple[int, int, str]]]) -> None:
    body = "".join(
        "<tr>" + "".join(f"<td rowspan={high} colspan={wide}>{text}" for high, wide, text in row) for row in rows
    )
    for table in windrow.parse(f"<table border=1>{body}</table>").tables():
        covered = sum(cell.row_span * cell.column_span for cell in table.cells)
        places = {
            (row, column)
            for cell in table.cells
            for row in range(cell.row, cell.row + cell.row_span)
            for column in range(cell.column, cell.column + cell.column_span)
        }
        assert len(places) == covered <= table.row_count * table.column_count
        assert all(len(row) == table.column_count for row in table.rows)


@given(st.text(alphabet=" |-+=\n\tab1", max_size=200))
def test_any_preformatted_text_is_read(text: str) -> None:
    for grid in find_text_grids(windrow.parse(f"<pre>\n{text}</pre>").nodes):
        assert all(len(row) == grid.column_count for row in grid.texts)


def test_every_text_stands_on_the_page() -> None:
    page = windrow.parse(SMALL + LARGE)
    words = "".join(page.text.split())
    for table in page.tables():
        assert all("".join(cell.text.split()) in words for cell in table.cells)


@pytest.mark.browser
def test_boxes_are_given() -> None:
    table = windrow.parse(LARGE, render=True).tables()[0]
    assert table.rendered
    assert table.box is not None
    assert all(cell.box is not None for cell in table.cells)
    assert json.loads(table.to_json())["box"] == list(table.box)


def rows_of(html: str) -> list[list[str]]:
    return windrow.parse(html).tables()[0].rows


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (
            " name | n | fee\n------+---+------\n a    | 1 | 1.10\n      | 7 | 2.20\n b    | 3 | 3.30\n",
            ["", "7", "2.20"],
        ),
        ("|name|n|fee|\n|----|-|---|\n|a|1|1.1|\n|||3.3|\n|b|2|2.2|\n", ["", "", "3.3"]),
    ],
)
def test_an_empty_cell_at_the_edge_of_drawn_lines_keeps_its_place(text: str, row: list[str]) -> None:
    assert rows_of(f"<pre>\n{text}</pre>")[2] == row


def test_two_drawn_tables_in_one_text_are_both_given() -> None:
    text = "|name|n|\n|----|-|\n|a|1|\n|b|2|\n|c|3|\n\n|town|km|\n|----|--|\n|Graz|10|\n|Linz|20|\n|Wels|30|\n"
    assert {table.columns[0] for table in windrow.parse(f"<pre>\n{text}</pre>").tables()} == {"name", "town"}


@pytest.mark.parametrize("span", [9, 2000])
def test_a_note_invents_no_columns(span: int) -> None:
    table = windrow.parse(LARGE.replace("</table>", f"<tr><td colspan={span}>Note: all by hand</table>")).tables()[0]
    assert (table.column_count, table.notes) == (3, ("Note: all by hand",))


def test_a_span_over_headings_keeps_its_columns() -> None:
    html = "<table><tr><th>Year<th colspan=2>Score<tr><td>1999<td>1<td>2<tr><td>2000<td>3<td>4</table>"
    assert rows_of(html)[0] == ["Year", "Score", "Score"]


def placed(*cells: tuple[str, str]) -> list[list[list[str]]]:
    children = "".join(f'<div style="{style}">{text}</div>' for style, text in cells)
    nodes = windrow.parse(f'<div style="grid-template-columns: 1fr 1fr 1fr">{children}</div>').nodes
    roots = find_repeated_roots(nodes, find_calling(nodes.elements))
    return [grid.texts for grid in find_repeated_grids(nodes, roots) if grid.kind == "grid"]


def test_a_grid_cell_up_to_the_last_line_covers_all_columns() -> None:
    cells = [("", text) for text in "abcdef"]
    assert placed(("grid-column: 1 / -1", "Title"), *cells) == [[["Title"] * 3, ["a", "b", "c"], ["d", "e", "f"]]]


@pytest.mark.parametrize("style", ["grid-column: 2", "grid-row: 2", "grid-row: 1 / -1; grid-column: 1"])
def test_a_grid_cell_with_half_a_place_makes_no_grid(style: str) -> None:
    assert placed((style, "x"), *(("", text) for text in "abcde")) == []


def test_longer_rows_keep_all_their_cells() -> None:
    lines = [["a", "b"]] * 5 + [["c", "d", "e"]]
    html = "".join(f"<div class=row>{''.join(f'<span>{text}</span>' for text in line)}</div>" for line in lines)
    nodes = windrow.parse(f"<div>{html}</div>").nodes
    roots = find_repeated_roots(nodes, find_calling(nodes.elements))
    assert [grid.texts[-1] for grid in find_repeated_grids(nodes, roots)] == [lines[-1]]


def test_terms_share_their_definition() -> None:
    html = "<dl><dt>Colour<dt>Color<dd>red<dt>Size<dd>3 cm<dt>Weight<dd>4 g</dl>"
    [grid] = find_definition_grids(windrow.parse(html).nodes)
    assert grid.texts == [["Colour", "red"], ["Color", "red"], ["Size", "3 cm"], ["Weight", "4 g"]]


def test_rows_after_a_group_are_a_group_of_their_own() -> None:
    def row(*cells: str) -> str:
        return f"<div role=row>{''.join(cells)}</div>"

    def cell(text: str, rows: int = 1) -> str:
        return f"<div role=cell aria-rowspan={rows}>{text}</div>"

    group = f"<div role=rowgroup>{row(cell('c', 0), cell('d'))}</div>"
    html = f"<div role=table>{row(cell('a'), cell('b'))}{group}{row(cell('e'), cell('f'))}</div>"
    [grid] = find_markup_grids(Shown(windrow.parse(html).nodes))
    assert grid.texts == [["a", "b"], ["c", "d"], ["e", "f"]]


def test_the_column_tells_how_a_cell_is_read() -> None:
    html = "<table><tr><th>City<th>Area<tr><td>A<td>1.234<tr><td>B<td>2,5<tr><td>C<td>3.456</table>"
    table = windrow.parse(html).tables()[0]
    assert [table.read(cell).value for cell in table.cells if cell.column and cell.row] == [1234, 2.5, 3456]
    assert [cell["value"] for cell in json.loads(table.to_json())["cells"] if "value" in cell] == [1234, 2.5, 3456]


@pytest.mark.parametrize(
    ("prices", "read"),
    [(("2,40", "1,95"), [1250, 830]), (("2.40", "1.95"), [1.25, 830]), (("2,40", "1.95"), [1.25, 830])],
)
def test_other_columns_tell_where_the_own_one_does_not(prices: tuple[str, str], read: list[float]) -> None:
    rows = "".join(f"<tr><td>{a}<td>{b}<td>{c}" for a, b, c in zip("AB", prices, ("1.250 kg", "830 kg"), strict=True))
    table = windrow.parse(f"<table><tr><th>Fruit<th>Price<th>Amount{rows}</table>").tables()[0]
    assert [table.read(cell).value for cell in table.cells if cell.column == 2 and cell.row] == read


def test_the_heading_of_a_list_item_names_no_table_behind_the_list() -> None:
    table = "<table><tr><th>Fruit<th>Price<tr><td>Apple<td>2 €<tr><td>Pear<td>3 €</table>"
    items = "<ul><li><h3>Apples</h3><p>Sour.</p><li><h3>Pears</h3><p>Sweet.</p></ul>"
    assert windrow.parse(f"<h2>Prices</h2>{items}{table}").tables()[0].name == "Prices"
    assert windrow.parse(f"<h2>Prices</h2><ul><li><h3>Apples</h3>{table}</ul>").tables()[0].name == "Apples"


def test_a_table_tells_itself_in_a_line() -> None:
    html = "<h2>Prices</h2><table><tr><th>Fruit<th>Price<tr><td>Apple<td>2 €<tr><td>Pear<td>3 €</table>"
    assert repr(windrow.parse(html).tables()[0]).startswith("<Table 'Prices' (3 × 2: Fruit, Price; ")


def test_headings_at_the_bottom_name_the_columns() -> None:
    rows = "".join(f"<tr><td>Tree {k}</td><td>{k}.5</td><td>Kent</td></tr>" for k in range(3, 7))
    table = windrow.parse(f"<table>{rows}<tr><th>Name</th><th>Height (m)</th><th>From</th></tr></table>").tables()[0]
    assert table.columns == ["Name", "Height (m)", "From"]
    assert table.data_rows == [0, 1, 2, 3]
    assert [column.kind for column in table.data.columns] == ["text", "number", "text"]


FRUIT = "<tr><th>Kind<th>Trees</tr><tr><td>Apple<td>12</tr><tr><td>Pear<td>8</tr>"


@pytest.mark.parametrize("pager", ["Page: 1 2 3", "« 1 2 3 … 12 Next »", "1 | 2"])
def test_the_numbers_of_its_pages_are_no_name_and_no_data(pager: str) -> None:
    row = f"<tr><td colspan=2>{pager}</tr>"
    [above] = windrow.parse(f"<h2>Fruit</h2><table>{row}{FRUIT}</table>").tables()
    assert (above.name, above.columns, above.header_rows) == ("Fruit", ["Kind", "Trees"], 2)
    [below] = windrow.parse(f"<h2>Fruit</h2><table>{FRUIT}{row}</table>").tables()
    assert below.to_dicts(typed=True) == [{"Kind": "Apple", "Trees": 12}, {"Kind": "Pear", "Trees": 8}]


@pytest.mark.parametrize("text", ["12 13 14", "1 000", "Plum, 2"])
def test_other_numbers_over_the_whole_width_are_data(text: str) -> None:
    [table] = windrow.parse(f"<table>{FRUIT}<tr><td colspan=2>{text}</tr></table>").tables()
    assert (table.footer_rows, len(table.data_rows)) == (0, 3)


def test_headings_again_in_capitals_are_no_data() -> None:
    [table] = windrow.parse(f"<table>{FRUIT}<tr><td>KIND<td>TREES</tr><tr><td>Plum<td>-</tr></table>").tables()
    assert table.repeated_headers == (3,)
    assert [row["Trees"] for row in table.to_dicts(typed=True)] == [12, 8, None]


def test_texts_are_given_without_being_read() -> None:
    [table] = windrow.parse(f"<table>{FRUIT}<tr><td rowspan=2>Plum<td>3</tr><tr></tr></table>").tables()
    wanted = export.to_dicts(table.data, typed=False)
    assert table.to_dicts() == wanted
    assert [[bool(cell) for cell in row] for row in table.unread.rows] == [
        [bool(cell) for cell in row] for row in table.data.rows
    ]


def test_the_cells_of_a_table_are_made_when_they_are_asked_for() -> None:
    html = "<table><tr><th>Pear<th>Weight<tr><td>Nashi<td>250<tr><td>Conference<td>180<tr><td>Bosc<td>200</table>"
    (table,) = windrow.parse(html).tables()
    assert "cells" not in vars(table)
    again = pickle.loads(pickle.dumps(table))  # noqa: S301 - what was pickled a moment ago
    assert again == table
    assert [cell.text for cell in table.cells[:2]] == ["Pear", "Weight"]
    assert next(iter(table.to_dict())) == next(iter(again.to_dict()))
    with pytest.raises(AttributeError):
        table.sells  # noqa: B018 - there is none


def test_addresses_are_made_when_cells_are_asked_for_and_without_the_page() -> None:
    rows = "".join(f"<tr><td><a href=pears/{number}>Pear {number}</a><td>{number}.50 €" for number in range(4))
    page = windrow.parse(f"<base href=/shop/><table>{rows}</table>", url="https://orchard.example/")
    [table], page_is_there = page.tables(), weakref.ref(page.nodes)
    del page
    gc.collect()
    assert page_is_there() is None
    assert table.cells[0].links == ("https://orchard.example/shop/pears/0",)
