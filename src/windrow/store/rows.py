"""Records as they are now, or as they were at a point of their history, some at a time.

What a record was is what it is without the changes that came later. When it was last seen is not kept for every run: of
an earlier point it is the latest run until then that surely saw it, since it changed there or the run was a whole one.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import orjson
from sqlalchemy import Text as SqlText
from sqlalchemy import bindparam, case, func, select, type_coerce

from windrow.store import schema
from windrow.store.batches import in_batches
from windrow.store.fields import list_fields
from windrow.store.moments import shown
from windrow.store.origins import Origins
from windrow.store.text import load, unescape

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from sqlalchemy.engine import Connection

    from windrow.store.batches import AnyRow
    from windrow.store.points import Point
    from windrow.store.sightings import Texts
    from windrow.store.sources import SourceRow

A_BATCH = 500
"""How many records are looked at together."""
Key: TypeAlias = "str | list[str]"
Presence: TypeAlias = Literal["present", "gone"]


class Record(NamedTuple):
    """A record as somebody is given it; a tuple, since an export makes millions, and no class is made as quickly."""

    id: int
    source: str
    key: Key
    """A text, or several where several labels make the key."""
    url: str | None
    state: Presence
    first_seen: str | None
    last_seen: str | None
    run: int
    """The run that saw it last."""
    values: dict[str, Texts | None]
    """Of every label of its source; None where it has none."""
    typed: dict[str, Any]
    """What values say, where that is more than the text."""
    kept: list[str]
    """The labels whose values its page, when it was read last, did not surely show; of an earlier point unknown."""
    origin: dict[str, dict[str, Any]] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        about = {
            "source": self.source,
            "key": self.key,
            "url": self.url,
            "state": self.state,
            "first_seen": self.first_seen,
            "last_seen": self.last_seen,
            "run": self.run,
            "values": self.values,
            "typed": self.typed,
            "kept": self.kept,
        }
        return about if self.origin is None else {**about, "origin": self.origin}


@dataclass(frozen=True)
class Wanted:
    """Which records are wanted, and how much of them."""

    gone: bool = False
    """Whether those that are gone are wanted, too."""
    at: Point | None = None
    origin: bool = False


_AS_IS = Wanted()
_AS_STORED = ("key", "url", "texts", "typed", "lacking")
"""Columns of a record that are read out of the database's own form here: that costs a third of doing it there."""
_NUMBERS = ("first_run", "last_run", "gone_run")
_COLUMNS = 1 + len(_AS_STORED) + len(_NUMBERS) + 1
"""Of every reading: the record's number, these, and the run that saw its address last."""


# Made once, as the next: every screen with records asks both.
_RUNS = (
    select(schema.run.c.id, schema.run.c.started_at, schema.run.c.ended_at, schema.run.c.state)
    .where(schema.run.c.source_id == bindparam("source"))
    .order_by(schema.run.c.id)
)


@cache
def _records(*, only_present: bool, origin: bool, picked: bool) -> Any:  # noqa: ANN401 - a selection with so many columns has no type
    """Return the query of records of a source: of all, or of those with some numbers."""
    table = schema.record
    more = ["page_id", "wrapper_version", "origin"] if origin else []
    stored = [type_coerce(table.c[name], SqlText) for name in _AS_STORED]
    numbers, others = ([table.c[name] for name in names] for names in (_NUMBERS, more))
    query = select(table.c.id, *stored, *numbers, schema.address.c.seen_run, *others).outerjoin(schema.address)
    # The sum keeps a database from gathering all records by their source and sorting them, for every batch again.
    query = query.where(table.c.source_id + 0 == bindparam("source"))
    if only_present:
        query = query.where(table.c.gone_run.is_(None))
    if picked:
        query = query.where(table.c.id.in_(bindparam("numbers", expanding=True)))
    return query.order_by(table.c.id)


class Rows:
    """The records of a source, read in one transaction."""

    def __init__(self, connection: Connection, source: SourceRow, wanted: Wanted = _AS_IS) -> None:
        """Look up what all of them have in common."""
        self.source, self.wanted = source, wanted
        self._connection = connection
        self.fields = list_fields(connection, source.id)
        self.labels = {field.id: field.label for field in self.fields}
        self.has_parts = len((source.settings.get("read") or {}).get("key") or ()) > 1
        self._runs = {row.id: row for row in connection.execute(_RUNS, {"source": source.id})}
        self._started = {number: shown(row.started_at) for number, row in self._runs.items()}

    def count(self) -> int:
        """Return how many records there are at most, for a bar that shows how far one is."""
        table = schema.record
        chosen = select(func.count()).where(table.c.source_id == self.source.id)
        only = self.wanted.at is None and not self.wanted.gone
        return int(self._connection.execute(chosen.where(table.c.gone_run.is_(None)) if only else chosen).scalar_one())

    def __iter__(self) -> Iterator[Record]:
        """Yield the records in the order in which they were added."""
        last = -1
        query = self._query().where(schema.record.c.id > bindparam("last")).limit(A_BATCH)
        while rows := self._connection.execute(query, {"source": self.source.id, "last": last}).all():
            last = rows[-1].id
            yield from self._read(rows)

    def pick(self, numbers: Collection[int]) -> Iterator[Record]:
        """Yield the records with some numbers, in the same order."""
        for batch in in_batches(sorted(numbers), A_BATCH):
            wanted = {"source": self.source.id, "numbers": batch}
            yield from self._read(self._connection.execute(self._query(picked=True), wanted).all())

    def _query(self, *, picked: bool = False) -> Any:  # noqa: ANN401 - a selection with so many columns has no type
        only_present = self.wanted.at is None and not self.wanted.gone
        return _records(only_present=only_present, origin=self.wanted.origin, picked=picked)

    def _read(self, rows: Sequence[AnyRow]) -> Iterator[Record]:
        at = self.wanted.at
        past = None if at is None else _Past(self._connection, rows, at)
        origins = Origins(self._connection, rows, at) if self.wanted.origin else None
        labels, names = [*self.labels.values()], [*map(str, self.labels)]
        pairs, source, started = [*zip(names, labels, strict=True)], self.source.name, self._started
        for row in rows:
            # Taken apart at once: an export asks for millions of these.
            number, key, url, stored, said, lacking, first, last, gone, seen = row[:_COLUMNS]
            texts, typed = load(stored), load(said) if said else {}
            state, run = _state(gone is not None), max(last, seen or 0)
            if past is not None:
                if (undone := past.undo(row, texts)) is None:
                    continue
                now, (texts, state) = texts, undone
                typed = {name: value for name, value in typed.items() if texts.get(name) == now.get(name)}
                run = self._last_seen(past, row, run, state)
            if state == "gone" and not self.wanted.gone:
                continue
            yield Record(
                number,
                source,
                self.key_of(unescape(key)) if self.has_parts else unescape(key),
                None if url is None else unescape(url),
                state,
                started.get(first),
                started.get(run),
                run,
                dict(zip(labels, map(texts.get, names), strict=True)),
                {label: typed[name] for name, label in pairs if name in typed} if typed else {},
                [self.labels[each] for each in load(lacking)] if lacking and at is None else [],
                None if origins is None else origins.of(row, self.labels, texts),
            )

    def key_of(self, text: str) -> Key:
        """Return a key as people know it: several labels that make one are stored as a JSON array."""
        if self.has_parts and text.startswith("["):
            try:
                parts = orjson.loads(text)
            except ValueError:
                return text
            return [str(part) for part in parts] if isinstance(parts, list) else text
        return text

    def _last_seen(self, past: _Past, row: AnyRow, run: int, state: Presence) -> int:
        """Return the latest run until the point that surely saw a record."""
        at, known = past.at, self._runs.get(run)
        if known is not None and at.includes(run, known.started_at):
            return run
        last = bisect_left(self._whole, past.removed.get(row.id, 0)) if state == "gone" else len(self._whole)
        return int(max([past.seen.get(row.id, row.first_run), *self._whole[:last][-1:]]))

    @cached_property
    def _whole(self) -> list[int]:
        """The whole runs that had ended at the point."""
        at = self.wanted.at
        ended = [row for row in self._runs.values() if row.state == "whole" and row.ended_at]
        return [row.id for row in ended if at is None or at.includes(row.id, row.ended_at)]


def _state(is_gone: bool) -> Presence:  # noqa: FBT001 - of this module
    return "gone" if is_gone else "present"


class _Past:
    """What some records were at a point."""

    def __init__(self, connection: Connection, rows: Sequence[AnyRow], at: Point) -> None:
        self.at = at
        table = schema.change
        later = select(*(table.c[name] for name in ("record_id", "kind", "field_id", "old"))).where(at.after)
        sightings = func.max(case((table.c.kind != "removed", table.c.run_id)))
        removals = func.max(case((table.c.kind == "removed", table.c.run_id)))
        earlier = select(table.c.record_id, sightings, removals).where(at.before).group_by(table.c.record_id)
        self._later: dict[int, list[AnyRow]] = {}
        self.seen: dict[int, int] = {}
        """The last run that brought something of a record."""
        self.removed: dict[int, int] = {}
        """The last run that removed it."""
        for numbers in in_batches(row.id for row in rows):
            mine = table.c.record_id.in_(numbers)
            for change in connection.execute(later.where(mine).order_by(table.c.id.desc())):
                self._later.setdefault(change.record_id, []).append(change)
            for number, seen, removed in connection.execute(earlier.where(mine)):
                self.seen[number], self.removed[number] = seen or 0, removed or 0

    def undo(self, row: AnyRow, now: Mapping[str, Any]) -> tuple[Mapping[str, Any], Presence] | None:
        """Return the texts and the state that a record had before ``now``; None where there was no such record yet."""
        texts, is_gone = dict(now), row.gone_run is not None
        for change in self._later.get(row.id, ()):
            if change.kind == "added":
                return None
            if change.kind != "changed":
                is_gone = change.kind == "returned"
            elif change.old is None:
                texts.pop(str(change.field_id), None)
            else:
                texts[str(change.field_id)] = change.old
        return texts, _state(is_gone)
