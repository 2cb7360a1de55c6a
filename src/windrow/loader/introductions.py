"""Pages that are read in several processes meet as they would one after the other, whichever is there first.

A worker says what its page tells the others, and goes on when it hears what the page before it told. So pages stay
where they are, and no result depends on who was faster. Only pages of one host wait for each other, and a job waits
for earlier ones, which are under way, and for the very next one at most, which another thread takes.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

from windrow.loader.siblings import MOST_HOSTS, Circle, Introduction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from windrow.title import PageNames

Job = TypeVar("Job")

POLL_SECONDS = 0.5


class Introductions(Generic[Job]):
    """The pages of one run that may be of the same host, in the order of their jobs."""

    def __init__(self, is_over: Callable[[], bool]) -> None:
        """Begin a run; once it is over, nobody waits any more."""
        self._changed = threading.Condition()
        self._is_over = is_over
        self._tables: OrderedDict[str, Table] = OrderedDict()

    def seat(self, jobs: Iterable[Job], host_of: Callable[[Job], str]) -> Iterator[Seat[Job]]:
        """Yield a seat for each job, as soon as it is known whether the next is of the same host.

        ``host_of`` is what is known before a page is read; pages for which it says the same may meet.
        """
        held: Seat[Job] | None = None
        for job in jobs:
            seat = Seat(job, self._find_table(host_of(job)))
            if held is not None:
                if held.table is not None and held.table is seat.table:
                    held.table.followed.add(held.number)
                yield held
            held = seat
        if held is not None:
            yield held

    def _find_table(self, host: str) -> Table | None:
        if not host:
            return None
        table = self._tables.setdefault(host, Table(self._changed, self._is_over))
        self._tables.move_to_end(host)
        if len(self._tables) > MOST_HOSTS:
            self._tables.popitem(last=False)
        return table


class Seat(Generic[Job]):
    """A job and its place among those of its host."""

    def __init__(self, job: Job, table: Table | None) -> None:
        """Take the next place; without a table, its page meets nobody."""
        self.job = job
        self.table = table
        self.number = table.take_place() if table is not None else 0

    def meet(self, said: Introduction | None) -> PageNames | None:
        """Say what the page tells the others; return what it hears, as soon as that is settled."""
        self.say(said)
        return self.table.hear(self.number) if self.table is not None and said is not None else None

    def say(self, said: Introduction | None) -> None:
        """Say what the page tells the others, or that there is none; only the first time counts."""
        if self.table is not None:
            self.table.tell(self.number, said)


class Table:
    """The pages of one host."""

    def __init__(self, changed: threading.Condition, is_over: Callable[[], bool]) -> None:
        """Begin without places; ``changed`` is told of everything that is said."""
        self.followed: set[int] = set()
        """Places of jobs whose next job of all has the next place."""
        self._changed = changed
        self._is_over = is_over
        self._circle = Circle()
        self._places = self._next = 0
        self._said: dict[int, Introduction | None] = {}
        self._heard: dict[int, PageNames | None] = {}

    def take_place(self) -> int:
        """Return the next place."""
        self._places += 1
        return self._places - 1

    def tell(self, place: int, said: Introduction | None) -> None:
        """Take down what a page says, unless it has said something."""
        with self._changed:
            if place >= self._next:
                self._said.setdefault(place, said)
            self._settle()
            self._changed.notify_all()

    def hear(self, place: int) -> PageNames | None:
        """Return what a page hears, once all before it have spoken."""
        with self._changed:
            while not self._changed.wait_for(lambda: place in self._heard, POLL_SECONDS):
                if self._is_over():
                    return None
            return self._heard.pop(place)

    def _settle(self) -> None:
        """Let pages meet, in the order of their places, as far as all have spoken."""
        while self._next in self._said:
            said, following = self._said[self._next], None
            if self._next in self.followed:
                if said is not None and said.host not in self._circle and self._next + 1 not in self._said:
                    return
                following = self._said.get(self._next + 1)
            if said is not None:
                self._heard[self._next] = self._circle.meet(said, following)
            del self._said[self._next]
            self.followed.discard(self._next)
            self._next += 1
