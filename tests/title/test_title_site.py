from __future__ import annotations

import gc
import pickle
import weakref

import pytest

import windrow

URL = "https://www.hayfield-notes.example/rye-bread"


def site_of(html: str, url: str = URL) -> str:
    return windrow.parse(html, url=url).title().site


@pytest.mark.parametrize(
    ("html", "site"),
    [
        (
            "<meta property=og:site_name content='Hayfield Notes'><title>Rye | Bread</title><h1>Rye</h1>",
            "Hayfield Notes",
        ),
        (
            (
                "<meta property=og:site_name content='Hayfield Notes | Bread and more from the valley'>"
                "<title>Rye - Hayfield Notes</title><h1>Rye</h1>"
            ),
            "Hayfield Notes",
        ),
        ("<meta property=og:site_name content=Home><title>Rye bread | Hayfield Notes</title>", "Hayfield Notes"),
        ("<title>Rye bread | Hayfield Notes</title><h1>Rye bread</h1>", "Hayfield Notes"),
        ("<title>Hayfield Notes » Rye bread</title><h1>Rye bread</h1>", "Hayfield Notes"),
        ("<title>Rye bread</title><h1>Rye bread</h1><a href=/><img alt='Hayfield Notes logo'></a>", "Hayfield Notes"),
        (
            (
                "<title>Rye bread</title><h1>Rye bread</h1><script type=application/ld+json>"
                '{"@type": "Article", "headline": "Rye", "publisher": {"@type": "Organization", "name": "Hayfield"}}'
                "</script>"
            ),
            "Hayfield",
        ),
        ("<title>Rye bread</title><h1>Rye bread</h1><p>A loaf.</p>", ""),
        ("<title>Rye bread | Baking</title><h1>Rye bread</h1>", ""),
    ],
)
def test_the_site_is_named_by_what_tells_it_most_plainly(html: str, site: str) -> None:
    assert site_of(html) == site


def test_a_name_is_spelled_as_the_page_spells_it_not_as_the_host() -> None:
    assert site_of("<title>Rye bread - HayField notes</title><h1>Rye bread</h1>") == "HayField notes"


def test_other_pages_tell_the_site() -> None:
    html = "<title>{0} | The Barn</title><h1>{0}</h1>"
    pages = [windrow.parse(html.format(name), url=f"https://x.example/{name}") for name in ("Rye", "Oats")]
    assert pages[0].title().site == ""
    assert pages[0].title(others=pages).site == "The Barn"


def test_a_page_without_a_title_has_a_site() -> None:
    title = windrow.parse("<meta property=og:site_name content='Hay'>", url=URL).title()
    assert title.site == "Hay"


@pytest.mark.parametrize("html", ["<title>Rye</title><h1>Rye</h1>", "<title>Rye</title><p>Barley</p>", ""])
def test_the_site_is_worked_out_when_it_is_asked_for_and_without_the_page(html: str) -> None:
    page = windrow.parse("<meta property=og:site_name content='Hay'>" + html, url=URL)
    title, page_is_there = page.title(), weakref.ref(page.nodes)
    copy = windrow.parse(page.html, url=URL).title()
    del page
    gc.collect()
    assert page_is_there() is None
    assert "site" not in vars(title)
    assert pickle.loads(pickle.dumps(copy)) == title  # noqa: S301 - our own
    assert title.site == "Hay"
    assert title.to_dict()["site"] == "Hay"


def test_a_host_alone_does_not_rename_a_front_page() -> None:
    html = "<title>Kingston Gardens</title><p>Write to us at chebsey.example, we answer.</p><p>chebsey.example</p>"
    assert windrow.parse(html, url="https://www.chebsey.example/").title().text == "Kingston Gardens"


@pytest.mark.parametrize(
    "html",
    [
        "<title>Best roofs in the valley | Harrow Roofing</title><h1>Roofs that last a lifetime</h1>",
        "<title>Contact</title><h1>Contact</h1><a href=/><img alt='Harrow Roofing'></a>",
        "<title>Roof repair, gutters, tiles</title><h1>Roof repair</h1><p>© 2020 Harrow Roofing. All rights.</p>",
        "<title>Harrow Roofing Roofs, gutters and tiles for all of the valley</title><img alt='Harrow Roofing logo'>",
        "<title>Roof repair</title><link rel=canonical href=/repair><h1>Roof repair</h1><a href=/>Harrow Roofing</a>",
    ],
)
def test_the_root_of_a_site_is_called_by_the_name_that_most_places_share(html: str) -> None:
    title = windrow.parse(html, url="https://www.harrowroofing.example/").title()
    assert title.text == title.site == "Harrow Roofing"


def test_a_front_page_keeps_the_title_that_its_owner_declares() -> None:
    html = (
        "<title>Harrow Roofing: the valley stays dry</title>"
        "<meta property=og:title content='Harrow Roofing: the valley stays dry'>"
    )
    title = windrow.parse(html, url="https://www.harrowroofing.example/").title()
    assert (title.text, title.site) == ("Harrow Roofing: the valley stays dry", "Harrow Roofing")
