"""The browsers and the guard proxies of one loader, each started when it is first needed."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from windrow.options import Options
    from windrow.render.browser import Browser
    from windrow.render.pool import Pool
    from windrow.source.proxy import GuardProxy


logger = logging.getLogger(__name__)


class Backend:
    """What pages are fetched and laid out with; may be used by several threads, and again after ``close``."""

    def __init__(self, browsers: int) -> None:
        """Start nothing yet; ``browsers`` is how many there may be at a time."""
        self._size = browsers
        self._lock = threading.Lock()
        self._pool: Pool | None = None
        self._proxies: dict[tuple[bool, str | None], GuardProxy] = {}
        self._orphans: list[GuardProxy] = []

    def browser(self) -> AbstractContextManager[Browser]:
        """Borrow a browser, waiting until one is free."""
        from windrow.render.pool import Pool  # noqa: PLC0415 - takes a while, which pages without a browser do without

        with self._lock:
            if self._pool is None:
                self._pool = Pool(self._size)
            pool = self._pool
        return pool.browser()

    def proxy(self, options: Options) -> GuardProxy:
        """Return the running proxy for a page's options: one for each way of going out."""
        from windrow.source.guard import Guard  # noqa: PLC0415 - as above, for pages that are not fetched
        from windrow.source.proxy import GuardProxy  # noqa: PLC0415

        key = (options.allow_private, options.proxy)
        with self._lock:
            if key not in self._proxies:
                self._proxies[key] = GuardProxy(Guard(allow_private=options.allow_private, proxy=options.proxy))
                logger.debug("started a guard proxy at %s", self._proxies[key].address)
            return self._proxies[key]

    def close(self) -> None:
        """End all browsers, also those that lay out a page just now, and close all proxies."""
        with self._lock:
            pool, self._pool = self._pool, None
            proxies, self._proxies = self._proxies, {}
        if pool is not None:
            pool.close()
        for proxy in proxies.values():
            proxy.close()

    def abandon(self) -> None:
        """In a forked child, let go of what belongs to the parent without ending it."""
        self._lock = threading.Lock()  # another thread may have held the old one when the process was forked
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.abandon()
        for proxy in self._proxies.values():
            proxy.abandon()
        # Kept, because destroying an event loop that seems to be running is an error.
        self._orphans.extend(self._proxies.values())
        self._proxies = {}
