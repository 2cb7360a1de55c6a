"""Everybody can use the screens: axe-core finds nothing, light and dark, on a phone and on a desk; pages stay light."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from barns import stock
from hostile_values import VALUES
from interface import Interface, log_in, serving

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
NAMES = {
    "/": [("heading", "Sources"), ("navigation", "Main"), ("link", "Skip to content"), ("button", "Log out")],
    "/sources/new": [
        ("heading", "Add a source"),
        *(("textbox", name) for name in ("Address", "Region of interest", "Addresses", "Other pages to try")),
        *(("textbox", name) for name in ("Source name", "Schedule", "Label", "Text")),
        *(("button", name) for name in ("Load page", "Add field", "Preview", "Try", "Save source")),
        *(("radio", name) for name in ("Only this page", "Pages linked from a list", "These addresses")),
        ("group", "Field 1"),
        ("checkbox", "Follow the next page"),
        ("combobox", "Key"),
        ("list", "Next runs"),
    ],
    "/sources/barn": [
        ("heading", "barn"),
        ("status", "Source status"),
        ("button", "Run now"),
        ("link", "Edit"),
        ("link", "Records"),
    ],
    "/sources/barn/edit": [("heading", "Edit barn"), ("button", "Save source")],
    "/sources/barn/records": [
        ("heading", "Records of barn"),
        ("table", "Records"),
        ("searchbox", "Search"),
        ("button", "Show"),
        ("navigation", "Facets"),
        *(("link", f"Download {form}") for form in ("CSV", "JSON lines", "XLSX")),
    ],
    "/sources/barn/records/1": [("table", "Values"), ("table", "History"), ("link", "Where it stands: price")],
    "/sources/barn/runs": [("heading", "Runs of barn"), ("table", "Runs")],
    "/sources/barn/runs/1": [("status", "Run status")],
    "/sources/barn/changes": [("heading", "Changes of barn"), ("table", "Changes")],
    "/warnings": [("heading", "Warnings"), ("table", "Warnings"), ("combobox", "State"), ("button", "Show")],
    "/warnings?state=resolved": [("table", "Warnings")],
    "/read": [("heading", "Read a page"), ("textbox", "Address"), ("button", "Read")],
    "/settings": [("heading", "Settings")],
}
"""What people, screen readers and programs that press buttons find things by, on each screen exactly once."""
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
def test_everything_is_found_by_its_role_and_name(stocked: Interface, tab: Tab) -> None:
    log_in(tab, stocked)
    found = {}
    for path, wanted in NAMES.items():
        tab.goto(f"{stocked.url}{path}")
        for role, name in wanted:
            if (count := tab.get_by_role(role, name=name, exact=True).count()) != 1:  # type: ignore[arg-type] # of its roles
                found[path, role, name] = count
    assert not found


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
