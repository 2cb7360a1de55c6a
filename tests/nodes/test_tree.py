from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.nodes import Kind, ListedAttributes, Nodes, Words


@st.composite
def trees(draw: st.DrawFn) -> Nodes:
    """Draw any tree in document order: each node hangs on the last one or on an ancestor of it."""
    parent = [-1]
    for node in range(1, draw(st.integers(1, 60))):
        above = node - 1
        for _ in range(draw(st.integers(0, 6))):
            above = max(parent[above], 0)
        parent.append(above)
    count = len(parent)
    kind = np.full(count, Kind.ELEMENT, dtype=np.uint8)
    kind[0] = Kind.DOCUMENT
    return Nodes(
        kind=kind,
        parent=np.array(parent, dtype=np.int32),
        tag=Words(np.zeros(count, dtype=np.int32), ["div"]),
        attributes=ListedAttributes([{}] * count),
        text_source=lambda: [""] * count,
    )


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
