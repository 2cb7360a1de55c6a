"""What the web interface costs: page weights, and pages over 100,000 records beside a dozen and a bare FastAPI page.

make bench-web

Times are CPU milliseconds of the server's process, the median of interleaved requests: the machine may be busy.
"""

from __future__ import annotations

import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import psutil
from data import verdict
from store import LABELS, RECORDS, store_run

from windrow.store import open_store
from windrow.store.sources import save_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PASSWORD = "haystack and a needle"  # noqa: S105 - of a server that only the benchmark knows
ROUNDS, AT_ONCE = 9, 10
"""Interleaved rounds, and requests in each: the system counts CPU time in hundredths of a second."""
LOOKED_AT = ("/", "/sources/large/records", "/sources/large/records/50", "/sources/large/runs", "/warnings")
"""What people look at most, and what needs nothing that reads pages."""
BARE = """
import json, sqlite3, sys
from fastapi import FastAPI
from fastapi.responses import HTMLResponse, StreamingResponse
from jinja2 import Environment
import uvicorn

app = FastAPI()
path = sys.argv[1]
QUERY = "SELECT id, key, url, texts, typed FROM windrow_record WHERE source_id = 1 AND gone_run IS NULL ORDER BY id"

def read(limit):
    connection = sqlite3.connect(path)
    for row in connection.execute(QUERY + f" LIMIT {limit}"):
        yield row[0], row[1], row[2], json.loads(row[3])

PAGE = Environment(autoescape=True).from_string(
    "<table>{% for row in rows %}<tr><th><a href='/{{ row[0] }}'>{{ row[1] }}</a></th>"
    "{% for text in row[3].values() %}<td>{{ text }}</td>{% endfor %}</tr>{% endfor %}</table>"
)

@app.get("/page")
def page():
    return HTMLResponse(PAGE.render(rows=list(read(45))))

def dump():
    connection = sqlite3.connect(path)
    cursor = connection.execute(QUERY)
    while rows := cursor.fetchmany(500):
        yield "".join(json.dumps({"key": row[1], "url": row[2], "values": json.loads(row[3])}) + "\\n" for row in rows)

@app.get("/all")
def everything():
    return StreamingResponse(dump())

uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), http="h11", log_level="error")
"""


@dataclass(frozen=True)
class Served:
    """A server that is up."""

    client: httpx.Client
    process: psutil.Process

    def cost(self, path: str) -> float:
        """Return the CPU milliseconds of one request of several."""
        before = self._seconds()
        for _ in range(AT_ONCE):
            answer = self.client.get(path)
            if answer.status_code != httpx.codes.OK:
                raise SystemExit(f"{path}: {answer.status_code}")
        return (self._seconds() - before) * 1000 / AT_ONCE

    def first_byte(self, path: str) -> float:
        """Return the milliseconds until an answer begins."""
        began = time.perf_counter()
        with self.client.stream("GET", path) as answer:
            next(answer.iter_raw())
            return (time.perf_counter() - began) * 1000

    def stream(self, path: str) -> tuple[float, float]:
        """Return the CPU seconds of a long answer, and by how many megabytes the process grew meanwhile."""
        before, size, most = self._seconds(), self.memory(), 0.0
        with self.client.stream("GET", path) as answer:
            for number, _ in enumerate(answer.iter_raw()):
                most = max(most, self.memory()) if number % 100 == 0 else most
        return self._seconds() - before, most - size

    def memory(self) -> float:
        """Return the resident megabytes of the process."""
        return float(self.process.memory_info().rss) / 2**20

    def _seconds(self) -> float:
        times = self.process.cpu_times()
        return float(times.user + times.system)


def main() -> None:
    """Fill a store, serve it, and print the tables."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        path = Path(folder, "windrow.db")
        make(path)
        ours = stack.enter_context(serve_ours(path))
        bare = stack.enter_context(serve_bare(path))
        idle = ours.memory(), bare.memory()
        print(f"idle memory: {idle[0]:.0f} MB, bare FastAPI {idle[1]:.0f} MB")
        verdict("idle memory, times bare", idle[0] / idle[1], 1.5, most=True)
        looked_at = [ours.client.get(path).status_code for path in LOOKED_AT]
        bare.client.get("/page")
        again = ours.memory(), bare.memory()
        print(f"after {len(looked_at)} such screens: {again[0]:.0f} MB, bare {again[1]:.0f} MB")
        verdict("memory after these, times bare", again[0] / again[1], 1.5, most=True)
        weigh(ours.client)
        compare(ours, bare)
        stream(ours, bare)


def make(path: Path) -> None:
    """Make a store with a large source and one of a dozen records."""
    with open_store(path) as store:
        for name, records in (("large", RECORDS), ("dozen", 12)):
            settings = {"name": name, "start": ["https://x/"], "read": {"reader": "records", "key": [LABELS[0]]}}
            with store.writing() as connection:
                save_source(connection, name, settings)
            store_run(store, 0, name, records)


def weigh(client: httpx.Client) -> None:
    """Print how heavy the screens are: their own bytes and those of the files they load, and how many requests."""
    print(f"\n{'screen':44}{'kB':>8}{'requests':>10}")
    screens = ["/", "/sources/large", "/sources/large/records", "/sources/large/records?facets=1"]
    screens += ["/sources/large/records/50", "/sources/large/runs", "/sources/large/runs/1", "/sources/large/changes"]
    screens += ["/warnings", "/collections", "/collections/new", "/read", "/settings", "/sources/new"]
    screens += ["/sources/large/edit"]
    heaviest, most = 0.0, 0
    for path in screens:
        page = client.get(path).text
        files = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
        size = len(page.encode()) + sum(len(client.get(file).content) for file in files)
        heaviest, most = max(heaviest, size / 1000), max(most, 1 + len(files))
        print(f"{path:44}{size / 1000:8.1f}{1 + len(files):10}")
    verdict("heaviest screen, kB", heaviest, 100, most=True)
    verdict("most requests", most, 8, most=True)


def compare(ours: Served, bare: Served) -> None:
    """Print what pages cost, beside each other."""
    base = "/sources/large/records"
    cursor = ""
    for _ in range(19):
        cursor = ours.client.get(f"{base}.json", params={"cursor": cursor}).json()["next"]
    pages = {
        "dozen rows": (ours, "/sources/dozen/records"),
        "first page": (ours, base),
        "twentieth page": (ours, f"{base}?cursor={cursor}"),
        "last page": (ours, f"{base}?cursor=last"),
        "sorted, again": (ours, f"{base}?sort={LABELS[3].replace(' ', '+')}"),
        "searched, again": (ours, f"{base}?search=record+77"),
        "bare page": (bare, "/page"),
    }
    cold = {name: ours.first_byte(pages[name][1]) for name in ("sorted, again", "searched, again")}
    costs: dict[str, list[float]] = {name: [] for name in pages}
    waits: dict[str, list[float]] = {name: [] for name in pages}
    for _ in range(ROUNDS):
        for name, (server, path) in pages.items():
            costs[name].append(server.cost(path))
            waits[name].append(server.first_byte(path))
    first = statistics.median(costs["first page"])
    print(f"\n{'page':20}{'CPU ms':>9}{'of first':>10}{'first byte ms':>15}")
    middle = {name: statistics.median(some) for name, some in costs.items()}
    for name, cost in middle.items():
        print(f"{name:20}{cost:9.1f}{cost / first:10.2f}{statistics.median(waits[name]):15.1f}")
    first_byte = statistics.median(waits["first page"]) / statistics.median(waits["bare page"])
    verdict("first page, times a dozen rows", first / middle["dozen rows"], 3, most=True)
    verdict("twentieth page, times the first", middle["twentieth page"] / first, 2, most=True)
    verdict("sorted, times the first", middle["sorted, again"] / first, 4, most=True)
    verdict("first byte, times a bare page", first_byte, 3, most=True)
    print("the first time:", ", ".join(f"{name.partition(',')[0]} {wait:.0f} ms" for name, wait in cold.items()))


def stream(ours: Served, bare: Served) -> None:
    """Print what all records as JSON lines cost."""
    pairs = [(ours.stream("/sources/large/records/download/jsonl"), bare.stream("/all")) for _ in range(3)]
    mine, theirs = (statistics.median(pair[side][0] for pair in pairs) for side in (0, 1))
    grown = max(pair[0][1] for pair in pairs)
    print(f"\nJSON lines of all: {mine:.2f} s CPU, bare {theirs:.2f} s: {mine / theirs:.2f} ×; grew by {grown:.0f} MB")
    verdict("JSON lines, times reading and dumping alone", mine / theirs, 2, most=True)


@contextmanager
def serve_ours(path: Path) -> Iterator[Served]:
    """Serve the web interface."""
    port = free_port()
    words = ["-m", "windrow", "web", "--store", str(path), "--port", str(port), "--no-browser", "--no-schedule"]
    with serving(words, port, "/health") as served:
        served.client.post("/login", data={"password": PASSWORD})
        yield served


@contextmanager
def serve_bare(path: Path) -> Iterator[Served]:
    """Serve a page that runs the same query and no more."""
    port = free_port()
    with serving(["-c", BARE, str(path), str(port)], port, "/openapi.json") as served:
        yield served


@contextmanager
def serving(words: Sequence[str], port: int, ready: str) -> Iterator[Served]:
    """Run a server until the block ends."""
    environment = {**os.environ, "WINDROW_WEB_PASSWORD": PASSWORD}
    process = subprocess.Popen([sys.executable, *words], env=environment)  # noqa: S603 - our own commands
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            while True:
                try:
                    client.get(ready)
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            yield Served(client, psutil.Process(process.pid))
    finally:
        process.terminate()
        process.wait(30)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


if __name__ == "__main__":
    main()
