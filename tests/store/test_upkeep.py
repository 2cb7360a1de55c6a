"""Looking after a store: the rules are held against its tables, and what nobody needs is thrown away."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from harvesting import FAILED, add_source, harvest, seen
from sqlalchemy import func, select

from windrow.errors import StoreError, UsageError
from windrow.store import open_store, schema, upkeep
from windrow.store.bodies import Body, keep_body
from windrow.store.runs import begin_run
from windrow.store.sources import get_source

if TYPE_CHECKING:
    from pathlib import Path

    from windrow.store import Store


@pytest.fixture
def lived_in(store: Store) -> Store:
    add_source(store)
    harvest(store, {"a": [seen("1", x="1"), seen("2", x="2")], "b": [seen("3", x="3")]})
    harvest(store, {"a": [seen("1", x="one")], "b": FAILED}, state="partial")
    harvest(store, {"a": [seen("1", x="two")], "b": [seen("2", x="2")]})
    harvest(store, {"a": [seen("1", x="two"), seen("3", x="3")], "c": []})
    return store


def test_a_good_store(lived_in: Store) -> None:
    assert upkeep.check(lived_in) == []
    with lived_in.writing() as connection:
        begin_run(connection, get_source(connection, "barn").id, 1, "hand")
    assert upkeep.check(lived_in) == []


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("DELETE FROM windrow_change WHERE kind = 'added' AND record_id = 1", "The record '1' was never added."),
        (
            "UPDATE windrow_change SET old = '\"z\"' WHERE kind = 'changed' AND run_id = 3",
            "The record '1' has a value that changed from something that it never was.",
        ),
        (
            "UPDATE windrow_change SET new = '\"z\"' WHERE kind = 'changed' AND run_id = 3",
            "The record '1' has a value that its last change did not bring.",
        ),
        ("DELETE FROM windrow_change WHERE kind = 'removed'", "went or came twice in a row."),
        (
            "DELETE FROM windrow_change WHERE kind = 'removed' AND run_id = 4",
            "The record '2' is gone without having been removed, or the other way round.",
        ),
        ("UPDATE windrow_record SET page_id = 99 WHERE id = 1", "Record 1 names a page that there is not."),
        ("UPDATE windrow_address SET seen_run = 99 WHERE id = 1", "Address 1 names a run that there is not."),
        ("UPDATE windrow_run SET state = 'running' WHERE id = 2", "Run 2 is said to be running, which"),
        (
            "INSERT INTO windrow_queue SELECT 1, 1, 'list', 0, 1, 0, 0, 0, NULL",
            "Run 1 has ended, and left something in its queue.",
        ),
        ("UPDATE windrow_record SET address_id = 1 WHERE id = 2", "'2', which is gone and yet belongs to an address."),
        ("UPDATE windrow_record SET address_id = NULL WHERE id = 1", "'1', which is there though no page of its last"),
        ("UPDATE windrow_counter SET next = 2", "The next record would get a number that is taken."),
        ("DROP VIEW barn", "The view 'barn' of barn is missing."),
    ],
)
def test_what_breaks_a_rule(lived_in: Store, spoil: str, said: str) -> None:
    with lived_in.writing() as connection:
        connection.exec_driver_sql(spoil)
    assert any(said in fault for fault in upkeep.check(lived_in)), upkeep.check(lived_in)


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "windrow.db"
    with open_store(path) as store:
        add_source(store)
        harvest(store, {"a": [seen(str(number), x="1") for number in range(500)]})
        with store.engine.connect() as connection:
            for statement in ("ROLLBACK", "PRAGMA wal_checkpoint(TRUNCATE)", "BEGIN"):
                connection.exec_driver_sql(statement)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 3 * 4096] = b"\xff" * (3 * 4096)
    path.write_bytes(data)
    with open_store(path) as store:
        try:
            faults = upkeep.check(store)
        except StoreError as error:
            faults = [str(error)]
    assert any("damaged" in fault for fault in faults)


def test_info(lived_in: Store) -> None:
    info = upkeep.describe(lived_in)
    assert info.version == schema.VERSION
    assert info.bytes > 10_000
    assert (info.counts["sources"], info.counts["runs"], info.counts["records"]) == (1, 4, 3)


def test_clean(lived_in: Store) -> None:
    with lived_in.writing() as connection:
        address = connection.execute(select(schema.address.c.id).where(schema.address.c.url.like("%/b"))).scalar_one()
        keep_body(connection, address, Body("html", b"<p>hay", {}))
        connection.execute(schema.spot.insert().values(digest=b"0", path="/nowhere"))
    cleaned = upkeep.clean(lived_in)
    # Of the pages, one brought records 1 and 2, one record 3, two changed record 1; the last run's are kept.
    assert (cleaned.pages, cleaned.spots) == (2, 1)
    assert (cleaned.bodies, cleaned.addresses) == (0, 0), "a page that brought a record is of that address"
    assert upkeep.check(lived_in) == []
    assert upkeep.clean(lived_in).pages == 0
    with lived_in.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.record)).scalar_one() == 3


def test_clean_forgets_addresses_that_are_no_more(store: Store) -> None:
    add_source(store)
    harvest(store, {"a": [seen("1", x="1")], "b": []})
    with store.writing() as connection:
        address = connection.execute(select(schema.address.c.id).where(schema.address.c.url.like("%/b"))).scalar_one()
        keep_body(connection, address, Body("html", b"<p>hay", {}))
    harvest(store, {"a": [seen("1", x="1")]})
    cleaned = upkeep.clean(store)
    assert (cleaned.bodies, cleaned.addresses) == (1, 1)
    assert harvest(store, {"a": [seen("1", x="1")], "b": [seen("2", x="2")]}).counts.added == 1
    assert upkeep.check(store) == []


def test_backup(lived_in: Store, tmp_path: Path) -> None:
    if not lived_in.is_sqlite and not shutil.which("pg_dump"):
        pytest.skip("needs pg_dump")
    path = tmp_path / "copy"
    upkeep.back_up(lived_in, path)
    assert [each.name for each in tmp_path.iterdir() if each.suffix == ".part"] == []
    if not lived_in.is_sqlite:
        assert path.read_bytes().startswith(b"PGDMP")
        return
    with open_store(path, make=False) as copy:
        assert upkeep.check(copy) == []
        assert upkeep.describe(copy).counts == upkeep.describe(lived_in).counts
    assert lived_in.path is not None
    with pytest.raises(UsageError, match="is the store itself"):
        upkeep.back_up(lived_in, lived_in.path)


def test_backup_into_nowhere(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no folder"):
        upkeep.back_up(store, tmp_path / "nowhere" / "copy")


def test_backup_without_pg_dump(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with open_store(database) as store, pytest.raises(UsageError, match="made by pg_dump, which is not here"):
        upkeep.back_up(store, tmp_path / "copy")
