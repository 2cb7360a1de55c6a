"""Text as a reader sees it, and the form in which two writings of the same text are equal."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from string import ascii_letters, digits, whitespace

UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
"""Soft hyphens, joiners and other characters that take no room."""
MARKS = re.compile("[\u00ad\ufeff]")
"""Those that are not part of the words; joiners are: Persian words and composed emoji fall apart without them."""
QUOTES = str.maketrans("‘’‚‛“”„‟«»‹›′″`´‐‑‒–—―−", "''''\"\"\"\"\"\"''" + "'\"''" + "-------")  # noqa: RUF001 - they are the subject
SPACE = re.compile(r"\s+")
NUMBER = re.compile(r"\d+")
WORD = re.compile(r"[^\W\d_]+")
RUNS = ((b"aa", b"a"), (b"99", b"9"), (b"  ", b" "))
PLAIN = bytes.maketrans(
    (digits + ascii_letters + whitespace).encode(),
    b"9" * len(digits) + b"a" * len(ascii_letters) + b" " * len(whitespace),
)
FIGURE, LETTERS = "9a"
"""What stands in a format for figures, and for words."""
COLONS = (":", "\uff1a")
MOST_SHAPE = 40
"""Characters of a format that are compared."""
MOST_LOOKED_AT = 160
"""Characters of a text that mostly have a format of that length."""


def shown(text: str) -> str:
    """Return a text as it is displayed: white space collapsed, soft hyphens gone."""
    if not text.isascii():
        text = MARKS.sub("", text)
    return " ".join(text.split())


def is_blank(text: str) -> bool:
    """Whether a text shows nothing: it is empty, or all its characters are without width."""
    return not text or (not text.isascii() and not UNSEEN.sub("", text).strip())


def folded(text: str) -> str:
    """Return the form in which texts are compared: no white space, one kind of quotes and dashes, small letters."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", UNSEEN.sub("", text)).translate(QUOTES)
    return "".join(text.split()).casefold()


def shape(text: str) -> str:
    """Return the format of a value: digits as 9, words as a, the marks between them as they stand."""
    found = beginning_shape(text[:MOST_LOOKED_AT])
    if len(found) < MOST_SHAPE and len(text) > MOST_LOOKED_AT:
        found = full_shape(text)
    return found[:MOST_SHAPE]


@lru_cache(maxsize=8192)
def beginning_shape(text: str) -> str:
    """Return the format of a text's beginning; menus and labels come again on every page."""
    return full_shape(text)


def full_shape(text: str) -> str:
    """Return the whole format; that of a beginning is a beginning of it."""
    if not text.isascii():
        return SPACE.sub(" ", WORD.sub("a", NUMBER.sub("9", text.strip())))
    plain = text.strip().encode().translate(PLAIN)
    for run, one in RUNS:
        while run in plain:
            plain = plain.replace(run, one)
    return plain.decode()


def signs_in(form: str) -> tuple[bool, bool, bool]:
    """Return whether a format has figures, words, and a colon at its end."""
    return FIGURE in form, LETTERS in form, form.endswith(COLONS)
