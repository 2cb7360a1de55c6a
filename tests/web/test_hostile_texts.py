"""Whatever pages say is text on every screen: nothing of it runs, loads, leads away, or leaves its place."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from barns import NAMES, stock
from hostile_values import VALUES, Watch
from interface import Interface, log_in, serving
from nursery import File, Server, Site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page as Tab


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    with serving(tmp_path_factory.mktemp("hostile"), "--no-schedule") as served:
        with served.open_store() as store:
            stock(store)
        yield served


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Interface]:
    """Return an interface on which nobody has read pages in the last minute: so many are the most that it reads."""
    with serving(tmp_path, "--no-schedule") as served:
        yield served


def paths(served: Interface) -> list[str]:
    """Return the address of every screen that shows texts of pages."""
    found = ["/", "/warnings", "/warnings?state=all", "/collections", f"/collections/{quote(VALUES[7], safe='')}"]
    for name in NAMES:
        source = f"/sources/{quote(name, safe='')}"
        found += [source, f"{source}/records", f"{source}/runs", f"{source}/changes", f"{source}/edit"]
        with served.client() as client:
            records = client.get(f"{source}/records.json").json()["records"]
        found += [f"{source}/records/{record['id']}" for record in records[:3]]
    return found


@pytest.mark.browser
def test_nothing_that_pages_say_runs_on_any_screen(stocked: Interface, tab: Tab) -> None:
    log_in(tab, stocked)
    watch = Watch(tab)
    for path in paths(stocked):
        watch.look(f"{stocked.url}{path}")
        assert tab.url.startswith(stocked.url)
    for value in VALUES:
        watch.look(f"{stocked.url}/sources/barn/records?search={quote(value, safe='')}")
    assert not watch.noticed


FORMS = {
    "a source": ("/sources/new", "Preview"),
    "another form of it": ("/sources/barn/edit", "Save source"),
    "a page": ("/read", "Read"),
    "a token": ("/settings", "Make a token"),
    "what sources begin with": ("/settings", "Save"),
    "a collection": ("/collections/new", "Save"),
    "a search": ("/sources/barn/records", "Show"),
    "pages at most": ("/sources/barn/runs", "Start"),
}


@pytest.mark.browser
@pytest.mark.parametrize("name", FORMS)
def test_nothing_that_people_type_runs(stocked: Interface, tab: Tab, name: str) -> None:
    """Over all turns, every value stands in every text field of a form; what comes back is looked at.

    Where a field holds an address a value stands alone, since it counts how it begins; else a few stand together.
    """
    path, button = FORMS[name]
    log_in(tab, stocked)
    watch = Watch(tab)
    tab.set_default_timeout(20_000)
    together = 1 if name in {"a source", "a page"} else 4
    texts = [" ".join(VALUES[at : at + together]) for at in range(0, len(VALUES), together)]
    for turn in range(len(texts)):
        watch.look(f"{stocked.url}{path}")
        filled = tab.evaluate(FILL, [button, texts[turn:] + texts[:turn]])
        assert filled, path
        tab.get_by_role("button", name=button, exact=True).click()
        tab.wait_for_load_state()
        assert tab.url.startswith(stocked.url)
        assert not tab.evaluate("window.windrowRan === true")
    assert not watch.noticed


FILL = """([button, values]) => {
    const pressed = [...document.querySelectorAll("main button")].find(each => each.textContent.trim() === button);
    document.querySelectorAll("main details").forEach(each => { each.open = true; });
    const boxes = [...pressed.form.elements].filter(each =>
        each.matches("textarea, input:is(:not([type]), [type=text], [type=search])") && !each.readOnly);
    boxes.forEach((box, number) => {
        box.value = values[number % values.length];
        box.removeAttribute("maxlength");
        box.dispatchEvent(new Event("input", { bubbles: true }));
    });
    return boxes.length;
}"""


@pytest.mark.browser
def test_nothing_of_a_harvested_page_runs(fresh: Interface, tab: Tab) -> None:
    """The values come over the wire this time: as texts, titles, attributes and addresses of a list of things."""
    rows = "".join(
        f"<article><h2><a href='/{number}?{quote(value)}' title='{escape(value)}'>{escape(value)}</a></h2>"
        f"<p>{number},00 EUR</p></article>"
        for number, value in enumerate(VALUES)
    )
    head = f"<!doctype html><html><head><title>{escape(VALUES[0])}</title></head><body>"
    with Server(Site(files={"/things": File(f"{head}<h1>{escape(VALUES[2])}</h1>{rows}")})) as site:
        log_in(tab, fresh)
        watch = Watch(tab)
        tab.goto(f"{fresh.url}/read")
        tab.get_by_role("textbox", name="Address").fill(f"{site.url}/things")
        tab.get_by_role("button", name="Read", exact=True).click()
        tab.get_by_role("link", name="Harvest list 1").click()
        tab.get_by_role("textbox", name="Source name").fill("things")
        tab.get_by_role("button", name="Save source").click()
        tab.wait_for_url("**/sources/things*")
        tab.get_by_role("button", name="Run now").click()
        ended = tab.get_by_role("status", name="Run status").get_by_text("Finished")
        ended.wait_for(timeout=60_000)
        with fresh.client() as client:
            records = client.get("/sources/things/records.json").json()["records"]
        assert len(records) > len(VALUES) * 0.8
        paths = ["", "/edit", "/records", "/records?facets=1", "/runs", "/changes", f"/records/{records[0]['id']}"]
        for path in paths:
            watch.look(f"{fresh.url}/sources/things{path}")
        tab.get_by_role("link", name=re.compile("^Where it stands")).first.click()
        tab.get_by_role("img", name="Picture of the page").wait_for()
        assert not tab.evaluate("window.windrowRan === true")
    assert not watch.noticed


def test_downloads_leave_as_files(stocked: Interface) -> None:
    with stocked.client() as client:
        page = client.get("/sources/barn/records").text
        parts = [part.partition('"')[0].replace("&amp;", "&") for part in page.split('href="')[1:]]
        links = [part for part in parts if "/download/" in part]
        assert links
        for link in links:
            answer = client.get(link)
            assert answer.status_code == 200
            assert answer.headers["content-disposition"].startswith("attachment")
            assert answer.headers["x-content-type-options"] == "nosniff"
