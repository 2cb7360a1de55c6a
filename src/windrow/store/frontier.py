"""The frontier: the addresses of a source, and those that a run under way has yet to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Text, and_, bindparam, func, insert, or_, select, type_coerce, update

from windrow.store import schema
from windrow.store.batches import in_batches
from windrow.store.statements import Statement
from windrow.store.text import digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.engine import Connection, RowMapping

    from windrow.store.runs import Run


LEARNED = "learned"
"""The role of a page that was learned and is only looked at, until a list leads to it."""
ENDED, TURNED = "ended ", "turned "
"""Before the roles of pages that a list led to and no longer does: it ends before them, or leads elsewhere. They wait,
until it is known whether records are missed that they may still show."""
FORMER = "former "
"""Before the role of a page that nothing leads to any more, and that is asked for all the same."""
_WAITING = (LEARNED, ENDED, TURNED)


@dataclass(frozen=True)
class Lead:
    """An address that a run has come upon."""

    url: str
    """In the form in which addresses are compared."""
    as_found: str
    role: str
    """What is done with it: list, detail, sitemap, feed, learned; maybe after one of the words above."""
    depth: int = 0


@dataclass(frozen=True)
class Entry:
    """An address that a run has yet to read, with what is known of it from before."""

    address_id: int
    url: str
    as_found: str
    role: str
    depth: int
    rank: int
    attempts: int
    not_before: float
    validators: dict[str, str] | None
    body_digest: bytes | None
    read_by: bytes | None
    links: list[list[str]] | None
    """What it led to when it was read last: role, address as found."""
    seen_run: int | None
    is_former: bool = False
    """Whether nothing leads to it any more."""


def enqueue(connection: Connection, run: Run, leads: Sequence[Lead], parent: int | None = None) -> int:
    """Put addresses into a run's frontier; return how many are new to it."""
    found: dict[bytes, Lead] = {}
    for lead in leads:
        found.setdefault(digest(lead.url), lead)
    if not found:
        return 0
    known: dict[bytes, int] = {}
    for batch in in_batches(found):
        known |= _addresses(connection, run.source_id, batch)
    unknown = [key for key in found if key not in known]
    if unknown:
        rows = [
            {
                "source_id": run.source_id,
                "digest": key,
                "url": found[key].url,
                "as_found": found[key].as_found,
            }
            for key in unknown
        ]
        connection.execute(insert(schema.address), rows)
        for batch in in_batches(unknown):
            known |= _addresses(connection, run.source_id, batch)
    queued: dict[int, str] = {}
    for numbers in in_batches(known.values()):
        chosen = select(schema.queue.c.address_id, schema.queue.c.role).where(schema.queue.c.run_id == run.id)
        found_roles = connection.execute(chosen.where(schema.queue.c.address_id.in_(numbers)))
        queued |= {row.address_id: row.role for row in found_roles}
    wanted = {known[key]: lead for key, lead in found.items() if not lead.role.startswith(_WAITING)}
    for number in [number for number, role in queued.items() if role.startswith(_WAITING) and number in wanted]:
        mine = schema.queue.c.run_id == run.id, schema.queue.c.address_id == number
        lead = wanted[number]
        connection.execute(update(schema.queue).where(*mine).values(role=lead.role, depth=lead.depth))
    highest = select(func.max(schema.queue.c.rank)).where(schema.queue.c.run_id == run.id)
    rank = int(connection.execute(highest).scalar() or 0)
    new = [
        {"run_id": run.id, "address_id": known[key], "role": lead.role, "depth": lead.depth}
        for key, lead in found.items()
        if known[key] not in queued
    ]
    if new:
        more = {"done": 0, "attempts": 0, "not_before": 0.0, "parent_id": parent}
        rows = [{**row, **more, "rank": rank + number} for number, row in enumerate(new, 1)]
        connection.execute(insert(schema.queue), rows)
    return len(new)


def _addresses(connection: Connection, source_id: int, digests: Sequence[bytes]) -> dict[bytes, int]:
    table = schema.address
    chosen = select(table.c.digest, table.c.id).where(table.c.source_id == source_id, table.c.digest.in_(digests))
    return {bytes(key): number for key, number in connection.execute(chosen)}


_OF_ADDRESS = ("url", "as_found", "validators", "body_digest", "read_by", "links", "seen_run")
_OF_QUEUE = ("address_id", "role", "depth", "rank", "attempts", "not_before")
_ENTRIES = select(
    *(schema.address.c[name] for name in _OF_ADDRESS), *(schema.queue.c[name] for name in _OF_QUEUE)
).join(schema.queue, schema.queue.c.address_id == schema.address.c.id)


_IS_TO_READ = and_(*(schema.queue.c.role.not_like(f"{word}%") for word in _WAITING))


def pending(connection: Connection, run: Run, most: int, without: Sequence[int] = ()) -> list[Entry]:
    """Return the entries that are next: those that may be tried soonest first, then in the order they were found."""
    chosen = _ENTRIES.where(schema.queue.c.run_id == run.id, schema.queue.c.done == 0, _IS_TO_READ)
    if without:
        chosen = chosen.where(schema.queue.c.address_id.not_in(without))
    chosen = chosen.order_by(schema.queue.c.not_before, schema.queue.c.rank).limit(most)
    return [_entry(row) for row in connection.execute(chosen).mappings()]


def _entry(row: RowMapping) -> Entry:
    role = row["role"].removeprefix(FORMER)
    return Entry(**{**row, "role": role, "is_former": role != row["role"]})


def wake(connection: Connection, run: Run, waiting: str) -> int:
    """Let pages be asked for that wait, because lists ended before them or turned elsewhere; return how many."""
    table = schema.queue
    mine = table.c.run_id == run.id, table.c.done == 0, table.c.role.like(f"{waiting}%")
    roles = connection.execute(select(table.c.role).where(*mine)).scalars().all()
    for role in sorted(set(roles)):
        change = update(table).where(*mine, table.c.role == role)
        connection.execute(change.values(role=FORMER + role.removeprefix(waiting)))
    return len(roles)


def take_as_empty(connection: Connection, run: Run) -> None:
    """Forget where the lists led to that a run found empty and did not take as they are, now that a person does."""
    table, page = schema.address, schema.page
    read = select(page.c.address_id).where(page.c.run_id == run.id, page.c.verdict.in_(("list", "sitemap")))
    mine = table.c.id.in_(read), or_(table.c.seen_run.is_(None), table.c.seen_run != run.id)
    connection.execute(update(table).where(*mine).values(links=None, read_by=None, seen_run=run.id))


def forget_former(connection: Connection, run: Run) -> None:
    """At the end of a whole run, forget that lists led on to pages that they no longer lead to."""
    table = schema.address
    text = type_coerce(table.c.links, Text)
    leads_on = or_(*(text.like(f'%"{word}%') for word in (ENDED, TURNED)))
    mine = table.c.source_id == run.source_id, table.c.seen_run == run.id
    for number, links in connection.execute(select(table.c.id, table.c.links).where(*mine, leads_on)).all():
        kept = [link for link in links or () if " " not in link[0]]
        connection.execute(update(schema.address).where(schema.address.c.id == number).values(links=kept or None))


def find_entry(connection: Connection, run: Run, url: str) -> Entry | None:
    """Return the entry of an address in a run's frontier, done or not; None where it has none."""
    mine = schema.queue.c.run_id == run.id, schema.address.c.digest == digest(url)
    row = connection.execute(_ENTRIES.where(*mine)).mappings().first()
    return None if row is None else _entry(row)


def is_known_beside(connection: Connection, entry: Entry, url: str) -> bool:
    """Whether the source of an entry knows an address, in the form in which addresses are compared."""
    own, other = schema.address.alias(), schema.address.alias()
    chosen = select(other.c.id).join(own, own.c.source_id == other.c.source_id)
    known = own.c.id == entry.address_id, other.c.digest == digest(url)
    return connection.execute(chosen.where(*known)).first() is not None


def count_entries(connection: Connection, run: Run) -> tuple[int, int]:
    """Return how many addresses of a run's frontier are done, and how many there are."""
    chosen = select(func.coalesce(func.sum(schema.queue.c.done), 0), func.count())
    done, total = connection.execute(chosen.where(schema.queue.c.run_id == run.id, _IS_TO_READ)).one()
    return int(done), int(total)


_MARK_DONE = Statement(
    update(schema.queue)
    .where(schema.queue.c.run_id == bindparam("run"), schema.queue.c.address_id == bindparam("address"))
    .values(done=1),
    "run",
    "address",
)


def mark_done(connection: Connection, run: Run, address_id: int) -> None:
    """Say that an address of a run is done."""
    _MARK_DONE.execute(connection, run.id, address_id)


def put_off(connection: Connection, run: Run, address_id: int, not_before: float) -> None:
    """Say that an address of a run was tried in vain, and when to try it again."""
    table = schema.queue
    mine = table.c.run_id == run.id, table.c.address_id == address_id
    connection.execute(update(table).where(*mine).values(attempts=table.c.attempts + 1, not_before=not_before))
