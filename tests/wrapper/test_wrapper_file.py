from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
import shelf

import windrow
from windrow.wrapper import Fetch
from windrow.wrapper.template.drawing import place_bars

if TYPE_CHECKING:
    from pathlib import Path


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


def test_a_wrapper_that_was_read_back_is_equal(learned: windrow.Wrapper) -> None:
    books = [(shelf.HAY, shelf.HOME), (shelf.BARN, shelf.OTHER), (shelf.WELL, "https://shelf.example/books/3")]
    several = windrow.learn([(shelf.old(book, url), book) for book, url in books])
    healed = learned.heal(shelf.new(shelf.HAY))
    for wrapper in (learned, several, healed, healed.rename_label("price", "cost")):
        again = windrow.Wrapper.from_json(wrapper.to_json())
        assert again == wrapper
        assert again.previous == wrapper.previous


def test_a_wrapper_is_plain_and_small(learned: windrow.Wrapper) -> None:
    plain = json.loads(learned.to_json())
    assert (plain["windrow"], plain["version"]) == ("wrapper", 3)
    assert plain["examples"][0] == {"url": shelf.HOME, "values": shelf.values_of(shelf.HAY)}
    assert len(learned.to_json().splitlines()) == 2 + len(plain) + (2 + 1) + (len(shelf.HAY) + 1)
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
        other = "x" if name == "revision" else 7
        for broken in ({key: value for key, value in plain.items() if key != name}, plain | {name: other}):
            if broken != plain:
                with pytest.raises(windrow.UsageError):
                    windrow.Wrapper.from_json(json.dumps(broken))


def test_what_people_say_of_a_wrapper_is_kept(learned: windrow.Wrapper) -> None:
    fetched = datetime(2026, 11, 3, 9, 30, tzinfo=UTC)
    page = replace(shelf.old(shelf.HAY), provenance=replace(shelf.old(shelf.HAY).provenance, fetched=fetched))
    wrapper = windrow.learn(
        page,
        shelf.HAY,
        name="Shelf",
        fields={"price": windrow.Field(type="money", several=False), "isbn": windrow.Field(required=False)},
        fetch=Fetch(windrow.Options(wait_for="#book", viewport=(800, 600), limits=windrow.Limits(seconds=5))),
    )
    again = windrow.Wrapper.from_json(wrapper.to_json())
    assert (again.fields, again.fetch, again.to_json()) == (wrapper.fields, wrapper.fetch, wrapper.to_json())
    assert (again.name, again.learned_at, again.version) == ("Shelf", fetched, 1)
    plain = json.loads(wrapper.to_json())
    assert plain["fields"] == {"price": {"type": "money", "several": False}, "isbn": {"required": False}}
    assert plain["fetch"] == {"viewport": [800, 600], "wait_for": "#book", "limits": {"seconds": 5}}
    assert learned.learned_at is None


def test_what_opens_doors_is_not_kept() -> None:
    options = windrow.Options(headers={"X-Key": "secret"}, proxy="http://me:secret@proxy.example:1", allow_private=True)
    fetch = Fetch(options, render=False)
    assert fetch.to_dict() == {"render": False}
    assert fetch.not_kept == ["headers", "proxy", "allow_private"]
    with pytest.raises(ValueError, match="not options"):
        Fetch.from_dict({"allow_private": True})


def test_what_is_not_live_is_not_waited_for() -> None:
    fetch = Fetch(windrow.Options(wait_for="h1", scroll=3, viewport=(800, 600)))
    assert fetch.suited(live=True) == fetch
    assert fetch.suited(live=False) == Fetch(windrow.Options(viewport=(800, 600)))


def test_something_said_of_a_label_that_is_not_there_is_an_error() -> None:
    with pytest.raises(windrow.UsageError, match=r"no label 'prize' .* title, authors"):
        windrow.learn(shelf.old(shelf.HAY), shelf.HAY, fields={"prize": windrow.Field(type="money")})
    with pytest.raises(windrow.UsageError, match="no type 'cash'; there are: number, money"):
        windrow.Field(type="cash")  # type: ignore[arg-type]


def test_a_label_gets_another_name_everywhere(learned: windrow.Wrapper) -> None:
    named = replace(learned, fields={"price": windrow.Field(type="money")}).rename_label("price", "cost")
    assert named.labels == ["title", "authors", "cost", "isbn", "chapters"]
    assert (list(named.fields), named.examples[0].values["cost"]) == (["cost"], ("£12.50",))
    assert named.extract(shelf.old(shelf.WELL, shelf.OTHER)).values["cost"] == ["£8.00"]
    for old, new in (("none", "cost"), ("price", "title"), ("price", " ")):
        with pytest.raises(windrow.UsageError):
            learned.rename_label(old, new)


def test_every_version_is_kept(learned: windrow.Wrapper) -> None:
    third = learned.rename_label("price", "cost").rename_label("cost", "fee")
    again = windrow.Wrapper.from_json(third.to_json())
    assert (again.version, again.undo().version, again.undo().labels[2]) == (3, 2, "cost")
    assert again.undo().undo().to_json() == learned.to_json()
    with pytest.raises(windrow.UsageError, match="first version"):
        learned.undo()


def test_healing_keeps_what_people_said(learned: windrow.Wrapper) -> None:
    owned = replace(learned, name="Shelf", fields={"price": windrow.Field(type="money")})
    healed = owned.heal(shelf.new(shelf.HAY))
    assert (healed.name, healed.fields, healed.previous) == ("Shelf", owned.fields, owned)


def test_labels_of_one_page_only_are_named() -> None:
    page = windrow.parse("<p>Sold by Ada Rake of Field Lane</p><h1>Hay</h1>", url=shelf.HOME)
    assert windrow.learn(page, {"seller": "Ada Rake", "title": "Hay"}).local_labels == ["seller"]


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


def test_many_versions_are_a_line_each() -> None:
    wrapper = windrow.learn(windrow.parse("<h1>Hay</h1><p>Ada Rake</p>"), {"title": "Hay"})
    first, second = wrapper.labels[0], "another"
    for number in range(1200):
        wrapper = wrapper.rename_label(*((second, first) if number % 2 else (first, second)))
    text = wrapper.to_json()
    again = windrow.Wrapper.from_json(text)
    assert (again.version, again.undo().version, again.undo().labels[0]) == (1201, 1200, second)
    assert again.to_json() == text
    assert wrapper.undo().to_json().splitlines()[-1000:] == text.splitlines()[-1000:]


def test_a_wrapper_reads_the_same_in_a_process_that_hashes_texts_otherwise(tmp_path: Path) -> None:
    html = "<h1>{}</h1><table><tr><td>Price</td><td>{}</td></tr><tr><td>Was</td><td>{}</td></tr></table>"
    learned = windrow.learn(
        windrow.parse(html.format("Rake", "£1", "£2"), url=shelf.HOME), {"name": "Rake", "price": "£1"}
    )
    other = html.format("Fork", "£3", "£4")
    sure = learned.extract(windrow.parse(other, url=shelf.OTHER)).confidence
    (tmp_path / "used.pickle").write_bytes(pickle.dumps(learned))
    (tmp_path / "other.html").write_text(other, "utf-8")
    code = (
        "import json, pathlib, pickle, windrow; wrapper = pickle.loads(pathlib.Path('used.pickle').read_bytes());"
        f"page = windrow.parse(pathlib.Path('other.html').read_text('utf-8'), url={shelf.OTHER!r});"
        "print(json.dumps(wrapper.extract(page).confidence))"
    )
    for seed in ("1", "2"):
        ran = subprocess.run(  # noqa: S603 - a fixed program
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
        assert json.loads(ran.stdout) == sure
