"""A run under way: what it works with, what it counted, and what it writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windrow.harvest.comparison import Stats
from windrow.store import frontier
from windrow.store.runs import OFFLINE, Counts, hold, keep_stats
from windrow.store.views import make_view
from windrow.store.visits import store_visit
from windrow.store.warnings import warn

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.engine import Connection

    from windrow.errors import WindrowError
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
            with self.store.writing() as connection:
                self.ledger.run = store_visit(connection, self.ledger, visit)
                keep_stats(connection, self.run, {**self.stats.to_dict(), TALLY: vars(self.tally)})
        except BaseException:
            self.ledger.forget()
            raise
        self.kinds |= {warned.kind for warned in visit.warnings}
        self.renew_view()
        with self.store.reading() as connection:
            done, total = frontier.count_entries(connection, self.run)
        self.watch(Progress(self.counts, done, total, visit.entry.url))

    def renew_view(self) -> None:
        """Make the view of the source anew where it has new labels."""
        if self.ledger.has_new_fields:
            make_view(self.store, self.source.id)
            self.ledger.has_new_fields = False

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
