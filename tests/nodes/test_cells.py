from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow.nodes.cells import Slot, Span, Spans, place_cells

groups = st.lists(st.lists(st.builds(Span, st.integers(0, 4), st.integers(1, 4)), max_size=5), max_size=6)


def cover(slot: Slot) -> set[tuple[int, int]]:
    """The places that a cell covers."""
    rows = range(slot.row, slot.row + slot.row_span)
    return set(product(rows, range(slot.column, slot.column + slot.column_span)))


def form_table(rows: list[list[Span]]) -> tuple[list[Slot], bool]:
    """The standard's algorithm for processing rows, word for word, and whether two cells share a place.

    Cells that end with their group are cut there at once, which the standard does by not making rows for them.
    """
    slots: list[Slot] = []
    covered: set[tuple[int, int]] = set()
    is_shared = False
    for y_current, row in enumerate(rows):
        x_current = 0
        for span in row:
            while (y_current, x_current) in covered:
                x_current += 1
            left = len(rows) - y_current
            slot = Slot(y_current, x_current, left if span.rows == 0 else min(span.rows, left), span.columns)
            is_shared |= not covered.isdisjoint(cover(slot))
            covered |= cover(slot)
            slots.append(slot)
            x_current += span.columns
    return slots, is_shared


@given(groups)
def test_cells_are_placed_as_the_standard_says(rows: list[list[Span]]) -> None:
    expected, is_shared = form_table(rows)
    if not is_shared:
        assert list(place_cells(rows)) == expected


@given(groups)
def test_no_two_cells_share_a_place(rows: list[list[Span]]) -> None:
    slots = list(place_cells(rows))
    places = [cover(slot) for slot in slots]
    assert sum(map(len, places)) == len(set().union(*places))
    assert [slot.row for slot in slots] == [number for number, row in enumerate(rows) for _ in row]
    assert all(0 < slot.row_span <= len(rows) - slot.row and slot.column_span > 0 for slot in slots)


def test_a_cell_ends_where_one_from_above_stands() -> None:
    assert list(place_cells([[Span(1, 1), Span(2, 1)], [Span(1, 3), Span(1, 1)]])) == [
        Slot(0, 0, 1, 1),
        Slot(0, 1, 2, 1),
        Slot(1, 0, 1, 1),
        Slot(1, 2, 1, 1),
    ]


def test_spans_are_read_as_browsers_read_them() -> None:
    spans = {
        'rowspan="2" colspan="3"': (2, 3),
        'rowspan="0" colspan="0"': (0, 1),
        'rowspan=" +4x" colspan="x4"': (4, 1),
        'rowspan="99999" colspan="99999"': (65534, 1000),
        'rowspan="-2" colspan=""': (1, 1),
        'aria-rowspan="2" aria-colspan="3" colspan="2"': (2, 2),
    }
    nodes = windrow.parse("<table><tr>" + "".join(f"<td {said}>x</td>" for said in spans) + "</table>").nodes
    read = Spans(nodes)
    assert [tuple(read.of(cell)) for cell in nodes.tag.where("td").tolist()] == list(spans.values())
