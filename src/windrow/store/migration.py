"""Bringing a store up to the newest version of its tables, after a copy of it was kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from windrow.errors import StoreError
from windrow.store.schema import PREFIX, VERSION, metadata

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.engine import Connection

    from windrow.store.engine import Store

VERSIONS = f"{PREFIX}version"
"""The table that says which version a store has; Alembic keeps it."""
SCRIPTS = "windrow.store:migrations"
LOCK = 0x57494E44
"""The number by which processes that would make or migrate the same tables of PostgreSQL's wait for each other."""


def bring_up(store: Store, target: str = VERSION, scripts: str = SCRIPTS) -> None:
    """Make the tables of an empty store; migrate an older one; refuse a newer one."""
    with store.reading() as connection:
        found = version_of(connection)
    if found == target:
        return
    with store.writing() as connection:
        if not store.is_sqlite:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
        found = version_of(connection)  # another process may have been first
        if found is None:
            metadata.create_all(connection)
            connection.execute(text(f"CREATE TABLE {VERSIONS} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
            connection.execute(text(f"INSERT INTO {VERSIONS} VALUES (:version)"), {"version": VERSION})  # noqa: S608 - a constant
        elif found > target:
            raise StoreError(
                f"The store {store.name} was written by a newer Windrow (version {found}, this one knows {target}). "
                "Update Windrow; the store was not touched."
            )
        elif found < target:
            # What others write has to wait, so that the copy is what the migration begins with.
            keep_copy(store, connection, found)
            _migrate(connection, target, scripts)


def version_of(connection: Connection) -> str | None:
    """Return the version of a store's tables; None where it has none."""
    if not inspect(connection).has_table(VERSIONS):
        return None
    found = connection.execute(text(f"SELECT version_num FROM {VERSIONS}")).scalar()  # noqa: S608 - a constant
    return None if found is None else str(found)


def keep_copy(store: Store, connection: Connection, version: str) -> str:
    """Keep a copy of a store as it is, and return where: a file beside it, or a schema in PostgreSQL."""
    if (path := store.path) is not None:
        copy = path.with_name(f"{path.name}.version-{version}")
        copy_sqlite(path, copy)
        return str(copy)
    schema = f"{PREFIX}before_{version}"
    connection.execute(text(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE'))
    connection.execute(text(f'CREATE SCHEMA "{schema}"'))
    for name in inspect(connection).get_table_names():
        if name.startswith(PREFIX):
            connection.execute(text(f'CREATE TABLE "{schema}"."{name}" AS TABLE "{name}"'))
    return schema


def copy_sqlite(path: Path, copy: Path) -> None:
    """Copy a file of SQLite's while others may write to it; it takes its place under its name when it is complete."""
    begun = copy.with_name(f"{copy.name}.part")
    begun.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(begun)) as new:
            old.backup(new)
        begun.replace(copy)
    except (sqlite3.Error, OSError) as error:
        begun.unlink(missing_ok=True)
        raise StoreError(f"The copy {copy} could not be written: {error}. Make room, or write elsewhere.") from None


def _migrate(connection: Connection, target: str, scripts: str) -> None:
    from alembic import command  # noqa: PLC0415 - takes a second, which only an older store pays
    from alembic.config import Config  # noqa: PLC0415 - as above

    config = Config()
    config.set_main_option("script_location", scripts)
    config.attributes["connection"] = connection
    command.upgrade(config, target)
