"""Records: what a page gave, against what was stored before; each change is written down with its run.

A record belongs to the address that shows it. Two addresses that show one key in the same run are in conflict: what was
stored first stays. A record that turns up at another address while its own was not read yet in this run is only
claimed; when its own address has been read, or the run has ended, it is known whether it moved.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sqlalchemy import and_, bindparam, delete, insert, or_, select, update

from windrow.store import schema
from windrow.store.batches import in_batches, insert_or_ignore, insert_rows, take_numbers
from windrow.store.fields import save_fields
from windrow.store.runs import OFFLINE, Counts
from windrow.store.text import digest, dump, escape, load
from windrow.store.undo import remember

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sqlalchemy.engine import Connection

    from windrow.store.batches import AnyRow
    from windrow.store.runs import Run

MOST_SPOTS = 100_000
"""How many paths are kept in mind."""
Texts: TypeAlias = "str | list[str]"
"""One text, or several in the page's order."""


class Origin(NamedTuple):
    """Where a value stood on its page."""

    path: str
    confidence: float | None = None
    box: tuple[int, int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Sighting:
    """A record as a page showed it."""

    key: str
    values: Mapping[str, Texts]
    """By label; a label that the page does not have is left out."""
    typed: Mapping[str, Any] = field(default_factory=dict)
    """Numbers and dates, by label, where they say more than the text."""
    origin: Mapping[str, Origin] = field(default_factory=dict)
    url: str | None = None


class Place(NamedTuple):
    """The page that sightings are of."""

    address_id: int
    page_id: int | None
    wrapper_version: int | None
    at: str


class Seen(NamedTuple):
    """A sighting, with the parts of it that tell whether anything changed as they are stored."""

    sighting: Sighting
    texts: str
    typed: str | None
    digest: bytes


_RECORD = (
    "id", "source_id", "key_digest", "digest", "address_id", "first_run", "last_run", "page_id", "wrapper_version",
    "key", "url", "texts", "typed", "origin",
)  # fmt: skip
_CHANGE = (
    "id", "source_id", "run_id", "record_id", "at", "kind", "field_id", "old", "new", "page_id", "wrapper_version",
    "origin",
)  # fmt: skip
_NO_VALUE = (None,) * 6
_KNOWN = select(*(schema.record.c[name] for name in ("id", "key", "digest", "address_id", "gone_run")))
_ATTACHED = _KNOWN.where(schema.record.c.address_id == bindparam("address"))
_RENEW = (
    update(schema.record)
    .where(schema.record.c.id == bindparam("number"))
    .values({name: bindparam(name) for name in ("digest", "address_id", "url", "texts", "typed", "lacking")})
)
_TWICE = "stands on two pages, with different values"


class Ledger:
    """Writes the records of one run; keeps in mind which fields and paths the store knows."""

    def __init__(self, run: Run, *, can_be_taken_back: bool = False) -> None:
        """Begin with nothing in mind; a run that may have to be taken back keeps what it changes as it was."""
        self.run = run
        self.can_be_taken_back = can_be_taken_back
        self.has_new_fields = False
        """Whether the view of the source has to be made anew."""
        self.has_shared = False
        """Whether the page that was stored last shows records that belong to other addresses."""
        self.erases = False
        """Whether a label that a page lacks loses its value; only where a person has accepted that."""
        self._may_have_claims = True
        self.twins: list[tuple[int, str]] = []
        """Addresses of this run, each with the key of a record that another one showed before."""
        self._fields: dict[str, str] = {}
        self._spots: dict[str, int] = {}

    def declare(self, connection: Connection, kinds: Mapping[str, str | None]) -> None:
        """Make sure that the source has fields for some labels, with their types."""
        known, changed = save_fields(connection, self.run.source_id, kinds, kinds)
        self.has_new_fields |= changed
        self._fields |= {label: str(row.id) for label, row in known.items()}

    def forget(self) -> None:
        """Forget what a transaction that failed has made."""
        self._may_have_claims = True
        self._fields.clear()
        self._spots.clear()

    def store(
        self, connection: Connection, place: Place, sightings: Sequence[Sighting]
    ) -> tuple[Counts, list[tuple[str, str]]]:
        """Store what a page showed; return what was counted, and the keys that were refused, each with the reason."""
        attached = {row.key: row for row in connection.execute(_ATTACHED, {"address": place.address_id})}
        first: dict[str, Seen] = {}
        refused = [
            (seen.sighting.key, "stands twice on one page, with different values")
            for seen in self._prepare(connection, sightings)
            if first.setdefault(seen.sighting.key, seen).digest != seen.digest
        ]
        elsewhere = self._known(connection, [key for key in first if key not in attached])
        if self.run.trigger == OFFLINE:
            # A page that was kept says what a record was like, and not that it is there again.
            first = {key: seen for key, seen in first.items() if key not in elsewhere or not elsewhere[key].gone_run}
            elsewhere = {key: row for key, row in elsewhere.items() if key in first}
        new = [seen for key, seen in first.items() if key not in attached and key not in elsewhere]
        mine = [(row, first[key]) for key, row in attached.items() if key in first]
        mine += [(row, first[key]) for key, row in elsewhere.items() if row.address_id is None]
        theirs = [(row, first[key]) for key, row in elsewhere.items() if row.address_id is not None]
        self.has_shared = bool(theirs)
        # Paths before numbers, whatever is new: whoever holds the one may wait for the other, but not both ways.
        anew = [*new, *(seen for row, seen in mine if row.digest != seen.digest)]
        self._learn_spots(connection, {place.path for seen in anew for place in seen.sighting.origin.values()})
        self._add(connection, place, new)
        counts = Counts(records=len(first), added=len(new)) + self._renew(connection, place, mine)
        refused += self._claim(connection, place, theirs)
        refused += self._refuse_claims(connection, [row.id for row, _ in mine])
        counts += self._detach(connection, place, [row.id for key, row in attached.items() if key not in first])
        return counts, refused

    def confirm(self, connection: Connection, address_id: int) -> tuple[int, list[tuple[str, str]]]:
        """Say that a page shows what it showed before; return how many records that is, and the keys refused."""
        mine = select(schema.record.c.id).where(schema.record.c.address_id == address_id)
        numbers = list(connection.execute(mine.where(schema.record.c.gone_run.is_(None))).scalars())
        return len(numbers), self._refuse_claims(connection, numbers)

    def _prepare(self, connection: Connection, sightings: Sequence[Sighting]) -> Iterator[Seen]:
        labels = dict.fromkeys(label for sighting in sightings for label in sighting.values)
        if any(label not in self._fields for label in labels):
            known, changed = save_fields(connection, self.run.source_id, labels)
            self.has_new_fields |= changed
            self._fields |= {label: str(row.id) for label, row in known.items()}
        fields = self._fields
        for sighting in sightings:
            texts = dump({fields[label]: value for label, value in sighting.values.items()})
            typed = dump({fields[label]: value for label, value in sighting.typed.items()}) if sighting.typed else None
            yield Seen(sighting, texts, typed, digest(f"{texts}\n{typed}\n{sighting.url}"))

    def _origins(self, connection: Connection, sightings: Sequence[Sighting]) -> list[dict[str, Any] | None]:
        """Return where the values of sightings stood, by field, as it is stored."""
        self._learn_spots(connection, {origin.path for each in sightings for origin in each.origin.values()})
        fields, spots = self._fields, self._spots
        return [
            {fields[label]: (spots[path], *rest) for label, (path, *rest) in sighting.origin.items()} or None
            for sighting in sightings
        ]

    def _learn_spots(self, connection: Connection, paths: Collection[str]) -> None:
        table = schema.spot
        unknown = {digest(path): path for path in paths if path not in self._spots}
        if len(self._spots) > MOST_SPOTS:
            self._spots = {path: self._spots[path] for path in paths if path in self._spots}
        for is_second in (False, True) if unknown else ():
            for batch in in_batches(unknown):
                chosen = select(table.c.id, table.c.path).where(table.c.digest.in_(batch))
                self._spots |= {path: number for number, path in connection.execute(chosen)}
            unknown = {key: path for key, path in unknown.items() if path not in self._spots}
            if unknown and not is_second:
                # In one order, or two processes that meet here would wait for each other.
                rows = [{"digest": key, "path": unknown[key]} for key in sorted(unknown)]
                connection.execute(insert_or_ignore(connection, table), rows)

    def _known(self, connection: Connection, keys: Iterable[str]) -> dict[str, AnyRow]:
        known: dict[str, AnyRow] = {}
        for batch in in_batches(map(digest, keys)):
            mine = schema.record.c.source_id == self.run.source_id, schema.record.c.key_digest.in_(batch)
            known |= {row.key: row for row in connection.execute(_KNOWN.where(*mine))}
        return known

    def _add(self, connection: Connection, place: Place, new: Sequence[Seen]) -> None:
        if not new:
            return
        run, source = self.run.id, self.run.source_id
        numbers = take_numbers(connection, schema.record, len(new))
        origins = self._origins(connection, [seen.sighting for seen in new])
        rows = []
        for number, (sighting, texts, typed, seen), origin in zip(numbers, new, origins, strict=True):
            where = place.address_id, run, run, place.page_id, place.wrapper_version
            shown = escape(sighting.key), None if sighting.url is None else escape(sighting.url)
            found = None if origin is None else dump(origin)
            rows.append((number, source, digest(sighting.key), seen, *where, *shown, texts, typed, found))
        insert_rows(connection, schema.record, _RECORD, rows)
        self._write(connection, place.at, [(number, "added", *_NO_VALUE) for number in numbers])

    def _write(self, connection: Connection, at: str, changes: Sequence[tuple[Any, ...]]) -> None:
        if changes:
            run, source = self.run.id, self.run.source_id
            numbers = take_numbers(connection, schema.change, len(changes))
            rows = [
                (number, source, run, record, at, *what)
                for number, (record, *what) in zip(numbers, changes, strict=True)
            ]
            insert_rows(connection, schema.change, _CHANGE, rows)

    def _renew(self, connection: Connection, place: Place, mine: Sequence[tuple[AnyRow, Seen]]) -> Counts:
        """Bring records up to what was seen of them."""
        moved = [row.id for row, seen in mine if row.address_id is None and row.digest == seen.digest]
        returned = [row.id for row, _ in mine if row.gone_run is not None]
        self._remember(connection, [*moved, *returned, *(row.id for row, seen in mine if row.digest != seen.digest)])
        if moved:
            self._attach(connection, moved, place.address_id)
        if returned:
            for batch in in_batches(returned):
                connection.execute(update(schema.record).where(schema.record.c.id.in_(batch)).values(gone_run=None))
            self._write(connection, place.at, [(number, "returned", *_NO_VALUE) for number in returned])
        differing = {row.id: seen for row, seen in mine if row.digest != seen.digest}
        changed = self._change(connection, place, differing)
        return Counts(changed=changed, returned=len(returned))

    def _remember(self, connection: Connection, records: Sequence[int]) -> None:
        if self.can_be_taken_back and records:
            remember(connection, self.run, records)

    def _attach(self, connection: Connection, numbers: Sequence[int], address_id: int) -> None:
        for batch in in_batches(numbers):
            change = update(schema.record).where(schema.record.c.id.in_(batch))
            connection.execute(change.values(address_id=address_id))

    def _change(self, connection: Connection, place: Place, differing: Mapping[int, Seen]) -> int:
        """Write what differs; what is no longer shown stays, and is said to be lacking. Return how many changed."""
        table = schema.record
        changes: list[tuple[Any, ...]] = []
        rows = []
        origins = self._origins(connection, [seen.sighting for seen in differing.values()])
        found = dict(zip(differing, origins, strict=True))
        for batch in in_batches(differing):
            for old in connection.execute(
                select(table.c.id, table.c.texts, table.c.typed).where(table.c.id.in_(batch)).order_by(table.c.id)
            ):
                seen, origin = differing[old.id], found[old.id] or {}
                texts, typed = load(seen.texts), load(seen.typed) if seen.typed else {}
                for name, text in texts.items():
                    if (was := old.texts.get(name)) != text:
                        where = None if origin.get(name) is None else dump(origin[name])
                        what = "changed", int(name), None if was is None else dump(was), dump(text)
                        changes.append((old.id, *what, place.page_id, place.wrapper_version, where))
                lacking = [name for name in old.texts if name not in texts]
                kept = {} if self.erases else {name: old.texts[name] for name in lacking}
                if self.erases:
                    nowhere = None, place.page_id, place.wrapper_version, None
                    changes += [(old.id, "changed", int(name), dump(old.texts[name]), *nowhere) for name in lacking]
                still = {name: value for name, value in (old.typed or {}).items() if name in kept}
                rows.append(
                    {
                        "number": old.id,
                        "digest": seen.digest,
                        "address_id": place.address_id,
                        "url": seen.sighting.url,
                        "texts": {**kept, **texts},
                        "typed": {**still, **typed} or None,
                        "lacking": [int(name) for name in kept] or None,
                    }
                )
        if rows:
            connection.execute(_RENEW, rows)
        self._write(connection, place.at, changes)
        return len({record for record, *_ in changes})

    def _claim(
        self, connection: Connection, place: Place, theirs: Sequence[tuple[AnyRow, Seen]]
    ) -> list[tuple[str, str]]:
        """Claim records that belong to other addresses; return the keys of those that were read in this run."""
        if not theirs:
            return []
        read: set[int] = set()
        for batch in in_batches({row.address_id for row, _ in theirs}):
            mine = schema.address.c.id.in_(batch), schema.address.c.seen_run == self.run.id
            read |= set(connection.execute(select(schema.address.c.id).where(*mine)).scalars())
        refused, rows = [], []
        stored = self._texts_of(connection, [row.id for row, seen in theirs if row.digest != seen.digest])
        for row, seen in theirs:
            if row.address_id not in read:
                sighting = {"seen": seen.digest.hex(), **asdict(seen.sighting)}
                rows.append(
                    {"run_id": self.run.id, "address_id": place.address_id, "record_id": row.id, "sighting": sighting}
                )
                continue
            self.twins.append((place.address_id, seen.sighting.key))
            if row.id in stored and _differs(stored[row.id], load(seen.texts)):
                refused.append((seen.sighting.key, _TWICE))
        if rows:
            self._may_have_claims = True
            connection.execute(insert(schema.claim), rows)
        return refused

    def _texts_of(self, connection: Connection, numbers: Sequence[int]) -> dict[int, Mapping[str, Any]]:
        table, texts = schema.record, dict[int, "Mapping[str, Any]"]()
        for batch in in_batches(numbers):
            texts |= {row.id: row.texts for row in connection.execute(select(table).where(table.c.id.in_(batch)))}
        return texts

    def _detach(self, connection: Connection, place: Place, lost: Sequence[int]) -> Counts:
        """Let go of the records that an address no longer shows; those that were claimed by another go there."""
        if not lost:
            return Counts()
        table = schema.record
        self._remember(connection, lost)
        seen_run = connection.execute(
            select(schema.address.c.seen_run).where(schema.address.c.id == place.address_id)
        ).scalar()
        for batch in in_batches(lost):
            values: dict[str, Any] = {"address_id": None}
            if seen_run is not None:
                values["last_run"] = seen_run
            connection.execute(update(table).where(table.c.id.in_(batch)).values(values))
        return self.settle_claims(connection, lost)

    def _refuse_claims(self, connection: Connection, numbers: Sequence[int]) -> list[tuple[str, str]]:
        """Throw away the claims on records that their own address still shows; return the keys that are in conflict."""
        refused = []
        for batch in in_batches(numbers if self._has_claims(connection) else ()):
            mine = schema.claim.c.run_id == self.run.id, schema.claim.c.record_id.in_(batch)
            chosen = select(schema.claim.c.sighting, schema.record.c.digest, schema.record.c.texts).join(
                schema.record, schema.record.c.id == schema.claim.c.record_id
            )
            for sighting, stored, texts in connection.execute(chosen.where(*mine)).all():
                if sighting["seen"] != stored.hex():
                    [claimed] = self._prepare(connection, [_claimed(sighting)])
                    if _differs(texts, load(claimed.texts)):
                        refused.append((sighting["key"], _TWICE))
            connection.execute(delete(schema.claim).where(*mine))
        return refused

    def _has_claims(self, connection: Connection) -> bool:
        """Whether the run has claims; asked for at its beginning, and again once it makes some."""
        if self._may_have_claims:
            mine = select(schema.claim.c.id).where(schema.claim.c.run_id == self.run.id)
            self._may_have_claims = connection.execute(mine.limit(1)).first() is not None
        return self._may_have_claims

    def settle_claims(self, connection: Connection, numbers: Sequence[int] | None = None) -> Counts:
        """Give records that no longer belong to an address to the first that claimed them."""
        table, counts = schema.claim, Counts()
        chosen = select(table).where(table.c.run_id == self.run.id).order_by(table.c.id)
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
        self._remember(connection, [claim.record_id])
        former = connection.execute(_KNOWN.where(schema.record.c.id == claim.record_id)).one()
        self._read_again(connection, {former.address_id})
        change = update(schema.record).where(schema.record.c.id == claim.record_id)
        connection.execute(change.values(address_id=None))
        old = connection.execute(_KNOWN.where(schema.record.c.id == claim.record_id)).one()
        [seen] = self._prepare(connection, [_claimed(claim.sighting)])
        page = select(schema.page.c.id, schema.page.c.at, schema.page.c.wrapper_version)
        mine = schema.page.c.run_id == self.run.id, schema.page.c.address_id == claim.address_id
        found = connection.execute(page.where(*mine)).one()
        return self._renew(connection, Place(claim.address_id, found[0], found[2], found[1]), [(old, seen)])

    def drop_claims(self, connection: Connection) -> None:
        """Throw the claims of a run away that is not whole; the pages that made them are to be read again next time."""
        mine = select(schema.claim.c.address_id).where(schema.claim.c.run_id == self.run.id)
        again = update(schema.address).where(schema.address.c.id.in_(mine))
        connection.execute(again.values(validators=None, read_by=None))
        connection.execute(delete(schema.claim).where(schema.claim.c.run_id == self.run.id))

    def _read_again(self, connection: Connection, addresses: set[int | None]) -> None:
        """Let addresses be read again that lost records unread: being what they were would not bring them back."""
        for batch in in_batches(addresses - {None}):
            connection.execute(update(schema.address).where(schema.address.c.id.in_(batch)).values(read_by=None))

    def remove_unseen(self, connection: Connection, at: str) -> Counts:
        """At the end of a whole run, say of the records that nobody showed that they are gone."""
        counts = self.settle_claims(connection)
        table, address = schema.record, schema.address
        unseen = or_(table.c.address_id.is_(None), address.c.seen_run != self.run.id)
        chosen = select(table.c.id, table.c.last_run, table.c.address_id, address.c.seen_run).outerjoin(
            address, address.c.id == table.c.address_id
        )
        mine = and_(table.c.source_id == self.run.source_id, table.c.gone_run.is_(None), unseen)
        gone = list(connection.execute(chosen.where(mine)))
        rows = [{"number": row.id, "last": max(row.last_run, row.seen_run or 0)} for row in gone]
        if rows:
            change = update(table).where(table.c.id == bindparam("number"))
            connection.execute(change.values(gone_run=self.run.id, address_id=None, last_run=bindparam("last")), rows)
        self._read_again(connection, {row.address_id for row in gone})
        self._write(connection, at, [(row.id, "removed", *_NO_VALUE) for row in gone])
        return counts + Counts(removed=len(gone))


def _claimed(plain: Mapping[str, Any]) -> Sighting:
    """Return the sighting that a claim was made by."""
    parts = {name: part for name, part in plain.items() if name not in {"seen", "origin"}}
    origin = {label: Origin(path, sure, box) for label, (path, sure, box) in plain["origin"].items()}
    return Sighting(**parts, origin=origin)


def _differs(stored: Mapping[str, Any], seen: Mapping[str, Any]) -> bool:
    """Whether what a second page shows of a record contradicts what is stored; its address alone does not."""
    return any(stored.get(name) != text for name, text in seen.items())


def sample_records(connection: Connection, source_id: int, count: int) -> dict[str, dict[str, list[str]]]:
    """Return the values of some records that are alone on their page, by its address, those seen last first."""
    record, address, field = schema.record, schema.address, schema.field
    labels = {
        str(number): label
        for number, label in connection.execute(select(field.c.id, field.c.label).where(field.c.source_id == source_id))
    }
    chosen = (
        select(address.c.as_found, record.c.texts)
        .join(address, address.c.id == record.c.address_id)
        .where(record.c.source_id == source_id, record.c.gone_run.is_(None))
        .order_by(address.c.seen_run.desc(), record.c.id)
        .limit(count)
    )
    return {
        url: {labels[name]: [text] if isinstance(text, str) else text for name, text in texts.items() if name in labels}
        for url, texts in connection.execute(chosen)
    }


def keys_of_pages(connection: Connection, ledger: Ledger, most: int) -> dict[str, str]:
    """Return the keys of the records by the addresses that show them, those included that showed one a second time."""
    record, address = schema.record, schema.address
    chosen = select(address.c.url, record.c.key).join(address, address.c.id == record.c.address_id)
    mine = record.c.source_id == ledger.run.source_id, record.c.gone_run.is_(None)
    keys = {url: key for url, key in connection.execute(chosen.where(*mine).limit(most))}  # noqa: C416 - a row is no pair
    for number, key in ledger.twins[:most]:
        keys[connection.execute(select(address.c.url).where(address.c.id == number)).scalar_one()] = key
    return keys
