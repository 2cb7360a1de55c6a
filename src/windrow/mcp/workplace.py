"""What the tools work with: the store, a loader, pages and wrappers that are held for a while."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from windrow.errors import UsageError
from windrow.loader import Loader
from windrow.mcp.fitting import to_place
from windrow.page import Page
from windrow.source.guard import Guard
from windrow.store import Store
from windrow.store.access import Scope
from windrow.store.sources import find_wrapper, get_source
from windrow.wrapper import Wrapper

MOST_HELD = 16
"""Pages, and wrappers, that are held; the longest unused goes first."""
Held = TypeVar("Held")


class Holder(Generic[Held]):
    """Holds things by names that nobody can guess."""

    def __init__(self, what: str) -> None:
        """Hold nothing; ``what`` it holds is said where something is no more."""
        self._what, self._lock = what, threading.Lock()
        self._held: OrderedDict[str, Held] = OrderedDict()

    def put(self, thing: Held) -> str:
        """Hold something, and return its name."""
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._held[name] = thing
            while len(self._held) > MOST_HELD:
                self._held.popitem(last=False)
        return name

    def get(self, name: str) -> Held:
        """Return what has a name; ``UsageError`` where it is no more."""
        with self._lock:
            if name in self._held:
                self._held.move_to_end(name)
                return self._held[name]
        raise UsageError(f"{self._what} {name!r} is not held any more. Begin again without it.")


@dataclass(frozen=True, eq=False)
class Workplace:
    """Everything that a tool may need."""

    store: Store
    loading: Callable[[], AbstractContextManager[Loader]]
    """Waits for a turn to load a page."""
    allow_private: bool = False
    permit: Callable[[object, Scope, int], None] = lambda *_: None
    """Raises where the sender of a request over HTTP may not do something, or loaded too many pages."""
    pages: Holder[Page] = field(default_factory=lambda: Holder("The page of the cursor"))
    wrappers: Holder[Wrapper] = field(default_factory=lambda: Holder("The wrapper"))

    def load(self, url: str, *, render: bool) -> Page:
        """Load a page by its address, which is never a file, through the guard."""
        address = Guard(allow_private=self.allow_private).check_url(url)
        with self.loading() as loader:
            return loader.load(address, render=render)

    def open(self, url: str, after: str, *, render: bool) -> tuple[Page, str, int]:
        """Return a page, the name that it is held by, and where to go on in it; a cursor means the page of before."""
        if after:
            name, _, place = after.partition(".")
            start = to_place(place)
            return self.pages.get(name), name, start
        page = self.load(url, render=render)
        return page, self.pages.put(page), 0

    def find_wrapper(self, wrapper: str, source: str) -> Wrapper:
        """Return the wrapper that was learned, or the one of a source."""
        if bool(wrapper) == bool(source):
            raise UsageError("Name either a wrapper that `learn` gave, or a source that has one.")
        if wrapper:
            return self.wrappers.get(wrapper)
        with self.store.reading() as connection:
            kept = find_wrapper(connection, get_source(connection, source).id)
        if kept is None:
            raise UsageError(f"{source} has no wrapper: a reader reads it. Query its records instead.")
        return Wrapper.from_json(kept.body)
