from __future__ import annotations

from dataclasses import replace

import pytest
import shelf

import windrow
from windrow.wrapper.template.surroundings import traces_of
from windrow.wrapper.template.walls import PARAMETERS, name_other

WALLS = {
    "login": "<h1>Log in</h1><form><input name=u><input type=password><button>Log in</button></form>",
    "lost": "<h1>Page not found</h1><p>The page you asked for is not here. <a href='/'>Go to the first page</a></p>",
    "verloren": "<h1>Seite nicht gefunden</h1><p>Diese Seite gibt es hier nicht.</p>",
    "consent": "<h1>We value your privacy</h1><p>We and our partners use cookies.</p><button>Accept</button>",
    "captcha": "<h1>Are you a human?</h1><p>Solve the captcha to go on.</p>",
    "paywall": "<h1>Read on</h1><p>Subscribe to continue. One month costs £1.</p>",
    "error": "<h1>Something went wrong</h1><p>Please try again later.</p>",
}


@pytest.fixture(scope="module")
def learned() -> windrow.Wrapper:
    return windrow.learn(shelf.old(shelf.HAY), shelf.HAY)


def framed(content: str, url: str = shelf.OTHER) -> windrow.Page:
    """Give a page in the shop's own frame."""
    page = shelf.old_page(shelf.WELL)
    start, end = page.index("<h1>"), page.index("</ul></div>") + len("</ul>")
    return windrow.parse(page[:start] + content + page[end:], url=url)


@pytest.mark.parametrize("url", [shelf.HOME, shelf.OTHER])
@pytest.mark.parametrize("name", WALLS)
def test_a_wall_in_the_frame_of_the_site_gives_no_values(learned: windrow.Wrapper, name: str, url: str) -> None:
    found = learned.extract(framed(WALLS[name], url))
    assert (found.kind, any(found.values.values())) == ("wall", False)
    assert found.missing == learned.labels
    assert "Open it in a browser" in found.sentence


@pytest.mark.parametrize("price", ["Rp 1.353.500", "1,404 €", "£500.00", "503.20 kr"])
def test_a_part_of_a_number_is_no_error_of_a_server(learned: windrow.Wrapper, price: str) -> None:
    assert learned.extract(framed(f"<section><h2>Well Water</h2><b>{price}</b></section>")).kind == "other"


def test_a_number_by_itself_may_be_one(learned: windrow.Wrapper) -> None:
    assert learned.extract(framed("<h2>404</h2><p>Sorry.</p>")).kind == "wall"


@pytest.mark.parametrize("url", [shelf.HOME, shelf.OTHER])
def test_a_wall_stops_whoever_reads(learned: windrow.Wrapper, url: str) -> None:
    change = learned.check(framed(WALLS["login"], url))
    assert (change.changed, change.affected, change.kind, change.severity) == (True, True, "blocked", "stop")
    assert change.labels == tuple(learned.labels)


def test_one_learned_title_is_not_read_from_the_heading_of_a_wall() -> None:
    wrapper = windrow.learn(shelf.old(shelf.HAY), {"title": "The Hay Year"})
    assert wrapper.extract(framed(WALLS["lost"])).kind == "wall"
    assert wrapper.extract(shelf.old(shelf.BARN, shelf.OTHER)).values == {"title": ["Barn Owls"]}


@pytest.mark.parametrize(
    "content",
    ["<h1>Search</h1><p>No results for hay.</p>", "<h1>Suche</h1><p>Keine Treffer.</p>", "<h1>Search</h1>", ""],
)
def test_an_empty_result_is_no_record(learned: windrow.Wrapper, content: str) -> None:
    found = learned.extract(framed(content))
    assert found.kind == ("empty" if "<p>" in content or not content else "other")
    assert not any(found.values.values())


def test_a_wall_that_leaves_parts_of_the_record_gives_no_title() -> None:
    wrapper = windrow.learn(shelf.old(shelf.HAY), {"title": "The Hay Year", "authors": ["Ada Rake", "Ben Fork"]})
    head, _, rest = shelf.old_page(shelf.WELL).partition("<h1>")
    page = head + "<h1>Please log in</h1>" + rest[rest.index("<h2>Chapters") :]
    assert wrapper.extract(windrow.parse(page, url=shelf.OTHER)).kind == "wall"
    page = head + "<h1>A Well in the Field</h1>" + rest[rest.index("<h2>Chapters") :]
    assert wrapper.extract(windrow.parse(page, url=shelf.OTHER)).values["title"] == ["A Well in the Field"]


def test_another_page_of_the_site_is_no_record(learned: windrow.Wrapper) -> None:
    found = learned.extract(framed("<h1>Our story</h1>" + "<p>We began to sell books beside the barn.</p>" * 5))
    assert (found.kind, found.missing) == ("other", learned.labels)
    assert "learn it again" in found.sentence


def test_other_pages_of_the_template_are_pages(learned: windrow.Wrapper) -> None:
    for book in (shelf.WELL, shelf.BARN):
        assert learned.extract(shelf.old(book, shelf.OTHER)).kind == "page"


def test_a_record_about_walls_is_a_page(learned: windrow.Wrapper) -> None:
    book: shelf.Book = shelf.WELL | {"title": "Log in: a captcha for cookies", "chapters": ["Page not found"]}
    found = learned.extract(shelf.old(book, shelf.OTHER))
    assert (found.kind, found.values) == ("page", shelf.values_of(book))


def test_a_link_to_log_in_belongs_to_the_frame() -> None:
    head, tail = shelf.old_page(shelf.HAY).split("On sale now")
    wrapper = windrow.learn(windrow.parse(head + "Log in" + tail, url=shelf.HOME), shelf.HAY)
    page = framed("<h1>Our story</h1><p>We began to sell books beside the barn.</p>")
    other = replace(page, nodes=windrow.parse(page.html.replace("On sale now", "Log in")).nodes)
    assert wrapper.extract(other).kind == "other"


def test_a_refused_page_is_a_wall_whatever_it_says(learned: windrow.Wrapper) -> None:
    page = framed("<h1>Come back soon</h1>")
    refused = replace(page, provenance=replace(page.provenance, status=503))
    assert (learned.extract(page).kind, learned.extract(refused).kind) == ("other", "wall")
    whole = shelf.old(shelf.WELL, shelf.OTHER)
    refused = replace(whole, provenance=replace(whole.provenance, status=404))
    assert learned.extract(refused).values == shelf.values_of(shelf.WELL)


def test_a_wall_has_fewer_characters_than_a_page(learned: windrow.Wrapper) -> None:
    def is_wall(words: str, length: int, rest: str = "") -> bool:
        page = windrow.parse(f"<body><p>{words}{'x' * (length - len(words))}</p>{rest}</body>")
        return name_other(traces_of(page.nodes), learned.surroundings) == "wall"

    assert is_wall("captcha ", PARAMETERS.wall_length - 1)
    assert not is_wall("captcha ", PARAMETERS.wall_length)
    assert is_wall("sign in ", PARAMETERS.mention_length - 1)
    assert not is_wall("sign in ", PARAMETERS.mention_length)
    assert is_wall("sign in ", PARAMETERS.mention_length, "<input type=password>")


@pytest.mark.parametrize(
    "wall", ["<h1>We value your privacy</h1><p>Accept cookies</p>", "<h1>Hay</h1><p>Subscribe</p>"]
)
def test_a_heading_and_a_paragraph_are_no_record_where_a_wall_speaks(wall: str) -> None:
    page = "<nav><a>Home</a><a>Tools</a></nav>{}<footer>Imprint</footer>"
    record = "<h1>Rake</h1><dl><dt>Author</dt><dd>Ada</dd><dt>Price</dt><dd>£4</dd></dl><p class=note>Ships today</p>"
    learned = windrow.learn(
        windrow.parse(page.format(record), url="https://barn.example/1"), {"title": "Rake", "by": "Ada", "price": "£4"}
    )
    found = learned.extract(windrow.parse(page.format(wall), url="https://barn.example/2"))
    assert (found.kind, found.values) == ("wall", {"title": [], "by": [], "price": []})
