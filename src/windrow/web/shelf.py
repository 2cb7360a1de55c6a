"""Pages that people have in front of them while they set a source up or read one, by a name that nobody can guess."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.page import Page

MOST_PAGES = 24
"""Pages with their pictures take some megabytes each; the longest unused goes first, and is loaded again if need be."""


class Shelf:
    """The pages that were loaded last."""

    def __init__(self) -> None:
        """Hold none."""
        self._lock = threading.Lock()
        self._pages: OrderedDict[str, Page] = OrderedDict()

    def put(self, page: Page) -> str:
        """Keep a page, and return the name that it is found by."""
        name = secrets.token_urlsafe(16)
        with self._lock:
            self._pages[name] = page
            while len(self._pages) > MOST_PAGES:
                self._pages.popitem(last=False)
        return name

    def find(self, name: str) -> Page | None:
        """Return a page; None where it is no more."""
        with self._lock:
            page = self._pages.get(name)
            if page is not None:
                self._pages.move_to_end(name)
            return page

    def clear(self) -> None:
        """Let go of all pages."""
        with self._lock:
            self._pages.clear()
