"""An older store is brought up with a copy kept; killed in the middle it is what it was; a newer one is refused."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command import run
from harvesting import add_source, harvest, seen
from processes import finish, make, start, upgrade
from sqlalchemy import inspect, select, text

from windrow.errors import StoreError, UsageError
from windrow.store import migration, open_store, schema, upkeep
from windrow.store.history import History
from windrow.store.rows import Rows
from windrow.store.sources import get_source
from windrow.store.text import digest

if TYPE_CHECKING:
    from windrow.store import Store

SECOND = """
import os, signal, sqlalchemy as sa
from alembic import op

revision = "9002"
down_revision = "{first}"


def upgrade():
    op.create_table("windrow_barn", sa.Column("id", sa.Integer, primary_key=True))
    with op.batch_alter_table("windrow_warning") as table:
        table.add_column(sa.Column("colour", sa.String))
    op.execute("UPDATE windrow_warning SET colour = 'red'")
    if os.environ.get("KILL"):
        os.kill(os.getpid(), signal.SIGKILL)
    if os.environ.get("FAIL"):
        op.execute("SELECT nothing FROM nowhere")
"""


@pytest.fixture
def scripts(tmp_path: Path) -> str:
    """Scripts of a Windrow that is one version newer."""
    folder = tmp_path / "scripts"
    (folder / "versions").mkdir(parents=True)
    source = Path(migration.__file__).with_name("migrations")
    (folder / "env.py").write_text((source / "env.py").read_text("utf-8"), encoding="utf-8")
    for script in (source / "versions").glob("[a-z]*.py"):
        (folder / "versions" / script.name).write_text(script.read_text("utf-8"), encoding="utf-8")
    (folder / "versions" / "second.py").write_text(SECOND.format(first=schema.VERSION), encoding="utf-8")
    return str(folder)


@pytest.fixture
def older(store: Store) -> Store:
    add_source(store)
    harvest(store, {"list": [seen("1", x="1")]})
    return store


def state_of(store: Store) -> tuple[str | None, bool, bool]:
    """Return the version, whether the new table is there, and whether the new column is."""
    with store.reading() as connection:
        found = inspect(connection)
        columns = {column["name"] for column in found.get_columns("windrow_warning")}
        return migration.version_of(connection), found.has_table("windrow_barn"), "colour" in columns


def records(store: Store) -> list[str]:
    with store.reading() as connection:
        return [str(each.key) for each in Rows(connection, get_source(connection, "barn"))]


def test_an_older_store_is_brought_up(older: Store, scripts: str) -> None:
    migration.bring_up(older, "9002", scripts)
    assert state_of(older) == ("9002", True, True)
    assert records(older) == ["1"]
    assert upkeep.check(older) == []
    if older.path is not None:
        with closing(sqlite3.connect(older.path.with_name(f"windrow.db.version-{schema.VERSION}"))) as copy:
            assert copy.execute("SELECT version_num FROM windrow_version").fetchone() == (schema.VERSION,)
            assert copy.execute("SELECT key FROM windrow_record").fetchall() == [("1",)]
    else:
        with older.reading() as connection:
            statement = f"SELECT key FROM windrow_before_{schema.VERSION}.windrow_record"  # noqa: S608 - a constant
            assert connection.exec_driver_sql(statement).scalars().all() == ["1"]
    migration.bring_up(older, "9002", scripts)


@pytest.mark.parametrize(("how", "status"), [("KILL", -signal.SIGKILL), ("FAIL", 1)])
def test_a_migration_that_did_not_end(older: Store, scripts: str, where: str, how: str, status: int) -> None:
    assert finish(*start(upgrade, where, scripts, how)) == (status, "")
    assert state_of(older) == (schema.VERSION, False, False)
    assert upkeep.check(older) == []
    assert harvest(older, {"list": [seen("1", x="1"), seen("2", x="2")]}).counts.added == 1
    migration.bring_up(older, "9002", scripts)
    assert state_of(older) == ("9002", True, True)
    assert records(older) == ["1", "2"]


def test_records_of_the_second_version_are_found_by_their_keys(store: Store, where: str) -> None:
    keys = ["1", "\0 odd", "long " * 200, "long " * 200 + "!"]
    add_source(store)
    harvest(store, {"list": [seen(key, x="1") for key in keys]})
    with store.writing() as connection:
        connection.exec_driver_sql("ALTER TABLE windrow_record RENAME COLUMN lookup TO key_digest")
        chosen = connection.execute(select(schema.record.c.id, schema.record.c.key)).all()
        for number, key in chosen:
            change = text("UPDATE windrow_record SET key_digest = :digest WHERE id = :number")
            connection.execute(change, {"digest": digest(key), "number": number})
        connection.exec_driver_sql("UPDATE windrow_version SET version_num = '0002'")
    with open_store(where) as brought_up:
        assert upkeep.check(brought_up) == []
        assert harvest(brought_up, {"list": [seen(key, x="2") for key in keys]}).counts.changed == len(keys)
        with brought_up.reading() as connection:
            history = History(connection, get_source(connection, "barn"))
            assert [len(history.find(key)) for key in keys] == [1] * len(keys)


def test_a_newer_store_is_refused(older: Store, where: str) -> None:
    with older.writing() as connection:
        connection.exec_driver_sql("UPDATE windrow_version SET version_num = '9999'")
    with pytest.raises(StoreError, match=r"was written by a newer Windrow \(version 9999, this one knows"):
        open_store(where)
    result = run("status", "--store", where)
    assert result.exit_code == 3
    assert "Update Windrow; the store was not touched." in result.stderr


def test_the_first_use_makes_it(tmp_path: Path, empty_database: str) -> None:
    for where in (str(tmp_path / "new.db"), f"sqlite:///{tmp_path / 'another.db'}", empty_database):
        with open_store(where) as store:
            assert state_of(store) == (schema.VERSION, False, False)
        with open_store(where, make=False) as store:
            assert upkeep.check(store) == []


def test_processes_that_make_it_together(tmp_path: Path, empty_database: str) -> None:
    for where in (str(tmp_path / "new.db"), empty_database):
        begun = [start(make, where) for _ in range(3)]
        assert [finish(*each) for each in begun] == [(0, "made")] * 3


def test_tables_are_what_the_migrations_make(older: Store, tmp_path: Path) -> None:
    if not older.is_sqlite:
        pytest.skip("the same scripts make both")
    from alembic import command  # noqa: PLC0415 - takes a second
    from alembic.config import Config  # noqa: PLC0415 - as above

    with open_store(tmp_path / "migrated.db") as store:
        with store.writing() as connection:
            schema.metadata.drop_all(connection)
            connection.exec_driver_sql("DROP TABLE windrow_version")
        with store.writing() as connection:
            config = Config()
            config.set_main_option("script_location", migration.SCRIPTS)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
        assert state_of(store)[0] == schema.VERSION
        with store.reading() as one, older.reading() as other:
            query = "SELECT name, sql FROM sqlite_master WHERE name LIKE '%windrow%' AND type != 'view' ORDER BY name"
            made, migrated = [{row.name: row.sql for row in each.exec_driver_sql(query)} for each in (other, one)]
    assert migrated.keys() == made.keys()


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("mysql://root@host/x", "other databases are not supported"),
        ("sqlite://", "A store in memory would be lost"),
        ("postgresql://user@host:port/x", "The store is a file, sqlite:///FILE or postgresql://USER@HOST/DATABASE"),
    ],
)
def test_places_that_are_none(where: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        open_store(where)


def test_files_that_are_no_store(tmp_path: Path) -> None:
    (tmp_path / "page.db").write_text("<p>hay" * 1000, encoding="utf-8")
    with pytest.raises(StoreError, match="is not a store of Windrow's, or it is damaged"):
        open_store(tmp_path / "page.db")
    with pytest.raises(StoreError, match="There is no folder"):
        open_store(tmp_path / "nowhere" / "windrow.db")
    with pytest.raises(StoreError):
        open_store(tmp_path)


def test_no_password_in_a_sentence(server: str) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(f"postgresql://somebody:s3cret@/nowhere?host={server}")
    assert "s3cret" not in str(caught.value)
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://somebody:s3cret@127.0.0.1:1/nowhere")
    assert "s3cret" not in str(caught.value)
