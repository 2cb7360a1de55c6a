"""A run under way: what it works with, what it counted, and what it writes."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windrow.errors import LockedError, WindrowError
from windrow.harvest.comparison import Stats
from windrow.store import frontier
from windrow.store.collection_views import renew_views_of
from windrow.store.runs import OFFLINE, Counts, hold, keep_stats
from windrow.store.views import make_view
from windrow.store.visits import store_visit, unstored
from windrow.store.warnings import warn

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.engine import Connection

    from windrow.harvest.gate import Gate
    from windrow.harvest.settings import SourceSettings
    from windrow.harvest.visiting import Fetched, Reader, Visitor
    from windrow.store import Store
    from windrow.store.batches import AnyRow
    from windrow.store.records import Ledger
    from windrow.store.runs import Run
    from windrow.store.sources import SourceRow
    from windrow.store.visits import Visit
    from windrow.store.warnings import Warned


logger = logging.getLogger(__name__)

TALLY = "tally"
"""The key of the tally in what is kept of a run."""


@dataclass(frozen=True, kw_only=True)
class RunChoices:
    """What a person, or the schedule, chose for one run."""

    trigger: str = "hand"
    due_at: str | None = None
    fresh: bool = False
    """Whether pages are asked for as if they were new."""
    pages: int | None = None
    """How many pages are read at most."""
    accept: bool = False
    """Whether a run that falls short of the one before is taken as it is."""
    tells: bool = True
    """Whether people are told of new warnings."""

    @property
    def is_offline(self) -> bool:
        """Whether kept pages are read again."""
        return self.trigger == OFFLINE


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    counts: Counts
    done: int
    total: int
    url: str


@dataclass
class Tally:
    """What became of the pages of a run; kept with every page, so that a run that goes on knows what it missed."""

    read: int = 0
    """Pages that fitted, or are what they were."""
    misfits: int = 0
    """Pages that did not fit."""
    missed: int = 0
    """Pages that could not be had."""
    emptied: int = 0
    """Lists that led to records before and lead to none now."""
    lists: int = 0
    """Lists that led to records, or showed some."""
    ends: int = 0
    """Lists that end where they did not end before."""
    open_ends: int = 0
    """Those of them that end as if they went on."""
    turned: int = 0
    """Lists that lead elsewhere than they did before."""
    asked: int = 0
    """Records that nothing led to, when the pages that may still show them were asked for."""
    has_asked_records: bool = False
    """Whether pages of such records were asked for."""
    added_before: int = 0
    """Records that were new, or came back, before anything was asked for."""
    undecided: int = 0
    """Pages that were asked for and are there, though they show nothing that fits."""


@dataclass(eq=False)
class RunUnderWay:
    """One run of one source: the thread that owns it commits, others only fetch and read."""

    store: Store
    source: SourceRow
    reader: Reader
    """What reads its pages; another one after healing."""
    visitor: Visitor
    gate: Gate
    choices: RunChoices
    ledger: Ledger
    before: AnyRow | None
    """The last whole run."""
    starts: int
    """How many addresses it began with."""
    watch: Callable[[Progress], None]
    stats: Stats = field(default_factory=Stats)
    kinds: set[str] = field(default_factory=set)
    """The kinds of warnings that it raised."""
    tally: Tally = field(default_factory=Tally)
    keyless: int = 0
    """Records that were read and have no key."""
    labels: tuple[str, ...] = ()
    """The labels that records without a key have."""
    is_view_locked: bool = False
    """Whether others kept the view from being made anew."""
    is_cut: bool = False
    """Whether its budget of pages is spent."""
    last_error: WindrowError | None = None
    fetched: dict[int, Fetched] = field(default_factory=dict)
    """Pages that were looked at before their turn came, by address."""

    @property
    def run(self) -> Run:
        """The run, with what it counted so far."""
        return self.ledger.run

    @property
    def counts(self) -> Counts:
        """What it counted so far."""
        return self.ledger.run.counts

    @property
    def settings(self) -> SourceSettings:
        """The settings of its source."""
        return self.reader.settings

    @property
    def warned(self) -> tuple[str, ...]:
        """The kinds of warnings that it raised, in order."""
        return tuple(sorted(self.kinds))

    def commit(self, visit: Visit) -> None:
        """Store what came of an address, in one transaction."""
        try:
            self._write(visit)
        except WindrowError:
            raise
        except Exception as error:  # one page's fault must not stop the others, nor each later start
            logger.exception("could not store %s", visit.entry.url)
            self.tally.missed += 1
            visit = unstored(visit, error)
            self._write(visit)
        self.kinds |= {warned.kind for warned in visit.warnings}
        self.renew_view()
        with self.store.reading() as connection:
            done, total = frontier.count_entries(connection, self.run)
        self.watch(Progress(self.counts, done, total, visit.entry.url))

    def _write(self, visit: Visit) -> None:
        try:
            with self.store.writing() as connection:
                self.ledger.run = store_visit(connection, self.ledger, visit)
                self.keep_stats(connection)
        except BaseException:
            self.ledger.forget()
            raise

    def keep_stats(self, connection: Connection) -> None:
        """Keep what runs are compared by, and what became of the pages so far."""
        keep_stats(connection, self.run, {**self.stats.to_dict(), TALLY: vars(self.tally)})

    def renew_view(self, *, again: bool = False) -> None:
        """Make the view of the source anew where it has other labels.

        Where others read it for too long, it is left until it is tried ``again``, at the end of the run or by the next.
        """
        if not self.ledger.has_new_fields or (self.is_view_locked and not again):
            return
        try:
            make_view(self.store, self.source.id)
        except LockedError as error:
            logger.warning("%s: its view was not made anew: %s", self.source.name, error)
            self.is_view_locked = True
            return
        self.ledger.has_new_fields = self.is_view_locked = False

    def renew_collections(self) -> None:
        """Bring the views of the source's collections up to what is stored now."""
        try:
            with self.store.writing() as connection:
                renew_views_of(connection, self.source.name)
        except LockedError as error:
            logger.warning("%s: the views of its collections were not made anew: %s", self.source.name, error)

    def warn(self, warned: Warned, connection: Connection | None = None) -> None:
        """Raise a warning, in a transaction that is under way or in one of its own."""
        self.kinds.add(warned.kind)
        if connection is not None:
            warn(connection, self.source.id, self.run.id, warned)
            return
        with self.store.writing() as other:
            warn(other, self.source.id, self.run.id, warned)

    def beat(self) -> None:
        """Say that the run is still in hand."""
        with self.store.writing() as connection:
            hold(connection, self.run)
