"""Numbers that lead items, "3.", "#3", "No. 3", "Step 3:", "(3)", and the runs that they make, up or down."""

from __future__ import annotations

import re
from bisect import insort
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.toplist.language import Language

LONGEST = 400  # not a decision: a limit to what the expression reads
FARTHEST = 24
"""Characters within which a label has its number."""
BARE, MARKED, WORDED = 1, 2, 3  # not a decision: names of three kinds
DIGIT = re.compile(r"\d")
FEWEST = 2
"""Numbers of the shortest run."""
GAP = 2
"""How far the next number of a run may be off: one number may be missing."""
AFTER_NUMBER = (
    r"(?:\s*[.:)\]|•·](?!\d)\s*[-–—]?\s*|\s*[-–—]+\s+|\s+[-–—]+\s*|[-–—](?=[A-Z\"“])|\.?\s+(?=[A-Z\"“'‘¿¡#]))"  # noqa: RUF001  # the signs that pages use
)


@dataclass(frozen=True)
class Label:
    """A number before an item, and the item's text after it."""

    number: int
    strength: int
    """How clearly it is a label: 0 alone on its line, ``BARE``, ``MARKED``, or ``WORDED`` such as "Step 3"."""
    rest: str
    word: str = ""


@cache
def _pattern(language: Language) -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, language.label_words), key=len, reverse=True))
    return re.compile(
        rf"\W{{0,3}}(?:(?i:(?P<word>{words}))\s*\.?\s*(?i:#|№|no\.?\s)?\s*(?P<after>\d{{1,3}})(?![\d%])\s*(?:[.:)\]|,–—-]+\s*|\s|$)|"
        rf"(?P<sign>[#№(\[]|(?i:no|nr)\.?\s?)?\s*(?P<number>\d{{1,3}})(?:(?P<mark>{AFTER_NUMBER})|$))(?P<rest>.*)",
        re.DOTALL,
    )


def read_label(text: str, language: Language) -> Label | None:
    """Read the number that leads a text; None where none does."""
    if not DIGIT.search(text, 0, FARTHEST):
        return None
    found = _pattern(language).match(text[:LONGEST])
    if not found:
        return None
    rest = (found["rest"] + text[LONGEST:]).strip()
    if found["word"]:
        return Label(int(found["after"]), WORDED, rest, found["word"].lower())
    mark = (found["mark"] or "").strip()
    return Label(int(found["number"]), MARKED if mark or found["sign"] else BARE, rest)


def find_runs(numbered: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the places of every counting run, upwards and downwards, that has at least two numbers."""
    found: dict[tuple[int, ...], None] = {}
    for run in (*_upwards(numbered), *(run[::-1] for run in _upwards(numbered[::-1]))):
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
