"""What classes and ids are called, asked for all of a page at once.

A page has few distinct names and many nodes, and of the names few hold a word that matters: one look through all
of them together finds those, and only they are taken apart.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+")


def words_of(name: str) -> list[str]:
    """Split a class or id into its words: ``searchResults_top`` is search, results, top."""
    return PARTS.sub(" ", name).lower().split()


class Identifiers:
    """The names of some nodes, each kept once."""

    def __init__(self, given: Mapping[int, str]) -> None:
        """Hold the name of each node that has one."""
        numbers: dict[str, int] = {}
        codes = [numbers.setdefault(name, len(numbers)) for name in given.values()]
        self.nodes = np.fromiter(given, np.intp, len(given))
        self.codes = np.array(codes, dtype=np.intp)
        """Where the name of each of the nodes stands among the distinct ones."""
        self.distinct = list(numbers)
        folded = [name.lower() for name in numbers]
        self._together = "\n".join(folded)
        self._ends = list(accumulate(len(name) + 1 for name in folded))

    def called(self, words: frozenset[str]) -> NDArray[np.intp]:
        """Return the nodes in whose name one of the words stands as a whole; ``side-bar`` is two in a row."""
        wanted = [f"-{word}-" for word in words]
        firsts = {word.partition("-")[0] for word in words}
        return self.holding(firsts, lambda name: _has_any(f"-{'-'.join(words_of(name))}-", wanted))

    def holding(self, parts: Iterable[str], is_wanted: Callable[[str], bool]) -> NDArray[np.intp]:
        """Return the nodes whose name holds one of the parts, whatever the case, and is then found to be wanted."""
        near: set[int] = set()
        for part in parts:
            at = self._together.find(part)
            while at >= 0:
                number = bisect_right(self._ends, at)
                near.add(number)
                at = self._together.find(part, self._ends[number])
        wanted = np.zeros(len(self.distinct), dtype=bool)
        wanted[[number for number in near if is_wanted(self.distinct[number])]] = True
        return self.nodes[wanted[self.codes]]


def _has_any(name: str, parts: list[str]) -> bool:
    return any(part in name for part in parts)
