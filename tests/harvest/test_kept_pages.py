"""Reading kept pages again: what they say is believed as far as they are what the site showed last."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from nursery import changed

from windrow.harvest.harvest import harvest_source
from windrow.harvest.progress import RunChoices
from windrow.store.rules import find_faults
from windrow.store.runs import last_whole_run
from windrow.store.sources import get_source, set_state
from windrow.store.warnings import Warned, warn

if TYPE_CHECKING:
    from fields import Field

    from windrow.harvest.progress import Progress

OFFLINE = "offline"


def check(field: Field) -> None:
    with field.store.reading() as connection:
        assert find_faults(connection) == []


def interrupt(field: Field, trigger: str, pages: int) -> None:
    """Harvest, and stop after some pages."""
    stop = threading.Event()
    left = iter(range(pages - 1))

    def watch(_: Progress) -> None:
        if next(left, None) is None:
            stop.set()

    harvest_source(field.store, "orchard", RunChoices(trigger=trigger), watch=watch, stop=stop)
    assert stop.is_set()


def raise_prices(field: Field, *numbers: int) -> None:
    for number in numbers:
        field.site.trees[number] = changed(field.site.trees[number], cents=field.site.trees[number].cents + 100)


def test_every_page_is_read_again_also_the_learned_one(field: Field) -> None:
    field.add(field.learn(), keep={"pages": True})
    pages = field.harvest().counts.pages
    report = field.harvest(trigger=OFFLINE)
    assert (report.state, report.counts.pages, report.counts.records) == ("whole", pages, 24)
    check(field)


def test_a_run_over_kept_pages_is_not_gone_on_with_on_the_network(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    field.add(keep={"pages": True})
    raise_prices(field, 0, 1, 2, 3)
    field.harvest()
    interrupt(field, OFFLINE, 2)
    report = field.harvest()
    assert (report.state, report.counts.records, report.counts.removed) == ("whole", 24, 0)
    assert field.records() == field.site.truth()
    check(field)


def test_a_run_on_the_network_is_not_gone_on_with_over_kept_pages(field: Field) -> None:
    field.add(field.learn(), keep={"pages": True})
    field.harvest()
    interrupt(field, "hand", 5)
    report = field.harvest(trigger=OFFLINE)
    assert (report.state, report.counts.pages, report.counts.records) == ("whole", 27, 24)
    check(field)


def test_an_interrupted_run_over_kept_pages_goes_on(field: Field) -> None:
    field.add(field.learn(), keep={"pages": True})
    field.harvest()
    interrupt(field, OFFLINE, 5)
    report = field.harvest(trigger=OFFLINE)
    assert (report.state, report.run, report.counts.pages) == ("whole", 2, 27)
    check(field)


def test_a_page_that_was_read_anew_without_being_kept_is_not_read_from_before(field: Field) -> None:
    field.add(field.learn(), keep={"pages": True})
    field.harvest()
    field.add()
    raise_prices(field, 4)
    assert field.harvest().counts.changed == 1
    assert field.harvest(trigger=OFFLINE).counts.changed == 0
    field.harvest()
    assert field.records() == field.site.truth()
    check(field)


def test_records_that_are_gone_stay_gone(field: Field) -> None:
    field.add(field.learn(), keep={"pages": True})
    field.harvest()
    field.site.gone = {"T-0007"}
    assert field.harvest().counts.removed == 1
    assert field.harvest(trigger=OFFLINE).counts.returned == 0
    assert "T-0007" not in field.records()
    check(field)


def test_what_was_kept_says_nothing_of_the_site_now(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    field.add(keep={"pages": True})
    raise_prices(field, 4)
    field.harvest()
    with field.store.writing() as connection:
        source = get_source(connection, "orchard")
        set_state(connection, source.id, "deferred", "It wants a log-in.")
        warn(connection, source.id, None, Warned("blocked", "error", "It wants a log-in."))
    assert field.harvest(trigger=OFFLINE).state == "whole"
    assert (field.state(), set(field.warnings())) == ("deferred", {"blocked"})
    with field.store.reading() as connection:
        before = last_whole_run(connection, source.id, of_the_site=True)
        assert before is not None
        assert (before.id, before.counts["records"]) == (2, 24)


def test_pages_are_found_again_whose_parameters_do_not_matter(field: Field) -> None:
    original = field.site.page

    def page(path: str, query: str) -> tuple[int, str]:
        status, text = original(path, query)
        for tree in field.site.trees:
            text = text.replace(f"/p/{tree.sku}'", f"/p/{tree.sku}?visit={len(field.server.requests)}'")
        return status, text.replace(
            "<ol class='trees'>", "<ol class='trees'><li><h2><a href='/p/T-0002?visit=x'>Plum</a></h2></li>"
        )

    field.site.page = page  # type: ignore[method-assign] # a site with a session in its addresses
    field.add(field.learn(), keep={"pages": True})
    field.harvest()
    field.harvest()
    report = field.harvest(trigger=OFFLINE)
    assert (report.state, report.counts.failed) == ("whole", 0)
    assert field.records() == field.site.truth()
