"""Texts that know their place: learned from there alone, and refused where they do not stand there."""

from __future__ import annotations

import copy
import pickle

import pytest

import windrow
from windrow.errors import UsageError
from windrow.wrapper import Spot, Wrapper

HEAD = "<!doctype html><title>Pears</title><header><p>Conference</p></header>"


def page(name: str, price: str, old: str, address: str) -> windrow.Page:
    html = (
        f"{HEAD}<main><h1>{name}</h1><div class=old><span>{old}</span></div><div class=now><span>{price}</span></div>"
        f"<p>Also: {name}; jam</p><a class=buy href=/buy/{name}>Buy</a><a class=top href=/buy/{name}>Again</a></main>"
    )
    return windrow.parse(html, url=f"https://pears.example/{address}")


def spot(one: windrow.Page, text: str, number: int) -> Spot:
    """Return the nth place of a text."""
    start = -1
    for _ in range(number):
        start = one.text.index(text, start + 1)
    return Spot.of(one, start, start + len(text), text)


@pytest.mark.parametrize(("number", "read"), [(1, "7.00"), (2, "5.00")])
def test_only_the_place_that_was_pointed_at_is_learned(number: int, read: str) -> None:
    first, other = page("Alexander", "6.00", "6.00", "a"), page("Bartlett", "5.00", "7.00", "b")
    learned = windrow.learn(first, {"price": spot(first, "6.00", number)})
    assert learned.choices == ()
    assert len(learned.rules["price"][0].values[0]) == 1
    assert learned.extract(other).values == {"price": [read]}


def test_a_part_of_a_longer_text_can_be_pointed_at() -> None:
    first, other = page("Alexander", "6.00", "8.00", "a"), page("Bartlett", "5.00", "7.00", "b")
    place = spot(first, "Alexander", 2)
    learned = windrow.learn(first, {"made of": place})
    assert learned.rules["made of"][0].values[0][0].location.prefix.startswith("Also:")
    assert learned.extract(other).values["made of"] == ["Bartlett"]


def test_a_link_can_be_pointed_at() -> None:
    first = page("Alexander", "6.00", "8.00", "a")
    node = int(first.nodes.tag.where("a")[1])
    learned = windrow.learn(first, {"link": Spot.held_by(first, node, "https://pears.example/buy/Alexander")})
    (place,) = learned.extract(first).located["link"]
    assert place.node == node
    with pytest.raises(UsageError, match="holds"):
        Spot.held_by(first, node, "https://pears.example/elsewhere")


@pytest.mark.parametrize(("start", "end"), [(0, 3), (-1, 4), (5, 5), (9000, 9004)])
def test_a_text_that_does_not_stand_there_is_refused(start: int, end: int) -> None:
    with pytest.raises(UsageError, match="pointed at"):
        Spot.of(page("Alexander", "6.00", "8.00", "a"), start, end, "6.00")


def test_rows_of_a_list_can_be_pointed_at() -> None:
    rows = "".join(f"<li><b>{name}</b> <i>{price}</i></li>" for name, price in [("Ada", "5"), ("Bo", "6"), ("Cy", "7")])
    one = windrow.parse(f"<main><p>Ada 5</p><ul>{rows}</ul></main>", url="https://pears.example/list")
    learned = windrow.learn(one, [{"name": spot(one, "Ada", 2), "price": spot(one, "5", 2)}])
    assert [row["name"] for row in learned.extract(one).rows] == [["Ada"], ["Bo"], ["Cy"]]


def test_a_spot_is_kept_as_a_plain_text_and_copied_with_its_place() -> None:
    first = page("Alexander", "6.00", "6.00", "a")
    pointed = spot(first, "6.00", 2)
    learned = windrow.learn(first, {"price": pointed}, region=Spot.of(first, 0, len(first.text)))
    assert type(learned.examples[0].values["price"][0]) is str
    assert Wrapper.from_json(learned.to_json()).examples == learned.examples
    for copied in (copy.copy(pointed), pickle.loads(pickle.dumps(pointed))):  # noqa: S301 - our own bytes
        assert (copied, copied.start, copied.end) == (pointed, pointed.start, pointed.end)
