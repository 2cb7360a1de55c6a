from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import trees

from windrow.nodes import Kind, ListedAttributes, Nodes, Words


@given(trees())
def test_depth_and_end_agree_with_walking_up(nodes: Nodes) -> None:
    for node in range(len(nodes)):
        ancestors = []
        above = int(nodes.parent[node])
        while above >= 0:
            ancestors.append(above)
            above = int(nodes.parent[above])
        assert nodes.depth[node] == len(ancestors)
        for other in range(len(nodes)):
            is_inside = other <= node < nodes.end[other]
            assert is_inside == (other == node or other in ancestors)


@given(trees())
def test_children_are_those_whose_parent_it_is(nodes: Nodes) -> None:
    for node in range(len(nodes)):
        assert nodes.children(node).tolist() == np.flatnonzero(nodes.parent == node).tolist()


@given(trees(), st.data())
def test_inside_marks_whole_subtrees(nodes: Nodes, data: st.DataObject) -> None:
    marked = data.draw(st.sets(st.integers(0, len(nodes) - 1)))
    mask = np.isin(np.arange(len(nodes)), list(marked))
    expected = [any(other <= node < nodes.end[other] for other in marked) for node in range(len(nodes))]
    assert nodes.inside(mask).tolist() == expected


def masks(nodes: Nodes) -> st.SearchStrategy[np.ndarray]:
    return st.lists(st.booleans(), min_size=len(nodes), max_size=len(nodes)).map(np.array)


def columns(nodes: Nodes) -> st.SearchStrategy[np.ndarray]:
    numbers = st.integers(-(2**31), 2**31 - 1)
    return st.lists(numbers, min_size=len(nodes), max_size=len(nodes)).map(lambda drawn: np.array(drawn, np.int32))


@given(trees())
def test_the_sum_of_ones_is_the_size_of_a_subtree(nodes: Nodes) -> None:
    ones = np.ones(len(nodes), dtype=np.int64)
    assert nodes.sum_inside(ones).tolist() == (nodes.end - np.arange(len(nodes))).tolist()
    assert nodes.count_around(ones > 0).tolist() == (nodes.depth + 1).tolist()


@given(trees(), st.data())
def test_a_sum_is_the_own_value_and_the_sums_of_the_children(nodes: Nodes, data: st.DataObject) -> None:
    values, more = data.draw(columns(nodes)), data.draw(columns(nodes))
    sums = nodes.sum_inside(values)
    for node in range(len(nodes)):
        assert sums[node] == values[node] + sums[nodes.children(node)].sum()
    together = values.astype(np.int64) + more
    assert (nodes.sum_inside(together) == sums + nodes.sum_inside(more)).all()


@given(trees(), st.data())
def test_what_is_counted_around_nodes_is_counted_inside_them(nodes: Nodes, data: st.DataObject) -> None:
    inner, outer = data.draw(masks(nodes)), data.draw(masks(nodes))
    assert nodes.count_around(outer)[inner].sum() == nodes.sum_inside(inner)[outer].sum()


@given(trees(), st.data())
def test_the_nearest_marked_node_is_the_last_on_the_way_down(nodes: Nodes, data: st.DataObject) -> None:
    mask = data.draw(masks(nodes))
    nearest = nodes.nearest(mask)
    assert nearest.dtype == np.int32
    for node in range(len(nodes)):
        above = [other for other in np.flatnonzero(mask).tolist() if other <= node < nodes.end[other]]
        assert nearest[node] == max(above, default=-1)


@given(trees(), st.data())
def test_the_common_ancestor_is_the_innermost_node_around_both(nodes: Nodes, data: st.DataObject) -> None:
    number = st.integers(0, len(nodes) - 1)
    one, other, third = data.draw(number), data.draw(number), data.draw(number)
    shared = nodes.common_ancestor([one, other])
    holding = [node for node in range(len(nodes)) if node <= min(one, other) and nodes.end[node] > max(one, other)]
    assert shared == max(holding)
    assert shared == nodes.common_ancestor([other, one])
    assert nodes.common_ancestor([one, one]) == nodes.common_ancestor([one]) == one
    assert nodes.common_ancestor([shared, third]) == nodes.common_ancestor([one, nodes.common_ancestor([other, third])])
    assert nodes.common_ancestor([one, int(max(nodes.parent[one], 0))]) == max(nodes.parent[one], 0)


def test_columns_can_not_be_written_to() -> None:
    nodes = Nodes(
        kind=np.array([Kind.DOCUMENT], dtype=np.uint8),
        parent=np.array([-1], dtype=np.int32),
        tag=Words(np.array([-1], dtype=np.int32), []),
        attributes=ListedAttributes([{"a": "b"}]),
        text_source=lambda: [""],
    )
    for column in (nodes.kind, nodes.parent, nodes.tag.codes, nodes.depth, nodes.end, nodes.visible):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1
    with pytest.raises(TypeError):
        nodes.attributes[0]["a"] = "c"  # type: ignore[index]


@given(st.lists(st.sampled_from(["a", "b", "td", ""])))
def test_words_give_back_what_they_were_made_of(values: list[str]) -> None:
    words = Words.of(values)
    assert words.to_list() == values
    assert [words[node] for node in range(len(words))] == values
    assert words.is_in({"td", ""}).tolist() == [value in {"td", ""} for value in values]
    assert words.where("b").tolist() == [node for node, value in enumerate(values) if value == "b"]


def test_no_word_is_the_empty_word() -> None:
    words = Words(np.array([0, -1], dtype=np.int32), ["div"])
    assert words[1] == ""
    assert words.to_list() == ["div", ""]
    assert words.is_in({""}).tolist() == [False, True]
