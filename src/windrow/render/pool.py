"""A few browsers, each lent to one page at a time."""

from __future__ import annotations

import queue
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from windrow.render.browser import Browser

if TYPE_CHECKING:
    from collections.abc import Iterator


class Pool:
    """Browsers to borrow; each is started when it is first used."""

    def __init__(self, size: int) -> None:
        """Make room for ``size`` browsers."""
        self._browsers = [Browser() for _ in range(size)]
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
