"""Clients that send half a request and wait are not waited for; those that are at it are."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
import uvicorn

from windrow.web import server

if TYPE_CHECKING:
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
