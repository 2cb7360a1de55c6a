from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from command import ORCHARD, objects, run

if TYPE_CHECKING:
    from pathlib import Path

ITEM = "<li><h3><a href='/tree/{0}'>Tree {0}</a></h3></li>"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_text("<ul class=results>" + "".join(ITEM.format(number) for number in range(5)) + "</ul>")
    return file


def test_the_best_region_is_shown_with_its_size(page: Path) -> None:
    result = run("read", page, "--no-render", "--only", "regions", "--url", "https://orchard.example/")
    assert "5 records, 2 columns, from structure alone" in result.stdout
    assert "https://orchard.example/tree/3" in result.stdout
    assert "left out" not in result.stdout


def test_one_is_not_several_and_lost_links_are_said(page: Path) -> None:
    result = run("read", page, "--no-render", "--only", "regions")
    assert "5 records, 1 column, from structure alone; 5 relative links left out, as --url" in result.stdout


def test_columns_that_do_not_fit_are_counted(tmp_path: Path) -> None:
    cells = "".join(f"<span class=c{letter}>{letter} {{0}}</span> " for letter in "abcdefgh")
    items = "".join(f"<li><a href='https://o.example/{n}'>Tree {n}</a> {cells.format(n)}</li>" for n in range(5))
    file = tmp_path / "page.html"
    file.write_text(f"<ul class=results>{items}</ul>")
    result = run("read", file, "--no-render", "--only", "regions")
    assert "5 records, the first 6 of 10 columns (-o FILE.csv has all)" in " ".join(result.stdout.split())


def test_json_has_all_regions(page: Path) -> None:
    (value,) = objects(run("read", page, "--no-render", "--only", "regions", "--json", "--url", "https://o.example/"))
    assert value["regions"][0]["records"][1]["url"] == "https://o.example/tree/1"


@pytest.mark.browser
def test_the_picture_has_regions_and_records(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    assert run("read", ORCHARD, "--only", "regions", "--picture", out).exit_code == 0
    assert out.read_bytes().startswith(b"\x89PNG")


def test_records_that_are_left_out_of_a_very_long_list_are_told(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("<ul class=results>" + "".join(ITEM.format(number) for number in range(500)) + "</ul>")
    for more in (["--only", "regions"], ["--json"], ["-o", tmp_path / "rows.csv", "--only", "regions"]):
        result = run("read", file, "--no-render", "--max-nodes", "2100", *more)
        assert result.exit_code == 5
        assert "A list has 290 more records than the 210 that were read. Raise the limit" in result.stderr
