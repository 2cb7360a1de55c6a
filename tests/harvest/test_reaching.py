"""How records are reached: sitemaps, feeds, patterns, files, ranked lists, promises, and what must not be followed."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from nursery import File, Server, Site, changed, grow, values_of

import windrow
from windrow.harvest.soft_errors import is_alike, made_up_address
from windrow.harvest.sources import import_file
from windrow.source import guard
from windrow.source.ip_addresses import check_address

if TYPE_CHECKING:
    from pathlib import Path

    from fields import Field

XML = "application/xml"


def sitemap_of(*urls: str, index: bool = False) -> str:
    kind, entry = ("sitemapindex", "sitemap") if index else ("urlset", "url")
    listed = "".join(f"<{entry}><loc>{url}</loc></{entry}>" for url in urls)
    return f'<?xml version="1.0"?><{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</{kind}>'


def pages_of(plot: Field, numbers: range) -> list[str]:
    return [f"{plot.server.url}/p/{plot.site.trees[number].sku}" for number in numbers]


def test_an_index_of_sitemaps_plain_and_packed(plot: Field) -> None:
    url = plot.server.url
    packed = gzip.compress(sitemap_of(*pages_of(plot, range(12, 24))).encode())
    plot.site.files = {
        "/sitemap.xml": File(sitemap_of(f"{url}/one.xml", f"{url}/two.xml.gz", index=True), XML),
        "/one.xml": File(sitemap_of(f"{url}/about/news", *pages_of(plot, range(12))), XML),
        "/two.xml.gz": File(packed, "application/gzip"),
    }
    plot.add(plot.learn(), starts=["/sitemap.xml"], follow={"list": "sitemap"})
    report = plot.harvest()
    assert (report.state, report.counts.records) == ("whole", 24)
    assert plot.records() == plot.site.truth()
    assert plot.server.asked_for("/about/") == []
    asked = len(plot.server.requests)
    report = plot.harvest()
    assert (report.counts.not_modified, len(plot.server.requests) - asked) == (27, 27)
    plot.site.files["/one.xml"] = File(sitemap_of(*pages_of(plot, range(11))), XML)
    report = plot.harvest()
    assert (report.state, report.counts.removed) == ("whole", 1)


def feed_of(plot: Field, kind: str) -> File:
    pages = pages_of(plot, range(24))
    if kind == "rss":
        items = "".join(f"<item><title>Tree</title><link>{page}</link></item>" for page in pages)
        return File(f'<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>{items}</channel></rss>', XML)
    if kind == "atom":
        items = "".join(f"<entry><id>{page}</id><title>Tree</title><link href='{page}'/></entry>" for page in pages)
        return File(f"<feed xmlns='http://www.w3.org/2005/Atom'><title>t</title>{items}</feed>", XML)
    plain = {"version": "https://jsonfeed.org/version/1.1", "title": "t", "items": [{"id": p, "url": p} for p in pages]}
    return File(json.dumps(plain), "application/feed+json")


@pytest.mark.parametrize("kind", ["rss", "atom", "json"])
def test_feeds(plot: Field, kind: str) -> None:
    plot.site.files["/feed"] = feed_of(plot, kind)
    plot.add(plot.learn(), starts=["/feed"], follow={"list": "feed"})
    assert plot.harvest().state == "whole"
    assert plot.records() == plot.site.truth()


def test_a_pattern_of_addresses(plot: Field) -> None:
    plot.add(plot.learn(), starts=["/p/T-00{01..12}"], follow={"list": "none", "detail": None})
    report = plot.harvest()
    assert (report.state, report.counts.records, report.counts.pages) == ("whole", 12, 12)


def test_a_file_of_addresses_beside_the_settings(plot: Field, tmp_path: Path) -> None:
    url = plot.server.url
    (tmp_path / "orchard.json").write_text(plot.learn().to_json(), "utf-8")
    (tmp_path / "trees.txt").write_text(f"# our trees\n{url}/p/T-0001\n\n{url}/p/T-0002\n", "utf-8")
    (tmp_path / "orchard.toml").write_text(
        '[source.orchard]\nstart_file = "trees.txt"\n[source.orchard.follow]\nlist = "none"\n'
        '[source.orchard.read]\nwrapper = "orchard.json"\nkey = ["sku"]\n[source.orchard.manners]\nrate = 1000\n'
        "[source.orchard.network]\nrender = false\nallow_private = true\n",
        "utf-8",
    )
    assert import_file(plot.store, tmp_path / "orchard.toml", say=print).added == ("orchard",)
    assert plot.harvest().state == "whole"
    assert set(plot.records()) == {"T-0001", "T-0002"}
    assert import_file(plot.store, tmp_path / "orchard.toml", say=print).unchanged == ("orchard",)


def test_the_items_of_a_ranked_list_lead_to_pages(plot: Field) -> None:
    rows = "".join(
        f"<li><h2><a href='/p/{tree.sku}'>{tree.name}</a></h2><p>Grown by {tree.grower} for many years, and well "
        f"liked for its fruit.</p></li>"
        for tree in plot.site.trees[:10]
    )
    page = (
        f"<!doctype html><title>Top 10 trees of 2024</title><main><h1>Top 10 Trees of 2024</h1><ol>{rows}</ol></main>"
    )
    plot.site.files["/best"] = File(page)
    plot.add(plot.learn(), starts=["/best"], follow={"list": "toplist", "detail": None})
    report = plot.harvest()
    assert (report.state, set(plot.records())) == ("whole", {tree.sku for tree in plot.site.trees[:10]})


def test_tables_by_keyword_and_the_links_that_promise_them(plot: Field) -> None:
    rows = "".join(
        f"<tr><th>{name}</th><td>{name} {unit}</td></tr>" for name, unit in [("Weight", "kg"), ("Power", "W")]
    )
    table = f"<table><tr><th>Property</th><th>Value</th></tr>{rows}<tr><th>Resolution</th><td>300 dpi</td></tr></table>"
    frame = "<!doctype html><title>A press</title><main><h1>A cider press</h1>{}</main>"
    promise = "<p>It presses.</p><ul><li><a href='/press/specs'>Specifications</a></li><li><a href='/press/buy'>Buy</a>"
    plot.site.files = {
        "/press": File(frame.format(promise + "</ul>")),
        "/press/specs": File(frame.format(table)),
    }
    plot.add(
        starts=["/press"],
        follow={"list": "none", "detail": None},
        read={"reader": "tables", "keyword": "resolution", "key": ["Property"]},
    )
    report = plot.harvest()
    assert report.state == "whole", report.sentence
    assert set(plot.records()) >= {"Weight", "Power", "Resolution"}
    assert plot.server.asked_for("/press/buy") == []
    report = plot.harvest()
    assert (report.state, report.counts.removed, report.counts.not_modified) == ("whole", 0, 2)


def test_links_of_links_to_a_depth(plot: Field) -> None:
    def page(*links: str) -> File:
        return File("<!doctype html><main>" + "".join(f"<p><a href='{link}'>{link}</a></p>" for link in links))

    plot.site.files = {
        "/a": page("/b", "/p/T-0001"),
        "/b": page("/c", "/p/T-0002"),
        "/c": page("/d", "/p/T-0003"),
        "/d": page("/p/T-0004"),
    }
    plot.add(plot.learn(), starts=["/a"], follow={"list": "links", "depth": 3})
    assert plot.harvest().state == "whole"
    assert set(plot.records()) == {"T-0001", "T-0002", "T-0003"}
    assert plot.server.asked_for("/d") == []


def test_one_page_by_many_addresses_is_fetched_once(plot: Field) -> None:
    sku = plot.site.trees[5].sku
    ways = [f"/p/{sku}?utm_source=mail", f"/p/{sku}#price", f"/p/{sku}", f"/p/{sku}?fbclid=1", f"/p/{sku}?PHPSESSID=ab"]
    links = "".join(f"<li><a href='{way}'>Way</a></li>" for way in ways)
    plot.site.files["/many"] = File(f"<!doctype html><main><ul>{links}</ul></main>")
    plot.add(plot.learn(), starts=["/many"])
    report = plot.harvest()
    assert (report.state, report.counts.records, report.warnings) == ("whole", 1, ())
    fetched = [request.path for request in plot.server.asked_for(f"/p/{sku}") if request.agent.startswith("windrow/0.")]
    assert len(fetched) == 1, fetched


def test_two_addresses_of_one_page_are_one_record_and_no_conflict(plot: Field) -> None:
    tree = plot.site.trees[5]
    plot.site.files["/many"] = File(
        f"<!doctype html><main><a href='/p/{tree.sku}'>a</a> <a href='/p/{tree.sku}?from=list'>b</a></main>"
    )
    plot.add(plot.learn(), starts=["/many"])
    for _ in range(3):
        report = plot.harvest()
        assert (report.state, report.counts.changed, report.warnings) == ("whole", 0, ())
        assert plot.records() == {tree.sku: values_of(tree, "en")}


def test_a_redirect_to_another_record_stores_nothing_wrong(plot: Field) -> None:
    plot.add(plot.learn(), read={"key": ["url"]})
    plot.harvest()
    plot.site.files["/p/T-0007"] = File(status=301, headers={"Location": "/p/T-0008"})
    report = plot.harvest(fresh=True)
    names = Counter(values["name"] for values in plot.records().values())
    assert names[plot.site.trees[8].name] == 1, report


def test_a_redirect_to_what_robots_txt_forbids_is_not_followed(plot: Field) -> None:
    plot.site.robots = "User-agent: *\nDisallow: /private\n"
    plot.site.files = {
        "/p/T-0007": File(status=302, headers={"Location": "/private/x"}),
        "/private/x": File("<p>no</p>"),
    }
    plot.add(plot.learn())
    report = plot.harvest()
    assert plot.server.asked_for("/private") == []
    assert "robots" in report.warnings
    assert report.counts.records == 23


@pytest.fixture
def open_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the site's own address pass for one of the web, and nothing else."""

    def check(address: str, *, allow_private: bool = False) -> str | None:
        return None if str(address) == "127.0.0.1" else check_address(address, allow_private=allow_private)

    monkeypatch.setattr(guard, "check_address", check)


@pytest.mark.usefixtures("open_loopback")
def test_private_addresses_in_sitemaps_feeds_lists_and_redirects_get_no_request(plot: Field) -> None:
    with Server(Site(trees=grow(3)), host="127.0.0.2") as inner:
        wrapper = plot.learn()
        plot.site.files = {
            "/sitemap.xml": File(sitemap_of(f"{inner.url}/p/T-0000", f"{plot.server.url}/p/T-0001"), XML),
            "/index.xml": File(sitemap_of(f"{inner.url}/sitemap.xml", index=True), XML),
            "/feed": File(
                f"<rss version='2.0'><channel><item><link>{inner.url}/p/T-0000</link></item></channel></rss>", XML
            ),
            "/links": File(
                f"<!doctype html><main><a href='{inner.url}/p/T-0000'>a</a><a href='/p/T-0002'>b</a></main>"
            ),
            "/p/T-0002": File(status=302, headers={"Location": f"{inner.url}/p/T-0002"}),
        }
        for start, way in [
            ("/sitemap.xml", "sitemap"),
            ("/index.xml", "sitemap"),
            ("/feed", "feed"),
            ("/links", "links"),
        ]:
            plot.add(wrapper, starts=[start], follow={"list": way}, network={"allow_private": False})
            report = plot.harvest()
            assert report.exit_code in {0, 3, 4, 6}, report
        assert inner.requests == []
        assert set(plot.records()) == {"T-0001"}


@pytest.mark.parametrize(("way", "count"), [("feed", 4), ("sitemap", 3)])
def test_headers_do_not_go_to_other_origins_that_a_feed_or_a_sitemap_lists(
    plot: Field, monkeypatch: pytest.MonkeyPatch, way: str, count: int
) -> None:
    """A feed may be of another site, as it says, and be followed there; a sitemap may not."""
    monkeypatch.setenv("ORCHARD_TOKEN", "s3cret-token")
    with Server(Site(trees=plot.site.trees), host="127.0.0.2") as other:
        pages = [*pages_of(plot, range(3)), f"{other.url}/p/T-0007"]
        items = "".join(f"<item><link>{page}</link></item>" for page in pages)
        feed = f"<rss version='2.0'><channel><link>{other.url}/</link>{items}</channel></rss>"
        plot.site.files = {"/feed": File(feed, XML), "/sitemap": File(sitemap_of(*pages), XML)}
        headers = {"X-Token": "env:ORCHARD_TOKEN"}
        plot.add(plot.learn(), starts=[f"/{way}"], follow={"list": way}, network={"headers": headers})
        asked = len(plot.server.requests)
        assert plot.harvest().counts.records == count
        assert {request.headers.get("x-token") for request in plot.server.requests[asked:]} == {"s3cret-token"}
        assert {request.headers.get("x-token") for request in other.requests} <= {None}
        assert len(other.asked_for("/p/T-0007")) == count - 3


def test_a_sitemap_that_breaks_off_removes_nothing(plot: Field) -> None:
    whole = sitemap_of(*pages_of(plot, range(24)))
    plot.site.files["/sitemap.xml"] = File(whole, XML)
    plot.add(plot.learn(), starts=["/sitemap.xml"], follow={"list": "sitemap"})
    assert plot.harvest().state == "whole"
    plot.site.files["/sitemap.xml"] = File(whole[: whole.index("T-0020")], XML)
    plot.site.trees[3] = changed(plot.site.trees[3], cents=4_242)
    for _ in range(2):
        report = plot.harvest()
        assert (report.state, report.counts.removed, report.warnings) == ("partial", 0, ("limit",))
        assert plot.records() == plot.site.truth()
    plot.site.files["/sitemap.xml"] = File(whole, XML)
    assert plot.harvest().state == "whole"


def test_headers_go_to_the_origin_alone(plot: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORCHARD_TOKEN", "s3cret-token")
    with Server(Site(trees=plot.site.trees), host="127.0.0.2") as other:
        wrapper = plot.learn()
        plot.site.files["/p/T-0007"] = File(status=302, headers={"Location": f"{other.url}/p/T-0007"})
        plot.add(wrapper, network={"headers": {"X-Token": "env:ORCHARD_TOKEN"}})
        asked = len(plot.server.requests)
        plot.harvest()
        assert {request.headers.get("x-token") for request in plot.server.requests[asked:]} == {"s3cret-token"}
        assert {request.headers.get("x-token") for request in other.requests} == {None}
        assert other.asked_for("/p/T-0007")


@pytest.mark.parametrize(
    ("url", "made_up"),
    [
        ("https://h.example/item?id=7", "https://h.example/item?id=1987654321"),
        ("https://h.example/a/b?name=pear&x=", "https://h.example/a/b?name=windrow-no-such-page&x="),
        ("https://h.example/p/pear", "https://h.example/p/windrow-no-such-page"),
        ("https://h.example/list/3", "https://h.example/list/1987654321"),
    ],
)
def test_an_address_that_nobody_made_has_the_form_of_the_one_beside_it(url: str, made_up: str) -> None:
    assert made_up_address(url) == made_up


def test_pages_are_alike_but_for_the_values_in_their_addresses() -> None:
    url, other_url = "https://h.example/item?id=7", "https://h.example/item?id=1987654321"
    page, other = (windrow.parse(f"<p>7 days a week. Item {number}.</p>") for number in ("7", "1987654321"))
    assert is_alike(page, url, other, other_url)
    assert not is_alike(page, url, windrow.parse("<p>7 days a week. Item 8.</p>"), other_url)
