"""Numbers that lead items, "3.", "#3", "N° 3", "Step 3:", "3 of 10:", and the runs that they make, up or down.

Which words stand before numbers a page says itself: whatever it writes before one number and before the next.
"""

from __future__ import annotations

import re
from bisect import insort
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST = 400  # not a decision: a limit to what the expression reads
FARTHEST = 32
"""Characters within which a label has its number."""
BARE, MARKED, WORDED = 1, 2, 3  # not a decision: names of three kinds
DIGIT = re.compile(r"[\d①-⑳❶-➓]")
FEWEST = 2
"""Numbers of the shortest run."""
WORD_BEFORE = re.compile(
    r"\W{0,3}(?P<word>[^\W\d_][\w'’-]*(?:\s[\w'’-]+){0,2}?)\s*\.?\s*(?:#|№|[Nn]o\.?\s)?"
    r"\s*(?P<number>\d{1,3})\s*(?:[:.)\]|–—-](?!\d)|$)"
)
"""A word or three before a number that a mark or the end of the line follows."""
CIRCLED = ((0x2460, 20), (0x2776, 10), (0x2780, 10), (0x278A, 10))
"""Where numbers in circles begin, and how many follow each other."""
DRAWN: dict[int, str] = {
    **dict.fromkeys(map(ord, "ᐊᐅ◀▶◄►"), " "),
    **{first + at: f"{at + 1}. " for first, count in CIRCLED for at in range(count)},
    **dict.fromkeys((0xFE0F, 0x20E3), ""),
}
"""What pages draw instead of a plain number: arrows that make a button of it, circles, keys."""
SPACES = re.compile(" {2,}")
NO_WORDS: frozenset[str] = frozenset()
GAP = 2
"""How far the next number of a run may be off: one number may be missing."""
OF_ALL = r"(?:\s*/\s*\d{1,3}|\s(?:of|von|de|sur|di)\s\d{1,3})"
"""How many there are, after the number of one: "3 / 12"."""
AFTER_NUMBER = (
    r"(?:(?:st|nd|rd|th|[º°]|\s(?:of|von|de|sur|di)\s\d{1,3})(?=\s*[:.)–—-](?!\d)))?"  # the signs that pages use
    r"(?:\s*[.:)\]|•·、．](?!\d)\s*[-–—]?\s*|\s*[-–—]+\s+|\s+[-–—]+\s*|[-–—](?=[A-Z\"“])|\.?\s+(?=[A-Z\"“'‘¿¡#]))"  # noqa: RUF001  # the signs that pages use
)


@dataclass(frozen=True)
class Label:
    """A number before an item, and the item's text after it."""

    number: int
    strength: int
    """How clearly it is a label: 0 alone on its line, ``BARE``, ``MARKED``, or ``WORDED`` such as "Step 3"."""
    rest: str


def find_label_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that texts begin with before a number and before the next one: "Tip 1:", "Hidden gem 2 –"."""
    found: dict[str, set[int]] = {}
    for text in texts:
        if DIGIT.search(text, 0, FARTHEST) and (opening := WORD_BEFORE.match(text)):
            found.setdefault(opening["word"].lower(), set()).add(int(opening["number"]))
    return frozenset(word for word, numbers in found.items() if any(number + 1 in numbers for number in numbers))


@lru_cache(maxsize=64)
def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    known = "|".join(sorted(map(re.escape, words), key=len, reverse=True)) or "(?!)"
    return re.compile(
        rf"\W{{0,3}}(?:(?:(?i:(?P<word>{known}))\s*\.?\s*(?i:#|№|no\.?\s)?|(?P<phrase>[^\W\d][^\d#:.,;!?]{{1,40}}?)\s?#)\s*"
        rf"(?P<after>\d{{1,3}})(?![\d%])\s*(?:[.:)\]|,–—-]+\s*|\s|$)|"
        rf"(?P<sign>[#№(\[]|(?i:no|nr|n[°º])\.?\s?)?\s*(?P<number>\d{{1,3}})(?:(?P<mark>{AFTER_NUMBER})|{OF_ALL}?$))(?P<rest>.*)",
        re.DOTALL,
    )


def read_label(text: str, words: frozenset[str] = NO_WORDS) -> Label | None:
    """Read the number that leads a text, perhaps behind one of some words; None where none does."""
    if not DIGIT.search(text, 0, FARTHEST):
        return None
    drawn = text.translate(DRAWN)
    text = (text if drawn == text else SPACES.sub(" ", drawn)).lstrip()
    found = _pattern(words).match(text[:LONGEST])
    if not found:
        return None
    rest = (found["rest"] + text[LONGEST:]).strip()
    if found["after"]:
        return Label(int(found["after"]), WORDED, rest)
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
