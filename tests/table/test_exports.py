from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree as ET

import pytest

import windrow
from windrow import UsageError
from windrow.result import number_names, results_to_xlsx
from windrow.result.export import sheet_names
from windrow.table import Cell, Table

PAGE = """<h2>Fees</h2><table><tr><th>Event<th>Fee ($)<th>Date<tr><td>=SUM(A1)<td>12.50<td>2021-03-04
<tr><td rowspan=2>Run, "long" | wide<td>7<td>2021-03-05<tr><td>8.25<td>2021-03-06</table>"""


@pytest.fixture
def table() -> Table:
    return windrow.parse(PAGE).tables()[0]


def test_csv_is_faithful(table: Table) -> None:
    rows = list(csv.reader(io.StringIO(table.to_csv())))
    assert rows == table.rows
    assert rows[1][0] == "=SUM(A1)"


def test_dicts_use_the_names_of_the_columns(table: Table) -> None:
    assert table.to_dicts()[1] == {"Event": 'Run, "long" | wide', "Fee ($)": "7", "Date": "2021-03-05"}


def test_json_has_types_beside_the_text(table: Table) -> None:
    value = json.loads(table.to_json())
    fee = next(cell for cell in value["cells"] if cell["text"] == "12.50")
    assert (fee["type"], fee["value"]) == ("number", 12.5)
    assert [column.get("unit", "") for column in value["columns"]] == table.units == ["", "$", ""]
    assert "read from structure alone, without boxes" in value["reasons"]


def test_markdown_escapes_bars(table: Table) -> None:
    lines = table.to_markdown().splitlines()
    assert lines[0] == "| Event | Fee ($) | Date |"
    assert 'Run, "long" \\| wide' in lines[3]


def test_html_reads_back_as_the_same_table(table: Table) -> None:
    again = windrow.parse(table.to_html()).tables()[0]
    assert (again.rows, again.header_rows, again.caption) == (table.rows, table.header_rows, "Fees")


def test_xml_has_every_cell_once(table: Table) -> None:
    root = ET.fromstring(table.to_xml())  # noqa: S314 - our own
    assert [cell.text for cell in root.iter("cell")] == [cell.text for cell in table.cells]


def test_pandas_has_texts_or_types(table: Table) -> None:
    pytest.importorskip("pandas")
    assert table.to_pandas()["Fee ($)"].tolist() == ["12.50", "7", "8.25"]
    assert table.to_pandas(typed=True)["Fee ($)"].tolist() == [12.5, 7, 8.25]


def test_arrow_has_the_same_columns(table: Table) -> None:
    pytest.importorskip("pyarrow")
    assert table.to_arrow().column_names == table.columns


def test_sheets_hold_text_and_no_formula(table: Table) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(io.BytesIO(results_to_xlsx([table, table])))
    assert book.sheetnames == ["Fees", "Fees (2)"]
    cell = book["Fees"]["A2"]
    assert (cell.value, cell.data_type) == ("=SUM(A1)", "s")


def test_a_missing_library_is_a_sentence(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr("windrow.extras.import_module", missing)
    with pytest.raises(UsageError, match=r"pip install 'windrow\[pandas\]'"):
        table.to_pandas()


def test_holes_are_cells_in_html() -> None:
    cells = (Cell("a", 0, 0), Cell("c", 0, 2), Cell("d", 1, 1, 1, 2))
    rows = '<tr><td>a</td><td></td><td>c</td></tr>\n<tr><td></td><td colspan="2">d</td></tr>\n'
    assert Table(cells, 2, 3).to_html() == f"<table>\n{rows}</table>\n"


@pytest.mark.parametrize(
    ("name", "sheet"),
    [("History", "History (2)"), ("x" * 30 + "'tail", "x" * 30), ("a\ufffe\uffffb", "a  b"), ("' '", "Sheet")],
)
def test_sheets_have_names_that_they_may_have(name: str, sheet: str) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    written = results_to_xlsx([Table((Cell("a", 0, 0),), 1, 1, name=name)])
    assert openpyxl.load_workbook(io.BytesIO(written)).sheetnames == [sheet]


def test_sheets_of_one_name_are_numbered_within_the_length_of_a_name() -> None:
    named = sheet_names(
        ["Prices of all the young trees in spring"] * 2000 + ["PRICES OF ALL THE YOUNG TREES IN SPRING"]
    )
    assert max(map(len, named)) == 31
    assert len({name.casefold() for name in named}) == 2001
    assert named[1] == "Prices of all the young (2)"


def test_columns_of_one_name_are_numbered_in_one_pass() -> None:
    table = Table(tuple(Cell("x", 0, column) for column in range(50_000)), 1, 50_000, header_rows=1)
    assert table.columns[::49_999] == ["x", "x (50000)"]


def test_a_number_that_stands_in_a_heading_is_not_given_again() -> None:
    assert number_names(["x", "x (2)", "x", "x", "x (2)"]) == ["x", "x (2)", "x (3)", "x (4)", "x (2) (2)"]


def test_numbers_that_arrow_cannot_hold_stay_texts() -> None:
    pytest.importorskip("pyarrow")
    table = Table((Cell(str(2**70), 0, 0), Cell("3", 0, 1), Cell("1", 1, 0), Cell("4", 1, 1)), 2, 2)
    assert table.to_arrow(typed=True).to_pydict() == {"column 1": [str(2**70), "1"], "column 2": [3, 4]}
    assert table.data.rows[0][0][0].value == 2**70
