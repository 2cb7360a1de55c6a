from __future__ import annotations

import json
from itertools import pairwise

import pytest
import shelf

import windrow
from windrow.wrapper.drawing import place_bars


@pytest.fixture(scope="module")
def learned() -> windrow.Wrapper:
    pages = [(shelf.old(shelf.HAY), shelf.HAY), (shelf.old(shelf.BARN, shelf.OTHER), shelf.BARN)]
    return windrow.learn(pages)


def test_a_wrapper_is_read_back_as_it_was(learned: windrow.Wrapper) -> None:
    again = windrow.Wrapper.from_json(learned.to_json())
    assert again.to_json() == learned.to_json()
    page = shelf.old(shelf.WELL, shelf.OTHER)
    assert again.extract(page).to_dict() == learned.extract(page).to_dict()
    assert again.check(page).to_dict() == learned.check(page).to_dict()


def test_a_wrapper_is_plain_and_small(learned: windrow.Wrapper) -> None:
    plain = json.loads(learned.to_json())
    assert (plain["windrow"], plain["version"]) == ("wrapper", 2)
    assert plain["examples"][0] == {"url": shelf.HOME, "values": shelf.values_of(shelf.HAY)}
    assert len(learned.to_json().splitlines()) == len(plain) + len(shelf.HAY) + 3
    assert plain["reference"]["skeleton"].startswith("body(div(3*a) div(h1 p(2*a) table(")
    assert len(learned.to_json()) < 10_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"windrow": "wrapper", "version": 0}',
        '{"windrow": "wrapper"}',
        "[" * 100_000,
        '{"windrow": {}}',
        '{"windrow": "wrapper", "version": Infinity}',
    ],
    ids=lambda text: text[:40],
)
def test_what_is_no_wrapper_is_said_to_be_none(text: str) -> None:
    with pytest.raises(windrow.UsageError, match="Learn the site again"):
        windrow.Wrapper.from_json(text)


def test_a_wrapper_of_a_newer_version_is_said_to_be_one() -> None:
    with pytest.raises(windrow.UsageError, match=r"has version 99, .* Update"):
        windrow.Wrapper.from_json('{"windrow": "wrapper", "version": 99}')


def test_any_part_that_is_missing_or_of_another_kind_is_noticed(learned: windrow.Wrapper) -> None:
    plain = json.loads(learned.to_json())
    for name in plain:
        for broken in ({key: value for key, value in plain.items() if key != name}, plain | {name: 7}):
            if broken != plain:
                with pytest.raises(windrow.UsageError):
                    windrow.Wrapper.from_json(json.dumps(broken))


def test_learning_twice_gives_the_same_bytes(learned: windrow.Wrapper) -> None:
    pages = [(shelf.old(shelf.HAY), shelf.HAY), (shelf.old(shelf.BARN, shelf.OTHER), shelf.BARN)]
    assert windrow.learn(pages).to_json() == learned.to_json()


def test_each_bar_stands_within_the_one_above(learned: windrow.Wrapper) -> None:
    bars = place_bars(learned.reference.tree)
    for outer, inner in pairwise(bars):
        assert outer.left <= inner.left + 1e-9
        assert inner.left + inner.width <= outer.left + outer.width + 1e-9


def test_the_area_of_the_silhouette_is_the_total(learned: windrow.Wrapper) -> None:
    tree = learned.reference.tree
    assert sum(bar.width for bar in place_bars(tree)) == pytest.approx(float(tree.total))


def test_old_and_new_are_drawn_side_by_side(learned: windrow.Wrapper) -> None:
    change = learned.check(shelf.old(shelf.HAY, banner="<hr>"))
    assert change.old is not None
    assert change.new is not None
    both, one = change.to_svg(), learned.check(shelf.old(shelf.HAY)).to_svg()
    assert "#e07a5f" in both
    assert "#e07a5f" not in one
    assert change.to_png().startswith(b"\x89PNG")
