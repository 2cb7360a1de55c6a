from __future__ import annotations

import csv
import json
import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import shelf
from command import run, serving

import windrow
from windrow.cli.extraction import extraction_to_lines
from windrow.cli.wrapper_file import read_owned
from windrow.wrapper.result import Located

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler


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
    assert result.output.startswith("changed (template, warning): ")
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
    assert "title: /html[1]/body[1]/div[2]/h1[1]/text()[normalize-space()][1] → " in result.output
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


def test_records_that_are_known_tell_a_text_that_stands_there_by_chance(tmp_path: Path) -> None:
    new = "<main><h2>{}</h2><div class=p>{}</div><div class=d>{}</div></main>"
    records = [("Rake", "£6.00", "£5.20"), ("Fork", "£8.00", "£2.00"), ("Hoe", "£3.00", "£1.00")]
    for number, record in enumerate(records):
        (tmp_path / f"{number}.html").write_text(new.format(*record), "utf-8")
    old, wrapper, healed = save(tmp_path, "<h1>Rake</h1><p>£5.20</p>"), tmp_path / "old.json", tmp_path / "new.json"
    wants = ["--want", "name=Rake", "--want", "price=£5.20", "--no-render", "--url", "https://a.example/0"]
    assert run("learn", old, *wants, "-o", wrapper).exit_code == 0
    sheet = "".join(f"{n}.html,https://a.example/{n},{records[n][0]},{records[n][1]}\n" for n in (1, 2))
    (tmp_path / "known.csv").write_text("source,url,name,price\n" + sheet, "utf-8")
    (tmp_path / "nowhere.csv").write_text("source,name,price\n1.html,Fork,£8.00\n", "utf-8")
    changed: list[str | Path] = [wrapper, tmp_path / "0.html", "--url", "https://a.example/0", "-o", healed]
    result = run("heal", *changed, "--known", tmp_path / "known.csv")
    assert result.exit_code == 0, result.output
    assert "£5.20 → £6.00" in result.output
    assert "Give its address" in run("heal", *changed, "--known", tmp_path / "nowhere.csv").output
    assert run("heal", *changed, "--no-render").exit_code == 0
    assert "price: £5.20" in run("extract", healed, tmp_path / "0.html").output


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


def test_what_is_learned_for_one_page_only_is_said_to_be(tmp_path: Path) -> None:
    page = save(tmp_path, "<p>Sold by Ada Rake of Field Lane</p><h1>Hay</h1>")
    wants = ["--want", "seller=Ada Rake", "--want", "title=Hay"]
    result = run("learn", page, *wants, "-o", tmp_path / "site.json", "--no-render", "--url", shelf.HOME)
    assert "seller is read only on the address where it was pasted" in result.output
    assert "title is learned" not in result.output


def test_a_name_that_is_taken_off_is_said(tmp_path: Path) -> None:
    page = save(tmp_path, "<h1>Fair</h1><p><b>Venue:</b> Hall 2</p>")
    result = run("learn", page, "--want", "place=Venue: Hall 2", "-o", tmp_path / "site.json", "--no-render")
    assert "'Venue:' was pasted along with place" in result.output


def test_what_is_said_of_labels_is_kept(learned: Path) -> None:
    page = save(learned.parent, shelf.old_page(shelf.HAY))
    said = ["--type", "price=money", "--one", "title", "--several", "author", "--optional", "price"]
    wants = ["--want", "title=The Hay Year", "--want", "author=Ada Rake", "--want", "price=£12.50"]
    result = run("learn", page, *wants, *said, "--required", "title", "-o", learned, "--no-render")
    assert result.exit_code == 0, result.output
    assert windrow.Wrapper.from_json(learned.read_text("utf-8")).fields == {
        "title": windrow.Field(several=False),
        "author": windrow.Field(several=True),
        "price": windrow.Field(type="money", required=False),
    }


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--one", "title", "--several", "title"], "title can't be both"),
        (["--type", "title"], "should look like price=money"),
        (["--type", "title=cash"], "no type 'cash'"),
        (["--type", "prize=money"], "no label 'prize'"),
        (["--row", "title=x"], "Give one of them"),
        (["--url", "shelf"], "not a web address"),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_what_cannot_be_meant_is_refused(learned: Path, words: list[str], sentence: str) -> None:
    page, before = save(learned.parent, shelf.old_page(shelf.HAY)), learned.read_bytes()
    result = run("learn", page, "--want", "title=The Hay Year", *words, "-o", learned, "--no-render")
    assert (result.exit_code, sentence in result.output, learned.read_bytes()) == (2, True, before)


def test_something_must_be_learned_from_somewhere(tmp_path: Path) -> None:
    assert "--examples FILE" in run("learn", "--want", "a=b", "-o", tmp_path / "x.json").output
    assert "Say what to take" in run("learn", "page.html", "-o", tmp_path / "x.json").output


def test_rows_go_to_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def learn(lessons: list[tuple[windrow.Page, object]], **_: object) -> windrow.Wrapper:
        given.extend(wanted for _, wanted in lessons)
        return windrow.learn(lessons[0][0], {"title": "Hay"})

    monkeypatch.setattr("windrow.cli.learning.learn_wrapper", learn)
    page = save(tmp_path, "<h1>Hay</h1>")
    rows = ["--row", "title=Hay | Straw|price=£1", "--rows", "title=Oats|by=Ada|by=Ben"]
    assert run("learn", page, *rows, "-o", tmp_path / "x.json", "--no-render").exit_code == 0
    assert given == [[{"title": ["Hay | Straw"], "price": ["£1"]}, {"title": ["Oats"], "by": ["Ada", "Ben"]}]]


EXAMPLES = {
    "shelf.csv": "source,url,title,author,author\n"
    'hay.html,https://shelf.example/books/1,The Hay Year,"Ada Rake\nBen Fork",\n,,,\n'
    "barn.html,https://shelf.example/books/2,Barn Owls,Dora Loft,Evan Beam\n",
    "shelf.toml": """[[example]]
source = "hay.html"
url = "https://shelf.example/books/1"
values = {title = "The Hay Year", author = ["Ada Rake", "Ben Fork"]}
[[example]]
source = "barn.html"
url = "https://shelf.example/books/2"
[example.values]
title = "Barn Owls"
author = ["Dora Loft", "Evan Beam"]
""",
    "shelf.json": json.dumps(
        [
            {
                "source": "hay.html",
                "url": "https://shelf.example/books/1",
                "values": {"title": "The Hay Year", "author": ["Ada Rake", "Ben Fork"]},
            },
            {
                "source": "barn.html",
                "url": "https://shelf.example/books/2",
                "values": {"title": "Barn Owls", "author": ["Dora Loft", "Evan Beam"]},
            },
        ]
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_several_pages_are_learned_from_a_file(tmp_path: Path, name: str) -> None:
    barn = {**shelf.BARN, "authors": ["Dora Loft", "Evan Beam"]}
    for page, book in (("hay.html", shelf.HAY), ("barn.html", barn)):
        (tmp_path / page).write_text(shelf.old_page(book), "utf-8")
    (tmp_path / name).write_text(EXAMPLES[name], "utf-8")
    result = run(
        "learn", "--examples", tmp_path / name, "-o", tmp_path / "site.wrapper", "--no-render", "--name", "Shelf"
    )
    assert "from 2 pages" in result.output
    wrapper = windrow.Wrapper.from_json((tmp_path / "site.wrapper").read_text("utf-8"))
    assert wrapper.name == "Shelf"
    assert [example.url for example in wrapper.examples] == [shelf.HOME, shelf.OTHER]
    assert wrapper.examples[1].values == {"title": ("Barn Owls",), "author": ("Dora Loft", "Evan Beam")}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.txt", "source,title"),
        ("x.csv", ""),
        ("x.csv", "source,title\n"),
        ("x.csv", "source,title\npage.html,\n"),
        ("x.csv", "page,title\npage.html,Hay\n"),
        ("x.csv", 'source,title\n"page.html,Hay\n'),
        ("x.toml", "example = 3"),
        ("x.toml", "["),
        ("x.json", '[{"source": "page.html", "title": "Hay"}]'),
        ("x.json", '[{"source": "page.html", "values": {"title": 3}}]'),
        ("x.json", '[{"source": "page.html", "rows": [3]}]'),
        ("x.json", '[{"source": "p", "rows": [{"a": "b"}]}, {"source": "p", "values": {"a": "b"}}]'),
    ],
)
def test_a_file_that_holds_no_examples_is_said_to(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    result = run("learn", "--examples", tmp_path / name, "-o", tmp_path / "site.json", "--no-render")
    assert result.exit_code == 2, result.output
    assert not (tmp_path / "site.json").exists()


@pytest.mark.parametrize("want", ["title", "=x", "title="])
def test_a_want_without_label_or_text_is_wrong_use(learned: Path, want: str) -> None:
    page = save(learned.parent, shelf.old_page(shelf.HAY))
    assert run("learn", page, "--want", want, "-o", learned, "--no-render").exit_code == 2


def test_a_wrapper_that_is_not_there_is_said(tmp_path: Path) -> None:
    result = run("extract", tmp_path / "none.json", "x.html")
    assert result.exit_code == 3
    assert "windrow learn" in result.output


@pytest.fixture
def pages(learned: Path) -> Path:
    folder = learned.parent / "pages"
    folder.mkdir()
    for name, book in (("barn", shelf.BARN), ("well", shelf.WELL)):
        (folder / f"{name}.html").write_text(shelf.old_page(book), "utf-8")
    return folder


def test_pages_of_a_folder_are_written_into_a_sheet(learned: Path, pages: Path) -> None:
    result = run("extract", learned, pages, "-o", learned.parent / "out.csv")
    assert (result.exit_code, result.stdout) == (0, ""), result.output
    rows = list(csv.DictReader((learned.parent / "out.csv").read_text("utf-8").splitlines(keepends=True)))
    assert [(Path(row["source"]).name, row["title"], row["author"]) for row in rows] == [
        ("barn.html", "Barn Owls", "Dora Loft\nEvan Beam\nFay Tile"),
        ("well.html", "A Well in the Field", "Cleo Pail"),
    ]
    assert all(datetime.fromisoformat(row["fetched"]).tzinfo for row in rows)


def test_a_saved_page_has_its_address_in_the_sheet(learned: Path, pages: Path) -> None:
    run("extract", learned, pages / "well.html", "--url", shelf.OTHER, "-o", learned.parent / "out.csv")
    assert f",{shelf.OTHER},2" in (learned.parent / "out.csv").read_text("utf-8")
    result = run("extract", learned, pages, "--url", shelf.OTHER)
    assert (result.exit_code, "Name that page as the only source" in result.output) == (2, True)


def test_lines_of_json_hold_everything(learned: Path, pages: Path) -> None:
    (pages / "bare.html").write_text("<p>Nothing</p>", "utf-8")
    result = run("extract", learned, pages, pages / "none.html", "-o", learned.parent / "out.jsonl")
    assert result.exit_code == 3
    assert "bare.html gave no values (other)" in result.stderr
    lines = [json.loads(line) for line in (learned.parent / "out.jsonl").read_text("utf-8").splitlines()]
    assert [line.get("values") for line in lines] == [
        {"title": None, "author": None},
        {"title": "Barn Owls", "author": ["Dora Loft", "Evan Beam", "Fay Tile"]},
        {"title": "A Well in the Field", "author": "Cleo Pail"},
        None,
    ]
    assert (lines[0]["missing"], lines[3]["error"]["kind"]) == (["title", "author"], "unreadable")


def learn_prices(folder: Path, *words: str) -> Path:
    page = save(folder, shelf.old_page(shelf.HAY))
    wants = ["--want", "title=The Hay Year", "--want", "price=£12.50"]
    result = run("learn", page, *wants, *words, "-o", folder / "prices.json", "--no-render", "--url", shelf.HOME)
    assert result.exit_code == 0, result.output
    return folder / "prices.json"


def test_parquet_and_xlsx_are_typed(learned: Path, pages: Path) -> None:
    wrapper = learn_prices(learned.parent, "--type", "price=money")
    for ending in ("parquet", "xlsx"):
        assert run("extract", wrapper, pages, "-o", learned.parent / f"out.{ending}").exit_code == 0
    table = pytest.importorskip("pyarrow.parquet").read_table(learned.parent / "out.parquet")
    assert table["price"].to_pylist() == [21.0, 8.0]
    assert table.column_names == ["source", "url", "fetched", "title", "price"]
    book = pytest.importorskip("openpyxl").load_workbook(learned.parent / "out.xlsx")
    head, *rows = book.active.values
    found = [dict(zip(head, row, strict=True)) for row in rows]
    assert [(row["price"], row["price (text)"]) for row in found] == [(21, "£21.00"), (8, "£8.00")]


@pytest.mark.parametrize(("name", "status"), [("out.txt", 2), ("none/out.csv", 3)])
def test_a_file_that_cannot_be_written_is_said_before_anything_is_read(learned: Path, name: str, status: int) -> None:
    result = run("extract", learned, learned.parent / "none.html", "-o", learned.parent / name)
    assert result.exit_code == status
    assert "none.html" not in result.output


def test_json_has_the_rows_of_a_list(tmp_path: Path) -> None:
    names = ("Rake", "Fork", "Hoe")
    items = "".join(f"<li><b>{name}</b> <i>£{price}</i></li>" for price, name in enumerate(names))
    page = save(tmp_path, f"<body><h1>Tools</h1><ul id=tools>{items}</ul></body>")
    rows = ["--row", "name=Rake|price=£0", "--row", "name=Fork|price=£1"]
    run("learn", page, *rows, "-o", tmp_path / "tools.json", "--no-render", "--url", shelf.HOME)
    plain = json.loads(run("extract", tmp_path / "tools.json", page, "--json").stdout)
    assert plain["rows"] == [{"name": [name], "price": [f"£{price}"]} for price, name in enumerate(names)]


def test_a_value_of_another_type_is_said_to_stay_text(learned: Path) -> None:
    wrapper = learn_prices(learned.parent, "--type", "price=money")
    page = save(learned.parent, shelf.old_page({**shelf.WELL, "price": "on request"}))
    result = run("extract", wrapper, page)
    assert "'on request' of price is not surely of the type money" in result.stderr
    assert "price: on request" in result.stdout


def test_dates_of_other_pages_tell_how_a_date_is_written(learned: Path) -> None:
    page = save(learned.parent, shelf.old_page({**shelf.HAY, "price": "30/06/2009"}))
    wants = ["--want", "title=The Hay Year", "--want", "day=30/06/2009", "--type", "day=date"]
    run("learn", page, *wants, "-o", learned, "--no-render", "--url", shelf.HOME)
    pages = learned.parent / "dates"
    pages.mkdir()
    for name, text in (("one", "02/09/2010"), ("two", "25/08/2010"), ("three", "soon")):
        save(pages, shelf.old_page({**shelf.WELL, "price": text})).rename(pages / f"{name}.html")
    result = run("extract", learned, pages, "-o", learned.parent / "dates.csv")
    assert "'soon' of day is not surely of the type date" in result.stderr
    assert "02/09/2010" not in result.stderr


def test_doubtful_values_are_listed_apart(learned: Path, pages: Path) -> None:
    page = pages.parent / "hay.html"
    wants = ["--want", "title=The Hay Year", "--want", "author=Ada Rake", "--want", "author=Ben Fork"]
    run("learn", page, *wants, "--one", "author", "-o", learned, "--no-render", "--url", shelf.HOME)
    result = run("extract", learned, pages / "barn.html")
    assert result.exit_code == 6
    assert result.stdout.splitlines() == [
        "title: Barn Owls", "doubtful author: Dora Loft", "doubtful author: Evan Beam", "doubtful author: Fay Tile",
    ]  # fmt: skip
    plain = json.loads(run("extract", learned, pages / "barn.html", "--json").stdout)
    assert (plain["doubtful"], plain["values"]["author"]) == ({"author": ["Dora Loft", "Evan Beam", "Fay Tile"]}, [])
    written = run("extract", learned, pages / "barn.html", "-o", learned.parent / "out.csv")
    assert "author is doubtful and not in the file: 'Dora Loft'" in written.stderr


def test_sure_values_are_listed_beside_doubtful_ones() -> None:
    places = {"name": (Located("Axe", 1, "/p", None, 0.9),), "by": ()}
    found = windrow.Extraction({"name": ["Axe"], "by": []}, {"name": 0.9}, ["by"], places, {"name": ["Saw"]})
    assert list(extraction_to_lines(found, "a.html")) == [
        "a.html",
        "name: Axe",
        "by: (not found)",
        "doubtful name: Saw",
    ]


def test_only_a_required_label_that_is_missing_has_a_status(learned: Path) -> None:
    page = learned.parent / "free.html"
    page.write_text(re.sub("<tr><th>Price:.*?</tr>", "", shelf.old_page(shelf.WELL)), "utf-8")
    assert run("extract", learn_prices(learned.parent), page).exit_code == 6
    result = run("extract", learn_prices(learned.parent, "--optional", "price"), page)
    assert (result.exit_code, "price: (not found)" in result.stdout) == (0, True)


def test_a_wall_is_said_to_be_one(learned: Path, pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wall = windrow.Extraction({"title": [], "author": []}, {}, ["title", "author"], {}, kind="wall", sentence="Log in.")
    monkeypatch.setattr(windrow.Wrapper, "extract", lambda *_: wall)
    result = run("extract", learned, pages / "barn.html")
    assert (result.exit_code, result.stdout, "barn.html gave no values (wall). Log in." in result.stderr) == (
        6,
        "",
        True,
    )
    assert json.loads(run("extract", learned, pages / "barn.html", "--json").stdout)["kind"] == "wall"


def test_records_are_printed_one_by_one(tmp_path: Path) -> None:
    rows = "".join(f"<li><b>{name}</b> <i>£{price}</i></li>" for name, price in (("Axe", 3), ("Saw", 5), ("Bow", 7)))
    page = save(tmp_path, f"<h1>Tools</h1><ul>{rows}</ul>")
    wants = [f"--want=name={name}" for name in ("Axe", "Saw", "Bow")] + [
        f"--want=price=£{price}" for price in (3, 5, 7)
    ]
    assert run("learn", page, *wants, "-o", tmp_path / "x.json", "--no-render", "--want", "shop=Tools").exit_code == 0
    printed = run("extract", tmp_path / "x.json", page).stdout
    assert printed == "shop: Tools\n\nname: Axe\nprice: £3\n\nname: Saw\nprice: £5\n\nname: Bow\nprice: £7\n"


def test_how_pages_are_fetched_is_kept_and_can_be_changed(tmp_path: Path) -> None:
    asked: list[tuple[str, str]] = []

    def answer(request: BaseHTTPRequestHandler) -> tuple[bytes, dict[str, str]]:
        asked.append((request.headers["User-Agent"], request.headers["Accept-Language"]))
        return shelf.old_page(shelf.HAY).encode(), {}

    wrapper = tmp_path / "site.json"
    with serving(answer) as url:
        options = [
            "--no-render",
            "--user-agent",
            "Rake/1",
            "--language",
            "de",
            "--allow-private",
            "--header",
            "X-Key: s3",
        ]
        learned = run("learn", url, "--want", "title=The Hay Year", *options, "--seconds", "7", "-o", wrapper)
        assert run("extract", wrapper, url, "--allow-private").exit_code == 0
        assert run("check", wrapper, url, "--allow-private", "--language", "fr").exit_code == 0
        assert run("extract", wrapper, url).exit_code == 4
    assert asked == [("Rake/1", "de"), ("Rake/1", "de"), ("Rake/1", "fr")]
    assert json.loads(wrapper.read_text("utf-8"))["fetch"] == {
        "render": False, "user_agent": "Rake/1", "language": "de", "limits": {"seconds": 7.0},
    }  # fmt: skip
    assert "s3" not in wrapper.read_text("utf-8")
    assert "headers are not kept" in learned.output
    assert "--allow-private is not kept" in learned.output


def test_what_a_live_page_is_waited_for_does_not_hinder_saved_ones(learned: Path, pages: Path) -> None:
    plain = json.loads(learned.read_text("utf-8"))
    learned.write_text(json.dumps(plain | {"fetch": {"wait_for": "h1", "scroll": 2}}), "utf-8")
    assert run("extract", learned, pages / "barn.html", "--no-render").exit_code == 0
    assert run("extract", learned, pages / "barn.html", "--no-render", "--scroll", "1").exit_code == 2


def test_a_session_is_named_from_where_the_wrapper_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wrappers").mkdir()
    session = tmp_path / "wrappers" / "session.json"
    session.write_text(json.dumps({"windrow": "session", "version": 1, "cookies": [], "storage": {}}), "utf-8")
    page, wrapper = save(tmp_path, "<h1>Hay</h1>"), tmp_path / "wrappers" / "site.json"
    assert run("learn", page, "--want", "title=Hay", "--session", session, "--no-render", "-o", wrapper).exit_code == 0
    assert json.loads(wrapper.read_text("utf-8"))["fetch"]["session"] == "session.json"
    monkeypatch.chdir(tmp_path)
    assert read_owned(Path("wrappers/site.json"), {"render": None, "url": None})[1].fetch().options.session == Path(
        "wrappers/session.json"
    )


def test_what_cannot_be_kept_is_left_out_on_demand(learned: Path) -> None:
    page = save(learned.parent, shelf.new_page(shelf.HAY).replace("Ben Fork", "B. Fork"))
    words = ("heal", learned, page, "-o", learned.parent / "x.json", "--no-render", "--url", shelf.HOME)
    refused = run(*words)
    assert (refused.exit_code, "author" in refused.output) == (6, True)
    assert "The Hay Year → The Hay Year" in refused.output
    assert not (learned.parent / "x.json").exists()
    healed = run(*words, "--partial")
    assert (healed.exit_code, "Not kept: author" in healed.output) == (0, True)
    assert "The Hay Year → The Hay Year" in healed.output


def test_a_wall_is_not_taken_for_a_text_that_is_gone(learned: Path) -> None:
    page = save(learned.parent, "<h1>Please log in</h1><form><input type=password></form>")
    result = run("heal", learned, page, "-o", learned.parent / "x.json", "--no-render", "--url", shelf.HOME)
    assert (result.exit_code, "shows a wall" in result.output) == (6, True)


def test_pages_without_values_are_not_counted_as_read(learned: Path) -> None:
    page = save(learned.parent, "<h1>Please log in</h1><form><input type=password></form>")
    result = run("extract", learned, page, "-o", learned.parent / "x.csv", "--no-render")
    assert "What was read from 0 pages of 1 is in" in result.output


def test_a_file_that_is_no_wrapper_is_named(tmp_path: Path) -> None:
    page = save(tmp_path, "<p>Hay")
    result = run("extract", page, page, "--no-render")
    assert (result.exit_code, f"{page}: This is not a wrapper" in result.output) == (2, True)
