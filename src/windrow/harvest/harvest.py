"""Harvesting a source: what the store knows of it, put together into one run."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

from windrow.crawl.addresses import identity
from windrow.crawl.patterns import expand
from windrow.errors import BusyError, UsageError
from windrow.harvest.comparison import Stats
from windrow.harvest.ending import defer, finish
from windrow.harvest.gate import Gate, StoppedError
from windrow.harvest.healing import DeferredError, look_at_learned
from windrow.harvest.inquiry import asks_on
from windrow.harvest.loop import work
from windrow.harvest.notification import send_warnings
from windrow.harvest.offline import OfflineVisitor, kept_starts
from windrow.harvest.progress import TALLY, RunChoices, RunUnderWay, Tally
from windrow.harvest.report import Report
from windrow.harvest.settings import SourceSettings
from windrow.harvest.visiting import LISTS, Reader, Visitor
from windrow.loader import Loader
from windrow.options import Options
from windrow.store.frontier import Lead, count_entries, enqueue, take_as_empty
from windrow.store.records import Ledger
from windrow.store.runs import OFFLINE, begin_run, end_run, forget, last_whole_run, release
from windrow.store.sources import find_settings, get_source, list_wrappers
from windrow.store.views import is_view_current
from windrow.wrapper import Wrapper

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy.engine import Connection

    from windrow.harvest.progress import Progress
    from windrow.store import Store
    from windrow.store.runs import Run
    from windrow.store.sources import SourceRow, WrapperRow

logger = logging.getLogger(__name__)

ABOUT_US = "https://windrow.readthedocs.io"


def user_agent() -> str:
    """Return who we say we are."""
    return f"windrow/{version('windrow')} (+{ABOUT_US})"


def harvest_source(  # noqa: PLR0913 - by name: who looks on
    store: Store,
    name: str,
    choices: RunChoices | None = None,
    *,
    watch: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
    say: Callable[[str], None] = logger.warning,
) -> Report:
    """Run a source once, tell people of new warnings, and return how it ended.

    ``watch`` is told how far it is; ``stop`` ends it after the pages that are under way. ``say`` is given sentences
    that are nobody's result, such as that a message could not be sent.
    """
    chosen = choices or RunChoices()
    with store.reading() as connection:
        source = get_source(connection, name)
        versions = list_wrappers(connection, source.id)
    settings = SourceSettings.from_dict(source.settings)
    reader = Reader(settings, tuple((row.version, Wrapper.from_json(row.body)) for row in _in_use(versions)))
    if reader.wrapper is None and settings.read.reader is None:
        raise UsageError(f"Nothing reads {name} yet. Say what: `windrow source set {name} read.wrapper=FILE`.")
    options = options_of(settings, reader.wrapper)
    with Loader(options, workers=settings.manners.concurrency) as loader:
        is_offline = chosen.is_offline
        starts = kept_starts(store, source.id) if is_offline else starts_of(settings, reader)
        gate = Gate(store, loader, options, settings.manners, {lead.as_found for lead in starts})
        gate.stopped = stop or threading.Event()
        visitor = (OfflineVisitor if is_offline else Visitor)(store, loader, gate, settings, options)
        visitor.ignored = frozenset(source.ignored or ())
        began = time.monotonic()
        report = _run(partial(_begin, store, source, reader, visitor, gate, chosen, starts, watch or _nobody), store)
        report = replace(report, source=name, seconds=time.monotonic() - began)
    if chosen.tells and report.state != "busy" and (complaint := send_warnings(store, source.id, settings)):
        say(complaint)
    return report


def _in_use(versions: Sequence[WrapperRow]) -> list[WrapperRow]:
    """Return the newest version of a wrapper, and the one that it was healed from: some pages may stay as they were."""
    count = 2 if versions and versions[-1].made_by == "heal" else 1
    return list(versions[-count:])[::-1]


def _run(begin: Callable[[], RunUnderWay], store: Store) -> Report:
    """Run a source from its beginning, or from where it was left, to its end."""
    try:
        run = begin()
    except BusyError as error:
        return Report("", None, "busy", str(error), error.exit_code)
    try:
        run.ledger.has_new_fields |= not is_view_current(store, run.source.id)
        run.renew_view()
        return _read_all(run)
    except StoppedError:
        with store.writing() as connection:
            release(connection, run.run)
        sentence = f"Run {run.run.id} was stopped; the next start goes on where it was."
        return Report("", run.run.id, "partial", sentence, 0, run.counts, run.warned)
    except BusyError as error:
        return Report("", run.run.id, "busy", str(error), error.exit_code, run.counts)
    finally:
        forget(run.run)


def _read_all(run: RunUnderWay) -> Report:
    """Read a source to its end, whichever that is, and see to its view once more."""
    try:
        look_at_learned(run)
        work(run)
        while asks_on(run):
            work(run)
        report = finish(run)
    except DeferredError as error:
        report = defer(run, error)
    run.renew_view(again=True)
    run.renew_collections()
    return report


def _begin(  # noqa: PLR0913, PLR0917 - what a run is made of
    store: Store,
    source: SourceRow,
    reader: Reader,
    visitor: Visitor,
    gate: Gate,
    choices: RunChoices,
    starts: list[Lead],
    watch: Callable[[Progress], None],
) -> RunUnderWay:
    """Take the source in hand; ``BusyError`` where another process has it."""
    with store.writing() as connection:
        run = begin_run(connection, source.id, source.version, choices.trigger, choices.due_at)
        if not _can_go_on(connection, run, source, choices):
            Ledger(run).claims.drop(connection)
            end_run(connection, run, "partial", run.counts, "It was interrupted, and a run of another kind was begun.")
            run = begin_run(connection, source.id, source.version, choices.trigger, choices.due_at)
        before = last_whole_run(connection, source.id, of_the_site=True)
        ledger = Ledger(run, can_be_taken_back=before is not None)
        ledger.erases = choices.accept
        if count_entries(connection, run) == (0, 0):
            enqueue(connection, run, starts)
        tally = Tally(**(run.stats or {}).get(TALLY, {}))
        if choices.accept and tally.emptied:
            tally.emptied = 0
            take_as_empty(connection, run)
        if (wrapper := reader.wrapper) is not None:
            types = {label: said.type for label, said in wrapper.fields.items()}
            ledger.declare(connection, {label: types.get(label) for label in wrapper.labels})
    under_way = RunUnderWay(store, source, reader, visitor, gate, choices, ledger, before, len(starts), watch)
    under_way.stats, under_way.tally = Stats.from_dict(run.stats), tally
    return under_way


def _can_go_on(connection: Connection, run: Run, source: SourceRow, choices: RunChoices) -> bool:
    """Whether the rest of a run would be read as its beginning was.

    Kept pages lead nowhere and are not all there is: going on with them would take the rest for gone. Where records are
    reached or told apart in another way, no run of both is whole.
    """
    then = SourceSettings.from_dict(find_settings(connection, source.id, run.settings_version))
    return then.ways == SourceSettings.from_dict(source.settings).ways and (
        (run.trigger == OFFLINE) == choices.is_offline
    )


def _nobody(_: Progress) -> None:
    """Watch nothing."""


def options_of(settings: SourceSettings, wrapper: Wrapper | None) -> Options:
    """Return how the pages of a source are fetched: as the wrapper learned it, but for what the settings say."""
    network, usual = settings.network.options(), Options() if wrapper is None else wrapper.fetch.options
    return replace(
        usual,
        headers=network.headers,
        proxy=network.proxy,
        session=network.session or usual.session,
        user_agent=network.user_agent or user_agent(),
        allow_private=network.allow_private,
        language=network.language,
        limits=replace(usual.limits, seconds=network.limits.seconds),
    )


def starts_of(settings: SourceSettings, reader: Reader) -> list[Lead]:
    """Return the addresses that a run begins with."""
    follow = settings.follow
    role = "list" if follow.list in LISTS or reader.reads_lists else "detail"
    role = follow.list if follow.list in {"sitemap", "feed"} else role
    urls = [url for start in settings.start for url in expand(start)]
    return [Lead(identity(url), url, role) for url in urls]
