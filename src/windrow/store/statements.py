"""Statements that are run for every page, given to the driver as they are.

SQLAlchemy compiles them, once for each database; what it does besides whenever one is run costs more than most of them.
So values go in, and come out, in the database's own form: texts escaped, JSON as text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Insert, Select, Table, Update
    from sqlalchemy.engine import Connection, Dialect
    from sqlalchemy.engine.interfaces import DBAPICursor


class _Compiled(NamedTuple):
    text: str
    names: tuple[str, ...]
    """The parameters, in the order in which the text names them where it does so by their place alone."""
    fixed: dict[str, Any]
    """The values of those that nobody gives."""
    by_place: bool


class Statement:
    """A statement with named parameters."""

    def __init__(self, statement: Select[Any] | Insert | Update, *names: str) -> None:
        """Take a statement, and the names of the parameters in the order in which their values are given."""
        self._statement, self._names = statement, names
        self._compiled: dict[str, _Compiled] = {}

    def execute(self, connection: Connection, *values: Any) -> DBAPICursor:  # noqa: ANN401 - what a database can hold
        """Run it, and return the driver's cursor."""
        compiled = self._compile(connection.dialect)
        cursor = connection.connection.cursor()
        cursor.execute(compiled.text, self._parameters(compiled, values))
        return cursor

    def execute_many(self, connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
        """Run it for each of some rows of values."""
        compiled = self._compile(connection.dialect)
        parameters: Sequence[Any] = rows
        if not compiled.by_place or compiled.names != self._names:
            parameters = [self._parameters(compiled, row) for row in rows]
        if rows:
            connection.connection.cursor().executemany(compiled.text, parameters)

    def _compile(self, dialect: Dialect) -> _Compiled:
        found = self._compiled.get(dialect.name)
        if found is None:
            compiled = self._statement.compile(dialect=dialect)
            fixed = {name: value for name, value in compiled.params.items() if name not in self._names}
            names = tuple(compiled.positiontup or compiled.params)
            found = _Compiled(compiled.string, names, fixed, by_place=compiled.positiontup is not None)
            self._compiled[dialect.name] = found
        return found

    def _parameters(self, compiled: _Compiled, values: tuple[Any, ...]) -> Any:  # noqa: ANN401 - as the driver takes them
        if compiled.by_place and compiled.names == self._names:
            return values
        named = {**compiled.fixed, **dict(zip(self._names, values, strict=True))}
        return tuple(named[name] for name in compiled.names) if compiled.by_place else named


def select_in(
    connection: Connection, table: Table, columns: tuple[str, ...], source_id: int, values: Sequence[bytes]
) -> list[tuple[Any, ...]]:
    """Return columns of the rows of a source that are looked up by some keys."""
    text = _text_of_in(table.name, columns, len(values), connection.dialect.name)
    cursor = connection.connection.cursor()
    given = (source_id, *values) if connection.dialect.name == "sqlite" else (source_id, list(values))
    cursor.execute(text, given)
    return list(cursor.fetchall())


@lru_cache(maxsize=512)
def _text_of_in(table: str, columns: tuple[str, ...], count: int, dialect: str) -> str:
    chosen = f"SELECT {', '.join(columns)} FROM {table} WHERE source_id = "  # noqa: S608 - names of ours
    if dialect == "sqlite":
        return f"{chosen}? AND lookup IN ({', '.join('?' * count)})"
    return f"{chosen}%s AND lookup = ANY(%s)"
