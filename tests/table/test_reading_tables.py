from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import windrow
from windrow.table.grid import MOST_PLACES
from windrow.table.preformatted import find_text_grids

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
    assert windrow.parse(SMALL).tables()[0].xpath == "/html/body/table"


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
