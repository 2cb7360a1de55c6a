"""Text as a reader sees it, and the form in which two writings of the same text are equal."""

from __future__ import annotations

import re
import unicodedata
from string import ascii_letters, digits, whitespace

UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
"""Soft hyphens, joiners and other characters that take no room."""
QUOTES = str.maketrans("‘’‚‛“”„‟«»‹›′″`´‐‑‒–—―−", "''''\"\"\"\"\"\"''" + "'\"''" + "-------")  # noqa: RUF001 - they are the subject
SPACE = re.compile(r"\s+")
NUMBER = re.compile(r"\d+")
WORD = re.compile(r"[^\W\d_]+")
RUN = re.compile(r"([9a ])\1+")
PLAIN = str.maketrans(digits + ascii_letters + whitespace, "9" * 10 + "a" * 52 + " " * len(whitespace))
MOST_SHAPE = 40
"""Characters of a format that are compared."""


def shown(text: str) -> str:
    """Give a text as it is displayed: white space collapsed, characters without width gone."""
    if not text.isascii():
        text = UNSEEN.sub("", text)
    return " ".join(text.split())


def folded(text: str) -> str:
    """Give the form in which pasted text is compared: no white space, one kind of quotes and dashes, small letters."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", UNSEEN.sub("", text)).translate(QUOTES)
    return "".join(text.split()).casefold()


def shape(text: str) -> str:
    """Give the format of a value: digits as 9, words as a, the marks between them as they stand."""
    if text.isascii():
        return RUN.sub(r"\1", text.strip().translate(PLAIN))[:MOST_SHAPE]
    return SPACE.sub(" ", WORD.sub("a", NUMBER.sub("9", text.strip())))[:MOST_SHAPE]
