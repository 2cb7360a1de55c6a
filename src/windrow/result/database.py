"""Files of SQLite's, and names that databases take for tables and columns."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from contextlib import closing
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.errors import SourceError
from windrow.result.export import LONE_SURROGATE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

LONGEST_NAME = 63
"""How many bytes of a name PostgreSQL looks at."""


def quoted(name: str) -> str:
    """Return an identifier as both databases quote it."""
    return '"' + name.replace('"', '""') + '"'


def free_column_name(label: str, taken: Iterable[str]) -> str:
    """Return a label as the name of a column: not too long, not empty, and unlike the others not only in case."""
    plain = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in label)
    stem = cut(" ".join(plain.split()), LONGEST_NAME) or "field"
    used, name, number = set(taken), stem, 1
    while name.casefold() in used:
        number += 1
        ending = f"_{number}"
        name = cut(stem, LONGEST_NAME - len(ending)) + ending
    return name


def cut(text: str, most: int) -> str:
    """Return the beginning of a text that has at most so many bytes."""
    return text.encode("utf-8")[:most].decode("utf-8", "ignore").rstrip()


Tables: TypeAlias = "Iterable[tuple[str, Sequence[str], Iterable[Sequence[Any]]]]"
"""Tables to write, each of a name, columns and rows."""


def write_tables(path: Path, tables: Tables) -> None:
    """Write a file of SQLite's with tables, as a whole or not at all."""
    begun = path.with_name(f".{path.name}.part")
    begun.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(begun, isolation_level=None)) as connection:
            _write_all(connection, tables)
        begun.replace(path)
    except (sqlite3.Error, OSError) as error:
        raise SourceError(f"{path} could not be written: {error}. Make room, or choose another place.") from None
    finally:
        begun.unlink(missing_ok=True)


def tables_to_bytes(tables: Tables) -> bytes:
    """Return a file of SQLite's with tables."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        try:
            _write_all(connection, tables)
        except sqlite3.Error as error:
            raise SourceError(f"The database could not be written: {error}. Write it as CSV instead.") from None
        return connection.serialize()


def _write_all(connection: sqlite3.Connection, tables: Tables) -> None:
    connection.execute("PRAGMA journal_mode = OFF")
    taken: list[str] = []
    for name, columns, rows in tables:
        table = free_column_name(name if not name.lower().startswith("sqlite_") else f"table {name}", taken)
        taken.append(table.casefold())
        _write_table(connection, table, columns, rows)


def _write_table(
    connection: sqlite3.Connection, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    names: list[str] = []
    for column in columns:
        names.append(free_column_name(column, {name.casefold() for name in names}))
    connection.execute(f"CREATE TABLE {quoted(table)} ({', '.join(map(quoted, names))})")
    connection.execute("BEGIN")
    places = ", ".join("?" * len(names))
    plain = ([_plain(cell) for cell in row] for row in rows)
    connection.executemany(f"INSERT INTO {quoted(table)} VALUES ({places})", plain)  # noqa: S608 - a quoted name
    connection.execute("COMMIT")


def _plain(cell: Any) -> Any:  # noqa: ANN401 - a text, several, a number, a date
    """Return what SQLite can hold: several values are a JSON array, dates are ISO 8601, durations are seconds."""
    if isinstance(cell, list | dict):
        cell = json.dumps(cell, ensure_ascii=False, default=_plain)
    if isinstance(cell, date | timedelta):
        return cell.isoformat() if isinstance(cell, date) else cell.total_seconds()
    return LONE_SURROGATE.sub("\ufffd", cell) if isinstance(cell, str) else cell
