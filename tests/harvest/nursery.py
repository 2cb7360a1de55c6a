"""A site of our own on loopback, to be harvested: a nursery's catalogue, whose content, template and manners change.

Lists of trees with next pages lead to a page for each tree. What a page should say is known, so a harvest can be held
against it. Every request is written down; faults can be ordered.
"""

from __future__ import annotations

import hashlib
import html
import random
import socket
import struct
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Self
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

SORTS = "Alkmene Boskoop Cox Discovery Elstar Fiesta Gala Holstein Idared Jonagold Kidd Luna Melrose Norfolk".split()
FRUITS = {
    "en": ("Apple", "Pear", "Plum", "Cherry", "Quince"),
    "de": ("Apfel", "Birne", "Pflaume", "Kirsche", "Quitte"),
    "fr": ("Pomme", "Poire", "Prune", "Cerise", "Coing"),
    "id": ("Apel", "Pir", "Plum", "Ceri", "Kuins"),
}
WORDS = {
    "en": ("Price", "Grower", "Planted", "Number", "Next page", "Our trees", "Related trees"),
    "de": ("Preis", "Züchter", "Gepflanzt", "Nummer", "Nächste Seite", "Unsere Bäume", "Ähnliche Bäume"),
    "fr": ("Prix", "Pépiniériste", "Planté", "Numéro", "Page suivante", "Nos arbres", "Arbres similaires"),
    "id": ("Harga", "Penanam", "Ditanam", "Nomor", "Halaman berikutnya", "Pohon kami", "Pohon serupa"),
}
GROWERS = ("Hollin & Sons", "Birchfield Nursery", "M. Okafor", "Gärtnerei Lindhof", "Verger du Lac", "Taman Sari")
LABELS = ("sku", "name", "price", "grower", "year")


@dataclass(frozen=True)
class Tree:
    """A thing of the catalogue."""

    sku: str
    name: str
    cents: int
    grower: str
    year: int
    has_year: bool = True


def grow(count: int, seed: int = 7, language: str = "en") -> list[Tree]:
    """Return a catalogue."""
    dice = random.Random(seed)  # noqa: S311 - a catalogue, no secret
    return [
        Tree(
            f"T-{number:04}",
            f"{FRUITS[language][number % 5]} {SORTS[number % len(SORTS)]} {number}",
            dice.randrange(900, 24_900),
            dice.choice(GROWERS),
            1950 + dice.randrange(70),
            dice.random() > 0.1,
        )
        for number in range(count)
    ]


def price_of(tree: Tree, language: str) -> str:
    """Return a price as the language writes it."""
    whole, cents = divmod(tree.cents, 100)
    if language == "en":
        return f"£{whole:,}.{cents:02}"
    if language == "id":
        return f"Rp {tree.cents * 100:,}".replace(",", ".")
    grouped = f"{whole:,}".replace(",", "." if language == "de" else "\u202f")
    return f"{grouped},{cents:02} €"


def values_of(tree: Tree, language: str) -> dict[str, str]:
    """Return what a tree's page says, by label."""
    values = {"sku": tree.sku, "name": tree.name, "price": price_of(tree, language), "grower": tree.grower}
    return values | ({"year": str(tree.year)} if tree.has_year else {})


@dataclass(frozen=True)
class File:
    """An answer that is no page of the catalogue, as it is sent."""

    body: bytes | str = b""
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Site:
    """What is to be served: change it between runs, or while one is under way."""

    trees: list[Tree] = field(default_factory=lambda: grow(40))
    language: str = "en"
    template: str = "table"
    """table, list or cards."""
    a_page: int = 10
    robots: str | None = None
    wall: bool = False
    """Whether every page is a log-in."""
    gone: set[str] = field(default_factory=set)
    """Numbers of trees whose pages are no more."""
    validators: bool = True
    files: dict[str, File] = field(default_factory=dict)
    """What else is served, by path and query."""

    def truth(self) -> dict[str, dict[str, str]]:
        """Return what a harvest of the site should have, by number."""
        return {tree.sku: values_of(tree, self.language) for tree in self.trees}

    def page(self, path: str, query: str) -> tuple[int, str]:
        """Return the status and the page of an address."""
        if self.wall:
            return 200, self.frame("Log in", "<h1>Please log in</h1><form><input type=password></form>")
        if path in {"/", "/list"}:
            return 200, self._list(int(parse_qs(query).get("page", ["1"])[0]))
        if path.startswith("/p/"):
            sku = path.removeprefix("/p/")
            number = next((place for place, tree in enumerate(self.trees) if tree.sku == sku), None)
            if number is not None and sku not in self.gone:
                return 200, self._detail(number)
        return 404, self.frame("Not found", "<h1>Not found</h1><p>There is no such page.</p>")

    def frame(self, title: str, body: str) -> str:
        menu = "".join(f"<li><a href='/about/{name}'>{name.title()}</a></li>" for name in ("visit", "contact", "news"))
        wrap = ("<div class='shell'><div class='inner'>", "</div></div>") if self.template == "cards" else ("", "")
        return (
            f"<!doctype html><html lang={self.language}><head><meta charset=utf-8><title>{html.escape(title)} | Hollin "
            f"Orchard</title></head><body><header><a href='/'>Hollin Orchard</a><nav><ul>{menu}</ul></nav></header>"
            f"{wrap[0]}<main>{body}</main>{wrap[1]}<footer><p>Hollin Orchard, Mill Lane 4</p></footer></body></html>"
        )

    def _list(self, number: int) -> str:
        words = WORDS[self.language]
        start = (number - 1) * self.a_page
        rows = "".join(
            f"<li class='tree'><h2><a href='/p/{tree.sku}'>{html.escape(tree.name)}</a></h2>"
            f"<p class='price'>{html.escape(price_of(tree, self.language))}</p></li>"
            for tree in self.trees[start : start + self.a_page]
        )
        more = start + self.a_page < len(self.trees)
        onward = f"<p class='pages'><a rel='next' href='/list?page={number + 1}'>{words[4]}</a></p>" if more else ""
        return self.frame(words[5], f"<h1>{words[5]}</h1><ol class='trees'>{rows}</ol>{onward}")

    def _detail(self, number: int) -> str:
        tree, words = self.trees[number], WORDS[self.language]
        values = values_of(tree, self.language)
        pairs = [(words[0], "price"), (words[1], "grower"), (words[2], "year"), (words[3], "sku")]
        if self.template != "table":
            pairs = [pairs[3], *pairs[:3]]
        rows = [(word, html.escape(values[label])) for word, label in pairs if label in values]
        if self.template == "table":
            body = "".join(f"<tr><th>{word}</th><td>{value}</td></tr>" for word, value in rows)
            facts = f"<table class='facts'>{body}</table>"
        elif self.template == "list":
            body = "".join(f"<dt>{word}</dt><dd>{value}</dd>" for word, value in rows)
            facts = f"<section class='data'><dl>{body}</dl></section>"
        else:
            body = "".join(f"<div class='f'><span>{word}:</span> <b>{value}</b></div>" for word, value in rows)
            facts = f"<div class='facts'>{body}</div>"
        others = [self.trees[(number + step) % len(self.trees)] for step in (1, 2, 3)]
        related = "".join(f"<li><a href='/p/{each.sku}'>{html.escape(each.name)}</a></li>" for each in others)
        head = "h1" if self.template != "cards" else "h2"
        text = f"<p>{html.escape(tree.grower)} planted this tree with care; it bears every year.</p>"
        beside = f"<aside><h3>{words[6]}</h3><ul>{related}</ul></aside>"
        body = f"<{head}>{html.escape(tree.name)}</{head}>{facts}{text}{beside}"
        return self.frame(tree.name, body)


@dataclass(frozen=True)
class Request:
    """A request that came in."""

    at: float
    path: str
    agent: str
    conditional: bool
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


class Server:
    """Serves a site on loopback while the block lasts."""

    def __init__(
        self,
        site: Site,
        fault: Callable[[str, int], str | None] | None = None,
        port: int = 0,
        host: str = "127.0.0.1",
    ) -> None:
        """Serve a site; ``fault`` may name one for a path that is asked for the nth time."""
        self.site, self.requests = site, list[Request]()
        self._fault = fault or (lambda _path, _count: None)
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer._answer(self)

            def do_POST(self) -> None:
                outer._answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer((host, port), Handler)
        self._server.daemon_threads = True
        self.url = f"http://{host}:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def asked_for(self, prefix: str = "") -> list[Request]:
        """Return the requests for paths with a beginning."""
        return [request for request in self.requests if request.path.startswith(prefix)]

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        with self._lock:
            count = self._counts[handler.path] = self._counts.get(handler.path, 0) + 1
        conditional = "If-None-Match" in handler.headers
        given = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))

        def note(status: int) -> None:
            sent = {name.lower(): value for name, value in handler.headers.items()}
            agent = sent.get("user-agent", "")
            self.requests.append(Request(time.time(), handler.path, agent, conditional, status, sent, given))

        fault = self._fault(handler.path, count)
        if fault is not None:
            note(-1)
            self._fail(handler, fault)
            return
        if parts.path == "/robots.txt":
            robots = self.site.robots
            note(200 if robots is not None else 404)
            self._send(
                handler, 200 if robots is not None else 404, (robots or "").encode(), {"Content-Type": "text/plain"}
            )
            return
        file = self.site.files.get(handler.path)
        if file is not None:
            body = file.body if isinstance(file.body, bytes) else file.body.encode()
            status, headers = file.status, {"Content-Type": file.kind, **file.headers}
        else:
            status, page = self.site.page(parts.path, parts.query)
            body, headers = page.encode(), {"Content-Type": "text/html; charset=utf-8"}
        tag = f'"{hashlib.sha1(body).hexdigest()}"'  # noqa: S324 - a name for a version
        if self.site.validators and status == 200:
            headers["ETag"] = tag
            if handler.headers.get("If-None-Match") == tag:
                note(304)
                self._send(handler, 304, b"", headers)
                return
        note(status)
        self._send(handler, status, body, headers)

    def _send(self, handler: BaseHTTPRequestHandler, status: int, body: bytes, headers: dict[str, str]) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        if status != 304:
            handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        with suppress(OSError):  # whoever asked may not wait for all of it
            handler.wfile.write(body)

    def _fail(self, handler: BaseHTTPRequestHandler, fault: str) -> None:
        if fault.startswith("503"):
            self._send(handler, 503, b"busy", {"Retry-After": fault.partition(" ")[2] or "0"})
        elif fault == "reset":
            # Closing a socket that lingers for no time sends a reset instead of an end.
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()
        elif fault in {"truncate", "drip"}:
            page = self.site.page(*urlsplit(handler.path)[2:4])[1].encode()
            handler.send_response(200)
            handler.send_header("Content-Type", "text/html; charset=utf-8")
            handler.send_header("Content-Length", str(len(page)))
            handler.end_headers()
            if fault == "truncate":
                handler.wfile.write(page[: len(page) // 2])
                return
            for start in range(0, len(page), 512):
                handler.wfile.write(page[start : start + 512])
                time.sleep(0.01)
        else:
            self._send(handler, int(fault), b"<p>error</p>", {"Content-Type": "text/html"})


def changed(tree: Tree, **values: object) -> Tree:
    """Return a tree with something changed."""
    return replace(tree, **values)  # type: ignore[arg-type] # by the names of its fields
