from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command import ORCHARD, objects, run, serving

import windrow
from windrow.cli.journal import Journal
from windrow.cli.output import Contribution
from windrow.loader.siblings import Introduction
from windrow.options import Options

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

HAY = b"<!doctype html><title>Hay</title><main><h1>Hay</h1><p>Cut and <a href='/dry'>dried</a></p></main>"


@pytest.fixture
def hay(tmp_path: Path) -> Path:
    path = tmp_path / "hay.html"
    path.write_bytes(HAY)
    return path


def test_summary_shows_title_counts_text_and_structure() -> None:
    result = run("read", ORCHARD, "--no-render")
    assert result.exit_code == 0
    for words in (
        "Apples and pears this autumn",
        "3 links",
        "1 table,",
        "h2 Young trees",
        "not laid out",
    ):
        assert words in result.stdout
    assert "more lines" in result.stdout
    assert result.stderr == ""


def test_json_is_one_object_a_source(hay: Path) -> None:
    result = run("read", hay, ORCHARD, "--no-render", "--json")
    first, second = objects(result)
    readers = ["title", "text", "toplist", "regions", "tables", "structure"]
    assert [*first] == ["source", "url", "provenance", *readers, "warnings"]
    assert first["source"] == str(hay)
    assert (first["title"], first["text"], first["warnings"]) == ("Hay", "Hay\nCut and dried", [])
    assert [
        (entry["depth"], entry["role"], entry["level"], entry["text"]) for entry in first["structure"]["entries"]
    ] == [
        (0, "main", None, ""),
        (1, "heading", 1, "Hay"),
    ]
    assert first["structure"]["counts"]["links"] == 1
    assert second["title"].startswith("Apples")


def test_only_gives_what_is_asked_for(hay: Path) -> None:
    (value,) = objects(run("read", hay, "--no-render", "--json", "--only", "title"))
    assert value.pop("provenance")["sha256"] == hashlib.sha256(HAY).hexdigest()
    assert value == {"source": str(hay), "url": "", "title": "Hay", "warnings": []}
    assert run("read", hay, "--no-render", "--only", "text").stdout == "Hay\nCut and dried\n"
    assert run("read", hay, "--no-render", "--only", "text,title").stdout.startswith("Hay\nHay\nCut")


def test_only_text_is_whole_and_its_lines_are_not_broken(tmp_path: Path) -> None:
    line = "hay " * 100
    path = tmp_path / "long.html"
    path.write_text("".join(f"<p>{number} {line}</p>" for number in range(60)), encoding="utf-8")
    shown = run("read", path, "--no-render", "--only", "text").stdout
    assert shown.count("\n") == 60
    assert shown.startswith(f"0 {line.strip()}\n")


def test_folder_is_read_in_order_and_below(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("c.html", "a.htm", "b/x.xhtml", "b/Y.HTML", "notes.txt", "b/style.css"):
        (tmp_path / name).write_bytes(HAY)
    (tmp_path / "z.html.gz").write_bytes(gzip.compress(HAY))
    windrow.parse(HAY).save(tmp_path / "k.windrow")
    values = objects(run("read", tmp_path, "--no-render", "--json", "--only", "title"))
    names = [str(Path(value["source"]).relative_to(tmp_path)) for value in values]
    assert names == ["a.htm", "b/Y.HTML", "b/x.xhtml", "c.html", "k.windrow", "z.html.gz"]
    assert {value["title"] for value in values} == {"Hay"}


def test_summaries_of_several_pages_are_told_apart(tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_bytes(HAY)
    shown = run("read", tmp_path, "--no-render").stdout
    assert shown.count("\nHay\n") == 2
    assert "─" in shown


def test_empty_folder_is_told(tmp_path: Path) -> None:
    result = run("read", tmp_path, "--no-render")
    assert result.exit_code == 3
    assert "no page in the folder" in result.stderr


def test_standard_input_is_read_in_its_place(hay: Path) -> None:
    result = run("read", hay, "-", hay, "--no-render", "--json", given=b"<title>Straw</title>")
    assert [(value["source"], value["title"]) for value in objects(result)] == [
        (str(hay), "Hay"),
        ("-", "Straw"),
        (str(hay), "Hay"),
    ]


def test_url_of_a_saved_page_is_where_its_links_start(hay: Path) -> None:
    (value,) = objects(run("read", hay, "--no-render", "--json", "--url", "https://farm.example/x/"))
    assert value["url"] == "https://farm.example/x/"
    (value,) = objects(run("read", "-", "--no-render", "--json", "--url", "https://farm.example/x/", given=HAY))
    assert value["url"] == "https://farm.example/x/"


def test_output_forms(hay: Path, tmp_path: Path) -> None:
    def write(name: str, *words: str) -> Path:
        result = run("read", hay, "--no-render", "-o", tmp_path / name, *words)
        assert (result.exit_code, result.output) == (0, "")
        return tmp_path / name

    assert [value["title"] for value in json.loads(write("hay.json").read_bytes())] == ["Hay"]
    assert json.loads(write("hay.jsonl", "--only", "title").read_bytes())["title"] == "Hay"
    assert write("hay.txt").read_text("utf-8") == "Hay\nCut and dried\n"
    assert write("copy.html").read_bytes() == HAY
    assert windrow.load(write("hay.windrow")).title().text == "Hay"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_several_pages_in_one_file(hay: Path, tmp_path: Path) -> None:
    target = tmp_path / "all.json"
    result = run("read", hay, tmp_path / "gone.html", hay, "--no-render", "-o", target)
    assert result.exit_code == 3
    values = json.loads(target.read_bytes())
    assert [value.get("title", value.get("error", {}).get("kind")) for value in values] == ["Hay", "unreadable", "Hay"]
    assert "gone.html" in result.stderr


def test_source_in_another_charset_stays_readable_as_html(tmp_path: Path) -> None:
    path, copy = tmp_path / "old.html", tmp_path / "copy.html"
    path.write_bytes("<meta charset=iso-8859-1><title>Heu d'été</title>".encode("iso-8859-1"))
    assert run("read", path, "--no-render", "-o", copy).exit_code == 0
    assert windrow.load(copy, render=False).title().text == "Heu d'été"


def test_json_beside_a_file(hay: Path, tmp_path: Path) -> None:
    result = run("read", hay, "--no-render", "--json", "-o", tmp_path / "hay.txt")
    assert objects(result)[0]["title"] == "Hay"
    assert (tmp_path / "hay.txt").exists()


def test_old_file_keeps_its_permissions_and_a_link_stays_a_link(hay: Path, tmp_path: Path) -> None:
    old, link = tmp_path / "old.txt", tmp_path / "link.txt"
    old.write_text("old", encoding="utf-8")
    old.chmod(0o640)
    link.symlink_to(old)
    assert run("read", hay, "--no-render", "-o", link).exit_code == 0
    assert link.is_symlink()
    assert old.read_text("utf-8").startswith("Hay")
    assert old.stat().st_mode & 0o777 == 0o640


def test_file_name_that_is_no_text_survives_as_json(tmp_path: Path) -> None:
    path = Path(str(tmp_path) + "/\udcff.html")
    try:
        path.write_bytes(HAY)
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    result = run("read", tmp_path, "--no-render", "--json")
    assert result.exit_code == 0
    assert objects(result)[0]["source"] == str(path)
    assert "\\udcff" in run("read", path, "--no-render").stdout


def test_page_nested_too_deep_for_recursion(tmp_path: Path) -> None:
    path = tmp_path / "deep.html"
    path.write_text("<nav>" * 20_000 + "x", encoding="utf-8")
    result = run("read", path, "--no-render", "--json")
    assert result.exit_code == 0
    assert len(objects(result)[0]["structure"]["entries"]) == 20_000
    assert run("read", path, "--no-render").exit_code == 0


GARDEN = (
    "<title>Garden Finder - {0} - Overview</title><h1><a href=/>Garden Finder</a></h1><p>{0} lies by the river.</p>"
)


def answer_garden(handler: BaseHTTPRequestHandler) -> tuple[bytes, dict[str, str]]:
    return GARDEN.format(handler.path.rpartition("=")[2].capitalize()).encode(), {}


def test_pages_of_one_site_tell_each_other_what_is_the_sites() -> None:
    with serving(answer_garden) as site:
        pages = [f"{site}g/?id={name}" for name in ("harrow", "alder", "plum")]
        result = run("read", *pages, "--only", "title", "--json", "--no-render", "--allow-private", "--workers", "2")
    assert [page["title"] for page in objects(result)] == ["Harrow", "Alder", "Plum"]


def test_a_run_that_goes_on_gives_the_titles_of_one_that_was_not_interrupted(tmp_path: Path) -> None:
    with serving(answer_garden) as site:
        pages = [f"{site}g/?id={name}" for name in ("harrow", "alder")]
        words = ("--only", "title", "--no-render", "--allow-private", "-o", tmp_path / "titles.jsonl")
        told: tuple[object, ...] = (
            {"title": {}},
            ".jsonl",
            False,
            None,
            False,
            replace(Options(), allow_private=True).to_dict(),
        )
        said = Introduction("127.0.0.1", pages[0], ("Garden Finder - Harrow - Overview", "Garden Finder"))
        with Journal(tmp_path / "titles.jsonl", told, resume=False) as journal:
            journal.add(pages[0], Contribution(b'{"title": "Harrow"}'), says=said)
        run("read", *pages, *words, "--resume")
    assert [json.loads(line)["title"] for line in (tmp_path / "titles.jsonl").read_text().splitlines()] == [
        "Harrow",
        "Alder",
    ]
