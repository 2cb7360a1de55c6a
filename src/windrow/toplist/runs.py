"""Numbers that follow each other: 1, 2, 3 … or … 3, 2, 1, found in a sequence with others between."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST = 2
GAP = 2
"""How far the next number may be off: one number may be missing."""


def find_runs(numbered: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Give the places of every counting run, upwards and downwards, that has at least two numbers."""
    found: dict[tuple[int, ...], None] = {}
    for run in (*_upwards(numbered), *(_mirror(run) for run in _upwards(numbered[::-1]))):
        if len(run) >= FEWEST:
            found[tuple(run)] = None
    return [list(run) for run in found]


def _upwards(numbered: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Follow every 1 as far as numbers go on, and numbers printed twice."""
    runs: list[list[int]] = []
    reached: dict[int, list[int]] = {}
    for place, number in numbered:
        if number == 1:
            reached.setdefault(1, []).append(len(runs))
            runs.append([place])
            continue
        # The run that waits for just this number, the youngest first; else one that misses a number.
        waiting = next((found for step in (1, GAP, 0) if (found := reached.get(number - step))), None)
        if waiting:
            runs[waiting[-1]].append(place)
            insort(reached.setdefault(number, []), waiting.pop())
    return runs


def _mirror(run: list[int]) -> list[int]:
    return run[::-1]
