"""The guard stands before every address in every field, also those that nobody sees: a neighbour hears nothing."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from harvesting import add_source, harvest, seen
from interface import Interface, csrf, serving
from stocked import asking

from windrow.store.sources import save_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

SPELLINGS = ("127.0.0.1", "localhost", "127.1", "2130706433", "0x7f.0.0.1", "[::ffff:127.0.0.1]", "0.0.0.0")  # noqa: S104 - asked, not listened on
SENDING = (
    "json://127.0.0.1",
    "json://localhost",
    "json://127.1",
    "json://[::ffff:127.0.0.1]",
    "xml://127.0.0.1",
    "form://127.0.0.1",
)
PEARS = "<h1>Pears</h1><p>Ripe in October."
CORRECTED = {"tried-page-1": "gone", "tried-label": "title", "now-1-1": "Plums", "was-1-1": "x"}
FIELD = {"label-1": "title", "text-1": "Pears", "name": "x"}


class Neighbour:
    """A server on this machine that is none of anybody's business."""

    def __init__(self, port: int, asked: list[str]) -> None:
        self.port, self.asked = port, asked

    def addresses(self) -> list[str]:
        return [f"http://{host}:{self.port}/page" for host in SPELLINGS]


@contextmanager
def neighbour() -> Iterator[Neighbour]:
    asked: list[str] = []

    class Listening(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(PEARS.encode())

        do_POST = do_PUT = do_HEAD = do_GET  # noqa: N815 - as the standard library calls them

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Listening) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield Neighbour(server.server_port, asked)
        server.shutdown()


@pytest.fixture(scope="module")
def near() -> Iterator[Neighbour]:
    with neighbour() as found:
        yield found


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory, near: Neighbour) -> Iterator[Interface]:
    """An interface that reads no private address, on a store in which some stand already."""
    with serving(tmp_path_factory.mktemp("guarded"), "--no-schedule", private=False) as served:
        with served.open_store() as store:
            add_source(store, "barn", {"name": "barn", "start": near.addresses()[:1], "read": {"reader": "records"}})
            harvest(store, {"1": [seen("k1", title="Pears")]}, name="barn")
            with store.writing() as connection:
                save_source(connection, "list", {"name": "list", "start": near.addresses()[:1]})
        yield served


def ask_form(client: httpx.Client, path: str, **data: Any) -> int:  # noqa: ANN401 - what a form sends
    return client.post(path, data={"csrf": csrf(client), **data}).status_code


def test_no_form_leads_to_a_neighbour(closed: Interface, near: Neighbour) -> None:
    with closed.client() as client:
        for url in near.addresses():
            page = {"page": "gone", "address": url, **FIELD}
            for do in ("load", "preview", "list-1", "try", "save"):
                assert ask_form(client, "/sources/new", do=do, **page) in {403, 422}, (do, url)
            assert ask_form(client, "/read", address=url) == 403
            hidden = {
                "tried-url": url,
                "tried-page-1": "gone",
                "tried-label": "title",
                "now-1-1": "Pears",
                "was-1-1": "x",
            }
            assert ask_form(client, "/sources/new", do="try", **page, **hidden) in {403, 422}
            assert client.get("/sources/new", params={"address": url, "page": "gone"}).status_code in {200, 403}
    assert not near.asked


def test_no_address_beside_the_page_leads_to_a_neighbour(closed: Interface, near: Neighbour) -> None:
    """The page itself is at hand, as an upload; whatever else is asked for is not."""
    with closed.client() as client:
        upload = {"file": ("pears.html", PEARS, "text/html")}
        shown = client.post("/read", data={"csrf": csrf(client), "address": "https://orchard.example/p"}, files=upload)
        name = shown.text.partition("&amp;page=")[2].partition('"')[0]
        page = {"page": name, "address": "https://orchard.example/p", **FIELD}
        for url in near.addresses():
            for way in ("these", "list", "sitemap", "feed"):
                status = ask_form(client, "/sources/new", do="try", way=way, addresses=url, **page)
                assert status in {200, 403, 422, 424}, (way, status)
            assert ask_form(client, "/sources/new", do="try", tries=url, **page) in {200, 403}
            hidden = {
                "tried-url": url,
                "tried-page-1": "gone",
                "tried-label": "title",
                "now-1-1": "Plums",
                "was-1-1": "x",
            }
            assert ask_form(client, "/sources/new", do="preview", **page, **hidden) == 403
            assert ask_form(client, "/sources/new", do="save", way="these", addresses=url, **page) == 403
    assert not near.asked


def test_what_is_stored_leads_to_no_neighbour(closed: Interface, near: Neighbour) -> None:
    with closed.client() as client:
        for path in ("/sources/barn", "/sources/barn/edit", "/sources/list/edit", "/sources/barn/changes"):
            client.get(path)
        record = client.get("/sources/barn/records.json").json()["records"][0]["id"]
        client.get(f"/sources/barn/records/{record}/where/title")
    assert not near.asked


def test_no_warning_is_sent_to_a_neighbour(closed: Interface, near: Neighbour) -> None:
    with closed.client() as client:
        # All in one message: each takes a process that is slow to start.
        send = "\n".join(f"{place}:{near.port}/" for place in SENDING)
        assert ask_form(client, "/settings/beginnings", rate="1", concurrency="1", send=send) == 303
        answer = client.post("/settings/test", data={"csrf": csrf(client)})
        assert f"{len(SENDING)} of {len(SENDING)} addresses of warn.send could not be reached." in answer.text
    assert not near.asked


def test_the_api_leads_to_no_neighbour(closed: Interface, near: Neighbour) -> None:
    with asking(closed) as client:
        learned = client.post("/learn", json={"examples": [{"html": PEARS, "values": {"title": "Pears"}}]}).json()
        for url in near.addresses():
            bodies = {
                "/read": {"url": url},
                "/learn": {"examples": [{"url": url, "values": {"title": "Pears"}}]},
                "/try": {"wrapper": learned.get("wrapper"), "urls": [url]},
                "/sources": {"source": "y", "settings": {"start": [url], "read": {"reader": "records"}}},
            }
            for path, body in bodies.items():
                answer = client.post(path, json=body)
                failed = answer.status_code == 200 and path == "/try"
                assert failed or answer.status_code in {403, 422, 424}, (path, answer.text)
            proxied = {"start": ["https://orchard.example/"], "network": {"proxy": url}, "read": {"reader": "records"}}
            assert client.post("/sources", json={"source": "y", "settings": proxied}).status_code in {403, 422}
    assert not near.asked
