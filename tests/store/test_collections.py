"""Two sources in one collection: a duplicate, a disagreement, and what is merely alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from harvesting import add_source, harvest, seen
from sqlalchemy import event, inspect, text

from windrow.errors import UsageError
from windrow.store.collection_views import renew_views_of
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
from windrow.store.views import make_view

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


@pytest.mark.parametrize(
    ("mine", "theirs", "conflicts"),
    [
        (("29.00 €", 29.0), ("29,00 €", 29.0), []),
        (("1,200 kg", 1200), ("1.200 kg", 1200.0), []),
        (("29.00 €", 29.0), ("29,50 €", 29.5), ["price"]),
        (("29.00 €", 29.0), ("29.00 $", 29.0), ["price"]),
        (("3 May 2026", "2026-05-03"), ("03.05.2026", "2026-05-03"), []),
        (("3 May 2026", "2026-05-03"), ("05.03.2026", "2026-03-05"), ["price"]),
        (("29.00 €", 29.0), ("29,00 €", None), ["price"]),
        (("29.- €", 29), ("29,00 €", 29.0), []),
        (("+5", 5), ("5", 5), []),
        (("4/5", 4.0), ("4 out of 5", 4.0), []),
        (("4/5", 4.0), ("4/10", 4.0), ["price"]),
        (("7/10", 7.0), ("7/5", 7.0), ["price"]),
        (("5 %", 5), ("5", 5), ["price"]),
        (("3 rooms of 80 m²", 3), ("3 rooms of 60 m²", 3), ["price"]),
    ],
)
def test_one_amount_that_is_written_in_two_ways_is_no_disagreement(
    store: Store, mine: tuple[str, object], theirs: tuple[str, object], conflicts: list[str]
) -> None:
    for name, (said, typed), label in (("barn", mine, "price"), ("shed", theirs, "preis")):
        add_source(store, name)
        key = {"number" if name == "barn" else "nummer": "1"}
        sighting = replace(seen("1", **key, **{label: said}), typed={} if typed is None else {label: typed})
        harvest(store, {"list": [sighting]}, name=name)
    with store.writing() as connection:
        save_collection(connection, TOOLS)
    (row,) = gather(store)
    assert row.conflicts == conflicts


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


def view_of(store: Store, name: str = "tools") -> list[dict[str, object]]:
    with store.reading() as connection:
        return [dict(row) for row in connection.execute(text(f"SELECT * FROM {name}")).mappings()]  # noqa: S608 - of ours


def renew(store: Store) -> None:
    with store.writing() as connection:
        renew_views_of(connection, "barn")


def test_the_view_of_a_collection_shows_its_rows_with_the_first_values(two_sources: Store) -> None:
    renew(two_sources)
    expected = [{**row.values, "sources": " | ".join(row.sources)} for row in gather(two_sources)]
    assert view_of(two_sources) == expected
    assert expected[1] == {
        "sku": "AB-13", "name": "Rake of oak", "price": "7 €", "oak": "yes", "sources": "barn | shed"
    }  # fmt: skip
    changed = [seen("1", number="AB-12", title="Pitchfork", price="9 €"), seen("9", number="77", title="Hoe")]
    harvest(two_sources, {"list": changed}, name="barn")
    assert "Pitchfork" in {row["name"] for row in view_of(two_sources)}
    renew(two_sources)
    assert view_of(two_sources) == [{**row.values, "sources": " | ".join(row.sources)} for row in gather(two_sources)]


def test_the_view_of_a_collection_is_made_anew_with_its_labels_and_goes_with_it(two_sources: Store) -> None:
    renew(two_sources)
    with two_sources.writing() as connection:
        save_collection(
            connection,
            replace(
                TOOLS, sources={"barn": {"sku": "number", "Sources": "title", "select": "url", '100 % "x"': "key"}}
            ),
        )
    renew(two_sources)
    first = view_of(two_sources)[0]
    assert list(first) == ["sku", "Sources_2", "select", '100 % "x"', "sources"]
    assert (first["Sources_2"], first['100 % "x"'], first["sources"]) == ("Fork", "1", "barn")
    with two_sources.writing() as connection:
        remove_collection(connection, "tools")
    with two_sources.reading() as connection:
        assert "tools" not in inspect(connection).get_view_names()


def test_the_view_of_a_collection_has_another_name_where_a_source_has_its_own(two_sources: Store) -> None:
    with two_sources.writing() as connection:
        save_collection(connection, replace(TOOLS, name="barn"))
    make_view(two_sources, 1)
    renew(two_sources)
    assert len(view_of(two_sources, "barn_2")) == len(gather(two_sources))


def test_nothing_is_written_where_a_collection_is_as_it_was(two_sources: Store) -> None:
    renew(two_sources)
    with two_sources.writing() as connection:
        written: list[str] = []
        event.listen(connection, "before_cursor_execute", lambda *about: written.append(about[2].split()[0].upper()))
        renew_views_of(connection, "barn")
    assert set(written) == {"SELECT"}
