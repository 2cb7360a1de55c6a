"""``windrow wrapper``: what people do with wrappers that they own."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
import shelf
from command import run, serving
from PIL import Image

import windrow


@pytest.fixture
def owned(tmp_path: Path) -> Path:
    save(tmp_path, "hay", shelf.old_page(shelf.HAY))
    wants = ["--want", "title=The Hay Year", "--want", "price=£12.50", "--want", "shop=Shelf Ltd, Field Lane"]
    words = ["--name", "Shelf", "--type", "price=money", "--url", shelf.HOME, "--no-render"]
    result = run("learn", tmp_path / "hay.html", *wants, *words, "-o", tmp_path / "shelf.json")
    assert result.exit_code == 0, result.output
    return tmp_path / "shelf.json"


def save(folder: Path, name: str, html: str) -> Path:
    path = folder / f"{name}.html"
    path.write_text(html, "utf-8")
    return path


def read(path: Path) -> windrow.Wrapper:
    return windrow.Wrapper.from_json(path.read_text("utf-8"))


def test_wrappers_of_a_folder_are_listed(owned: Path) -> None:
    folder = owned.parent / "inner"
    folder.mkdir()
    (folder / "other.json").write_text('{"a": 1}', "utf-8")
    (folder / "broken.json").write_text('{\n "windrow": "wrapper",\n "version": 3}', "utf-8")
    (folder / "again.json").write_bytes(owned.read_bytes())
    result = run("wrapper", "list", owned.parent, "--json")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [Path(each["file"]).name for each in found] == ["again.json", "shelf.json"]
    assert {each["name"] for each in found} == {"Shelf"}
    assert "broken.json" in result.stderr
    assert "other.json" not in result.output
    assert "Shelf" in run("wrapper", "list", folder).stdout


def test_a_folder_without_wrappers_is_said_to_have_none(tmp_path: Path) -> None:
    assert "no wrapper below" in run("wrapper", "list", tmp_path).output
    assert run("wrapper", "list", tmp_path / "none").exit_code == 3


def test_a_wrapper_is_shown(owned: Path) -> None:
    plain = json.loads(run("wrapper", "show", owned, "--json").stdout)
    assert (plain["name"], plain["pages"], plain["version"]) == ("Shelf", [shelf.HOME], 1)
    assert plain["fetch"] == {"render": False}
    assert plain["learned_at"].startswith("20")
    assert plain["labels"]["price"] == {
        "type": "money", "several": None, "required": True, "local": False, "example": ["£12.50"],
    }  # fmt: skip
    shown = run("wrapper", "show", owned).stdout
    assert all(word in shown for word in ("Shelf", shelf.HOME, "title", "money", "required", "£12.50", "render=false"))


def test_a_label_is_renamed_and_the_name_taken_back(owned: Path) -> None:
    before = owned.read_text("utf-8")
    assert run("wrapper", "rename-label", owned, "price", "cost").exit_code == 0
    assert (read(owned).labels, read(owned).version) == (["title", "cost", "shop"], 2)
    assert "version 1 again" in run("wrapper", "undo", owned).output
    assert owned.read_text("utf-8") == before
    result = run("wrapper", "undo", owned)
    assert (result.exit_code, "first version" in result.output) == (2, True)
    assert run("wrapper", "rename-label", owned, "none", "cost").exit_code == 2


WELL = ["--want", "title=A Well in the Field", "--want", "price=£8.00"]


def test_another_example_is_added(owned: Path) -> None:
    well = save(owned.parent, "well", shelf.old_page(shelf.WELL))
    result = run("wrapper", "add-example", owned, well, *WELL, "--want", "isbn=978-0-00-000002-4", "--url", shelf.OTHER)
    assert result.exit_code == 0, result.output
    assert "isbn is a new label" in result.output
    taught = read(owned)
    assert [example.url for example in taught.examples] == [shelf.HOME, shelf.OTHER]
    assert (taught.version, taught.name, taught.fields) == (2, "Shelf", {"price": windrow.Field(type="money")})
    assert len(taught.undo().examples) == 1


def test_what_a_page_is_said_to_lack_is_kept(tmp_path: Path) -> None:
    books = (("hay", shelf.HAY), ("well", shelf.WELL), ("barn", shelf.BARN))
    pages = {name: save(tmp_path, name, shelf.old_page(book)) for name, book in books}
    examples = [
        {"source": "hay.html", "url": shelf.HOME, "values": {"title": "The Hay Year", "price": "£12.50"}},
        {"source": "well.html", "url": shelf.OTHER, "values": {"title": "A Well in the Field", "price": []}},
    ]
    (tmp_path / "pages.json").write_text(json.dumps(examples), "utf-8")
    wrapper = tmp_path / "x.json"
    assert run("learn", "--examples", tmp_path / "pages.json", "--no-render", "-o", wrapper).exit_code == 0
    assert read(wrapper).examples[1].values["price"] == ()
    result = run(
        "wrapper", "add-example", wrapper, pages["barn"], "--want", "title=Barn Owls", "--want", "price=£21.00"
    )
    assert result.exit_code == 0, result.output
    assert [example.values["price"] for example in read(wrapper).examples] == [("£12.50",), (), ("£21.00",)]


def test_what_a_page_lacks_is_kept_by_healing_and_asked_of_no_page() -> None:
    bare = shelf.old_page(shelf.WELL).replace("<tr><th>Price:</th><td><b>£8.00</b></td></tr>", "")
    wrapper = windrow.learn([
        (shelf.old(shelf.HAY), {"title": "The Hay Year", "price": "£12.50"}),
        (windrow.parse(bare, url=shelf.OTHER), {"title": "A Well in the Field", "price": []}),
    ])  # fmt: skip
    dressed = [shelf.new(shelf.HAY), windrow.parse(shelf.new_page({**shelf.WELL, "price": ""}), url=shelf.OTHER)]
    healed = wrapper.heal(dressed)
    assert [example.values["price"] for example in healed.examples] == [("£12.50",), ()]
    assert healed.report is not None
    assert healed.report.moves["price"].old_values == ("£12.50",)
    banner = windrow.parse(bare.replace("<h1>", "<p>Sale</p><h1>"), url=shelf.OTHER)
    assert not wrapper.check(banner).affected


def test_where_an_old_page_is_lost_the_wrapper_stays(owned: Path) -> None:
    well, before = save(owned.parent, "well", shelf.old_page(shelf.WELL)), owned.read_bytes()
    save(owned.parent, "hay", shelf.old_page({**shelf.HAY, "price": "£99"}))
    plain = json.loads(before)
    plain["examples"][0]["url"] = ""
    owned.write_text(json.dumps(plain), "utf-8")
    result = run("wrapper", "add-example", owned, well, *WELL)
    assert (result.exit_code, "hay.html is lost" in result.output, "stays as it was" in result.output) == (
        3,
        True,
        True,
    )
    assert read(owned).version == 1
    assert run("wrapper", "add-example", owned, well, *WELL, "--leave-out-lost").exit_code == 0
    assert [example.source for example in read(owned).examples] == [str(well)]


def test_old_pages_are_fetched_again(tmp_path: Path) -> None:
    wrapper = tmp_path / "x.json"
    books = {"/hay": shelf.HAY, "/well": shelf.WELL}
    with serving(lambda request: (shelf.old_page(books[request.path]).encode(), {})) as url:
        words = ["--no-render", "--allow-private"]
        assert run("learn", f"{url}hay", "--want", "title=The Hay Year", *words, "-o", wrapper).exit_code == 0
        result = run("wrapper", "add-example", wrapper, f"{url}well", *WELL[:2], "--allow-private")
    assert result.exit_code == 0, result.output
    assert [example.url for example in read(wrapper).examples] == [f"{url}hay", f"{url}well"]


def test_the_region_is_learned_again(tmp_path: Path) -> None:
    items = "".join(f"<li><b>{name}</b></li>" for name in ("Rake", "Fork", "Spade", "Hoe"))
    page, wrapper = save(tmp_path, "tools", f"<body><p>Tools</p><ul>{items}</ul></body>"), tmp_path / "x.json"
    wants = ["--want", "tool=Rake", "--want", "tool=Fork"]
    words = ["--region", "Rake Fork Spade Hoe", "--no-render"]
    assert run("learn", page, *wants, *words, "-o", wrapper).exit_code == 0
    assert read(wrapper).examples[0].region == "Rake Fork Spade Hoe"
    more = save(tmp_path, "more", "<body><p>Tools</p><ul><li><b>Axe</b></li><li><b>Saw</b></li></ul></body>")
    assert run("wrapper", "add-example", wrapper, more, "--want", "tool=Axe", "--want", "tool=Saw").exit_code == 0
    assert read(wrapper).extract(windrow.load(page, render=False)).values["tool"] == ["Rake", "Fork", "Spade", "Hoe"]


def test_pages_and_labels_are_shown_as_a_table(owned: Path) -> None:
    pages = [save(owned.parent, name, html) for name, html in (
        ("well", shelf.old_page(shelf.WELL)), ("barn", shelf.old_page(shelf.BARN)), ("bare", "<p>Nothing</p>"),
    )]  # fmt: skip
    result = run("wrapper", "try", owned, *pages, owned.parent / "none.html")
    assert result.exit_code == 3
    shown = result.stdout
    assert all(text in shown for text in ("A Well in the Field", "Barn Owls", "£8.00", "other", "unreadable"))
    assert "shop is the same on every page: Shelf Ltd, Field Lane" in shown
    assert "title is the same" not in shown
    plain = json.loads(run("wrapper", "try", owned, *pages, "--json").stdout)
    assert plain["same"] == {"shop": ["Shelf Ltd, Field Lane"]}
    assert [page["values"]["title"] for page in plain["pages"]] == [["A Well in the Field"], ["Barn Owls"], []]
    assert plain["pages"][2]["missing"] == ["title", "price", "shop"]


def test_a_doubtful_cell_is_marked(owned: Path) -> None:
    authors = ["--want", "author=Ada Rake", "--want", "author=Ben Fork", "--one", "author"]
    assert run("learn", owned.parent / "hay.html", *authors, "-o", owned, "--no-render").exit_code == 0
    barn = save(owned.parent, "barn", shelf.old_page(shelf.BARN))
    result = run("wrapper", "try", owned, barn)
    assert (result.exit_code, "Dora Loft ?" in result.stdout) == (6, True)


def test_records_are_rows_of_the_table(owned: Path) -> None:
    rows = "".join(f"<li><b>{name}</b> <i>£{price}</i></li>" for name, price in (("Axe", 3), ("Saw", 5), ("Bow", 7)))
    page = save(owned.parent, "tools", f"<h1>Tools</h1><ul>{rows}</ul>")
    wants = ["name=Axe", "name=Saw", "name=Bow", "price=£3", "price=£5", "price=£7", "shop=Tools"]
    learned = run("learn", page, *(f"--want={want}" for want in wants), "-o", owned, "--no-render")
    assert learned.exit_code == 0, learned.output
    lines = [line for line in run("wrapper", "try", owned, page).stdout.splitlines() if "£" in line]
    assert [[cell.strip() for cell in line.strip("│").split("│")][1:3] for line in lines] == [
        ["Axe", "£3"], ["Saw", "£5"], ["Bow", "£7"],
    ]  # fmt: skip


def test_a_picture_needs_a_browser_and_a_png(owned: Path) -> None:
    page = owned.parent / "hay.html"
    assert "Say --render" in run("wrapper", "picture", owned, page, "-o", owned.parent / "x.png").output
    assert run("wrapper", "picture", owned, page, "-o", owned.parent / "x.gif", "--render").exit_code == 2


@pytest.mark.browser
def test_values_are_framed_on_a_picture_of_the_page(owned: Path) -> None:
    well, drawn = save(owned.parent, "well", shelf.old_page(shelf.WELL)), owned.parent / "x.png"
    assert run("wrapper", "picture", owned, well, "-o", drawn, "--render").exit_code == 0
    picture = Image.open(BytesIO(drawn.read_bytes())).convert("RGB")
    page = windrow.load(well)
    box = read(owned).extract(page).located["title"][0].box
    assert box is not None
    assert picture.getpixel((int(box[0]) + 20, int(box[1]) - 1)) == (0, 114, 178)
    assert picture.getpixel((int(box[2]) + 100, int(box[3]) + 1)) == (255, 255, 255)
    bare = run("wrapper", "picture", owned, save(owned.parent, "bare", "<p>Nothing</p>"), "-o", drawn, "--render")
    assert (bare.exit_code, "title is missing" in bare.output) == (6, True)


def test_labels_that_another_example_leaves_out_are_named(owned: Path) -> None:
    page = save(owned.parent, "barn", shelf.old_page(shelf.BARN))
    result = run("wrapper", "add-example", owned, page, "--want", "title=Barn Owls", "--url", shelf.OTHER)
    assert f"Nothing was pasted for price, shop: {page} says nothing of them." in result.output
