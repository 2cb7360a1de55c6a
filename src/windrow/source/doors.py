"""The proxies of this process: one for each way of going out, started when it is first needed."""

from __future__ import annotations

import atexit
import os
import threading

from windrow.source.guard import Guard
from windrow.source.proxy import GuardProxy

_doors: dict[tuple[bool, str | None], GuardProxy] = {}
_orphans: list[GuardProxy] = []
_lock = threading.Lock()


def door(*, allow_private: bool = False, proxy: str | None = None) -> GuardProxy:
    """Give the running proxy for these settings."""
    with _lock:
        key = (allow_private, proxy)
        if key not in _doors:
            _doors[key] = GuardProxy(Guard(allow_private=allow_private, proxy=proxy))
        return _doors[key]


def close_doors() -> None:
    """Close all proxies; the next one that is needed starts anew."""
    with _lock:
        closing = list(_doors.values())
        _doors.clear()
    for each in closing:
        each.close()


def _start_anew_in_child() -> None:
    global _lock  # noqa: PLW0603 - another thread may have held the lock when the process was forked
    _lock = threading.Lock()
    for each in _doors.values():
        each.abandon()
    # Kept, because destroying an event loop that seems to be running is an error.
    _orphans.extend(_doors.values())
    _doors.clear()


os.register_at_fork(after_in_child=_start_anew_in_child)
atexit.register(close_doors)
