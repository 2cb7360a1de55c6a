"""A source from its first run to a change of its template: what its screens show, and what can be done on them."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from fields import Field
from interface import Interface, csrf, log_in, serving
from nursery import Server, Site, grow

from windrow.store import open_store
from windrow.store.sources import set_state
from windrow.store.warnings import Warned, list_warnings, warn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx
    from playwright.sync_api import Page as Tab

    from windrow.store.sources import State

SECONDS = 60


@contextmanager
def planted(folder: Path) -> Iterator[tuple[Field, Interface]]:
    """Serve an interface on a store with a source that was learned and not run yet."""
    with Server(Site(trees=grow(24))) as server, open_store(folder / "windrow.db") as store:
        field = Field(store, server)
        field.add(field.learn())
        with serving(folder, "--no-schedule") as served:
            yield field, served


@pytest.fixture
def orchard(tmp_path: Path) -> Iterator[tuple[Field, Interface]]:
    with planted(tmp_path) as found:
        yield found


def run(client: httpx.Client, **choices: str) -> dict[str, object]:
    """Run the source, and return how that ended."""
    token = csrf(client)
    path = client.post("/sources/orchard/runs", data={"csrf": token, **choices}).headers["location"].partition("?")[0]
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        found: dict[str, object] = client.get(f"{path}.json").json()["run"]
        if found["state"] != "running":
            return found
        time.sleep(0.2)
    raise AssertionError("the run did not end")


def test_a_source_is_run_watched_paused_and_removed(orchard: tuple[Field, Interface]) -> None:
    _, served = orchard
    with served.client() as client:
        page = client.get("/sources/orchard").text
        assert "Not run yet" in page
        assert "Bar-tree as it was learned" in page
        assert "start = [" in page
        assert run(client)["shown"] == "Finished"
        data = client.get("/sources/orchard.json").json()
        assert (data["summary"]["shown"], data["summary"]["records"]) == ("Good", 24)
        assert data["capture"]["kind"] == "learned"
        assert data["room"] == [1280, 1024]
        assert 'width="1280" height="1024" loading="lazy"' in client.get("/sources/orchard").text
        assert "<title>Level 1: body" in data["trees"]["learned"]
        pages = client.get("/sources/orchard/runs/1?verdict=read").text
        assert pages.count("<tr>") == 25
        token = {"csrf": csrf(client)}
        assert client.post("/sources/orchard/pause", data=token).status_code == 303
        assert client.get("/sources/orchard.json").json()["summary"]["shown"] == "Paused"
        client.post("/sources/orchard/resume", data=token)
        assert client.post("/sources/orchard/remove", data={**token, "name": "barn"}).status_code == 422
        kept = client.post("/sources/orchard/remove", data={**token, "name": "orchard", "keep": "1"})
        assert kept.headers["location"] == "/?done=removed"
        assert client.get("/sources/orchard.json").json()["summary"]["records"] == 24
        client.post("/sources/orchard/remove", data={**token, "name": "orchard"})
        assert client.get("/sources/orchard").status_code == 404
        assert client.get("/sources/orchard/runs").status_code == 404


def test_events_tell_of_a_run_until_it_ends(orchard: tuple[Field, Interface]) -> None:
    field, served = orchard
    field.add(manners={"rate": 20})
    with served.client() as client:
        path = client.post("/sources/orchard/run", data={"csrf": csrf(client)}).headers["location"].partition("?")[0]
        told, last = [], ""
        with client.stream("GET", f"{path}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    told.append(json.loads(line.removeprefix("data: ")))
                if line.startswith("id: "):
                    last = line.removeprefix("id: ")
        assert told[0]["state"] == "running"
        assert told[-1]["state"] == "whole"
        assert len({each["counts"]["pages"] for each in told}) > 1
        again = client.get(f"{path}/events", headers={"Last-Event-ID": last}).text
        assert "data:" not in again
        assert client.get("/sources/orchard/runs/99/events").status_code == 404
        assert client.get("/sources/orchard/runs/99").status_code == 404


def test_a_run_is_stopped_and_gone_on_with(orchard: tuple[Field, Interface]) -> None:
    field, served = orchard
    field.add(manners={"rate": 3})
    with served.client() as client:
        token = {"csrf": csrf(client)}
        path = client.post("/sources/orchard/run", data=token).headers["location"].partition("?")[0]
        assert client.post("/sources/orchard/run", data=token).status_code == 409
        while client.get(f"{path}.json").json()["run"]["counts"]["pages"] < 2:
            time.sleep(0.1)
        assert client.post(f"{path}/stop", data=token).status_code == 303
        while client.get(f"{path}.json").json()["run"]["state"] == "running":
            time.sleep(0.1)
        assert "Stopped" in client.get(path).text
        field.add(manners={"rate": 1000})
        assert run(client)["state"] == "whole"
        assert client.post(f"{path}/stop", data=token).status_code == 422


def test_a_healed_template_is_shown_and_accepted_or_taken_back(orchard: tuple[Field, Interface]) -> None:
    field, served = orchard
    with served.client() as client:
        run(client)
        field.site.template = "cards"
        run(client, fresh="1")
        assert client.get("/sources/orchard.json").json()["summary"]["shown"] == "Healed"
        (change,) = client.get("/sources/orchard/changes.json").json()["changes"]
        assert (change["kind"], change["before"], change["after"]) == ("heal", 1, 2)
        (warning,) = client.get("/warnings.json").json()["warnings"]
        seen = f"/sources/orchard/changes/w{warning['id']}"
        assert f'href="{seen}"' in client.get("/warnings").text
        assert client.get(f"{seen}.json").json()["change"] == change
        shown = client.get(f"/sources/orchard/changes/{change['which']}")
        assert 'aria-label="Bar-tree before"' in shown.text
        assert 'aria-label="Bar-tree after"' in shown.text
        for screen in (shown, client.get("/sources/orchard")):
            assert "Delta compares the elements behind what is read with those before it" in screen.text
        assert set(client.get(f"/sources/orchard/changes/{change['which']}.json").json()["moves"]) >= {"name", "price"}
        token = {"csrf": csrf(client)}
        with field.store.writing() as connection:
            warn(connection, 1, None, Warned("template", "warning", "Something else."))
        assert f'name="which" value="{change["which"]}"' in shown.text
        accepted = client.post("/sources/orchard/changes/accept", data={**token, "which": change["which"]})
        assert "What was healed stays in use" in client.get(accepted.headers["location"]).text
        assert client.get("/sources/orchard.json").json()["summary"]["shown"] == "Good"
        with field.store.writing() as connection:
            assert [each["kind"] for each in list_warnings(connection, "open", 1)] == ["template"]
            warn(connection, 1, None, Warned("healed", "warning", "Healed once more."))
        assert '<input type="hidden" name="current" value="2">' in shown.text
        stale = client.post("/sources/orchard/changes/undo", data={**token, "version": "1", "current": "1"})
        assert stale.status_code == 412
        assert "changed since" in stale.text
        client.post("/sources/orchard/changes/undo", data={**token, "version": "1", "current": "2"})
        with field.store.reading() as connection:
            assert [each["kind"] for each in list_warnings(connection, "open", 1)] == ["template"]
        kinds = [each["kind"] for each in client.get("/sources/orchard/changes.json").json()["changes"]]
        assert kinds == ["back", "warned", "heal"]
        assert client.get("/sources/orchard/changes/v9").status_code == 404


def test_a_refused_page_is_shown_beside_the_learned_one(orchard: tuple[Field, Interface]) -> None:
    field, served = orchard
    with served.client() as client:
        run(client)
        field.site.wall = True
        assert run(client, fresh="1")["shown"] == "Deferred"
        assert client.get("/sources/orchard.json").json()["summary"]["shown"] == "Blocked"
        (change,) = client.get("/sources/orchard/changes.json").json()["changes"]
        assert (change["kind"], change["warning"] is not None) == ("refused", True)
        assert change["capture_before"] != change["capture_after"]
        assert client.get(f"/sources/orchard/changes/w{change['warning']}.json").json()["change"] == change
        with field.store.writing() as connection:
            warn(connection, 1, None, Warned("template", "warning", "Of which no page was kept."))
        (newest, *_) = client.get("/warnings.json").json()["warnings"]
        alone = client.get(f"/sources/orchard/changes/w{newest['id']}.json").json()["change"]
        assert (alone["kind"], alone["sentence"]) == ("warned", "Of which no page was kept.")
        assert client.get("/sources/orchard/changes/w99").status_code == 404
        assert client.get(f"/sources/orchard/changes/{change['which']}").status_code == 200


def test_warnings_are_acknowledged_resolved_and_filtered(orchard: tuple[Field, Interface]) -> None:
    field, served = orchard
    with field.store.writing() as connection:
        warn(connection, 1, None, Warned("gone", "error", "<b>The text</b> is gone."))
        warn(connection, 1, None, Warned("fewer", "warning", "Fewer than before."))
    with served.client() as client:
        page = client.get("/warnings").text
        assert "&lt;b&gt;The text" in page
        assert 'href="/sources/orchard/edit?warning=1"' in page
        assert "Accept and run" in page
        token = {"csrf": csrf(client), "state": "open"}
        done = client.post("/warnings/1/acknowledge", data=token).headers["location"]
        assert done == "/warnings?state=open&done=acknowledged"
        client.post("/warnings/2/resolve", data=token)
        assert client.post("/warnings/77/resolve", data=token).status_code == 422

        def kinds(query: str) -> list[str]:
            return [each["kind"] for each in client.get(f"/warnings.json{query}").json()["warnings"]]

        assert kinds("") == []
        assert kinds("?state=acknowledged") == ["gone"]
        assert kinds("?state=resolved") == ["fewer"]
        assert kinds("?state=all&kind=gone&source=orchard") == ["gone"]
        assert client.get("/warnings?source=nobody").status_code == 404


@pytest.mark.parametrize(("state", "resumed"), [("active", []), ("deferred", ["gone"]), ("paused", ["gone", "healed"])])
def test_what_a_source_waits_for_is_where_it_is_resumed(
    orchard: tuple[Field, Interface], state: State, resumed: list[str]
) -> None:
    field, served = orchard
    with field.store.writing() as connection:
        warn(connection, 1, None, Warned("healed", "info", "The template changed."))
        warn(connection, 1, None, Warned("gone", "error", "The text is gone."))
        set_state(connection, 1, state, "The text is gone.")
    with served.client() as client:
        warnings = client.get("/warnings.json").json()["warnings"]
        assert sorted(each["kind"] for each in warnings if each["deeds"]["resume"]) == resumed
        assert client.get("/warnings").text.count("Resume</button>") == len(resumed)


@pytest.mark.browser
def test_the_pages_of_a_run_come_while_it_is_under_way(orchard: tuple[Field, Interface], tab: Tab) -> None:
    field, served = orchard
    field.add(manners={"rate": 2})
    log_in(tab, served)
    tab.goto(f"{served.url}/sources/orchard")
    tab.get_by_role("button", name="Run now").click()
    tab.wait_for_url("**/runs/*")
    with field.store.writing() as connection:
        warn(connection, 1, int(tab.url.partition("?")[0].rpartition("/")[2]), Warned("missing", "info", "<b>No</b>."))
    second = tab.get_by_role("table", name="Pages").get_by_role("row").nth(2)
    second.wait_for(timeout=SECONDS * 1000)
    assert tab.get_by_role("status", name="Run status").inner_text() == "Running"
    assert field.server.url in second.get_by_role("rowheader").inner_text()
    assert second.get_by_role("cell").nth(1).inner_text() == "200"
    assert not tab.get_by_text("No page was read").is_visible()
    assert tab.get_by_role("region", name="Warnings").get_by_text("missing (open): <b>No</b>.").is_visible()
    tab.get_by_role("button", name="Stop").click()
    tab.get_by_role("status", name="Run status").filter(has_text="Stopped").wait_for(timeout=SECONDS * 1000)


@pytest.mark.browser
def test_a_person_runs_a_source_and_sees_what_changed(orchard: tuple[Field, Interface], tab: Tab) -> None:
    field, served = orchard
    log_in(tab, served)
    tab.goto(f"{served.url}/sources/orchard")
    assert tab.get_by_role("status", name="Source status").inner_text() == "Not run yet"
    tab.get_by_role("button", name="Run now").click()
    status = tab.get_by_role("status", name="Run status")
    status.filter(has_text="Finished").wait_for(timeout=SECONDS * 1000)
    field.site.template = "cards"
    tab.goto(f"{served.url}/sources/orchard/runs")
    tab.get_by_text("Start a run").click()
    tab.get_by_label("Ask for every page as if it were new").check()
    tab.get_by_role("button", name="Start", exact=True).click()
    status.filter(has_text="Finished").wait_for(timeout=SECONDS * 1000)
    tab.get_by_role("link", name="Changes").click()
    tab.get_by_role("table", name="Changes").get_by_role("link", name="See the change").first.click()
    assert tab.get_by_role("img", name="Bar-tree before").is_visible()
    assert tab.get_by_role("img", name="Bar-tree after").is_visible()
    picture = tab.get_by_role("img", name="Picture before")
    picture.scroll_into_view_if_needed()
    tab.wait_for_function("() => [...document.images].every((each) => each.complete && each.naturalWidth > 100)")
    tab.goto(f"{served.url}/warnings")
    assert "healed" in tab.get_by_role("table", name="Warnings").inner_text()
    tab.get_by_role("button", name="Acknowledge").first.click()
    tab.get_by_role("combobox", name="State").select_option("Acknowledged")
    tab.get_by_role("button", name="Show").click()
    tab.get_by_role("button", name="Resolve").first.click()
    assert "There is no acknowledged warning." in tab.get_by_role("table", name="Warnings").inner_text()
