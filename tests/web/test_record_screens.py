"""Records and collections: searched, sorted, filtered, paged, opened, given out as files, and put together."""

from __future__ import annotations

import csv
import io
import json
import threading
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from harvesting import add_source, harvest, seen
from interface import Interface, csrf, log_in, serving

from windrow.store import open_store
from windrow.store.collections import Collection, Gathering, get_collection, save_collection
from windrow.store.sightings import Sighting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page as Tab

HOSTILE = "<script>alert(1)</script>"
FORMULA = '=HYPERLINK("http://evil.example")'
SETTINGS = {"start": ["https://example.org/"], "read": {"reader": "records", "key": ["sku"]}}


def tool(number: int, **more: str) -> Sighting:
    values = {"name": f"Tool {number:04}", "wood": "ash" if number % 3 else "oak", "price": f"{number} €", **more}
    return Sighting(f"k{number:04}", values, {"price": number}, url=f"https://example.org/{number}")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    folder = tmp_path_factory.mktemp("records")
    with open_store(folder / "windrow.db") as store:
        for name in ("barn", "shed", "a/b"):
            add_source(store, name, {"name": name, **SETTINGS})
        tools = [tool(number) for number in range(120)]
        harvest(store, {"list": [*tools, tool(120, name=HOSTILE, note=FORMULA), tool(121, note="-5")]})
        harvest(store, {"list": [tool(0, name="Tool 0000, mended"), *tools[1:], tool(120), tool(121)]})
        harvest(store, {"x": [seen("1", title="Tool 0007"), seen("2", title="Tul 0008")]}, name="shed")
        harvest(store, {"x": [seen("1", title="x")]}, name="a/b")
    with serving(folder, "--no-schedule") as interface:
        yield interface


def test_records_are_paged_searched_sorted_and_filtered(served: Interface) -> None:
    with served.client() as client:
        page = client.get("/sources/barn/records").text
        assert "1 to 50 of <strong>122</strong> records" in page
        assert "Tool 0000, mended" in page
        data = client.get("/sources/barn/records.json").json()
        keys = [each["key"] for each in data["records"]]
        while data["next"]:
            data = client.get("/sources/barn/records.json", params={"cursor": data["next"]}).json()
            keys += [each["key"] for each in data["records"]]
        assert keys == [f"k{number:04}" for number in range(122)]

        def found(**query: str) -> list[str]:
            return [each["key"] for each in client.get("/sources/barn/records.json", params=query).json()["records"]]

        assert found(search="TOOL 0042") == ["k0042"]
        assert found(sort="price", desc="1")[:2] == ["k0121", "k0120"]
        assert found(label="price", how="most", text="1") == ["k0000", "k0001"]
        assert found(**{"is.wood": "oak", "least.price": "115"}) == ["k0117", "k0120"]
        assert "is.wood=ash" in page
        assert client.get("/sources/barn/records?sort=nope").status_code == 422
        assert client.get("/sources/barn/records?cursor=nope").status_code == 422
        assert client.get("/sources/a%2Fb/records").status_code == 200


def test_files_have_just_what_is_shown_and_run_nothing(served: Interface) -> None:
    with served.client() as client:
        base = "/sources/barn/records/download"
        lines = client.get(f"{base}/jsonl", params={"search": "tool 000"})
        assert [json.loads(line)["key"] for line in lines.text.splitlines()] == [
            f"k000{number}" for number in range(10)
        ]
        assert "attachment" in lines.headers["content-disposition"]
        assert lines.headers["windrow-records"] == "10"
        answer = client.get(f"{base}/csv", params={"sort": "price", "desc": "1", "state": "all"})
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert [row["key"] for row in rows[:2]] == ["k0121", "k0120"]
        assert rows[1]["note"] == f"'{FORMULA}"
        assert rows[0]["note"] == "-5"
        as_is = list(csv.DictReader(io.StringIO(client.get(f"{base}/csv?as_is=1").text)))
        assert as_is[-2]["note"] == FORMULA
        assert client.get(f"{base}/xlsx?search=tool").content.startswith(b"PK")
        assert client.get(f"{base}/parquet?search=tool").content.startswith(b"PAR1")
        assert client.get(f"{base}/exe").status_code == 404


def test_a_record_has_its_values_and_its_history(served: Interface) -> None:
    with served.client() as client:
        (hit,) = client.get("/sources/barn/records.json?search=mended").json()["records"]
        page = client.get(f"/sources/barn/records/{hit['id']}").text
        assert f'/records/{hit["id"]}/where/name"' in page
        data = client.get(f"/sources/barn/records/{hit['id']}.json").json()
        assert [(each["kind"], each["old"]) for each in data["history"]] == [("changed", "Tool 0000"), ("added", None)]
        (other,) = client.get("/sources/shed/records.json?search=0007").json()["records"]
        assert client.get(f"/sources/barn/records/{other['id']}").status_code == 404
        assert client.get("/sources/barn/records/99999999999999999999").status_code == 404


def test_a_collection_is_made_and_a_pair_confirmed_or_refused(served: Interface) -> None:
    with served.client() as client:
        token = {"csrf": csrf(client)}
        mapped = {"source": ["barn", "shed"], "own-0": ["name", "wood"], "label-0": ["name", "wood"]}
        mapped |= {"own-1": ["title"], "label-1": ["name"]}
        wrong = client.post("/collections/new", data={**token, **mapped, "name": "tools", "key": ""})
        assert wrong.status_code == 422
        made = client.post("/collections/new", data={**token, **mapped, "name": "tools", "key": "name"})
        assert made.headers["location"] == "/collections/tools?done=saved", made.text
        data = client.get("/collections/tools.json").json()
        assert data["total"] == 123
        assert client.get("/collections/tools").status_code == 200
        edited = {**token, **mapped, "key": "name", "likeness": "0.7"}  # of the key, where no label is named
        edited["version"] = client.get("/collections/tools/edit.json").json()["filled"]["version"]
        assert client.post("/collections/tools/edit", data=edited).status_code == 303
        pairs = client.get("/collections/tools.json?alike=1").json()["pairs"]
        assert {tuple(side["sources"]) for pair in pairs for side in pair["pair"]} == {("barn",), ("shed",)}
        refused, confirmed = pairs[0]["name"], pairs[1]["name"]
        said = client.post("/collections/tools/pairs", data={**token, "pair": refused, "say": "different"})
        assert said.headers["location"] == "/collections/tools?alike=1&done=saved#alike", "the next pair is waiting"
        client.post("/collections/tools/pairs", data={**token, "pair": confirmed, "say": "same"})
        after = client.get("/collections/tools.json?alike=1").json()
        assert refused not in [pair["name"] for pair in after["pairs"]]
        assert after["total"] == 122
        with served.open_store() as store, store.reading() as connection:
            rows = list(Gathering(connection, get_collection(connection, "tools")))
        assert [row.sources.keys() for row in rows if row.confirmed] == [{"barn": 0, "shed": 0}.keys()]
        assert client.post("/collections/tools/pairs", data={**token, "pair": "[]"}).status_code == 422
        client.post(f"/collections/tools/pairs/{after['verdicts'][1]['id']}/forget", data=token)
        assert client.get("/collections/tools.json").json()["total"] == 123
        files = {form: client.get(f"/api/v1/collections/tools/export?format={form}") for form in ("csv", "xlsx")}
        assert all("attachment" in each.headers["content-disposition"] for each in files.values())
        page = client.get("/collections/tools").text
        assert 'href="/api/v1/collections/tools/export?format=csv"' in page
        assert 'href="/collections/tools/remove"' in page
        assert "Remove the collection" in client.get("/collections/tools/remove").text
        assert client.post("/collections/tools/remove", data=token).status_code == 303
        assert client.get("/collections/tools").status_code == 404


def test_a_collection_keeps_what_its_form_is_not_asked_to_change(served: Interface) -> None:
    """Labels that nothing was stored of yet are still mapped after the form was saved as it was opened."""
    sources = {"shed": {"name": "title", "said": "title", "page": "url"}, "barn": {"name": "not stored yet"}}
    with served.open_store() as store, store.writing() as connection:
        save_collection(connection, Collection(name="kept", key=["name"], sources=sources, types={"name": "text"}))

    def stored() -> Collection:
        with served.open_store() as store, store.reading() as connection:
            return get_collection(connection, "kept")

    with served.client() as client:
        before, data = stored(), client.get("/collections/kept/edit.json").json()
        sent: dict[str, Any] = {"csrf": csrf(client), "key": "name", "version": data["filled"]["version"]}
        sent["source"] = [each["name"] for each in data["sources"]]
        for number, each in enumerate(data["sources"]):
            sent |= {f"own-{number}": [own for own, _ in each["rows"]]}
            sent |= {f"label-{number}": [label for _, label in each["rows"]]}
        assert client.post("/collections/kept/edit", data=sent).status_code == 303
        assert stored() == before
        wrong = client.post("/collections/kept/edit", data={**sent, "key": "name, no", "likeness": "much"})
        assert wrong.status_code == 422
        assert 'value="name, no"' in wrong.text
        assert 'value="much"' in wrong.text
        assert client.post("/collections/kept/edit", data={**sent, "match": "exact"}).status_code == 303
        stale = client.post("/collections/kept/edit", data={**sent, "compare": "name"})
        assert stale.status_code == 412
        assert "changed since" in stale.text
        assert list(stored().compare) == []
        taken = client.post("/collections/new", data={**sent, "version": "", "name": "kept"})
        assert "There is a collection kept already" in taken.text
        client.post("/collections/kept/remove", data=sent)


def test_many_read_while_a_harvest_writes(served: Interface) -> None:
    """No answer is an error, and none is torn: what a page says of its records is true of one moment."""
    faults: list[str] = []
    over = threading.Event()

    with served.client() as known:
        cookies = dict(known.cookies)

    def read() -> None:
        with httpx.Client(base_url=served.url, cookies=cookies, timeout=60) as client:
            while not over.is_set():
                for path in ("/sources/shed/records.json?sort=title", "/sources/shed/records.json", "/sources.json"):
                    answer = client.get(path)
                    if answer.status_code != 200:
                        faults.append(f"{answer.status_code} {path}")
                        return
                    data = answer.json()
                    if "records" in data and len(data["records"]) != min(50, data["total"]):
                        faults.append(f"{len(data['records'])} of {data['total']} {path}")

    threads = [threading.Thread(target=read) for _ in range(32)]
    for thread in threads:
        thread.start()
    with served.open_store() as store:
        for round_ in range(3):
            pages = {f"{page}": [seen(f"{page} {row}", title=f"{round_}") for row in range(20)] for page in range(4)}
            harvest(store, pages, name="shed")
    over.set()
    for thread in threads:
        thread.join(60)
    assert faults == []


@pytest.mark.browser
def test_a_person_searches_pages_and_opens_a_record(served: Interface, tab: Tab) -> None:
    log_in(tab, served)
    tab.goto(f"{served.url}/sources/barn")
    tab.get_by_role("link", name="Records").click()
    assert tab.get_by_role("heading", name="Records of barn", exact=True).is_visible()
    rows = tab.get_by_role("table", name="Records").get_by_role("row")
    assert rows.count() == 51
    tab.get_by_role("link", name="Next page").click()
    assert "k0050" in rows.nth(1).inner_text()
    tab.get_by_role("link", name="Previous page").click()
    tab.get_by_role("columnheader").get_by_role("link", name="price").click()
    tab.get_by_role("columnheader").get_by_role("link", name="price").click()
    assert "k0121" in rows.nth(1).inner_text()
    tab.get_by_role("navigation", name="Facets").get_by_role("link", name="oak").click()
    tab.get_by_role("searchbox", name="Search").fill("0117")
    tab.get_by_role("button", name="Show").click()
    assert rows.count() == 2
    for name in ("CSV", "JSON lines", "XLSX"):
        with tab.expect_download() as download:
            tab.get_by_role("link", name=f"Download {name}").click()
        assert download.value.suggested_filename.startswith("barn.")
    tab.get_by_role("link", name="Open record").first.click()
    assert "Tool 0117" in tab.get_by_role("table", name="Values").inner_text()
    assert tab.get_by_role("link", name="Where it stands: name").is_visible()
    assert tab.get_by_role("table", name="History").is_visible()


@pytest.mark.parametrize(
    "label",
    ['name" DESC; DROP TABLE windrow_record; --', "name') OR 1=1 --", "$.name", "[0]", "name\0", "@state", "x" * 3000],
    ids=["statement", "condition", "path", "index", "NUL", "column", "long"],
)
def test_no_label_reaches_the_database_as_more_than_a_label(served: Interface, label: str) -> None:
    with served.client() as client:
        for query in ({"sort": label}, {"sort": f"-{label}"}, {f"is.{label}": "x"}, {f"least.{label}": "1"}):
            answer = client.get("/sources/barn/records", params=query)
            assert answer.status_code in {200, 404, 422}, query
            assert "sqlite" not in answer.text.lower()
        assert client.get("/sources/barn/records.json").json()["total"] == 122


@pytest.mark.parametrize("name", ["..%2f..%2fdesk.py", "%2e%2e/desk.py", "..%5cdesk.py", "%2fetc%2fpasswd", "a%00.css"])
@pytest.mark.parametrize("folder", ["/static/", "/pictures/", "/read/"])
def test_no_name_leads_out_of_its_folder(served: Interface, folder: str, name: str) -> None:
    with served.client() as client:
        assert client.get(f"{folder}{name}").status_code == 404
