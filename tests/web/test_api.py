"""The API does what the command does, keeps the same guard, and tells what is wrong as problems."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.routing import APIRoute
from harvesting import add_source
from interface import Interface, serving
from nursery import Server, Site, grow, values_of
from stocked import BARN, RECORDS, asking, stock

import windrow
from windrow.errors import RefusedError, StaleError
from windrow.store import open_store
from windrow.store.access import SCOPES
from windrow.store.sources import get_source, save_source
from windrow.web.api.application import ENDPOINTS, make_api, scope_of
from windrow.web.api.bodies import WrapperBody
from windrow.web.api.wrappers import put
from windrow.web.attempts import TooOftenError
from windrow.web.desk import LOADS, Desk
from windrow.web.gate import PREFIX
from windrow.web.pages import load_page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx

    from windrow.harvest.settings import SourceSettings
    from windrow.store import Store
    from windrow.store.sources import SourceRow

PEARS: dict[str, Any] = {
    "pages": [{"html": "<h1>Pears</h1><p>Price: <b>3 €</b>", "values": {"price": "3 €"}}],
    "render": False,
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    folder = tmp_path_factory.mktemp("api")
    with open_store(folder / "windrow.db") as store:
        stock(store)
    with serving(folder, "--no-schedule") as interface:
        yield interface


@pytest.fixture(scope="module")
def client(served: Interface) -> Iterator[httpx.Client]:
    with asking(served) as found:
        yield found


def is_problem(answer: httpx.Response, status: int, word: str = "") -> bool:
    plain = answer.json()
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert plain["status"] == status
    assert plain["detail"].endswith(".")
    return word in plain["detail"]


def filled(path: str) -> str:
    return (
        path.replace("{source}", "barn")
        .replace("{collection}", "all")
        .replace("{key}", "k0")
        .replace("{", "")
        .replace("}", "")
    )


def test_every_address_has_a_scope_that_the_gate_and_the_document_know(tmp_path: Path) -> None:
    assert {endpoint.scope for endpoint in ENDPOINTS} == set(SCOPES)
    with open_store(tmp_path / "windrow.db") as store:
        api = make_api(Desk(store, str(tmp_path / "windrow.db")))
    listed = {(endpoint.method, endpoint.path) for endpoint in ENDPOINTS}
    routes = {
        (method, route.path) for route in api.routes if isinstance(route, APIRoute) for method in route.methods or ()
    }
    assert routes == listed
    assert len(api.routes) == len(listed), "nothing is served beside the endpoints"
    document = api.openapi()
    for endpoint in ENDPOINTS:
        operation = document["paths"][endpoint.path][endpoint.method.lower()]
        assert operation["x-scope"] == endpoint.scope
        assert scope_of(endpoint.method, PREFIX + filled(endpoint.path)) == endpoint.scope


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_opens_its_scope_alone(served: Interface, scope: str) -> None:
    with asking(served, [scope]) as client:
        for endpoint in ENDPOINTS:
            if endpoint.scope != scope:
                answer = client.request(endpoint.method, filled(endpoint.path), json={})
                assert is_problem(answer, 403, f"the scope {endpoint.scope}"), endpoint


def test_what_only_fetches_needs_run_and_what_changes_needs_write() -> None:
    needed = {f"{endpoint.method} {endpoint.path}": endpoint.scope for endpoint in ENDPOINTS}
    assert {needed[f"POST {path}"] for path in ("/read", "/learn", "/try", "/sources/{source}/runs")} == {"run"}
    assert {scope for name, scope in needed.items() if name.startswith("GET ")} == {"read"}
    assert {scope for name, scope in needed.items() if name.startswith(("PUT", "PATCH", "DELETE"))} == {"write"}


def test_what_is_wrong_is_told_as_a_problem(client: httpx.Client) -> None:
    assert is_problem(client.get("/nothing"), 404, "openapi.json")
    assert is_problem(client.get("/sources/nobody"), 404, "'nobody'")
    assert is_problem(client.get("/runs/999"), 404)
    assert is_problem(client.get("/collections/none"), 404)
    assert is_problem(client.get("/sources/barn/records/k999"), 404)
    wrong = client.post("/sources/barn")
    assert is_problem(wrong, 405)
    assert wrong.headers["allow"] == "DELETE, GET, PATCH, PUT"
    assert is_problem(client.get("/sources", headers={"Accept": "text/html"}), 406, "application/json")
    assert is_problem(client.get("/sources", headers={"Accept": "application/json;q=0"}), 406)
    assert is_problem(client.post("/read", data={"url": "https://orchard.example/"}), 415, "application/json")
    assert is_problem(client.post("/read", json={"html": "<p>x", "colour": "red"}), 422, "body.colour")
    assert is_problem(client.post("/read", json={}), 422, "url")
    assert is_problem(client.get("/sources/barn/records?colour=red"), 422, "colour")
    assert is_problem(client.get("/sources/barn/records?filter=nonsense"), 422, "no filter")
    assert is_problem(client.get("/sources/barn/records?format=jsonl&sort=colour"), 422, "colour")
    broken = client.post("/read", content=b"{", headers={"Content-Type": "application/json"})
    assert is_problem(broken, 422)


def test_a_body_is_bounded(client: httpx.Client) -> None:
    headers = {"Content-Type": "application/json"}
    chunks = (b" " * 1_000_000 for _ in range(4))
    assert is_problem(client.post("/sources", content=chunks, headers=headers), 413)
    assert is_problem(client.post("/sources", content=b" " * 3_000_000, headers=headers), 413)


def test_a_page_is_read_once(client: httpx.Client) -> None:
    page = {"html": "<h1>Pears</h1><p>Ripe in October.", "url": "https://orchard.example/", "render": False}
    found = client.post("/read", json={**page, "readers": ["title", "text"]}).json()
    assert found["title"] == "Pears"
    assert found["text"] == "Pears\nRipe in October."
    assert found["url"] == "https://orchard.example/"
    assert len(found["provenance"]["sha256"]) == 64


@pytest.mark.parametrize("url", ["file:///etc/passwd", "/etc/passwd", "ftp://orchard.example/", "http://"])
def test_nothing_but_the_web_is_read(client: httpx.Client, url: str) -> None:
    for path, body in (("/read", {"url": url}), ("/try", {"source": "barn", "urls": [url]})):
        assert client.post(path, json=body).status_code in {403, 422, 424}


def test_private_addresses_need_leave(tmp_path: Path) -> None:
    source = {"start": ["https://orchard.example/"], "read": {"reader": "records"}}
    with serving(tmp_path, "--no-schedule", private=False) as interface, asking(interface) as client:
        assert is_problem(client.post("/read", json={"url": interface.url}), 403, "loopback")
        private = {"source": "x", "settings": {**source, "network": {"allow_private": True}}}
        assert is_problem(client.post("/sources", json=private), 403, "--allow-private")
        assert is_problem(
            client.post("/sources", json={"source": "x", "settings": {**source, "start": ["http://[::1]/"]}}), 403
        )
        for network in ({"headers": {"X": "file:/etc/passwd"}}, {"proxy": "env:HOME"}, {"session": "/etc/passwd"}):
            sent = {"source": "x", "settings": {**source, "network": network}}
            assert is_problem(client.post("/sources", json=sent), 403, "command line")
        learned = client.post("/learn", json=PEARS).json()["wrapper"]
        learned["fetch"]["session"] = "/etc/passwd"
        assert is_problem(client.post("/try", json={"wrapper": learned, "urls": ["https://orchard.example/"]}), 403)
        assert client.get("/sources").json() == {"sources": []}


def test_pages_that_are_loaded_are_counted(tmp_path: Path) -> None:
    with open_store(tmp_path / "windrow.db") as store:
        desk = Desk(store, str(tmp_path / "windrow.db"))
        desk.count_loads("somebody", LOADS)
        with pytest.raises(TooOftenError, match="Wait"):
            desk.count_loads("somebody", 1)
        desk.count_loads("somebody else", LOADS - 1)
        # Whoever looks at pages is counted like programs.
        call: Any = SimpleNamespace(desk=desk, who="somebody else")
        with pytest.raises(RefusedError):
            load_page(call, "http://127.0.0.1/")
        with pytest.raises(TooOftenError):
            load_page(call, "http://127.0.0.1/")


def test_a_source_lives_by_the_api_alone(client: httpx.Client) -> None:
    site = Site(trees=grow(6))
    with Server(site) as server:
        trees = site.trees
        examples = [
            {"url": f"{server.url}/p/{tree.sku}", "values": values_of(tree, "en")} for tree in (trees[0], trees[1])
        ]
        learned = client.post("/learn", json={"pages": examples, "render": False}).json()
        assert learned["preview"][0]["values"]["sku"] == [trees[0].sku]
        assert learned["preview"][0]["located"]["sku"][0]["path"].startswith("/html/")
        third = f"{server.url}/p/{trees[2].sku}"
        tried = client.post(
            "/try", json={"wrapper": learned["wrapper"], "urls": [third, f"{server.url}/p/none"]}
        ).json()
        assert tried["pages"][0]["values"]["name"] == [trees[2].name]
        assert tried["pages"][1]["error"]["kind"] == "status"
        settings = {
            "start": [f"{server.url}/"],
            "follow": {"list": "region", "detail": "/p/*"},
            "read": {"wrapper": "trees.json", "key": ["sku"]},
            "manners": {"rate": 100},
            "network": {"render": False, "allow_private": True},
        }
        body = {"source": "trees / all", "settings": settings, "wrapper": learned["wrapper"]}
        made = client.post("/sources", json=body, headers={"Idempotency-Key": "1"})
        assert (made.status_code, made.headers["etag"]) == (201, '"1"')
        assert (
            client.post("/sources", json=body, headers={"Idempotency-Key": "1"}).headers["location"]
            == made.headers["location"]
        )
        assert is_problem(client.post("/sources", json=body), 409, "already")
        assert is_problem(client.post("/sources", json={**body, "source": "x"}, headers={"Idempotency-Key": "1"}), 422)
        here = made.headers["location"].removeprefix(PREFIX)
        begun = client.post(f"{here}/runs", json={"pages": 50})
        assert begun.status_code == 202
        run = begun.headers["location"].removeprefix(PREFIX)
        last = follow(client, f"{run}/events")
        assert (last["state"], last["records"]) == ("whole", 6)
        assert client.get(run).json()["added"] == 6
        assert client.get(f"{here}/runs").json()["runs"][0]["run"] == last["run"]
        records = {each["key"]: each["values"] for each in client.get(f"{here}/records").json()["records"]}
        assert records == {sku: dict.fromkeys(records[sku]) | values for sku, values in site.truth().items()}
        assert client.get(f"{here}/wrappers").json()["wrappers"][0]["made_by"] == "person"
        assert client.post(f"{here}/pause").json()["state"] == "paused"
        assert client.post(f"{here}/resume").json()["state"] == "active"
        assert client.delete(here, headers={"If-Match": "*"}).status_code == 204
        assert is_problem(client.get(here), 404)


def follow(client: httpx.Client, path: str) -> dict[str, Any]:
    """Return the last event of a run."""
    with client.stream("GET", path) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in answer.iter_lines() if line]
    assert "event: ended" in lines
    data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    last: dict[str, Any] = json.loads(data[-1])
    return last


def test_a_change_names_the_version_that_it_changes(client: httpx.Client) -> None:
    plain = {key: value for key, value in BARN.items() if key != "name"}
    client.post("/sources", json={"source": "shed", "settings": plain})
    found = client.get("/sources/shed")
    tag, settings = found.headers["etag"], found.json()["settings"]
    assert is_problem(client.put("/sources/shed", json={"settings": settings}), 428, "If-Match")
    patched = client.patch("/sources/shed", json={"settings": {"manners": {"rate": 2}}}, headers={"If-Match": tag})
    assert patched.json()["settings"]["manners"] == {"rate": 2.0}
    stale = client.put("/sources/shed", json={"settings": settings}, headers={"If-Match": tag})
    assert is_problem(stale, 412, "was changed")
    assert stale.json()["current"]["settings"]["manners"] == {"rate": 2.0}
    assert is_problem(client.delete("/sources/shed", headers={"If-Match": tag}), 412)
    back = client.patch("/sources/shed", json={"settings": {"manners": None}}, headers={"If-Match": "*"})
    assert "manners" not in back.json()["settings"]
    wrong = client.patch("/sources/shed", json={"settings": {"colour": 1}}, headers={"If-Match": "*"})
    assert is_problem(wrong, 422, "colour")


def test_secrets_stay_where_they_are(client: httpx.Client, served: Interface) -> None:
    found = client.get("/sources/barn")
    assert "plain secret" not in found.text
    settings = found.json()["settings"]
    assert settings["network"]["headers"]["X-Token"].startswith("env:")
    kept = client.put("/sources/barn", json={"settings": settings}, headers={"If-Match": found.headers["etag"]})
    assert kept.status_code == 200, kept.text
    with served.open_store() as store, store.reading() as connection:
        from windrow.store.sources import get_source  # noqa: PLC0415 - one test needs it

        assert get_source(connection, "barn").settings["network"]["headers"] == {"X-Token": "plain secret"}


def test_a_wrapper_brings_no_older_settings_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = windrow.parse(PEARS["pages"][0]["html"], url="https://pears.example/")
    learned = json.loads(windrow.learn(page, {"price": "3 €"}).to_json())
    with open_store(tmp_path / "windrow.db") as store:
        add_source(store, "pears", {**BARN, "name": "pears"})
        desk = Desk(store, str(tmp_path / "windrow.db"))

        def source(name: str) -> SourceRow:
            with store.reading() as connection:
                return get_source(connection, name)

        def meanwhile(_: Store, settings: SourceSettings, *_more: object, **_named: object) -> SourceSettings:
            with store.writing() as connection:
                save_source(connection, "pears", {**settings.to_dict(), "start": ["https://other.example/"]})
            return settings

        monkeypatch.setattr("windrow.harvest.sources.decide_render", meanwhile)
        call: Any = SimpleNamespace(desk=desk, source=source)
        with pytest.raises(StaleError, match="meanwhile"):
            put(call, "pears", WrapperBody(wrapper=learned), if_none_match="*")
        assert source("pears").settings["start"] == ["https://other.example/"]


def test_a_wrapper_is_given_as_a_new_version(client: httpx.Client) -> None:
    wrapper = client.post("/learn", json=PEARS).json()["wrapper"]
    settings = {"start": ["https://orchard.example/"], "read": {"reader": "records"}, "network": {"render": False}}
    client.post("/sources", json={"source": "pears", "settings": settings})
    assert is_problem(client.get("/sources/pears/wrapper"), 404)
    assert is_problem(client.put("/sources/pears/wrapper", json={"wrapper": wrapper}), 428)
    made = client.put("/sources/pears/wrapper", json={"wrapper": wrapper}, headers={"If-None-Match": "*"})
    assert (made.status_code, made.json()["version"]) == (200, 1)
    assert is_problem(
        client.put("/sources/pears/wrapper", json={"wrapper": wrapper}, headers={"If-None-Match": "*"}), 412
    )
    assert is_problem(client.put("/sources/pears/wrapper", json={"wrapper": {}}, headers={"If-Match": "*"}), 422)
    assert client.get("/sources/pears/wrappers/1").json()["wrapper"]["rules"]["price"]


def test_a_wrapper_goes_a_step_back_and_the_changes_tell_of_it(client: httpx.Client) -> None:
    settings = {"start": ["https://orchard.example/"], "read": {"reader": "records"}, "network": {"render": False}}
    client.post("/sources", json={"source": "back", "settings": settings})
    assert is_problem(client.post("/sources/back/wrapper/undo", headers={"If-Match": "*"}), 404)
    pear = client.post("/learn", json=PEARS).json()["wrapper"]
    page = {"html": "<h1>Pears</h1><p>Price: <b>3 €</b>", "values": {"price": "3 €", "name": "Pears"}}
    other = client.post("/learn", json={"pages": [page], "render": False}).json()["wrapper"]
    client.put("/sources/back/wrapper", json={"wrapper": pear}, headers={"If-None-Match": "*"})
    client.put("/sources/back/wrapper", json={"wrapper": other}, headers={"If-Match": "*"})
    versions = [each["version"] for each in client.get("/sources/back/wrappers").json()["wrappers"]]
    assert versions == [1, 2]
    assert is_problem(client.post("/sources/back/wrapper/undo"), 428)
    assert is_problem(client.post("/sources/back/wrapper/undo", headers={"If-Match": '"1"'}), 412)
    unknown = client.post("/sources/back/wrapper/undo", json={"version": 9}, headers={"If-Match": '"2"'})
    assert is_problem(unknown, 422, "there are: 1, 2")
    done = client.post("/sources/back/wrapper/undo", headers={"If-Match": '"2"'})
    assert (done.status_code, done.json()["version"], done.headers["etag"]) == (200, 3, '"3"')
    assert done.json()["wrapper"] == client.get("/sources/back/wrappers/1").json()["wrapper"]
    changes = client.get("/sources/back/changes").json()["changes"]
    assert [(each["kind"], each["before"], each["after"]) for each in changes] == [("back", 2, 3), ("person", 1, 2)]
    assert changes[0]["sentence"] == "Version 1 is in use again, as version 3."


def test_records_come_a_page_at_a_time_or_as_lines(client: httpx.Client) -> None:
    keys, path, pages = [], "/sources/barn/records?limit=7&sort=@key", 0
    while path:
        answer = client.get(path)
        keys += [record["key"] for record in answer.json()["records"]]
        link = answer.headers.get("link", "")
        assert bool(link) == (answer.json()["next"] is not None)
        path, pages = link.partition(">")[0].removeprefix(f"<{PREFIX}"), pages + 1
    assert (sorted(keys), pages) == (sorted(f"k{number}" for number in range(RECORDS)), 5)
    for question in ({"headers": {"Accept": "application/jsonl"}}, {"params": {"format": "jsonl"}}):
        lines = client.get("/sources/barn/records", **question)  # type: ignore[arg-type] # one or the other
        assert lines.headers["content-type"] == "application/jsonl"
        assert len([json.loads(line) for line in lines.text.splitlines()]) == RECORDS


def test_records_are_searched_and_one_is_shown_whole(client: httpx.Client) -> None:
    found = client.get("/sources/barn/records?filter=title:has:TREE 2&filter=price:is:7 €&origin=true").json()
    [record] = found["records"]
    assert (record["key"], found["total"]) == ("k2", 1)
    assert record["origin"]["price"]["path"] == "/html/body/p[@class='price']"
    whole = client.get("/sources/barn/records/k2").json()
    assert whole["values"] == record["values"]
    assert [change["kind"] for change in whole["history"]] == ["added", "changed"]


def test_history_and_differences_have_cursors(client: httpx.Client) -> None:
    first = client.get("/sources/barn/history?limit=40").json()
    rest = client.get(f"/sources/barn/history?limit=40&after={first['next']}").json()
    assert len(first["changes"]) + len(rest["changes"]) == 2 * RECORDS
    assert rest["next"] is None
    part = client.get("/sources/barn/diff?limit=20")
    assert (part.json()["since"], part.json()["until"]) == ("1", "2")
    onward = client.get(part.headers["link"].partition(">")[0].removeprefix(f"<{PREFIX}")).json()
    assert (len(onward["changes"]), onward["next"]) == (RECORDS - 20, None)
    assert {change["label"] for change in onward["changes"]} == {"price"}


@pytest.mark.parametrize("form", ["csv", "jsonl", "xlsx", "parquet"])
def test_files_are_given_whole_as_attachments(client: httpx.Client, form: str) -> None:
    for path in ("/sources/barn/export", "/collections/all/export"):
        answer = client.get(path, params={"format": form})
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.headers["x-content-type-options"] == "nosniff"
        if form in {"csv", "jsonl"}:
            assert answer.text.count("\n") == RECORDS + (form == "csv")
    some = client.get("/sources/barn/export", params={"format": "jsonl", "filter": "title:is:tree 3"})
    assert some.text.count("\n") == 1
    before = client.get("/sources/barn/export", params={"format": "jsonl", "at": "1", "filter": []})
    assert json.loads(before.text.splitlines()[0])["values"]["price"] == "3 €"


def test_formulas_do_not_run_in_spreadsheets(client: httpx.Client) -> None:
    body = {"key": ["=1+1"], "from": {"barn": {"=1+1": "title"}}}
    assert client.put("/collections/formulas", json=body, headers={"If-None-Match": "*"}).status_code == 200
    assert "'=1+1" in client.get("/collections/formulas/export").text
    assert "'=1+1" not in client.get("/collections/formulas/export?as_is=true").text
    client.delete("/collections/formulas", headers={"If-Match": "*"})


def test_warnings_are_acknowledged_and_resolved(client: httpx.Client) -> None:
    [warning] = client.get("/warnings?source=barn").json()["warnings"]
    assert client.post(f"/warnings/{warning['id']}/ack").json()["state"] == "acknowledged"
    assert client.post(f"/warnings/{warning['id']}/resolve").json()["state"] == "resolved"
    assert client.get("/warnings?source=barn").json()["warnings"] == []
    assert is_problem(client.post("/warnings/999/ack"), 404)


def test_collections_are_made_changed_and_removed(client: httpx.Client) -> None:
    body = {"key": ["t"], "from": {"barn": {"t": "title"}}}
    assert is_problem(client.put("/collections/fresh", json=body), 428)
    made = client.put("/collections/fresh", json=body, headers={"If-None-Match": "*"})
    assert made.json() == {"name": "fresh", **body}
    rows = client.get("/collections/fresh/rows?limit=20").json()
    assert (len(rows["rows"]), rows["next"]) == (20, "20")
    lines = client.get("/collections/fresh/rows", headers={"Accept": "application/jsonl"})
    assert lines.text.count("\n") == RECORDS
    assert client.get("/collections/fresh/alike").json() == {"pairs": [], "next": None}
    pair = [["barn", "k1"], ["barn", "k2"]]
    said = client.post("/collections/fresh/verdicts", json={"records": pair, "same": False}).json()["verdicts"]
    assert [(each["records"], each["same"]) for each in said] == [(pair, False)]
    assert client.get("/collections/fresh/verdicts").json()["verdicts"] == said
    nobody = {"records": [["nobody", "k1"], ["barn", "k2"]], "same": True}
    assert is_problem(client.post("/collections/fresh/verdicts", json=nobody), 422, "no source")
    assert client.delete(f"/collections/fresh/verdicts/{said[0]['id']}").status_code == 204
    assert is_problem(client.delete(f"/collections/fresh/verdicts/{said[0]['id']}"), 404)
    tag = made.headers["etag"]
    changed = client.put("/collections/fresh", json={**body, "match": "exact"}, headers={"If-Match": tag})
    assert changed.headers["etag"] != tag
    assert is_problem(client.delete("/collections/fresh", headers={"If-Match": tag}), 412)
    assert client.delete("/collections/fresh", headers={"If-Match": changed.headers["etag"]}).status_code == 204


def test_somebody_logged_in_may_use_it_from_our_own_pages_only(served: Interface) -> None:
    with served.client() as client:
        assert client.get("/api/v1/sources").status_code == 200
        elsewhere = {"Origin": "https://evil.example"}
        assert is_problem(client.post("/api/v1/sources/barn/pause", headers=elsewhere), 403, "another origin")
        form = client.post("/api/v1/sources", data={"source": "x"})
        assert is_problem(form, 415)
