"""Rows of several pages in one file, in every form; which rows; next pages; runs that go on after an interrupt."""

from __future__ import annotations

import csv
import signal
import sqlite3
import time
from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from command import objects, run, serving, start

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

CARD = "<li><h3><a href='https://o.example/{0}'>{0} pear</a></h3><p class=price>£{1}</p></li>"
TABLE = "<h2>{0}</h2><table><tr><th>Sort<th>Picked<th>Weight (kg)<tr>{1}</table>"
DAYS = "<td>Pear<td>2026-03-04<td>1,250.5<tr><td>Quince<td>2026-03-05<td>–<tr><td>Medlar<td>2026-03-06<td>12"


def cards(*names: str, after: str = "") -> str:
    items = "".join(CARD.format(name, f"{number + 4}.50") for number, name in enumerate(names))
    return f"<title>Pears</title><ul class=results>{items}</ul>{after}"


@pytest.fixture
def pages(tmp_path: Path) -> list[Path]:
    found = []
    for number, names in enumerate((("Red", "Green", "Old", "New"), ("Blue", "Late", "Early", "Wild"))):
        found.append(tmp_path / f"{number}.html")
        found[-1].write_text(cards(*names), encoding="utf-8")
    return found


def rows(path: Path, between: str = ",") -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file, delimiter=between))


def sheet(path: Path, name: str | None = None) -> list[list[Any]]:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(path)
    return [[cell.value for cell in row] for row in (book[name] if name else book.active).iter_rows()]


def test_lists_of_several_pages_are_one_sheet(pages: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out.xlsx"
    assert run("read", *pages, "--no-render", "--only", "regions", "-o", out).exit_code == 0
    head, *found = sheet(out)
    assert head[0] == "source"
    assert [row[0] for row in found] == [str(pages[0])] * 4 + [str(pages[1])] * 4
    price = head.index("price")
    assert [row[price] for row in found[:2]] == [4.5, 5.5]
    assert head[price + 1] == "price (text)"
    assert found[0][price + 1] == "£4.50"


def test_one_page_needs_no_source(pages: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out.tsv"
    assert run("read", pages[0], "--no-render", "--only", "regions", "-o", out).exit_code == 0
    assert "source" not in rows(out, "\t")[0]
    assert "Red pear" in rows(out, "\t")[1]


def test_every_form_says_the_same(pages: list[Path], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for ending in (".parquet", ".db", ".sqlite", ".md", ".csv"):
        out = tmp_path / f"out{ending}"
        assert run("read", *pages, "--no-render", "--only", "regions", "-o", out).exit_code == 0
    table = parquet.read_table(tmp_path / "out.parquet").to_pydict()
    assert table["price"][:2] == [4.5, 5.5]
    assert len(set(table["source"])) == 2
    for name in ("out.db", "out.sqlite"):
        with closing(sqlite3.connect(tmp_path / name)) as store:
            (label,) = store.execute("SELECT name FROM sqlite_master").fetchone()
            assert store.execute(f'SELECT sum(price) FROM "{label}"').fetchone() == (2 * (4.5 + 5.5 + 6.5 + 7.5),)  # noqa: S608
    lines = (tmp_path / "out.md").read_text("utf-8").splitlines()
    assert lines[1].startswith("| --- |")
    assert len(lines) == 10


def test_sheets_have_real_numbers_and_dates_and_a_dash_is_missing(tmp_path: Path) -> None:
    page, out = tmp_path / "page.html", tmp_path / "out.xlsx"
    page.write_text(TABLE.format("Harvest", DAYS), encoding="utf-8")
    assert run("read", page, "--no-render", "-o", out).exit_code == 0
    head, first, second, _ = sheet(out, "Harvest")
    found = dict(zip(head, first, strict=True))
    assert found["Picked"] == datetime(2026, 3, 4)  # noqa: DTZ001 - sheets know no zones
    assert found["Weight (kg)"] == 1250.5
    assert found["Weight (kg) (text)"] == "1,250.5"
    assert dict(zip(head, second, strict=True))["Weight (kg)"] is None


def test_a_text_that_does_not_fit_stands_beside_its_column_and_is_told(tmp_path: Path) -> None:
    page, out = tmp_path / "page.html", tmp_path / "out.xlsx"
    cells = "".join(f"<tr><td>Sort {number}<td>{number}.5 kg" for number in range(9))
    page.write_text(f"<table><tr><th>Sort<th>Weight{cells}<tr><td>Medlar<td>ask Ada</table>", encoding="utf-8")
    result = run("read", page, "--no-render", "-o", out)
    assert "1 text of Weight is no number: Weight (text) has them." in result.stderr
    assert sheet(out)[-1] == ["Medlar", None, "ask Ada"]


def test_tables_of_several_pages_with_the_same_columns_are_one_sheet(tmp_path: Path) -> None:
    other = "<h2>Fees</h2><table><tr><th>Event<th>Fee<tr><td>Run<td>7<tr><td>Swim<td>9</table>"
    for number in range(2):
        (tmp_path / f"{number}.html").write_text(TABLE.format("Harvest", DAYS) + other * (1 - number), encoding="utf-8")
    out = tmp_path / "out.xlsx"
    assert run("read", tmp_path / "0.html", tmp_path / "1.html", "--no-render", "-o", out).exit_code == 0
    assert len(sheet(out, "Harvest")) == 7
    assert len(sheet(out, "Fees")) == 3


def test_numbers_pick_one_of_each_page(tmp_path: Path) -> None:
    page, out = tmp_path / "page.html", tmp_path / "out.csv"
    fees = "<h2>Fees</h2><table><tr><th>Event<th>Fee<tr><td>Run<td>7<tr><td>Swim<td>9</table>"
    page.write_text(TABLE.format("Harvest", DAYS) + fees, encoding="utf-8")
    (value,) = objects(run("read", page, "--no-render", "--table", "2", "--json"))
    assert [table["name"] for table in value["tables"]] == ["Fees"]
    assert run("read", page, "--no-render", "--table", "2", "-o", out).exit_code == 0
    assert rows(out)[0] == ["Event", "Fee"]
    assert run("read", page, "--no-render", "--all", "-o", out).exit_code == 0
    assert rows(out)[0][0] == "table"
    assert [row[0] for row in rows(out)[1:]] == ["1", "1", "1", "2", "2"]
    result = run("read", page, "--no-render", "--table", "3", "-o", out)
    assert (result.exit_code, "no table 3" in result.stderr) == (3, True)
    for as_json in ([], ["--json"]):
        result = run("read", page, "--no-render", "--table", "3", *as_json)
        assert (result.exit_code, "there is no table 3 on this page" in result.stderr) == (3, True)
        assert "no table" not in result.stdout
    assert run("read", page, "--no-render", "--only", "regions", "--table", "1").exit_code == 2
    assert run("read", page, "--no-render", "--only", "regions,tables", "-o", out).exit_code == 2
    assert run("read", page, "--all").exit_code == 2


def test_a_page_without_rows_is_told(pages: list[Path], tmp_path: Path) -> None:
    empty, out = tmp_path / "empty.html", tmp_path / "out.csv"
    empty.write_text("<p>Nothing here.", encoding="utf-8")
    result = run("read", *pages, empty, "--no-render", "--only", "regions", "-o", out)
    assert result.exit_code == 0
    assert f"{empty}: there is no list of records on this page." in result.stderr


def test_a_region_that_is_a_table_is_shown_once(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(TABLE.format("Harvest", DAYS), encoding="utf-8")
    shown = run("read", page, "--no-render", "--only", "regions,tables").stdout
    assert shown.count("Quince") == 1


def test_next_pages_are_stacked(tmp_path: Path) -> None:
    def answer(request: BaseHTTPRequestHandler) -> tuple[bytes, dict[str, str]]:
        number = int(request.path.removeprefix("/") or 1)
        following = f"<nav><a rel=next href=/{number + 1}>Next</a></nav>" if number < 4 else ""
        return cards(*(f"{word} {number}" for word in ("Red", "Old", "New", "Wild")), after=following).encode(), {}

    out = tmp_path / "out.csv"
    with serving(answer) as url:
        words = ("read", url, "--no-render", "--allow-private", "--only", "regions", "--follow-next")
        result = run(*words, "2", "-o", out)
        assert result.exit_code == 0
        assert [row[0] for row in rows(out)[1:]] == [url] * 4 + [f"{url}2"] * 4 + [f"{url}3"] * 4
        assert f"there is another page, {url}4. Raise --follow-next" in result.stderr
        assert run(*words, "9", "-o", out).stderr == ""
    assert len(rows(out)) == 17


def test_next_pages_of_a_saved_page_are_those_of_where_it_came_from(tmp_path: Path) -> None:
    page, out = tmp_path / "page.html", tmp_path / "out.csv"
    page.write_text(cards("Red", "Old", "New", "Wild", after="<nav><a rel=next href=/2>Next</a></nav>"), "utf-8")
    words = ("read", page, "--no-render", "--allow-private", "--only", "regions", "--follow-next", "2", "-o", out)
    assert "no next page can be followed; --url says" in run(*words).stderr
    with serving(lambda _: (cards("Late", "Blue", "Far", "Near").encode(), {})) as url:
        assert run(*words, "--url", url).exit_code == 0
    assert len(rows(out)) == 9


def test_a_run_goes_on_after_an_interrupt(tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(request: BaseHTTPRequestHandler) -> tuple[bytes, dict[str, str]]:
        asked.append(request.path)
        if request.path == "/slow" and len(asked) < 4:
            time.sleep(30)
        return cards("Red", "Old", "New", "Wild").encode(), {}

    out = tmp_path / "out.csv"
    with serving(answer) as url:
        words = ["read", f"{url}a", f"{url}b", f"{url}slow", "--no-render", "--allow-private", "--only", "regions"]
        words += ["--workers", "1", "-o", str(out)]
        with start(*words) as process:
            part = out.with_name("out.csv.part")
            while not part.exists() or part.read_bytes().count(b"\n") < 3 or "/slow" not in asked:
                assert process.poll() is None
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=20)
        assert process.returncode == 130
        assert b"--resume" in told
        assert run(*words, "--resume", "--table", "1").exit_code == 2
        result = run(*words, "--resume")
    assert result.exit_code == 0
    assert "2 pages of an earlier run need not be read again." in result.stderr
    assert asked == ["/a", "/b", "/slow", "/slow"]
    assert [row[0].rpartition("/")[2] for row in rows(out)[1:]] == ["a"] * 4 + ["b"] * 4 + ["slow"] * 4
    assert not part.exists()
