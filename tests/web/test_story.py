"""The story of docs/web.md in a real browser, from an empty store on; its pictures are those of the document.

``WINDROW_PICTURES=docs/pictures pytest tests/web/test_story.py`` makes them anew.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from harvesting import add_source, harvest, seen
from interface import Interface, log_in, serving
from names import ADDRESSES, HEADINGS, NAMES, RUN_HAS_ENDED, STATES, WARNINGS, find
from playwright.sync_api import expect

from windrow.web import source_states

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page as Tab

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "web.md"
TO_DEFINITIONS = (("table>", "dl>"), ("<tr><th>", "<dt>"), ("</th><td>", "</dt><dd>"), ("</td></tr>", "</dd>"))
PAGING = {"records.next", "records.previous"}
SECONDS = 60_000
PASTED = {"name": "Amber Lantern", "number": "Q-101", "price": "28.00 €"}


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def orchards(folder: Path) -> Iterator[str]:
    """Serve a copy of the example sites, and return where they are."""
    shutil.copytree(ROOT / "examples" / "orchards" / "sites", folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Story:
    """Somebody at the browser."""

    def __init__(self, tab: Tab, interface: Interface, pictures: Path) -> None:
        self.tab, self.interface, self.url, self.pictures = tab, interface, interface.url, pictures
        self.seen: set[str] = set()
        tab.set_default_timeout(SECONDS)

    def picture(self, name: str) -> None:
        self.tab.screenshot(path=self.pictures / f"web-{name}.png")

    def check(self) -> None:
        """See that everybody can use the screen as it is now, light and dark, on a phone and on a desk."""
        found = []
        for width in (320, 1280):
            self.tab.set_viewport_size({"width": width, "height": 900})
            for scheme in ("dark", "light"):
                self.tab.emulate_media(color_scheme=scheme)
                found += [f"{width} {scheme} {each['id']}" for each in Axe().run(self.tab).response["violations"]]
            if self.tab.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                found.append(f"{width} wider than the window")
        assert not found, self.tab.url

    def press(self, name: str) -> None:
        self.tab.get_by_role("button", name=name, exact=True).first.click()
        self.tab.wait_for_load_state()

    def fill(self, name: str, text: str) -> None:
        self.tab.get_by_role("textbox", name=name, exact=True).fill(text)

    def paste(self, texts: dict[str, str]) -> None:
        for number, (label, text) in enumerate(texts.items(), 1):
            group = self.tab.get_by_role("group", name=f"Field {number}", exact=True)
            if not group.count():
                self.press("Add field")
            group.get_by_role("textbox", name="Label", exact=True).fill(label)
            group.get_by_role("textbox", name="Text", exact=True).fill(text)

    def add(self, site: str) -> None:
        tab = self.tab
        self.open("new")
        self.fill("Address", f"{site}/quillfold/trees/amber-lantern.html")
        self.press("Load page")
        expect(tab.get_by_role("img", name="Picture of the page")).to_be_visible()
        self.paste(PASTED)
        self.press("Preview")
        expect(tab.get_by_role("table", name="Preview")).to_contain_text("Q-101")
        tab.get_by_role("img", name="Picture of the page").scroll_into_view_if_needed()
        self.picture("setup")
        tab.get_by_role("radio", name="Pages linked from a list").check()
        self.fill("Addresses", f"{site}/quillfold/index.html")
        tab.get_by_role("checkbox", name="Follow the next page").check()
        others = [f"{site}/quillfold/trees/{name}.html" for name in ("widow-tansley", "grey-goose", "candle-plum")]
        self.fill("Other pages to try", "\n".join(others))
        self.press("Try")
        self.see(*(name for name in NAMES if name.startswith("setup.")))
        tried = tab.get_by_role("table", name="Other pages")
        expect(tried).to_contain_text("Grey Goose")
        tried.scroll_into_view_if_needed()
        self.picture("try")
        self.check()
        self.fill("Source name", "quillfold")
        tab.get_by_role("combobox", name="Key").select_option("number")
        self.fill("Schedule", "6 hours")
        self.press("Save source")
        tab.wait_for_url(f"{self.url}/sources/quillfold*")

    def run(self, ending: str) -> None:
        self.open("source")
        self.see("source.run", "source.status", "source.edit", "source.records")
        self.press("Run now")
        self.see("run.status")
        expect(find(self.tab, "run.status")).to_contain_text(re.compile(RUN_HAS_ENDED), timeout=SECONDS)
        expect(self.tab.get_by_role("status", name="Run status")).to_contain_text(ending)

    def state(self) -> str:
        self.open("source")
        return self.tab.get_by_role("status", name="Source status").inner_text()

    def see(self, *names: str) -> None:
        """See that things are found by their names, each of which is checked off."""
        for name in names:
            expect(find(self.tab, name).first, name).to_be_attached()
        self.seen.update(names)

    def open(self, screen: str, source: str = "quillfold") -> None:
        """Open a screen by its address, and see its heading."""
        self.tab.goto(self.url + ADDRESSES[screen].format(source=source))
        heading = self.tab.get_by_role("heading", level=1, name=HEADINGS[screen].format(source=source), exact=True)
        expect(heading).to_be_visible()

    def log_in(self) -> None:
        self.open("login")
        self.see("login.password", "login.submit", "frame.skip")
        find(self.tab, "login.password").fill("not this one")
        self.press("Log in")
        self.see("messages.error")
        log_in(self.tab, self.interface)
        self.see("login.out", *(name for name in NAMES if name.startswith("frame.")))

    def look(self) -> None:
        """Look at what a run gave, up to where a value stands."""
        tab = self.tab
        self.open("records")
        expect(tab.get_by_role("table", name="Records").get_by_role("row")).to_have_count(13)
        self.see(*(name for name in NAMES if name.startswith("records.") and name not in PAGING))
        self.picture("records")
        tab.get_by_role("searchbox", name="Search").fill("grey goose")
        self.press("Show")
        find(tab, "records.open").first.click()
        expect(tab.get_by_role("table", name="Values")).to_contain_text("28.50 €")
        self.see("record.values", "record.history", "record.where")
        find(tab, "record.where").click()
        expect(tab.get_by_role("img", name="Picture of the page")).to_be_visible()
        expect(tab.get_by_role("list", name="Marks").get_by_role("img", name="price")).to_be_visible()
        self.see("page.picture", "page.marks", "page.mark")
        self.picture("where")
        self.check()
        self.open("records", "many")
        self.see("records.next")
        find(tab, "records.next").click()
        self.see("records.previous")

    def see_change(self) -> None:
        """Look at a heal: what stood where, before and after."""
        self.open("changes")
        self.see("changes.table", "changes.open")
        find(self.tab, "changes.open").first.click()
        for name in ("Picture before", "Picture after"):
            expect(self.tab.get_by_role("img", name=name)).to_be_visible()
        self.see("changes.before", "changes.after")
        self.tab.get_by_role("img", name="Bar-tree before").scroll_into_view_if_needed()
        self.picture("change")
        self.check()
        self.open("warnings")
        expect(find(self.tab, "warnings.table")).to_contain_text(re.compile("healed", re.IGNORECASE))
        self.see(*(name for name in NAMES if name.startswith("warnings.") and name != "warnings.choose"))

    def mend(self, site: str) -> None:
        """Choose another text where a warning leads."""
        tab = self.tab
        self.open("warnings")
        expect(tab.get_by_role("table", name="Warnings")).to_contain_text(re.compile("gone", re.IGNORECASE))
        self.see("warnings.choose")
        self.picture("warnings")
        find(tab, "warnings.choose").first.click()
        expect(tab.get_by_role("img", name="Picture of the page")).to_be_visible()
        for number, (label, text) in enumerate(PASTED.items(), 1):
            group = tab.get_by_role("group", name=f"Field {number}", exact=True)
            expect(group.get_by_role("textbox", name="Label", exact=True)).to_have_value(label)
            expect(group.get_by_role("textbox", name="Text", exact=True)).to_have_value(text)
        self.fill("Address", f"{site}/quillfold/trees/grey-goose.html")
        self.press("Load page")
        self.paste({"name": "Grey Goose", "number": "Q-110", "price": "28.50 €"})
        self.press("Save source")
        tab.wait_for_url(re.compile("/sources/quillfold"))

    def read(self, site: str) -> None:
        """Read a page once."""
        self.open("read")
        self.see("read.address", "read.go")
        self.fill("Address", f"{site}/quillfold/index.html")
        self.press("Read")
        self.see("read.title", "read.tables", "read.records")
        self.check()

    def see_states(self) -> None:
        """See every state of warnings under its own name."""
        for state, word in WARNINGS.items():
            self.open("warnings")
            find(self.tab, "warnings.state").select_option(word)
            self.press("Show")
            assert f"state={state}" in self.tab.url


def redesign(files: Path) -> None:
    """Give the site another template."""
    for path in files.glob("quillfold/trees/*.html"):
        text = path.read_text("utf-8")
        for old, new in TO_DEFINITIONS:
            text = text.replace(old, new)
        path.write_text(text, "utf-8")


@pytest.mark.browser
@pytest.mark.timeout(400)
def test_the_story_of_the_document(tmp_path: Path, tab: Tab) -> None:
    pictures = Path(os.environ.get("WINDROW_PICTURES", tmp_path))
    files = tmp_path / "sites"
    with orchards(files) as site, serving(tmp_path, "--no-schedule") as interface:
        story = Story(tab, interface, pictures)
        story.log_in()
        story.add(site)
        assert STATES["new"] in story.state()
        set_rate(interface)
        add_many(interface)
        story.run("Finished")
        story.picture("run")
        story.check()
        assert STATES["good"] in story.state()
        story.check()
        story.look()
        story.read(site)

        redesign(files)
        story.run("Finished")
        assert STATES["healed"] in story.state()
        story.see_change()

        (files / "quillfold/trees/amber-lantern.html").unlink()
        story.run("Deferred")
        assert STATES["deferred"] in story.state()
        story.mend(site)
        story.run("Finished")
        assert story.state() in {STATES["good"], STATES["healed"]}
        story.see_states()
        for screen in HEADINGS.keys() - {"login"}:
            story.open(screen)
        assert story.seen == NAMES.keys()
        assert all(tab.request.get(interface.url + each.format(source="many")).ok for each in ADDRESSES.values())


def test_states_have_the_names_that_people_know() -> None:
    assert source_states.NAMES == STATES


def add_many(interface: Interface) -> None:
    """Store a source with more records than a page shows."""
    with interface.open_store() as store:
        add_source(
            store, "many", {"name": "many", "start": ["https://orchard.example/"], "read": {"reader": "records"}}
        )
        harvest(store, {"1": [seen(f"k{number}", title=f"tree {number}") for number in range(120)]}, name="many")


def set_rate(interface: Interface) -> None:
    """Let our own server be asked more often than strangers' are."""
    from windrow.harvest.sources import change  # noqa: PLC0415 - with the store

    with interface.open_store() as store:
        change(store, "quillfold", {"manners.rate": "50"}, say=print)


def test_the_pictures_of_the_document_are_there() -> None:
    for name in re.findall(r"\(pictures/(web-[a-z]+\.png)\)", DOCUMENT.read_text("utf-8")):
        assert (DOCUMENT.parent / "pictures" / name).stat().st_size > 5_000, name
