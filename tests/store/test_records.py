"""What pages show becomes records with a history: added, changed, removed, returned. Nothing flips, nothing is lost."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from command import run
from harvesting import FAILED, SAME, SITE, add_source, harvest, seen

from windrow.errors import UsageError
from windrow.store.history import Asked, History, choose_points
from windrow.store.points import Point, find_point
from windrow.store.rows import Rows, Wanted
from windrow.store.sightings import Origin
from windrow.store.sources import get_source
from windrow.store.views import make_view
from windrow.store.warnings import list_warnings

if TYPE_CHECKING:
    from pathlib import Path

    from windrow.store import Store
    from windrow.store.rows import Record


def records(store: Store, name: str = "barn", **wanted: Any) -> dict[str, Record]:  # noqa: ANN401 - as of Wanted
    with store.reading() as connection:
        return {str(each.key): each for each in Rows(connection, get_source(connection, name), Wanted(**wanted))}


def values(store: Store, **wanted: Any) -> dict[str, dict[str, Any]]:  # noqa: ANN401 - as of Wanted
    found = records(store, **wanted)
    return {key: {name: text for name, text in each.values.items() if text is not None} for key, each in found.items()}


def changes(store: Store, **asked: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - as of Asked
    with store.reading() as connection:
        found = History(connection, get_source(connection, "barn")).changes(Asked(**asked))
        return [(each.run, each.key, each.kind, each.label, each.old, each.new) for each in found]


def difference(store: Store, *points: str) -> list[tuple[Any, ...]]:
    with store.reading() as connection:
        source = get_source(connection, "barn")
        found = History(connection, source).difference(*choose_points(connection, source, points))
        return [(each.key, each.kind, each.label, each.old, each.new) for each in found]


def warned(store: Store) -> dict[str, int]:
    with store.reading() as connection:
        return {each["kind"]: each["count"] for each in list_warnings(connection)}


@pytest.fixture
def four_runs(store: Store) -> Store:
    """Fork and rake; the fork gets dearer, goes and comes back as it was."""
    add_source(store)
    harvest(store, {"list": [seen("fork", price="5", name="Fork"), seen("rake", price="7")]})
    harvest(store, {"list": [seen("fork", price="6", name="Fork"), seen("rake", price="7")]})
    harvest(store, {"list": [seen("rake", price="7")]})
    harvest(store, {"list": [seen("fork", price="5", name="Fork"), seen("rake", price="7", tags=["new", "oak"])]})
    return store


def test_history(four_runs: Store) -> None:
    assert changes(four_runs) == [
        (1, "fork", "added", None, None, None),
        (1, "rake", "added", None, None, None),
        (2, "fork", "changed", "price", "5", "6"),
        (3, "fork", "removed", None, None, None),
        (4, "fork", "returned", None, None, None),
        (4, "fork", "changed", "price", "6", "5"),
        (4, "rake", "changed", "tags", None, ["new", "oak"]),
    ]
    assert [each[0] for each in changes(four_runs, key="fork", label="price")] == [2, 4]
    assert [each[2] for each in changes(four_runs, since=Point(2), key="fork")] == ["removed", "returned", "changed"]


def test_history_of_what_there_is_not(four_runs: Store) -> None:
    with pytest.raises(UsageError, match=r"barn has no record with the key 'hoe'\. `windrow export barn --gone`"):
        changes(four_runs, key="hoe")
    with pytest.raises(UsageError, match="barn has no label 'cost'; there are: price, name, tags"):
        changes(four_runs, label="cost")


def test_records_at_each_run(four_runs: Store) -> None:
    fork, rake = {"price": "5", "name": "Fork"}, {"price": "7"}
    assert values(four_runs, at=Point(1)) == {"fork": fork, "rake": rake}
    assert values(four_runs, at=Point(2)) == {"fork": fork | {"price": "6"}, "rake": rake}
    assert values(four_runs, at=Point(3)) == {"rake": rake}
    assert values(four_runs, at=Point(3), gone=True) == {"fork": fork | {"price": "6"}, "rake": rake}
    assert values(four_runs, at=Point(4)) == values(four_runs)
    assert values(four_runs) == {"fork": fork, "rake": rake | {"tags": ["new", "oak"]}}


def test_when_a_record_was_seen_at_each_run(four_runs: Store) -> None:
    seen_at = [records(four_runs, at=Point(run), gone=True)["fork"] for run in (1, 2, 3, 4)]
    assert [(each.state, each.run) for each in seen_at] == [("present", 1), ("present", 2), ("gone", 2), ("present", 4)]
    assert records(four_runs)["fork"].first_seen == records(four_runs, at=Point(1))["fork"].last_seen


def test_records_at_a_moment(four_runs: Store) -> None:
    with four_runs.reading() as connection:
        source = get_source(connection, "barn")
        moment = connection.exec_driver_sql("SELECT started_at FROM windrow_run WHERE id = 4").scalar_one()
        [before, after] = [find_point(connection, source, text) for text in ("1999-12-31", "2999-01-01T00:00:00Z")]
    assert values(four_runs, at=Point(moment=moment)) == values(four_runs, at=Point(3))
    assert values(four_runs, at=before, gone=True) == {}
    assert values(four_runs, at=after) == values(four_runs)


def test_a_second_includes_all_that_happened_in_it(four_runs: Store) -> None:
    with four_runs.writing() as connection:
        connection.exec_driver_sql("UPDATE windrow_change SET at = '2027-03-28T12:00:05.400000Z' WHERE run_id = 4")
        source = get_source(connection, "barn")
        [during, before] = [find_point(connection, source, f"2027-03-28T12:00:05{end}") for end in ("Z", ".3Z")]
    assert values(four_runs, at=during) == values(four_runs, at=Point(4))
    assert values(four_runs, at=before) == values(four_runs, at=Point(3))


@pytest.mark.parametrize(
    ("text", "said"), [("9", "barn has no run 9; it has runs from 1 to 4"), ("soon", "not a date")]
)
def test_points_that_are_none(four_runs: Store, text: str, said: str) -> None:
    with four_runs.reading() as connection, pytest.raises(UsageError, match=said):
        find_point(connection, get_source(connection, "barn"), text)


def test_difference(four_runs: Store) -> None:
    fork, tags = ("fork", "changed", "price", "6", "5"), ("rake", "changed", "tags", None, ["new", "oak"])
    assert difference(four_runs) == [("fork", "returned", None, None, None), fork, tags]
    assert difference(four_runs, "3") == [("fork", "removed", None, None, None)]
    assert difference(four_runs, "1", "2") == [("fork", "changed", "price", "5", "6")]
    assert difference(four_runs, "2", "1") == [("fork", "changed", "price", "5", "6")]
    assert difference(four_runs, "1", "4") == [tags], "what went and came back is no difference"
    assert difference(four_runs, "1999-12-31", "3") == [("rake", "added", None, None, None)]


def test_difference_without_two_runs(store: Store) -> None:
    add_source(store)
    harvest(store, {"list": [seen("fork", price="5")]})
    harvest(store, {"list": []}, state="partial")
    with pytest.raises(UsageError, match="There are no two whole runs of barn to compare yet"):
        difference(store)


def test_a_value_that_stays_stands_where_the_version_that_reads_it_saw_it(store: Store) -> None:
    add_source(store)
    harvest(store, {"1": [seen("rake", price="3", wood="ash")]})
    harvest(store, {"1": [seen("rake", price="4", wood="ash")]})
    moved = {label: Origin(f"/html/body/dl/dd[@class='{label}']") for label in ("price", "wood")}
    harvest(store, {"1": [replace(seen("rake", price="4", wood="ash"), origin=moved)]}, version=2)
    origin = records(store, origin=True)["rake"].origin
    assert origin is not None
    assert {label: (each["path"], each["wrapper"]) for label, each in origin.items()} == {
        label: (place.path, 2) for label, place in moved.items()
    }
    with store.reading() as connection:
        kinds = [each.kind for each in History(connection, get_source(connection, "barn")).changes(Asked(key="rake"))]
    assert kinds == ["added", "changed"]


def test_origin(four_runs: Store) -> None:
    fork = records(four_runs, origin=True)["fork"].origin
    assert fork is not None
    assert {label: (each["url"], each["path"]) for label, each in fork.items()} == {
        "name": (f"{SITE}/list", "/html/body/p[@class='name']"),
        "price": (f"{SITE}/list", "/html/body/p[@class='price']"),
    }
    assert fork["price"]["page"] > fork["name"]["page"]
    assert fork["name"] | {"page": 0, "at": ""} == {
        "page": 0, "url": f"{SITE}/list", "at": "", "path": "/html/body/p[@class='name']", "box": [1, 2, 3, 4],
        "wrapper": 1, "confidence": 0.9,
    }  # fmt: skip
    before = records(four_runs, origin=True, at=Point(2))["fork"].origin
    assert before is not None
    assert fork["name"] == before["name"]
    assert fork["price"]["page"] > before["price"]["page"] > before["name"]["page"]


def test_a_key_of_several_labels_is_a_list(store: Store) -> None:
    add_source(store, settings={"read": {"key": ["name", "year"]}})
    harvest(store, {"list": [seen('["Hay","1917"]', name="Hay"), seen("[broken", name="Rake")]})
    with store.reading() as connection:
        source = get_source(connection, "barn")
        assert [each.key for each in Rows(connection, source)] == [["Hay", "1917"], "[broken"]
        found = list(History(connection, source).changes(Asked(key="1917")))
    assert [each.key for each in found] == [["Hay", "1917"]]


def test_only_a_whole_run_removes(store: Store) -> None:
    add_source(store)
    harvest(store, {"a": [seen("1", x="1")], "b": [seen("2", x="2")]})
    assert harvest(store, {"a": []}, state="partial").counts.removed == 0
    assert set(values(store)) == {"1", "2"}
    assert harvest(store, {"a": []}).counts.removed == 2
    assert values(store) == {}
    assert {each.state for each in records(store, gone=True).values()} == {"gone"}


def test_a_page_that_failed_leaves_its_records(store: Store) -> None:
    add_source(store)
    harvest(store, {"a": [seen("1", x="1")], "b": [seen("2", x="2")]})
    harvest(store, {"a": FAILED, "b": SAME}, state="partial")
    found = records(store)
    assert {key: each.run for key, each in found.items()} == {"1": 1, "2": 2}


def test_a_view_and_files_name_the_values_that_are_kept(store: Store, where: str, tmp_path: Path) -> None:
    add_source(store)
    harvest(store, {"a": [seen("1", price="5", name="Fork"), seen("2", price="6", name="Rake")]})
    harvest(store, {"a": [seen("1", name="Fork"), seen("2", price="6", name="Rake")]})
    make_view(store, 1)
    with store.reading() as connection:
        rows = connection.exec_driver_sql("SELECT key, price, kept FROM barn ORDER BY key").all()
    assert [tuple(row) for row in rows] == [("1", "5", '["price"]'), ("2", "6", None)]
    assert run("export", "barn", "-o", tmp_path / "barn.csv", "--store", where).exit_code == 0
    with (tmp_path / "barn.csv").open(encoding="utf-8", newline="") as file:
        assert [(row["key"], row["kept"]) for row in csv.DictReader(file)] == [("1", "price"), ("2", "")]
    assert run("export", "barn", "-o", tmp_path / "barn.db", "--store", where).exit_code == 0
    with closing(sqlite3.connect(tmp_path / "barn.db")) as copy:
        assert copy.execute("SELECT key, kept FROM barn").fetchall() == [("1", '["price"]'), ("2", None)]


def test_good_values_are_not_overwritten_by_missing_ones(store: Store) -> None:
    add_source(store)
    harvest(store, {"a": [seen("1", price="5", name="Fork")]})
    second = harvest(store, {"a": [seen("1", name="Fork")]})
    assert second.counts.changed == 0
    assert values(store) == {"1": {"price": "5", "name": "Fork"}}
    with store.reading() as connection:
        assert connection.exec_driver_sql("SELECT lacking FROM windrow_record").scalar_one() is not None
    harvest(store, {"a": [seen("1", price="5", name="Fork")]})
    with store.reading() as connection:
        assert connection.exec_driver_sql("SELECT lacking FROM windrow_record").scalar_one() is None
    assert len(changes(store)) == 1


def test_an_unchanged_run_stores_nothing(store: Store) -> None:
    add_source(store)
    pages = {"a": [seen("1", x="1"), seen("2", x="2")], "b": [seen("3", x="3")]}
    harvest(store, pages)
    before = changes(store)
    counts = harvest(store, {"a": SAME, "b": pages["b"]}).counts
    assert (counts.records, counts.added, counts.changed, counts.removed, counts.not_modified) == (3, 0, 0, 0, 1)
    assert changes(store) == before
    assert {each.run for each in records(store).values()} == {2}


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_a_record_that_moves_between_pages_is_the_same(store: Store, order: tuple[str, str]) -> None:
    add_source(store)
    moving, staying = seen("1", x="1"), seen("2", x="2")
    for where in ("a", "b", "a", "b"):
        pages = {page: [staying] * (page == "a") + [moving] * (page == where) for page in order}
        counts = harvest(store, pages).counts
        assert (counts.removed, counts.changed, counts.returned) == (0, 0, 0)
    assert [each[2] for each in changes(store)] == ["added", "added"]
    assert warned(store) == {}


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_a_record_that_moves_and_changes(store: Store, order: tuple[str, str]) -> None:
    add_source(store)
    harvest(store, {"a": [seen("1", x="old")], "b": []})
    harvest(store, {page: [seen("1", x="new")] * (page == "b") for page in order})
    assert values(store) == {"1": {"x": "new"}}
    assert [each[2] for each in changes(store)] == ["added", "changed"]
    assert warned(store) == {}


def test_a_record_whose_page_is_no_more_moves_to_the_page_that_shows_it(store: Store) -> None:
    add_source(store)
    harvest(store, {"a": [seen("1", x="1")], "b": []})
    counts = harvest(store, {"b": [seen("1", x="1")]}).counts
    assert (counts.removed, counts.added) == (0, 0)
    assert harvest(store, {"b": [seen("1", x="1")]}).counts.removed == 0


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_two_pages_with_one_key(store: Store, order: tuple[str, str]) -> None:
    add_source(store)
    pages = {"a": [seen("1", x="first")], "b": [seen("1", x="second")]}
    harvest(store, pages)
    for _ in range(3):
        counts = harvest(store, {page: pages[page] for page in order}).counts
        assert counts.changed == 0
    assert values(store) == {"1": {"x": "first"}}
    assert warned(store) == {"key": 4}
    assert len(changes(store)) == 1


def test_one_key_twice_on_one_page(store: Store) -> None:
    add_source(store)
    harvest(store, {"a": [seen("1", x="first"), seen("1", x="second"), seen("1", x="first")]})
    assert values(store) == {"1": {"x": "first"}}
    assert warned(store) == {"key": 1}


def test_a_duplicate_keeps_a_record_whose_own_page_lost_it(store: Store) -> None:
    add_source(store)
    pages = {"a": [seen("1", x="1"), seen("2", x="2")], "b": [seen("1", x="1")]}
    harvest(store, pages)
    assert warned(store) == {}, "the same record shown twice is no conflict"
    with pytest.raises(AssertionError, match="b is to be read again"):
        harvest(store, {"a": [seen("2", x="2")], "b": SAME})


def test_a_claim_of_a_run_that_was_cut_is_made_again(store: Store) -> None:
    add_source(store)
    harvest(store, {"a": [seen("1", x="1")], "b": []})
    harvest(store, {"b": [seen("1", x="1")], "a": FAILED}, state="partial")
    counts = harvest(store, {"b": [seen("1", x="1")], "a": []}).counts
    assert (counts.removed, counts.returned) == (0, 0)
    assert set(values(store)) == {"1"}
