"""Looking after a store: whether its rules hold, how large it is, throwing away what nobody needs, and a copy of it."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, delete, func, not_, or_, select, union

from windrow.errors import StoreError, UsageError
from windrow.store import schema
from windrow.store.batches import in_batches
from windrow.store.engine import explained
from windrow.store.migration import copy_sqlite, version_of
from windrow.store.rules import find_faults

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.engine import Connection

    from windrow.store.engine import Store

DUMP = "pg_dump"


@dataclass(frozen=True)
class Info:
    """What people want to know of a store."""

    store: str
    database: str
    version: str | None
    bytes: int
    counts: dict[str, int]
    """How many rows the tables have that people know of."""


COUNTED = {
    "sources": schema.source,
    "collections": schema.collection,
    "runs": schema.run,
    "addresses": schema.address,
    "pages": schema.page,
    "kept pages": schema.body,
    "records": schema.record,
    "changes": schema.change,
    "warnings": schema.warning,
}


def check(store: Store) -> list[str]:
    """Return what is wrong with a store, a sentence each."""
    with store.reading() as connection:
        return [*_broken_file(connection), *find_faults(connection)] if store.is_sqlite else find_faults(connection)


def _broken_file(connection: Connection) -> list[str]:
    """Return what SQLite itself finds in its file."""
    found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check")]
    faults = [f"The file is damaged: {said}." for said in found if said != "ok"]
    for table, row, target, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        faults.append(f"Row {row} of {table} names a row of {target} that there is not.")
    return faults


def describe(store: Store) -> Info:
    """Return what people want to know of a store."""
    with store.reading() as connection:
        counts = {
            name: int(connection.execute(select(func.count()).select_from(table)).scalar_one())
            for name, table in COUNTED.items()
        }
        return Info(store.name, store.engine.dialect.name, version_of(connection), _size(store, connection), counts)


def _size(store: Store, connection: Connection) -> int:
    if store.path is None:
        return int(connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one())
    parts = (store.path.with_name(store.path.name + ending) for ending in ("", "-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())


@dataclass(frozen=True)
class Cleaned:
    """What was thrown away."""

    pages: int
    spots: int
    bodies: int
    addresses: int
    bytes: int


def clean(store: Store) -> Cleaned:
    """Throw away what nobody refers to: rows of pages, places on them, kept pages of addresses that are no more."""
    with store.writing() as connection:
        before = _size(store, connection)
        pages = _clean_pages(connection)
        spots = _clean_spots(connection)
        bodies, addresses = _clean_addresses(connection)
    _compact(store)
    with store.reading() as connection:
        return Cleaned(pages, spots, bodies, addresses, max(0, before - _size(store, connection)))


def _clean_pages(connection: Connection) -> int:
    """Forget pages that brought nothing that is kept; those of a source's newest run, and of one under way, stay."""
    page, run = schema.page, schema.run
    used = union(
        select(schema.record.c.page_id).where(schema.record.c.page_id.is_not(None)),
        select(schema.change.c.page_id).where(schema.change.c.page_id.is_not(None)),
    ).subquery()
    ended = select(run.c.id).where(run.c.ended_at.is_not(None))
    newest = select(func.max(run.c.id)).group_by(run.c.source_id)
    unused = page.c.id.not_in(select(used.c.page_id)), page.c.run_id.in_(ended), page.c.run_id.not_in(newest)
    return int(connection.execute(delete(page).where(*unused)).rowcount)


def _clean_spots(connection: Connection) -> int:
    used: set[int] = set()
    for row in connection.execute(select(schema.record.c.origin).where(schema.record.c.origin.is_not(None))):
        used.update(place[0] for place in row.origin.values())
    for row in connection.execute(select(schema.change.c.origin).where(schema.change.c.origin.is_not(None))):
        used.add(row.origin[0])
    unused = [number for number in connection.execute(select(schema.spot.c.id)).scalars() if number not in used]
    for batch in in_batches(unused):
        connection.execute(delete(schema.spot).where(schema.spot.c.id.in_(batch)))
    return len(unused)


def _clean_addresses(connection: Connection) -> tuple[int, int]:
    """Forget addresses that the last whole run did not see and nothing refers to, with what was kept of them."""
    address, run = schema.address, schema.run
    whole = select(func.max(run.c.id)).where(run.c.source_id == address.c.source_id, run.c.state == "whole")
    referring = (
        select(table.c.address_id).where(table.c.address_id == address.c.id)
        for table in (schema.record, schema.queue, schema.page, schema.claim)
    )
    left = or_(address.c.seen_run.is_(None), address.c.seen_run < whole.scalar_subquery())
    unused = and_(left, whole.scalar_subquery().is_not(None), *(not_(each.exists()) for each in referring))
    numbers = list(connection.execute(select(address.c.id).where(unused)).scalars())
    bodies = 0
    for batch in in_batches(numbers):
        bodies += int(connection.execute(delete(schema.body).where(schema.body.c.address_id.in_(batch))).rowcount)
        connection.execute(delete(address).where(address.c.id.in_(batch)))
    return bodies, len(numbers)


def _compact(store: Store) -> None:
    """Give the room back, which no transaction can."""
    if not store.is_sqlite:
        with explained(store.name), store.engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql("VACUUM (ANALYZE)")
        return
    with explained(store.name), store.engine.connect() as connection:
        for statement in ("ROLLBACK", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "BEGIN"):
            connection.exec_driver_sql(statement)


def back_up(store: Store, path: Path) -> None:
    """Write a copy of a store into a file, while others may write to the store."""
    if not path.parent.is_dir():
        raise StoreError(f"There is no folder {path.parent} to write into. Make it first, or choose another place.")
    if store.path is not None:
        if path.exists() and path.samefile(store.path):
            raise UsageError(f"{path} is the store itself. Name another file for its copy.")
        copy_sqlite(store.path, path)
        return
    program = shutil.which(DUMP)
    if program is None:
        raise UsageError(
            f"A copy of a store in PostgreSQL is made by {DUMP}, which is not here. Install PostgreSQL's client."
        )
    begun = path.with_name(f"{path.name}.part")
    try:
        _dump(program, store, begun)
        begun.replace(path)
    finally:
        begun.unlink(missing_ok=True)


def _dump(program: str, store: Store, path: Path) -> None:
    url = store.engine.url
    about = {"host": url.query.get("host") or url.host, "port": url.port, "username": url.username}
    words = [f"--{name}={value}" for name, value in {**about, "dbname": url.database, "file": path}.items() if value]
    secret = {"PGPASSWORD": str(url.password)} if url.password else {}
    done = subprocess.run(  # noqa: S603 - a program from the path, its words made of the store's address
        [program, "--format=custom", "--no-password", *words],
        check=False,
        capture_output=True,
        env={**os.environ, **secret},
    )
    if done.returncode:
        said = " ".join(done.stderr.decode("utf-8", "replace").split())
        raise StoreError(f"{DUMP} could not copy the store: {said}. Nothing was written.")
