"""Records a page at a time: searched, filtered, sorted, forth and back, as quickly on the last page as on the first.

In the order in which records were added, a page is found by the number of the record before or after it; in any other
order, by its place in the selection, which is kept in mind while the records stay as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Integer, bindparam, func, select

from windrow.errors import UsageError
from windrow.store import schema
from windrow.store.batches import in_batches
from windrow.store.fields import list_fields
from windrow.store.rows import Rows, Wanted
from windrow.store.selection import Chosen, remember, select_records, state_condition

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Select
    from sqlalchemy.engine import Connection

    from windrow.store.fields import FieldRow
    from windrow.store.rows import Record
    from windrow.store.selection import Numbers, State
    from windrow.store.sources import SourceRow

MOST_AT_ONCE = 1_000
"""Records that a page may have."""
_CURSOR = re.compile(r"(after|before)-([0-9]{1,18})-([0-9]{1,18})|last|")


@dataclass(frozen=True, kw_only=True)
class Asked(Chosen):
    """Which page of which records somebody asks for."""

    cursor: str = ""
    """Where the page is, as a page before it said; empty: the first; ``last``."""
    limit: int = 50

    @property
    def chosen(self) -> Chosen:
        """The selection without the page of it that is asked for, so that all of its pages share it."""
        names = ("search", "filters", "sort", "descending", "state")
        return Chosen(**{name: getattr(self, name) for name in names})


@dataclass(frozen=True)
class Found:
    """A page of records."""

    records: list[Record]
    fields: list[FieldRow]
    total: int
    """How many records there are on all pages."""
    first: int
    """The place of the first record of this page among them, from 1 on; 0 where there is none."""
    next: str | None
    """The cursor of the next page."""
    previous: str | None
    last: str | None
    """The cursor of the last page, where this one is not it."""


@dataclass(frozen=True)
class _Part:
    numbers: Sequence[int]
    start: int
    """How many records stand before it."""
    total: int
    has_previous: bool
    has_next: bool


def browse(connection: Connection, source: SourceRow, asked: Asked) -> Found:
    """Return a page of the records of a source."""
    if not 1 <= asked.limit <= MOST_AT_ONCE:
        raise UsageError(f"A page can't have {asked.limit} records. Ask for 1 to {MOST_AT_ONCE:,} of them.")
    rows = Rows(connection, source, Wanted(gone=asked.state != "present"))
    part = _plain_part(connection, source, asked) if asked.is_plain else _chosen_part(connection, source, asked)
    numbers, end = part.numbers, part.start + len(part.numbers)
    return Found(
        _pick(rows, numbers),
        rows.fields,
        part.total,
        part.start + 1 if numbers else 0,
        next=f"after-{numbers[-1]}-{end - 1}" if numbers and part.has_next else None,
        previous=f"before-{numbers[0]}-{part.start}" if numbers and part.has_previous else None,
        last="last" if part.has_next else None,
    )


class Selected:
    """All records that are wanted, read anew for each pass over them, in one transaction."""

    def __init__(self, connection: Connection, source: SourceRow, chosen: Chosen) -> None:
        """Look up the fields."""
        self._connection, self.source, self._chosen = connection, source, chosen
        self.fields = list_fields(connection, source.id)

    def __iter__(self) -> Iterator[Record]:
        """Yield the records in their order."""
        chosen = self._chosen
        rows = Rows(self._connection, self.source, Wanted(gone=chosen.state != "present"))
        if chosen.is_plain and not chosen.descending:
            yield from (record for record in rows if record.state == "gone") if chosen.state == "gone" else rows
            return
        for numbers in in_batches(select_records(self._connection, self.source, chosen)):
            yield from _pick(rows, numbers)


def count(connection: Connection, source: SourceRow, chosen: Chosen) -> int:
    """Return how many records are wanted."""
    if not chosen.is_plain:
        return len(select_records(connection, source, chosen))
    about = "count", chosen.state
    return int(remember(connection, source, about, lambda: _count(connection, source, chosen.state), lambda _: 1))


def _count(connection: Connection, source: SourceRow, state: State) -> int:
    wanted = select(func.count()).where(schema.record.c.source_id == source.id, *state_condition(state))
    return int(connection.execute(wanted).scalar_one())


def _pick(rows: Rows, numbers: Sequence[int]) -> list[Record]:
    found = {record.id: record for record in rows.pick(numbers)}
    return [found[number] for number in numbers if number in found]


def _read_cursor(cursor: str) -> tuple[str, int, int]:
    """Return the way that a cursor names, the record that it begins at, and the place of that."""
    match = _CURSOR.fullmatch(cursor)
    if match is None:
        raise UsageError(f"{cursor!r} is no cursor. Take those that pages of records give, or none.")
    return (cursor, 0, 0) if match[1] is None else (match[1], int(match[2]), int(match[3]))


def _chosen_part(connection: Connection, source: SourceRow, asked: Asked) -> _Part:
    """Return a page of a selection, by the place of a record in it."""
    numbers = select_records(connection, source, asked.chosen)
    way, number, place = _read_cursor(asked.cursor)
    start, total = 0, len(numbers)
    if way == "last" and total:
        start = (total - 1) // asked.limit * asked.limit
    elif way in ("after", "before"):
        at = _place_of(numbers, number, place)
        # A record that is no longer wanted leaves its place to the one behind it.
        found = min(place, total) if at is None else at
        start = found + (at is not None) if way == "after" else max(0, found - asked.limit)
    end = start + asked.limit
    return _Part(numbers[start:end].tolist(), start, total, has_previous=start > 0, has_next=end < total)


def _place_of(numbers: Numbers, number: int, place: int) -> int | None:
    """Return where a record stands, most often where it stood before; None where it is not there."""
    if place < len(numbers) and numbers[place] == number:
        return place
    try:
        return numbers.index(number)
    except ValueError:
        return None


def _plain_part(connection: Connection, source: SourceRow, asked: Asked) -> _Part:
    """Return a page of the records in the order in which they were added, or in that turned around.

    One record more than the page has tells whether there are others; how many stand before it is what the cursor says.
    """
    way, number, place = _read_cursor(asked.cursor)
    total, limit = count(connection, source, asked), asked.limit
    if way == "last":
        limit = total % limit or limit
    from_end = way in ("before", "last")
    numbers = _numbers(connection, source, asked, _Bound(number or None, limit + 1, from_end))
    if way == "before" and len(numbers) < limit:
        # Too near to the beginning for a whole page before it.
        way, from_end, numbers = "", False, _numbers(connection, source, asked, _Bound(None, limit + 1))
    has_more, numbers = len(numbers) > limit, numbers[:limit]
    if from_end:
        numbers.reverse()
    begins = {"after": place + 1, "before": place - len(numbers)}.get(way, total - len(numbers) if from_end else 0)
    start = max(0, min(begins, total - len(numbers)))
    has_previous, has_next = (has_more, way == "before") if from_end else (way == "after", has_more)
    return _Part(numbers, start, total, has_previous=has_previous, has_next=has_next)


@dataclass(frozen=True)
class _Bound:
    """A record from which on others are read, how many of them, and whether towards the beginning."""

    number: int | None
    limit: int
    back: bool = False


def _numbers(connection: Connection, source: SourceRow, chosen: Chosen, bound: _Bound) -> list[int]:
    """Return the numbers of the records next to a bound, nearest first."""
    found, up = list[int](), chosen.descending == bound.back
    wanted = {"source": source.id, "number": bound.number, "most": bound.limit}
    if bound.number is None:
        wanted.pop("number")
    # Those that are there stand in an index by their number; those that are gone, by the run that missed them.
    states: tuple[State, ...] = ("present", "gone") if chosen.state == "all" else (chosen.state,)
    for state in states:
        found += connection.execute(_next_to(state, up=up, bound=bound.number is not None), wanted).scalars()
    return sorted(found, reverse=not up)[: bound.limit]


@cache
def _next_to(state: State, *, up: bool, bound: bool) -> Select[int]:
    """Return the query of the numbers next to a bound, made once."""
    number = schema.record.c.id
    wanted = select(number).where(schema.record.c.source_id == bindparam("source"), *state_condition(state))
    if bound:
        wanted = wanted.where(number > bindparam("number") if up else number < bindparam("number"))
    return wanted.order_by(number if up else number.desc()).limit(bindparam("most", type_=Integer))
