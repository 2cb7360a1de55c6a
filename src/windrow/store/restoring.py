"""Restoring a store from a copy that somebody hands us: looked at first, and what was there before is kept."""

from __future__ import annotations

import glob
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import inspect

from windrow.errors import BusyError, UsageError
from windrow.store import migration, schema
from windrow.store.engine import open_store
from windrow.store.runs import find_under_way, is_at_work
from windrow.store.sources import list_sources

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy.engine import Connection

    from windrow.store.engine import Store

MAGIC = b"SQLite format 3\x00"
NOT_A_STORE = (
    "That file is no backup of Windrow's. Choose one that was downloaded here, or made by `windrow store backup`."
)
KEPT = (schema.access, schema.preference)
"""Who may come in, and what was chosen here, is not what a copy decides."""


MOST_BEFORE = 3
"""Files with what was there before that are kept, the newest."""


def restore(store: Store, copy: Path, check: Callable[[Connection, Connection], None]) -> Path:
    """Put the content of a copy in the place of a store's, and return where what was there before is kept.

    ``check`` is given a connection to the copy and one to the store, and may refuse what the copy holds.
    """
    path = store.path
    if path is None:
        raise UsageError("A store in PostgreSQL is restored by pg_restore, not here.")
    check_copy(copy)
    _check_idle(store)
    with open_store(copy) as other, store.reading() as ours, other.writing() as theirs:
        _check_tables(theirs)
        try:
            check(theirs, ours)
        except (TypeError, ValueError):  # texts of the copy that are no JSON, or not of the shape that ours have
            raise UsageError(NOT_A_STORE) from None
        for table in KEPT:
            theirs.execute(table.delete())
            if rows := [dict(row._mapping) for row in ours.execute(table.select())]:  # noqa: SLF001 - of the library's face
                theirs.execute(table.insert(), rows)
    before = path.with_name(f"{path.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
    migration.copy_sqlite(path, before)
    with closing(sqlite3.connect(copy)) as new, closing(sqlite3.connect(path)) as old:
        new.backup(old)
    for old_copy in sorted(path.parent.glob(f"{glob.escape(path.name)}.before-*"))[:-MOST_BEFORE]:
        old_copy.unlink(missing_ok=True)
    return before


def _check_tables(connection: Connection) -> None:
    """Refuse a copy that lacks tables or columns of ours, whatever version it says it has."""
    found = inspect(connection)
    tables = {*found.get_table_names()}
    for table in schema.metadata.sorted_tables:
        columns = {each["name"] for each in found.get_columns(table.name)} if table.name in tables else set()
        if not {*table.columns.keys()} <= columns:
            raise UsageError(f"That backup lacks a part of the table {table.name}. Choose another one.")


def check_copy(copy: Path) -> None:
    """Refuse a file that is no store, is damaged, or holds what would act by itself."""
    with copy.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise UsageError(NOT_A_STORE)
    try:
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            kinds = dict(connection.execute("SELECT name, type FROM sqlite_master").fetchall())
            if "trigger" in kinds.values() or kinds.get(migration.VERSIONS) != "table":
                raise UsageError(NOT_A_STORE)
            if [row[0] for row in connection.execute("PRAGMA quick_check(1)")] != ["ok"]:
                raise UsageError("That backup is damaged. Choose another one.")
            (version,) = connection.execute(f"SELECT version_num FROM {migration.VERSIONS}").fetchone()  # noqa: S608 - a constant
    except (sqlite3.Error, TypeError):
        raise UsageError(NOT_A_STORE) from None
    if str(version) > schema.VERSION:
        raise UsageError(f"That backup was made by a newer Windrow (version {version}). Update Windrow first.")


def _check_idle(store: Store) -> None:
    with store.reading() as connection:
        for source in list_sources(connection):
            run = find_under_way(connection, source.id)
            if run is not None and is_at_work(run):
                raise BusyError(f"{source.name} is being read. Wait for the run to end, then restore.")
