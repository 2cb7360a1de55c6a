"""Collections: several sources under common labels. What has the same key is one row, with every source's own values.

Values are shown in the order of the sources; where sources disagree, that is said. What is merely alike is proposed as
a pair for a person to look at, and merged only where a person said that it is one thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sqlalchemy import delete, insert, select, update

from windrow.errors import UsageError
from windrow.store import schema
from windrow.store.batches import in_batches
from windrow.store.matching import normalise
from windrow.store.rows import Rows, Wanted
from windrow.store.sources import get_source
from windrow.store.text import digest, dump
from windrow.store.verdicts import Side, list_verdicts, side_of
from windrow.store.views import drop_collection_view
from windrow.value.reading import Conventions, read_value

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from windrow.store.rows import Key, Record
    from windrow.store.sightings import Texts

A_BATCH = 200
"""How many rows are merged together."""
Match: TypeAlias = Literal["normalised", "exact"]
_AS_IS = Wanted()
WAYS = (Conventions(), Conventions("."), Conventions(","))
"""How figures are written, which differs from country to country."""
OWN = ("url", "key")
"""What every record has beside its values, so that a label can be mapped to it."""


@dataclass(frozen=True, kw_only=True)
class Collection:
    """A common schema, and what the sources call its labels."""

    name: str
    key: Sequence[str]
    """The labels that say which records of different sources are the same thing."""
    match: Match = "normalised"
    likeness: float | None = None
    """From which likeness on two rows are proposed as one thing, from 0 to 1."""
    compare: Sequence[str] = ()
    """The labels that likeness is seen from; without any, the key's."""
    types: Mapping[str, str] = field(default_factory=dict)
    """What the values of labels are, where somebody said it."""
    sources: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For each source, by the label of the collection, the source's own; the first source's values are shown first."""

    @property
    def labels(self) -> list[str]:
        """All labels of the collection, the key's first."""
        mapped = (label for labels in self.sources.values() for label in labels)
        return list(dict.fromkeys([*self.key, *mapped]))


@dataclass(frozen=True)
class Merged:
    """One thing, as the sources of a collection have it."""

    collection: str
    key: Key | None
    """As the first source writes it; None where a label of it is missing, so that nothing can be the same."""
    values: dict[str, Texts | None]
    """By label, those of the first source that has one."""
    shown_from: dict[str, str]
    """By label, the source of the value that is shown."""
    sources: dict[str, dict[str, Texts | None]]
    """By source, all of its values."""
    records: dict[str, Key]
    """By source, the key of its record."""
    conflicts: list[str]
    """The labels that sources disagree in."""
    confirmed: bool = False
    """Whether a person said that some of its records are one thing, which have different keys."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON can hold it; that it was confirmed only where it was."""
        about = {"from" if name == "shown_from" else name: value for name, value in asdict(self).items()}
        return {name: value for name, value in about.items() if name != "confirmed" or value}


def list_collections(connection: Connection) -> list[Collection]:
    """Return all collections, by name."""
    table = schema.collection
    return [_read(row) for row in connection.execute(select(table.c.settings).order_by(table.c.name)).scalars()]


def get_collection(connection: Connection, name: str) -> Collection:
    """Return a collection by its name; ``UsageError`` where there is none."""
    table = schema.collection
    row = connection.execute(select(table.c.settings).where(table.c.name == name)).scalar()
    if row is not None:
        return _read(row)
    names = [each.name for each in list_collections(connection)]
    known = f"there are: {', '.join(names)}" if names else "there is none yet; write one as TOML and import it"
    raise UsageError(f"There is no collection {name!r}; {known}.")


def save_collection(connection: Connection, collection: Collection) -> None:
    """Add a collection, or give it another schema."""
    if not collection.key:
        raise UsageError(f"The collection {collection.name} needs a key: the labels that tell its things apart.")
    table, plain = schema.collection, asdict(collection)
    change = update(table).where(table.c.name == collection.name).values(settings=plain)
    if not connection.execute(change).rowcount:
        connection.execute(insert(table).values(name=collection.name, settings=plain))


def remove_collection(connection: Connection, name: str) -> None:
    """Remove a collection; the records of its sources stay."""
    get_collection(connection, name)
    number = connection.execute(select(schema.collection.c.id).where(schema.collection.c.name == name)).scalar_one()
    drop_collection_view(connection, number)
    connection.execute(delete(schema.member).where(schema.member.c.collection_id == number))
    connection.execute(delete(schema.collection).where(schema.collection.c.name == name))
    connection.execute(delete(schema.verdict).where(schema.verdict.c.collection == name))


def _read(plain: Mapping[str, Any]) -> Collection:
    return Collection(**plain)


class Gathering:
    """The rows of a collection, read in one transaction."""

    def __init__(self, connection: Connection, collection: Collection, wanted: Wanted = _AS_IS) -> None:
        """Find out which records of the sources belong together; what is kept of each is a number."""
        self.collection = collection
        self._sources = {name: Rows(connection, get_source(connection, name), wanted) for name in collection.sources}
        self.verdicts = list_verdicts(connection, collection.name)
        self._confirmed = set[int]()
        self.groups = self._group()
        """The records of each row, by source and number."""

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.groups)

    def __iter__(self) -> Iterator[Merged]:
        """Yield the rows in the order of the first source, then what only later ones have."""
        for groups in in_batches(self.groups, A_BATCH):
            records: dict[tuple[str, int], Record] = {}
            for name, rows in self._sources.items():
                numbers = [number for group in groups for source, number in group if source == name]
                records |= {(name, each.id): each for each in rows.pick(numbers)}
            for group in groups:
                merged = self._merge([records[member] for member in group])
                yield replace(merged, confirmed=True) if group[0][1] in self._confirmed else merged

    def _group(self) -> list[list[tuple[str, int]]]:
        """Return the records of each row; a source's second record with one key has a row of its own."""
        groups: list[list[tuple[str, int]]] = []
        known: dict[bytes, int] = {}
        judged = {side for pair in self.verdicts.same for side in pair}
        places: dict[Side, int] = {}
        for name, rows in self._sources.items():
            taken = set[int]()
            for record in rows:
                identity = self._identity(record)
                place = None if identity is None else known.get(identity)
                if place is None or place in taken:
                    place = len(groups)
                    groups.append([])
                    if identity is not None:
                        known.setdefault(identity, place)
                groups[place].append((name, record.id))
                taken.add(place)
                if judged and (side := side_of(name, record.key)) in judged:
                    places[side] = place
        self._join(groups, places)
        return [group for group in groups if group]

    def _join(self, groups: list[list[tuple[str, int]]], places: dict[Side, int]) -> None:
        """Join the rows whose records a person said are one thing, unless a source has both."""
        for one, other in self.verdicts.same:
            first, second = places.get(one), places.get(other)
            if first is None or second is None or first == second:
                continue
            first, second = min(first, second), max(first, second)
            if {source for source, _ in groups[first]} & {source for source, _ in groups[second]}:
                continue
            groups[first] += groups[second]
            groups[second] = []
            places.update({side: first for side, place in places.items() if place == second})
            self._confirmed.add(groups[first][0][1])

    def _identity(self, record: Record) -> bytes | None:
        values = self._mapped(record)
        texts = [values.get(label) for label in self.collection.key]
        if any(not text for text in texts):
            return None
        prepare = normalise if self.collection.match == "normalised" else _collapsed
        return digest(dump([prepare(_joined(text)) for text in texts]))

    def _mapped(self, record: Record) -> dict[str, Texts | None]:
        labels = self.collection.sources[record.source]
        # A source's key need not be one of its values.
        own = {"url": record.url, "key": record.key}
        return {label: record.values.get(name, own.get(name)) for label, name in labels.items()}

    def _meaning(self, record: Record, label: str, text: Texts) -> tuple[str, Any]:
        """Return what a text comes to: "29,00 €" and "29.00 €" are one amount, and "29 $" is another."""
        value, words = record.typed.get(self.collection.sources[record.source][label]), _joined(text)
        if isinstance(value, str):
            return "", value
        readings = (read_value(words, way) for way in WAYS) if isinstance(value, int | float) else ()
        unit = next((each.unit for each in readings if each.value == value), None)
        return (_collapsed(words), None) if unit is None else (unit, value)

    def _merge(self, records: Sequence[Record]) -> Merged:
        sources = {record.source: self._mapped(record) for record in records}
        values: dict[str, Texts | None] = dict.fromkeys(self.collection.labels)
        shown_from: dict[str, str] = {}
        conflicts = []
        for label in values:
            given = {name: text for name, mapped in sources.items() if (text := mapped.get(label)) is not None}
            if given:
                shown_from[label], values[label] = next(iter(given.items()))
            if label not in self.collection.key and len({_collapsed(_joined(text)) for text in given.values()}) > 1:
                meant = {self._meaning(each, label, given[each.source]) for each in records if each.source in given}
                conflicts += [label] if len(meant) > 1 else []
        texts = [values[label] for label in self.collection.key]
        parts = [_joined(text) for text in texts if text]
        key = None if len(parts) < len(texts) else parts[0] if len(parts) == 1 else parts
        keys = {record.source: record.key for record in records}
        return Merged(self.collection.name, key, values, shown_from, sources, keys, conflicts)


def _joined(text: Texts | None) -> str:
    return text if isinstance(text, str) else "\n".join(text or ())


def _collapsed(text: str) -> str:
    """Return a text whose white space says no more than that there is some; lines are values of their own."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines())
