"""Everybody can use the screens: axe-core finds nothing, light and dark, on a phone and on a desk; pages stay light."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from barns import stock
from hostile_values import VALUES
from interface import PASSWORD, Interface, log_in, serving
from names import find

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Response
    from playwright.sync_api import Page as Tab

MISSING = "/nothing-here"
SCREENS = (
    "/",
    "/sources/new",
    "/sources/barn",
    "/sources/barn/edit",
    "/sources/barn/records",
    "/sources/barn/records/1",
    "/sources/barn/runs",
    "/sources/barn/runs/1",
    "/sources/barn/changes",
    "/warnings",
    "/collections",
    "/collections/new",
    f"/collections/{quote(VALUES[7], safe='')}",
    f"/collections/{quote(VALUES[7], safe='')}/remove",
    "/read",
    "/settings",
    MISSING,
)
ONCE = {
    "/": ("login.out", "frame.nav", "frame.skip", "frame.sources", "frame.warnings", "frame.read", "frame.settings"),
    "/sources/new": (
        *("setup.address", "setup.load", "setup.region", "setup.field", "setup.label", "setup.text", "setup.add"),
        *("setup.preview", "setup.name", "setup.only", "setup.list", "setup.these", "setup.addresses", "setup.next"),
        *("setup.key", "setup.schedule", "setup.next_runs", "setup.tries", "setup.try", "setup.save"),
    ),
    "/sources/barn": ("source.run", "source.status", "source.edit", "source.records"),
    "/sources/barn/edit": ("setup.save",),
    "/sources/barn/records": (
        *("records.table", "records.search", "records.show", "records.facets"),
        *("records.csv", "records.jsonl", "records.xlsx"),
    ),
    "/sources/barn/records/1": ("record.values", "record.history", "record.where"),
    "/sources/barn/runs/1": ("run.status",),
    "/sources/barn/changes": ("changes.table",),
    "/warnings": ("warnings.table", "warnings.state", "warnings.show"),
    "/warnings?state=resolved": ("warnings.table",),
    "/read": ("read.address", "read.go"),
}
"""What is on a screen exactly once, so that whoever presses it by its name presses no other."""
STACKED = (
    ("sources/barn/records/1", "Values"),
    ("sources/barn/records/1", "History"),
    ("sources/barn/records", "Records"),
    ("sources/barn/runs", "Runs"),
    ("sources/barn/runs/1", "Pages"),
    ("sources/barn/changes", "Changes"),
    ("collections", "Collections"),
    (f"collections/{quote(VALUES[7], safe='')}", "Mapping"),
    (f"collections/{quote(VALUES[7], safe='')}", "Rows"),
)
"""Tables that are cards on a phone."""
HEAVIEST = 100_000
MOST_REQUESTS = 8


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    with serving(tmp_path_factory.mktemp("everybody"), "--no-schedule") as served:
        with served.open_store() as store:
            stock(store)
        yield served


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_axe_finds_nothing(stocked: Interface, engine: Browser, scheme: str, width: int) -> None:
    context = engine.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type] # of its names
    tab = context.new_page()
    log_in(tab, stocked)
    found = []
    for path in SCREENS:
        answer = tab.goto(f"{stocked.url}{path}")
        assert answer is not None
        assert answer.ok != (path == MISSING), path
        for violation in Axe().run(tab).response["violations"]:
            places = [node["target"] for node in violation["nodes"]]
            found.append(f"{path}: {violation['id']}: {violation['help']}: {places[:3]}")
        if tab.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            found.append(f"{path}: wider than the window")
    context.close()
    assert not found, "\n".join(found)


@pytest.mark.browser
def test_what_is_there_once_has_its_name_alone(stocked: Interface, tab: Tab) -> None:
    log_in(tab, stocked)
    found = {}
    for path, names in ONCE.items():
        tab.goto(f"{stocked.url}{path}")
        for name in names:
            if (count := find(tab, name).count()) != 1:
                found[path, name] = count
    assert not found


@pytest.mark.browser
def test_a_phone_shows_what_can_be_done_without_scrolling_aside(stocked: Interface, tab: Tab) -> None:
    log_in(tab, stocked)
    tab.set_viewport_size({"width": 320, "height": 800})
    tab.goto(f"{stocked.url}/settings")
    tab.get_by_role("textbox", name="Name of a new token").fill("of a phone")
    tab.get_by_role("button", name="Make a token").click()
    revoke = tab.get_by_role("button", name="Revoke of a phone").bounding_box()
    assert revoke is not None
    assert revoke["x"] + revoke["width"] <= 320
    for path, table in STACKED:
        tab.goto(f"{stocked.url}/{path}")
        for cell in tab.get_by_role("table", name=table).get_by_role("cell").all()[:20]:
            box = cell.bounding_box()
            assert box is None or box["x"] + box["width"] <= 320, (table, cell.inner_text())
    tab.goto(f"{stocked.url}/sources/barn/records")
    order = tab.get_by_role("table", name="Records").get_by_role("link", name="sku", exact=True)
    order.click()
    assert "sort=sku" in tab.url
    header = tab.get_by_role("banner").bounding_box()
    assert header is not None
    assert header["height"] <= 130


@pytest.mark.browser
def test_screens_are_light_and_ask_for_little(stocked: Interface, tab: Tab) -> None:
    log_in(tab, stocked)
    weights: list[tuple[str, int]] = []

    def weigh(answer: Response) -> None:
        if not answer.headers.get("content-type", "").startswith("image/"):
            weights.append((answer.url, len(answer.body())))

    tab.on("response", weigh)
    for path in SCREENS:
        weights.clear()
        tab.goto(f"{stocked.url}{path}")
        tab.wait_for_load_state("networkidle")
        assert len(weights) <= MOST_REQUESTS, weights
        assert sum(size for _, size in weights) <= HEAVIEST, (path, weights)


@pytest.mark.browser
def test_the_first_stop_of_the_keyboard_leads_past_the_navigation(stocked: Interface, tab: Tab) -> None:
    log_in(tab, stocked)
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Skip to content"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "content"


def reach(tab: Tab, name: str) -> None:
    """Go on with the tabulator until something has the focus that begins with a name."""
    for _ in range(120):
        tab.keyboard.press("Tab")
        said = tab.evaluate(
            """() => {
                const at = document.activeElement;
                return (at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent).trim();
            }"""
        )
        if said.startswith(name):
            return
    raise AssertionError(f"{name} is not reached")


@pytest.mark.browser
def test_journeys_need_no_pointer(stocked: Interface, tab: Tab) -> None:
    """Log in, search, open a record, acknowledge a warning, make a token, say what a collection is: by keys alone."""
    tab.set_default_timeout(20_000)
    tab.goto(f"{stocked.url}/login")
    tab.get_by_label("Password").focus()
    tab.keyboard.type(PASSWORD)
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"{stocked.url}/")
    steps: dict[str, tuple[tuple[str, ...], str]] = {
        "a source": (("barn",), "/sources/barn"),
        "its records": (("Records",), "/sources/barn/records"),
        "a search": (("Search", "=again", "Show"), "search=again"),
        "a record": (("Open record",), "/sources/barn/records/"),
        "its source": (("Overview",), "/sources/barn"),
        "the warnings": (("Warnings",), "/warnings"),
        "one that is known": (("Acknowledge",), "done=acknowledged"),
        "the settings": (("Settings",), "/settings"),
        "a token": (("Name of a new token", "=by keys", "Make a token"), "/settings/tokens"),
        "the collections": (("Collections",), "/collections"),
        "a new one": (("Add a collection",), "/collections/new"),
    }
    for step, (keys, where) in steps.items():
        for key in keys:
            if key.startswith("="):
                tab.keyboard.type(key[1:])
            else:
                reach(tab, key)
        tab.keyboard.press("Enter")
        tab.wait_for_url(re.compile(re.escape(where)))
        assert tab.get_by_role("alert").count() == 0, step
