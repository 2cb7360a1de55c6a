"""Messages between processes of ours: Python values over a pipe, each with its length before it."""

from __future__ import annotations

import os
import pickle
import select
import struct
import time
from typing import Any

HEAD = struct.Struct("<Q")
BLOCK_BYTES = 1 << 20


class ChannelClosed(Exception):  # noqa: N818 - what happened
    """The other side is gone."""


class ChannelLate(Exception):  # noqa: N818 - what happened
    """The other side did not answer in time."""


def write_message(pipe: int, message: object) -> None:
    """Send one value."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    for part in (HEAD.pack(len(data)), data):
        rest = memoryview(part)
        while rest:
            try:
                rest = rest[os.write(pipe, rest[:BLOCK_BYTES]) :]
            except OSError:
                raise ChannelClosed from None


def read_message(pipe: int, deadline: float | None = None) -> Any:  # noqa: ANN401 - whatever was sent
    """Receive one value, from a process of ours and no other."""
    (length,) = HEAD.unpack(_read(pipe, HEAD.size, deadline))
    return pickle.loads(_read(pipe, length, deadline))  # noqa: S301 - written by our own process


def _read(pipe: int, count: int, deadline: float | None) -> bytearray:
    data = bytearray()
    while len(data) < count:
        if deadline is not None and not select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise ChannelLate
        try:
            block = os.read(pipe, min(count - len(data), BLOCK_BYTES))
        except OSError:
            block = b""
        if not block:
            raise ChannelClosed
        data += block
    return data
