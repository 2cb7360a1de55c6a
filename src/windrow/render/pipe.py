"""The DevTools protocol over two pipes: one JSON message each way, ended by a NUL, answered within a deadline."""

from __future__ import annotations

import json
import os
import select
import time
from collections.abc import Callable
from typing import Any, TypeAlias

import orjson

from windrow.errors import BrowserError, WindrowError
from windrow.render.garbage_collection import collector_paused

Message: TypeAlias = dict[str, Any]
Listener: TypeAlias = Callable[[Message], None]

CHUNK = 1 << 20


class DeadlineError(WindrowError):
    """The browser did not answer in time; whoever asked decides what that means for the page."""


class PipeClosedError(WindrowError):
    """The browser is gone."""


def _without_half_characters(raw: bytes) -> bytes:
    """Replace what a script can put on a page and no text can hold: one half of a surrogate pair."""
    text = json.dumps(json.loads(raw.decode("utf-8", "replace")), ensure_ascii=False)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


class Pipe:
    """Sends commands and waits for their answers; events that come meanwhile go to the listener at once."""

    def __init__(self, read: int, write: int) -> None:
        """Use the two ends that are ours."""
        self._read, self._write = read, write
        os.set_blocking(write, False)
        self._buffer = bytearray()
        self._scanned = 0
        self._last = 0
        self._awaited: set[int] = set()
        self._answers: dict[int, Message] = {}
        self.listener: Listener = lambda _: None

    def close(self) -> None:
        """Let go of both ends; the browser quits when it notices."""
        os.close(self._read)
        os.close(self._write)

    def call(self, method: str, session: str | None, deadline: float, **params: object) -> Message:
        """Send a command and wait for its answer until the clock shows ``deadline``."""
        number = self.send(method, session, deadline, **params)
        self._awaited.add(number)
        try:
            self.pump(lambda: number in self._answers, deadline)
        finally:
            self._awaited.discard(number)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"The browser refused {method}: {answer['error'].get('message', answer['error'])}")
        result: Message = answer["result"]
        return result

    def send(self, method: str, session: str | None, deadline: float, **params: object) -> int:
        """Send a command without waiting; return its number."""
        self._last += 1
        message: Message = {"id": self._last, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        rest = memoryview(orjson.dumps(message) + b"\0")
        while rest:
            self._wait([], [self._write], deadline)
            try:
                rest = rest[os.write(self._write, rest[:CHUNK]) :]
            except BlockingIOError:
                continue
            except OSError:
                raise PipeClosedError("The browser closed its pipe.") from None
        return self._last

    def pump(self, done: Callable[[], bool], deadline: float) -> None:
        """Handle messages until ``done`` or the deadline."""
        while not done():
            if time.monotonic() > deadline:  # a flood of events must not hide that time is up
                raise DeadlineError("The browser did not answer in time.")
            message = self._next(deadline)
            if "id" not in message:
                self.listener(message)
            elif message["id"] in self._awaited:  # nobody asks for the others any more
                self._answers[message["id"]] = message

    def _next(self, deadline: float) -> Message:
        while (end := self._buffer.find(b"\0", self._scanned)) < 0:
            self._scanned = len(self._buffer)
            self._wait([self._read], [], deadline)
            data = os.read(self._read, CHUNK)
            if not data:
                raise PipeClosedError("The browser closed its pipe.")
            self._buffer += data
        raw = bytes(memoryview(self._buffer)[:end])
        del self._buffer[: end + 1]
        self._scanned = 0
        with collector_paused():  # a snapshot is a list for every node
            try:
                message: Message = orjson.loads(raw)
            except orjson.JSONDecodeError:
                message = orjson.loads(_without_half_characters(raw))
        return message

    def _wait(self, readable: list[int], writable: list[int], deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0 or not any(select.select(readable, writable, [], left)):
            raise DeadlineError("The browser did not answer in time.")
