"""Where a value stands: framed on the page that was kept, on the page as it is now, or said to be gone."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pytest
from fields import Field
from interface import log_in, serving
from nursery import Server, Site, grow, price_of
from PIL import Image

import windrow
from windrow.nodes import find_by_xpath
from windrow.web.redrawing import page_to_svg
from windrow.web.screens.where import locate, quote_around

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page as Tab

PAGE = "<main><h1>Pear</h1><p>Price: <b>£5</b></p><p>Now <a href=/buy>buy</a> for £5</p></main>"


@pytest.fixture
def plot(tmp_path: Path) -> Iterator[Field]:
    from windrow.store import open_store  # noqa: PLC0415 - few tests need it

    with Server(Site(trees=grow(6))) as server, open_store(tmp_path / "windrow.db") as store:
        yield Field(store, server)


def test_a_value_is_found_by_its_path_and_verified_by_its_text() -> None:
    page = windrow.parse(PAGE, url="https://pears.example/")
    node = int(page.nodes.tag.where("b")[0])
    path = page.xpath(node)
    assert find_by_xpath(page.nodes, path) == node
    (spot,) = locate(page, ["£5"], path).spots
    assert page.text[: spot.start].endswith("Price: ")
    moved = windrow.parse(PAGE.replace("<b>£5</b>", "<i>£6</i>"), url="https://pears.example/")
    assert "any more; the same text" in locate(moved, ["£5"], path).note
    assert locate(moved, ["£9"], path).spots == ()
    assert "not on this page" in locate(moved, ["£9"], path).note


@pytest.mark.parametrize("tag", ["h1", "b", "a", "p"])
def test_every_path_leads_back(tag: str) -> None:
    page = windrow.parse(PAGE)
    for node in page.nodes.tag.where(tag).tolist():
        assert find_by_xpath(page.nodes, page.xpath(node)) == node
        for child in page.nodes.children(node).tolist():
            assert find_by_xpath(page.nodes, page.xpath(child)) == child
    assert find_by_xpath(page.nodes, "/html/body/nothing") is None


@pytest.mark.browser
def test_a_kept_page_is_drawn_again_where_everything_stood() -> None:
    page = windrow.parse(f"<style>b{{color:#c00;font-size:30px}}</style>{PAGE}<p>&lt;script&gt;", render=True)
    assert page.nodes.layout is not None
    drawn = windrow.parse(page_to_svg(page, page.nodes.layout), render=True, options=windrow.Options(screenshot=True))
    assert "<script" not in drawn.html.replace("&lt;script", "")
    assert drawn.nodes.layout is not None
    texts = {
        drawn.nodes.text[node]: drawn.nodes.layout.box[node]
        for node in np.flatnonzero(drawn.nodes.layout.visible).tolist()
    }
    for node in page.nodes.tag.where("h1", "b").tolist():
        inner = int(page.nodes.children(node)[0])
        assert np.allclose(texts[page.nodes.text[inner]][::2], page.nodes.layout.box[inner][::2], atol=3)


@pytest.mark.browser
@pytest.mark.parametrize("holder", ["html", "body"])
def test_a_page_that_is_drawn_again_has_its_colour_down_to_the_bottom(holder: str) -> None:
    page = windrow.parse(f"<style>{holder}{{background:rgb(0, 0, 200);width:300px}}</style><p>Pear", render=True)
    assert page.nodes.layout is not None
    options = windrow.Options(screenshot=True)
    drawn = windrow.parse(page_to_svg(page, page.nodes.layout), render=True, options=options).screenshot
    assert drawn is not None
    with Image.open(BytesIO(drawn)) as picture:
        assert picture.convert("RGB").getpixel((picture.width - 5, picture.height - 5)) == (0, 0, 200)


def test_what_stands_around_a_value_is_whole_words() -> None:
    around = "and a very long sentence before and behind what is sought, that is cut off somewhere"
    page = windrow.parse(
        f"<p>{around} £5 {around}</p><p lang=zh>{'梨' * 100}£6{'梨' * 100}", url="https://pears.example/"
    )
    (spot,) = locate(page, ["£5"], "").spots
    shown = quote_around(page, spot)
    assert shown["before"] == "… and behind what is sought, that is cut off somewhere "
    assert shown["after"] == " and a very long sentence before and behind what is sought, …"
    (spot,) = locate(page, ["£6"], "").spots
    assert quote_around(page, spot)["before"] == "…" + "梨" * 60
    (spot,) = locate(windrow.parse("<p>now £7 only"), ["£7"], "").spots
    assert quote_around(page=windrow.parse("<p>now £7 only"), spot=spot) == {
        "before": "now ",
        "text": "£7",
        "after": " only",
    }


@pytest.mark.browser
@pytest.mark.parametrize("kept", ["rendered", "html", "not kept"])
def test_a_value_is_framed_where_it_stands(tab: Tab, plot: Field, tmp_path: Path, kept: str) -> None:
    render = {"render": kept == "rendered"}
    plot.add(plot.learn(), network=render, keep={"pages": kept != "not kept"}, follow={"next": "none"})
    assert plot.harvest().state == "whole"
    tree = plot.site.trees[2]
    with plot.store.reading() as connection:
        row = connection.exec_driver_sql("SELECT id FROM windrow_record WHERE key LIKE '%T-0002%'").first()
    assert row is not None
    if kept != "not kept":
        plot.site.trees[2] = tree.__class__(tree.sku, tree.name, 1, tree.grower, tree.year)
    with serving(tmp_path, "--no-schedule") as desk:
        log_in(tab, desk)
        tab.goto(f"{desk.url}/sources/orchard/records/{row[0]}/where/price")
        assert tab.get_by_role("img", name="Picture of the page").is_visible()
        mark = tab.get_by_role("list", name="Marks").get_by_role("img", name="price")
        assert mark.count() == 1
        assert price_of(tree, "en") in tab.get_by_role("main").inner_text()
        said = "as it is now" if kept == "not kept" else "as it was kept"
        assert tab.get_by_text(said).is_visible()
        assert tab.get_by_text("drawn anew").count() == (kept == "rendered")
        tab.goto(f"{desk.url}/sources/orchard/records/{row[0]}/where/nothing")
        assert "no nothing" in tab.get_by_role("alert").inner_text()


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 1280])
def test_a_long_label_makes_no_screen_wider_than_the_window(tab: Tab, plot: Field, tmp_path: Path, width: int) -> None:
    plot.add(plot.learn(), network={"render": False}, keep={"pages": True}, follow={"next": "none"})
    assert plot.harvest().state == "whole"
    label = "y" * 150
    with plot.store.writing() as connection:
        connection.exec_driver_sql("UPDATE windrow_field SET label = ? WHERE label = 'price'", (label,))
    with serving(tmp_path, "--no-schedule") as desk:
        tab.set_viewport_size({"width": width, "height": 800})
        log_in(tab, desk)
        for path in ("records", "records/1", f"records/1/where/{label}"):
            tab.goto(f"{desk.url}/sources/orchard/{path}")
            assert label in tab.get_by_role("main").inner_text()
            assert tab.evaluate("document.documentElement.scrollWidth") <= width, path
