"""Opening a store: one URL for SQLite or PostgreSQL, its transactions, and its errors as sentences."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import sqlalchemy
from sqlalchemy import event
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from windrow.errors import LockedError, StoreError, UsageError
from windrow.store import migration

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from types import TracebackType

    from sqlalchemy.engine import URL, Connection, Engine

DEFAULT = "windrow.db"
"""The store that is used where nobody names one."""
BUSY_SECONDS = 60.0
"""How long a transaction of SQLite waits for another process's."""
_READING = "windrow_reading"
_PASSWORD = re.compile(r"(//[^:/@\s]*):[^@\s]*@")


@dataclass(frozen=True, eq=False)
class Store:
    """An open store; its transactions may be begun by several threads."""

    engine: Engine
    name: str
    """What it is called in sentences: a file, or an address without its password."""

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file of SQLite's."""
        return self.engine.dialect.name == "sqlite"

    @property
    def path(self) -> Path | None:
        """The file of SQLite's."""
        return Path(self.engine.url.database) if self.is_sqlite and self.engine.url.database else None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Begin a transaction that writes; it holds as a whole or not at all."""
        with explained(self.name, self.engine), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Begin a transaction that sees one state of the store, whatever others write meanwhile."""
        with explained(self.name, self.engine), self.engine.connect() as connection:
            options = {_READING: True} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
            shared = connection.execution_options(**options)
            with shared.begin():
                yield shared

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        """Use it until the block ends."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()


def open_store(where: str | Path = DEFAULT, *, make: bool = True) -> Store:
    """Open a store by its file or address; it is made where there is none, and brought up where it is an older one."""
    url = _to_url(where)
    shown = _shown(url)
    if url.get_backend_name() == "sqlite" and not make and not Path(url.database or "").exists():
        raise StoreError(f"There is no store {shown}. Check --store, or begin one with `windrow source add`.")
    with explained(shown):
        store = Store(_engine(url), shown)
        try:
            migration.bring_up(store)
        except BaseException:
            store.close()
            raise
    return store


def _to_url(where: str | Path) -> URL:
    text = str(where)
    if "://" not in text:
        return sqlalchemy.URL.create("sqlite", database=str(Path(text).absolute()))
    if re.match(r"postgres(ql)?://", text):
        text = "postgresql+psycopg://" + text.partition("://")[2]
    try:
        url = sqlalchemy.make_url(text)
    except (ArgumentError, ValueError):  # the latter where the port is no number
        url = None
    if url is None or url.get_backend_name() not in {"sqlite", "postgresql"}:
        raise UsageError(
            "The store is a file, sqlite:///FILE or postgresql://USER@HOST/DATABASE; other databases are not supported."
        )
    if url.get_backend_name() == "sqlite" and not url.database:
        raise UsageError("A store in memory would be lost. Name a file.")
    return url


def _shown(url: URL) -> str:
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql", query={}).render_as_string(hide_password=True)


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        try:
            return sqlalchemy.create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 10})
        except (ModuleNotFoundError, NoSuchModuleError):
            raise UsageError(
                "PostgreSQL needs a driver that is not installed. Install it: pip install 'windrow[postgresql]'."
            ) from None
    folder = Path(url.database or "").parent
    if not folder.is_dir():
        raise StoreError(f"There is no folder {folder} for the store. Make it, or name another place.")
    engine = sqlalchemy.create_engine(url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _: object) -> None:
    # Python's own transactions begin too late: one that reads and then writes would fail where two processes meet.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA cache_size = -32000")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    is_reading = connection.get_execution_options().get(_READING, False)
    connection.exec_driver_sql("BEGIN" if is_reading else "BEGIN IMMEDIATE")


@contextmanager
def explained(name: str, engine: Engine | None = None) -> Iterator[None]:
    """Turn what a database complains about, or the driver of an engine's, into a sentence."""
    try:
        yield
    except DBAPIError as error:
        raise _sentence(error.orig, name) from error
    except Exception as error:
        if engine is None or not isinstance(error, engine.dialect.loaded_dbapi.Error):
            raise
        raise _sentence(error, name) from error


def _sentence(cause: Any, name: str) -> StoreError:  # noqa: ANN401, PLR0911 - the driver's error; one for each cause
    said = _PASSWORD.sub(r"\1:***@", " ".join(str(cause).split()))
    code = getattr(cause, "sqlite_errorname", "") or ""
    state = getattr(cause, "sqlstate", "") or ""
    after = "What was stored before is safe; run the same command again afterwards."
    if code == "SQLITE_FULL" or code.startswith("SQLITE_IOERR") or state in {"53100", "58030"}:
        return StoreError(
            f"The store {name} could not be written: no room is left, or the disk failed ({said}). {after}"
        )
    if code in {"SQLITE_NOTADB", "SQLITE_CORRUPT"}:
        return StoreError(f"The file {name} is not a store of Windrow's, or it is damaged ({said}). Restore a backup.")
    if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return StoreError(
            f"The store {name} can't be opened for writing ({said}). Check who owns the file and its folder."
        )
    if code.startswith("SQLITE_BUSY"):
        return LockedError(f"The store {name} was busy for {BUSY_SECONDS:g} seconds. {after}")
    if state == "55P03":
        return LockedError(f"The store {name} is being read by others, and could not be changed meanwhile. {after}")
    if state.startswith(("28", "3D", "42501")):
        return StoreError(
            f"The store {name} does not let us in ({said}). Check the user, the password and the database."
        )
    return StoreError(f"The store {name} failed: {said}. {after}")
