"""Headings that belong to the article and not to its list: a conclusion, related articles, a bonus."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.toplist.language import Language

LONGEST = 200
OPENING = 3
"""Letters by which most lines are told to be none of these."""


def is_ender(text: str, language: Language, *, labelled: bool) -> bool:
    """Say whether a line, its label taken off, is no item.

    What is numbered like the items is one, but for a bonus, or a conclusion and nothing else.
    """
    openings, pattern = _pattern(language)
    if text[:OPENING].lower() not in openings:
        return False
    folded = text[:LONGEST].lower()
    found = pattern.match(folded)
    if not found:
        return False
    return bool(found["bonus"]) or not labelled or found.end() == len(folded.rstrip(" :.!"))


@cache
def _pattern(language: Language) -> tuple[frozenset[str], re.Pattern[str]]:
    """Give how such lines begin, and the expression that tells them."""
    openings = frozenset(phrase[:OPENING] for phrase in (*language.bonus, *language.enders))
    return openings, re.compile(rf"(?:(?P<bonus>{_any_of(language.bonus)})|{_any_of(language.enders)})(?!\w)")


def _any_of(phrases: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))
