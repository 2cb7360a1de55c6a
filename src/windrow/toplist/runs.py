"""Numbers that follow each other: 1, 2, 3 … or … 3, 2, 1, found in a sequence with others between."""

from __future__ import annotations

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
    last: list[int] = []
    for place, number in numbered:
        if number == 1:
            runs.append([place])
            last.append(1)
            continue
        # The run that waits for just this number, the youngest first; else one that misses a number.
        for step in (1, GAP, 0):
            at = next((at for at in range(len(runs) - 1, -1, -1) if last[at] + step == number), None)
            if at is not None:
                runs[at].append(place)
                last[at] = number
                break
    return runs


def _mirror(run: list[int]) -> list[int]:
    return run[::-1]
