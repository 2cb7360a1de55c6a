"""The store's commands: what they print, the files they write, and what they say where there is nothing."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, Any

import openpyxl
import pandas as pd
import pyarrow.parquet as pq
import pytest
from command import objects, run
from harvesting import SITE, add_source, harvest, seen

from windrow.store import open_store
from windrow.store.collections import Collection, save_collection
from windrow.store.runs import begin_run
from windrow.store.sightings import Sighting
from windrow.store.sources import get_source, set_state
from windrow.store.warnings import Warned, warn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KINDS = {"price": "money", "day": "date"}
HOSTILE = "=1+1\x00\ud800\x1b[31m\u202e"
LONG = "hay" * 400_000


def fork(price: str, **more: Any) -> Sighting:  # noqa: ANN401 - texts
    values = {"name": "Fork", "price": price, "day": "2026-05-01", **more}
    typed = {"price": float(price.partition(" ")[0]), "day": "2026-05-01"}
    return Sighting("fork", values, typed, url=f"{SITE}/fork")


@pytest.fixture
def barn(where: str) -> Iterator[str]:
    """A store with two whole runs: the fork gets dearer, the rake goes, the hoe comes."""
    with open_store(where) as store:
        add_source(store)
        rake = Sighting("rake", {"name": "Rake", "price": "7.00 €", "tags": ["oak", "new"]}, {"price": 7.0})
        harvest(store, {"list": [fork("5.00 €"), rake]}, kinds=KINDS)
        harvest(store, {"list": [fork("6.50 €"), Sighting("hoe", {"name": "=HYPERLINK(1)", "price": "on request"})]})
        yield where


def lines(*words: str) -> list[dict[str, Any]]:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.stderr
    return objects(result)


def test_export_as_json(barn: str) -> None:
    [forked, hoe] = lines("export", "barn", "--store", barn)
    assert forked | {"first_seen": "", "last_seen": ""} == {
        "source": "barn",
        "key": "fork",
        "url": f"{SITE}/fork",
        "state": "present",
        "first_seen": "",
        "last_seen": "",
        "run": 2,
        "values": {"price": "6.50 €", "day": "2026-05-01", "name": "Fork", "tags": None},
        "typed": {"price": 6.5, "day": "2026-05-01"},
        "kept": [],
    }
    assert forked["first_seen"] <= forked["last_seen"]
    assert (hoe["url"], hoe["values"]["price"], hoe["typed"]) == (None, "on request", {})


def test_export_of_what_is_gone_and_of_what_was(barn: str) -> None:
    gone = lines("export", "barn", "--gone", "--store", barn)
    assert [(each["key"], each["state"], each["run"]) for each in gone] == [
        ("fork", "present", 2), ("rake", "gone", 1), ("hoe", "present", 2),
    ]  # fmt: skip
    before = lines("export", "barn", "--at", "1", "--store", barn)
    assert [(each["key"], each["values"]["price"]) for each in before] == [("fork", "5.00 €"), ("rake", "7.00 €")]
    assert "price" not in before[0]["typed"], "what the old text said was not kept"
    assert lines("export", "barn", "--at", "2001-01-01", "--store", barn) == []


def test_export_with_origin(barn: str) -> None:
    [origin] = [
        each["origin"] for each in lines("export", "barn", "--origin", "--store", barn) if each["key"] == "fork"
    ]
    assert set(origin["price"]) == {"page", "url", "at", "path", "box", "wrapper", "confidence"}
    assert origin["price"]["url"] == f"{SITE}/list"
    assert origin["price"]["page"] != origin["name"]["page"]


def test_export_as_csv(barn: str, tmp_path: Path) -> None:
    path = tmp_path / "barn.csv"
    result = run("export", "barn", "--gone", "-o", path, "--store", barn)
    assert (result.exit_code, result.stderr) == (0, f"3 records in {path}.\n")
    [head, *rows] = csv.reader(io.StringIO(path.read_text("utf-8"), newline=""))
    assert head == ["key", "url", "state", "first_seen", "last_seen", "kept", "price", "day", "name", "tags"]
    assert {row[5] for row in rows} == {""}
    assert [row[:3] + row[6:] for row in rows] == [
        ["fork", f"{SITE}/fork", "present", "6.50 €", "2026-05-01", "Fork", ""],
        ["rake", "", "gone", "7.00 €", "", "Rake", "oak\nnew"],
        ["hoe", "", "present", "on request", "", "=HYPERLINK(1)", ""],
    ]


@pytest.mark.parametrize("ending", ["jsonl", "json"])
def test_export_as_json_file(barn: str, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"barn.{ending}"
    assert run("export", "barn", "-o", path, "--store", barn).exit_code == 0
    text = path.read_text("utf-8")
    found = json.loads(text) if ending == "json" else [json.loads(line) for line in text.splitlines()]
    assert found == lines("export", "barn", "--store", barn)


def test_export_as_parquet(barn: str, tmp_path: Path) -> None:
    path = tmp_path / "barn.parquet"
    assert run("export", "barn", "-o", path, "--store", barn).exit_code == 0
    table = pq.read_table(path)
    frame = pd.read_parquet(path)
    assert list(frame) == [
        "key", "url", "state", "first_seen", "last_seen", "kept", "price", "price (text)", "day", "day (text)", "name",
        "tags",
    ]  # fmt: skip
    assert frame["price"].tolist()[0] == 6.5
    assert frame["price (text)"].tolist() == ["6.50 €", "on request"]
    assert frame["day"].tolist() == [date(2026, 5, 1), None]
    assert table.schema.field("price").metadata == {b"kind": b"money", b"unit": "€".encode()}
    assert str(table.schema.field("first_seen").type) == "timestamp[us, tz=UTC]"


def test_export_as_sheet(barn: str, tmp_path: Path) -> None:
    path = tmp_path / "barn.xlsx"
    assert run("export", "barn", "-o", path, "--store", barn).exit_code == 0
    sheet = openpyxl.load_workbook(path)["barn"]
    [head, one, two] = sheet.iter_rows()
    cells = {name.value: (first, second) for name, first, second in zip(head, one, two, strict=True)}
    assert [cell.value for cell in cells["price"]] == [6.5, None]
    assert [cell.value for cell in cells["price (text)"]] == ["6.50 €", "on request"]
    assert str(cells["day"][0].value) == "2026-05-01 00:00:00"
    assert (cells["name"][1].value, cells["name"][1].data_type) == ("=HYPERLINK(1)", "s"), "no formula"


def test_export_as_database(barn: str, tmp_path: Path) -> None:
    path = tmp_path / "out.db"
    assert run("export", "barn", "--gone", "-o", path, "--store", barn).exit_code == 0
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT key, state, price, price_value, tags FROM barn").fetchall()
        frame = pd.read_sql("SELECT * FROM barn", connection)
    assert found == [
        ("fork", "present", "6.50 €", 6.5, None),
        ("rake", "gone", "7.00 €", 7.0, '["oak", "new"]'),
        ("hoe", "present", "on request", None, None),
    ]
    assert len(frame) == 3
    assert [each.name for each in tmp_path.iterdir() if each.suffix == ".part"] == []


def test_a_label_keeps_its_name_beside_what_a_file_says_of_the_record(where: str, tmp_path: Path) -> None:
    with open_store(where) as store:
        add_source(store)
        more = {"url": "https://maker.example/", "state": "oiled", "record state": "x"}
        harvest(store, {"list": [Sighting("fork", more, url=f"{SITE}/fork")]})
    assert run("export", "barn", "-o", tmp_path / "out.csv", "--store", where).exit_code == 0
    [row] = csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text("utf-8"), newline=""))
    assert (row["url"], row["record url"]) == ("https://maker.example/", f"{SITE}/fork")
    assert (row["state"], row["record state"], row["record state (2)"]) == ("oiled", "x", "present")


def test_hostile_texts_survive(where: str, tmp_path: Path) -> None:
    with open_store(where) as store:
        add_source(store)
        values = {HOSTILE: HOSTILE, "select": LONG, "SELECT": "upper", "x" * 80: "1", "x" * 79 + "y": "2", "": "empty"}
        harvest(store, {"list": [Sighting(HOSTILE, values)]})
    [record] = lines("export", "barn", "--store", where)
    assert (record["key"], record["values"]) == (HOSTILE, values)
    for ending in ("csv", "parquet", "xlsx", "db", "jsonl"):
        result = run("export", "barn", "-o", tmp_path / f"out.{ending}", "--store", where)
        assert result.exit_code == 0, result.stderr
        assert ("1 text longer than a cell" in result.stderr) == (ending == "xlsx")
    assert json.loads((tmp_path / "out.jsonl").read_text("utf-8"))["values"] == values
    frame = pd.read_parquet(tmp_path / "out.parquet")
    assert frame["select"].tolist() == [LONG]
    assert frame["key"].tolist() == [HOSTILE.replace("\ud800", "\ufffd")]
    with closing(sqlite3.connect(tmp_path / "out.db")) as connection:
        assert connection.execute('SELECT "select", select_2 FROM barn').fetchone() == (LONG, "upper")
    shown = run("export", "barn", "--store", where)
    assert shown.exit_code == 0
    assert "\x1b" not in shown.stdout


def test_several_sources(barn: str, tmp_path: Path) -> None:
    with open_store(barn) as store:
        add_source(store, "shed")
        harvest(store, {"other": [seen("saw", blade="long")]}, name="shed")
    for ending in ("csv", "xlsx", "db", "parquet"):
        assert run("export", "barn", "shed", "-o", tmp_path / f"out.{ending}", "--store", barn).exit_code == 0
    frame = pd.read_csv(tmp_path / "out.csv")
    assert frame["source"].tolist() == ["barn", "barn", "shed"]
    assert frame["blade"].tolist()[2] == "long"
    assert openpyxl.load_workbook(tmp_path / "out.xlsx").sheetnames == ["barn", "shed"]
    with closing(sqlite3.connect(tmp_path / "out.db")) as connection:
        assert connection.execute("SELECT blade FROM shed").fetchall() == [("long",)]
    assert [each["source"] for each in lines("export", "shed", "barn", "--store", barn)] == ["shed", "barn", "barn"]


def test_a_collection(barn: str, tmp_path: Path) -> None:
    mapped = {"barn": {"name": "name", "price": "price"}, "shed": {"name": "tool", "price": "cost"}}
    with open_store(barn) as store:
        add_source(store, "shed")
        harvest(store, {"other": [seen("1", tool="fork", cost="9 €"), seen("2", tool="=hyperlink(2)")]}, name="shed")
        with store.writing() as connection:
            save_collection(
                connection, Collection(name="tools", key=["name"], types={"price": "money"}, sources=mapped)
            )
    found = lines("export", "--collection", "tools", "--store", barn)
    assert [(each["key"], each["conflicts"], list(each["sources"])) for each in found] == [
        ("Fork", ["price"], ["barn", "shed"]), ("=HYPERLINK(1)", [], ["barn"]), ("=hyperlink(2)", [], ["shed"]),
    ]  # fmt: skip
    shown = run("export", "--collection", "tools", "--store", barn).stdout
    assert "6.50 € (barn) | 9 € (shed)" in shown, "where sources disagree, both are shown"
    assert run("export", "--collection", "tools", "-o", tmp_path / "out.csv", "--store", barn).exit_code == 0
    frame = pd.read_csv(tmp_path / "out.csv")
    assert list(frame) == [
        "key", "sources", "conflicts", "name", "price",
        "name (barn)", "name (shed)", "price (barn)", "price (shed)",
    ]  # fmt: skip
    assert frame["price (shed)"].tolist()[0] == "9 €"
    [pair] = lines("export", "--collection", "tools", "--alike", "--store", barn)
    assert [side["key"] for side in pair["pair"]] == ["=HYPERLINK(1)", "=hyperlink(2)"]
    assert "=hyperlink(2)" in run("export", "--collection", "tools", "--alike", "--store", barn).stdout
    for ending in ("db", "xlsx", "parquet"):
        assert run("export", "--collection", "tools", "-o", tmp_path / f"c.{ending}", "--store", barn).exit_code == 0
    typed = pd.read_parquet(tmp_path / "c.parquet")
    assert (typed["price"].tolist()[0], typed["price (shed)"].tolist()[0]) == (6.5, 9.0)
    assert typed["price (text)"].tolist()[:2] == ["6.50 €", "on request"]
    assert run("export", "--collection", "tools", "--at", "1", "--store", barn).exit_code == 2
    assert lines("export", "--collection", "tools", "--at", "2001-01-01", "--store", barn) == []
    kept = run("source", "remove", "tools", "--collection", "--store", barn, given=b"n\n")
    assert (kept.exit_code, "Its sources and their records stay." in kept.output) == (0, True)
    assert kept.stderr == "Nothing was removed.\n"
    assert len(lines("export", "--collection", "tools", "--store", barn)) == 3
    gone = run("source", "remove", "tools", "--collection", "--yes", "--store", barn)
    assert (gone.exit_code, gone.stderr) == (0, "Removed the collection tools; its sources and their records stay.\n")
    assert run("export", "--collection", "tools", "--store", barn).exit_code == 2
    assert len(lines("export", "shed", "--store", barn)) == 2


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["export"], 2, "Name the sources to export"),
        (["export", "barn", "--collection", "x"], 2, "Name the sources to export"),
        (["export", "loft"], 2, "There is no source 'loft'; there are: barn."),
        (["export", "--collection", "x"], 2, "There is no collection 'x'; there is none yet"),
        (["export", "barn", "-o", "barn.txt"], 2, "end it in one of: .csv, .jsonl, .json, .parquet, .xlsx, .db"),
        (["export", "barn", "-o", "/nowhere/at/all.csv"], 3, "There is no folder /nowhere/at"),
        (["export", "barn", "--at", "7"], 2, "barn has no run 7; it has runs from 1 to 2."),
        (["export", "barn", "--at", "soon"], 2, "'soon' is not a date or a time."),
        (["export", "barn", "--origin"], 2, "--origin needs room"),
        (["export", "barn", "--alike"], 2, "--alike is for a --collection"),
        (["source", "remove", "x", "--collection", "--yes"], 2, "There is no collection 'x'"),
        (["source", "remove", "x", "--collection", "--keep-data"], 2, "A collection has no data of its own"),
        (["history", "barn", "--key", "saw"], 2, "barn has no record with the key 'saw'."),
        (["diff", "barn", "1", "2", "3"], 2, "at most two"),
        (["diff", "barn", "1"], 2, "There are no two whole runs of barn to compare yet."),
        (["runs", "loft"], 2, "There is no source 'loft'"),
        (["warnings", "ack", "99"], 2, "There is no warning 99."),
        (["store", "backup", "/nowhere/at/all"], 3, "There is no folder /nowhere/at"),
    ],
)
def test_what_can_not_be_done(barn: str, words: list[str], status: int, said: str) -> None:
    result = run(*words, "--store", barn)
    assert result.exit_code == status
    assert said in " ".join(result.stderr.split())
    assert result.stdout == ""


@pytest.mark.parametrize(
    "words", [["export", "barn"], ["history", "barn"], ["diff", "barn"], ["runs"], ["status"], ["warnings"],
              ["store", "check"], ["store", "info"], ["store", "migrate"], ["store", "clean"]],
)  # fmt: skip
def test_no_store(words: list[str], tmp_path: Path) -> None:
    result = run(*words, "--store", tmp_path / "none.db")
    assert result.exit_code == 3
    assert result.stderr.startswith("There is no store ")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_store(where: str) -> None:
    open_store(where).close()
    assert "There is no source yet." in run("status", "--store", where).stderr
    assert "No source has been harvested yet." in run("runs", "--store", where).stderr
    assert "There is no open warning." in run("warnings", "--store", where).stderr
    assert "there is none yet; add one with `windrow source add`" in run("export", "barn", "--store", where).stderr
    with open_store(where) as store:
        add_source(store)
    assert run("export", "barn", "--store", where).stderr == "There is no record of barn yet.\n"
    assert run("history", "barn", "--store", where).stderr == "Nothing changed.\n"
    assert run("runs", "barn", "--store", where).stderr.startswith("barn has not been harvested yet.")
    assert lines("status", "--store", where)[0]["last_run"] is None


def test_history_and_difference(barn: str) -> None:
    found = lines("history", "barn", "--key", "fork", "--label", "price", "--store", barn)
    assert [each | {"at": "", "id": 0} for each in found] == [
        {
            "id": 0, "source": "barn", "run": 2, "at": "", "key": "fork", "kind": "changed", "label": "price",
            "old": "5.00 €", "new": "6.50 €", "url": f"{SITE}/fork",
        }
    ]  # fmt: skip
    assert [each["kind"] for each in lines("history", "barn", "--since", "1", "--store", barn)] == [
        "added", "changed", "removed",
    ]  # fmt: skip
    differing = lines("diff", "barn", "--store", barn)
    assert {(each["key"], each["kind"]) for each in differing} == {
        ("fork", "changed"), ("rake", "removed"), ("hoe", "added"),
    }  # fmt: skip
    assert lines("diff", "barn", "1", "2", "--store", barn) == differing
    table = run("diff", "barn", "--store", barn)
    assert "5.00 €" in table.stdout
    assert table.stderr.startswith("From run 1 to run 2:")


def test_runs_and_status(barn: str) -> None:
    [second, first] = lines("runs", "barn", "--store", barn)
    keys = "run source state trigger due started ended pages not_modified failed records added changed removed returned"
    assert set(keys.split()) <= set(second)
    assert (first["added"], second["added"], second["changed"], second["removed"]) == (2, 1, 1, 1)
    with open_store(barn) as store, store.writing() as connection:
        source = get_source(connection, "barn")
        warn(connection, source.id, 2, Warned("gone", "error", "The learned text is gone. Paste another."))
        set_state(connection, source.id, "deferred", "The learned text is gone.")
    [status] = lines("status", "--store", barn)
    assert (status["source"], status["state"], status["records"], status["gone"]) == ("barn", "deferred", 2, 1)
    assert (status["run"], status["last_state"], status["warnings"]) == (2, "whole", 1)
    shown = run("status", "--store", barn)
    assert "deferred" in shown.stdout
    assert "barn: The learned text is gone." in shown.stderr
    with open_store(barn) as store, store.writing() as connection:
        begin_run(connection, source.id, 1, "hand")
    assert lines("status", "--store", barn)[0]["state"] == "running"
    assert "running" in run("runs", "--store", barn).stdout


def test_warnings(barn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINDROW_STORE", barn)
    with open_store(barn) as store, store.writing() as connection:
        source = get_source(connection, "barn")
        for warned in (Warned("gone", "error", "Gone \x1b[31m."), Warned("key", "warning", "Twice.", f"{SITE}/1", 3)):
            warn(connection, source.id, 2, warned)
    [key, gone] = lines("warnings")
    assert {"id", "source", "run", "at", "kind", "severity", "state", "url", "count", "text"} <= set(key)
    assert (key["kind"], key["count"], gone["kind"]) == ("key", 3, "gone")
    shown = run("warnings").stdout
    assert "Gone \\x1b[31m." in shown
    assert "3 times" in shown
    assert run("warnings", "ack", str(gone["id"])).stderr == "1 warning acknowledged.\n"
    assert [each["kind"] for each in lines("warnings", "--state", "acknowledged", "--source", "barn")] == ["gone"]
    monkeypatch.delenv("WINDROW_STORE")
    assert run("warnings", "--store", barn, "resolve", str(gone["id"]), str(key["id"])).exit_code == 0
    assert {each["state"] for each in lines("warnings", "--state", "all", "--store", barn)} == {"resolved"}


def test_a_message_to_all_that_are_told(where: str) -> None:
    assert run("source", "add", "barn", SITE, "--reader", "tables", "--store", where).exit_code == 0
    assert "No source sends warnings anywhere" in run("warnings", "test", "--store", where).stderr
    # Nobody listens there, and the guard lets nothing through to it.
    assert run("source", "set", "barn", "warn.send=json://127.0.0.1:9/", "--store", where).exit_code == 0
    for words in (("warnings", "test"), ("warnings", "test", "barn")):
        told = run(*words, "--store", where)
        assert (told.exit_code, "1 of 1 addresses of warn.send could not be reached" in told.stderr) == (3, True)


def test_looking_after_a_store(barn: str, tmp_path: Path) -> None:
    assert "is whole, and its rules hold" in run("store", "check", "--store", barn).stdout
    assert lines("store", "info", "--store", barn)[0]["counts"]["records"] == 3
    assert "3 records" in run("store", "info", "--store", barn).stdout
    assert "has version " in run("store", "migrate", "--store", barn).stdout
    assert "Threw away 0 pages" in run("store", "clean", "--store", barn).stdout
    assert run("store", "backup", tmp_path / "copy", "--store", barn).exit_code == 0
    with open_store(barn) as store, store.writing() as connection:
        connection.exec_driver_sql("UPDATE windrow_run SET state = 'running'")
    result = run("store", "check", "--store", barn)
    assert (result.exit_code, result.stdout.count("\n")) == (3, 1)


def test_other_commands_do_not_pay_for_the_store(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>hay", encoding="utf-8")
    program = f"""
import sys
from windrow.cli import main
for words in ["--help", "read --help", "export --help", "status --help", "read {page} --no-render"]:
    try: main(words.split())
    except SystemExit: pass
    found = {{"sqlalchemy", "alembic", "rapidfuzz", "pyarrow", "openpyxl"}} & set(sys.modules)
    assert not found, (words, found)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)  # noqa: S603 - ours
    assert done.returncode == 0, done.stderr
    assert "hay" in done.stdout
