"""The loop: the learned page first, then every page of the frontier, each stored in a transaction of its own.

One thread commits; others fetch and read, as many at a time as the manners allow. What a page gave and that it is done
are one transaction, so whatever ends the process, the next start goes on where it was.
"""

from __future__ import annotations

import logging
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from windrow.crawl.retries import is_blocked, is_worth_retrying
from windrow.errors import LimitError, RobotsError, StatusError, WindrowError
from windrow.harvest.gate import StoppedError
from windrow.harvest.healing import HEARTBEAT, DeferredError, look_at_learned, rest_after
from windrow.harvest.inquiry import LISTINGS
from windrow.harvest.learned import NOT_THERE
from windrow.loader.outcome import to_fault
from windrow.store import frontier
from windrow.store.runs import hold
from windrow.store.visits import Visit
from windrow.store.warnings import Warned

if TYPE_CHECKING:
    from windrow.harvest.progress import RunUnderWay
    from windrow.harvest.reading import PageReading
    from windrow.harvest.visiting import Reader, Seen
    from windrow.store.frontier import Entry
    from windrow.store.warnings import Kind

logger = logging.getLogger(__name__)

LEAST_MISFITS = 5
"""Pages that do not fit before they can be most of the pages."""
Jobs: TypeAlias = "dict[Future[Seen], tuple[Entry, Reader]]"


def work(run: RunUnderWay) -> None:
    """Read the frontier to its end; ``StoppedError`` where somebody wants the run to end before, at a page's border."""
    jobs: Jobs = {}
    beat = time.monotonic()
    with ThreadPoolExecutor(run.settings.manners.concurrency, thread_name_prefix="windrow-harvest") as pool:
        try:
            while not run.is_cut and not run.gate.stopped.is_set():
                seconds = _fill(run, pool, jobs)
                if seconds is None:
                    return
                if jobs:
                    done, _ = wait(jobs, timeout=min(seconds, HEARTBEAT), return_when=FIRST_COMPLETED)
                    for future in done:
                        _settle(run, future, *jobs.pop(future))
                else:
                    run.gate.wait(min(seconds, HEARTBEAT))
                if time.monotonic() - beat > HEARTBEAT:
                    beat = time.monotonic()
                    run.beat()
            while jobs:
                future, job = jobs.popitem()
                _settle(run, future, *job)
        except BaseException:
            run.gate.abort()
            raise
    if run.gate.stopped.is_set():
        raise StoppedError


def _fill(run: RunUnderWay, pool: ThreadPoolExecutor, jobs: Jobs) -> float | None:
    """Give the free threads something to do; return how long to wait for news, None where there is nothing left."""
    free = run.settings.manners.concurrency - len(jobs)
    if free <= 0:
        return HEARTBEAT
    with run.store.reading() as connection:
        busy = [entry.address_id for entry, _ in jobs.values()]
        entries = frontier.pending(connection, run.run, free, busy)
    budget = min(run.settings.follow.pages, run.choices.pages or run.settings.follow.pages)
    for entry in entries:
        if run.counts.pages + len(jobs) >= budget:
            run.is_cut = not jobs
            return HEARTBEAT if jobs else 0.0
        if entry.not_before > time.time():
            return max(0.02, entry.not_before - time.time())
        reader, fetched = run.reader, run.fetched.pop(entry.address_id, None)
        job = pool.submit(run.visitor.visit, entry, reader, fresh=run.choices.fresh, fetched=fetched)
        jobs[job] = entry, reader
    return HEARTBEAT if jobs else None


def _settle(run: RunUnderWay, future: Future[Seen], entry: Entry, reader: Reader) -> None:
    """Store what came of an address."""
    try:
        seen = future.result()
    except StoppedError:
        return
    except WindrowError as error:
        _settle_error(run, entry, error)
        return
    except Exception as error:
        logger.exception("failed on %s", entry.url)
        _settle_error(run, entry, to_fault(error))  # one page's fault must not stop the others
        return
    if seen.is_gone and (entry.role == "detail" or entry.is_former):
        sentence = "" if seen.reading is None else seen.reading.sentence
        fetched = seen.fetched
        run.commit(Visit(entry=entry, verdict="gone", status=fetched.status, error=sentence, requests=fetched.requests))
        return
    if seen.reading is not None and seen.reading.verdict != "read" and not entry.is_former:
        is_newer = reader is not run.reader or _heals(run, seen.reading)
        if is_newer:
            seen = run.visitor.understand(entry, seen.fetched, run.reader)
    _store(run, entry, seen)


def _heals(run: RunUnderWay, reading: PageReading) -> bool:
    """Look at the learned page again where a page does not fit; return whether the wrapper was healed."""
    misfits = run.tally.misfits + 1
    if misfits >= LEAST_MISFITS and misfits > run.tally.read:
        text = f"Most pages do not fit what was learned, though the learned page does. {reading.sentence}"
        advice = f"Learn from one of them as well: `windrow source set {run.source.name} read.wrapper=FILE`."
        raise DeferredError(Warned(_kind_of(run, reading), "error", f"{text} {advice}"))
    # The learned page is asked for once more at the first misfit, then the less often the more there are.
    is_due = misfits & (misfits - 1) == 0
    return is_due and look_at_learned(run, again=True)


def _kind_of(run: RunUnderWay, reading: PageReading) -> Kind:
    if reading.verdict == "wall":
        return "blocked"
    return "empty" if run.reader.wrapper is None else "template"


def _store(run: RunUnderWay, entry: Entry, seen: Seen) -> None:
    """Store a page that was had: what it gave where it fits, that it does not where it does not."""
    fetched, reading = seen.fetched, seen.reading
    is_emptied = seen.is_emptied and not run.choices.accept
    fits = reading is None or reading.verdict == "read"
    if entry.is_former and (seen.is_emptied or not fits):
        _settle_former(run, entry, seen)
        return
    warnings = list(seen.notes)
    run.tally.missed += seen.is_cut
    run.tally.emptied += is_emptied
    _count_list(run, entry, seen)
    run.tally.read += fetched.not_modified and (entry.role == "detail" or run.reader.reads_lists)
    if reading is not None and not fits:
        run.tally.misfits += 1
        text = f"Not stored: {reading.sentence} ({entry.url})"
        warnings.append(Warned(_kind_of(run, reading), "warning", text, entry.url))
    elif reading is not None:
        run.tally.read += 1
        run.stats.add(reading)
        run.keyless, run.labels = run.keyless + reading.keyless, reading.labels
        if reading.keyless:
            labels = ", ".join(run.settings.read.key)
            text = f"{reading.keyless} records without a key ({labels}) were not stored ({entry.url})."
            warnings.append(Warned("key", "warning", text, entry.url, reading.keyless))
    visit = Visit(
        entry=entry,
        verdict="same" if fetched.not_modified else entry.role if reading is None else reading.verdict,
        final_url=fetched.final_url,
        status=fetched.status,
        millis=fetched.millis,
        size=fetched.size,
        body_digest=fetched.body_digest,
        validators=fetched.validators,
        read_by=None if seen.is_cut or seen.is_live else run.reader.stamp,
        wrapper_version=None if reading is None else reading.version,
        error=None if reading is None or fits else reading.sentence,
        seen=fits and not is_emptied,
        not_modified=fetched.not_modified,
        sightings=() if reading is None or not fits else reading.sightings,
        leads=seen.leads if fits else (),
        warnings=warnings,
        body=replace(fetched.body, role=entry.role) if fits and fetched.body is not None else None,
        requests=fetched.requests,
        links=seen.links,
    )
    run.commit(visit)


def _count_list(run: RunUnderWay, entry: Entry, seen: Seen) -> None:
    """Count a list by whether it leads to records, or shows them, and by whether it ends."""
    if entry.role not in LISTINGS or entry.is_former:
        return
    leads = any(lead.role == "detail" for lead in seen.leads)
    shows = run.reader.reads_lists and (seen.reading is None or bool(seen.reading.sightings))
    is_ended = any(lead.role.startswith(frontier.ENDED) for lead in seen.leads)
    run.tally.lists += leads or shows
    run.tally.ends += is_ended
    run.tally.turned += any(lead.role.startswith(frontier.TURNED) for lead in seen.leads)
    # Of one that is what it was when it ended in doubt, the doubt stays.
    run.tally.open_ends += seen.is_open or (is_ended and seen.fetched.not_modified)


def _settle_former(run: RunUnderWay, entry: Entry, seen: Seen) -> None:
    """Store of a page that nothing leads to any more that it is there and shows nothing, which decides nothing."""
    run.tally.undecided += 1
    sentence = "It shows no record." if seen.reading is None else seen.reading.sentence
    fetched = seen.fetched
    visit = Visit(
        entry=entry,
        verdict="misfit" if seen.reading is None else seen.reading.verdict,
        final_url=fetched.final_url,
        status=fetched.status,
        millis=fetched.millis,
        error=sentence,
        seen=False,
        requests=fetched.requests,
    )
    run.commit(visit)


def _settle_error(run: RunUnderWay, entry: Entry, error: WindrowError) -> None:
    """Try an address again later, or store that it could not be had."""
    if is_worth_retrying(error) and entry.attempts < run.settings.manners.retries:
        not_before = time.time() + rest_after(run, entry, error, entry.attempts)
        with run.store.writing() as connection:
            hold(connection, run.run)
            frontier.put_off(connection, run.run, entry.address_id, not_before)
        return
    status = error.status if isinstance(error, StatusError) else None
    if status in NOT_THERE and (entry.role == "detail" or entry.is_former):
        run.commit(Visit(entry=entry, verdict="gone", status=status, error=str(error)))
        return
    run.last_error = error
    kind: Kind = "failed"
    if isinstance(error, RobotsError):
        kind = "robots"
    elif is_blocked(error):
        kind = "blocked"
    elif isinstance(error, LimitError):
        kind = "limit"
    # A page that was never there, and that nobody may look at, is not missed.
    is_missed = kind != "robots" or entry.seen_run is not None or entry.rank <= run.starts
    run.tally.missed += is_missed
    text = str(error) if entry.url in str(error) else f"{error} ({entry.url})"
    warned = Warned(kind, "warning", text, entry.url)
    verdict = "failed" if kind in {"failed", "limit"} else kind
    run.commit(Visit(entry=entry, verdict=verdict, status=status, error=str(error), seen=False, warnings=[warned]))
