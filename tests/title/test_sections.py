"""Parts of a title tag that only say where on the site a page stands."""

from __future__ import annotations

import pytest

import windrow
from windrow.title.evidence import gather, read_witnesses

MENU = '<div><a href="/">Home</a> <a href="/garden-finder/">Garden Finder</a> <a href="/shop/">Shop</a></div>'
LINKED = '<h1><a href="/garden-finder/">Garden Finder</a></h1>'
PROSE = "<p>The meadow lies behind the mill, and is open from May to September.</p>"
BY_QUERY = "https://www.plants.example/garden-finder/?id=123"
TAG = "Garden Finder - Harrow Meadow - Overview"


def read_title(tag: str, body: str, url: str) -> str:
    return windrow.parse(f"<title>{tag}</title><body>{body}{PROSE}</body>", url=url).title().text


@pytest.mark.parametrize(
    ("tag", "body", "url"),
    [
        pytest.param(TAG, f"{MENU}{LINKED}<h2>Harrow Meadow</h2>", BY_QUERY, id="a heading that is a link"),
        pytest.param(TAG, f"{MENU}{LINKED}<div><b>Harrow Meadow</b></div>", BY_QUERY, id="no heading of its own"),
        pytest.param(TAG, f"{MENU}<div><b>Harrow Meadow</b></div>", BY_QUERY, id="no heading"),
        pytest.param(
            "Garden Finder | Harrow Meadow | Plants Online",
            f'{MENU}<h1>Garden Finder</h1><div class="name">Harrow Meadow</div>',
            "https://www.plants.example/garden/profile.aspx?id=123",
            id="a program",
        ),
        pytest.param(
            "Garden Finder - Harrow Meadow",
            f"{MENU}<h1>Garden Finder</h1><h2>Harrow Meadow</h2>",
            "https://www.plants.example/gardens/123.html",
            id="a number",
        ),
    ],
)
def test_a_section_that_begins_the_tag_is_not_what_the_page_is_called(tag: str, body: str, url: str) -> None:
    assert read_title(tag, body, url) == "Harrow Meadow"


def test_a_link_to_the_page_itself_makes_no_section() -> None:
    body = '<h1>Harrow Meadow</h1><a href="?id=7&utm_source=news">Harrow Meadow</a><p>Gardens of the North</p>'
    url = "https://www.plants.example/show.php?id=7"
    assert read_title("Harrow Meadow - Gardens of the North", body, url) == "Harrow Meadow"


def test_what_the_address_names_is_no_section() -> None:
    body = '<h1>Harrow Meadow</h1><a href="/old/harrow">Harrow Meadow</a><p>Gardens</p>'
    assert read_title("Harrow Meadow - Gardens", body, "https://www.plants.example/harrow-meadow") == "Harrow Meadow"


def test_a_tag_of_nothing_but_links_keeps_its_first_part() -> None:
    body = '<a href="/meadow">Harrow Meadow</a> <a href="/gardens">Gardens</a>'
    found = read_title("Harrow Meadow - Gardens", body, "https://www.plants.example/show.php?id=7")
    assert found.startswith("Harrow Meadow")


def test_a_page_without_an_address_has_no_sections() -> None:
    assert read_title(TAG, f"{MENU}<h1>Garden Finder</h1>", "") == "Garden Finder"


def test_links_that_are_no_addresses_lead_nowhere() -> None:
    body = '<h1>Harrow Meadow</h1><a href="mailto:a@plants.example">Harrow Meadow</a><p>Gardens</p>'
    assert read_title("Harrow Meadow - Gardens", body, "https://www.plants.example/show.php?id=7") == "Harrow Meadow"
    body = '<h1>Harrow Meadow</h1><a href="https://[">Harrow Meadow</a><p>Gardens</p>'
    assert read_title("Harrow Meadow - Gardens", body, "https://www.plants.example/show.php?id=7") == "Harrow Meadow"


@pytest.mark.parametrize(
    ("head", "url"),
    [
        ("", "https://tools.example/c/12"),
        ('<link rel="canonical" href="https://tools.example/rakes">', "https://tools.example/c/12"),
        ('<link rel="canonical" href="/rakes">', "https://tools.example/shop.php?cat=12"),
    ],
)
def test_a_main_heading_is_no_section_where_only_a_tagline_is_left(head: str, url: str) -> None:
    html = f"<title>Rakes - Garden tools</title>{head}<body><nav><a href=/rakes>Rakes</a></nav><h1>Rakes</h1>"
    assert windrow.parse(f"{html}<p>Garden tools</p>{PROSE}</body>", url=url).title().text == "Rakes"


def test_a_link_to_the_canonical_address_makes_no_section() -> None:
    head = '<title>Rakes - Garden tools</title><link rel="canonical" href="/s/4">'
    body = "<body><nav><a href=/s/4>Rakes</a></nav><b>Rakes</b><h2>Garden tools</h2></body>"
    page = windrow.parse(head + body, url="https://tools.example/c/12")
    assert gather(read_witnesses(page.nodes, page.url)).tag.text == "Rakes - Garden tools"


def test_a_section_that_stands_twice_is_taken_off_twice() -> None:
    body = f"<title>Shop - Shop - Harrow Meadow</title><body>{MENU}<h2>Harrow Meadow</h2>{PROSE}</body>"
    page = windrow.parse(body, url=BY_QUERY)
    assert gather(read_witnesses(page.nodes, page.url)).tag.text == "Harrow Meadow"
