"""Records a page at a time: every record once, forth and back, whatever they are searched, filtered and sorted by."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from harvesting import SITE, add_source, harvest, seen

from windrow.errors import UsageError
from windrow.store.browsing import Asked, Selected, browse, count
from windrow.store.facets import find_facets
from windrow.store.selection import Chosen, Filter
from windrow.store.sightings import Sighting
from windrow.store.sources import get_source

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from windrow.store import Store
    from windrow.store.browsing import Found

TOOLS = [
    ("1", "Rake", "12.50", "ash"),
    ("2", "Scythe", "9", "Ash"),
    ("3", "Straße", "100", "steel"),
    ("4", 'Say "x"\\\n', "7", "ash"),
    ("5", "Nul\x00l", None, "ash"),
    ("6", "ÄHRE", "no price", "oak"),
]


@pytest.fixture
def barn(store: Store) -> Store:
    add_source(store, "other")
    add_source(store)
    harvest(store, {"x": [seen("0", name="not ours")]}, name="other")
    sightings = []
    for key, name, price, wood in TOOLS:
        values = {"name": name, "wood": wood} | ({} if price is None else {"price": price})
        typed = {"price": float(price)} if price and price[0].isdigit() else {}
        sightings.append(Sighting(key, values, typed, url=f"{SITE}/{key}"))
    harvest(store, {"list": sightings})
    return store


def keys(found: Found) -> list[str]:
    return [str(record.key) for record in found.records]


def ask(store: Store, asked: Asked) -> list[str]:
    with store.reading() as connection:
        return keys(browse(connection, get_source(connection, "barn"), asked))


def walk(connection: Connection, asked: Asked) -> tuple[list[list[str]], list[list[str]]]:
    """Return the keys of all pages, forth from the first and back from the last one that this leads to."""
    source, there, back = get_source(connection, "barn"), [], []
    found = browse(connection, source, asked)
    there.append(keys(found))
    while found.next:
        assert found.last == "last"
        found = browse(connection, source, replace(asked, cursor=found.next))
        there.append(keys(found))
    assert found.last is None
    back.append(keys(found))
    while found.previous:
        found = browse(connection, source, replace(asked, cursor=found.previous))
        back.append(keys(found))
    return there, back


@pytest.mark.parametrize("limit", [1, 2, 4, 6, 7])
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("sort", ["", "name", "@key", "@last_seen"])
def test_pages_have_every_record_once_forth_and_back(barn: Store, sort: str, limit: int, *, descending: bool) -> None:
    asked = Asked(sort=sort, descending=descending, limit=limit)
    with barn.reading() as connection:
        there, back = walk(connection, asked)
        source = get_source(connection, "barn")
        assert there == back[::-1]
        assert sorted(key for page in there for key in page) == ["1", "2", "3", "4", "5", "6"]
        last = browse(connection, source, replace(asked, cursor="last"))
        assert keys(last) == there[-1]
        assert (last.first, last.total, last.next) == (6 - len(there[-1]) + 1, 6, None)
        streamed = [str(record.key) for record in Selected(connection, source, asked)]
        assert streamed == [key for page in there for key in page]


def test_numbers_are_sorted_as_numbers_and_what_has_none_comes_last(barn: Store) -> None:
    assert ask(barn, Asked(sort="price")) == ["4", "2", "1", "3", "6", "5"]
    assert ask(barn, Asked(sort="price", descending=True)) == ["3", "1", "2", "4", "6", "5"]


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        ("rake", ["1"]),
        ("STRASSE", ["3"]),
        ("ähre", ["6"]),
        ('say "X"\\', ["4"]),
        ("nul\x00", ["5"]),
        ("ash", ["1", "2", "4", "5"]),
        ("12.5", ["1"]),
        ('","', []),
        ("%", []),
        ("' OR 1=1 --", []),
        ("  ", ["1", "2", "3", "4", "5", "6"]),
    ],
)
def test_a_search_finds_texts_in_capitals_or_not_and_nothing_of_how_they_are_stored(
    barn: Store, search: str, expected: list[str]
) -> None:
    assert ask(barn, Asked(search=search)) == expected


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ([Filter("wood", "is", "ash")], ["1", "4", "5"]),
        ([Filter("wood", "has", "AS")], ["1", "2", "4", "5"]),
        ([Filter("price", "lacks")], ["5"]),
        ([Filter("price", "least", "9"), Filter("price", "most", "12.5")], ["1", "2"]),
        ([Filter("wood", "is", "ash"), Filter("name", "has", "rak")], ["1"]),
    ],
)
def test_filters_hold_together(barn: Store, filters: list[Filter], expected: list[str]) -> None:
    assert ask(barn, Asked(filters=tuple(filters))) == expected


@pytest.mark.parametrize(
    "asked",
    [
        Asked(sort='name"]); DROP TABLE windrow_record; --'),
        Asked(filters=(Filter("x' OR 1=1", "is", "y"),)),
        Asked(filters=(Filter("price", "least", "cheap"),)),
        Asked(cursor="after-1"),
        Asked(cursor="before-x-1"),
        Asked(limit=0),
        Asked(limit=100_000),
    ],
)
def test_what_cannot_be_meant_is_refused(barn: Store, asked: Asked) -> None:
    with pytest.raises(UsageError):
        ask(barn, asked)


def test_states_are_told_apart(barn: Store) -> None:
    harvest(barn, {"list": [seen(key, name=name) for key, name, *_ in TOOLS if key != "2"]})
    assert ask(barn, Asked()) == ["1", "3", "4", "5", "6"]
    assert ask(barn, Asked(state="gone")) == ["2"]
    assert ask(barn, Asked(state="all", limit=3)) == ["1", "2", "3"]
    assert ask(barn, Asked(state="all", sort="name")) == ["5", "1", "4", "2", "3", "6"]
    with barn.reading() as connection:
        source = get_source(connection, "barn")
        assert [count(connection, source, Chosen(state=state)) for state in ("present", "gone", "all")] == [5, 1, 6]


def test_a_selection_is_made_anew_when_records_change(barn: Store) -> None:
    assert ask(barn, Asked(search="rake")) == ["1"]
    harvest(barn, {"list": [seen("1", name="Rake"), seen("9", name="Second rake")]}, state="partial")
    assert ask(barn, Asked(search="rake")) == ["1", "9"]


def test_a_page_behind_a_record_that_is_no_longer_wanted_goes_on_at_its_place(barn: Store) -> None:
    asked = Asked(sort="@key", limit=2)
    with barn.reading() as connection:
        cursor = browse(connection, get_source(connection, "barn"), asked).next
    harvest(barn, {"list": [seen(key, name=name) for key, name, *_ in TOOLS if key != "2"]})
    assert cursor is not None
    assert ask(barn, replace(asked, cursor=cursor)) == ["3", "4"]


def test_facets_count_the_values_that_several_records_have(barn: Store) -> None:
    with barn.reading() as connection:
        source = get_source(connection, "barn")
        found = find_facets(connection, source, Chosen())
        assert [(facet.label, facet.values, facet.others) for facet in found.facets] == [("wood", [("ash", 3)], 3)]
        assert find_facets(connection, source, Chosen(search="rake")).counted == 1
