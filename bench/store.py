"""What the store costs: 100,000 records of ten fields, beside a plain ``executemany`` of the same rows.

make bench-store                              # SQLite
make bench-store WINDROW_STORE=postgresql://…   # and PostgreSQL
"""

from __future__ import annotations

import os
import resource
import sqlite3
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from windrow.store import open_store
from windrow.store.frontier import Lead, enqueue, pending
from windrow.store.history import History, choose_points
from windrow.store.records import Ledger
from windrow.store.runs import begin_run, end_run
from windrow.store.sightings import Origin, Sighting
from windrow.store.sources import get_source, save_source
from windrow.store.views import make_view
from windrow.store.visits import Visit, store_visit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.store import Store

RECORDS, FIELDS, A_PAGE = 100_000, 10, 100
LABELS = [f"field {number}" for number in range(FIELDS)]
ORIGIN = {
    label: Origin(f"/html/body/div[2]/p[{number}]", 0.97, (10, 20, 300, 40)) for number, label in enumerate(LABELS)
}


def row_of(number: int, round_: int) -> list[str]:
    """Return a row as texts; in a later round one field of another hundredth of them differs."""
    row = [f"{label} of record {number}" for label in LABELS]
    if round_ and number % 100 == round_:
        row[3] += f", round {round_}"
    return row


def pages_of(round_: int, records: int = RECORDS) -> Iterator[list[Sighting]]:
    """Yield the sightings of a page at a time."""
    for start in range(0, records, A_PAGE):
        yield [
            Sighting(
                f"key {number}",
                dict(zip(LABELS, row_of(number, round_), strict=True)),
                origin=ORIGIN,
                url=f"https://x/{number}",
            )
            for number in range(start, min(start + A_PAGE, records))
        ]


class Plain(NamedTuple):
    """CPU seconds of ``executemany`` alone."""

    wide: float
    """A row a record, all in one transaction."""
    tall: float
    """A row a value."""
    paged: float
    """A row a record, committed a page at a time, as whoever loses nothing by a kill has to."""


def plain(path: Path) -> Plain:
    """Store the rows plainly."""
    wide = [(f"key {number}", *row_of(number, 0)) for number in range(RECORDS)]
    tall = [(key, label, text) for key, *texts in wide for label, text in zip(LABELS, texts, strict=True)]
    names = ", ".join(f'"{label}" TEXT' for label in LABELS)
    costs = []
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for name, columns, rows, size in (
            ("wide", f"(key TEXT PRIMARY KEY, {names})", wide, RECORDS),
            ("tall", "(key TEXT, label TEXT, text TEXT, PRIMARY KEY (key, label)) WITHOUT ROWID", tall, len(tall)),
            ("paged", f"(key TEXT PRIMARY KEY, {names})", wide, A_PAGE),
        ):
            connection.execute(f"CREATE TABLE {name} {columns}")
            statement = f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})"  # noqa: S608 - question marks
            before = time.process_time()
            for start in range(0, len(rows), size):
                connection.execute("BEGIN")
                connection.executemany(statement, rows[start : start + size])
                connection.execute("COMMIT")
            costs.append(time.process_time() - before)
    return Plain(*costs)


def store_run(store: Store, round_: int, name: str = "bench", records: int = RECORDS) -> float:
    """Store a run of all rows, and return the CPU seconds that the store took."""
    before = time.process_time()
    with store.writing() as connection:
        source = get_source(connection, name)
        run = begin_run(connection, source.id, source.version, "hand")
        urls = [f"https://x/list/{number}" for number in range(-(-records // A_PAGE))]
        enqueue(connection, run, [Lead(url, url, "list") for url in urls])
    ledger = Ledger(run)
    with store.reading() as connection:
        entries = pending(connection, run, len(urls))
    spent = time.process_time() - before
    for entry, sightings in zip(entries, pages_of(round_, records), strict=True):
        before = time.process_time()
        with store.writing() as connection:
            visit = Visit(entry=entry, verdict="read", status=200, sightings=sightings, wrapper_version=1)
            ledger.run = store_visit(connection, ledger, visit)
        spent += time.process_time() - before
    before = time.process_time()
    with store.writing() as connection:
        counts = ledger.run.counts + ledger.remove_unseen(connection, run.started_at)
        end_run(connection, ledger.run, "whole", counts, "")
    spent += time.process_time() - before
    print(
        f"  {counts.records:,} records, {counts.added:,} added, {counts.changed:,} changed, {counts.removed:,} removed"
    )
    return spent


def size_of(store: Store) -> int:
    """Return the bytes of a store."""
    with store.writing() as connection:
        if store.path is None:
            return int(connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one())
    with store.engine.connect() as connection:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.exec_driver_sql("BEGIN")
    return store.path.stat().st_size


def measure(where: str, costs: Plain) -> None:
    """Print the table of one store."""
    with open_store(where) as store:
        print(store.engine.dialect.name)
        _measure(store, costs)


def _measure(store: Store, costs: Plain) -> None:
    with store.writing() as connection:
        save_source(connection, "bench", {})
    first = store_run(store, 0)
    size = size_of(store)
    again = store_run(store, 1)
    growth = size_of(store) - size
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    with store.writing() as connection:
        number = get_source(connection, "bench").id
    view = make_view(store, number)
    with store.reading() as connection:
        connection.exec_driver_sql("SELECT 1")
        before = time.perf_counter()
        found = connection.exec_driver_sql(f"SELECT * FROM \"{view}\" WHERE key = 'key 77777'").all()  # noqa: S608 - a name of ours
        by_key = time.perf_counter() - before
        before = time.process_time()
        everything = len(connection.exec_driver_sql(f'SELECT * FROM "{view}"').all())  # noqa: S608 - a name of ours
        by_all = time.process_time() - before
        source = get_source(connection, "bench")
        before = time.process_time()
        differing = sum(1 for _ in History(connection, source).difference(*choose_points(connection, source, ())))
        by_diff = time.process_time() - before
    print(
        f"  first store {first:.2f} CPU s: {first / costs.wide:.1f} x rows of records, {first / costs.paged:.1f} x the "
        f"same a page at a time, {first / costs.tall:.1f} x rows of values"
    )
    print(f"  again, 1 % changed {again:.2f} CPU s: {again / first:.2f} x the first")
    print(f"  size {size / 1e6:.1f} MB, growth {growth / size:.2%}; view by key {by_key * 1e3:.1f} ms ({len(found)}),")
    print(f"  all {by_all:.2f} CPU s ({everything:,}); diff of the runs {by_diff:.2f} CPU s ({differing:,});")
    print(f"  peak memory of storing {memory:.0f} MiB", flush=True)


def main() -> None:
    """Measure SQLite, and PostgreSQL where WINDROW_STORE names one."""
    with tempfile.TemporaryDirectory() as folder:
        with ProcessPoolExecutor(1) as pool:  # so that its rows do not count as memory of the store's
            costs = pool.submit(plain, Path(folder) / "plain.db").result()
        print(
            f"plain executemany: {costs.wide:.2f} CPU s as rows of records, {costs.paged:.2f} committed a page at a "
            f"time, {costs.tall:.2f} as rows of values",
            flush=True,
        )
        stores = [str(Path(folder) / "store.db")]
        if os.environ.get("WINDROW_STORE", "").startswith("postgres"):
            stores.append(os.environ["WINDROW_STORE"])
        for where in stores:
            with ProcessPoolExecutor(1) as pool:  # so that what one store took does not count as memory of the next
                pool.submit(measure, where, costs).result()


if __name__ == "__main__":
    main()
