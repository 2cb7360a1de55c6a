"""The loop: the learned page first, then every page of the frontier, each stored in a transaction of its own.

One thread commits; others fetch and read, as many at a time as the manners allow. What a page gave and that it is done
are one transaction, so whatever ends the process, the next start goes on where it was.
"""

from __future__ import annotations

import logging
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from windrow.crawl.addresses import identity
from windrow.crawl.retries import delay, is_passing
from windrow.errors import (
    BrowserError,
    BusyError,
    HealUncertain,
    LimitError,
    RefusedError,
    RegionGone,
    RobotsError,
    StatusError,
    WindrowError,
)
from windrow.harvest import learned
from windrow.harvest.comparison import Stats, find_falls
from windrow.harvest.gate import StoppedError
from windrow.harvest.report import Report
from windrow.loader.outcome import to_fault
from windrow.store import frontier
from windrow.store.moments import now
from windrow.store.records import Ledger, sample_records
from windrow.store.runs import Counts, begin_run, end_run, forget, hold, keep_stats, last_whole_run, release
from windrow.store.sources import add_wrapper, set_state
from windrow.store.undo import forget_undo, take_back
from windrow.store.views import make_view
from windrow.store.visits import Visit, store_visit
from windrow.store.warnings import Warned, resolve_absent, warn

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from windrow.harvest.gate import Gate
    from windrow.harvest.reading import PageReading
    from windrow.harvest.visiting import Fetched, Reader, Seen, Visitor
    from windrow.page import Page
    from windrow.store import Store
    from windrow.store.frontier import Entry, Lead
    from windrow.store.runs import Run
    from windrow.store.sources import SourceRow
    from windrow.wrapper import Wrapper

logger = logging.getLogger(__name__)

HEARTBEAT = 20.0
"""Seconds after which a run that waits says that it is still there."""
HEALING_PAGES = 4
"""Pages of stored records that a wrapper is healed by, beside the learned one."""
LEAST_MISFITS = 5
"""Pages that do not fit before they can be most of the pages."""


class DeferredError(Exception):
    """The source is not as it was learned; a person must look."""

    def __init__(self, warned: Warned, exit_code: int = 6) -> None:
        """Keep what people are told."""
        super().__init__(warned.text)
        self.warned, self.exit_code = warned, exit_code


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


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    counts: Counts
    done: int
    total: int
    url: str


class Harvest:
    """One run of one source."""

    def __init__(  # noqa: PLR0913 - what a run is made of
        self,
        store: Store,
        source: SourceRow,
        reader: Reader,
        visitor: Visitor,
        gate: Gate,
        choices: RunChoices,
        *,
        starts: list[Lead],
        watch: Callable[[Progress], None] | None = None,
        stop: Event | None = None,
    ) -> None:
        """Prepare a run; nothing is fetched or written yet."""
        self._store, self._source, self._reader = store, source, reader
        self._visitor, self._gate, self._choices, self._starts = visitor, gate, choices, starts
        self._watch = watch or (lambda _: None)
        self._stop = stop or gate.stopped
        self._settings = reader.settings
        self._kept: dict[int, Fetched] = {}
        self._kinds: set[str] = set()
        self._stats = Stats()
        self._read = self._misfits = self._refused = 0
        self._cut = ""

    def go(self) -> Report:
        """Run, and return how it ended; an error is raised where the store itself fails."""
        began = time.monotonic()
        try:
            with self._store.writing() as connection:
                run = self._take_in_hand(connection)
        except BusyError as error:
            return Report(self._source.name, None, "busy", str(error), error.exit_code)
        try:
            report = self._run(run)
        except BaseException:
            forget(run)
            raise
        return replace(report, seconds=time.monotonic() - began)

    def _take_in_hand(self, connection: Any) -> Run:  # noqa: ANN401 - a Connection
        choices = self._choices
        run = begin_run(connection, self._source.id, self._source.version, choices.trigger, choices.due_at)
        before = last_whole_run(connection, self._source.id)
        self._before = before
        self._ledger = Ledger(run, can_be_taken_back=before is not None)
        if run.resumed:
            self._stats = Stats.from_dict(run.stats)
        else:
            frontier.enqueue(connection, run, self._starts)
        wrapper = self._reader.wrapper
        if wrapper is not None:
            kinds = {label: said.type for label, said in wrapper.fields.items()}
            self._ledger.declare(connection, {label: kinds.get(label) for label in wrapper.labels})
        return run

    def _run(self, run: Run) -> Report:
        try:
            self._make_view()
            self._look_at_learned(is_first=True)
            self._work()
            return self._finish()
        except DeferredError as error:
            return self._defer(error)
        except StoppedError:
            with self._store.writing() as connection:
                release(connection, self._ledger.run)
            text = f"Run {run.id} was stopped; the next start goes on where it was."
            return Report(self._source.name, run.id, "partial", text, 0, self._ledger.run.counts, self._warned)
        except BusyError as error:
            return Report(self._source.name, run.id, "busy", str(error), error.exit_code, self._ledger.run.counts)

    @property
    def _warned(self) -> tuple[str, ...]:
        return tuple(sorted(self._kinds))

    # The learned page

    def _look_at_learned(self, *, is_first: bool) -> bool:
        """Look at the learned page; heal or defer where it is not as it was. Return whether the wrapper was healed."""
        wrapper = self._reader.wrapper
        address = "" if wrapper is None else wrapper.examples[0].url
        if wrapper is None or not address.startswith(("http:", "https:")):
            return False
        grade, page = self._grade(wrapper, address, is_first=is_first)
        if grade.kind == "fine":
            return False
        if grade.kind == "template" and page is not None:
            return self._heal(wrapper, page, grade)
        if grade.kind == "gone" and self._settings.warn.gone == "continue":
            self._warn(Warned("gone", "info", f"{grade.sentence} The source is set to go on without it.", address))
            return False
        raise DeferredError(self._deferral(grade, address), 3 if grade.kind == "failed" else 6)

    def _grade(self, wrapper: Wrapper, address: str, *, is_first: bool) -> tuple[learned.Grade, Page | None]:
        entry = self._entry_of(address)
        try:
            fetched = self._fetch_patiently(entry, conditional=is_first and not self._choices.fresh)
        except RobotsError as error:
            raise DeferredError(Warned("robots", "error", str(error), address), error.exit_code) from None
        except RefusedError as error:
            raise DeferredError(Warned("failed", "error", str(error), address), error.exit_code) from None
        except WindrowError as error:
            return learned.grade_error(error), None
        self._kept[entry.address_id] = fetched
        if fetched.not_modified or fetched.page is None:
            return learned.Grade("fine"), None
        return learned.grade_page(wrapper, fetched.page, address), fetched.page

    def _entry_of(self, address: str) -> Entry:
        run = self._ledger.run
        with self._store.writing() as connection:
            frontier.enqueue(connection, run, [frontier.Lead(identity(address), address, frontier.LEARNED)])
            entry = frontier.find_entry(connection, run, identity(address))
        if entry is None:
            raise WindrowError(f"The address {address} is not in the frontier. That is a fault of Windrow's own.")
        return entry

    def _fetch_patiently(self, entry: Entry, *, conditional: bool) -> Fetched:
        """Fetch a page that nothing goes on without, as often as the manners allow."""
        as_before = conditional and entry.read_by == self._reader.stamp and entry.seen_run is not None
        for attempt in range(self._settings.manners.retries + 1):
            try:
                return self._visitor.fetch(entry, conditional=as_before)
            except WindrowError as error:
                if not is_passing(error) or attempt == self._settings.manners.retries:
                    raise
                self._rest(entry, error, attempt)
        raise AssertionError  # the last attempt returns or raises

    def _rest(self, entry: Entry, error: WindrowError, attempt: int) -> float:
        """Wait as long as an error asks for; the host is left alone meanwhile where it wants that."""
        seconds = self._delay(entry, error, attempt)
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._gate.wait(min(left, HEARTBEAT))
            with self._store.writing() as connection:
                hold(connection, self._ledger.run)
        return seconds

    def _delay(self, entry: Entry, error: WindrowError, attempt: int) -> float:
        asked = error.retry_after if isinstance(error, StatusError) else None
        if asked:
            self._gate.close_host(entry.as_found, asked)
        return delay(attempt, asked, f"{self._ledger.run.id} {entry.url}")

    def _deferral(self, grade: learned.Grade, address: str) -> Warned:
        name = self._source.name
        what = {
            "gone": f"Choose another text: `windrow source set {name} read.wrapper=FILE`, or set warn.gone=continue.",
            "blocked": "Look at the page in a browser; log in with `windrow login`, or ask the site.",
            "template": f"Learn the new page: `windrow source set {name} read.wrapper=FILE`.",
            "failed": "Try again later, or check the address.",
        }[grade.kind]
        kind: Any = grade.kind
        return Warned(kind, "error", f"The learned page: {grade.sentence} Nothing was stored. {what}", address)

    def _heal(self, wrapper: Wrapper, page: Page, grade: learned.Grade) -> bool:
        pages, known = [page], {}
        if wrapper.list_rule is None:
            with self._store.reading() as connection:
                known = sample_records(connection, self._source.id, HEALING_PAGES)
            for url in known:
                other = self._try_page(url)
                if other is not None and identity(other.url) != identity(page.url):
                    pages.append(other)
        try:
            healed = learned.heal(wrapper, pages, known)
        except (RegionGone, HealUncertain) as error:
            kind: learned.GradeKind = "gone" if isinstance(error, RegionGone) else "template"
            raise DeferredError(self._deferral(learned.Grade(kind, f"{grade.sentence} {error}"), page.url)) from None
        report = None if healed.report is None else healed.report.to_dict()
        with self._store.writing() as connection:
            hold(connection, self._ledger.run)
            version = add_wrapper(connection, self._source.id, _alone(healed).to_json(), "heal", report)
            text = f"The template changed, and the wrapper was healed to version {version}. {grade.sentence}"
            self._warn(Warned("healed", "info", text, page.url), connection)
        self._reader = replace(self._reader, wrappers=((version, healed), *self._reader.wrappers[:1]))
        logger.info("%s: healed to version %d", self._source.name, version)
        return True

    def _try_page(self, url: str) -> Page | None:
        try:
            return self._visitor.fetch(self._entry_of(url), conditional=False).page
        except WindrowError as error:
            logger.info("%s could not be had for healing: %s", url, error)
            return None

    # The frontier

    def _work(self) -> None:
        manners = self._settings.manners
        active: dict[Future[Seen], tuple[Entry, Reader]] = {}
        beat = time.monotonic()
        with ThreadPoolExecutor(manners.concurrency, thread_name_prefix="windrow-harvest") as pool:
            try:
                while not self._cut:
                    later = self._fill(pool, active)
                    if not active and later is None:
                        return
                    if self._stop.is_set():
                        break
                    done, _ = wait(active, timeout=min(later or HEARTBEAT, HEARTBEAT), return_when=FIRST_COMPLETED)
                    if not active:
                        self._gate.wait(min(later or 0.0, HEARTBEAT))
                    for future in done:
                        entry, reader = active.pop(future)
                        self._settle(entry, future, reader)
                    if time.monotonic() - beat > HEARTBEAT:
                        beat = time.monotonic()
                        with self._store.writing() as connection:
                            hold(connection, self._ledger.run)
            except BaseException:
                self._gate.stopped.set()
                raise
            self._finish_active(active)
        if self._stop.is_set():
            raise StoppedError

    def _finish_active(self, active: dict[Future[Seen], tuple[Entry, Reader]]) -> None:
        """Let the pages that are under way come to their end, but none that waits for its turn."""
        self._gate.stopped.set()
        for future, (entry, reader) in active.items():
            wait([future])
            self._settle(entry, future, reader)
        if not self._stop.is_set():
            self._gate.stopped.clear()

    def _fill(self, pool: ThreadPoolExecutor, active: dict[Future[Seen], tuple[Entry, Reader]]) -> float | None:
        """Give the free threads something to do; return how many seconds until there is more, None where there is not.

        Zero stands for something that is under way.
        """
        free = self._settings.manners.concurrency - len(active)
        if free <= 0:
            return HEARTBEAT
        with self._store.reading() as connection:
            busy = [entry.address_id for entry, _ in active.values()]
            entries = frontier.pending(connection, self._ledger.run, free, busy)
        for entry in entries:
            if self._is_over_budget(len(active)):
                if not active:
                    self._cut = "limit"
                return HEARTBEAT
            if entry.not_before > time.time():
                return max(0.05, entry.not_before - time.time())
            reader = self._reader
            fetched = self._kept.pop(entry.address_id, None)
            future = pool.submit(self._visitor.visit, entry, reader, fresh=self._choices.fresh, fetched=fetched)
            active[future] = entry, reader
        return HEARTBEAT if entries or active else None

    def _is_over_budget(self, under_way: int) -> bool:
        most = min(self._settings.follow.pages, self._choices.pages or self._settings.follow.pages)
        return self._ledger.run.counts.pages + under_way >= most

    def _settle(self, entry: Entry, future: Future[Seen], reader: Reader) -> None:
        """Store what came of an address."""
        try:
            seen = future.result()
        except StoppedError:
            return
        except WindrowError as error:
            self._settle_error(entry, error)
            return
        except Exception as error:
            logger.exception("failed on %s", entry.url)
            self._settle_error(entry, to_fault(error))
            return
        reading = seen.reading
        if reading is not None and reading.verdict != "read" and (reader is not self._reader or self._has_healed(reading)):
            seen = self._visitor.understand(entry, seen.fetched, self._reader)
        self._store_seen(entry, seen)

    def _has_healed(self, reading: PageReading) -> bool:
        """Look at the learned page again where a page does not fit; whether the wrapper was healed."""
        self._misfits += 1
        if self._misfits >= LEAST_MISFITS and self._misfits > self._read:
            text = f"Most pages do not fit what was learned, though the learned page does. {reading.sentence}"
            advice = f"Learn from one of them as well: `windrow source set {self._source.name} read.wrapper=FILE`."
            kind: Any = "blocked" if reading.verdict == "wall" else "template"
            raise DeferredError(Warned(kind, "error", f"{text} {advice}"))
        # The learned page is asked for once more at the first misfit, then the less often the more there are.
        is_due = self._misfits & (self._misfits - 1) == 0
        return self._reader.wrapper is not None and is_due and self._look_at_learned(is_first=False)

    def _store_seen(self, entry: Entry, seen: Seen) -> None:
        fetched, reading = seen.fetched, seen.reading
        warnings = []
        verdict = "same" if fetched.not_modified else entry.role
        fits = True
        if reading is not None:
            verdict, fits = reading.verdict, reading.verdict == "read"
            self._read += fits
            if not fits:
                kind: Any = "blocked" if verdict == "wall" else "template" if self._reader.wrapper else "empty"
                warnings.append(Warned(kind, "warning", f"Not stored: {reading.sentence} ({entry.url})", entry.url))
            elif reading.keyless:
                labels = ", ".join(self._settings.read.key)
                text = f"{reading.keyless} records without a key ({labels}) were not stored ({entry.url})."
                warnings.append(Warned("key", "warning", text, entry.url, reading.keyless))
            if fits:
                self._stats.add(reading)
        visit = Visit(
            entry=entry,
            verdict=verdict,
            final_url=fetched.final_url,
            status=fetched.status,
            millis=fetched.millis,
            size=fetched.size,
            body_digest=fetched.body_digest,
            validators=fetched.validators,
            read_by=self._reader.stamp,
            wrapper_version=None if reading is None else reading.version,
            error=None if fits or reading is None else reading.sentence,
            seen=fits,
            not_modified=fetched.not_modified,
            sightings=() if reading is None or not fits else reading.sightings,
            leads=seen.leads if fits else (),
            warnings=warnings,
            body=fetched.body if fits else None,
            requests=fetched.requests,
            links=seen.links,
        )
        self._commit(visit)

    def _settle_error(self, entry: Entry, error: WindrowError) -> None:
        passing = is_passing(error) or isinstance(error, BrowserError)
        if passing and entry.attempts < self._settings.manners.retries:
            not_before = time.time() + self._delay(entry, error, entry.attempts)
            with self._store.writing() as connection:
                hold(connection, self._ledger.run)
                frontier.put_off(connection, self._ledger.run, entry.address_id, not_before)
            return
        status = error.status if isinstance(error, StatusError) else None
        if status in learned.NOT_THERE and entry.role == "detail":
            self._commit(Visit(entry=entry, verdict="gone", status=status, error=str(error)))
            return
        kind: Any = "failed"
        if isinstance(error, RobotsError):
            kind = "robots"
        elif status in learned.WALLED:
            kind = "blocked"
        elif isinstance(error, LimitError):
            kind = "limit"
        verdict = "failed" if kind in {"failed", "limit"} else kind
        if kind == "robots" and entry.seen_run is None:
            self._refused += entry.role == "list" or entry.rank <= len(self._starts)
        else:
            self._misfits += kind == "blocked"
            self._refused += kind != "blocked"
        text = f"{error} ({entry.url})" if entry.url not in str(error) else str(error)
        warned = Warned(kind, "warning", text, entry.url)
        self._commit(Visit(entry=entry, verdict=verdict, status=status, error=str(error), seen=False, warnings=[warned]))
        self._last_error = error

    def _commit(self, visit: Visit) -> None:
        try:
            with self._store.writing() as connection:
                self._ledger.run = store_visit(connection, self._ledger, visit)
                keep_stats(connection, self._ledger.run, self._stats.to_dict())
        except BaseException:
            self._ledger.forget()
            raise
        self._kinds |= {warned.kind for warned in visit.warnings}
        self._make_view()
        with self._store.reading() as connection:
            done, total = frontier.count_entries(connection, self._ledger.run)
        self._watch(Progress(self._ledger.run.counts, done, total, visit.entry.url))

    def _make_view(self) -> None:
        if self._ledger.has_new_fields:
            make_view(self._store, self._source.id)
            self._ledger.has_new_fields = False

    def _warn(self, warned: Warned, connection: Any = None) -> None:  # noqa: ANN401 - a Connection
        self._kinds.add(warned.kind)
        if connection is not None:
            warn(connection, self._source.id, self._ledger.run.id, warned)
            return
        with self._store.writing() as other:
            warn(other, self._source.id, self._ledger.run.id, warned)

    # The end

    def _defer(self, error: DeferredError) -> Report:
        run = self._ledger.run
        with self._store.writing() as connection:
            self._warn(error.warned, connection)
            state = "failed" if error.exit_code != 6 else "deferred"  # noqa: PLR2004 - the exit status of a deferral
            if state == "deferred":
                set_state(connection, self._source.id, "deferred", error.warned.text)
            self._read_again(connection)
            end_run(connection, run, state, run.counts, error.warned.text)
        return Report(self._source.name, run.id, state, error.warned.text, error.exit_code, run.counts, self._warned)  # type: ignore[arg-type] # one of the states

    def _read_again(self, connection: Any) -> None:  # noqa: ANN401 - a Connection
        """See that pages with records that were claimed, but not settled, are read again next time."""
        self._ledger.drop_claims(connection)

    def _finish(self) -> Report:
        run = self._ledger.run
        counts = run.counts
        problems = self._problems(counts)
        falls = [] if self._choices.accept or problems else self._falls(counts)
        with self._store.writing() as connection:
            hold(connection, run)
            if falls:
                return self._hold_back(connection, falls)
            if not problems:
                counts += self._ledger.remove_unseen(connection, now())
                forget_undo(connection, run)
                state, sentence, code = "whole", _summary(counts), 0
                if self._source.state == "deferred":
                    set_state(connection, self._source.id, "active")
                self._kinds |= self._kinds_met(connection)
                resolve_absent(connection, self._source.id, self._kinds)
            else:
                state, sentence, code = problems
                self._read_again(connection)
                if state == "deferred":
                    set_state(connection, self._source.id, "deferred", sentence)
            end_run(connection, run, state, counts, sentence)
        return Report(self._source.name, run.id, state, sentence, code, counts, self._warned)  # type: ignore[arg-type] # as above

    def _kinds_met(self, connection: Any) -> set[str]:  # noqa: ANN401 - a Connection
        """Return the kinds of warnings that the store raised by itself during this run."""
        from windrow.store.warnings import list_warnings  # noqa: PLC0415 - here alone

        mine = list_warnings(connection, "all", self._source.id)
        return {each["kind"] for each in mine if each["run"] == self._ledger.run.id}

    def _problems(self, counts: Counts) -> tuple[str, str, int] | None:
        """Return why a run is not whole: its state, a sentence and the exit status; None where it is."""
        name = self._source.name
        if self._cut:
            asked = self._choices.pages is not None
            text = f"Stopped after {counts.pages} pages, as {'asked' if asked else 'follow.pages says'}."
            if not asked:
                self._warn(Warned("limit", "warning", text))
            return "partial", f"{text} {_summary(counts)}", 5
        if self._choices.trigger == "offline":
            return None
        before = 0 if self._before is None else int(self._before.counts.get("records", 0))
        if counts.records == 0 and not self._refused:
            text = f"No record was found{f', where there were {before:,}' if before else ''}. Nothing was removed."
            self._warn(Warned("empty", "error", f"{text} Look at the pages, or learn them anew."))
            return "deferred", text, 6
        if self._refused and not self._read and not counts.not_modified and counts.pages <= counts.failed + self._refused:
            error = getattr(self, "_last_error", None)
            return "failed", str(error or "Nothing could be fetched."), 3 if error is None else error.exit_code
        if counts.records < self._settings.warn.fewer * before and not self._choices.accept:
            text = (
                f"Only {counts.records:,} records were found, where there were {before:,}. What was read is stored, "
                f"nothing was removed. If that is right: `windrow harvest {name} --accept`."
            )
            self._warn(Warned("fewer", "error", text))
            return "deferred", text, 6
        if self._misfits:
            text = f"{self._misfits} pages did not fit and were not stored; nothing was removed."
            return "partial", f"{text} {_summary(counts)}", 6
        if self._refused:
            text = f"{self._refused} pages could not be had; nothing was removed."
            return "partial", f"{text} {_summary(counts)}", 3
        return None

    def _falls(self, counts: Counts) -> list[Warned]:
        del counts
        if self._before is None:
            return []
        return find_falls(self._stats, Stats.from_dict(self._before.stats), self._settings.warn.fall)

    def _hold_back(self, connection: Any, falls: list[Warned]) -> Report:  # noqa: ANN401 - a Connection
        run = self._ledger.run
        held = take_back(connection, run)
        what = " ".join(warned.text for warned in falls)
        text = (
            f"{what} The changes of this run, to {held} records, are held for review and not stored. "
            f"See `windrow diff {self._source.name} --held`; take them with `windrow harvest {self._source.name} --accept`."
        )
        for warned in falls:
            self._warn(replace(warned, text=text), connection)
        set_state(connection, self._source.id, "deferred", text)
        counts = Counts(pages=run.counts.pages, not_modified=run.counts.not_modified, failed=run.counts.failed)
        end_run(connection, run, "deferred", counts, text)
        return Report(self._source.name, run.id, "deferred", text, 6, counts, self._warned)


def _summary(counts: Counts) -> str:
    """Return what was stored, in a line."""
    parts = [
        f"{number:,} {what}"
        for number, what in (
            (counts.added, "added"),
            (counts.changed, "changed"),
            (counts.removed, "gone"),
            (counts.returned, "returned"),
        )
        if number
    ]
    return f"{counts.records:,} records from {counts.pages:,} pages: {', '.join(parts) or 'nothing changed'}."


def _alone(wrapper: Wrapper) -> Wrapper:
    """Return a wrapper without its versions, which the store keeps."""
    return replace(wrapper, previous=None)
