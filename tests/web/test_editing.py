"""The form of a source as programs send it: editing, forms that are out of date, places, corrections, and doors."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from interface import csrf, serving
from names import IS_OUT_OF_DATE
from nursery import File, Server, Site, grow, values_of
from PIL import Image

import windrow
from windrow.errors import RefusedError
from windrow.harvest.settings import SourceSettings
from windrow.harvest.timetable import StoreTimetable
from windrow.pagefile import page_to_bytes
from windrow.schedule import Plan
from windrow.store.captures import keep_capture, list_captures
from windrow.store.collections import Collection, save_collection
from windrow.store.sources import find_wrapper, get_source, save_source, set_state
from windrow.store.warnings import Warned, list_warnings, warn
from windrow.web.trust import trusted
from windrow.wrapper import Wrapper

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx
    from interface import Interface

LABELS = ("sku", "name", "price", "grower")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    with serving(tmp_path_factory.mktemp("editing"), "--no-schedule") as served:
        yield served


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with Server(Site(trees=grow(24))) as server:
        yield server


def learned(desk: Interface, name: str) -> Wrapper:
    with desk.open_store() as store, store.reading() as connection:
        row = find_wrapper(connection, get_source(connection, name).id)
    assert row is not None
    return Wrapper.from_json(row.body)


def form(client: httpx.Client, page: str, **values: str) -> dict[str, Any]:
    """Return what the form of a page would send, with some of it changed."""
    nodes = windrow.parse(page).nodes
    found: dict[str, Any] = {"csrf": csrf(client)}
    for node in nodes.tag.where("input", "textarea", "select").tolist():
        about = nodes.attributes[node]
        name, kind = about.get("name", ""), about.get("type", "")
        if not name or name == "csrf" or (kind in {"radio", "checkbox"} and "checked" not in about):
            continue
        value = about.get("value", "") if nodes.tag[node] == "input" else nodes.own_text(node).removeprefix("\n")
        if nodes.tag[node] == "select":
            options = [nodes.attributes[each] for each in nodes.children(node).tolist() if nodes.tag[each] == "option"]
            value = next((each for each in options if "selected" in each), options[0]).get("value", "")
        if name in {"tried-url", "tried-label"}:
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    return {**found, **values}


def add(client: httpx.Client, site: Server, name: str, number: int = 1) -> None:
    """Set a source up as a program would, by the form."""
    tree = site.site.trees[number]
    values = values_of(tree, "en")
    texts = {f"label-{n}": label for n, label in enumerate(LABELS, 1)}
    texts |= {f"text-{n}": values[label] for n, label in enumerate(LABELS, 1)}
    data = {"csrf": csrf(client), "address": f"{site.url}/p/{tree.sku}", "name": name, "key": "sku", **texts}
    answer = client.post("/sources/new", data={**data, "do": "save", "keep": "1", "schedule": "6 hours"})
    assert answer.headers["location"] == f"/sources/{name}?done=saved", answer.text


def test_a_form_that_is_out_of_date_is_refused_with_both_versions(desk: Interface, site: Server) -> None:
    with desk.client() as client:
        add(client, site, "twice")
        opened = client.get("/sources/twice/edit").text
        assert "Edit twice" in opened
        first = client.post("/sources/twice/edit", data=form(client, opened, schedule="2 hours", do="save"))
        assert first.status_code == 303, first.text
        second = client.post("/sources/twice/edit", data=form(client, opened, schedule="3 hours", do="save"))
        assert second.status_code == 412
        assert re.search(IS_OUT_OF_DATE, second.text)
        assert "2 hours" in second.text
        assert 'value="3 hours"' in second.text
        written = form(client, opened)["toml"].replace("6 hours", "4 hours")
        third = client.post("/sources/twice/edit", data=form(client, opened, toml=written, do="toml"))
        assert third.status_code == 412
        again = form(client, client.get("/sources/twice/edit").text)
        toml = again["toml"].replace("2 hours", "5 hours")
        fourth = client.post("/sources/twice/edit", data={**again, "toml": toml, "do": "toml"})
        assert fourth.status_code == 303, fourth.text
    with desk.open_store() as store, store.reading() as connection:
        source = get_source(connection, "twice")
        wrapper = find_wrapper(connection, source.id)
    assert source.settings["schedule"] == {"every": "5 hours"}
    # Settings alone were changed, so nothing was learned anew.
    assert wrapper is not None
    assert wrapper.version == 1


def test_editing_a_text_learns_anew_and_keeps_the_rest(desk: Interface, site: Server) -> None:
    with desk.client() as client:
        add(client, site, "mended", 2)
        with desk.open_store() as store, store.writing() as connection:
            source = get_source(connection, "mended")
            set_state(connection, source.id, "deferred", "The text is gone.")
        opened = client.get("/sources/mended/edit").text
        values = form(client, opened)
        assert values["text-2"] == site.site.trees[2].name
        other = values_of(site.site.trees[5], "en")
        texts = {f"text-{n}": other[label] for n, label in enumerate(LABELS, 1)}
        address = f"{site.url}/p/{other['sku']}"
        # Another address is another page, which is loaded because it is not the one at hand.
        loaded = client.post("/sources/mended/edit", data={**values, "address": address, "do": "load"})
        saved = client.post("/sources/mended/edit", data={**form(client, loaded.text), **texts, "do": "save"})
        assert saved.status_code == 303, saved.text
    with desk.open_store() as store, store.reading() as connection:
        source = get_source(connection, "mended")
        row = find_wrapper(connection, source.id)
        captures = list_captures(connection, source.id)
    assert row is not None
    assert (row.version, source.state) == (2, "active")
    assert Wrapper.from_json(row.body).reference.url == address
    assert [each.wrapper_version for each in captures] == [2, 1]
    assert source.settings["schedule"] == {"every": "6 hours"}


def test_whatever_is_asked_is_asked_of_the_address_that_stands_in_the_form(desk: Interface, site: Server) -> None:
    one, other = (values_of(site.site.trees[number], "en") for number in (12, 13))
    with desk.client() as client:
        first = {"csrf": csrf(client), "address": f"{site.url}/p/{one['sku']}", "name": "moved", "way": "only"}
        loaded = client.post("/sources/new", data={**first, "do": "load"}).text
        texts = {"address": f"{site.url}/p/{other['sku']}", "label-1": "price", "text-1": other["price"]}
        shown = client.post("/sources/new", data=form(client, loaded, **texts, do="preview"))
        assert shown.status_code == 200, shown.text
        assert other["name"] in shown.text.partition("Text of the page")[2].partition("</textarea>")[0]
        absent = client.post("/sources/new", data=form(client, loaded, **{**texts, "text-1": one["sku"]}, do="save"))
        assert absent.status_code == 422
        assert "is not on the page" in absent.text
        saved = client.post("/sources/new", data=form(client, loaded, **texts, do="save"))
        assert saved.status_code == 303, saved.text
    assert learned(desk, "moved").reference.url == texts["address"]
    with desk.open_store() as store, store.reading() as connection:
        assert get_source(connection, "moved").settings["start"] == [texts["address"]]


def test_patterns_of_addresses_stay_as_they_are_written(desk: Interface, site: Server) -> None:
    tree, *more = site.site.trees[14:17]
    pattern = "{" + ",".join(each.sku for each in more) + "}"
    with desk.client() as client:
        data = {"csrf": csrf(client), "address": f"{site.url}/p/{tree.sku}", "name": "many", "label-1": "name"}
        data |= {
            "text-1": tree.name,
            "way": "these",
            "addresses": f"{site.url}/p/{pattern}\n/p/{{a,b}}\n{{c,d}}\n/list",
        }
        tried = client.post("/sources/new", data={**data, "tries": f"/p/{pattern}", "do": "try"}).text
        for each in more:
            assert f"{site.url}/p/{each.sku}" in tried
        assert client.post("/sources/new", data={**data, "do": "save"}).status_code == 303
    with desk.open_store() as store, store.reading() as connection:
        start = get_source(connection, "many").settings["start"]
    assert start == [f"{site.url}/{end}" for end in (f"p/{pattern}", "p/{a,b}", "p/{c,d}", "list")]


def test_addresses_that_nothing_would_read_are_refused(desk: Interface, site: Server) -> None:
    with desk.client() as client:
        add(client, site, "alone", 18)
        opened = client.get("/sources/alone/edit").text
        refused = client.post("/sources/alone/edit", data=form(client, opened, addresses="/list", do="save"))
        assert refused.status_code == 422
        assert "“Only this page” would read none of them" in refused.text
        assert "/list</textarea>" in refused.text
        saved = client.post("/sources/alone/edit", data=form(client, refused.text, way="these", do="save"))
        assert saved.status_code == 303, saved.text


def test_only_what_was_changed_is_changed(desk: Interface, site: Server) -> None:
    """Another capture than the learned page moves nothing; kinds and rows are part of what is learned."""
    with desk.client() as client:
        add(client, site, "steady", 17)
        with desk.open_store() as store, store.writing() as connection:
            source = get_source(connection, "steady")
            page = windrow.parse("<p>Please log in.", url=f"{site.url}/elsewhere")
            keep_capture(
                connection, source.id, kind="refused", wrapper_version=1, url=page.url, content=page_to_bytes(page)
            )
        values = form(client, client.get("/sources/steady/edit").text)
        saved = client.post("/sources/steady/edit", data={**values, "keep": "", "do": "save"})
        assert saved.status_code == 303, saved.text
        with desk.open_store() as store, store.reading() as connection:
            after = get_source(connection, "steady").settings
        assert after["start"] == source.settings["start"]
        assert after.get("keep") != source.settings.get("keep")
        values = form(client, client.get("/sources/steady/edit").text)
        refused = client.post("/sources/steady/edit", data={**values, "kind-3": "picture", "do": "save"})
        assert "no picture is at" in refused.text


def test_the_form_of_a_source_begins_at_what_is_wrong(desk: Interface, site: Server) -> None:
    with desk.client() as client:
        add(client, site, "wrong", 18)
        with desk.open_store() as store, store.writing() as connection:
            source = get_source(connection, "wrong")
            warn(connection, source.id, None, Warned("missing", "info", "price is missing on <3> pages."))
            warn(connection, source.id, None, Warned("gone", "error", "The page is not there any more."))
            save_collection(connection, Collection(name="trees", key=["cost"], sources={"wrong": {"cost": "price"}}))
            numbers = {each["kind"]: each["id"] for each in list_warnings(connection, "open", source.id)}
        missing = client.get(f"/sources/wrong/edit?warning={numbers['missing']}").text
        assert "price is missing on &lt;3&gt; pages." in missing
        assert re.search(r'<textarea id="text-3"[^>]* autofocus>', missing)
        gone = client.get(f"/sources/wrong/edit?warning={numbers['gone']}").text
        assert "The page is not there any more." in gone
        assert re.search(r'<input [^>]*id="address"[^>]* autofocus>', gone)
        again = client.post("/sources/wrong/edit", data=form(client, gone, do="load")).text
        assert "The page is not there any more." in again
        assert 'class="notice severity-error"' in again
        assert gone.count("autofocus") == 1
        assert "any more" not in client.get("/sources/wrong/edit?warning=x").text
        # A box with suggestions is no text box to a screen reader; the name is shown, and stays.
        assert "Labels of collections: cost." in gone
        assert "datalist" not in gone
        assert re.search(r'<label for="name">Source name</label>\s*<input [^>]*value="wrong"[^>]* readonly>', gone)


@pytest.mark.browser
def test_a_page_that_a_browser_read_is_drawn_as_it_stood(desk: Interface, site: Server) -> None:
    """Its style sheet was not kept, and it is no more."""
    site.site.files |= {
        "/styled": File("<link rel=stylesheet href=/blue.css><h1>Pears</h1>"),
        "/blue.css": File("html { background: rgb(0, 0, 200) }", "text/css"),
    }
    page = windrow.load(f"{site.url}/styled", options=windrow.Options(allow_private=True))
    del site.site.files["/styled"], site.site.files["/blue.css"]
    with desk.client() as client:
        add(client, site, "styled", 20)
        with desk.open_store() as store, store.writing() as connection:
            source = get_source(connection, "styled")
            kept = page_to_bytes(page)
            keep_capture(connection, source.id, kind="refused", wrapper_version=1, url=page.url, content=kept)
        shown = client.get("/sources/styled/edit").text
        address = re.search(r'<img [^>]*src="(/pictures/[^"]+)"', shown)
        assert address is not None
        with Image.open(BytesIO(client.get(address[1]).content)) as picture:
            assert picture.convert("RGB").getpixel((600, 300)) == (0, 0, 200)


def test_the_next_runs_keep_the_hours_and_a_save_says_whether_a_browser_is_used(desk: Interface, site: Server) -> None:
    with desk.client() as client:
        add(client, site, "hours", 19)
        values = form(client, client.get("/sources/hours/edit").text)
        toml = values["toml"].replace('every = "6 hours"', 'every = "1 hour"\nhours = "08:00-10:00"')
        toml = toml.replace("allow_private = true", 'allow_private = true\nrender = "auto"')
        saved = client.post("/sources/hours/edit", data={**values, "toml": toml, "do": "toml"})
        assert saved.headers["location"] == "/sources/hours?done=without-browser", saved.text
        assert "there without a browser" in client.get(saved.headers["location"]).text
        asked = {"schedule": "1 hour", "zone": "UTC"}
        for name, kept in (("hours", True), ("none", False)):
            fires = client.get("/sources/new/runs.json", params={**asked, "name": name}).json()["fires"]
            assert all(each[11:13] in {"08", "09", "10"} for each in fires) is kept
        shown = client.get("/sources/hours/edit.json").json()["runs"]["fires"]
        assert all(each[11:13] in {"08", "09", "10"} for each in shown)


def test_the_next_runs_are_those_that_are_planned_as_long_as_the_schedule_stays(desk: Interface, site: Server) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    begun = now - timedelta(hours=2)
    with desk.client() as client:
        add(client, site, "planned", 12)
        with desk.open_store() as store:
            (entry,) = (each for each in StoreTimetable(store).entries() if each.source == "planned")
            plan = Plan(begun + timedelta(hours=6), entry.schedule, begun, begun, 0.0, "")
            assert StoreTimetable(store).plan("planned", plan, None)
        runs = client.get("/sources/planned/edit.json").json()["runs"]["fires"]
        planned = [begun + timedelta(hours=6 * count) for count in range(1, 6)]
        assert [datetime.fromisoformat(each) for each in runs] == planned
        asked = {"schedule": "5 hours", "zone": "UTC", "name": "planned"}
        others = client.get("/sources/new/runs.json", params=asked).json()["fires"]
        assert datetime.fromisoformat(others[0]) >= now + timedelta(hours=5)


def test_where_warnings_go_is_explained_and_a_wrong_address_is_refused_unshown(desk: Interface, site: Server) -> None:
    with desk.client() as client:
        page = client.get("/sources/new").text
        assert 'name="send" rows="2" spellcheck="false" aria-describedby="send-help"' in page
        assert "mailto://" in page.partition('id="send-help"')[2].partition("</p>")[0]
        add(client, site, "told", 9)
        values = form(client, client.get("/sources/told/edit").text, send="s3cret without a scheme", do="save")
        refused = client.post("/sources/told/edit", data=values)
        said = refused.text.partition('role="alert"')[2].partition("</")[0]
        assert refused.status_code == 422
        assert "should look like mailto://… or json://…" in said
        assert "s3cret" not in said


def test_tables_are_there_before_anything_is_in_them(desk: Interface, site: Server) -> None:
    with desk.client() as client:
        add(client, site, "empty", 20)
        for screen, sentence in (("Records", "There is no record."), ("Changes", "has not changed")):
            page = client.get(f"/sources/empty/{screen.lower()}").text
            assert sentence in page.partition(f'<table aria-label="{screen}"')[2]


def test_a_text_in_several_places_is_asked_about_and_the_answer_counts(desk: Interface, site: Server) -> None:
    tree = site.site.trees[6]
    twin = {"label-1": "name", "text-1": tree.name, "name": "chosen", "address": f"{site.url}/p/{tree.sku}"}
    path = f"/p/{tree.sku}"
    html = site.site.page(path, "")[1]
    site.site.files[path] = File(html.replace("<aside>", f"<p>{tree.name}</p><aside>"))
    with desk.client() as client:
        page = client.post("/sources/new", data={"csrf": csrf(client), **twin, "do": "load"}).text
        assert "It stands in 2 places" in page
        assert 'aria-label="name 2"' in page
        places = [each.partition('"')[0] for each in page.split('name="at-1" value="')[1:]]
        assert len(places) == 3
        saved = client.post("/sources/new", data={**form(client, page), "at-1": places[2], "do": "save"})
        assert saved.status_code == 303, saved.text
        missing = client.post("/sources/new", data={**form(client, page), "text-1": "Peer Gynt", "do": "preview"})
        assert missing.status_code == 422
        assert "is not on the page" in missing.text
    del site.site.files[path]
    (place,) = learned(desk, "chosen").rules["name"][0].values[0]
    assert "/p[" in place.location.path


def test_a_corrected_cell_becomes_an_example(desk: Interface, site: Server) -> None:
    tree, other = site.site.trees[7], site.site.trees[8]
    with desk.client() as client:
        data = {"csrf": csrf(client), "address": f"{site.url}/p/{tree.sku}", "name": "corrected"}
        data |= {"label-1": "price", "text-1": values_of(tree, "en")["price"], "tries": f"/p/{other.sku}\n/p/T-9999"}
        tried = client.post("/sources/new", data={**data, "do": "try"}).text
        assert values_of(other, "en")["price"] in tried
        assert "404" in tried
        values = form(client, tried, **{"now-1-1": other.grower, "do": "try"})
        again = client.post("/sources/new", data=values).text
        assert "corrected" in again
        # What was corrected stays, also where the grid is not shown.
        again = client.post("/sources/new", data=form(client, again, do="preview")).text
        assert "Other pages</caption>" not in again
        saved = client.post("/sources/new", data=form(client, again, do="save"))
        assert saved.status_code == 303, saved.text
    examples = learned(desk, "corrected").examples
    assert [example.values["price"][0] for example in examples] == [values_of(tree, "en")["price"], other.grower]


def test_a_correction_that_is_not_on_its_page_is_named_and_can_be_corrected(desk: Interface, site: Server) -> None:
    tree, other = site.site.trees[10], site.site.trees[11]
    with desk.client() as client:
        data = {"csrf": csrf(client), "address": f"{site.url}/p/{tree.sku}", "name": "mistyped"}
        data |= {"label-1": "price", "text-1": values_of(tree, "en")["price"], "tries": f"/p/{other.sku}"}
        tried = client.post("/sources/new", data={**data, "do": "try"}).text
        refused = client.post("/sources/new", data=form(client, tried, **{"now-1-1": "Peer Gynt", "do": "try"}))
        assert refused.status_code == 422
        said = refused.text.partition('role="alert"')[2].partition("</")[0]
        assert f"price of {site.url}/p/{other.sku}: &#39;Peer Gynt&#39; is not on the page." in said
        # The grid is gone, since nothing was learned; what was said in it stands there to be changed.
        assert re.search(r"<details open><summary>[^<]*1 further page<", refused.text)
        assert re.search(r'<textarea name="now-1-1"[^>]* aria-label="price of page 1">Peer Gynt<', refused.text)
        mended = form(client, refused.text, **{"now-1-1": other.grower, "do": "try"})
        assert "Other pages</caption>" in client.post("/sources/new", data=mended).text


def test_settings_from_afar_open_no_door(desk: Interface, site: Server) -> None:
    with desk.client() as client:
        add(client, site, "doors", 9)
        values = form(client, client.get("/sources/doors/edit").text)
        assert "[source.doors]" in values["toml"]
        toml = values["toml"].replace("[source.doors]", '[source.doors]\nstart_file = "/etc/passwd"', 1)
        answer = client.post("/sources/doors/edit", data={**values, "toml": toml, "do": "toml"})
        assert answer.status_code == 403
        assert "files and variables of this machine" in answer.text
        answer = client.post("/sources/doors/edit", data={**values, "toml": "[source.other]\n", "do": "toml"})
        assert answer.status_code == 422
        answer = client.post("/sources/doors/edit", data={**values, "schedule": "61 * * * *", "do": "save"})
        assert answer.status_code == 422
        assert "minute" in answer.text.partition('role="alert">')[2].partition("</div>")[0]


def test_secrets_are_not_shown_and_stay(desk: Interface, site: Server) -> None:
    secret = "mailto://hay:needle@barn.example"  # noqa: S105 - of nobody
    with desk.client() as client:
        add(client, site, "quiet", 4)
        with desk.open_store() as store, store.writing() as connection:
            kept = get_source(connection, "quiet").settings
            save_source(connection, "quiet", {**kept, "warn": {"send": [secret]}})
        page = client.get("/sources/quiet/edit").text
        assert "needle" not in page
        assert "needle" not in client.get("/sources/quiet/edit.json").text
        answer = client.post("/sources/quiet/edit", data=form(client, page, schedule="3 hours", do="save"))
        assert answer.headers["location"] == "/sources/quiet?done=saved", answer.text
    with desk.open_store() as store, store.reading() as connection:
        found = get_source(connection, "quiet").settings
    assert found["warn"] == {"send": [secret]}
    assert found["schedule"] != kept["schedule"]


@pytest.mark.parametrize(
    "tables",
    [
        {"start_file": "x.txt"},
        {"network": {"session": "session.json"}},
        {"network": {"headers": {"X-A": "file:/etc/passwd"}}},
        {"network": {"proxy": "file:/etc/passwd"}},
        {"network": {"allow_private": True}},
        {"warn": {"send": ["file:/etc/passwd"]}},
    ],
)
def test_every_door_is_known(tables: dict[str, Any]) -> None:
    plain = {"name": "a", "start": ["https://a.example/"], "read": {"reader": "records"}}
    usual, open_door = SourceSettings.from_dict(plain), SourceSettings.from_dict({**plain, **tables})
    with pytest.raises(RefusedError):
        trusted(open_door, usual, allow_private=False)
    trusted(usual, open_door, allow_private=False)
    # What was set by whoever started the server stays, and may be saved again.
    trusted(open_door, open_door, allow_private=True)


def test_what_nobody_was_asked_about_stays(desk: Interface, site: Server) -> None:
    follow = {"list": "links", "next": "scroll", "detail": "/p/*", "depth": 3}
    plain = {"name": "fine", "start": [f"{site.url}/list"], "follow": follow, "read": {"reader": "records"}}
    settings = SourceSettings.from_dict({**plain, "network": {"allow_private": True}, "warn": {"fewer": 0.2}})
    with desk.open_store() as store, store.writing() as connection:
        save_source(connection, "fine", settings.to_dict())
    with desk.client() as client:
        page = client.get("/sources/fine/edit").text
        saved = client.post("/sources/fine/edit", data=form(client, page, schedule="1 day", do="save"))
        assert saved.status_code == 303, saved.text
        for twin in ("/sources/fine/edit.json", "/sources/new.json", "/read.json"):
            assert client.get(twin).json()["heading"]
    with desk.open_store() as store, store.reading() as connection:
        kept = get_source(connection, "fine").settings
    assert kept == {**settings.to_dict(), "schedule": {"every": "1 day"}}


def test_private_addresses_stay_closed_where_the_server_keeps_them_closed(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-schedule", private=False) as closed, closed.client() as client:
        for path in ("/sources/new", "/read"):
            answer = client.post(path, data={"csrf": csrf(client), "address": "http://127.0.0.1:9/", "do": "load"})
            assert answer.status_code == 403


def test_without_a_browser_everything_works_by_text(tmp_path: Path, site: Server) -> None:
    tree = site.site.trees[10]
    with serving(tmp_path, "--no-schedule", environment={"WINDROW_BROWSER": "/bin/false"}) as bare:
        with bare.client() as client:
            add(client, site, "bare", 10)
            page = client.get("/sources/bare/edit").text
            assert "no browser was at hand" in page
            assert "Picture of the page" not in page
            assert tree.name in page
            read = client.post("/read", data={"csrf": csrf(client), "address": f"{site.url}/list"}).text
            assert "read without a browser" in read
        with bare.open_store() as store, store.reading() as connection:
            assert get_source(connection, "bare").settings["network"]["render"] is False
