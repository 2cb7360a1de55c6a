from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import shelf
from click.testing import CliRunner, Result

from windrow.cli import main

if TYPE_CHECKING:
    from pathlib import Path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def learned(tmp_path: Path) -> Path:
    page = tmp_path / "hay.html"
    page.write_text(shelf.old_page(shelf.HAY), "utf-8")
    wants = ["--want", "title=The Hay Year", "--want", "author=Ada Rake", "--want", "author=Ben Fork"]
    result = run("learn", page, *wants, "-o", tmp_path / "site.json", "--no-render", "--url", shelf.HOME)
    assert result.exit_code == 0, result.output
    return tmp_path / "site.json"


def save(folder: Path, html: str) -> Path:
    path = folder / "page.html"
    path.write_text(html, "utf-8")
    return path


def test_values_are_printed(learned: Path) -> None:
    page = save(learned.parent, shelf.old_page(shelf.BARN))
    result = run("extract", learned, page, "--no-render")
    assert result.output.splitlines() == [
        "title: Barn Owls", "author: Dora Loft", "author: Evan Beam", "author: Fay Tile",
    ]  # fmt: skip


def test_values_are_json_on_demand(learned: Path) -> None:
    page = save(learned.parent, shelf.old_page(shelf.WELL))
    found = json.loads(run("extract", learned, page, "--no-render", "--json").output)
    assert found["values"] == {"title": ["A Well in the Field"], "author": ["Cleo Pail"]}


def test_one_page_that_fails_stops_no_other(learned: Path) -> None:
    page = save(learned.parent, shelf.old_page(shelf.WELL))
    result = run("extract", learned, learned.parent / "none.html", page, "--no-render")
    assert result.exit_code == 3
    assert "title: A Well in the Field" in result.output


@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_change_is_said_and_drawn(learned: Path, ending: str) -> None:
    page, picture = save(learned.parent, shelf.new_page(shelf.HAY)), learned.parent / f"trees{ending}"
    result = run("check", learned, page, "--no-render", "--url", shelf.HOME, "--picture", picture)
    assert result.output.startswith("changed (template): ")
    assert picture.stat().st_size > 500


def test_an_unchanged_page_is_said_and_drawn(learned: Path) -> None:
    page, picture = save(learned.parent, shelf.old_page(shelf.HAY)), learned.parent / "trees.png"
    result = run("check", learned, page, "--no-render", "--url", shelf.HOME, "--json", "--picture", picture)
    assert json.loads(result.output)["changed"] is False
    assert picture.exists()


def test_a_wrapper_is_healed_into_a_file(learned: Path) -> None:
    page, healed = save(learned.parent, shelf.new_page(shelf.HAY)), learned.parent / "healed.json"
    result = run("heal", learned, page, "-o", healed, "--no-render", "--url", shelf.HOME)
    assert result.exit_code == 0
    assert "title: html[1]/body[1]/div[2]/h1[1]/#text[1] → " in result.output
    assert run("extract", healed, page, "--no-render").output.startswith("title: The Hay Year")


def test_what_cannot_be_healed_is_said(learned: Path) -> None:
    page = save(learned.parent, shelf.new_page(shelf.WELL))
    result = run("heal", learned, page, "-o", learned.parent / "x.json", "--no-render", "--json")
    assert result.exit_code == 6
    assert json.loads(result.output.splitlines()[0])["kind"] == "region-gone"


def test_a_saved_page_without_an_address_is_not_said_to_be_another(learned: Path) -> None:
    page = save(learned.parent, shelf.new_page(shelf.HAY))
    result = run("heal", learned, page, "-o", learned.parent / "x.json", "--no-render")
    assert result.exit_code == 6
    assert "--url" in result.output


def test_what_was_healed_is_tried_on_further_pages(learned: Path) -> None:
    pages = [learned.parent / f"{number}.html" for number in range(3)]
    for page, book in zip(pages, (shelf.HAY, shelf.WELL, shelf.BARN), strict=True):
        page.write_text(shelf.new_page(book), "utf-8")
    result = run("heal", learned, *pages, "-o", learned.parent / "x.json", "--no-render", "--url", shelf.HOME)
    assert result.exit_code == 0, result.output
    assert result.output.count("3 of 3 pages") == 2


def test_what_is_not_as_learned_has_a_status_of_its_own(learned: Path) -> None:
    changed, bare = save(learned.parent, shelf.new_page(shelf.HAY)), learned.parent / "bare.html"
    bare.write_text("<p>Nothing</p>", "utf-8")
    assert run("check", learned, changed, "--no-render", "--url", shelf.HOME).exit_code == 6
    assert run("extract", learned, bare, "--no-render").exit_code == 6
    assert run("extract", learned, bare, learned.parent / "none.html", "--no-render").exit_code == 3


def test_a_text_that_stands_twice_is_said_to(tmp_path: Path) -> None:
    page = save(tmp_path, shelf.old_page(shelf.HAY, "<p>The Hay Year</p>"))
    result = run("learn", page, "--want", "title=The Hay Year", "-o", tmp_path / "site.json", "--no-render")
    assert "'The Hay Year' of title stands in 2 places" in result.output


@pytest.mark.parametrize("want", ["title", "=x", "title="])
def test_a_want_without_label_or_text_is_wrong_use(learned: Path, want: str) -> None:
    page = save(learned.parent, shelf.old_page(shelf.HAY))
    assert run("learn", page, "--want", want, "-o", learned, "--no-render").exit_code == 2


def test_a_wrapper_that_is_not_there_is_said(tmp_path: Path) -> None:
    result = run("extract", tmp_path / "none.json", "x.html")
    assert result.exit_code == 3
    assert "windrow learn" in result.output
