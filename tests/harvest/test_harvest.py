from __future__ import annotations

import threading
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from fastwarc.warc import ArchiveIterator
from fields import PRIVATE, Field
from nursery import Server, Site, changed, grow, price_of, values_of

import windrow
from windrow.atomic import written
from windrow.harvest.harvest import harvest_source
from windrow.harvest.progress import RunChoices
from windrow.harvest.sources import import_file
from windrow.harvest.warc import write_warc
from windrow.store.rules import find_faults
from windrow.store.sources import add_wrapper, get_source, list_wrappers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from windrow.store import Store


def test_a_list_with_next_pages_and_detail_pages_is_stored_as_the_site_has_it(field: Field) -> None:
    field.add(field.learn())
    report = field.harvest()
    assert report.state == "whole"
    assert report.exit_code == 0
    assert (report.counts.records, report.counts.added) == (24, 24)
    assert field.records() == field.site.truth()


def test_what_did_not_change_costs_a_request_and_stores_nothing(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    asked = len(field.server.requests)
    report = field.harvest()
    requests = field.server.requests[asked:]
    assert report.counts.not_modified == report.counts.pages == len(requests)
    assert len(requests) <= 1.3 * 24
    assert (report.counts.added, report.counts.changed, report.counts.removed) == (0, 0, 0)
    assert field.history("changed") == []


def test_servers_without_validators_are_known_by_what_they_send(field: Field) -> None:
    field.site.validators = False
    field.add(field.learn())
    field.harvest()
    report = field.harvest()
    assert (report.state, report.counts.records, report.counts.changed) == ("whole", 24, 0)


def test_changes_removals_and_returns_are_history(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    tree, lost = field.site.trees[7], field.site.trees[9]
    field.site.trees[7] = changed(tree, cents=99_999)
    field.site.trees.remove(lost)
    report = field.harvest()
    assert (report.counts.changed, report.counts.removed) == (1, 1)
    assert field.records() == field.site.truth()
    old, new = values_of(tree, "en")["price"], values_of(field.site.trees[7], "en")["price"]
    assert field.history("changed") == [(tree.sku, "price", old, new)]
    assert field.records(gone=True)[lost.sku] == values_of(lost, "en")
    field.site.trees.append(lost)
    assert field.harvest().counts.returned == 1
    assert field.records() == field.site.truth()


def test_a_page_that_is_gone_takes_its_record_along(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    field.site.gone.add(field.site.trees[11].sku)
    report = field.harvest()
    assert (report.state, report.counts.removed) == ("whole", 1)


@pytest.mark.parametrize("template", ["list", "cards"])
def test_a_new_template_is_healed_said_and_nothing_wrong_is_stored(field: Field, template: str) -> None:
    field.add(field.learn())
    field.harvest()
    field.site.template = template
    field.site.trees[7] = changed(field.site.trees[7], cents=99_999)
    report = field.harvest()
    assert report.state == "whole"
    assert "healed" in report.warnings
    assert field.records() == field.site.truth()
    assert len(field.history("changed")) == 1
    with field.store.reading() as connection:
        versions = list_wrappers(connection, get_source(connection, "orchard").id)
    assert [each.made_by for each in versions] == ["person", "heal"]


@pytest.mark.parametrize("template", ["list", "cards"])
def test_a_template_that_changes_with_every_price_is_healed_by_their_name(field: Field, template: str) -> None:
    field.add(field.learn())
    field.harvest()
    field.site.template = template
    field.site.trees = [changed(tree, cents=tree.cents + 1) for tree in field.site.trees]
    report = field.harvest()
    assert (report.state, "healed" in report.warnings) == ("whole", True)
    assert field.records() == field.site.truth()


def test_a_template_that_changes_in_the_middle_of_a_run_stores_nothing_wrong(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    seen = threading.Event()

    def half_way(progress: Any) -> None:  # noqa: ANN401 - a Progress
        if progress.counts.pages == 10 and not seen.is_set():
            seen.set()
            field.site.template = "list"

    before = field.site.truth()
    field.site.trees = [changed(tree, cents=tree.cents + 100) for tree in field.site.trees]
    harvest_source(field.store, "orchard", RunChoices(), watch=half_way)
    truth = field.site.truth()
    assert all(values in (before[key], truth[key]) for key, values in field.records().items())
    assert field.harvest().state == "whole"
    assert field.records() == truth


def test_one_learned_page_that_changed_alone_does_not_stop_the_others(field: Field) -> None:
    field.add(field.learn(1, 3, 5))
    assert field.harvest().state == "whole"
    learned, shown = field.site.trees[1], field.site.page
    was, *others = (price_of(changed(learned, cents=learned.cents + more), "en") for more in (0, 900, -900))

    def page(path: str, query: str) -> tuple[int, str]:
        status, text = shown(path, query)
        on_sale = "<del>{}</del> <ins>{}</ins>".format(*others)
        return status, text.replace(f"<td>{was}</td>", f"<td>{on_sale}</td>") if path == f"/p/{learned.sku}" else text

    field.site.page = page  # type: ignore[method-assign] # on sale
    field.site.trees[8] = changed(field.site.trees[8], cents=123)
    report = field.harvest()
    assert (report.state, report.exit_code, report.counts.changed) == ("whole", 0, 2), report
    assert field.records()[learned.sku]["price"] == others[-1]
    field.site.template = "cards"
    field.site.trees = [changed(tree, cents=tree.cents + 1) for tree in field.site.trees]
    assert field.harvest().state == "whole"
    assert field.records() == field.site.truth()


def test_a_learned_page_that_cannot_be_read_alone_is_left_out_and_the_others_are_read(field: Field) -> None:
    field.add(field.learn(1, 3, 5))
    assert field.harvest().state == "whole"
    before, learned, shown = field.records(), field.site.trees[1], field.site.page
    price = price_of(learned, "en")

    def page(path: str, query: str) -> tuple[int, str]:
        status, text = shown(path, query)
        by_size = "<td><p>Bare root</p><p>£3.00</p></td><td><p>In a pot</p><p>£9.00</p></td>"
        return status, text.replace(f"<td>{price}</td>", by_size) if path == f"/p/{learned.sku}" else text

    field.site.page = page  # type: ignore[method-assign] # sold in two sizes
    field.site.trees[8] = changed(field.site.trees[8], cents=123)
    report = field.harvest()
    assert (report.state, report.exit_code, report.counts.changed) == ("partial", 6, 1), report
    assert field.records() == before | {field.site.trees[8].sku: field.site.truth()[field.site.trees[8].sku]}
    assert learned.sku in field.warnings()["template"]


def test_a_wall_defers_the_source_and_stores_nothing(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    before = field.records()
    field.site.wall = True
    report = field.harvest()
    assert (report.state, report.exit_code, report.warnings) == ("deferred", 6, ("blocked",))
    assert field.state() == "deferred"
    assert field.records() == before
    field.site.wall = False
    assert field.harvest().state == "whole"
    assert field.state() == "active"
    assert field.warnings() == {}


def test_a_learned_page_that_is_gone_defers_the_source_unless_it_may_go_on(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    lost = field.site.trees.pop(1)
    report = field.harvest()
    assert (report.state, report.exit_code, report.warnings) == ("deferred", 6, ("gone",))
    assert "windrow source set orchard read.wrapper=" in field.warnings()["gone"]
    assert lost.sku in field.records()
    field.add(warn={"gone": "continue"})
    report = field.harvest()
    assert (report.state, report.counts.removed) == ("whole", 1)
    assert field.records() == field.site.truth()


def test_values_that_changed_while_others_stand_are_ordinary_content(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    field.site.trees[1] = changed(field.site.trees[1], cents=1_234)
    report = field.harvest()
    assert (report.state, report.counts.changed, report.warnings) == ("whole", 1, ())


def test_fewer_records_than_usual_remove_nothing(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    kept = field.site.trees
    field.site.trees = kept[:8]
    report = field.harvest()
    assert (report.state, report.exit_code, report.counts.removed) == ("deferred", 6, 0)
    assert "fewer" in report.warnings
    assert len(field.records()) == 24
    report = field.harvest(accept=True)
    assert (report.state, report.counts.removed) == ("whole", 16)


def test_an_empty_list_removes_nothing(field: Field) -> None:
    field.add(field.learn(), warn={"gone": "continue"})
    field.harvest()
    field.site.trees = []
    report = field.harvest()
    assert (report.state, report.exit_code) == ("deferred", 6)
    assert "empty" in report.warnings
    assert len(field.records()) == 24


def test_a_value_that_is_no_longer_shown_stays(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    tree = next(tree for tree in field.site.trees[4:] if tree.has_year)
    place = field.site.trees.index(tree)
    field.site.trees[place] = changed(tree, has_year=False)
    for _ in range(2):
        report = field.harvest()
        assert (report.state, report.exit_code, report.warnings) == ("whole", 0, ("missing",))
        assert "1 record keeps values that its page did not surely show when last read: year (1)." in report.sentence
        assert field.records()[tree.sku]["year"] == str(tree.year)
        assert field.history("changed") == []
        assert field.kept() == {tree.sku: ["year"]}
        assert f"One is '{tree.sku}'" in field.warnings()["missing"]


def test_a_value_that_was_kept_goes_where_a_person_says_so_or_comes_again(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    first, second = [place for place, tree in enumerate(field.site.trees) if place > 3 and tree.has_year][:2]
    for place in (first, second):
        field.site.trees[place] = changed(field.site.trees[place], has_year=False)
    field.harvest()
    tree = field.site.trees[first] = changed(field.site.trees[first], has_year=True)
    report = field.harvest()
    assert "1 record keeps" in report.sentence
    assert field.kept() == {field.site.trees[second].sku: ["year"]}
    report = field.harvest(accept=True)
    assert (report.state, report.counts.changed, report.warnings) == ("whole", 1, ())
    assert field.records() == field.site.truth()
    assert field.history("changed") == [
        (field.site.trees[second].sku, "year", str(field.site.trees[second].year), None)
    ]
    assert (field.kept(), field.warnings()) == ({}, {})
    assert field.records()[tree.sku]["year"] == str(tree.year)
    with field.store.reading() as connection:
        assert find_faults(connection) == []


def test_a_label_that_falls_out_of_many_pages_holds_the_run_for_review(field: Field) -> None:
    field.add(field.learn())
    field.harvest()
    before = field.records()
    trees = [
        tree if place in {1, 3} else changed(tree, has_year=False, cents=777)
        for place, tree in enumerate(field.site.trees)
    ]
    field.site.trees = trees
    report = field.harvest()
    assert (report.state, report.exit_code) == ("deferred", 6)
    assert "missing" in report.warnings
    assert field.records() == before
    assert field.history("changed") == []
    report = field.harvest(accept=True)
    assert report.state == "whole"
    assert field.records()[trees[5].sku]["price"] == "£7.77"


def test_robots_txt_is_kept(field: Field) -> None:
    field.site.robots = "User-agent: *\nDisallow: /p/T-0005\n"
    field.add(field.learn())
    report = field.harvest()
    assert report.state == "whole"
    assert "robots" in report.warnings
    assert field.server.asked_for("/p/T-0005") == []
    assert "T-0005" not in field.records()


def test_nothing_is_fetched_where_robots_txt_forbids_it(field: Field) -> None:
    wrapper = field.learn()
    field.site.robots = "User-agent: windrow\nDisallow: /\n"
    field.add(wrapper)
    asked = len(field.server.requests)
    report = field.harvest()
    assert (report.state, report.exit_code, report.warnings) == ("failed", 4, ("robots",))
    assert [request.path for request in field.server.requests[asked:]] == ["/robots.txt"]


def test_every_request_says_who_asks(field: Field) -> None:
    wrapper = field.learn()
    field.add(wrapper)
    asked = len(field.server.requests)
    field.harvest()
    agents = {request.agent for request in field.server.requests[asked:]}
    assert len(agents) == 1
    assert agents.pop().startswith("windrow/")


def test_requests_keep_to_the_rate(field: Field) -> None:
    field.site.trees = field.site.trees[:6]
    field.add(field.learn(), manners={"rate": 10, "concurrency": 4})
    asked = len(field.server.requests)
    field.harvest()
    times = sorted(request.at for request in field.server.requests[asked:])
    assert len(times) == 8
    assert times[-1] - times[0] >= (len(times) - 1) / 10 - 0.05


def test_the_slower_of_rate_and_crawl_delay_holds(field: Field) -> None:
    field.site.trees = field.site.trees[:4]
    field.site.robots = "User-agent: *\nCrawl-delay: 0.3\n"
    field.add(field.learn())
    asked = len(field.server.requests)
    field.harvest()
    times = sorted(request.at for request in field.server.requests[asked:] if request.path != "/robots.txt")
    assert min(later - earlier for earlier, later in pairwise(times)) > 0.25


FAULTS = ("503 0", "reset", "truncate", "drip")


def test_faults_change_nothing_but_the_number_of_requests(store: Store) -> None:
    def fault(path: str, count: int) -> str | None:
        return FAULTS[(hash_of(path) + count) % 4] if (hash_of(path) + count) % 5 == 0 else None

    with Server(Site(trees=grow(24))) as plain:
        wrapper = Field(store, plain).learn()
    with Server(Site(trees=grow(24)), fault, port=int(plain.url.rpartition(":")[2])) as server:
        field = Field(store, server)
        field.add(wrapper, manners={"retries": 8})
        report = field.harvest()
        assert report.state == "whole"
        assert field.records() == field.site.truth()
        assert len(server.requests) <= 3 * 30


def hash_of(path: str) -> int:
    return sum(path.encode())


def test_a_page_that_can_not_be_had_removes_nothing(store: Store) -> None:
    def fault(path: str, _: int) -> str | None:
        return "500" if path == "/p/T-0006" and broken else None

    broken = False
    with Server(Site(trees=grow(24)), fault) as server:
        field = Field(store, server)
        field.add(field.learn(), manners={"retries": 1})
        field.harvest()
        broken = True
        field.site.trees.pop(12)
        report = field.harvest()
        assert (report.state, report.exit_code, report.counts.removed) == ("partial", 3, 0)
        assert "failed" in report.warnings
        broken = False
        report = field.harvest()
        assert (report.state, report.counts.removed) == ("whole", 1)


def test_a_run_that_is_stopped_goes_on_where_it_was(field: Field) -> None:
    field.add(field.learn())
    stop = threading.Event()
    asked = len(field.server.requests)

    def after_ten(progress: Any) -> None:  # noqa: ANN401 - a Progress
        if progress.counts.pages == 10:
            stop.set()

    report = harvest_source(field.store, "orchard", RunChoices(), watch=after_ten, stop=stop)
    assert (report.state, report.exit_code) == ("partial", 0)
    report = field.harvest()
    assert report.state == "whole"
    assert report.counts.pages == 27
    assert field.records() == field.site.truth()
    assert len(field.server.requests) - asked <= 27 + 1 + 3


def test_a_budget_of_pages_ends_a_run(field: Field) -> None:
    field.add(field.learn(), follow={"pages": 9})
    report = field.harvest()
    assert (report.state, report.exit_code, report.counts.pages) == ("partial", 5, 9)
    assert "limit" in report.warnings
    assert report.seconds < 10, "nothing is waited for once the budget is spent"
    report = field.harvest(pages=4)
    assert (report.exit_code, report.counts.pages) == (5, 4)


def test_two_pages_with_one_key_never_flip(field: Field) -> None:
    field.add(field.learn())
    twin = changed(field.site.trees[20], cents=1)
    field.harvest()
    first = values_of(field.site.trees[20], "en")

    def page(path: str, query: str) -> tuple[int, str]:
        if path == "/p/twin":
            place = field.site.trees.index(next(tree for tree in field.site.trees if tree.sku == twin.sku))
            before, field.site.trees[place] = field.site.trees[place], twin
            answer = original(f"/p/{twin.sku}", query)
            field.site.trees[place] = before
            return answer
        status, text = original(path, query)
        return status, text.replace(
            "<ol class='trees'>", "<ol class='trees'><li class='tree'><h2><a href='/p/twin'>Twin</a></h2></li>"
        )

    original: Callable[[str, str], tuple[int, str]] = field.site.page
    field.site.page = page  # type: ignore[method-assign] # a site with a page twice
    for _ in range(3):
        report = field.harvest(fresh=True)
        assert "key" in report.warnings
        assert field.records()[twin.sku] == first


def test_kept_pages_are_read_again_without_the_network(field: Field) -> None:
    field.add(field.learn(), keep={"pages": True})
    field.harvest()
    asked = len(field.server.requests)
    wrapper = field.learn().rename_label("grower", "nursery")
    asked = len(field.server.requests)
    with field.store.writing() as connection:
        add_wrapper(connection, get_source(connection, "orchard").id, wrapper.to_json(), "person")
    report = field.harvest(trigger="offline")
    assert len(field.server.requests) == asked
    assert (report.state, report.counts.removed) == ("whole", 0)
    assert field.records()["T-0004"]["nursery"] == field.site.trees[4].grower


def test_a_list_wrapper_reads_the_rows_of_all_pages(field: Field) -> None:
    page = windrow.load(f"{field.server.url}/list", render=False, options=PRIVATE)
    rows = [{"name": tree.name, "price": values_of(tree, "en")["price"]} for tree in field.site.trees[:2]]
    field.add(windrow.learn(page, rows), read={"key": ["name"]}, follow={"list": "none", "detail": None})
    report = field.harvest()
    assert (report.state, report.counts.pages, report.counts.records) == ("whole", 3, 24)
    field.site.trees.insert(0, changed(field.site.trees[0], sku="T-9999", name="Medlar New 1"))
    field.site.trees.insert(0, changed(field.site.trees[0], sku="T-9998", name="Medlar New 2"))
    report = field.harvest()
    assert (report.state, report.counts.added, report.counts.removed, report.counts.changed) == ("whole", 2, 0, 0)


def test_a_reader_needs_nothing_learned(field: Field) -> None:
    field.add(read={"reader": "records", "key": ["url"]}, follow={"list": "none", "detail": None})
    report = field.harvest()
    assert (report.state, report.counts.records) == ("whole", 24)


def test_kept_pages_are_exported_as_warc_that_other_tools_read(field: Field, tmp_path: Path) -> None:
    field.add(field.learn(), keep={"pages": True})
    field.harvest()
    with field.store.reading() as connection, written(tmp_path / "pages.warc.gz") as file:
        number = get_source(connection, "orchard").id
        assert write_warc(connection, number, file, lambda: None) == 27
    with (tmp_path / "pages.warc.gz").open("rb") as file:
        records = [
            (
                record.headers["WARC-Target-URI"],
                record.http_headers.status_code,
                record.reader.read(),
                record.headers["WARC-Date"],
            )
            for record in ArchiveIterator(file)
        ]
    pages = {url: content.decode() for url, status, content, _ in records if status == 200}
    assert len(pages) == 27
    tree = field.site.trees[4]
    assert pages[f"{field.server.url}/p/{tree.sku}"] == field.site.page(f"/p/{tree.sku}", "")[1]


def test_parameters_of_sessions_are_learned_from_two_addresses_with_one_key(field: Field) -> None:
    numbers = iter(range(10_000))
    original: Callable[[str, str], tuple[int, str]] = field.site.page

    def page(path: str, query: str) -> tuple[int, str]:
        status, text = original(path, query)
        for tree in field.site.trees:
            text = text.replace(f"/p/{tree.sku}'", f"/p/{tree.sku}?visit={next(numbers)}'")
        return status, text.replace(
            "<ol class='trees'>", "<ol class='trees'><li><h2><a href='/p/T-0002?visit=x'>Plum</a></h2></li>"
        )

    field.site.page = page  # type: ignore[method-assign] # a site with a session in its addresses
    field.add(field.learn())
    field.harvest()
    assert field.records() == field.site.truth()
    with field.store.reading() as connection:
        assert get_source(connection, "orchard").ignored == ["visit"]
    report = field.harvest()
    assert (report.state, report.counts.pages, report.counts.records, report.counts.added) == ("whole", 27, 24, 0)


def test_importing_a_file_again_does_not_undo_healing(field: Field, tmp_path: Path) -> None:
    file, url = tmp_path / "orchard.toml", field.server.url
    (tmp_path / "orchard.json").write_text(field.learn().to_json(), "utf-8")
    file.write_text(
        f"""[source.orchard]
start = ["{url}/list"]
follow = {{detail = "/p/*"}}
read = {{wrapper = "orchard.json", key = ["sku"]}}
manners = {{rate = 1000}}
network = {{render = false, allow_private = true}}
""",
        "utf-8",
    )
    import_file(field.store, file, say=print)
    field.harvest()
    field.site.template = "list"
    assert "healed" in field.harvest().warnings
    import_file(field.store, file, say=print)
    with field.store.reading() as connection:
        versions = list_wrappers(connection, get_source(connection, "orchard").id)
    assert [each.made_by for each in versions] == ["person", "heal"]
    (tmp_path / "orchard.json").write_text(field.learn(2, 5).to_json(), "utf-8")
    import_file(field.store, file, say=print)
    with field.store.reading() as connection:
        versions = list_wrappers(connection, get_source(connection, "orchard").id)
    assert [each.made_by for each in versions] == ["person", "heal", "person"]
