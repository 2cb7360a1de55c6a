"""Hostile pages: all of them without a browser, the most telling ones with it. The benchmark measures them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from attempt import attempt
from families import FAMILIES, IN_MEMORY, LIVE
from stage import HOME, Canaries, Site, html, staged

import windrow

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS = 8.0
"""What a page gets in these tests; the benchmark gives them more."""
TOO_LARGE_FOR_A_TEST = {
    "million-elements",
    "siblings",
    "huge-body",
    "gzip-bomb",
    "gzip-tower",
    "endless-body",
}
WITHOUT_A_BROWSER = [name for name in FAMILIES if name not in TOO_LARGE_FOR_A_TEST]

FROM_MEMORY = [
    *("refresh-to-private", "refresh-to-file", "refresh-to-blank", "refresh-in-disguise", "refresh-to-script"),
    *("base-to-private", "base-to-file", "frames-of-files", "frames-of-servers", "frames-of-scripts", "plugins"),
    *("prefetch", "speculation", "media", "sheet-addresses", "pictures", "sheets-of-files", "policy-reports"),
    *("nested-srcdoc", "nuls", "hidden-text", "lone-surrogates"),
]
ON_STAGE = [
    *(
        "fetches",
        "websocket",
        "webrtc",
        "webtransport",
        "workers",
        "popups",
        "autosubmit",
        "pings",
        "location-to-private",
    ),
    *(
        "location-to-file",
        "modules",
        "header-fetches",
        "redirect-to-private",
        "redirect-to-metadata",
        "redirect-to-ipv6",
    ),
    *("redirect-to-file", "dialogs", "microtasks", "few-dialogs", "downloads", "poisoned-builtins", "xml-entity"),
]
KEPT_BUSY = ["endless-loop", "late-endless-loop", "slow-drip", "wasm-loop"]


@pytest.fixture(autouse=True, scope="module")
def _closed() -> Iterator[None]:
    yield
    windrow.close()


def test_there_are_many_families() -> None:
    assert len(IN_MEMORY) >= 60
    assert len(LIVE) >= 60
    assert all(family.sentence.endswith(".") for family in FAMILIES.values())


@pytest.mark.parametrize("name", WITHOUT_A_BROWSER)
def test_without_a_browser(name: str) -> None:
    done = attempt(FAMILIES[name], render=False, seconds=2)
    assert done.faults(FAMILIES[name]) == []
    assert done.seconds < 10


@pytest.mark.browser
@pytest.mark.parametrize("name", FROM_MEMORY)
def test_laid_out(name: str) -> None:
    done = attempt(FAMILIES[name], render=True, seconds=SECONDS)
    assert done.faults(FAMILIES[name]) == []


@pytest.mark.browser
@pytest.mark.parametrize("name", ON_STAGE)
def test_live(name: str) -> None:
    done = attempt(FAMILIES[name], render=True, seconds=SECONDS)
    assert done.faults(FAMILIES[name]) == []


@pytest.mark.browser
@pytest.mark.parametrize("name", KEPT_BUSY)
def test_page_that_keeps_the_browser_busy_is_read_as_far_as_it_came(name: str) -> None:
    done = attempt(FAMILIES[name], render=True, seconds=6)
    assert done.faults(FAMILIES[name]) == []
    assert done.outcome == "limit+part"
    assert done.seconds < 9


@pytest.mark.browser
def test_canaries_are_alive() -> None:
    canaries = Canaries()
    page = f"<img src='{canaries.targets.http}/x'>"
    with Site({"/": html(page)}) as site:
        windrow.load(site.url, options=windrow.Options(allow_private=True))
    caught = canaries.caught
    canaries.close()
    assert [place for place in caught if place.startswith("TCP b'GET /x")]


@pytest.mark.browser
def test_what_the_guard_says_is_not_the_pages_text() -> None:
    frames = (
        "<p>Hay</p><iframe src=http://127.0.0.1:8/></iframe><iframe src=https://127.0.0.1/></iframe><iframe"
        " src=http://nowhere.test/></iframe>"
    )
    with Site({"/": html(frames)}) as site, staged(site):
        assert windrow.load(HOME).text == "Hay"
