from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from windrow.geometry import translate
from windrow.table.arrangement import arrange
from windrow.table.topography import Relation, has_step, relation

SIZES = st.lists(st.integers(8, 90), min_size=2, max_size=6)
SIDES = st.tuples(st.integers(0, 200), st.integers(4, 100)).map(lambda side: (float(side[0]), float(side[0] + side[1])))


def lattice(widths: list[int], heights: list[int]) -> np.ndarray:
    lefts, tops = np.cumsum([0, *widths]), np.cumsum([0, *heights])
    return np.array(
        [
            [lefts[column], tops[row], lefts[column + 1], tops[row + 1]]
            for row in range(len(heights))
            for column in range(len(widths))
        ],
        dtype=np.float32,
    )


@given(SIZES, SIZES)
def test_a_lattice_is_read_by_rows(widths: list[int], heights: list[int]) -> None:
    places = arrange(lattice(widths, heights))
    assert places is not None
    assert places[:, :2].tolist() == [[row, column] for row in range(len(heights)) for column in range(len(widths))]


@given(SIZES, SIZES, st.integers(-50, 500), st.integers(-50, 500))
def test_moving_changes_nothing(widths: list[int], heights: list[int], x: int, y: int) -> None:
    boxes = lattice(widths, heights)
    here, there = arrange(boxes), arrange(translate(boxes, x, y))
    assert here is not None
    assert there is not None
    assert here.tolist() == there.tolist()


def test_a_box_over_two_columns_spans_them() -> None:
    boxes = np.array([[0, 0, 200, 20], [0, 20, 100, 40], [100, 20, 200, 40]], dtype=np.float32)
    places = arrange(boxes)
    assert places is not None
    assert places.tolist() == [[0, 0, 1, 2], [1, 0, 1, 1], [1, 1, 1, 1]]


def test_boxes_on_top_of_each_other_are_no_grid() -> None:
    boxes = np.array([[0, 0, 100, 20], [50, 0, 150, 20], [0, 30, 100, 50], [100, 30, 150, 50]], dtype=np.float32)
    assert arrange(boxes) is None


@given(SIDES, SIDES)
def test_relations_mirror_each_other(a: tuple[float, float], b: tuple[float, float]) -> None:
    mirrored = {Relation.SMALLER: Relation.BIGGER, Relation.BIGGER: Relation.SMALLER}
    there, back = relation(a, b), relation(b, a)
    assert back is mirrored.get(there, there)
    assert has_step(np.array([a], np.float32), np.array([b], np.float32)) == (there is Relation.STEP)


@given(SIDES)
def test_a_side_is_its_own_twin(side: tuple[float, float]) -> None:
    assert relation(side, side) is Relation.TWIN
