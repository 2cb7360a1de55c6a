"""Keys in the form in which sources are compared: the same thing written in two ways is one key.

Case, spaces and punctuation do not tell things apart, but for what stands between two figures: 1.5 is not 15, nor is
12-3 the same as 1-23. DOIs and ISBNs are compared by their own rules.
"""

from __future__ import annotations

import re
import unicodedata

_DOI = re.compile(r"(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:?\s*)?(10\.\d{4,9}/\S+)")
_ISBN = re.compile(r"(?:urn:)?(?:isbn)?(?:[-\s]?1[03])?[:\s]*((?:97[89][-\s]?)?(?:\d[-\s]?){9}[\dx])")
_BETWEEN_FIGURES = re.compile(r"(?<=\d)\W+(?=\d)|(?<=\d)_+(?=\d)")
_SEPARATOR = "."
SHORT_ISBN, LONG_ISBN = 10, 13


def normalise(text: str) -> str:
    """Return a text as keys are compared."""
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if doi := _DOI.fullmatch(plain):
        return f"doi:{doi[1]}"
    if (isbn := _ISBN.fullmatch(plain)) and (number := _to_long_isbn(re.sub(r"[-\s]", "", isbn[1]))):
        return f"isbn:{number}"
    marked = _BETWEEN_FIGURES.sub(_SEPARATOR, plain)
    kept = [
        char
        for place, char in enumerate(marked)
        if not _is_between(char) or (char == _SEPARATOR and _stands_between_figures(marked, place))
    ]
    return "".join(kept) or plain


def _is_between(char: str) -> bool:
    return unicodedata.category(char)[0] in "PZ" or char.isspace()


def _stands_between_figures(text: str, place: int) -> bool:
    return text[max(place - 1, 0)].isdigit() and text[place + 1 : place + 2].isdigit()


def _to_long_isbn(number: str) -> str | None:
    """Return an ISBN of either length with 13 figures; None where its last one does not check."""
    if len(number) == SHORT_ISBN:
        figures = [10 if char == "x" else int(char) for char in number]
        if sum(weight * figure for weight, figure in zip(range(10, 0, -1), figures, strict=True)) % 11:
            return None
        return f"978{number[:-1]}{_check_figure('978' + number[:-1])}"
    if len(number) != LONG_ISBN or not number.isdigit() or _check_figure(number[:-1]) != int(number[-1]):
        return None
    return number


def _check_figure(twelve: str) -> int:
    return -sum((3 if place % 2 else 1) * int(char) for place, char in enumerate(twelve)) % 10
