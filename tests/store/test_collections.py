"""Two sources in one collection: a duplicate, a disagreement, and what is merely alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harvesting import add_source, harvest, seen

from windrow.errors import UsageError
from windrow.store.collections import (
    Collection,
    Gathering,
    get_collection,
    list_collections,
    remove_collection,
    save_collection,
)
from windrow.store.likeness import find_alike
from windrow.store.rows import Wanted

if TYPE_CHECKING:
    from windrow.store import Store
    from windrow.store.collections import Merged

TOOLS = Collection(
    name="tools",
    key=["sku"],
    compare=["name"],
    sources={
        "barn": {"sku": "number", "name": "title", "price": "price"},
        "shed": {"sku": "nummer", "name": "name", "price": "preis", "oak": "oak"},
    },
)


@pytest.fixture
def two_sources(store: Store) -> Store:
    add_source(store, "barn")
    add_source(store, "shed")
    barn = [
        seen("1", number="AB-12", title="Fork", price="5 €"),
        seen("2", number="AB-13", title="Rake of oak", price="7 €"),
        seen("3", title="A nameless thing"),
        seen("4", number="ab12", title="Second fork"),
    ]
    shed = [
        seen("x", nummer="ab 13", name="Rake", preis="7  €", oak="yes"),
        seen("y", nummer="ab12", name="Fork", preis="6 €"),
        seen("z", nummer="99", name="Oak rake, of"),
        seen("w", name="Thing, a nameles"),
    ]
    harvest(store, {"list": barn}, name="barn")
    harvest(store, {"other": shed}, name="shed")
    with store.writing() as connection:
        save_collection(connection, TOOLS)
    return store


def gather(store: Store, *, gone: bool = False) -> list[Merged]:
    with store.reading() as connection:
        found = Gathering(connection, get_collection(connection, "tools"), Wanted(gone=gone))
        rows = list(found)
        assert len(rows) == len(found)
    return rows


def test_rows(two_sources: Store) -> None:
    rows = gather(two_sources)
    assert [(row.key, list(row.sources)) for row in rows] == [
        ("AB-12", ["barn", "shed"]),
        ("AB-13", ["barn", "shed"]),
        (None, ["barn"]),
        ("ab12", ["barn"]),  # a second record of the same source is not lost
        ("99", ["shed"]),
        (None, ["shed"]),  # without a key nothing is the same
    ]


def test_a_disagreement(two_sources: Store) -> None:
    fork, rake = gather(two_sources)[:2]
    assert fork.to_dict() == {
        "collection": "tools",
        "key": "AB-12",
        "values": {"sku": "AB-12", "name": "Fork", "price": "5 €", "oak": None},
        "from": {"sku": "barn", "name": "barn", "price": "barn"},
        "sources": {
            "barn": {"sku": "AB-12", "name": "Fork", "price": "5 €"},
            "shed": {"sku": "ab12", "name": "Fork", "price": "6 €", "oak": None},
        },
        "records": {"barn": "1", "shed": "y"},
        "conflicts": ["price"],
    }
    assert rake.conflicts == ["name"], "white space is no disagreement"
    assert (rake.values["oak"], rake.shown_from["oak"]) == ("yes", "shed")


def test_exact_keys(two_sources: Store) -> None:
    with two_sources.writing() as connection:
        save_collection(connection, Collection(name="tools", key=["sku"], match="exact", sources=TOOLS.sources))
    rows = gather(two_sources)
    assert [list(row.sources) for row in rows if len(row.sources) > 1] == [["barn", "shed"]]
    assert next(row for row in rows if len(row.sources) > 1).key == "ab12"


def test_what_is_gone_is_left_out(two_sources: Store) -> None:
    harvest(two_sources, {"other": []}, name="shed")
    assert all(list(row.sources) == ["barn"] for row in gather(two_sources))
    assert gather(two_sources, gone=True)[0].conflicts == ["price"]


def test_near_duplicates_are_proposed_and_not_merged(two_sources: Store) -> None:
    with two_sources.reading() as connection:
        gathering = Gathering(connection, get_collection(connection, "tools"))
        pairs = list(find_alike(gathering))
        assert [(pair.first_values["name"], pair.second_values["name"]) for pair in pairs] == [
            # The oak rake is alike, too, but the shed has both and says that they are two things.
            ("Thing, a nameles", "A nameless thing")
        ]
        assert pairs[0].to_dict()["pair"][0]["sources"] == ["shed"]
        assert 0.9 < pairs[0].likeness < 1
        assert list(find_alike(gathering, 1)) == []
        with pytest.raises(UsageError, match="likeness of 90 can't be meant"):
            list(find_alike(gathering, 90))


def test_collections_come_and_go(two_sources: Store) -> None:
    with two_sources.writing() as connection:
        assert list_collections(connection) == [TOOLS]
        remove_collection(connection, "tools")
        with pytest.raises(UsageError, match="There is no collection 'tools'; there is none yet"):
            get_collection(connection, "tools")
        with pytest.raises(UsageError, match="needs a key"):
            save_collection(connection, Collection(name="tools", key=[]))


def test_a_source_that_is_no_more(two_sources: Store) -> None:
    with two_sources.writing() as connection:
        save_collection(connection, Collection(name="tools", key=["sku"], sources={"loft": {"sku": "sku"}}))
    with pytest.raises(UsageError, match="There is no source 'loft'; there are: barn, shed"):
        gather(two_sources)
