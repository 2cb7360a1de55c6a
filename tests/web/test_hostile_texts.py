"""Whatever pages say is text on every screen: nothing of it runs, loads, leads away, or leaves its place."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from barns import NAMES, stock
from hostile_values import VALUES, Watch
from interface import Interface, log_in, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page as Tab


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    with serving(tmp_path_factory.mktemp("hostile"), "--no-schedule") as served:
        with served.open_store() as store:
            stock(store)
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


@pytest.mark.browser
def test_nothing_that_people_type_runs(stocked: Interface, tab: Tab) -> None:
    log_in(tab, stocked)
    watch = Watch(tab)
    tab.set_default_timeout(20_000)
    for path in ("/sources/new", "/read", "/settings"):
        for value in VALUES[::4]:
            watch.look(f"{stocked.url}{path}")
            for box in tab.get_by_role("textbox").all():
                if box.is_visible() and box.is_editable():
                    box.fill(value)
            tab.locator("main form button:visible:not([aria-hidden])").first.click()
            tab.wait_for_load_state()
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
