"""The web interface for tests: served by its own command on loopback, asked by httpx, used in a real browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING

import httpx
import pytest

from windrow.render.executable import find_browser
from windrow.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

    from windrow.store import Store

PASSWORD = "haystack and a needle"  # noqa: S105 - of a server that only the test knows
SECONDS_TO_START = 60
FIRST_PORT, PORTS_EACH, WORKERS = 21_000, 500, 20
PORTS = cycle(range(FIRST_PORT, FIRST_PORT + PORTS_EACH))
ENGINE = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")


@dataclass(frozen=True)
class Interface:
    """A web interface that is being served."""

    url: str
    store: Path
    log: Path

    def open_store(self) -> Store:
        return open_store(self.store)

    @contextmanager
    def client(self, *, logged_in: bool = True) -> Iterator[httpx.Client]:
        """Ask it as a page of its own would; forms need the token that ``csrf`` finds."""
        with httpx.Client(base_url=self.url, timeout=60, headers={"Sec-Fetch-Site": "same-origin"}) as client:
            if logged_in:
                answer = client.post("/login", data={"password": PASSWORD})
                assert answer.status_code == 303, answer.text
            yield client


def csrf(client: httpx.Client) -> str:
    """Return the token that forms of this session carry."""
    page = client.get("/").text
    return page.partition('name="csrf" value="')[2].partition('"')[0]


def free_port() -> int:
    """Return a port that nobody has: of those that systems give to nobody who asks for any, each process its own."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    while True:
        port = next(PORTS) + worker % WORKERS * PORTS_EACH
        with socket.socket() as listener:
            if listener.connect_ex(("127.0.0.1", port)):
                return port


@contextmanager
def serving(
    folder: Path, *options: str, environment: dict[str, str] | None = None, private: bool = True
) -> Iterator[Interface]:
    """Serve the store ``windrow.db`` of a folder until the block ends; ``private`` lets pages on loopback be read."""
    port, log = free_port(), folder / "web.log"
    words = ["web", "--store", str(folder / "windrow.db"), "--port", str(port), "--no-browser"]
    words += ["--allow-private"] if private else []
    with log.open("wb") as said:
        process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-m", "windrow", *words, *options],
            env={**os.environ, "WINDROW_WEB_PASSWORD": PASSWORD, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(process, url, log)
        yield Interface(url, folder / "windrow.db", log)
    finally:
        process.terminate()
        process.wait(30)


def _wait(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise AssertionError(log.read_text("utf-8"))
        try:
            if httpx.get(f"{url}/health").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError(f"not ready: {log.read_text('utf-8')}")


@pytest.fixture
def interface(tmp_path: Path) -> Iterator[Interface]:
    """An interface on an empty store."""
    with serving(tmp_path, "--no-schedule") as served:
        yield served


@pytest.fixture(scope="session")
def engine() -> Iterator[Browser]:
    """A browser that people use, driven by Playwright."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - few tests need it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(ENGINE))
        yield browser
        browser.close()


@pytest.fixture
def tab(engine: Browser) -> Iterator[Tab]:
    """A new window of that browser; whatever is asked for outside of loopback fails the test."""
    context = engine.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    yield page
    context.close()
    assert not [url for url in asked if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))]


def log_in(tab: Tab, interface: Interface) -> None:
    tab.goto(f"{interface.url}/login")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Log in").click()
    tab.wait_for_url(f"{interface.url}/")
