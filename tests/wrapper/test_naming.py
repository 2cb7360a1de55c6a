"""What names a value, and what is called like a label."""

from __future__ import annotations

from windrow.wrapper.naming import PARAMETERS, is_called, is_label


def test_a_label_has_at_most_so_many_characters() -> None:
    longest = "a" * (PARAMETERS.most_label - 1) + ":"
    assert is_label(longest)
    assert not is_label(f"a{longest}")
    assert not is_label("12:")


def test_a_name_is_called_like_a_label_by_its_stem() -> None:
    assert is_called("Directed by", "director")
    assert not is_called("Cats", "catalogue")
    assert not is_called("Cat", "cat")
