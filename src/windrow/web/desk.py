"""What all requests share: the store, a loader with its browser, the runs started here, and how we are reached."""

from __future__ import annotations

import secrets
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from windrow.web.attempts import Attempts, TooOftenError
from windrow.web.harvests import Harvests
from windrow.web.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.loader import Loader
    from windrow.store import Store

LOADS_AT_A_TIME = 2
"""Pages that people wait for and that are loaded together; each may keep a core busy."""
LOADS, SECONDS = 120, 60.0
"""How many pages one sender may have loaded in so many seconds."""
SECONDS_IN_LINE = 30.0
"""How long a request waits for its turn to load a page."""


@dataclass(frozen=True, kw_only=True)
class Reach:
    """Where the interface listens, and what it lets people reach."""

    host: str = "127.0.0.1"
    port: int = 8765
    names: frozenset[str] = frozenset()
    """Other names, with their port, that it is known by, as behind a proxy."""
    allow_private: bool = False
    """Whether pages on loopback and private addresses may be read."""

    @property
    def hosts(self) -> frozenset[str]:
        """Every Host header that is ours; whatever else comes was meant for somebody else, or is an attack."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        local = {"localhost", "127.0.0.1", "[::1]"} if self.is_loopback else set()
        full = {f"{name}:{self.port}" for name in {shown, *local}} | self.names
        # Browsers leave the usual ports out.
        return frozenset({*full, *(name.rpartition(":")[0] for name in full if name.endswith((":80", ":443")))})

    @property
    def is_loopback(self) -> bool:
        """Whether nobody but this machine gets here."""
        return self.host in {"127.0.0.1", "::1", "localhost"}


@dataclass(eq=False)
class Desk:
    """Everything that a request may need, made once a process."""

    store: Store
    where: str
    """The store as its address was given, for processes that we start."""
    reach: Reach = field(default_factory=Reach)
    password: str | None = field(default=None, repr=False)
    """The hash of the password for this process; None: the one that is kept in the store."""
    once: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    """A secret that logs in once, for the link that is opened at the start; empty once it was used."""
    attempts: Attempts = field(default_factory=Attempts)
    shelf: Shelf = field(default_factory=Shelf)

    def __post_init__(self) -> None:
        """Prepare what is started when it is first needed."""
        self._turns = threading.BoundedSemaphore(LOADS_AT_A_TIME)

    @cached_property
    def harvests(self) -> Harvests:
        """The runs that were started here."""
        return Harvests(self.store, self.where)

    @cached_property
    def loader(self) -> Loader:
        """What loads the pages that people look at; its browser starts with the first of them."""
        # What loads pages takes a quarter of all memory, and many servers only show what was harvested.
        from windrow.harvest.harvest import user_agent  # noqa: PLC0415 - see above
        from windrow.loader import Loader  # noqa: PLC0415 - see above
        from windrow.options import Options  # noqa: PLC0415 - see above

        options = Options(allow_private=self.reach.allow_private, user_agent=user_agent())
        return Loader(options, workers=LOADS_AT_A_TIME)

    def count_loads(self, who: str, pages: int) -> None:
        """Refuse more pages than one sender may have loaded."""
        for _ in range(pages):
            self.attempts.count("load", who, LOADS, SECONDS)

    @contextmanager
    def loading(self) -> Iterator[Loader]:
        """Wait for a turn to load a page; ``TooOftenError`` where too many others do."""
        if not self._turns.acquire(timeout=SECONDS_IN_LINE):
            raise TooOftenError(SECONDS_IN_LINE, "Too many pages are being loaded at the moment.")
        try:
            yield self.loader
        finally:
            self._turns.release()

    def close(self) -> None:
        """End browsers and the processes that were started here; runs end at the border of a page."""
        if "harvests" in vars(self):
            self.harvests.close()
        if "loader" in vars(self):
            self.loader.close()
        self.shelf.clear()
