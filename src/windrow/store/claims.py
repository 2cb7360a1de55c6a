"""Claims: records that turn up at another address while their own was not read yet in a run.

When a record's own address has been read, or the run has ended, it is known whether the record moved: then it goes to
the first that claimed it. Where its own address still shows it, the claims are thrown away.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, insert, select, update

from windrow.store import schema
from windrow.store.batches import in_batches
from windrow.store.runs import Counts
from windrow.store.sightings import Known, Origin, Place, Sighting
from windrow.store.statements import Statement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.engine import Connection

    from windrow.store.batches import AnyRow
    from windrow.store.records import Ledger
    from windrow.store.sightings import Seen

_ONE = Statement(
    select(*(schema.record.c[name] for name in Known._fields)).where(schema.record.c.id == bindparam("number")),
    "number",
)
_TWICE = "stands on two pages, with different values"


class Claims:
    """The claims of one run, which its ledger makes and settles."""

    def __init__(self, ledger: Ledger) -> None:
        """Begin without knowing whether there are any."""
        self._ledger = ledger
        self._may_be_some = True

    def forget(self) -> None:
        """Forget what a transaction that failed has made."""
        self._may_be_some = True

    def make(self, connection: Connection, place: Place, theirs: Sequence[tuple[Known, Seen]]) -> list[tuple[str, str]]:
        """Claim records that belong to other addresses; return the keys of those that were read in this run."""
        if not theirs:
            return []
        read: set[int] = set()
        for batch in in_batches({row.address_id for row, _ in theirs}):
            mine = schema.address.c.id.in_(batch), schema.address.c.seen_run == self._ledger.run.id
            read |= set(connection.execute(select(schema.address.c.id).where(*mine)).scalars())
        refused, rows = [], []
        stored = self._texts_of(connection, [row.id for row, seen in theirs if row.digest != seen.digest])
        for row, seen in theirs:
            if row.address_id not in read:
                sighting = {"seen": seen.digest.hex(), **asdict(seen.sighting)}
                rows.append(
                    {
                        "run_id": self._ledger.run.id,
                        "address_id": place.address_id,
                        "record_id": row.id,
                        "sighting": sighting,
                    }
                )
                continue
            self._ledger.twins.append((place.address_id, seen.sighting.key))
            if row.id in stored and _differs(stored[row.id], self._ledger.texts_of(seen.sighting)):
                refused.append((seen.sighting.key, _TWICE))
        if rows:
            self._may_be_some = True
            connection.execute(insert(schema.claim), rows)
        return refused

    def _texts_of(self, connection: Connection, numbers: Sequence[int]) -> dict[int, Mapping[str, Any]]:
        table, texts = schema.record, dict[int, "Mapping[str, Any]"]()
        for batch in in_batches(numbers):
            texts |= {row.id: row.texts for row in connection.execute(select(table).where(table.c.id.in_(batch)))}
        return texts

    def refuse(self, connection: Connection, numbers: Sequence[int]) -> list[tuple[str, str]]:
        """Throw away the claims on records that their own address still shows; return the keys that are in conflict."""
        refused = []
        for batch in in_batches(numbers if self._has_any(connection) else ()):
            mine = schema.claim.c.run_id == self._ledger.run.id, schema.claim.c.record_id.in_(batch)
            chosen = select(schema.claim.c.sighting, schema.record.c.digest, schema.record.c.texts).join(
                schema.record, schema.record.c.id == schema.claim.c.record_id
            )
            for sighting, stored, texts in connection.execute(chosen.where(*mine)).all():
                if sighting["seen"] != stored.hex():
                    [claimed] = self._ledger.compare(connection, [_claimed(sighting)])
                    if _differs(texts, self._ledger.texts_of(claimed.sighting)):
                        refused.append((sighting["key"], _TWICE))
            connection.execute(delete(schema.claim).where(*mine))
        return refused

    def _has_any(self, connection: Connection) -> bool:
        """Whether the run has claims; asked for at its beginning, and again once it makes some."""
        if self._may_be_some:
            mine = select(schema.claim.c.id).where(schema.claim.c.run_id == self._ledger.run.id)
            self._may_be_some = connection.execute(mine.limit(1)).first() is not None
        return self._may_be_some

    def settle(self, connection: Connection, numbers: Sequence[int] | None = None) -> Counts:
        """Give records that no longer belong to an address to the first that claimed them."""
        table, counts = schema.claim, Counts()
        chosen = select(table).where(table.c.run_id == self._ledger.run.id).order_by(table.c.id)
        rows = list(connection.execute(chosen))
        if numbers is not None:
            wanted = set(numbers)
            rows = [row for row in rows if row.record_id in wanted]
        settled: set[int] = set()
        for row in rows:
            if row.record_id not in settled:
                settled.add(row.record_id)
                counts += self._take_over(connection, row)
        for batch in in_batches([row.id for row in rows]):
            connection.execute(delete(table).where(table.c.id.in_(batch)))
        return counts

    def _take_over(self, connection: Connection, claim: AnyRow) -> Counts:
        self._ledger.keep_former(connection, [claim.record_id])
        [former] = map(Known.of, _ONE.execute(connection, claim.record_id).fetchall())
        self._ledger.read_again(connection, {former.address_id})
        change = update(schema.record).where(schema.record.c.id == claim.record_id)
        connection.execute(change.values(address_id=None))
        old = former._replace(address_id=None)
        [seen] = self._ledger.compare(connection, [_claimed(claim.sighting)])
        page = select(schema.page.c.id, schema.page.c.at, schema.page.c.wrapper_version)
        mine = schema.page.c.run_id == self._ledger.run.id, schema.page.c.address_id == claim.address_id
        found = connection.execute(page.where(*mine)).one()
        return self._ledger.renew(connection, Place(claim.address_id, found[0], found[2], found[1]), [(old, seen)])

    def drop(self, connection: Connection) -> None:
        """Throw the claims of a run away that is not whole; the pages that made them are to be read again next time."""
        mine = select(schema.claim.c.address_id).where(schema.claim.c.run_id == self._ledger.run.id)
        again = update(schema.address).where(schema.address.c.id.in_(mine))
        connection.execute(again.values(validators=None, read_by=None))
        connection.execute(delete(schema.claim).where(schema.claim.c.run_id == self._ledger.run.id))


def _claimed(plain: Mapping[str, Any]) -> Sighting:
    """Return the sighting that a claim was made by."""
    parts = {name: part for name, part in plain.items() if name not in {"seen", "origin"}}
    origin = {label: Origin(path, sure, box) for label, (path, sure, box) in plain["origin"].items()}
    return Sighting(**parts, origin=origin)


def _differs(stored: Mapping[str, Any], seen: Mapping[str, Any]) -> bool:
    """Whether what a second page shows of a record contradicts what is stored; its address alone does not."""
    return any(stored.get(name) != text for name, text in seen.items())
