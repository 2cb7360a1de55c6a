"""Lists as templates write them whose names have awards before them, or numbers in other elements."""

from __future__ import annotations

import pytest

import windrow

NAMES = ["Boskoop", "Bramley", "Elstar", "Topaz"]
AWARDS = ["Best overall", "Best for families", "Upgrade pick", "Best on a budget"]
TEXT = "It keeps until spring, stays firm when it is baked, and asks for little more than sun, water and room to grow."
TEMPLATES = {
    "awards before the names": "<h2>{award}: {name}</h2><p>{name} is sour. {text}</p>",
    "numbers below the headings": "<h2>{name}</h2><div>#{number}</div><p>{text}</p>",
    "numbers of all above the headings": "<p>{number} / 4</p><h2>{name}</h2><p>{text}</p>",
}


@pytest.mark.parametrize("template", TEMPLATES)
def test_names_and_numbers_are_read(template: str) -> None:
    items = "".join(
        TEMPLATES[template].format(name=name, award=award, number=number, text=TEXT)
        for number, (name, award) in enumerate(zip(NAMES, AWARDS, strict=True), 1)
    )
    title = "The 4 Best Apples for Pies"
    page = windrow.parse(f"<title>{title}</title><h1>{title}</h1><p>{TEXT}</p>{items}")
    found, reading = page.toplist(), page.toplist_reading
    assert found is not None
    assert [item.name for item in found.items] == NAMES
    assert reading.measured is not None
    assert reading.choice is not None
    assert reading.measured.columns["counts"][reading.choice.place] == ("{number}" in TEMPLATES[template])


def test_the_beginning_of_a_count_is_no_list_because_another_count_follows() -> None:
    steps = "".join(f"<section>{at}. Step {name}</section><p>{TEXT}</p>" for at, name in enumerate("ABCDE", 1))
    items = "".join(f"<h2>#{at} {name}</h2><p>{TEXT}</p>" for at, name in enumerate([*NAMES, "Gala"], 1))
    title = "4 Apples Every Gardener Should Know"
    page = windrow.parse(f"<title>{title}</title><h1>{title}</h1><p>{TEXT}</p>{steps}{items}")
    measured = page.toplist_reading.measured
    assert measured is not None
    beginnings = [
        goes_on
        for candidate, goes_on in zip(measured.candidates, measured.columns["goes on"], strict=True)
        if [measured.names[place] for place in candidate.lines] == [f"Step {name}" for name in "ABCD"]
    ]
    assert beginnings
    assert all(beginnings)
