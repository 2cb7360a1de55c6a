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
from interface import Interface, log_in, serving
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page as Tab

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "web.md"
TO_DEFINITIONS = (("table>", "dl>"), ("<tr><th>", "<dt>"), ("</th><td>", "</dt><dd>"), ("</td></tr>", "</dd>"))
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
        self.tab, self.url, self.pictures = tab, interface.url, pictures
        tab.set_default_timeout(SECONDS)

    def picture(self, name: str) -> None:
        self.tab.screenshot(path=self.pictures / f"web-{name}.png")

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
        tab.goto(f"{self.url}/sources/new")
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
        tried = tab.get_by_role("table", name="Other pages")
        expect(tried).to_contain_text("Grey Goose")
        tried.scroll_into_view_if_needed()
        self.picture("try")
        self.fill("Source name", "quillfold")
        tab.get_by_role("combobox", name="Key").select_option("number")
        self.fill("Schedule", "6 hours")
        self.press("Save source")
        tab.wait_for_url(f"{self.url}/sources/quillfold*")

    def run(self, ending: str) -> None:
        self.tab.goto(f"{self.url}/sources/quillfold")
        self.press("Run now")
        expect(self.tab.get_by_role("status", name="Run status")).to_contain_text(
            re.compile("Finished|Failed|Stopped|Deferred"), timeout=SECONDS
        )
        expect(self.tab.get_by_role("status", name="Run status")).to_contain_text(ending)

    def state(self) -> str:
        self.tab.goto(f"{self.url}/sources/quillfold")
        return self.tab.get_by_role("status", name="Source status").inner_text()


@pytest.mark.browser
@pytest.mark.timeout(400)
def test_the_story_of_the_document(tmp_path: Path, tab: Tab) -> None:
    pictures = Path(os.environ.get("WINDROW_PICTURES", tmp_path))
    files = tmp_path / "sites"
    with orchards(files) as site, serving(tmp_path, "--no-schedule") as interface:
        with interface.client() as client:
            client.get("/")
        log_in(tab, interface)
        story = Story(tab, interface, pictures)
        story.add(site)
        assert "Not run yet" in story.state()
        set_rate(interface)
        story.run("Finished")
        story.picture("run")
        assert "Good" in story.state()

        tab.goto(f"{interface.url}/sources/quillfold/records")
        expect(tab.get_by_role("table", name="Records").get_by_role("row")).to_have_count(13)
        story.picture("records")
        tab.get_by_role("searchbox", name="Search").fill("grey goose")
        story.press("Show")
        tab.get_by_role("link", name=re.compile("^Open record")).first.click()
        expect(tab.get_by_role("table", name="Values")).to_contain_text("28.50 €")
        tab.get_by_role("link", name=re.compile("^Where it stands: price")).click()
        expect(tab.get_by_role("img", name="Picture of the page")).to_be_visible()
        expect(tab.get_by_role("list", name="Marks").get_by_role("img", name="price")).to_be_visible()
        story.picture("where")

        for path in files.glob("quillfold/trees/*.html"):
            text = path.read_text("utf-8")
            for old, new in TO_DEFINITIONS:
                text = text.replace(old, new)
            path.write_text(text, "utf-8")
        story.run("Finished")
        assert "Healed" in story.state()
        tab.goto(f"{interface.url}/sources/quillfold/changes")
        tab.get_by_role("link", name=re.compile("^See the change")).first.click()
        for name in ("Bar-tree before", "Bar-tree after"):
            expect(tab.get_by_role("img", name=name)).to_be_visible()
        tab.get_by_role("img", name="Bar-tree before").scroll_into_view_if_needed()
        story.picture("change")

        (files / "quillfold/trees/amber-lantern.html").unlink()
        story.run("Deferred")
        assert "Deferred" in story.state()
        tab.goto(f"{interface.url}/warnings")
        expect(tab.get_by_role("table", name="Warnings")).to_contain_text(re.compile("gone", re.IGNORECASE))
        story.picture("warnings")
        tab.get_by_role("link", name=re.compile("^Choose another text")).first.click()
        story.fill("Address", f"{site}/quillfold/trees/grey-goose.html")
        story.press("Load page")
        story.paste({"name": "Grey Goose", "number": "Q-110", "price": "28.50 €"})
        story.press("Save source")
        tab.wait_for_url(re.compile("/sources/quillfold"))
        story.run("Finished")
        assert "Good" in story.state() or "Healed" in story.state()


def set_rate(interface: Interface) -> None:
    """Let our own server be asked more often than strangers' are."""
    from windrow.harvest.sources import change  # noqa: PLC0415 - with the store

    with interface.open_store() as store:
        change(store, "quillfold", {"manners.rate": "50"}, say=print)


def test_the_pictures_of_the_document_are_there() -> None:
    for name in re.findall(r"\(pictures/(web-[a-z]+\.png)\)", DOCUMENT.read_text("utf-8")):
        assert (DOCUMENT.parent / "pictures" / name).stat().st_size > 5_000, name
