"""Harvests with a browser: who asks, how often, and what may not be reached."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import psutil
import pytest
from nursery import File, Server, Site, changed, grow

import windrow
from windrow.harvest.harvest import harvest_source
from windrow.harvest.progress import RunChoices
from windrow.harvest.settings import SourceSettings
from windrow.harvest.sources import save
from windrow.source import guard
from windrow.source.ip_addresses import check_address

if TYPE_CHECKING:
    from fields import Field

pytestmark = pytest.mark.browser


@pytest.fixture
def small(plot: Field) -> Field:
    plot.site.trees = plot.site.trees[:6]
    return plot


def with_parts(field: Field) -> None:
    """Give every page a style sheet and a script."""
    original = field.site.page

    def page(path: str, query: str) -> tuple[int, str]:
        status, text = original(path, query)
        return status, text.replace("</head>", "<link rel=stylesheet href=/s.css><script src=/s.js></script></head>")

    field.site.page = page  # type: ignore[method-assign] # a site with style
    field.site.files = {"/s.css": File("p{color:red}", "text/css"), "/s.js": File("let a = 1", "text/javascript")}


def rendered(field: Field, retries: int = 2) -> None:
    field.add(field.learn(), network={"render": True}, manners={"retries": retries})


def test_every_request_of_a_browser_says_who_asks(small: Field) -> None:
    with_parts(small)
    wrapper = small.learn()
    asked = len(small.server.requests)
    small.add(wrapper, network={"render": True})
    report = small.harvest()
    assert (report.state, report.counts.records) == ("whole", 6), report
    requests = small.server.requests[asked:]
    assert {"/s.css", "/s.js"} <= {request.path for request in requests}
    agents = {request.agent for request in requests}
    assert len(agents) == 1
    assert agents.pop().startswith("windrow/")


@pytest.mark.parametrize("validators", [True, False])
def test_pages_that_did_not_change_need_no_browser(small: Field, validators: bool) -> None:  # noqa: FBT001 - of pytest
    small.site.validators = validators
    rendered(small)
    assert small.harvest().state == "whole"
    asked = len(small.server.requests)
    report = small.harvest()
    requests = small.server.requests[asked:]
    assert len(requests) <= 1.3 * 6
    assert [request for request in requests if "sec-fetch-dest" in request.headers] == []
    assert (report.state, report.counts.records, report.counts.changed) == ("whole", 6, 0)
    small.site.trees[4] = changed(small.site.trees[4], cents=123)
    report = small.harvest()
    assert (report.state, report.counts.changed) == ("whole", 1)
    assert small.records() == small.site.truth()


def test_a_browser_is_led_nowhere_that_robots_txt_forbids(small: Field) -> None:
    small.site.robots = "User-agent: *\nDisallow: /private\n"
    small.site.files = {
        "/p/T-0004": File(status=302, headers={"Location": "/private/x"}),
        "/private/x": File("<p>no</p>"),
    }
    rendered(small)
    report = small.harvest()
    assert small.server.asked_for("/private") == []
    assert "robots" in report.warnings


RATE = 4


def test_redirects_of_a_browser_keep_to_the_rate(small: Field) -> None:
    small.site.trees = small.site.trees[:4]
    small.site.files = {f"/p/T-000{n}": File(status=302, headers={"Location": f"/p/T-000{n}/"}) for n in (0, 2)}
    original = small.site.page
    small.site.page = lambda path, query: original(path.rstrip("/"), query)  # type: ignore[method-assign]
    wrapper = small.learn()
    small.add(wrapper, network={"render": True}, manners={"rate": RATE})
    asked = len(small.server.requests)
    assert small.harvest().state == "whole"
    times = sorted(request.at for request in small.server.requests[asked:] if "favicon" not in request.path)
    # A request may come late, so that the next one follows it closely: what is kept to is when they are sent.
    assert times[-1] - times[0] > 0.9 * (len(times) - 1) / RATE, times


def test_a_browser_that_is_killed_is_started_again(small: Field) -> None:
    rendered(small, retries=3)
    killed: list[int] = []

    def kill(progress: object) -> None:
        del progress
        if not killed:
            children = psutil.Process().children(recursive=True)
            browsers = [child for child in children if "chrom" in child.name().lower()]
            for child in browsers:
                with suppress(psutil.NoSuchProcess):
                    child.kill()
            killed.extend(child.pid for child in browsers)

    report = harvest_source(small.store, "orchard", RunChoices(), watch=kill)
    assert killed
    assert (report.state, report.counts.records) == ("whole", 6), report
    assert small.records() == small.site.truth()


def test_whether_pages_need_a_browser_is_found_out_and_said(small: Field) -> None:
    said: list[str] = []
    settings = {
        "name": "orchard",
        "start": [f"{small.server.url}/list"],
        "follow": {"list": "region", "detail": "/p/*"},
        "read": {"wrapper": "orchard.json", "key": ["sku"]},
        "manners": {"rate": 1000},
        "network": {"render": "auto", "allow_private": True},
    }
    save(small.store, SourceSettings.from_dict(settings), small.learn(), say=said.append)
    assert "without a browser" in said[0]
    original = small.site.page

    def page(path: str, query: str) -> tuple[int, str]:
        status, text = original(path, query)
        hidden = text.replace("<main>", "<template id=t><main>").replace("</main>", "</main></template>")
        script = "<script>document.body.append(document.getElementById('t').content)</script></body>"
        return status, hidden.replace("</body>", script)

    small.site.page = page  # type: ignore[method-assign] # a site made by a script
    options = windrow.Options(allow_private=True)
    lessons = [
        (windrow.load(f"{small.server.url}/p/{tree.sku}", options=options), small.site.truth()[tree.sku])
        for tree in (small.site.trees[1], small.site.trees[3])
    ]
    save(small.store, SourceSettings.from_dict(settings), windrow.learn(lessons), say=said.append)
    assert "with a browser" in said[1]
    assert small.harvest().state == "whole"
    assert small.records() == small.site.truth()


def test_finding_out_keeps_to_robots_txt(small: Field) -> None:
    wrapper = small.learn()
    small.site.robots = "User-agent: *\nDisallow: /p/\n"
    asked = len(small.server.requests)
    settings = {
        "name": "orchard",
        "start": [f"{small.server.url}/list"],
        "read": {"wrapper": "orchard.json", "key": ["sku"]},
        "network": {"render": "auto", "allow_private": True},
    }
    save(small.store, SourceSettings.from_dict(settings), wrapper, say=lambda _: None)
    assert {request.path for request in small.server.requests[asked:]} <= {"/robots.txt"}


def test_a_list_that_loads_more(small: Field) -> None:
    rows = "".join(f"<li><h2><a href='/p/{tree.sku}'>{tree.name}</a></h2></li>" for tree in small.site.trees[:3])
    later = "".join(f"<li><h2><a href='/p/{tree.sku}'>{tree.name}</a></h2></li>" for tree in small.site.trees[3:])
    script = (
        "document.querySelector('ol').insertAdjacentHTML('beforeend', document.querySelector('template').innerHTML)"
    )
    body = f'<ol>{rows}</ol><template>{later}</template><button onclick="{script};this.remove()">Load more</button>'
    small.site.files["/more"] = File(f"<!doctype html><html lang=en><main><h1>Trees</h1>{body}</main>")
    small.add(small.learn(), starts=["/more"], follow={"next": "load-more"}, network={"render": True})
    report = small.harvest()
    assert (report.state, report.counts.records) == ("whole", 6), report
    page = str(small.site.files["/more"].body)
    small.site.files["/more"] = File(page.replace(f'onclick="{script};this.remove()"', ""))
    report = small.harvest()
    assert (report.state, report.counts.removed, report.warnings) == ("partial", 0, ("fewer",)), report
    assert len(small.records()) == 6, "a button that does nothing any more takes no record away"


def test_the_guard_holds_for_what_a_page_loads(small: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(address: str, *, allow_private: bool = False) -> str | None:
        return None if str(address) == "127.0.0.1" else check_address(address, allow_private=allow_private)

    monkeypatch.setattr(guard, "check_address", check)
    with Server(Site(trees=grow(1)), host="127.0.0.2") as inner:
        original = small.site.page

        def page(path: str, query: str) -> tuple[int, str]:
            status, text = original(path, query)
            return status, text.replace("</head>", f"<script src='{inner.url}/x.js'></script></head>")

        small.site.page = page  # type: ignore[method-assign] # a page that reaches into the network it stands in
        small.add(small.learn(), network={"render": True, "allow_private": False})
        assert small.harvest().state == "whole"
        assert inner.requests == []


def test_what_a_script_brings_is_looked_at_though_the_document_never_changes(small: Field) -> None:
    original = small.site.page
    script = "fetch(location.pathname + '?body').then(r => r.text()).then(t => document.body.innerHTML = t)"

    def page(path: str, query: str) -> tuple[int, str]:
        if path.startswith("/p/") and query != "body":
            return (
                200,
                f"<!doctype html><html lang=en><title>Trees</title><body><script>{script}</script></body></html>",
            )
        status, text = original(path, "")
        return status, text.partition("<body>")[2] if query == "body" else original(path, query)[1]

    small.site.page = page  # type: ignore[method-assign] # a site whose pages are made by a script
    options = windrow.Options(allow_private=True)
    lessons = [
        (windrow.load(f"{small.server.url}/p/{tree.sku}", options=options), small.site.truth()[tree.sku])
        for tree in (small.site.trees[1], small.site.trees[3])
    ]
    small.add(windrow.learn(lessons), network={"render": True})
    assert small.harvest().state == "whole"
    assert small.records() == small.site.truth()
    small.site.trees[4] = changed(small.site.trees[4], cents=123)
    report = small.harvest()
    assert (report.state, report.counts.changed) == ("whole", 1)
    assert small.records() == small.site.truth()
