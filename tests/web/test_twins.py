"""Every page has a twin: the same data as JSON, at the same address with ``.json``."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from barns import stock
from hostile_values import VALUES
from interface import Interface, serving

from windrow.web.screens import ROUTES

if TYPE_CHECKING:
    from collections.abc import Iterator

ADDRESSES = {route.path for route in ROUTES if "GET" in (route.methods or ())}
NO_PAGES = {
    "/login",
    "/pictures/{name}",
    "/pictures/{name}/words",
    "/read/{name}/{reader}/{number}/{format}",
    "/sources/{source}/captures/{number:number}/picture",
    "/sources/{source}/records/download/{form}",
    "/sources/{source}/runs/{number:number}/events",
}
"""What gives a file, a stream or nothing but a form."""
PAGES = sorted(path for path in ADDRESSES - NO_PAGES if not path.endswith(".json"))
FILLED = {"source": "barn", "name": quote(VALUES[7], safe=""), "label": "price", "which": "1-2"}
HEADING = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    with serving(tmp_path_factory.mktemp("twins"), "--no-schedule", private=False) as served:
        with served.open_store() as store:
            stock(store)
        yield served


def filled(path: str) -> str:
    """Return the address of something that is there."""
    return re.sub(r"\{(\w+)(:number)?\}", lambda match: FILLED.get(match[1], "1"), path)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_its_twin(stocked: Interface, path: str) -> None:
    twin = "/sources.json" if path == "/" else f"{path}.json"
    assert twin in ADDRESSES
    with stocked.client() as client:
        page, data = client.get(filled(path)), client.get(filled(twin))
    assert page.headers["content-type"].startswith("text/html")
    assert data.status_code == page.status_code
    if page.is_success:
        (heading,) = HEADING.findall(page.text)
        assert data.headers["content-type"] == "application/json"
        assert data.json()["heading"] == html.unescape(heading).strip()
    else:
        assert data.headers["content-type"] == "application/problem+json"
        assert data.json()["detail"] in html.unescape(page.text)


@pytest.mark.parametrize("path", sorted(NO_PAGES - {"/login"}))
def test_what_has_no_twin_is_no_page(stocked: Interface, path: str) -> None:
    with stocked.client() as client, client.stream("GET", filled(path.replace("{form}", "csv"))) as answer:
        assert not (answer.is_success and answer.headers["content-type"].startswith("text/html"))
