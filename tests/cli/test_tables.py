from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest
from command import ORCHARD, objects, run

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "<h2>Fees</h2><table><tr><th>Event<th>Fee<tr><td>Run<td>7<tr><td>Swim<td>9</table>"
OTHER = "<h2>Days</h2><table><tr><th>Day<th>Hours<tr><td>Monday<td>8<tr><td>Friday<td>5<tr><td>Sunday<td>0</table>"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_text(PAGE + OTHER)
    return file


def test_tables_are_shown(page: Path) -> None:
    result = run("read", page, "--no-render", "--only", "tables")
    assert result.exit_code == 0
    assert "Fees" in result.stdout
    assert "Swim" in result.stdout


def test_json_has_the_tables(page: Path) -> None:
    (value,) = objects(run("read", page, "--no-render", "--only", "tables", "--json"))
    assert [table["name"] for table in value["tables"]] == ["Days", "Fees"]


def test_a_keyword_picks(page: Path) -> None:
    (value,) = objects(run("read", page, "--no-render", "--keyword", "swim", "--json"))
    assert [table["name"] for table in value["tables"]] == ["Fees"]
    assert "text" not in value


def test_a_keyword_that_no_table_holds_is_said(page: Path) -> None:
    assert run("read", page, "--no-render", "--keyword", "zzz").stdout == "no table holds 'zzz'\n"


def test_a_keyword_without_tables_is_refused(page: Path) -> None:
    result = run("read", page, "--no-render", "--only", "title", "--keyword", "swim")
    assert result.exit_code == 2


def test_csv_has_the_best_table(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert run("read", page, "--no-render", "--keyword", "swim", "-o", out).exit_code == 0
    with out.open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [["Event", "Fee"], ["Run", "7"], ["Swim", "9"]]


def test_xlsx_has_a_sheet_each(page: Path, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    out = tmp_path / "out.xlsx"
    assert run("read", page, "--no-render", "--only", "tables", "-o", out).exit_code == 0
    assert openpyxl.load_workbook(out).sheetnames == ["Days", "Fees"]


def test_no_table_leaves_no_file(tmp_path: Path) -> None:
    file, out = tmp_path / "page.html", tmp_path / "out.csv"
    file.write_text("<p>Only words.")
    assert run("read", file, "--no-render", "-o", out).exit_code == 3
    assert not out.exists()


@pytest.mark.browser
def test_the_picture_has_the_grid(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    assert run("read", page, "--only", "tables", "--picture", out).exit_code == 0
    assert out.read_bytes().startswith(b"\x89PNG")


def test_a_sheet_holds_what_was_asked_for(tmp_path: Path) -> None:
    result = run("read", ORCHARD, "--no-render", "--only", "regions", "-o", tmp_path / "trees.csv")
    assert result.exit_code == 0
    assert "Widow Tansley,5 September" in (tmp_path / "trees.csv").read_text(encoding="utf-8")
    result = run("read", ORCHARD, "--no-render", "--only", "title", "-o", tmp_path / "title.csv")
    assert result.exit_code == 2
    assert "Add one of them" in result.stderr
