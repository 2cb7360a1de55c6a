"""What the confidence in a value is worked out from."""

from __future__ import annotations

import math

import pytest

import windrow
from windrow.weights import load_weights
from windrow.wrapper.extraction import PageReader
from windrow.wrapper.location import Location, Step
from windrow.wrapper.reading import SIGNALS, Reading, Vote
from windrow.wrapper.rule import Place

FEWEST, FEWEST_SITES = 5, 5
"""Results of a bucket, and sites, that say something of it: those of one site are right or wrong together."""
ONE, TWO = "https://barn.example/1", "https://barn.example/2"


@pytest.mark.parametrize("name", SIGNALS)
def test_every_signal_speaks_for_a_value(name: str) -> None:
    middling = dict.fromkeys(SIGNALS, 0.9)
    assert Reading((), middling | {name: 1.0}).confidence > Reading((), middling | {name: 0.0}).confidence


def test_what_is_stated_is_true_on_sites_left_out() -> None:
    told = load_weights("wrapper").head["left out"]["reliability"]
    assert sum(each["count"] for each in told) > 1000 * FEWEST
    for bucket in [each for each in told if each["count"] >= FEWEST and each["sites"] >= FEWEST_SITES]:
        chance = 2 * math.sqrt(bucket["stated"] * (1 - bucket["stated"]) / bucket["count"])
        assert abs(bucket["stated"] - bucket["true"]) <= max(0.05, chance), bucket


def test_a_place_is_surer_the_further_it_leads() -> None:
    place = Place(Location((Step("p", 0),)), 1.0)
    near, far = (Vote(place, 1, "Hay", 1.0, lead, "").probability for lead in (0.0, 0.9))
    assert 0.6 < near < 0.9
    assert far > 0.95


def anchored(learned: str, other: str) -> float:
    wrapper = windrow.learn(windrow.parse(learned, url=ONE), {"what": "Hay"})
    return wrapper.read_labels(PageReader(windrow.parse(other, url=TWO).nodes, is_home=False))["what"].signals[
        "anchored"
    ]


def test_a_value_is_anchored_at_its_very_place_after_its_name_or_alone_in_its_kind() -> None:
    rows = "<div><p>{}</p><p>{}</p><p>{}</p></div>"
    assert anchored(rows.format("12", "Hay", "34"), rows.format("56", "Straw", "78")) == 1.0
    named = "<div>{}<p><i>Kind</i> <b>{}</b></p><p><i>Size</i> <b>9</b></p></div>"
    assert anchored(named.format("", "Hay"), named.format("<p>New 1</p>", "Straw")) == 1.0
    alone = "<div>{}<h2 class=what>{}</h2><p>1</p></div>"
    assert anchored(alone.format("", "Hay"), alone.format("<h2>2</h2>", "Straw")) == 1.0


def test_items_of_other_classes_are_items() -> None:
    page = "<h1>Tools</h1><ul>{}</ul><p>End</p>"
    items = [page.format("".join(f"<li class={kind}>{name}</li>" for kind, name in some)) for some in (
        (("a", "Rake"), ("b", "Fork"), ("c", "Hoe")), (("x", "Axe"), ("y", "Saw"), ("z", "Pail"), ("a", "Spade")),
    )]  # fmt: skip
    wrapper = windrow.learn(windrow.parse(items[0], url=ONE), {"tool": ["Rake", "Fork", "Hoe"]})
    assert wrapper.extract(windrow.parse(items[1], url=TWO)).values == {"tool": ["Axe", "Saw", "Pail", "Spade"]}
