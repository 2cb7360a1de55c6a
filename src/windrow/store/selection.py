"""Which records of a source are wanted, and in which order: by what their texts say, read in one pass over them.

Comparing texts by Unicode's rules and numbers as numbers is the same in every database where it is done here. What a
pass finds is a list of numbers, kept until something of the source changes, so that paging through it costs nothing.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import orjson
from sqlalchemy import Text as SqlText
from sqlalchemy import bindparam, select, type_coerce

from windrow.errors import LimitError, UsageError
from windrow.store import schema
from windrow.store.fields import list_fields
from windrow.store.text import MARKER, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.engine import Connection

    from windrow.store.batches import AnyRow
    from windrow.store.sources import SourceRow

Numbers: TypeAlias = "array[int]"
State: TypeAlias = Literal["present", "gone", "all"]
How: TypeAlias = Literal["is", "has", "lacks", "least", "most"]
LAST_SEEN = "@last_seen"
ABOUT = ("@key", "@first_seen", LAST_SEEN)
"""What records can be sorted by besides their labels."""
SECONDS = 20.0
"""How long a pass may take."""
AT_ONCE = 2_000
MOST_KEPT = 4_000_000
"""Numbers that are kept in mind, over all selections: eight bytes each."""


@dataclass(frozen=True)
class Filter:
    """What a value of a record has to be."""

    label: str
    how: How
    """Be a text, have a text in it, be missing, or be a number of at least or at most so much."""
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """Which records are wanted, and in which order."""

    search: str = ""
    """A text that the key or a value has to have in it, in capitals or not."""
    filters: tuple[Filter, ...] = ()
    """What has to hold, all of it."""
    sort: str = ""
    """A label, or one of ``ABOUT``; empty: in the order in which they were added."""
    descending: bool = False
    state: State = "present"

    @property
    def is_plain(self) -> bool:
        """Whether no text has to be looked at."""
        return not (self.search.strip() or self.filters or self.sort)


def state_condition(state: State) -> Sequence[ColumnElement[bool]]:
    """Return what holds of the records in a state."""
    gone = schema.record.c.gone_run
    return [] if state == "all" else [gone.is_(None) if state == "present" else gone.is_not(None)]


class Selections:
    """Numbers of records that were selected lately; those that were longest not asked for go first."""

    def __init__(self) -> None:
        """Know of none."""
        self._lock = threading.Lock()
        self._known: OrderedDict[object, Any] = OrderedDict()
        self._size = 0

    def find(self, key: object, make: Callable[[], Any], size: Callable[[Any], int] = len) -> Any:  # noqa: ANN401 - what is kept differs
        """Return what is known by a key, or make it."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        made = make()
        with self._lock:
            self._known[key] = made
            self._size += size(made)
            while self._size > MOST_KEPT and len(self._known) > 1:
                self._size -= size(self._known.popitem(last=False)[1])
        return made


# Made once: every page of records asks both.
_COUNTERS = select(schema.counter.c.name, schema.counter.c.next).order_by(schema.counter.c.name)
_LAST_RUN = (
    select(schema.run.c.id, type_coerce(schema.run.c.counts, SqlText), schema.run.c.ended_at)
    .where(schema.run.c.source_id == bindparam("source"))
    .order_by(schema.run.c.id.desc())
    .limit(1)
)
_selections = Selections()
"""Of this process; what is in it is true as long as its keys are."""


def remember(
    connection: Connection, source: SourceRow, about: object, make: Callable[[], Any], size: Callable[[Any], int] = len
) -> Any:  # noqa: ANN401 - what is kept differs
    """Return what was made before out of the same records, or make it."""
    key = connection.engine.url, source.id, source.version, _state_of_data(connection, source.id), about
    return _selections.find(key, make, size)


def _state_of_data(connection: Connection, source_id: int) -> tuple[object, ...]:
    """Return what is another whenever records of a source are: numbers that were given out, and how its run stands."""
    given = connection.execute(_COUNTERS).all()
    last = connection.execute(_LAST_RUN, {"source": source_id}).first()
    return tuple(map(tuple, given)), tuple(last or ())


def select_records(connection: Connection, source: SourceRow, chosen: Chosen) -> Numbers:
    """Return the numbers of the records that are wanted, in their order; ``LimitError`` where that takes too long."""
    found: Numbers = remember(connection, source, chosen, lambda: _select(connection, source, chosen))
    return found


def _select(connection: Connection, source: SourceRow, chosen: Chosen) -> Numbers:
    fields = {field.label: str(field.id) for field in list_fields(connection, source.id)}
    passes = _Passing(source.name, chosen, fields)
    sort = chosen.sort if chosen.sort in ABOUT else _field(source.name, fields, chosen.sort) if chosen.sort else ""
    order, seen = _Order(), _last_seen(connection, source) if sort == LAST_SEEN else None
    for row in scan(connection, source, chosen.state):
        texts = passes.look(row)
        if texts is not None:
            at = None if seen is None else max(row.last_run, seen.get(row.address_id, 0))
            order.add(row.id, at or _rank(row, texts, sort))
    return order.sorted(descending=chosen.descending)


def scan(connection: Connection, source: SourceRow, state: State) -> Iterator[AnyRow]:
    """Yield what is looked at of each record, with its texts and typed values as they are stored."""
    table, began = schema.record, time.monotonic()
    columns = [table.c.id, table.c.key, type_coerce(table.c.texts, SqlText), type_coerce(table.c.typed, SqlText)]
    columns += [table.c.first_run, table.c.last_run, table.c.address_id]
    # The sum keeps a database from jumping to each record by an index where all of them are read.
    query = select(*columns).where(table.c.source_id + 0 == source.id, *state_condition(state))
    result = connection.execution_options(yield_per=AT_ONCE).execute(query.order_by(table.c.id))
    for rows in result.partitions():
        if time.monotonic() - began > SECONDS:
            raise LimitError(
                f"Looking through all records of {source.name} takes longer than {SECONDS:g} seconds. "
                "Export them, and search what was exported."
            )
        yield from rows


def _last_seen(connection: Connection, source: SourceRow) -> dict[int, int]:
    """Return the run that saw each address of a source last."""
    table = schema.address
    chosen = select(table.c.id, table.c.seen_run).where(table.c.source_id == source.id, table.c.seen_run.is_not(None))
    return {row.id: row.seen_run for row in connection.execute(chosen)}


class _Passing:
    """Looks whether records pass."""

    def __init__(self, name: str, chosen: Chosen, fields: Mapping[str, str]) -> None:
        self._needle = " ".join(chosen.search.split()).casefold()
        self._in_json = orjson.dumps(self._needle)[1:-1].decode()
        self._filters = [(_field(name, fields, each.label), _test(each)) for each in chosen.filters]

    def look(self, row: AnyRow) -> Mapping[str, Any] | None:
        """Return the texts of a record that passes, by field; None where it does not."""
        raw: str = row.texts
        in_key = not self._needle or self._needle in row.key.casefold()
        if not in_key and self._in_json not in raw.casefold() and MARKER not in raw:
            return None  # most records end here, before anything is read out of them
        texts: Mapping[str, Any] = load(raw)
        if not in_key and not any(
            self._needle in text.casefold() for each in texts.values() for text in _several(each)
        ):
            return None
        if self._filters:
            typed = load(row.typed) if row.typed else {}
            if not all(test(texts.get(field), typed.get(field)) for field, test in self._filters):
                return None
        return texts


def _field(name: str, fields: Mapping[str, str], label: str) -> str:
    if label not in fields:
        known = f"there are: {', '.join(fields)}" if fields else "there is none yet"
        raise UsageError(f"{name} has no label {label!r}; {known}.")
    return fields[label]


def _test(wanted: Filter) -> Callable[[Any, Any], bool]:
    """Return a function of the texts and the typed value of a record."""
    if wanted.how == "lacks":
        return lambda texts, _: not texts
    if wanted.how in ("least", "most"):
        try:
            bound = float(wanted.text)
        except ValueError:
            raise UsageError(f"{wanted.text!r} is no number to compare {wanted.label} with. Write 12.5.") from None
        sign = 1 if wanted.how == "least" else -1
        return lambda _, typed: any(sign * value >= sign * bound for value in _numbers(typed))
    folded = wanted.text.casefold()
    if wanted.how == "has":
        return lambda texts, _: any(folded in text.casefold() for text in _several(texts))
    if wanted.how == "is":
        return lambda texts, _: wanted.text in _several(texts)
    raise UsageError(f"Values are not compared by {wanted.how!r}; they are by: is, has, lacks, least, most.")


def _several(texts: Any) -> Sequence[str]:  # noqa: ANN401 - a text, several, or none
    return () if texts is None else (texts,) if isinstance(texts, str) else texts


def _numbers(typed: Any) -> list[float]:  # noqa: ANN401 - whatever JSON can hold
    several = typed if isinstance(typed, list) else [typed]
    return [value for value in several if isinstance(value, int | float) and not isinstance(value, bool)]


def _rank(row: AnyRow, texts: Mapping[str, Any], sort: str) -> float | str | None:
    """Return what a record is sorted by: a number where there is one, else a text in small letters."""
    if sort in ("", "@first_seen"):
        return int(row.first_run if sort else row.id)
    if sort == "@key":
        return str(row.key).casefold()
    typed = load(row.typed).get(sort) if row.typed else None
    if numbers := _numbers(typed):
        return numbers[0]
    said = _several(typed if isinstance(typed, str) else texts.get(sort))
    return said[0].casefold() if said else None


class _Order:
    """Puts numbers before texts, and what has neither last, whichever way they are sorted."""

    def __init__(self) -> None:
        self._numbers: list[tuple[float, int]] = []
        self._texts: list[tuple[str, int]] = []
        self._without: list[int] = []

    def add(self, number: int, rank: float | str | None) -> None:
        if rank is None:
            self._without.append(number)
        elif isinstance(rank, str):
            self._texts.append((rank, number))
        else:
            self._numbers.append((rank, number))

    def sorted(self, *, descending: bool) -> Numbers:
        """Return the numbers of the records; of those with the same rank, the ones that came first stand first."""
        self._numbers.sort(key=lambda each: each[0], reverse=descending)
        self._texts.sort(key=lambda each: each[0], reverse=descending)
        ranked = [number for _, number in self._numbers] + [number for _, number in self._texts]
        return array("q", ranked + self._without)
