"""Pages of one site that are read together tell each other what is the site's in their titles."""

from __future__ import annotations

import pickle
import threading

import pytest

import windrow
from windrow.loader import Task
from windrow.loader.introductions import Introductions
from windrow.loader.siblings import Introduction

ROW = "<title>Garden Finder - {0} - Overview</title><h1><a href=/>Garden Finder</a></h1><p>{0} lies by the river.</p>"
HOST = "https://gardens.example"
NAMES = ["Harrow Meadow", "Alder Court", "Plum Yard", "Quince Lane", "Rowan Hill", "Sorrel Bank"]


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


def tasks() -> list[Task]:
    """Return pages of three hosts, one of which stands alone, with one among them that is no page."""
    given = [(f"{HOST}/g/?id={number}", ROW.format(name)) for number, name in enumerate(NAMES)]
    given.insert(2, ("https://alone.example/g/?id=1", ROW.format("Lone Elm")))
    given.insert(3, (f"{HOST}/broken", "%PDF-1.7"))
    given += [(f"https://www.orchards.example/o/?id={number}", ROW.format(name)) for number, name in enumerate(NAMES)]
    return [Task(html=html.encode(), url=url, render=False) for url, html in given]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_pages_in_several_processes_meet_as_those_in_one(workers: int) -> None:
    with windrow.Loader(workers=workers) as loader:
        found = [outcome.results.get("title") for outcome in loader.read_many(tasks(), ["title"])]
    texts = [title and title.text for title in found]
    alone = windrow.parse(tasks()[2].html or "", url=tasks()[2].url).title().text
    assert texts == [*NAMES[:2], alone, None, *NAMES[2:], *NAMES]


def test_the_slowest_page_settles_what_the_others_hear() -> None:
    heard: dict[int, object] = {}
    run: Introductions[int] = Introductions(lambda: False)
    seats = list(run.seat(range(4), lambda _: "gardens.example"))
    told = [Introduction("gardens.example", str(number), (f"tag {number}",)) for number in range(4)]

    def meet(number: int) -> None:
        heard[number] = seats[number].meet(told[number])

    threads = [threading.Thread(target=meet, args=(number,)) for number in (3, 2, 1)]
    for thread in threads:
        thread.start()
        thread.join(0.1)
    assert heard == {}
    meet(0)
    for thread in threads:
        thread.join(10)
    assert heard == {0: told[1].names, 1: told[0].names, 2: told[1].names, 3: told[2].names}


def test_nobody_waits_for_a_page_that_will_not_come() -> None:
    over = threading.Event()
    run: Introductions[int] = Introductions(over.is_set)
    first, second = run.seat(range(2), lambda _: "gardens.example")
    said = Introduction("gardens.example", "1", ("tag",))
    first.say(None)
    assert second.meet(said) is None
    third, _ = run.seat(range(2), lambda _: "orchards.example")
    over.set()
    assert third.meet(said) is None
