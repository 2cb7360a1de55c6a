"""What classes and ids are called, asked for all of a page at once.

A page has few distinct names and many nodes, and of the names few hold a word that matters: one look through all
of them together finds those, and only they are taken apart.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+")


def words_of(name: str) -> list[str]:
    """Split a class or id into its words: ``searchResults_top`` is search, results, top."""
    return PARTS.sub(" ", name).lower().split()


def find_called(names: Iterable[str], words: frozenset[str]) -> set[str]:
    """Choose the names in which one of the words stands as a whole."""
    return find_holding(names, words, lambda name: not words.isdisjoint(words_of(name)))


def find_holding(names: Iterable[str], parts: Iterable[str], is_wanted: Callable[[str], bool]) -> set[str]:
    """Choose the names that hold one of the parts, whatever the case, and are then found to be wanted."""
    distinct = list(set(names))
    folded = [name.lower() for name in distinct]
    together = "\n".join(folded)
    ends = list(accumulate(len(name) + 1 for name in folded))
    near: set[int] = set()
    for part in parts:
        at = together.find(part)
        while at >= 0:
            number = bisect_right(ends, at)
            near.add(number)
            at = together.find(part, ends[number])
    return {distinct[number] for number in near if is_wanted(distinct[number])}
