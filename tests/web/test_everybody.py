"""Everybody can use the screens: axe-core finds nothing, light and dark, on a phone and on a desk; pages stay light."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from barns import stock
from interface import Interface, log_in, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Response
    from playwright.sync_api import Page as Tab

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
    "/read",
    "/settings",
    "/nothing-here",
)
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
        tab.goto(f"{stocked.url}{path}")
        for violation in Axe().run(tab).response["violations"]:
            places = [node["target"] for node in violation["nodes"]]
            found.append(f"{path}: {violation['id']}: {violation['help']}: {places[:3]}")
        if tab.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            found.append(f"{path}: wider than the window")
    context.close()
    assert not found, "\n".join(found)


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
