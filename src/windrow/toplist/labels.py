"""The number that leads an item: "3.", "#3", "No. 3", "Step 3:", "(3)", "3 –"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.toplist.language import Language

LONGEST = 400
FARTHEST = 24
"""Characters within which a label has its number."""
BARE, MARKED, WORDED = 1, 2, 3
DIGIT = re.compile(r"\d")
ALONE = re.compile(r"(?:#|№|no\.?|nr\.?)?\s*(\d{1,3})\s*[.):/]?", re.IGNORECASE)
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
