"""Hostile text is data: whatever it is, it comes back as it was, from columns and from JSON."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from harvesting import add_source, harvest
from hypothesis import given
from hypothesis import strategies as st

from windrow.result.database import LONGEST_NAME, free_column_name
from windrow.store import open_store
from windrow.store.fields import ABOUT_RECORDS, list_fields
from windrow.store.rows import Rows
from windrow.store.sightings import Sighting
from windrow.store.sources import get_source, save_source
from windrow.store.text import MARKER, digest, dump, encode, escape, load, unescape

if TYPE_CHECKING:
    from pathlib import Path

    from windrow.store import Store

ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=20) | st.sampled_from(
    [
        "\x00",
        "\ud800",
        MARKER,
        f'{MARKER}"x"',
        "\udfff\x00",
        "a\x00b",
        "'; DROP TABLE windrow_record; --",
        "%s %(x)s :y",
    ]
)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | ANY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY, inner, max_size=3),
    max_leaves=8,
)
LABELS = ["select", "SELECT", "Select", "x" * 100, "x" * 100 + "y", "", "\x00", "\ud800", 'a"b', "a'b", "50 %", "%s",
          ":p", "id", "key", "Straße", "é", "e\u0301", "order by 1; --", "windrow_record", "名" * 40]  # fmt: skip


@given(ANY)
def test_texts_come_back(text: str) -> None:
    stored = escape(text)
    assert unescape(stored) == text
    assert "\x00" not in stored
    stored.encode()


@given(ANY, ANY)
def test_different_texts_stay_different(one: str, other: str) -> None:
    assert (escape(one) == escape(other)) == (one == other) == (digest(one) == digest(other))


@given(PLAIN)
def test_plain_values_come_back(value: Any) -> None:  # noqa: ANN401 - whatever JSON can hold
    stored = dump(value)
    assert load(stored) == value
    assert "\\u0000" not in stored.replace("\\\\", "")
    stored.encode()


@given(st.lists(ANY, max_size=12, unique=True))
def test_names_of_columns(labels: list[str]) -> None:
    names: list[str] = []
    for label in labels:
        names.append(free_column_name(label, [name.casefold() for name in names]))
    assert len({name.casefold() for name in names}) == len(names)
    assert all(name and len(name.encode()) <= LONGEST_NAME and "\x00" not in name for name in names)


@pytest.fixture
def hostile(store: Store) -> Store:
    """Two records of hostile keys, labels and values, one of them a megabyte."""
    add_source(store)
    values = {label: f"{label} \x00\ud800 value" for label in LABELS}
    sightings = [Sighting("\x00'\ud800", values), Sighting("plain", {"select": "x" * 1_000_000, "key": "its own"})]
    harvest(store, {"list": sightings}, kinds={"50 %": "number"})
    return store


def test_hostile_records(hostile: Store) -> None:
    with hostile.reading() as connection:
        [first, second] = Rows(connection, get_source(connection, "barn"))
    assert first.key == "\x00'\ud800"
    assert first.to_dict()["values"] == {label: f"{label} \x00\ud800 value" for label in LABELS}
    assert second.to_dict()["values"]["select"] == "x" * 1_000_000
    with hostile.reading() as connection:
        assert {field.label for field in list_fields(connection, get_source(connection, "barn").id)} == set(LABELS)


def test_a_view_of_hostile_labels(hostile: Store) -> None:
    with hostile.reading() as connection:
        columns = connection.exec_driver_sql("SELECT * FROM barn").keys()
        assert len({name.casefold() for name in columns}) == len(LABELS) + len(ABOUT_RECORDS) + 1
        [row] = connection.exec_driver_sql("SELECT key_2, \"select\" FROM barn WHERE key = 'plain'").all()
    assert row == ("its own", "x" * 1_000_000)


@pytest.mark.parametrize(
    "name", ["select", "Robert'); DROP TABLE x; --", 'a"b', "50 %", "windrow_record", "sqlite_master", "pg_class",
             "x" * 99, "\ud800", "Barn"],
)  # fmt: skip
def test_hostile_names_of_sources(store: Store, name: str) -> None:
    add_source(store)
    harvest(store, {"list": [Sighting("0", {"x": "0"})]})
    add_source(store, name)
    harvest(store, {"list": [Sighting("1", {"x": "1"})]}, name=name)
    with store.reading() as connection:
        view = str(connection.exec_driver_sql("SELECT view FROM windrow_source WHERE id = 2").scalar_one())
        quoted = view.replace('"', '""').replace("%", "%%" if not store.is_sqlite else "%")
        assert connection.exec_driver_sql(f'SELECT x FROM "{quoted}"').scalar_one() == "1"  # noqa: S608 - as quoted
        assert connection.exec_driver_sql("SELECT x FROM barn").scalar_one() == "0"


def test_the_view_is_read_by_others_while_a_run_writes(tmp_path: Path) -> None:
    with open_store(tmp_path / "windrow.db") as store:
        add_source(store)
        harvest(store, {"list": [Sighting("1", {"price": "5"}, {"price": 5})]}, kinds={"price": "number"})
        with store.writing() as writing, closing(sqlite3.connect(tmp_path / "windrow.db", timeout=0)) as other:
            save_source(writing, "other", {})
            found = other.execute("SELECT key, state, price, price_value FROM barn").fetchall()
            frame = pd.read_sql("SELECT * FROM barn", other)
    assert found == [("1", "present", "5", 5)]
    assert frame["price_value"].tolist() == [5]


def test_the_view_is_read_by_others_in_postgresql_while_a_run_writes(database: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    with open_store(database) as store:
        add_source(store)
        harvest(store, {"list": [Sighting("1", {"price": "5"}, {"price": 5})]}, kinds={"price": "number"})
        with store.writing() as writing, psycopg.connect(database) as other:
            save_source(writing, "other", {})
            assert other.execute("SELECT key, state, price, price_value FROM barn").fetchall() == [
                ("1", "present", "5", "5")
            ]


def test_a_reader_sees_one_state(where: str) -> None:
    with open_store(where) as store:
        add_source(store)
        harvest(store, {"list": [Sighting("1", {"x": "old"})]})
        with store.reading() as connection:
            rows = Rows(connection, get_source(connection, "barn"))
            harvest(store, {"list": [Sighting("1", {"x": "new"}), Sighting("2", {"x": "2"})]})
            assert [each.to_dict()["values"]["x"] for each in rows] == ["old"]


@pytest.mark.parametrize("number", [-(2**63) - 1, 2**64, 10**30])
def test_numbers_of_more_than_64_bits_are_kept_as_their_digits(number: int) -> None:
    assert load(dump({"year": [number, 7]})) == {"year": [str(number), 7]}
    assert encode([number]) != encode([number + 1])
