"""Reading a single page: by its address or from a file, with everything to take away."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from interface import csrf, log_in, serving
from nursery import Server, Site, grow

from windrow.web.gate import LARGER
from windrow.web.screens.reading import READS_A_MINUTE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from interface import Interface
    from playwright.sync_api import Page as Tab

TOP = (
    "<!doctype html><meta charset=utf-8><title>Top 5 pears of 2024</title><h1>Top 5 pears of 2024</h1>"
    + "".join(f"<h2>{n}. Pear {name}</h2><p>It is sweet.</p>" for n, name in enumerate("ABCDE", 1))
    + "<table><tr><th>Sort<th>Price<tr><td>=1+1<td>£5<tr><td>&lt;script&gt;alert(1)&lt;/script&gt;<td>£6</table>"
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    with serving(tmp_path_factory.mktemp("reading"), "--no-schedule") as served:
        yield served


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with Server(Site(trees=grow(24))) as server:
        yield server


def test_lists_that_were_not_read_whole_are_told(desk: Interface) -> None:
    rows = "".join(f"<li><a href=/{n}>Tree {n}</a> <b>{n} kg</b>" for n in range(60_000))
    html = f"<!doctype html><title>Trees</title><h1>Trees</h1><ul class=results>{rows}</ul>"
    with desk.client() as client:
        files = {"file": ("page.html", html, "text/html")}
        answer = client.post("/read", data={"csrf": csrf(client), "address": ""}, files=files, timeout=120)
    assert "A list has 35,000 more records than the 25,000 that were read." in answer.text


@pytest.mark.browser
def test_an_address_is_read_and_leads_to_a_source(tab: Tab, desk: Interface, site: Server) -> None:
    log_in(tab, desk)
    tab.goto(f"{desk.url}/read")
    tab.get_by_role("textbox", name="Address").fill(f"{site.url}/list")
    tab.get_by_role("button", name="Read", exact=True).click()
    for name in ("Title", "Ranked list", "Tables", "Records"):
        assert tab.get_by_role("region", name=name, exact=True).is_visible()
    assert tab.get_by_role("img", name="Picture of the page").is_visible()
    assert site.site.trees[0].name in tab.get_by_role("region", name="Records", exact=True).inner_text()
    with tab.expect_download() as waiting:
        tab.get_by_role("link", name="List 1 as CSV").click()
    assert site.site.trees[0].name in waiting.value.path().read_text("utf-8")
    tab.get_by_role("link", name="Harvest list 1").click()
    assert tab.get_by_role("heading", name="Add a source").is_visible()
    assert tab.get_by_role("textbox", name="Address", exact=True).input_value() == f"{site.url}/list"
    tab.get_by_role("button", name="Preview").click()
    rows = tab.get_by_role("table", name="Preview").get_by_role("row")
    assert rows.count() == 11
    tab.get_by_role("button", name="Try", exact=True).click()
    assert "Name other pages" in tab.get_by_role("alert").inner_text()
    tab.get_by_role("textbox", name="Other pages to try").fill("/list?page=2")
    tab.get_by_role("button", name="Try", exact=True).click()
    assert site.site.trees[10].name in tab.get_by_role("table", name="Other pages").inner_text()


def test_a_file_is_read_with_the_network_closed_and_everything_is_text(desk: Interface) -> None:
    with desk.client() as client:
        files = {"file": ("page.html", TOP, "text/html")}
        answer = client.post("/read", data={"csrf": csrf(client), "address": "https://pears.example/top"}, files=files)
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text
        assert "Pear A" in answer.text
        assert "promises 5" in answer.text
        assert len(answer.content) < 100_000
        assert "Harvest this" in answer.text
        # Nothing can be harvested without an address.
        files = {"file": ("page.html", TOP, "text/html")}
        nameless = client.post("/read", data={"csrf": csrf(client), "address": ""}, files=files).text
        assert "To harvest it, read it again with the address where it came from." in nameless
        assert "/sources/new?" not in nameless
        token = answer.text.partition("/read/")[2].partition("/")[0]
        table = client.get(f"/read/{token}/tables/1/json")
        assert table.headers["x-content-type-options"] == "nosniff"
        assert "attachment" in table.headers["content-disposition"]
        assert json.loads(table.text)["windrow"] == "table"
        assert client.get(f"/read/{token}/toplist/1/csv").text.startswith("rank,name")
        assert client.get(f"/read/{token}/tables/1/xlsx").content.startswith(b"PK")
        for gone in (
            f"{token}/tables/9/csv",
            f"{token}/structure/1/csv",
            "nothing/tables/1/csv",
            f"{token}/tables/1/x",
        ):
            assert client.get(f"/read/{gone}").status_code == 404


def test_pictures_are_private_and_nobody_else_gets_them(desk: Interface) -> None:
    with desk.client() as client:
        files = {"file": ("page.html", TOP, "text/html")}
        answer = client.post("/read", data={"csrf": csrf(client)}, files=files)
        path = "/pictures/" + answer.text.partition('src="/pictures/')[2].partition('"')[0]
        picture = client.get(path)
        assert picture.headers["content-type"] == "image/png"
        assert picture.headers["x-content-type-options"] == "nosniff"
        assert picture.headers["content-disposition"].startswith("attachment")
        assert picture.headers["cache-control"].startswith("private")
        assert len(client.get(f"{path}/words").content) % 12 == 0
        assert client.get("/pictures/nothing").status_code == 404
    with desk.client(logged_in=False) as stranger:
        assert stranger.get(path).status_code == 303


def test_uploads_are_bounded_in_bytes_files_and_depth(tmp_path: Path) -> None:
    deep = f"{'<div>' * 50_000}<p>Pears</p>"
    with serving(tmp_path, "--no-schedule") as desk, desk.client() as client:
        token = {"csrf": csrf(client)}
        before = sorted(each.name for each in tmp_path.iterdir())
        for name in ("../../../pears.html", "/pears.html", "..\\pears.html", "pears\0.html"):
            answer = client.post("/read", data=token, files={"file": (name, TOP, "text/html")})
            assert answer.status_code in {200, 400}, name
        assert client.post("/read", data=token, files={"file": ("deep.html", deep)}).status_code in {200, 422, 424}
        two = [("file", ("a.html", TOP)), ("file", ("b.html", TOP))]
        assert client.post("/read", data=token, files=two).status_code == 400
        large = client.post("/read", data=token, files={"file": ("large.html", b"x" * LARGER["/read"])})
        assert large.status_code == 413
        assert f"{LARGER['/read']:,} bytes" in large.text
        assert sorted(each.name for each in tmp_path.iterdir()) == before


def test_reading_is_limited_uploads_too(tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--no-schedule", environment={"WINDROW_BROWSER": "/bin/false"}) as desk,
        desk.client() as client,
    ):
        token = {"csrf": csrf(client)}
        answers = [client.post("/read", data=token, files={"file": ("a.html", TOP)}) for _ in range(READS_A_MINUTE + 1)]
        assert [each.status_code for each in answers] == [*[200] * READS_A_MINUTE, 429]
        assert int(answers[-1].headers["retry-after"]) > 0


@pytest.mark.parametrize(
    "address", ["", "/etc/passwd", "file:///etc/passwd", "javascript:alert(1)", "ftp://x.example/", "data:text/html,x"]
)
def test_what_is_no_address_of_the_web_is_not_read(desk: Interface, address: str) -> None:
    with desk.client() as client:
        for path in ("/read", "/sources/new"):
            answer = client.post(path, data={"csrf": csrf(client), "address": address, "do": "load"})
            assert answer.status_code in {422, 424}, answer.text
            assert 'role="alert"' in answer.text
            assert "root:" not in answer.text
