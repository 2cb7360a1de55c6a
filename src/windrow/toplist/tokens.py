"""A title as words, with the numbers in it told apart: counts from prices, shares, sizes, years and versions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.toplist.language import Language

TOKEN = re.compile(r"(?:[^\W\d_]\.){2,}|[^\W\d_](?:[\w'’&]|[.-](?=\w))*|\d+(?:[.,:/]\d+)*\w*\+?|[^\s\w]|_+")
COUNT = re.compile(r"\d{1,3}\+?")
HYPHENS = "-‐‑–"  # noqa: RUF001  # the signs that pages use
BEFORE_NO_COUNT = frozenset("$€£¥#№&/.@~<>≤≥^*=×§")
AFTER_NO_COUNT = frozenset("%°\"″”'’/$€£¥:&*=×")
NUMBER_HINT = re.compile(r"(?<![\d.,])\d{1,3}(?![\d%])")
LEAST, MOST = 2, 500
"""Counts outside of this promise no list that a page would show."""


@dataclass(frozen=True)
class Token:
    """A word, a number or a sign, with its place in the title."""

    text: str
    start: int
    end: int

    @cached_property
    def word(self) -> str:
        """The text in lower case with plain apostrophes."""
        return self.text.lower().replace("’", "'")

    @property
    def is_word(self) -> bool:
        """Whether it begins with a letter."""
        return self.text[0].isalpha()


@dataclass(frozen=True)
class Mention:
    """A number in a title that may be a count: which token, its value, and how it is written."""

    place: int
    """Index of the token."""
    after: int
    """Index of the first token after the number and what is stuck to it."""
    k: int
    more: bool
    """"35+": at least so many."""
    hyphen: bool
    """"5-step"."""
    spelled: bool


def split_tokens(title: str, language: Language) -> list[Token]:
    """Cut a title into words, numbers and signs; "four-step" into three."""
    tokens = []
    for found in TOKEN.finditer(title):
        word, start = found.group(), found.start()
        first, hyphen, rest = word.partition("-")
        if rest and first.lower() in language.numbers:
            cut = start + len(first)
            tokens += [Token(first, start, cut), Token(hyphen, cut, cut + 1), Token(rest, cut + 1, found.end())]
        else:
            tokens.append(Token(word, start, found.end()))
    return tokens


def may_promise(title: str, language: Language) -> bool:
    """Say whether a title holds a number at all, in digits or as a word; cheap, and never wrong the other way."""
    if NUMBER_HINT.search(title):
        return True
    return not language.numbers.keys().isdisjoint(title.lower().replace("-", " ").replace(":", " ").split())


def find_mentions(title: str, tokens: list[Token], language: Language) -> list[Mention]:
    """Give the numbers of a title that could count something, in their order."""
    found = []
    for place, token in enumerate(tokens):
        if spelled := language.numbers.get(token.word):
            hyphen = place + 1 < len(tokens) and tokens[place + 1].text == "-" and tokens[place + 1].start == token.end
            after = place + 2 if hyphen else place + 1
            found.append(Mention(place, after, spelled, more=False, hyphen=hyphen, spelled=True))
        elif COUNT.fullmatch(token.text) and (mention := _digits_to_mention(title, tokens, place)):
            found.append(mention)
    return [mention for mention in found if LEAST <= mention.k <= MOST]


def _digits_to_mention(title: str, tokens: list[Token], place: int) -> Mention | None:
    token = tokens[place]
    before = title[token.start - 1 : token.start]
    after = title[token.end : token.end + 1]
    if (before and before in BEFORE_NO_COUNT) or (before in HYPHENS and before and _is_glued(title, token.start - 1)):
        return None
    if after == ":" and title[token.end + 1 : token.end + 2].isspace():
        after = ""
    if after in {'"', "”", "'", "’"} and title[: token.start].count(after) % 2:
        after = ""
    if after and after in AFTER_NO_COUNT:
        return None
    hyphen = bool(after) and after in HYPHENS and title[token.end + 1 : token.end + 2].isalpha()
    if after and after in HYPHENS and title[token.end + 1 : token.end + 2].isdigit():
        return None
    follows = place + 2 if hyphen else place + 1
    return Mention(place, follows, int(token.text.rstrip("+")), more="+" in token.text, hyphen=hyphen, spelled=False)


def _is_glued(title: str, place: int) -> bool:
    """Say whether a hyphen binds what stands before it to the number: "GLP-1", not "– 10 benefits"."""
    return place > 0 and not title[place - 1].isspace()
