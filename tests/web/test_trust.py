"""What comes from outside asks for nothing that only whoever sits at the machine may set, by whatever way it comes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from windrow import parse
from windrow.errors import RefusedError, UsageError
from windrow.harvest.settings import SourceSettings
from windrow.harvest.toml import without_secrets
from windrow.options import Options
from windrow.store import open_store
from windrow.store.restoring import MOST_BEFORE, restore
from windrow.store.sources import add_wrapper, list_sources, save_source
from windrow.web.trust import check_restored, trusted
from windrow.wrapper import learn
from windrow.wrapper.fetch import Fetch

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from windrow.store import Store

PLAIN = {"name": "barn", "start": ["https://barn.example/hay"], "read": {"reader": "records"}}
KEPT = {
    "headers": {"X-Token": "one secret", "Cookie": "another", "X-Named": "env:HAY", "X-Plain": "1"},
    "proxy": "http://u:word@proxy.example:3128",
}
check = partial(check_restored, allow_private=False)


def settings(**tables: object) -> SourceSettings:
    return SourceSettings.from_dict({**PLAIN, **tables})


def fill(path: Path, plain: Mapping[str, Any] = PLAIN) -> Store:
    store = open_store(path)
    with store.writing() as connection:
        save_source(connection, str(plain["name"]), plain)
    return store


def closed(path: Path) -> Path:
    """Leave one file of a store, as a backup is."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return path


@pytest.mark.parametrize(
    "tables",
    [
        {"network": {"allow_private": True}},
        {"network": {"headers": {"X-A": "env:HOME"}}},
        {"network": {"headers": {"X-A": "file:/etc/passwd"}}},
        {"network": {"session": "session.json"}},
        {"warn": {"send": ["file:/etc/passwd"]}},
        {"start": ["http://127.0.0.1:1/"]},
        {"name": "other"},
        {"read": {}},
    ],
)
def test_a_copy_asks_for_nothing_that_a_form_may_not(tmp_path: Path, tables: dict[str, Any]) -> None:
    other = open_store(tmp_path / "copy.db")
    with other.writing() as connection:
        save_source(connection, "silo", {**PLAIN, "name": "silo", **tables})
    other.close()
    with fill(tmp_path / "windrow.db") as store:
        with pytest.raises(RefusedError, match="source silo"):
            restore(store, closed(tmp_path / "copy.db"), check)
        with store.reading() as connection:
            assert [each.name for each in list_sources(connection)] == ["barn"]
    assert not list(tmp_path.glob("*.before-*"))


def test_a_copy_names_no_session_in_a_wrapper(tmp_path: Path) -> None:
    page = parse(b"<h1>Barn</h1><p>Price: <b>12.50</b></p>")
    wrapper = learn(page, {"price": "12.50"}, fetch=Fetch(Options(session="session.json")))
    for name in ("windrow.db", "copy.db"):
        fill(tmp_path / name).close()
    with open_store(tmp_path / "copy.db") as other, other.writing() as connection:
        add_wrapper(connection, list_sources(connection)[0].id, wrapper.to_json(), "person")
    with open_store(tmp_path / "windrow.db") as store:
        with pytest.raises(RefusedError, match="session"):
            restore(store, closed(tmp_path / "copy.db"), check)
        with store.writing() as connection:
            add_wrapper(connection, list_sources(connection)[0].id, wrapper.to_json(), "person")
        restore(store, closed(tmp_path / "copy.db"), check)


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE windrow_warning",
        "ALTER TABLE windrow_source DROP COLUMN ignored",
        "UPDATE windrow_settings SET body = '[1]'",
        "UPDATE windrow_settings SET body = 'no JSON'",
    ],
)
def test_a_copy_is_whole(tmp_path: Path, change: str) -> None:
    fill(tmp_path / "copy.db").close()
    with closing(sqlite3.connect(tmp_path / "copy.db")) as connection:
        connection.execute(change)
        connection.commit()
    with fill(tmp_path / "windrow.db") as store, pytest.raises((UsageError, RefusedError)):
        restore(store, closed(tmp_path / "copy.db"), check)


def test_few_of_the_stores_before_are_kept(tmp_path: Path) -> None:
    fill(tmp_path / "copy.db").close()
    for year in range(2001, 2006):
        (tmp_path / f"windrow.db.before-{year}0101T000000Z").touch()
    with fill(tmp_path / "windrow.db") as store:
        before = restore(store, closed(tmp_path / "copy.db"), check)
    kept = sorted(tmp_path.glob("*.before-*"))
    assert len(kept) == MOST_BEFORE
    assert kept[-1] == before


def test_a_secret_comes_back_where_it_was_and_nowhere_else() -> None:
    before = settings(network=KEPT, warn={"send": ["mailto://u:word@a.example", "json://b.example"]})
    public, _ = without_secrets(before)
    assert trusted(public, before, allow_private=False) == before
    token, proxy, sent = public.network.headers["X-Token"], public.network.proxy, public.warn.send[0]
    for network in (
        {"headers": {"X-Other": token}},
        {"headers": {"Cookie": token}},
        {"headers": {"X-Token": proxy}},
        {"headers": {"X-Token": sent}},
        {"proxy": token},
        {"proxy": "env:HAY"},
    ):
        with pytest.raises((UsageError, RefusedError)):
            trusted(settings(network=network), before, allow_private=False)
    with pytest.raises(UsageError, match="another place"):
        trusted(settings(warn={"send": [token]}), before, allow_private=False)


@pytest.mark.parametrize("name", ["X-Token", "X-Named"])
def test_what_was_kept_for_one_site_is_not_sent_to_another(name: str) -> None:
    before = settings(network=KEPT)
    public, _ = without_secrets(before)
    headers = {name: public.network.headers[name], "X-Plain": "1"}
    for tables in (
        {"start": ["https://thief.example/"], "network": {"headers": headers}},
        {"start": [*PLAIN["start"], "https://thief.example/"], "network": {"headers": headers}},
        {"start": ["https://{barn,thief}.example/"], "network": {"headers": headers}},
        {"start": ["http://barn.example/hay"], "network": {"headers": headers}},
        {"network": {"headers": headers, "proxy": "http://thief.example:3128"}},
    ):
        with pytest.raises(RefusedError, match=name):
            trusted(settings(**tables), before, allow_private=False)
    trusted(settings(start=["https://barn.example/straw"], network={"headers": headers}), before, allow_private=False)
    trusted(
        settings(start=["https://new.example/"], network={"headers": {"X-Plain": "1"}}), before, allow_private=False
    )
    anew = {"headers": {"X-Token": "made for the new one"}}
    trusted(settings(start=["https://new.example/"], network=anew), before, allow_private=False)


PRIVATE = {
    "start": ["http://10.0.0.7/hay"],
    "network": {"allow_private": True},
    "warn": {"send": ["json://10.0.0.8/a"]},
}


def test_a_copy_of_our_own_sources_may_be_private_as_they_are(tmp_path: Path) -> None:
    fill(tmp_path / "copy.db", {**PLAIN, **PRIVATE}).close()
    with fill(tmp_path / "windrow.db", {**PLAIN, **PRIVATE}) as store:
        restore(store, closed(tmp_path / "copy.db"), check)


@pytest.mark.parametrize(
    "tables",
    [
        {"start": ["http://10.0.0.9/hay"]},
        {"start": ["http://10.0.0.7:81/hay"]},
        {"start": ["http://10.0.0.7/hay", "http://169.254.169.254/latest"]},
        {"warn": {"send": ["json://10.0.0.9/a"]}},
        {"network": {"allow_private": True, "proxy": "http://10.0.0.9:3128"}},
    ],
)
def test_a_private_source_is_led_to_no_other_private_address(tables: dict[str, Any]) -> None:
    before = settings(**PRIVATE)
    assert trusted(settings(**{**PRIVATE, "manners": {"rate": 2}}), before, allow_private=False).manners.rate == 2
    with pytest.raises(RefusedError, match="--allow-private"):
        trusted(settings(**{**PRIVATE, **tables}), before, allow_private=False)
