"""Settings: tokens are shown once, a backup is the store, and a restore is looked at before anything is replaced."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from harvesting import add_source
from interface import PASSWORD, csrf, serving

from windrow.errors import UsageError
from windrow.store import open_store
from windrow.store.restoring import restore
from windrow.store.sources import list_sources
from windrow.web.beginnings import Beginnings, find_beginnings
from windrow.web.passwords import find_password, set_password

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from interface import Interface

    from windrow.store import Store


@pytest.fixture(scope="module")
def interface(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    with serving(tmp_path_factory.mktemp("settings"), "--no-schedule") as served:
        yield served


def names(store: Store) -> list[str]:
    with store.reading() as connection:
        return [source.name for source in list_sources(connection)]


def test_a_token_is_shown_once_and_kept_as_a_digest(interface: Interface) -> None:
    with interface.client() as client:
        made = client.post("/settings/tokens", data={"csrf": csrf(client), "name": "loader", "scope": ["read", "run"]})
        token = made.text.partition("<code>")[2].partition("</code>")[0]
        assert len(token) > 40
        page = client.get("/settings").text
        assert "loader" in page
        assert token not in page
        assert token.encode() not in interface.store.read_bytes()
        assert client.post("/settings/tokens", data={"csrf": csrf(client), "name": "x"}).status_code == 422


def test_a_password_is_kept_as_an_argon2_hash_and_ends_sessions(tmp_path: Path) -> None:
    with open_store(tmp_path / "windrow.db") as store:
        set_password(store, PASSWORD)
    with serving(tmp_path, "--no-schedule", environment={"WINDROW_WEB_PASSWORD": ""}) as served:
        with served.client() as client, served.client() as other:
            wrong = {"csrf": csrf(client), "old": "not this one", "new": "needle in a haystack"}
            assert client.post("/settings/password", data=wrong).status_code == 422
            assert client.post("/settings/password", data={**wrong, "old": PASSWORD}).status_code == 303
            assert [each.get("/").status_code for each in (client, other)] == [303, 303]
            assert client.post("/login", data={"password": PASSWORD}).status_code == 403
            assert client.post("/login", data={"password": wrong["new"]}).status_code == 303
        with served.open_store() as store:
            hashed = find_password(store)
        assert hashed is not None
        assert hashed.startswith("$argon2id$")


def test_a_backup_can_be_restored_and_who_may_come_in_stays(interface: Interface) -> None:
    plain = {"name": "barn", "start": ["https://barn.example/"], "read": {"reader": "records"}}
    with interface.open_store() as store:
        add_source(store, "barn", plain)
    with interface.client() as client:
        copy = client.post("/settings/backup", data={"csrf": csrf(client)})
        assert "attachment" in copy.headers["content-disposition"]
        with interface.open_store() as store:
            add_source(store, "later")
            assert names(store) == ["barn", "later"]
        sent = client.post("/settings/restore", data={"csrf": csrf(client)}, files={"file": ("x.db", copy.content)})
        assert sent.headers["location"] == "/settings?done=restored", sent.text
        bad = client.post("/settings/restore", data={"csrf": csrf(client)}, files={"file": ("x.db", b"no database")})
        assert bad.status_code == 422
        assert 'role="alert"' in bad.text
        with interface.open_store() as store:
            assert names(store) == ["barn"]
        assert client.get("/").status_code == 200
    kept = [path for path in interface.store.parent.iterdir() if ".before-" in path.name]
    with open_store(kept[0]) as store:
        assert names(store) == ["barn", "later"]


def test_what_new_sources_begin_with_is_sound_and_shows_no_secret(interface: Interface) -> None:
    secret, plain = "mailto://hay:needle@barn.example", "json://barn.example/hook"
    with interface.client() as client:
        begin = {"csrf": csrf(client), "rate": "2", "concurrency": "3", "send": f"{secret}\n{plain}"}
        for wrong in (
            {"send": "file:/etc/passwd"},
            {"rate": "nan"},
            {"rate": "1e400"},
            {"concurrency": "inf"},
            {"concurrency": "nan"},
        ):
            answer = client.post("/settings/beginnings", data={**begin, **wrong})
            assert answer.status_code == 422, wrong
        assert client.post("/settings/beginnings", data=begin).status_code == 303
        shown = client.get("/settings.json").json()["beginnings"]
        assert (shown["rate"], shown["concurrency"], shown["send"][1]) == (2, 3, plain)
        for path in ("/settings", "/settings.json", "/sources/new", "/sources/new.json"):
            assert "needle" not in client.get(path).text, path
        client.post("/settings/beginnings", data={**begin, "rate": "1", "send": "\n".join(shown["send"][::-1])})
    with interface.open_store() as store, store.reading() as connection:
        assert find_beginnings(connection) == Beginnings(1.0, 3, (plain, secret))


@pytest.mark.parametrize("kind", ["text", "other", "trigger", "damaged", "newer"])
def test_a_file_that_is_no_backup_changes_nothing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "bad.db"
    if kind == "text":
        path.write_bytes(b"no database at all")
    else:
        if kind != "other":
            open_store(path).close()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("CREATE TABLE filling (x)")
            connection.executemany("INSERT INTO filling VALUES (?)", [("x" * 3000,) for _ in range(50)])
            if kind == "trigger":
                connection.execute(
                    "CREATE TRIGGER t AFTER INSERT ON windrow_source BEGIN DELETE FROM windrow_access; END"
                )
            if kind == "newer":
                connection.execute("UPDATE windrow_version SET version_num = '9999'")
            connection.commit()
        if kind == "damaged":
            data = bytearray(path.read_bytes())
            data[-120_000:-60_000] = b"\xff" * 60_000
            path.write_bytes(bytes(data))
    with open_store(tmp_path / "windrow.db") as store:
        add_source(store)
        with pytest.raises(UsageError):
            restore(store, path, lambda _theirs, _ours: None)
        assert names(store) == ["barn"]


@pytest.mark.parametrize(("path", "often"), [("/settings/restore", 3), ("/settings/backup", 6), ("/settings/test", 6)])
def test_what_costs_much_is_limited(tmp_path: Path, path: str, often: int) -> None:
    with serving(tmp_path, "--no-schedule") as served, served.client() as client:
        token = {"csrf": csrf(client)}
        files = {"file": ("x.db", b"no database at all")} if path.endswith("restore") else None
        answers = [client.post(path, data=token, files=files) for _ in range(often + 1)]
        assert [each.status_code == 429 for each in answers] == [*[False] * often, True]
        assert int(answers[-1].headers["retry-after"]) > 0
