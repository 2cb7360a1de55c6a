"""What people are told: warnings once per cause, secrets never, hostile text as text."""

from __future__ import annotations

import csv
import json
import logging
import sqlite3
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from command import objects, run
from nursery import File, Server, Site, changed, grow

import windrow
from windrow.harvest.harvest import harvest_source
from windrow.harvest.passing_on import export_toml
from windrow.store.warnings import list_warnings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fields import Field


class Hook:
    """Takes messages, as a chat does."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.address = f"{server.url.replace('http://', 'json://')}/hook"

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(request.body) for request in self.server.requests if request.path.startswith("/hook")]


@pytest.fixture
def hook() -> Iterator[Hook]:
    with Server(Site(trees=grow(2), files={"/hook": File("{}", "application/json")})) as server:
        yield Hook(server)


def test_a_warning_is_sent_once_a_cause_and_resolves_itself(plot: Field, hook: Hook) -> None:
    plot.add(plot.learn(), warn={"send": [hook.address]})
    plot.harvest()
    assert hook.messages == []
    plot.site.wall = True
    plot.harvest()
    plot.harvest()
    [message] = hook.messages
    assert "orchard" in message["title"]
    assert "windrow login" in message["message"]
    with plot.store.reading() as connection:
        [warning] = list_warnings(connection)
    assert (warning["kind"], warning["count"]) == ("blocked", 2)
    plot.site.wall = False
    plot.harvest()
    assert plot.warnings() == {}
    plot.site.wall = True
    plot.harvest()
    assert len(hook.messages) == 2


def test_whoever_was_reached_is_not_told_again_because_of_others(plot: Field, hook: Hook) -> None:
    with Server(Site(files={"/hook": File("no", status=500)})) as broken:
        plot.add(plot.learn(), warn={"send": [hook.address, Hook(broken).address]})
        plot.site.wall = True
        said: list[str] = []
        for _ in range(2):
            harvest_source(plot.store, "orchard", say=said.append)
        assert len(hook.messages) == 1
        assert len(broken.asked_for("/hook")) == 2, "what fails is tried once more"
    [sentence] = said
    assert sentence.startswith("1 of 2 addresses of warn.send could not be reached.")


def test_a_private_address_is_told_nothing_unless_that_is_allowed(plot: Field, hook: Hook) -> None:
    wrapper = plot.learn()
    said: list[str] = []
    plot.add(wrapper, warn={"send": [hook.address]}, network={"allow_private": False})
    report = harvest_source(plot.store, "orchard", say=said.append)
    assert report.exit_code == 4
    assert hook.server.requests == []
    assert len(said) == 1
    assert "network.allow_private" in said[0]
    assert hook.address not in said[0]


def test_secrets_are_in_no_export_no_log_and_no_sentence(
    plot: Field, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("ORCHARD_TOKEN", "s3cret-one")
    caplog.set_level(logging.DEBUG)
    headers = {"Authorization": "Bearer s3cret-two", "X-Token": "env:ORCHARD_TOKEN"}
    plot.add(plot.learn(), network={"headers": headers}, warn={"send": ["json://user:s3cret-three@127.0.0.1:9/x"]})
    plot.site.wall = True
    said: list[str] = []
    report = harvest_source(plot.store, "orchard", say=said.append)
    toml, files = export_toml(plot.store, ["orchard"])
    shown = run("source", "show", "orchard", "--store", plot.store.name)
    as_json = run("source", "show", "orchard", "--json", "--store", plot.store.name)
    told = [caplog.text, report.sentence, *said, toml, *files.values(), shown.output, as_json.output]
    assert [text for text in told if "s3cret" in text] == []
    assert 'X-Token = "env:ORCHARD_TOKEN"' in toml or '"X-Token" = "env:ORCHARD_TOKEN"' in toml


HOSTILE = {
    "select": "=1+1",
    "SELECT": "@SUM(A1)",
    'a"b': "+cmd|' /C calc'!A0",
    "x" * 90: "-2+3",
    "x" * 89 + "y": "a\u0000b",
    "Ä; DROP TABLE": "<script>alert(1)</script>",
    "%s": "\u202egnp.exe",
    "url": "javascript:alert(1)",
    "key": "line\u2028two\tthree",
}


def test_hostile_labels_and_values_come_out_as_they_stood(plot: Field, tmp_path: Path) -> None:
    rows = "".join(
        f"<div class='r'><h2>Row {row}</h2>"
        + "".join(f"<p class='c{n}'>{escape(v)} {row}</p>" for n, v in values())
        + "</div>"
        for row in range(4)
    )
    plot.site.files["/rows"] = File(f"<!doctype html><main>{rows}</main>")
    page = windrow.load(f"{plot.server.url}/rows", render=False, options=windrow.Options(allow_private=True))
    lesson = [
        {"name": f"Row {row}"} | {label: f"{shown(value)} {row}" for label, value in HOSTILE.items()} for row in (0, 1)
    ]
    plot.add(
        windrow.learn(page, lesson), starts=["/rows"], follow={"list": "none", "detail": None}, read={"key": ["name"]}
    )
    report = plot.harvest()
    assert (report.state, report.counts.records) == ("whole", 4), report
    truth = {
        f"Row {row}": {"name": f"Row {row}"} | {label: f"{shown(value)} {row}" for label, value in HOSTILE.items()}
        for row in range(4)
    }
    assert plot.records() == truth
    where = ["--store", plot.store.name]
    found = objects(run("export", "orchard", "--json", *where))
    assert {each["key"]: each["values"] for each in found} == truth
    for suffix in ("csv", "jsonl", "parquet", "xlsx", "db"):
        done = run("export", "orchard", "-o", tmp_path / f"out.{suffix}", *where)
        assert done.exit_code == 0, done.output
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8-sig") as file:
        assert "=1+1 0" in [cell for row in csv.reader(file) for cell in row]
    with zipfile.ZipFile(tmp_path / "out.xlsx") as book:
        assert not [name for name in book.namelist() if name.endswith(".xml") and b"<f>" in book.read(name)]
    with sqlite3.connect(tmp_path / "out.db") as database:
        [name] = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")][:1]
        quoted = name.replace('"', '""')
        stored = [cell for row in database.execute(f'SELECT * FROM "{quoted}"') for cell in row]  # noqa: S608 - quoted
    assert "=1+1 0" in stored
    assert len(objects(run("history", "orchard", "--json", *where))) == 4
    with sqlite3.connect(plot.store.name) as database:
        names = [row[1] for row in database.execute("PRAGMA table_info(orchard)")]
    assert len({name.lower() for name in names}) == len(names) >= len(HOSTILE) + 1


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def shown(text: str) -> str:
    """Return a text as a page displays it: NULs are dropped or replaced, white space is collapsed."""
    return " ".join(text.replace("\u0000", "").split())


def values() -> list[tuple[int, str]]:
    return list(enumerate(HOSTILE.values()))


def test_values_that_are_kept_are_told_once_and_counted_as_they_are(plot: Field, hook: Hook) -> None:
    plot.add(plot.learn(), warn={"send": [hook.address]})
    plot.harvest()
    place = next(place for place, tree in enumerate(plot.site.trees) if place > 3 and tree.has_year)
    plot.site.trees[place] = changed(plot.site.trees[place], has_year=False)
    for _ in range(3):
        plot.harvest()
        assert len(hook.messages) == 1
        with plot.store.reading() as connection:
            [known] = list_warnings(connection)
        assert (known["kind"], known["severity"], known["count"]) == ("missing", "warning", 1)


def test_values_that_are_kept_do_not_hide_that_a_run_is_held(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    years = [place for place, tree in enumerate(plot.site.trees) if place > 3 and tree.has_year]
    plot.site.trees[years[0]] = changed(plot.site.trees[years[0]], has_year=False)
    plot.harvest()
    for place in years:
        plot.site.trees[place] = changed(plot.site.trees[place], has_year=False)
    assert plot.harvest().state == "deferred"
    assert "--held" in plot.warnings()["missing"]
    plot.site.wall = True
    plot.harvest()
    assert "--held" in plot.warnings()["missing"]
