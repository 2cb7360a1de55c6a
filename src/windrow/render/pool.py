"""One browser per core, shared by the whole process and lent to one page at a time."""

from __future__ import annotations

import os
import queue
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from windrow.render.browser import Browser

if TYPE_CHECKING:
    from collections.abc import Iterator


def core_count() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Pool:
    """Browsers to borrow; each is started when it is first used."""

    def __init__(self, size: int | None = None) -> None:
        """Make room for ``size`` browsers, one per core by default."""
        self._browsers = [Browser() for _ in range(size or core_count())]
        self._is_closed = False
        self._returning = threading.Lock()
        # Last in, first out: a single caller keeps using one browser and never starts the others.
        self._free: queue.LifoQueue[Browser] = queue.LifoQueue()
        for browser in reversed(self._browsers):
            self._free.put(browser)

    @contextmanager
    def browser(self) -> Iterator[Browser]:
        """Borrow a browser, waiting until one is free."""
        browser = self._free.get()
        try:
            yield browser
        finally:
            with self._returning:
                if self._is_closed:
                    browser.close()
                else:
                    self._free.put(browser)

    def grow(self, size: int) -> None:
        """Have at least so many browsers."""
        while len(self._browsers) < size:
            self._browsers.append(Browser())
            self._free.put(self._browsers[-1])

    def close(self) -> None:
        """End all browsers, those too that are lent: whoever has one finds it gone and clears up after it."""
        with self._returning:
            self._is_closed = True
        for browser in self._browsers:
            browser.end()
        with suppress(queue.Empty):
            while True:
                self._free.get_nowait().close()

    def abandon(self) -> None:
        """Forget the browsers without ending them: they are another process's."""
        for browser in self._browsers:
            browser.abandon()


_lock = threading.Lock()
_shared: Pool | None = None


def shared_pool() -> Pool:
    """Give the process's browsers, making them on first need."""
    global _shared  # noqa: PLW0603 - one per process is the point
    with _lock:
        if _shared is None:
            _shared = Pool()
        return _shared


def close_shared_pool() -> None:
    """End the process's browsers; the next page starts new ones."""
    global _shared
    with _lock:
        pool, _shared = _shared, None
    if pool is not None:
        pool.close()


def _start_anew_in_child() -> None:
    global _shared, _lock  # noqa: PLW0603 - one per process is the point
    _lock = threading.Lock()
    pool, _shared = _shared, None
    if pool is not None:
        pool.abandon()


os.register_at_fork(after_in_child=_start_anew_in_child)
