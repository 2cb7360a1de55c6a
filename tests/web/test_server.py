"""Clients that send half a request and wait are not waited for; those that are at it are, and all are told why."""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
import uvicorn

from windrow.web import server

if TYPE_CHECKING:
    from interface import Interface
    from starlette.types import Receive, Scope, Send

HEAD = b"GET /first HTTP/1.1\r\nHost: x\r\n\r\n"
BODY = b"POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        more = True
        while more:
            more = (await receive()).get("more_body", False)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})


async def talk(parts: list[bytes], pause: float) -> tuple[bytes, bool]:
    """Send parts with pauses; return what came back, and whether the server hung up by itself."""
    config = uvicorn.Config(
        application,
        port=0,
        http=server.PatientProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        timeout_keep_alive=60,
    )
    running = uvicorn.Server(config)
    config.load()
    running.lifespan = config.lifespan_class(config)
    await running.startup()
    port = running.servers[0].sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    came, hung_up = b"", False
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause)
        while True:
            chunk = await asyncio.wait_for(reader.read(1000), 1.0)
            if not chunk:
                hung_up = True
                break
            came += chunk
    except (TimeoutError, ConnectionError) as error:
        hung_up = isinstance(error, ConnectionError)
    writer.close()
    running.should_exit = True
    await running.shutdown()
    return came, hung_up


def run(parts: list[bytes], pause: float) -> tuple[bytes, bool]:
    """Talk in a thread of its own: the one of the test may have a loop already, Playwright's."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(lambda: asyncio.run(talk(parts, pause))).result()


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "SECONDS_OF_SILENCE", 0.4)


@pytest.mark.parametrize(
    "parts",
    [[], [b"GET /half HT"], [HEAD, b"GET /half HT"], [BODY + b"12345"]],
    ids=["nothing", "half a head", "half a second head", "half a body"],
)
def test_who_stops_in_the_middle_is_hung_up_on(parts: list[bytes]) -> None:
    _, hung_up = run(parts, 0.1)
    assert hung_up


def test_who_goes_on_slowly_is_served() -> None:
    came, hung_up = run([BODY, *([b"1"] * 10)], 0.15)
    assert b"204" in came
    assert not hung_up


def test_who_asks_twice_is_served_twice() -> None:
    came, hung_up = run([HEAD, HEAD], 0.6)
    assert came.count(b"204") == 2
    assert not hung_up


@pytest.mark.parametrize(
    "asked",
    [b"GET / HTTP/1.1\r\n\r\n", b"nonsense\r\n\r\n", b"GET /?" + b"x" * 400_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"],
    ids=["no host", "nonsense", "a long address"],
)
def test_who_sends_no_request_is_told_so_like_everybody_else(monkeypatch: pytest.MonkeyPatch, asked: bytes) -> None:
    monkeypatch.setattr(server, "SECONDS_TO_TAKE", 0.4)
    came, hung_up = run([asked], 0.1)
    head, _, body = came.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400")
    assert b"content-type: application/problem+json" in head
    assert b"nosniff" in head
    assert json.loads(body)["detail"]
    assert hung_up


def test_no_part_of_an_answer_waits_for_the_one_before(interface: Interface) -> None:
    """A head and a body that are sent one after the other took 40 ms more where the second waited to be asked for."""
    with interface.client() as client:
        took = []
        for _ in range(9):
            began = time.perf_counter()
            client.get("/warnings.json")
            took.append(time.perf_counter() - began)
    assert min(took) < 0.035
