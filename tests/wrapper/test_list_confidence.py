"""How sure the cells of a list are, and which of them are doubtful."""

from __future__ import annotations

import pytest

import windrow
from windrow.wrapper.lists.confidence import LEAST_CONFIDENCE, SIGNALS, WEIGHTS, judge_rows
from windrow.wrapper.lists.fields import Cell
from windrow.wrapper.lists.rule import ReadRow

CALIBRATION = WEIGHTS.calibrations["cell"]
PLAIN = "<li><b>{}</b><i class='price'>{}</i><p>Room for <u>{}</u></p></li>"


def row(**cells: Cell) -> ReadRow:
    return ReadRow(cells, "", 1)


def cell(text: str, node: int, **more: float) -> Cell:
    return Cell((text,), (node,), is_sure=True, **more)  # type: ignore[arg-type] # by name


@pytest.mark.parametrize("name", SIGNALS)
def test_every_signal_speaks_for_a_cell(name: str) -> None:
    middling = dict.fromkeys(SIGNALS, 0.9)
    assert CALIBRATION.confidence(middling | {name: 1.0}) > CALIBRATION.confidence(middling | {name: 0.0})


def test_a_row_that_lacks_what_most_rows_have_is_less_sure() -> None:
    whole = row(tool=cell("Rake", 2), price=cell("9 €", 3), weight=cell("1 kg", 4))
    found = judge_rows([whole, whole, whole, row(tool=cell("About us", 2), price=Cell((), (), is_sure=True))])
    assert found[3]["tool"] < found[0]["tool"]
    assert "price" not in found[3]


def test_a_text_that_another_label_reads_too_is_less_sure() -> None:
    apart, shared = row(a=cell("Rake", 2), b=cell("9 €", 3)), row(a=cell("Rake", 2), b=cell("Rake", 2))
    found = judge_rows([apart, shared])
    assert found[1]["a"] < found[0]["a"]


def test_a_cell_is_surer_the_more_of_what_was_learned_reads_it() -> None:
    found = judge_rows([row(a=cell("Rake", 2, support=0.5)), row(a=cell("Rake", 2, support=1.0))])
    assert found[0]["a"] < found[1]["a"]


def test_a_cell_that_stands_elsewhere_in_its_row_is_less_sure_than_the_others() -> None:
    items = [PLAIN.format(*some) for some in (("Hall", "9 €", "80"), ("Loft", "7 €", "20"), ("Mill", "8 €", "30"))]
    moved = "<li><b>Barn</b><div><i class='price'>5 €</i></div><p>Room for <u>40</u></p></li>"
    page = windrow.parse(f"<body><ul id='rooms'>{''.join(items)}{moved}</ul></body>")
    pasted = [{"room": "Hall", "price": "9 €"}, {"room": "Loft", "price": "7 €"}]
    prices = windrow.learn(page, pasted).extract(page).located["price"]
    assert [place.text for place in prices] == ["9 €", "7 €", "8 €", "5 €"]
    assert prices[3].confidence < prices[2].confidence
    assert windrow.learn(page, pasted).extract(page).confidence["price"] == prices[3].confidence


def test_texts_of_two_kinds_in_one_cell_are_doubtful() -> None:
    items = [
        f"<li><b>{name}</b><p class='facts'>{''.join(f'<i>{fact}</i>' for fact in facts)}</p></li>"
        for name, facts in (("Rake", ["12 sold"]), ("Fork", ["9 sold"]), ("Hoe", ["4 sold", "Reply rate"]))
    ]
    page = windrow.parse(f"<body><ul id='tools'>{''.join(items)}</ul></body>")
    found = windrow.learn(page, [{"tool": "Rake", "sold": "12 sold"}, {"tool": "Fork", "sold": "9 sold"}]).extract(page)
    assert found.values["sold"] == ["12 sold", "9 sold"]
    assert found.doubtful == {"sold": ["4 sold", "Reply rate"]}
    assert "sold" not in found.rows[2]


def test_no_cell_below_the_threshold_is_among_the_values() -> None:
    assert LEAST_CONFIDENCE >= 0.5
    items = "".join(PLAIN.format(name, "9 €", size) for name, size in (("Hall", "80"), ("Loft", "20"), ("Mill", "30")))
    page = windrow.parse(f"<body><ul id='rooms'>{items}</ul></body>")
    found = windrow.learn(page, [{"room": "Hall", "size": "80"}]).extract(page)
    assert all(place.confidence >= LEAST_CONFIDENCE for places in found.located.values() for place in places)
