"""Pages of one site that are read together tell each other what is the site's in their titles."""

from __future__ import annotations

import pickle

import windrow

ROW = "<title>Garden Finder - {0} - Overview</title><h1><a href=/>Garden Finder</a></h1><p>{0} lies by the river.</p>"
HOST = "https://gardens.example"


def pages(*places: tuple[str, str]) -> list[windrow.Page]:
    given = [(ROW.format(name), url) for name, url in places]
    return [page for page in windrow.parse_many(given) if isinstance(page, windrow.Page)]


def test_what_the_pages_share_is_the_sites() -> None:
    first, second = pages(("Harrow Meadow", f"{HOST}/g/?id=1"), ("Alder Court", f"{HOST}/g/?id=2"))
    assert (first.title().text, second.title().text) == ("Harrow Meadow", "Alder Court")
    assert first.siblings == ((second.html.partition("<h1>")[0][7:-8], "Garden Finder"),)


def test_pages_of_other_sites_say_nothing() -> None:
    first, second = pages(("Harrow Meadow", f"{HOST}/g/?id=1"), ("Alder Court", "https://other.example/"))
    assert (first.siblings, second.siblings) == ((), ())


def test_the_same_page_twice_is_no_other_page() -> None:
    first, second = pages(("Harrow Meadow", f"{HOST}/g/?id=1"), ("Harrow Meadow", f"{HOST}/g/?id=1"))
    assert (first.siblings, second.siblings) == ((), ())


def test_a_page_that_is_sent_or_saved_keeps_them() -> None:
    first, _ = pages(("Harrow Meadow", f"{HOST}/g/?id=1"), ("Alder Court", f"{HOST}/g/?id=2"))
    again = pickle.loads(pickle.dumps(first))  # noqa: S301 - our own
    assert again.siblings == first.siblings
    assert again.title().text == first.title().text
