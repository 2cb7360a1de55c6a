from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from windrow.toplist import isa


def test_kinds_and_instances() -> None:
    assert isa.is_instance("apple", "fruit")
    assert isa.is_instance("oak", "tree")
    assert not isa.is_instance("oak", "fruit")


def test_share_of_the_longest_instance() -> None:
    assert isa.match_instances(["oak", "the old oak", "a stone"], "tree").tolist() == [1.0, 1 / 3, 0.0]


def test_places() -> None:
    after = frozenset({"in"})
    assert isa.find_place("Top 10 pears in Spain", after) == "Spain"
    assert isa.find_place("Top 10 pears in the World", after) == "World"
    assert isa.find_place("Top 10 U.S. orchards", after) == "U.S."
    assert not isa.find_place("Top 10 pears", after)


@given(st.sets(st.integers(0, 2**32 - 1), min_size=1))
def test_pairs_survive_packing(hashes: set[int]) -> None:
    import zlib  # noqa: PLC0415

    import numpy as np  # noqa: PLC0415

    planes = np.frombuffer(zlib.decompress(isa.pack_pairs(hashes)), dtype=np.uint8)
    gaps = planes.reshape(4, -1).T.copy().view("<u4").ravel()
    assert np.cumsum(gaps, dtype=np.uint64).tolist() == sorted(hashes)
