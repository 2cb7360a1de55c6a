from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from windrow import geometry

if TYPE_CHECKING:
    from windrow.geometry import Boxes

COORDINATE = st.integers(-1000, 1000)


@st.composite
def boxes(draw: st.DrawFn) -> Boxes:
    left, top = draw(COORDINATE), draw(COORDINATE)
    size = st.integers(1, 500)
    return np.array([left, top, left + draw(size), top + draw(size)], dtype=np.float32)


def overlaps(a: geometry.Boxes, b: geometry.Boxes) -> geometry.Mask:
    return geometry.has_box(geometry.intersection(a, b))


@given(boxes(), boxes())
def test_overlap_is_symmetric(a: Boxes, b: Boxes) -> None:
    assert overlaps(a, b) == overlaps(b, a)
    assert np.array_equal(geometry.intersection(a, b), geometry.intersection(b, a), equal_nan=True)


@given(boxes())
def test_a_box_overlaps_and_contains_itself(box: Boxes) -> None:
    assert overlaps(box, box)
    assert geometry.contains(box, box)
    assert np.array_equal(geometry.intersection(box, box), box)


@given(boxes(), boxes(), COORDINATE, COORDINATE)
def test_moving_both_changes_nothing(a: Boxes, b: Boxes, x: int, y: int) -> None:
    moved = geometry.translate(a, x, y), geometry.translate(b, x, y)
    assert overlaps(*moved) == overlaps(a, b)
    assert geometry.contains(*moved) == geometry.contains(a, b)
    assert geometry.area(moved[0]) == geometry.area(a)


@given(boxes(), boxes())
def test_intersection_lies_in_both_and_hull_around_both(a: Boxes, b: Boxes) -> None:
    cut = geometry.intersection(a, b)
    if geometry.has_box(cut):
        assert geometry.contains(a, cut)
        assert geometry.contains(b, cut)
        assert geometry.area(cut) <= min(geometry.area(a), geometry.area(b))
    around = geometry.hull(np.stack([a, b]))
    assert geometry.contains(around, a)
    assert geometry.contains(around, b)


@given(boxes())
def test_a_missing_box_meets_nothing(box: Boxes) -> None:
    missing = geometry.no_boxes(1)[0]
    assert not geometry.has_box(missing)
    assert not overlaps(box, missing)
    assert not geometry.contains(box, missing)
    assert geometry.area(missing) == 0
    assert np.array_equal(geometry.hull(np.stack([missing, box])), box)
    assert not geometry.has_box(geometry.hull(geometry.no_boxes(2)))


def test_boxes_that_touch_do_not_overlap() -> None:
    left = np.array([0, 0, 10, 10], dtype=np.float32)
    right = np.array([10, 0, 20, 10], dtype=np.float32)
    assert not overlaps(left, right)
    assert geometry.contains(left, geometry.translate(left, 1, 0), tolerance=1)
    assert geometry.width(right) == geometry.height(right) == 10
