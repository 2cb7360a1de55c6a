from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from trees import trees

from windrow.nodes.hashes import hash_name, hash_names, hash_path, hash_paths

if TYPE_CHECKING:
    from windrow.nodes import Nodes

NAMES = ["div", "p", "b", "#text"]


def path_of(nodes: Nodes, node: int, names: list[str], skipped: list[bool]) -> tuple[str, ...]:
    """The names from below the document down to a node, skipped ones left out."""
    above: tuple[str, ...] = path_of(nodes, int(nodes.parent[node]), names, skipped) if node else ()
    return above if skipped[node] or not node else (*above, names[node])


@given(trees(), st.data())
def test_paths_have_the_same_number_where_they_are_the_same(nodes: Nodes, data: st.DataObject) -> None:
    count = len(nodes)
    names = data.draw(st.lists(st.sampled_from(NAMES), min_size=count, max_size=count))
    skipped = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    numbers = hash_paths(nodes, hash_names(names), skipped=np.array(skipped)).tolist()
    paths = [path_of(nodes, node, names, skipped) for node in range(count)]
    assert len(set(zip(paths, numbers, strict=True))) == len(set(paths)) == len(set(numbers))
    assert numbers == [hash_path(map(hash_name, path)) for path in paths]


@given(trees(), st.data())
def test_several_kinds_of_paths_are_read_at_once(nodes: Nodes, data: st.DataObject) -> None:
    names = st.lists(st.sampled_from(NAMES), min_size=len(nodes), max_size=len(nodes))
    labels = np.stack([hash_names(data.draw(names)), hash_names(data.draw(names))])
    together = hash_paths(nodes, labels)
    nothing = np.zeros(len(nodes), dtype=bool)
    for row, column in zip(together, labels, strict=True):
        assert row.tolist() == hash_paths(nodes, column).tolist() == hash_paths(nodes, column, nothing).tolist()


@given(st.lists(st.integers(0, 2**64 - 1)), st.lists(st.integers(0, 2**64 - 1)))
def test_a_path_can_be_read_on(first: list[int], second: list[int]) -> None:
    assert hash_path(second, hash_path(first)) == hash_path(first + second)


def test_names_have_the_same_number_in_every_process() -> None:
    assert hash_name("") == 0
    assert hash_name("article") == 0x8F49DC99F35B3403
