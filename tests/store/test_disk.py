"""A full disk is a sentence; what was stored stays, and the store goes on when there is room again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from harvesting import add_source, harvest, many_pages, seen
from processes import fill, finish, start

from windrow.errors import StoreError
from windrow.store import open_store, upkeep

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.engine import Connection
    from sqlalchemy.pool import ConnectionPoolEntry


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    path = tmp_path / "windrow.db"
    with open_store(path) as store:
        add_source(store)
        harvest(store, {"list": [seen("1", x="1")]})
    status, said = finish(*start(fill, str(path)))
    assert status == 0
    assert re.match("3 The store .* could not be written: no room is left, or the disk failed", said)
    assert "\n" not in said
    with open_store(path) as store:
        assert upkeep.check(store) == []
        before = upkeep.describe(store).counts["records"]
        assert before < 401
        harvest(store, many_pages() | {"list": [seen("1", x="1")]})
        assert upkeep.describe(store).counts["records"] == 401
        assert upkeep.check(store) == []


def test_a_database_that_is_full(tmp_path: Path) -> None:
    from sqlalchemy import event  # noqa: PLC0415 - for this test alone

    with open_store(tmp_path / "windrow.db") as store:
        add_source(store)
        pages = store.engine.raw_connection()
        count = pages.cursor().execute("PRAGMA page_count").fetchone()[0]
        pages.close()

        def limit(connection: Connection, _: ConnectionPoolEntry) -> None:
            connection.execute(f"PRAGMA max_page_count = {count + 5}")  # type: ignore[call-overload] # the driver's

        event.listen(store.engine, "connect", limit)
        store.engine.dispose()
        with pytest.raises(StoreError, match=r"no room is left.* run the same command again afterwards\."):
            harvest(store, {"list": [seen(str(number), x="hay" * 100) for number in range(200)]})
    with open_store(tmp_path / "windrow.db") as store:
        assert upkeep.check(store) == []
        assert upkeep.describe(store).counts["records"] == 0
