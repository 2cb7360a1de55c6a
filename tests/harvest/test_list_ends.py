"""Nothing is removed unless the lists surely ended: broken links to next pages, shorter lists, sitemaps, feeds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from fields import PRIVATE
from nursery import File, Site, changed, values_of
from test_nothing_lost import check, stop_after
from test_reaching import XML, pages_of, sitemap_of

import windrow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fields import Field
    from nursery import Tree

    from windrow.harvest.report import Report

OFFERS = "<!doctype html><main><h1>Offers</h1><p>None today.</p></main>"
NEXT = re.compile(r"<p class='pages'>.*?</p>")


def rewrite(field: Field, change: Callable[[str, str, str], str]) -> None:
    """Let the site send its pages changed: by path, query and text."""

    def page(path: str, query: str) -> tuple[int, str]:
        status, text = Site.page(field.site, path, query)
        return status, change(path, query, text)

    field.site.page = page  # type: ignore[method-assign] # a site with a fault


def restore(field: Field) -> None:
    del field.site.page


def outcome(report: Report) -> tuple[str, int, int]:
    return report.state, report.exit_code, report.counts.removed


def list_of(field: Field, trees: Sequence[Tree], onward: str = "") -> File:
    """Return a page of a list, which may lead on."""
    rows = "".join(f"<li class='tree'><h2><a href='/p/{tree.sku}'>{tree.name}</a></h2><p>1</p></li>" for tree in trees)
    link = f"<p class='pages'><a rel='next' href='{onward}'>Next page</a></p>" if onward else ""
    return File(field.site.frame("Trees", f"<h1>Trees</h1><ol class='trees'>{rows}</ol>{link}"))


def break_off(field: Field) -> None:
    """Let the second page of the list lead nowhere."""
    rewrite(field, lambda _, query, text: NEXT.sub("", text) if query == "page=2" else text)


BREAKS = {
    "no link": "",
    "itself": "<p class='pages'><a rel='next' href='/list?page=2'>Next page</a></p>",
    "the first": "<p class='pages'><a rel='next' href='/list'>Next page</a></p>",
    "a button": "<p class='pages'><button>Next page</button></p>",
}


@pytest.mark.parametrize("onward", BREAKS.values(), ids=BREAKS)
def test_a_broken_link_to_the_next_page_removes_nothing(field: Field, onward: str) -> None:
    field.add(field.learn())
    field.harvest()
    rewrite(field, lambda _, query, text: NEXT.sub(onward, text) if query == "page=2" else text)
    for _ in range(2):
        report = field.harvest()
        assert outcome(report) == ("partial", 6, 0), report.sentence
        assert "fewer" in report.warnings
        assert "4 records are still there" in report.sentence
        assert field.records() == field.site.truth()
    field.site.trees[22] = changed(field.site.trees[22], cents=4_242)
    field.harvest()
    assert field.records() == field.site.truth(), "what is behind the broken link is read all the same"
    report = field.harvest(accept=True)
    assert outcome(report) == ("whole", 0, 4)
    assert outcome(field.harvest()) == ("whole", 0, 0)
    field.site.gone = {"T-0005"}
    report = field.harvest()
    assert (outcome(report), report.counts.returned) == (("whole", 0, 1), 0), "what was accepted is not asked after"
    check(field)


def test_a_link_that_is_mended_makes_the_run_whole_again(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    rewrite(plot, lambda _, query, text: NEXT.sub("", text) if not query else text)
    assert outcome(plot.harvest()) == ("partial", 6, 0)
    restore(plot)
    report = plot.harvest()
    assert (outcome(report), report.warnings, plot.warnings()) == (("whole", 0, 0), (), {})
    assert plot.records() == plot.site.truth()


@pytest.mark.parametrize("left", [21, 20, 17])
def test_a_list_that_became_shorter_removes_what_is_gone(field: Field, left: int) -> None:
    """With a third page that stays, with a full second page, with one that is not full."""
    field.add(field.learn())
    field.harvest()
    asked = len(field.server.requests)
    field.site.trees = field.site.trees[:left]
    report = field.harvest()
    assert outcome(report) == ("whole", 0, 24 - left), report.sentence
    assert field.records() == field.site.truth()
    assert len(field.server.requests) - asked <= 3 + left + 6
    asked = len(field.server.requests)
    assert outcome(field.harvest()) == ("whole", 0, 0)
    assert len(field.server.requests) - asked == (2 if left <= 20 else 3) + left, "nothing is asked for again"
    check(field)


def test_a_list_that_turns_elsewhere_and_is_shorter_removes_nothing(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    plot.site.files["/offers"] = File(OFFERS)
    elsewhere = "<p class='pages'><a rel='next' href='/offers'>Next page</a></p>"
    rewrite(plot, lambda _, query, text: NEXT.sub(elsewhere, text) if query == "page=2" else text)
    report = plot.harvest()
    assert outcome(report) == ("partial", 6, 0), report.sentence
    assert plot.records() == plot.site.truth()


def test_pages_that_were_renamed_are_the_same_list(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    pages = {number: Site.page(plot.site, "/list", f"page={number}")[1] for number in (2, 3)}
    lost = plot.site.trees.pop(12)
    for number, text in pages.items():
        shown = text.replace("/list?page=", "/list/").replace(f"/p/{lost.sku}", "/p/T-0011")
        plot.site.files[f"/list/{number}"] = File(shown)
        plot.site.files[f"/list?page={number}"] = File("gone", status=404)
    rewrite(plot, lambda path, _, text: text.replace("/list?page=", "/list/") if path == "/list" else text)
    report = plot.harvest()
    assert outcome(report) == ("whole", 0, 1), report.sentence
    assert plot.records() == plot.site.truth()


def test_records_whose_pages_are_still_there_are_not_gone_where_a_full_list_ends(plot: Field) -> None:
    """The pager is a script now: the old addresses of its pages are no more, and nothing else leads on."""
    plot.add(plot.learn())
    plot.harvest()
    plot.site.files["/list?page=3"] = File("gone", status=404)
    rewrite(plot, lambda _, query, text: NEXT.sub("", text) if query == "page=2" else text)
    for _ in range(2):
        report = plot.harvest()
        assert outcome(report) == ("partial", 6, 0), report.sentence
        assert plot.records() == plot.site.truth()
    assert outcome(plot.harvest(accept=True)) == ("whole", 0, 4)


def test_a_record_that_left_a_list_that_is_whole_is_gone_though_its_page_is_there(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    rewrite(plot, lambda path, _, text: text.replace("/p/T-0007", "/p/T-0006") if path == "/list" else text)
    assert outcome(plot.harvest()) == ("whole", 0, 1)


def test_a_page_behind_a_broken_link_that_gives_no_answer_is_missed(plot: Field) -> None:
    plot.add(plot.learn(), manners={"retries": 0})
    plot.harvest()
    plot.site.files["/list?page=3"] = File("busy", status=503)
    rewrite(plot, lambda _, query, text: NEXT.sub("", text) if query == "page=2" else text)
    assert outcome(plot.harvest()) == ("partial", 3, 0)
    assert plot.records() == plot.site.truth()


def test_a_broken_link_between_lists_whose_rows_are_the_records(field: Field) -> None:
    page = windrow.load(f"{field.server.url}/list", render=False, options=PRIVATE)
    rows = [{"name": tree.name, "price": values_of(tree, "en")["price"]} for tree in field.site.trees[:2]]
    field.add(windrow.learn(page, rows), read={"key": ["name"]}, follow={"list": "none", "detail": None})
    field.harvest()
    rewrite(field, lambda _, query, text: NEXT.sub("", text) if query == "page=2" else text)
    report = field.harvest()
    assert outcome(report) == ("partial", 6, 0), report.sentence
    assert len(field.records()) == 24
    restore(field)
    field.site.trees = field.site.trees[:18]
    assert outcome(field.harvest()) == ("whole", 0, 6)
    check(field)


def test_what_a_person_sets_anew_is_not_asked_after(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    plot.add(follow={"next": "none"}, warn={"fewer": 0.1})
    report = plot.harvest()
    assert outcome(report) == ("whole", 0, 14), report.sentence


def test_a_run_that_is_stopped_while_it_asks_goes_on(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    rewrite(plot, lambda _, query, text: NEXT.sub("", text) if query == "page=2" else text)
    stop_after(plot, lambda progress: progress.url.endswith("page=3"))
    assert outcome(plot.harvest()) == ("partial", 6, 0)
    assert plot.records() == plot.site.truth()


def test_a_sitemap_that_an_index_no_longer_names(plot: Field) -> None:
    url = plot.server.url
    parts = {"/one.xml": range(12), "/two.xml": range(12, 20), "/three.xml": range(20, 24)}
    plot.site.files = {path: File(sitemap_of(*pages_of(plot, some)), XML) for path, some in parts.items()}
    index = [f"{url}{path}" for path in parts]
    plot.site.files["/sitemap.xml"] = File(sitemap_of(*index, index=True), XML)
    plot.add(plot.learn(), starts=["/sitemap.xml"], follow={"list": "sitemap"})
    plot.harvest()
    plot.site.files["/sitemap.xml"] = File(sitemap_of(*index[:2], index=True), XML)
    report = plot.harvest()
    assert outcome(report) == ("partial", 6, 0), report.sentence
    assert plot.records() == plot.site.truth()
    plot.site.files["/three.xml"] = File("gone", status=404)
    plot.site.trees = plot.site.trees[:20]
    assert outcome(plot.harvest()) == ("whole", 0, 4)


def test_a_sitemap_that_lists_nothing_any_more_removes_nothing(plot: Field) -> None:
    url = plot.server.url
    plot.site.files = {
        "/one.xml": File(sitemap_of(*pages_of(plot, range(18))), XML),
        "/two.xml": File(sitemap_of(*pages_of(plot, range(18, 24))), XML),
        "/sitemap.xml": File(sitemap_of(f"{url}/one.xml", f"{url}/two.xml", index=True), XML),
    }
    plot.add(plot.learn(), starts=["/sitemap.xml"], follow={"list": "sitemap"})
    plot.harvest()
    plot.site.files["/two.xml"] = File(sitemap_of(), XML)
    for _ in range(2):
        report = plot.harvest()
        assert outcome(report) == ("partial", 6, 0), report.sentence
        assert "empty" in report.warnings
    assert outcome(plot.harvest(accept=True)) == ("whole", 0, 6)


def feed_of(plot: Field, numbers: range) -> File:
    items = "".join(f"<item><link>{page}</link></item>" for page in pages_of(plot, numbers))
    return File(f"<rss version='2.0'><channel><title>t</title>{items}</channel></rss>", XML)


def test_what_left_a_feed_is_not_gone(field: Field) -> None:
    field.site.files["/feed"] = feed_of(field, range(12))
    field.add(field.learn(), starts=["/feed"], follow={"list": "feed"})
    field.harvest()
    field.site.files["/feed"] = feed_of(field, range(4, 16))
    report = field.harvest()
    assert (outcome(report), report.counts.added) == (("whole", 0, 0), 4)
    assert len(field.records()) == 16
    field.site.gone = {"T-0010"}
    report = field.harvest()
    assert outcome(report) == ("whole", 0, 1), "what the feed still lists, and is no more, is gone"
    assert len(field.records()) == 15
    check(field)


def test_a_feed_that_lists_nothing_at_the_moment_is_ordinary(plot: Field) -> None:
    plot.site.files["/feed"] = feed_of(plot, range(12))
    plot.add(plot.learn(), starts=["/feed"], follow={"list": "feed"})
    plot.harvest()
    plot.site.files["/feed"] = feed_of(plot, range(0))
    for accept in (False, True, False):
        report = plot.harvest(accept=accept)
        assert (outcome(report), report.warnings) == (("whole", 0, 0), ()), report.sentence
        assert len(plot.records()) == 12
    plot.site.files["/feed"] = feed_of(plot, range(10, 16))
    report = plot.harvest()
    assert (outcome(report), report.counts.added) == (("whole", 0, 0), 4), report.sentence
    check(plot)


def test_a_link_that_breaks_before_any_run_was_whole_removes_nothing(plot: Field) -> None:
    plot.add(plot.learn(), manners={"retries": 0})
    plot.site.files["/p/T-0002"] = File("busy", status=503)
    assert outcome(plot.harvest()) == ("partial", 3, 0)
    del plot.site.files["/p/T-0002"]
    break_off(plot)
    for _ in range(2):
        assert outcome(plot.harvest()) == ("partial", 6, 0)
        assert plot.records() == plot.site.truth()


def test_new_records_behind_a_broken_link_are_found_and_stay(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    old = plot.site.trees
    plot.site.trees = [*old[:20], *(changed(tree, sku=f"N-{number:04}") for number, tree in enumerate(old[20:]))]
    break_off(plot)
    for added in (4, 0):
        report = plot.harvest()
        assert (outcome(report), report.counts.added) == (("partial", 6, 0), added), report.sentence
        assert plot.site.truth().items() <= plot.records().items()
    restore(plot)
    assert outcome(plot.harvest()) == ("whole", 0, 4)
    assert plot.records() == plot.site.truth()


def test_a_page_behind_a_broken_link_that_shows_an_error_decides_nothing(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    sorry = "<h1>Something went wrong</h1><p>Please try again later.</p>"
    plot.site.files["/list?page=3"] = File(plot.site.frame("Oops", sorry))
    last = re.compile(r"<li class='tree'><h2><a href='/p/T-0019'.*?</li>")
    rewrite(plot, lambda _, query, text: last.sub("", NEXT.sub("", text)) if query == "page=2" else text)
    for _ in range(2):
        report = plot.harvest()
        assert outcome(report) == ("partial", 6, 0), report.sentence
        assert "1 page is still there" in report.sentence
        assert plot.records() == plot.site.truth()
    assert outcome(plot.harvest(accept=True)) == ("whole", 0, 5)
    assert outcome(plot.harvest()) == ("whole", 0, 0)


def test_records_whose_pages_are_there_and_do_not_fit_decide_nothing(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    plot.site.files["/list?page=3"] = File("gone", status=404)
    other = Site(trees=plot.site.trees, template="cards")
    for tree in plot.site.trees[20:]:
        plot.site.files[f"/p/{tree.sku}"] = File(other.page(f"/p/{tree.sku}", "")[1])
    break_off(plot)
    report = plot.harvest()
    assert outcome(report) == ("partial", 6, 0), report.sentence
    assert plot.records() == plot.site.truth()


def test_a_list_that_turns_to_records_that_are_known_removes_nothing(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    plot.site.files["/offers"] = list_of(plot, plot.site.trees[:4])
    elsewhere = "<p class='pages'><a rel='next' href='/offers'>Next page</a></p>"
    rewrite(plot, lambda _, query, text: NEXT.sub(elsewhere, text) if query == "page=2" else text)
    report = plot.harvest()
    assert outcome(report) == ("partial", 6, 0), report.sentence
    plot.site.files["/list?page=3"] = File("gone", status=404)
    report = plot.harvest()
    assert outcome(report) == ("partial", 6, 0), "the page is no more, but the records are"
    plot.site.gone = {tree.sku for tree in plot.site.trees[20:]}
    assert outcome(plot.harvest()) == ("whole", 0, 4)


def test_a_list_that_became_shorter_does_not_hide_one_that_turned_elsewhere(plot: Field) -> None:
    trees, files = plot.site.trees, plot.site.files
    files |= {"/a": list_of(plot, trees[:8], "/a2"), "/a2": list_of(plot, trees[8:12])}
    files |= {"/b": list_of(plot, trees[12:20], "/b2"), "/b2": list_of(plot, trees[20:])}
    plot.add(plot.learn(), starts=["/a", "/b"])
    assert outcome(plot.harvest()) == ("whole", 0, 0)
    files |= {"/a": list_of(plot, trees[:7]), "/a2": File("gone", status=404)}
    plot.site.gone = {tree.sku for tree in trees[7:12]}
    files |= {"/b": list_of(plot, trees[12:20], "/offers"), "/offers": File(OFFERS)}
    report = plot.harvest()
    assert outcome(report) == ("partial", 6, 0), report.sentence
    files["/b"] = list_of(plot, trees[12:20], "/b2")
    assert outcome(plot.harvest()) == ("whole", 0, 5)


def test_the_records_that_are_asked_for_are_spread_to_the_last(plot: Field) -> None:
    plot.add(plot.learn(), warn={"fewer": 0.1})
    plot.harvest()
    plot.site.files["/list?page=2"] = File("gone", status=404)
    plot.site.gone = {tree.sku for tree in plot.site.trees[10:23]}
    rewrite(plot, lambda _, __, text: NEXT.sub("", text))
    report = plot.harvest()
    assert outcome(report) == ("partial", 6, 0), report.sentence
    asked = [request.path for request in plot.server.asked_for("/p/")][-5:]
    assert asked == [f"/p/T-00{number}" for number in (10, 13, 16, 19, 23)]


def test_what_was_accepted_stays_so_where_two_lists_led_to_one_page(field: Field) -> None:
    trees, files = field.site.trees, field.site.files
    files |= {"/a": list_of(field, trees[:10], "/x"), "/b": list_of(field, trees[10:20], "/x")}
    files["/x"] = list_of(field, trees[20:])
    field.add(field.learn(), starts=["/a", "/b"])
    field.harvest()
    files |= {"/a": list_of(field, trees[:10]), "/b": list_of(field, trees[10:20])}
    assert outcome(field.harvest()) == ("partial", 6, 0)
    assert outcome(field.harvest(accept=True)) == ("whole", 0, 4)
    field.site.gone = {"T-0005"}
    report = field.harvest()
    assert (outcome(report), report.counts.returned) == (("whole", 0, 1), 0), report.sentence


def test_a_run_that_is_stopped_while_it_asks_goes_on_as_accepted(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    break_off(plot)
    stop_after(plot, lambda progress: progress.url.endswith("page=3"))
    report = plot.harvest(accept=True)
    assert (report.state, report.exit_code) == ("whole", 0), report.sentence


def test_a_run_that_is_stopped_after_an_emptied_list_goes_on_as_accepted(plot: Field) -> None:
    trees, files = plot.site.trees, plot.site.files
    files |= {"/a": list_of(plot, trees[:20]), "/b": list_of(plot, trees[20:])}
    plot.add(plot.learn(), starts=["/b", "/a"])
    plot.harvest()
    files["/b"] = list_of(plot, [])
    stop_after(plot, lambda progress: progress.url.endswith("T-0004"))
    assert outcome(plot.harvest(accept=True)) == ("whole", 0, 4)
    assert outcome(plot.harvest()) == ("whole", 0, 0), "what was accepted stays so"
