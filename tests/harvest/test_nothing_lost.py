"""What must not go, or go wrong, though a run looks as if all were well."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from fields import Field
from nursery import File, Server, Site, changed, grow

from windrow.errors import LockedError
from windrow.harvest import progress
from windrow.harvest.harvest import harvest_source
from windrow.harvest.progress import RunChoices
from windrow.store.rules import find_faults
from windrow.store.sources import add_wrapper, get_source
from windrow.store.visits import store_visit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from windrow.store import Store


class Faulty:
    """Faults by path, for a server."""

    def __init__(self) -> None:
        self.paths: dict[str, str] = {}

    def __call__(self, path: str, _: int) -> str | None:
        return self.paths.get(path)


@pytest.fixture
def faulty(store: Store) -> Iterator[tuple[Field, Faulty]]:
    fault = Faulty()
    with Server(Site(trees=grow(24)), fault) as server:
        field = Field(store, server)
        field.add(field.learn(), manners={"retries": 0})
        yield field, fault


def stop_after(field: Field, is_time: Callable[[Any], bool]) -> None:
    """Harvest, and stop at a page's border."""
    stop = threading.Event()

    def watch(progress: Any) -> None:  # noqa: ANN401 - a Progress
        if is_time(progress):
            stop.set()

    harvest_source(field.store, "orchard", RunChoices(), watch=watch, stop=stop)
    assert stop.is_set()


def check(field: Field) -> None:
    with field.store.reading() as connection:
        assert find_faults(connection) == []


def test_a_page_that_failed_before_a_stop_is_missed_after_it(faulty: tuple[Field, Faulty]) -> None:
    field, fault = faulty
    field.harvest()
    fault.paths["/p/T-0002"] = "500"
    stop_after(field, lambda progress: progress.url.endswith("T-0004"))
    report = field.harvest()
    assert (report.state, report.counts.removed) == ("partial", 0)
    assert field.records() == field.site.truth()
    check(field)


def test_a_page_that_did_not_fit_before_a_stop_is_missed_after_it(faulty: tuple[Field, Faulty]) -> None:
    field, _ = faulty
    field.harvest()
    soften(field, "T-0002")
    stop_after(field, lambda progress: progress.url.endswith("T-0004"))
    report = field.harvest()
    assert (report.state, report.counts.removed) == ("partial", 0)
    assert "T-0002" in field.records()
    check(field)


def test_a_run_whose_source_was_changed_begins_anew(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    stop_after(field, lambda progress: progress.url.endswith("T-0004"))
    field.add(read={"key": ["name"]})
    report = field.harvest()
    assert (report.state, report.counts.added, report.counts.removed) == ("whole", 24, 24)
    assert set(field.records()) == {tree.name for tree in field.site.trees}
    check(field)


def test_a_run_whose_manners_were_changed_goes_on(field: Field) -> None:
    field.add(field.learn())
    stop_after(field, lambda progress: progress.url.endswith("T-0004"))
    field.add(manners={"rate": 900})
    report = field.harvest()
    assert (report.state, report.run) == ("whole", 1)
    assert field.records() == field.site.truth()


def test_a_robots_txt_that_fails_for_a_moment_closes_nothing(store: Store) -> None:
    def fault(path: str, count: int) -> str | None:
        return "503" if path == "/robots.txt" and count == 1 else None

    with Server(Site(trees=grow(24), robots="User-agent: *\nDisallow: /about/\n"), fault) as server:
        field = Field(store, server)
        field.add(field.learn())
        assert field.harvest().state == "whole"
        assert [request.status for request in server.asked_for("/robots.txt")] == [-1, 200]
    assert field.records() == field.site.truth()


def soften(field: Field, *lost: str) -> None:
    """Let pages say with status 200 that there is no such page."""
    original = Site.page

    def page(path: str, query: str) -> tuple[int, str]:
        found = path.removeprefix("/p/") in lost
        return (200, original(field.site, "/nowhere", "")[1]) if found else original(field.site, path, query)

    field.site.page = page  # type: ignore[method-assign] # a site with soft 404s


def test_soft_404s_remove_nothing_and_store_nothing(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    soften(plot, "T-0010", "T-0011")
    report = plot.harvest()
    assert (report.state, report.exit_code, report.counts.removed) == ("partial", 6, 0)
    assert (report.warnings, plot.records()) == (("template",), plot.site.truth())


def anything_goes(field: Field, *lost: str) -> None:
    """Let the site have a page for any address, with status 200."""

    def page(path: str, query: str) -> tuple[int, str]:
        status, text = Site.page(field.site, path, query)
        if path.removeprefix("/p/") in lost or status != 200:
            return 200, Site.page(field.site, "/nowhere", "")[1].replace("such page", f"page {path}")
        return status, text

    field.site.page = page  # type: ignore[method-assign] # a site without a 404


def test_a_page_that_is_shown_for_any_address_is_no_page_and_its_record_is_gone(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    anything_goes(field, "T-0010", "T-0011")
    asked = len(field.server.requests)
    report = field.harvest()
    assert (report.state, report.counts.removed, report.warnings) == ("whole", 2, ())
    assert field.records().keys() == field.site.truth().keys() - {"T-0010", "T-0011"}
    assert len(field.server.requests) - asked == 27 + 1, "one address that nobody ever made is asked for"
    anything_goes(field)
    assert field.harvest().counts.returned == 2
    assert field.records() == field.site.truth()
    check(field)


def test_a_learned_page_that_says_that_it_is_not_there_is_gone(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    soften(plot, "T-0001")
    report = plot.harvest()
    assert (report.state, report.exit_code, report.warnings) == ("deferred", 6, ("gone",))
    assert plot.records() == plot.site.truth()


def test_some_pages_that_do_not_fit_are_not_most_where_the_others_did_not_change(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    soften(plot, *(f"T-00{number}" for number in range(10, 16)))
    report = plot.harvest()
    assert (report.state, report.counts.records) == ("partial", 18)


def test_a_record_returns_though_its_page_never_changed(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    soften(field)
    original = field.site.page
    listed = True

    def page(path: str, query: str) -> tuple[int, str]:
        status, text = original(path, query)
        hidden = path == "/list" and not listed
        return status, text.replace("/p/T-0007", "/p/T-0006") if hidden else text

    field.site.page = page  # type: ignore[method-assign] # a list without one of the trees
    listed = False
    assert field.harvest().counts.removed == 1
    assert "T-0007" not in field.records()
    listed = True
    assert field.harvest().counts.returned == 1
    assert field.records() == field.site.truth()
    check(field)


def test_a_fall_is_seen_after_a_run_that_read_nothing_anew(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    field.harvest()
    before = field.records()
    field.site.trees = [
        tree if place in {1, 3} else changed(tree, has_year=False, cents=777)
        for place, tree in enumerate(field.site.trees)
    ]
    report = field.harvest()
    assert (report.state, "missing" in report.warnings) == ("deferred", True)
    assert field.records() == before
    check(field)


def test_a_run_that_falls_is_held_though_pages_are_missed_as_well(faulty: tuple[Field, Faulty]) -> None:
    field, fault = faulty
    field.harvest()
    before = field.records()
    fault.paths["/p/T-0002"] = "500"
    field.site.trees = [
        tree if place in {1, 3} else changed(tree, has_year=False, cents=777)
        for place, tree in enumerate(field.site.trees)
    ]
    report = field.harvest()
    assert (report.state, report.exit_code, report.counts.removed) == ("deferred", 6, 0)
    assert {"missing", "failed"} <= set(report.warnings)
    assert field.records() == before
    check(field)


def rows_of(field: Field, *, with_note: bool) -> File:
    """Return a table of the trees, without their years and with notes, or the other way round."""
    names = ["Number", "Name", "Grower", "Price", "Note" if with_note else "Year"]
    cells = [
        [tree.sku, tree.name, tree.grower, f"£{tree.cents}", f"note {tree.year}" if with_note else str(tree.year)]
        for tree in field.site.trees
    ]
    table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells)
    head = "".join(f"<th>{name}</th>" for name in names)
    return File(f"<!doctype html><main><h1>Trees</h1><table><tr>{head}</tr>{table}</table></main>")


def test_labels_of_a_run_that_is_held_are_no_columns(field: Field) -> None:
    field.site.files["/table"] = rows_of(field, with_note=False)
    field.add(starts=["/table"], follow={"list": "none", "detail": None}, read={"reader": "tables", "key": ["Number"]})
    assert field.harvest().state == "whole"
    before = field.records()
    field.site.files["/table"] = rows_of(field, with_note=True)
    report = field.harvest()
    assert (report.state, "missing" in report.warnings, field.records()) == ("deferred", True, before)
    assert columns_of(field)[-5:] == ["Number", "Name", "Grower", "Price", "Year"]
    assert field.harvest(accept=True).state == "whole"
    assert columns_of(field)[-1] == "Note"
    check(field)


def columns_of(field: Field) -> list[str]:
    with field.store.reading() as connection:
        return list(connection.exec_driver_sql("SELECT * FROM orchard").keys())


def test_a_view_that_others_read_for_long_is_made_anew_later(
    field: Field, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    field.add(field.learn().rename_label("grower", "nursery"))
    field.harvest()
    tries: list[bool] = []

    def locked(*_: object) -> str:
        tries.append(True)
        raise LockedError("The store is being read by others.")

    with field.store.writing() as connection:
        add_wrapper(connection, get_source(connection, "orchard").id, field.learn().to_json(), "person")
    with monkeypatch.context() as patch:
        patch.setattr(progress, "make_view", locked)
        assert field.harvest().state == "whole"
    assert len(tries) == 2, "at the beginning and at the end, and not after every page"
    assert "its view was not made anew" in caplog.text
    assert "grower" not in columns_of(field)
    assert field.harvest().state == "whole"
    assert "grower" in columns_of(field)


def test_a_list_page_that_shows_nothing_any_more_removes_nothing(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    soften(field)
    original = field.site.page

    def page(path: str, query: str) -> tuple[int, str]:
        return (200, original("/nowhere", "")[1]) if "page=3" in query else original(path, query)

    field.site.page = page  # type: ignore[method-assign] # a list whose last page is not there, and does not say so
    for _ in range(2):
        report = field.harvest()
        assert (report.state, report.counts.removed) == ("partial", 0)
        assert "empty" in report.warnings
        assert field.records() == field.site.truth()
    report = field.harvest(accept=True)
    assert (report.state, report.counts.removed) == ("whole", 4)


def test_half_of_the_pages_may_stay_in_the_old_template(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    soften(plot)
    plain = plot.site.page

    def page(path: str, query: str) -> tuple[int, str]:
        plot.site.template = "list" if path[-1:] in "13579" else "table"
        return plain(path, query)

    plot.site.page = page  # type: ignore[method-assign] # a site that tries a template out
    report = plot.harvest()
    assert (report.state, report.warnings) == ("whole", ("healed",))
    for number in range(2):
        plot.site.trees[4 + number] = changed(plot.site.trees[4 + number], cents=4_242)
        report = plot.harvest(fresh=True)
        assert (report.state, report.counts.changed) == ("whole", 1)
        assert plot.records() == plot.site.truth()


def test_a_page_that_is_cut_off_by_a_limit_is_not_taken_for_the_whole(plot: Field) -> None:
    plot.add(plot.learn(), manners={"retries": 5})
    plot.harvest()
    original = plot.site.page

    def page(path: str, query: str) -> tuple[int, str]:
        status, text = original(path, query)
        padding = "x" * 10_000_000 if path == "/list" and not query else ""
        return status, text.replace("<li class='tree'>", f"<!--{padding}--><li class='tree'>")

    plot.site.page = page  # type: ignore[method-assign] # a page of 100 MB
    asked = len(plot.server.requests)
    report = plot.harvest()
    assert [request.path for request in plot.server.requests[asked:]].count("/list") == 1, "it is as large next time"
    assert (report.state, report.counts.removed) == ("failed", 0)
    assert "limit" in report.warnings
    assert plot.records() == plot.site.truth()


def test_a_page_that_hangs_stops_no_other(plot: Field) -> None:
    plot.add(plot.learn(), manners={"retries": 0}, network={"seconds": 3})
    plot.harvest()
    original, is_over = plot.site.page, threading.Event()

    def page(path: str, query: str) -> tuple[int, str]:
        if path == "/p/T-0004":
            is_over.wait(20)
        return original(path, query)

    plot.site.page = page  # type: ignore[method-assign] # a page that never comes
    plot.site.trees[20] = changed(plot.site.trees[20], cents=1)
    report = plot.harvest()
    is_over.set()
    assert (report.state, report.counts.changed, report.counts.removed) == ("partial", 1, 0)
    assert "limit" in report.warnings


def test_an_offline_run_that_was_stopped_is_not_gone_on_with_on_the_network(plot: Field) -> None:
    plot.add(plot.learn(), keep={"pages": True})
    plot.harvest()
    with plot.store.writing() as connection:  # of some pages nothing is kept
        number = "SELECT id FROM windrow_address WHERE url LIKE '%T-002%'"
        connection.exec_driver_sql(f"DELETE FROM windrow_body WHERE address_id IN ({number})")  # noqa: S608 - ours
    stop = threading.Event()

    def watch(progress: Any) -> None:  # noqa: ANN401 - a Progress
        if progress.counts.pages == 10:
            stop.set()

    harvest_source(plot.store, "orchard", RunChoices(trigger="offline"), watch=watch, stop=stop)
    report = plot.harvest()
    assert (report.state, report.counts.removed, report.counts.records) == ("whole", 0, 24)
    check(plot)


def test_an_offline_run_whose_pages_do_not_fit_is_not_whole(plot: Field) -> None:
    plot.add(plot.learn(), keep={"pages": True})
    plot.harvest()
    plot.site.template = "cards"
    wrapper = plot.learn()
    with plot.store.writing() as connection:
        add_wrapper(connection, get_source(connection, "orchard").id, wrapper.to_json(), "person")
    report = plot.harvest(trigger="offline")
    assert (report.state, report.exit_code) != ("whole", 0)
    assert plot.records() == plot.site.truth()


@pytest.mark.parametrize(("target", "state"), [("/p/T-0002", "deferred"), ("/p/T-0001?slug=apple", "whole")])
def test_a_learned_page_that_leads_to_another_record_is_gone(plot: Field, target: str, state: str) -> None:
    plot.add(plot.learn())
    plot.harvest()
    plot.site.files["/p/T-0001"] = File(status=301, headers={"Location": target})
    report = plot.harvest()
    assert (report.state, report.counts.removed) == (state, 0)
    assert ("gone" in report.warnings) == (state == "deferred")
    assert plot.records() == plot.site.truth()


@pytest.mark.parametrize("what", [{"year": 89_490_200_001_234_567_890}, {"cents": 10**30}], ids=["a number", "a price"])
def test_a_number_of_more_than_64_bits_is_stored_as_its_text(field: Field, what: dict[str, int]) -> None:
    field.add(field.learn())
    field.harvest()
    tree = next(number for number, tree in enumerate(field.site.trees) if number > 4 and tree.has_year)
    field.site.trees[tree] = changed(field.site.trees[tree], **what)
    report = field.harvest()
    assert (report.state, report.counts.changed) == ("whole", 1), report.sentence
    assert field.records() == field.site.truth()
    assert field.harvest().state == "whole"
    check(field)


def test_a_page_that_cannot_be_stored_does_not_stop_the_others(plot: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    plot.add(plot.learn())
    plot.harvest()
    plot.site.trees[5] = changed(plot.site.trees[5], cents=4_242)

    def refuse(connection: Any, ledger: Any, visit: Any) -> Any:  # noqa: ANN401 - as it is given
        if visit.entry.url.endswith("T-0006") and visit.sightings:
            raise TypeError("a value of no known kind")
        return store_visit(connection, ledger, visit)

    with monkeypatch.context() as patched:
        patched.setattr(progress, "store_visit", refuse)
        report = plot.harvest(fresh=True)
    assert (report.state, report.exit_code, report.counts.removed) == ("partial", 3, 0)
    assert "a value of no known kind" in plot.warnings()["failed"]
    assert plot.records() == plot.site.truth(), "all others are stored, and it is as it was"
    assert plot.harvest().state == "whole"
    check(plot)
