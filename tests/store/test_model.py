"""Any sequence of runs does to the store what a few lines of plain Python say it should."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from harvesting import FAILED, SAME, SITE, add_source, harvest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, select

from windrow.store import open_store, schema, upkeep
from windrow.store.history import History
from windrow.store.points import Point
from windrow.store.rows import Rows, Wanted
from windrow.store.sightings import Sighting
from windrow.store.sources import get_source

if TYPE_CHECKING:
    import pytest
    from sqlalchemy.engine import Connection

    from windrow.store import Store

PAGES, KEYS = ("a", "b", "c"), ("1", "2", "3", "4")
VALUES = st.fixed_dictionaries({}, optional={"x": st.sampled_from("pq"), "y": st.just("r") | st.just(["s", "t"])})
SHOWN = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3)
PAGE = st.one_of(SHOWN, SHOWN, SHOWN, st.just(SAME), st.just(FAILED))
Pages: TypeAlias = "dict[str, dict[str, dict[str, Any]] | str]"
RUN = st.tuples(st.permutations(PAGES), st.fixed_dictionaries({}, optional=dict.fromkeys(PAGES, PAGE)), st.booleans())


class Model:
    """What is known of records whose keys stand on one page at a time."""

    def __init__(self) -> None:
        self.values: dict[str, dict[str, Any]] = {}
        self.owner: dict[str, str | None] = {}
        """The page that each record belongs to; none where that page lost it."""
        self.there: set[str] = set()
        self.on_page: dict[str, dict[str, dict[str, Any]]] = {}
        """What each page showed when it was read last."""

    def run(self, pages: Pages, *, whole: bool) -> None:
        claims: dict[str, tuple[str, dict[str, Any]]] = {}
        read = [page for page, content in pages.items() if content != FAILED]
        for page in read:
            if isinstance(content := pages[page], dict):
                self.on_page[page] = content
            shown = self.on_page[page]
            lost = [key for key, owner in self.owner.items() if owner == page and key not in shown]
            for key, values in shown.items():
                if self.owner.get(key) in (None, page):
                    self.take(key, page, values)
                else:  # its own page may yet show it
                    claims[key] = page, values
            for key in lost:
                self.owner[key] = None
                if key in claims:
                    self.take(key, *claims.pop(key))
        if whole:
            for key, claim in claims.items():
                self.take(key, *claim)
            self.there = {key for key, owner in self.owner.items() if owner in read}
            self.owner |= dict.fromkeys(self.owner.keys() - self.there)

    def take(self, key: str, page: str, values: dict[str, Any]) -> None:
        # Good values are never overwritten by missing ones.
        self.values[key] = {**self.values.get(key, {}), **values}
        self.owner[key] = page
        self.there.add(key)


def one_page_a_key(pages: Pages, model: Model) -> Pages:
    """Leave out of a run what another page of it shows already, and pages that can't be the same."""
    taken: set[str] = set()
    kept: Pages = {}
    for page, content in pages.items():
        old = model.on_page.get(page)
        if content == SAME and (old is None or taken & set(old)):
            continue
        if isinstance(content, dict):
            content = {key: values for key, values in content.items() if key not in taken}  # noqa: PLW2901 - less of it
            taken |= set(content)
        elif content == SAME:
            taken |= set(old or ())
        kept[page] = content
    return kept


def is_to_be_read_again(connection: Connection, page: str) -> bool:
    chosen = select(schema.address.c.read_by).where(schema.address.c.url == f"{SITE}/{page}")
    return connection.execute(chosen).scalar() is None


def check(store: Store, model: Model, states: list[tuple[int, dict[str, dict[str, Any]]]]) -> None:
    assert upkeep.check(store) == []
    with store.reading() as connection:
        source = get_source(connection, "barn")

        def values(at: Point | None = None, *, gone: bool = False) -> dict[str, dict[str, Any]]:
            rows = Rows(connection, source, Wanted(gone=gone, at=at))
            return {str(each.key): {label: text for label, text in each.values.items() if text} for each in rows}

        assert values(gone=True) == model.values
        assert set(values()) == model.there
        for number, then in states:
            assert values(Point(number)) == then
        for (older, before), (newer, after) in pairwise(states):
            changes = list(History(connection, source).difference(Point(older), Point(newer)))
            assert {str(each.key) for each in changes if each.kind == "removed"} == before.keys() - after.keys()
            came = {str(each.key) for each in changes if each.kind in ("added", "returned")}
            assert came == after.keys() - before.keys()
            changed = {(str(each.key), each.label) for each in changes if each.kind == "changed"}
            for key in before.keys() & after.keys():
                expected = {name for name, text in after[key].items() if before[key].get(name) != text}
                assert {label for other, label in changed if other == key} == expected


@settings(max_examples=30, report_multiple_bugs=False, phases=[Phase.explicit, Phase.generate, Phase.shrink])
@given(runs=st.lists(RUN, min_size=1, max_size=6))
def test_runs_do_what_they_should(
    tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[list[str], Any, bool]]
) -> None:
    play(str(tmp_path_factory.mktemp("model") / "windrow.db"), runs)


GONE_AND_BACK = [
    (["a", "b", "c"], {"a": {"1": {"x": "p"}}}, True),
    (["a", "b", "c"], {"b": {"2": {"x": "q"}}}, True),
    (["c", "b", "a"], {"a": SAME, "b": {"1": {"x": "q", "y": "r"}}}, True),
    (["c", "b", "a"], {"b": SAME, "a": FAILED, "c": {"2": {}, "1": {"y": ["s", "t"]}}}, True),
    (["b", "c", "a"], {"c": {"1": {}, "2": {"x": "p"}}, "a": {}, "b": {}}, True),
    (["a", "c", "b"], {"a": {"1": {"x": "p"}}, "b": SAME}, False),
    (["a", "b", "c"], {"a": {"1": {"x": "p"}}, "b": SAME}, True),
]


def test_a_sequence_on_both_databases(where: str) -> None:
    play(where, GONE_AND_BACK)


def play(where: str, runs: list[tuple[list[str], Any, bool]]) -> None:
    model, states = Model(), []
    with open_store(where) as store:
        if store.is_sqlite:  # nobody pulls the plug
            event.listen(store.engine, "connect", lambda driver, _: driver.execute("PRAGMA synchronous = OFF"))
            store.engine.dispose()
        add_source(store)
        for order, given_pages, whole in runs:
            pages = one_page_a_key({page: given_pages[page] for page in order if page in given_pages}, model)
            with store.reading() as connection:
                again = {
                    page for page, shown in pages.items() if shown == SAME and is_to_be_read_again(connection, page)
                }
            told = {page: model.on_page[page] if page in again else shown for page, shown in pages.items()}
            sightings = {
                page: shown if isinstance(shown, str) else [Sighting(key, values) for key, values in shown.items()]
                for page, shown in told.items()
            }
            # A run in which a page failed is not whole.
            is_whole = whole and FAILED not in pages.values()
            number = harvest(store, sightings, state="whole" if is_whole else "partial").run
            model.run(pages, whole=is_whole)
            states.append((number, {key: dict(model.values[key]) for key in model.there}))
        check(store, model, states)
