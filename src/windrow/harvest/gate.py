"""The gate that every request passes: the guard's rules, the host's robots.txt, and its turn."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import ada_url

from windrow.crawl.retries import find_delay, is_worth_retrying
from windrow.crawl.robots import PARAMETERS, Robots, robots_of_answer, robots_of_error, robots_of_status, robots_url
from windrow.errors import StatusError, UnreachableError, WindrowError
from windrow.source.guard import shown_url
from windrow.store import hosts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from windrow.harvest.settings import Manners
    from windrow.loader import Loader
    from windrow.options import Options
    from windrow.source.fetch import Answer
    from windrow.store import Store

CLOSED_SECONDS = 600.0
"""How long the robots.txt of a host that gave none is not asked for again."""
LONGEST_REST = 60.0
"""Seconds to wait at most before a robots.txt is asked for again; a host that asks for more is closed."""
SLICE = 0.2
"""Seconds after which a wait looks whether it is still wanted."""


class StoppedError(Exception):
    """The harvest is to end; nothing was sent."""


class Gate:
    """Lets requests out one host at a time; all processes on one store share the turns."""

    def __init__(
        self, store: Store, loader: Loader, options: Options, manners: Manners, own: Iterable[str] = ()
    ) -> None:
        """Begin with nothing known; ``own`` are addresses of the hosts that the options' headers are meant for."""
        self._store, self._loader, self._options, self._manners = store, loader, options, manners
        self._own = {ada_url.URL(url).origin for url in own}
        self._robots: dict[str, tuple[Robots, float]] = {}
        self._silent: set[str] = set()
        """Hosts that gave no answer at all, which is none of their wishes."""
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()
        self._mine = threading.local()
        self.stopped = threading.Event()
        """Set by whoever wants the harvest to end; pages that wait for their turn are not fetched any more."""
        self._aborted = threading.Event()

    def options_for(self, url: str) -> Options:
        """Return how an address is asked for: headers, which may be secret, go to the source's own hosts alone."""
        return self._options if ada_url.URL(url).origin in self._own else replace(self._options, headers={})

    @contextmanager
    def counting(self) -> Iterator[list[str]]:
        """Collect the addresses to which this thread sends requests."""
        self._mine.sent = []
        yield self._mine.sent

    def permit(self, url: str) -> None:
        """Wait until a request may go to an address; ``RobotsError`` where the host does not want it."""
        origin = ada_url.URL(url).origin
        robots = self.robots(origin) if self._manners.robots else Robots()
        if origin in self._silent:
            raise UnreachableError(f"{shown_url(url)} was not fetched. {robots.closed}")
        robots.require(url)
        self._take_turn(origin, robots.delay)
        self._note(url)

    def robots(self, origin: str) -> Robots:
        """Return what the robots.txt of a host says, asked for at most once in its time."""
        with self._lock:
            lock = self._locks.setdefault(origin, threading.Lock())
        with lock:
            known = self._robots.get(origin)
            if known is None or known[1] <= time.time():
                known = self._robots[origin] = self._kept_robots(origin) or self._fetch_robots(origin)
            return known[0]

    def _kept_robots(self, origin: str) -> tuple[Robots, float] | None:
        with self._store.reading() as connection:
            row = hosts.find_host(connection, origin)
        if row is None or row.robots_until is None or row.robots_until <= time.time():
            return None
        return robots_of_status(row.robots_status or None, row.robots or b""), row.robots_until

    def _fetch_robots(self, origin: str) -> tuple[Robots, float]:
        self._silent.discard(origin)
        status: int | None = None
        body = b""
        seconds = PARAMETERS.most_seconds
        try:
            answer = self._ask_for_robots(robots_url(origin))
            robots, status, body = robots_of_answer(answer), answer.status, answer.body[: PARAMETERS.most_bytes]
        except WindrowError as error:
            robots = robots_of_error(error)
            if isinstance(error, UnreachableError):
                self._silent.add(origin)
            if isinstance(error, StatusError):
                status, seconds = error.status, error.retry_after or seconds
        if robots.closed:
            seconds = min(seconds, CLOSED_SECONDS)
        until = time.time() + seconds
        with self._store.writing() as connection:
            hosts.keep_robots(connection, origin, body, status or 0, until)
        return robots, until

    def _ask_for_robots(self, url: str) -> Answer:
        """Ask for a robots.txt, as often as for any page: what fails for a moment must not close the host for long."""
        for attempt in range(1, self._manners.retries + 1):
            try:
                return self._loader.fetch(url, self.options_for(url), permit=self._permit_robots)
            except WindrowError as error:
                asked = error.retry_after if isinstance(error, StatusError) else None
                if not is_worth_retrying(error) or (asked or 0.0) > LONGEST_REST:
                    raise
                self.wait(find_delay(attempt, asked, url))
        return self._loader.fetch(url, self.options_for(url), permit=self._permit_robots)

    def _permit_robots(self, url: str) -> None:
        self._take_turn(ada_url.URL(url).origin, None)
        self._note(url)

    def _note(self, url: str) -> None:
        if hasattr(self._mine, "sent"):
            self._mine.sent.append(url)

    def _take_turn(self, origin: str, delay: float | None) -> None:
        interval = max(1 / self._manners.rate if self._manners.rate else 0.0, delay or 0.0)
        with self._store.writing() as connection:
            ready = hosts.take_turn(connection, origin, time.time(), interval)
        self.wait(ready - time.time())

    def wait(self, seconds: float) -> None:
        """Wait, unless the harvest is to end."""
        until = time.monotonic() + max(0.0, seconds)
        while not self._aborted.is_set():
            left = until - time.monotonic()
            if self.stopped.wait(min(max(0.0, left), SLICE)):
                break
            if left <= SLICE:
                return
        raise StoppedError

    def abort(self) -> None:
        """Let nothing out any more."""
        self._aborted.set()

    def close_host(self, url: str, seconds: float) -> None:
        """Leave a host alone for some seconds, as it asked."""
        with self._store.writing() as connection:
            hosts.close_host(connection, ada_url.URL(url).origin, time.time() + seconds)
