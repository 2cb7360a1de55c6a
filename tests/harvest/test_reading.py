"""What is read of a page: labels whose text is the learned one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from windrow import Limits, Options, parse
from windrow.errors import TooLargeError
from windrow.harvest.reading import read_by_wrapper
from windrow.harvest.settings import Read, SourceSettings
from windrow.harvest.visiting import Reader
from windrow.wrapper import learn

if TYPE_CHECKING:
    from windrow.page import Page


def book(number: int, genre: str) -> Page:
    facts = f"<tr><th>Genre<td>{genre}<tr><th>Number<td>B-{number}<tr><th>Pages<td>{100 + number}"
    html = f"<title>Book {number}</title><h1>Book number {number}</h1><table>{facts}</table><p>We sell books."
    return parse(html, url=f"https://example.org/{number}")


def test_a_text_is_the_learned_one_only_where_it_is_that_of_the_first_page() -> None:
    """A heal learns from several pages; the texts of all of them are those of most pages where a label has few."""
    pages = [(book(1, "Novel"), "Novel"), (book(2, "Poems"), "Poems"), (book(3, "Essays"), "Essays")]
    wrapper = learn(
        [(page, {"genre": genre, "number": f"B-{number}"}) for number, (page, genre) in enumerate(pages, 1)]
    )
    assert read_by_wrapper(wrapper, book(4, "Poems"), ["number"], "https://example.org/4").equal == ()
    assert read_by_wrapper(wrapper, book(5, "Novel"), ["number"], "https://example.org/5").equal == ("genre",)


def test_a_list_of_which_no_row_is_sure_is_a_misfit() -> None:
    def tools(*headers: str) -> Page:
        head = "".join(f"<th>{header}" for header in headers)
        rows = "".join(
            f"<tr><td>{name}<td>{price}" for name, price in (("Rake", "£12.50"), ("Fork", "£9.00"), ("Hoe", "£7.00"))
        )
        return parse(f"<body><h1>Tools</h1><table><tr>{head}{rows}</table></body>", url="https://tools.example/")

    rows = [{"name": "Rake", "price": "£12.50"}, {"name": "Fork", "price": "£9.00"}]
    wrapper = learn(tools("Name", "Price"), rows)
    assert len(read_by_wrapper(wrapper, tools("Name", "Price"), ["name"], "https://tools.example/").sightings) == 3
    changed = read_by_wrapper(wrapper, tools("Werkzeug", "Verkauft"), ["name"], "https://tools.example/")
    assert (changed.verdict, changed.sightings) == ("misfit", ())


def test_a_list_that_is_too_long_to_be_read_whole_is_not_tried_again() -> None:
    items = "".join(f"<li><a href=/{n}>Tree {n}</a></li>" for n in range(500))
    options = Options(limits=Limits(nodes=1600))
    page = parse(f"<ul class=results>{items}</ul>", url="https://o.example/", options=options)
    settings = SourceSettings(name="o", start=("https://o.example/",), read=Read(reader="records"))
    with pytest.raises(TooLargeError, match=r"340 more records than the 160 .* sitemap or feed"):
        Reader(settings).read(page, "https://o.example/", lambda _: {})
