"""What all results have in common: plain forms that read back, pickles, and the same values in every export."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow import UsageError
from windrow.readers.names import NAMES
from windrow.result import Column, Result, Source, read_data
from windrow.result.export import to_arrow, to_dicts
from windrow.wrapper import Gathered, PageReading

if TYPE_CHECKING:
    from pathlib import Path

GERMAN = """<html lang="de"><title>Obst</title><h1>Obst</h1><table><tr><th>Sorte<th>Menge (kg)<th>Preis
<tr><td>Apfel<td>1.234<td>99,90 €<tr><td>Birne<td>2.500<td>12,50 €<tr><td>Quitte<td>830<td>7,00 €
<tr><td>Pflaume<td>1.010<td>–<tr><td>Kirsche<td>615<td>auf Anfrage<tr><td>Mispel<td>77<td>8,00 €
<tr><td>Schlehe<td>42<td>9,10 €</table>"""
RANKED = "<title>The 5 best pears</title><h1>The 5 best pears</h1>" + "".join(
    f"<h2>{rank}. Pear {name}</h2><p>It tastes of {name} and keeps until March, as everybody says.</p>"
    for rank, name in enumerate(("amber", "birch", "cedar", "dill", "elder"), 1)
)
PARTS = ("title", "text", "regions", "tables", "structure")


def results() -> list[Result]:
    page = windrow.parse(GERMAN, url="https://orchard.example/")
    found = [result for name in PARTS for result in windrow.READERS[name].results(page.read(name))]
    found += windrow.READERS["toplist"].results(windrow.parse(RANKED).read("toplist"))
    extraction = windrow.learn(page, {"fruit": "Birne", "price": "12,50 €"}).extract(page)
    gathered = Gathered((PageReading("obst.html", page.url, "2026-11-03T09:30:00+00:00", extraction),))
    return [*found, extraction, gathered]


RESULTS = results()


def test_the_command_line_knows_every_reader() -> None:
    assert tuple(windrow.READERS) == NAMES


def test_there_is_one_of_every_kind() -> None:
    assert {result.to_dict()["windrow"] for result in RESULTS} == {
        *("title", "text", "region", "table", "outline", "toplist", "extraction", "gathered")
    }


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.kind)
def test_results_say_how_sure_they_are(result: Result) -> None:
    shares = [result.confidence] if isinstance(result.confidence, float) else list(result.confidence.values())
    assert shares
    assert all(0 <= share <= 1 for share in shares)


def test_what_a_page_remembers_has_no_list_that_a_caller_could_change() -> None:
    page = windrow.parse(GERMAN)
    for name in windrow.READERS:
        for result in windrow.READERS[name].results(page.read(name)):
            assert not [field for field in type(result).__annotations__ if isinstance(getattr(result, field), list)]


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.kind)
def test_results_can_be_pickled(result: Result) -> None:
    assert result.to_csv()  # what is worked out when asked for may go along
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301 - our own


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.kind)
def test_plain_forms_read_back(result: Result) -> None:
    plain = json.loads(result.to_json())
    again = windrow.from_dict(plain)
    assert type(again) is type(result)
    assert again == result
    assert again.to_dict() == result.to_dict()


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.kind)
def test_exports_have_the_same_columns(result: Result, tmp_path: Path) -> None:
    polars, parquet = pytest.importorskip("polars"), pytest.importorskip("pyarrow.parquet")
    names = list(result.data.names)
    assert list(result.to_pandas().columns) == result.to_arrow().column_names == names == result.columns
    assert polars.DataFrame(result).columns == names
    result.to_parquet(tmp_path / "rows.parquet", typed=True)
    assert parquet.read_table(tmp_path / "rows.parquet").num_rows == len(result.data.rows)
    assert all(list(row) == names for row in result.to_dicts())
    assert result.to_csv().count("\r\n") >= len(result.data.rows)
    assert result.to_xlsx().startswith(b"PK")
    assert result._repr_html_().startswith("<table>")


def test_a_german_table_says_the_same_everywhere() -> None:
    page = windrow.parse(GERMAN)
    table = page.tables()[0]
    amounts = [1234, 2500, 830, 1010, 615, 77, 42]
    plain = table.to_dict()
    assert [cell["value"] for cell in plain["cells"] if cell["column"] == 1 and "value" in cell] == amounts
    assert [row["Menge (kg)"] for row in plain["typed"]] == amounts
    assert table.to_pandas(typed=True)["Menge (kg)"].tolist() == amounts
    assert table.to_arrow(typed=True)["Menge (kg)"].to_pylist() == amounts
    assert [row["Menge (kg)"] for row in table.to_dicts(typed=True)] == amounts
    region = page.regions()[0]
    name = next(name for name, value in region.records[0].fields.items() if value == "1.234")
    assert region.to_arrow(typed=True)[name].to_pylist() == amounts
    assert (table.data.columns[1].unit, table.data.columns[2].unit) == ("kg", "€")
    assert region.table == table.xpath


def test_what_does_not_fit_stays_beside_the_typed_column() -> None:
    table = windrow.parse(GERMAN).tables()[0]
    typed = table.to_arrow(typed=True)
    prices = [99.9, 12.5, 7.0, None, None, 8.0, 9.1]
    assert typed["Preis"].to_pylist() == prices
    assert typed["Preis (text)"].to_pylist()[3:5] == ["–", "auf Anfrage"]
    assert table.to_dicts(typed=True)[4]["Preis"] == "auf Anfrage"
    assert table.to_dicts(typed=True)[3]["Preis"] is None


def test_integers_stay_integers_where_some_are_missing() -> None:
    rows = "".join(
        f"<tr><td>{name}<td>{count}" for name, count in zip("abcdef", (9007199254740993, 2, 3, 4, 5, "–"), strict=True)
    )
    frame = windrow.parse(f"<table><tr><th>Name<th>Count{rows}</table>").tables()[0].to_pandas(typed=True)
    assert frame["Count"].tolist()[0] == 9007199254740993
    assert frame["Count"].isna().tolist() == [False] * 5 + [True]


def test_moments_keep_their_time_in_every_export() -> None:
    rows = "<tr><td>a<td>2024-04-03 12:30<tr><td>b<td>2024-04-03 18:45"
    table = windrow.parse(f"<table><tr><th>Event<th>When{rows}</table>").tables()[0]
    assert [when.isoformat() for when in table.to_arrow(typed=True)["When"].to_pylist()] == [
        "2024-04-03T12:30:00",
        "2024-04-03T18:45:00",
    ]
    assert table.to_dict()["typed"][1] == {"When": "2024-04-03T18:45:00"}


def test_a_plain_form_of_something_else_is_a_sentence() -> None:
    with pytest.raises(UsageError, match="should be one of"):
        windrow.from_dict({"name": "table"})
    with pytest.raises(UsageError, match="should be one of"):
        windrow.from_dict(None)
    with pytest.raises(UsageError, match="not as Windrow wrote it"):
        windrow.from_dict({"windrow": "table", "cells": 3})
    with pytest.raises(UsageError, match="This is a table"):
        windrow.Region.from_dict(windrow.parse(GERMAN).tables()[0].to_dict())


CELLS = st.lists(st.lists(st.text(max_size=8), max_size=3), min_size=1, max_size=5)


@given(CELLS)
def test_texts_pass_through_every_export(cells: list[list[str]]) -> None:
    data = read_data([Column("c")], [[[Source(text) for text in cell]] for cell in cells])
    texts = [None if not cell else cell[0] if len(cell) == 1 else cell for cell in cells]
    assert [row["c"] for row in to_dicts(data, typed=False)] == texts
    several = any(len(cell) > 1 for cell in cells)
    if all(text.isprintable() for cell in cells for text in cell):
        assert to_arrow(data, typed=False)["c"].to_pylist() == (cells if several else texts)


def test_page_reads_once_and_refuses_other_names() -> None:
    page = windrow.parse(GERMAN)
    assert page.read("tables")[0] is page.tables()[0]
    assert page.read("tables", keyword="Apfel")[0] is page.tables("Apfel")[0]
    with pytest.raises(UsageError, match="There is no reader 'table'"):
        page.read("table")


@pytest.mark.parametrize("name", ["title", "tables", "regions", "structure"])
def test_a_fresh_process_reads_results_back(name: str) -> None:
    page = windrow.parse("<title>Pears</title><table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4</table><ul><li>x<li>y")
    found = page.read(name)
    for result in found if isinstance(found, list) else [found]:
        code = "import json, sys, windrow; print(windrow.from_dict(json.load(sys.stdin)).kind)"
        run = subprocess.run([sys.executable, "-c", code], input=result.to_json(), capture_output=True, text=True)  # noqa: S603, PLW1510 - ours
        assert (run.stdout.strip(), run.stderr) == (result.kind, "")
