"""What kind a value is of: a length where a price was learned is no price.

A value is taken for something else only by what both texts surely say. Words say nothing, and a bare number may be any
of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.value import read_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.value import Typed

MOMENTS = frozenset({"date", "datetime"})
SAYING = MOMENTS | {"number", "percent", "money", "rating", "duration"}
"""The kinds that tell one field from another."""


def is_contradicted(texts: Sequence[str], learned: Sequence[str]) -> bool:
    """Whether any of some texts is surely of another kind than all learned ones."""
    kinds, known = ([read_value(text) for text in some] for some in (texts, learned))
    return bool(known) and any(all(are_opposed(own, one) for one in known) for own in kinds)


def are_opposed(one: Typed, other: Typed) -> bool:
    """Whether two texts say things of two kinds, such as a price and a length."""
    if not all(each.kind in SAYING and not is_bare(each) for each in (one, other)):
        return False
    return one.kind != other.kind and not MOMENTS.issuperset({one.kind, other.kind})


def is_bare(typed: Typed) -> bool:
    """Whether a text is a number that says nothing of what it counts."""
    return typed.kind == "number" and not typed.unit
