"""Many rows at a time: numbers for them, and lists cut into what a statement can hold."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import bindparam, update
from sqlalchemy.dialects import postgresql, sqlite

from windrow.store.schema import PREFIX, counter
from windrow.store.statements import Statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Table
    from sqlalchemy.engine import Connection, Row

Item = TypeVar("Item")
AnyRow: TypeAlias = "Row[*tuple[Any, ...]]"

MOST_VALUES = 500
"""How many values one IN (…) holds."""


def in_batches(items: Iterable[Item], size: int = MOST_VALUES) -> Iterator[list[Item]]:
    """Yield the items, some at a time."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


_TAKE = Statement(
    update(counter)
    .where(counter.c.name == bindparam("table"))
    .values(next=counter.c.next + bindparam("count"))
    .returning(counter.c.next),
    "count",
    "table",
)


def take_numbers(connection: Connection, table: Table, count: int) -> range:
    """Return numbers for new rows of a table that nobody else is given."""
    name = table.name.removeprefix(PREFIX)
    taken = _TAKE.execute(connection, count, name).fetchall()
    if not taken:
        connection.execute(insert_or_ignore(connection, counter).values(name=name, next=1))
        taken = _TAKE.execute(connection, count, name).fetchall()
    [[following]] = taken
    return range(following - count, following)


def insert_or_ignore(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an insert that leaves a row alone that is there already."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing()
    return postgresql.insert(table).on_conflict_do_nothing()
