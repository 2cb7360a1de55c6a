"""The phrase behind a number: what is counted, and by what it was chosen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.toplist.language import Language
    from windrow.toplist.tokens import Token

LONGEST = 12
"""Tokens after a number within which what it counts must be named."""
COMPOUND = 2
"""How far apart the plurals of one compound stand at most: "sports car brands"."""
STOPS = frozenset(":;|!?()[]–—…»«•·")
LATIN = re.compile(r"[a-z\u00c0-\u024f]")
"""Letters of which shapes of words are known; of other scripts none is, and the page decides."""
ENDS = frozenset(".;|!?)]…»•·")
"""Signs right behind a number that counts nothing."""
OPENING, CLOSING = "([", ")]"
SIGNS_INSIDE = frozenset("\"“”'‘’,&/-+.")  # noqa: RUF001  # the signs that pages use


@dataclass(frozen=True)
class Phrase:
    """Where the counted noun stands, and what stands before it."""

    head: int
    """Index of the token that is counted; -1 where none was found."""
    start: int
    """Index of the first token that names the concept, criterion left out."""
    plural: bool
    criterion: tuple[int, int]
    """Half-open range of the tokens of the criterion; empty where none is named."""


def is_superlative(word: str, language: Language) -> bool:
    """Whether a word is a superlative by itself."""
    if word in language.superlatives:
        return True
    return len(word) > 4 and word.endswith(language.superlative_endings) and word not in language.not_superlatives  # noqa: PLR2004  # shorter words end so by chance


def is_plural(word: str, language: Language) -> bool:
    """Whether a noun looks as if it named several."""
    if word in language.plurals or word in language.generic or not LATIN.match(word):
        return True
    if word in language.singulars or not language.singular_endings:
        return not language.singular_endings and word not in language.boundaries and len(word) > 2  # noqa: PLR2004
    return len(word) > 2 and word.endswith("s") and not word.endswith((*language.singular_endings, "'s"))  # noqa: PLR2004


def find_phrase(tokens: list[Token], after: int, language: Language) -> Phrase:
    """Read what a number counts, from the token after it."""
    place = after
    while place < len(tokens) and (tokens[place].word in language.joins or tokens[place].text in '"“‘,'):  # noqa: RUF001  # the signs that pages use
        place += 1
    # "47 of Beyoncé's absolute best moves": whose they are is no part of the criterion.
    opened = place
    if place < len(tokens) and tokens[place].text in ENDS:
        return Phrase(-1, place, plural=False, criterion=(place, place))
    criterion = _find_criterion(tokens, place, language)
    start = max(criterion[1], opened)
    head = _find_head(tokens, start, language)
    if head < 0:
        return Phrase(-1, start, plural=False, criterion=criterion)
    return Phrase(head, start, is_plural(tokens[head].word, language), criterion)


def _find_criterion(tokens: list[Token], place: int, language: Language) -> tuple[int, int]:
    """Return the range of a superlative phrase or word of praise near the number."""
    for at in range(place, min(place + 4, len(tokens))):
        word = tokens[at].word
        if tokens[at].text in STOPS or (word in language.boundaries and word not in language.joins):
            break
        if word in language.most and at + 1 < len(tokens):
            end = at + 2
            while end < len(tokens) and tokens[end - 1].word.endswith("ly"):
                end += 1
            return _stretch(tokens, at, end, language)
        if is_superlative(word, language) or word in language.praise or word in language.top:
            return _stretch(tokens, at, at + 1, language)
    return place, place


def _stretch(tokens: list[Token], start: int, end: int, language: Language) -> tuple[int, int]:
    """Take in what is joined to a criterion: "best and cheapest", "best (and cheapest)", "best rated"."""
    while end + 1 < len(tokens):
        skip = end + (tokens[end].text == "(")
        if skip + 1 >= len(tokens) or tokens[skip].word not in language.joining:
            break
        if not is_superlative(tokens[skip + 1].word, language):
            break
        end = skip + 2
        end += end < len(tokens) and tokens[end].text == ")"
    if end < len(tokens) and is_superlative(tokens[end].word, language):
        end += 1
    return start, end


def _find_head(tokens: list[Token], start: int, language: Language) -> int:
    """Return the noun that is counted: the last plural of the first run of words, or its last word."""
    last_word, plural, aside = -1, -1, start
    for at in range(start, min(start + LONGEST, len(tokens))):
        token = tokens[at]
        if at < aside:
            continue
        if plural < 0 and (aside := _end_of_aside(tokens, at)) > at:
            continue
        if not token.is_word:
            if _is_closing(token, opened=last_word >= 0, named=plural >= 0):
                break
        elif token.word in language.boundaries or token.word in language.joining:
            if plural >= 0 or (last_word >= 0 and token.word not in language.joining):
                break
        elif plural >= 0 and _is_beyond(tokens, plural, at, language):
            break
        else:
            plural = at if is_plural(token.word, language) else plural
            last_word = at
    return plural if plural >= 0 else last_word


def _end_of_aside(tokens: list[Token], at: int) -> int:
    """Return where brackets end that open here and stand within a phrase: "10 simple (but good) pies"; else here."""
    if tokens[at].text not in OPENING:
        return at
    ends = (place for place in range(at, min(at + LONGEST, len(tokens))) if tokens[place].text in CLOSING)
    end = next(ends, len(tokens))
    return end + 1 if end + 1 < len(tokens) and tokens[end + 1].is_word else at


def _is_closing(token: Token, *, opened: bool, named: bool) -> bool:
    """Whether a sign ends the phrase."""
    return (token.text in STOPS and opened) or (named and (token.text not in SIGNS_INSIDE or token.text in ",."))


def _is_beyond(tokens: list[Token], plural: int, at: int, language: Language) -> bool:
    """Whether a word after the counted plural is no part of its compound any more."""
    if tokens[plural].word in language.generic:
        return True
    return at - plural > COMPOUND or (at - plural == COMPOUND and not is_plural(tokens[at].word, language))
