"""The transactional rule: what a page gave, and that the page is done, are one transaction."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, insert, update

from windrow.store import frontier, schema
from windrow.store.bodies import forget_body, keep_body
from windrow.store.moments import now
from windrow.store.runs import Counts, hold, with_counts
from windrow.store.sightings import Place
from windrow.store.statements import Statement
from windrow.store.text import dump, escape
from windrow.store.warnings import Warned, warn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.engine import Connection

    from windrow.store.bodies import Body
    from windrow.store.frontier import Entry, Lead
    from windrow.store.records import Ledger
    from windrow.store.runs import Run
    from windrow.store.sightings import Sighting


@dataclass(frozen=True, kw_only=True)
class Visit:
    """What came of an address of the frontier."""

    entry: Entry
    verdict: str
    """What the page turned out to be: read, list, same, gone, wall, misfit, failed and so on."""
    final_url: str | None = None
    status: int | None = None
    millis: int | None = None
    size: int | None = None
    """Of the document, in bytes."""
    body_digest: bytes | None = None
    validators: dict[str, str] | None = None
    """What to ask with next time whether it has changed."""
    read_by: bytes | None = None
    """The digest of the settings and the wrapper that read it; none where it is to be read again next time."""
    wrapper_version: int | None = None
    error: str | None = None
    seen: bool = True
    """Whether the page was seen as it should be; one that was not leaves its records as they were."""
    not_modified: bool = False
    """Whether it is what it was when it was read last, so that it shows what it showed then."""
    sightings: Sequence[Sighting] = ()
    leads: Sequence[Lead] = ()
    warnings: Sequence[Warned] = ()
    body: Body | None = None
    requests: int = 1
    links: list[list[str]] = field(default_factory=list)
    """What the page led to, as it is kept for the next time."""


def store_visit(connection: Connection, ledger: Ledger, visit: Visit) -> Run:
    """Store what came of an address, and return the run with what it counted since."""
    run, entry = ledger.run, visit.entry
    moment = now()
    counts = Counts(pages=1, requests=visit.requests, failed=int(visit.verdict == "failed"))
    refused: list[tuple[str, str]] = []
    if visit.not_modified:
        records, refused = ledger.confirm(connection, entry.address_id)
        counts += Counts(not_modified=int(visit.status == 304), records=records)  # noqa: PLR2004 - Not Modified
    else:
        page_id = _add_page(connection, run, visit, moment)
        if visit.seen:
            place = Place(entry.address_id, page_id, visit.wrapper_version, moment)
            stored, refused = ledger.store(connection, place, visit.sightings)
            counts += stored
    if visit.seen:
        # That a page is what it was says nothing of the records that it shows and another address has.
        _renew_address(connection, run, replace(visit, read_by=None) if ledger.has_shared else visit)
    if visit.body is not None:
        # It may have been fetched in another role: looked at first, since it was learned.
        keep_body(connection, entry.address_id, replace(visit.body, role=entry.role))
    elif visit.seen and not visit.not_modified and visit.size is not None:
        # Read again, what was kept before would take the place of what is newer.
        forget_body(connection, entry.address_id)
    frontier.enqueue(connection, run, visit.leads, entry.address_id)
    frontier.mark_done(connection, run, entry.address_id)
    for warned in (*visit.warnings, *_key_warning(refused, entry.url)):
        warn(connection, run.source_id, run.id, warned)
    total = run.counts + counts
    hold(connection, run, total)
    return with_counts(run, total)


def unstored(visit: Visit, error: Exception) -> Visit:
    """Return what is stored of an address whose page could not be: that it failed, which leaves its records alone."""
    text = f"What was read could not be stored: {error} ({visit.entry.url})"
    return Visit(
        entry=visit.entry,
        verdict="failed",
        final_url=visit.final_url,
        status=visit.status,
        millis=visit.millis,
        error=text,
        seen=False,
        warnings=[Warned("failed", "warning", text, visit.entry.url)],
        requests=visit.requests,
    )


_OF_PAGE = (
    "run_id", "address_id", "final_url", "status", "at", "millis", "bytes", "body_digest", "verdict",
    "wrapper_version", "error",
)  # fmt: skip
_ADD_PAGE = Statement(
    insert(schema.page).values({name: bindparam(name) for name in _OF_PAGE}).returning(schema.page.c.id), *_OF_PAGE
)


def _renewal(*names: str) -> Statement:
    change = update(schema.address).where(schema.address.c.id == bindparam("number"))
    return Statement(change.values({name: bindparam(name) for name in names}), *names, "number")


_CONFIRMED = _renewal("seen_run")
_CONFIRMED_ANEW = _renewal("validators", "seen_run")
_READ = _renewal("validators", "body_digest", "read_by", "links", "seen_run")


def _add_page(connection: Connection, run: Run, visit: Visit, moment: str) -> int:
    row = (
        run.id,
        visit.entry.address_id,
        _escaped(visit.final_url),
        visit.status,
        moment,
        visit.millis,
        visit.size,
        visit.body_digest,
        visit.verdict,
        visit.wrapper_version,
        _escaped(visit.error),
    )
    [[number]] = _ADD_PAGE.execute(connection, *row).fetchall()
    return int(number)


def _escaped(text: str | None) -> str | None:
    return None if text is None else escape(text)


def _renew_address(connection: Connection, run: Run, visit: Visit) -> None:
    number, validators = visit.entry.address_id, dump(visit.validators) if visit.validators else None
    if not visit.not_modified:
        links = dump(visit.links) if visit.links else None
        _READ.execute(connection, validators, visit.body_digest, visit.read_by, links, run.id, number)
    elif validators:
        _CONFIRMED_ANEW.execute(connection, validators, run.id, number)
    else:
        _CONFIRMED.execute(connection, run.id, number)


def _key_warning(refused: Sequence[tuple[str, str]], url: str) -> list[Warned]:
    if not refused:
        return []
    key, why = refused[0]
    more = f" So it is with {len(refused) - 1} more." if len(refused) > 1 else ""
    text = f"The key {key[:80]!r} {why}. What was stored first stays.{more} Choose a key that tells records apart."
    return [Warned("key", "warning", text, url, len(refused))]
