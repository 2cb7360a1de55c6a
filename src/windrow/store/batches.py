"""Many rows at a time: inserts compiled once for each database, and lists cut into what a statement can hold."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import bindparam, insert, update
from sqlalchemy.dialects import postgresql, sqlite

from windrow.store.schema import PREFIX, counter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import Table
    from sqlalchemy.engine import Connection, Dialect, Row

Item = TypeVar("Item")
AnyRow: TypeAlias = "Row[*tuple[Any, ...]]"

MOST_VALUES = 500
"""How many values one IN (…) holds."""


@lru_cache(maxsize=64)
def _compiled(table: Table, columns: tuple[str, ...], dialect: Dialect) -> tuple[str, tuple[str, ...] | None]:
    statement = insert(table).values({name: bindparam(name) for name in columns})
    compiled = statement.compile(dialect=dialect, column_keys=list(columns))
    return compiled.string, tuple(compiled.positiontup) if compiled.positiontup else None


def insert_rows(
    connection: Connection, table: Table, columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows whose values are in the database's own form already, which spares a conversion for each of them."""
    if not rows:
        return
    statement, places = _compiled(table, columns, connection.dialect)
    if places == columns:
        connection.exec_driver_sql(statement, list(rows))
        return
    connection.exec_driver_sql(statement, [dict(zip(columns, row, strict=True)) for row in rows])


def in_batches(items: Iterable[Item], size: int = MOST_VALUES) -> Iterator[list[Item]]:
    """Yield the items, some at a time."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


_TAKE = (
    update(counter)
    .where(counter.c.name == bindparam("table"))
    .values(next=counter.c.next + bindparam("count"))
    .returning(counter.c.next)
)


def take_numbers(connection: Connection, table: Table, count: int) -> range:
    """Return numbers for new rows of a table that nobody else is given."""
    name = table.name.removeprefix(PREFIX)
    taken = connection.execute(_TAKE, {"table": name, "count": count}).scalar()
    if taken is None:
        connection.execute(insert_or_ignore(connection, counter).values(name=name, next=1))
        taken = connection.execute(_TAKE, {"table": name, "count": count}).scalar_one()
    return range(taken - count, taken)


def insert_or_ignore(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an insert that leaves a row alone that is there already."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing()
    return postgresql.insert(table).on_conflict_do_nothing()
