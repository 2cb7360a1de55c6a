"""Records: what a page gave, against what was stored before; each change is written down with its run.

A record belongs to the address that shows it. Two addresses that show one key in the same run are in conflict: what was
stored first stays. A record that turns up at another address while its own was not read yet in this run is only
claimed; when its own address has been read, or the run has ended, it is known whether it moved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, select, update

from windrow.store import schema
from windrow.store.absence import select_absent
from windrow.store.batches import in_batches, insert_or_ignore, take_numbers
from windrow.store.claims import Claims
from windrow.store.fields import save_fields
from windrow.store.runs import OFFLINE, Counts
from windrow.store.sightings import Known, Seen
from windrow.store.statements import Statement, select_in
from windrow.store.text import digest, dump, encode, escape, load, lookup
from windrow.store.undo import remember

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sqlalchemy.engine import Connection

    from windrow.store.runs import Run
    from windrow.store.sightings import Place, Sighting, Texts

MOST_SPOTS = 100_000
"""How many paths are kept in mind."""

_RECORD = (
    "id", "source_id", "lookup", "digest", "address_id", "first_run", "last_run", "page_id", "wrapper_version",
    "key", "url", "texts", "typed", "origin",
)  # fmt: skip
_CHANGE = (
    "id", "source_id", "run_id", "record_id", "at", "kind", "field_id", "old", "new", "page_id", "wrapper_version",
    "origin",
)  # fmt: skip
_NO_VALUE = (None,) * 6
_KNOWN = select(*(schema.record.c[name] for name in Known._fields))
_ATTACHED = Statement(_KNOWN.where(schema.record.c.address_id == bindparam("address")), "address")
_STORED = Statement(
    select(schema.record.c.texts, schema.record.c.typed).where(schema.record.c.id == bindparam("number")), "number"
)
_ADD_RECORDS = Statement(insert(schema.record).values({name: bindparam(name) for name in _RECORD}), *_RECORD)
_ADD_CHANGES = Statement(insert(schema.change).values({name: bindparam(name) for name in _CHANGE}), *_CHANGE)
_RENEWED = ("digest", "address_id", "url", "texts", "typed", "lacking")
_RENEW = Statement(
    update(schema.record)
    .where(schema.record.c.id == bindparam("number"))
    .values({name: bindparam(name) for name in _RENEWED}),
    *_RENEWED,
    "number",
)


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
        self.claims = Claims(self)
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
        self.claims.forget()
        self._fields.clear()
        self._spots.clear()

    def store(
        self, connection: Connection, place: Place, sightings: Sequence[Sighting]
    ) -> tuple[Counts, list[tuple[str, str]]]:
        """Store what a page showed; return what was counted, and the keys that were refused, each with the reason."""
        rows = _ATTACHED.execute(connection, place.address_id).fetchall()
        attached = {known.key: known for known in map(Known.of, rows)}
        first: dict[str, Seen] = {}
        refused = [
            (seen.sighting.key, "stands twice on one page, with different values")
            for seen in self.compare(connection, sightings)
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
        before = [(row.digest, row.wrapper_version) for row, _ in mine]
        now = [(seen.digest, place.wrapper_version) for _, seen in mine]
        anew = [*new, *(seen for (_, seen), was, is_ in zip(mine, before, now, strict=True) if was != is_)]
        self._learn_spots(connection, {path for seen in anew for path, _, _ in seen.sighting.origin.values()})
        self._add(connection, place, new)
        counts = Counts(records=len(first), added=len(new)) + self.renew(connection, place, mine)
        refused += self.claims.make(connection, place, theirs)
        refused += self.claims.refuse(connection, [row.id for row, _ in mine])
        counts += self._detach(connection, place, [row.id for key, row in attached.items() if key not in first])
        return counts, refused

    def confirm(self, connection: Connection, address_id: int) -> tuple[int, list[tuple[str, str]]]:
        """Say that a page shows what it showed before; return how many records that is, and the keys refused."""
        mine = select(schema.record.c.id).where(schema.record.c.address_id == address_id)
        numbers = list(connection.execute(mine.where(schema.record.c.gone_run.is_(None))).scalars())
        return len(numbers), self.claims.refuse(connection, numbers)

    def compare(self, connection: Connection, sightings: Sequence[Sighting]) -> Iterator[Seen]:
        """Yield sightings with what tells whether anything changed; their labels have fields from then on."""
        if not all(self._fields.keys() >= sighting.values.keys() for sighting in sightings):
            labels = dict.fromkeys(label for sighting in sightings for label in sighting.values)
            known, changed = save_fields(connection, self.run.source_id, labels)
            self.has_new_fields |= changed
            self._fields |= {label: str(row.id) for label, row in known.items()}
        for sighting in sightings:
            yield Seen(sighting, digest(encode((sighting.values, sighting.typed, sighting.url))))

    def texts_of(self, sighting: Sighting) -> dict[str, Texts]:
        """Return the texts of a sighting, by field."""
        fields = self._fields
        return {fields[label]: text for label, text in sighting.values.items()}

    def _typed(self, sighting: Sighting) -> dict[str, Any]:
        """Return what they say, by field."""
        fields = self._fields
        return {fields[label]: value for label, value in sighting.typed.items() if label in fields}

    def _origins(self, connection: Connection, sightings: Sequence[Sighting]) -> list[dict[str, Any] | None]:
        """Return where the values of sightings stood, by field, as it is stored."""
        self._learn_spots(connection, {path for each in sightings for path, _, _ in each.origin.values()})
        fields, spots = self._fields, self._spots
        return [
            {fields[label]: (spots[path], sure, box) for label, (path, sure, box) in sighting.origin.items()} or None
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

    def _known(self, connection: Connection, keys: Iterable[str]) -> dict[str, Known]:
        known: dict[str, Known] = {}
        for batch in in_batches(map(lookup, keys)):
            rows = select_in(connection, schema.record, Known._fields, self.run.source_id, batch)
            known |= {found.key: found for found in map(Known.of, rows)}
        return known

    def _add(self, connection: Connection, place: Place, new: Sequence[Seen]) -> None:
        if not new:
            return
        run, source = self.run.id, self.run.source_id
        numbers = take_numbers(connection, schema.record, len(new))
        origins = self._origins(connection, [seen.sighting for seen in new])
        rows = []
        for number, (sighting, seen), origin in zip(numbers, new, origins, strict=True):
            texts, typed = dump(self.texts_of(sighting)), dump(self._typed(sighting)) if sighting.typed else None
            where = place.address_id, run, run, place.page_id, place.wrapper_version
            shown = escape(sighting.key), None if sighting.url is None else escape(sighting.url)
            found = None if origin is None else dump(origin)
            rows.append((number, source, lookup(sighting.key), seen, *where, *shown, texts, typed, found))
        _ADD_RECORDS.execute_many(connection, rows)
        self._write(connection, place.at, [(number, "added", *_NO_VALUE) for number in numbers])

    def _write(self, connection: Connection, at: str, changes: Sequence[tuple[Any, ...]]) -> None:
        if changes:
            run, source = self.run.id, self.run.source_id
            numbers = take_numbers(connection, schema.change, len(changes))
            rows = [
                (number, source, run, record, at, *what)
                for number, (record, *what) in zip(numbers, changes, strict=True)
            ]
            _ADD_CHANGES.execute_many(connection, rows)

    def renew(self, connection: Connection, place: Place, mine: Sequence[tuple[Known, Seen]]) -> Counts:
        """Bring records up to what was seen of them."""
        moved = [row.id for row, seen in mine if row.address_id is None and row.digest == seen.digest]
        returned = [row.id for row, _ in mine if row.gone_run is not None]
        self.keep_former(connection, [*moved, *returned, *(row.id for row, seen in mine if row.digest != seen.digest)])
        if moved:
            self._attach(connection, moved, place.address_id)
        if returned:
            for batch in in_batches(returned):
                connection.execute(update(schema.record).where(schema.record.c.id.in_(batch)).values(gone_run=None))
            self._write(connection, place.at, [(number, "returned", *_NO_VALUE) for number in returned])
        differing = {row.id: seen for row, seen in mine if row.digest != seen.digest}
        changed = self._change(connection, place, differing)
        if self.run.trigger != OFFLINE:
            other = [(row.id, seen) for row, seen in mine if row.wrapper_version != place.wrapper_version]
            self._relocate(connection, place, dict(other))
        return Counts(changed=changed, returned=len(returned))

    def _relocate(self, connection: Connection, place: Place, seen: Mapping[int, Seen]) -> None:
        """Write down where values stand since another version of the wrapper reads them, changed or not."""
        table = schema.record
        origins = self._origins(connection, [each.sighting for each in seen.values()])
        found = dict(zip(seen, origins, strict=True))
        for batch in in_batches(found):
            for row in connection.execute(select(table.c.id, table.c.origin).where(table.c.id.in_(batch))).all():
                known = {"page_id": place.page_id, "wrapper_version": place.wrapper_version}
                origin = {**(row.origin or {}), **(found[row.id] or {})} or None
                connection.execute(update(table).where(table.c.id == row.id).values(**known, origin=origin))

    def keep_former(self, connection: Connection, records: Sequence[int]) -> None:
        """Keep records as they are before they change, where the run may have to be taken back."""
        if self.can_be_taken_back and records:
            remember(connection, self.run, records)

    def _attach(self, connection: Connection, numbers: Sequence[int], address_id: int) -> None:
        for batch in in_batches(numbers):
            change = update(schema.record).where(schema.record.c.id.in_(batch))
            connection.execute(change.values(address_id=address_id))

    def _change(self, connection: Connection, place: Place, differing: Mapping[int, Seen]) -> int:
        """Write what differs; what is no longer shown stays, and is said to be lacking. Return how many changed."""
        changes: list[tuple[Any, ...]] = []
        rows = []
        origins = self._origins(connection, [seen.sighting for seen in differing.values()])
        found = dict(zip(differing, origins, strict=True))
        for number, seen in sorted(differing.items()):
            [[old_texts, old_typed]] = _STORED.execute(connection, number).fetchall()
            old, origin = load(old_texts), found[number] or {}
            texts, typed = self.texts_of(seen.sighting), self._typed(seen.sighting)
            for name, text in texts.items():
                if (was := old.get(name)) != text:
                    where = None if origin.get(name) is None else dump(origin[name])
                    what = "changed", int(name), None if was is None else dump(was), dump(text)
                    changes.append((number, *what, place.page_id, place.wrapper_version, where))
            lacking = [name for name in old if name not in texts]
            kept = {} if self.erases else {name: old[name] for name in lacking}
            if self.erases:
                nowhere = None, place.page_id, place.wrapper_version, None
                changes += [(number, "changed", int(name), dump(old[name]), *nowhere) for name in lacking]
            before = load(old_typed) if old_typed else {}
            both = {**{name: value for name, value in before.items() if name in kept}, **typed}
            url = None if seen.sighting.url is None else escape(seen.sighting.url)
            said = dump({**kept, **texts}), dump(both) if both else None
            missed = dump([int(name) for name in kept]) if kept else None
            rows.append((seen.digest, place.address_id, url, *said, missed, number))
        _RENEW.execute_many(connection, rows)
        self._write(connection, place.at, changes)
        return len({record for record, *_ in changes})

    def erase_lacking(self, connection: Connection, at: str) -> int:
        """Take values away that are kept though their pages no longer surely show them; return of how many records."""
        table = schema.record
        columns = table.c.id, table.c.texts, table.c.typed, table.c.lacking
        mine = table.c.source_id == self.run.source_id, table.c.gone_run.is_(None), table.c.lacking.is_not(None)
        changes: list[tuple[Any, ...]] = []
        found = connection.execute(select(*columns).where(*mine).order_by(table.c.id)).all()
        for row in found:
            names = [str(number) for number in row.lacking]
            what = None, None, None, None  # no new value, from no page
            changes += [(row.id, "changed", int(name), dump(row.texts[name]), *what) for name in names]
            texts = {name: text for name, text in row.texts.items() if name not in names}
            typed = {name: value for name, value in (row.typed or {}).items() if name not in names}
            values = {"texts": texts, "typed": typed or None, "lacking": None}
            connection.execute(update(table).where(table.c.id == row.id).values(values))
        self._write(connection, at, changes)
        return len(found)

    def _detach(self, connection: Connection, place: Place, lost: Sequence[int]) -> Counts:
        """Let go of the records that an address no longer shows; those that were claimed by another go there."""
        if not lost:
            return Counts()
        table = schema.record
        self.keep_former(connection, lost)
        seen_run = connection.execute(
            select(schema.address.c.seen_run).where(schema.address.c.id == place.address_id)
        ).scalar()
        for batch in in_batches(lost):
            values: dict[str, Any] = {"address_id": None}
            if seen_run is not None:
                values["last_run"] = seen_run
            connection.execute(update(table).where(table.c.id.in_(batch)).values(values))
        return self.claims.settle(connection, lost)

    def read_again(self, connection: Connection, addresses: set[int | None]) -> None:
        """Let addresses be read again that lost records unread: being what they were would not bring them back."""
        for batch in in_batches(addresses - {None}):
            connection.execute(update(schema.address).where(schema.address.c.id.in_(batch)).values(read_by=None))

    def remove_unseen(self, connection: Connection, at: str, *, by_page: bool = False) -> Counts:
        """At the end of a whole run, say of the records that nobody showed that they are gone.

        With ``by_page`` only of those whose own page was read: what leads to pages may show the latest alone.
        """
        counts = self.claims.settle(connection)
        table, address = schema.record, schema.address
        columns = table.c.id, table.c.last_run, table.c.address_id, address.c.seen_run
        gone = list(connection.execute(select_absent(self.run, *columns, by_page=by_page)))
        rows = [{"number": row.id, "last": max(row.last_run, row.seen_run or 0)} for row in gone]
        if rows:
            change = update(table).where(table.c.id == bindparam("number"))
            connection.execute(change.values(gone_run=self.run.id, address_id=None, last_run=bindparam("last")), rows)
        self.read_again(connection, {row.address_id for row in gone})
        self._write(connection, at, [(row.id, "removed", *_NO_VALUE) for row in gone])
        return counts + Counts(removed=len(gone))
