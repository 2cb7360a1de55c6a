"""What the confidence in a value is worked out from."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import windrow
from windrow.weights import load_weights
from windrow.wrapper.extraction import PageReader
from windrow.wrapper.location import Location, Step
from windrow.wrapper.reading import SIGNALS, Reading, Vote
from windrow.wrapper.rule import Place

DOCUMENT = Path(__file__).parents[2] / "docs" / "wrapper.md"
FEWEST, FEWEST_SITES = 5, 5
"""Results of a bucket, and sites, that say something of it: those of one site are right or wrong together."""
ONE, TWO = "https://barn.example/1", "https://barn.example/2"


@pytest.mark.parametrize("name", SIGNALS)
def test_every_signal_speaks_for_a_value(name: str) -> None:
    middling = dict.fromkeys(SIGNALS, 0.9)
    assert Reading((), middling | {name: 1.0}).confidence > Reading((), middling | {name: 0.0}).confidence


def merge(told: list[dict[str, float]]) -> list[dict[str, float]]:
    """Merge neighbouring buckets, from the surest down, until each has enough results of enough sites.

    Of how many sites a merged one is stands nowhere; it is at most their sum. What is left at the end is thin.
    """
    merged: list[dict[str, float]] = []
    for each in reversed(told):
        if not merged or is_enough(merged[-1]):
            merged.append(dict(each))
            continue
        last = merged[-1]
        total = last["count"] + each["count"]
        for name in ("stated", "true"):
            last[name] = (last[name] * last["count"] + each[name] * each["count"]) / total
        last |= {"from": each["from"], "count": total, "sites": last["sites"] + each["sites"]}
    return merged


def is_enough(bucket: dict[str, float]) -> bool:
    return bucket["count"] >= FEWEST and bucket["sites"] >= FEWEST_SITES


def chance(bucket: dict[str, float]) -> float:
    """Return by how much a bucket may be off by chance."""
    return max(0.05, 2 * math.sqrt(bucket["stated"] * (1 - bucket["stated"]) / bucket["count"]))


def test_what_is_stated_is_true_on_sites_left_out() -> None:
    told = load_weights("wrapper").head["left out"]["reliability"]
    assert sum(each["count"] for each in told) > 1000 * FEWEST
    merged = merge(told)
    checked = [each for each in merged if is_enough(each)]
    # What is sure, and what is given with a doubt; hardly any value is less sure than that.
    assert [each["from"] >= 0.9 for each in checked] == [True, False]
    for bucket in checked:
        assert abs(bucket["stated"] - bucket["true"]) <= chance(bucket), bucket
    for bucket in merged:  # of too few sites to say how true it is, but nobody is promised too much
        assert bucket["stated"] - bucket["true"] <= chance(bucket), bucket
    assert sum(each["count"] for each in checked) > 0.99 * sum(each["count"] for each in told)


@pytest.mark.parametrize("name", ["reliability", "reliability of cells"])
def test_the_document_shows_the_reliability_and_from_where_on_values_are_given(name: str) -> None:
    weights, document = load_weights("wrapper"), DOCUMENT.read_text("utf-8")
    for each in weights.head["left out"][name]:
        start, numbers = each["from"], f"{each['count']} | {each['sites']} | {each['stated']:.2f} | {each['true']:.2f}"
        assert f"| {start:.1f} to {start + 0.1:.1f} | {numbers} |" in document
    assert f"Below {weights.thresholds['value']} a reading is doubtful" in document
    assert f"From {weights.thresholds['cell']} on" in document


@pytest.mark.parametrize(
    ("wrong", "off"), [(0, {}), (-1, {"stated": 0.999, "true": 0.9}), (-2, {"stated": 0.88, "true": 0.3, "count": 50})]
)
def test_a_bucket_that_states_too_much_is_seen(wrong: int, off: dict[str, float]) -> None:
    told = [dict(each) for each in load_weights("wrapper").head["left out"]["reliability"]]
    told[wrong] |= off
    assert all(each["stated"] - each["true"] <= chance(each) for each in merge(told)) == (not off)


def test_a_place_is_surer_the_further_it_leads() -> None:
    place = Place(Location((Step("p", 0),)), 1.0)
    near, far = (Vote(place, 1, "Hay", 1.0, lead, "").probability for lead in (0.0, 0.9))
    # Without a lead, another candidate agrees as much. The choice is between two at least, so it must be better than a
    # coin by more than chance, which says that the order of candidates is worth something; and it must stay below what
    # is told as sure, the last bucket of the test above, whose values are right in 99 of 100 cases.
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
