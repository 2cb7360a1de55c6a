"""A title as words, with the numbers in it told apart: counts from prices, shares, sizes, years and versions."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.toplist.language import Language

LETTERS_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
"""Letters of scripts in which words and numbers stand together: Japanese, Chinese, Korean, Thai."""
UNSPACED = re.compile(f"[{LETTERS_UNSPACED}]")
TOKEN = re.compile(
    rf"[{LETTERS_UNSPACED}]+|(?:[^\W\d_]\.){{2,}}|(?![{LETTERS_UNSPACED}])[^\W\d_](?:(?![{LETTERS_UNSPACED}])[\w'’&]|[.-](?=\w))*"
    rf"|\d+(?:[.,:/]\d+)*(?:(?![{LETTERS_UNSPACED}])\w)*\+?|[^\s\w]|_+"
)
COUNT = re.compile(r"\d{1,3}\+?")
HYPHENS = "-‐‑–"  # noqa: RUF001  # the signs that pages use
BEFORE_NO_COUNT = frozenset("$€£¥#№&/.@~<>≤≥^*=×§")
AFTER_NO_COUNT = frozenset("%°\"″”'’/$€£¥:&*=×")
NUMBER_HINT = re.compile(r"(?<![\d.,])\d{1,3}(?![\d%])")
MEASURED_UNSPACED = re.compile(
    "秒|分(?!野|類|析|け)|時間|小时|小時|日(?!本)|天|週間|[かヶカ]月|月|年|歳|岁|円|元|万|萬|億|亿|度"
    "|초|분(?!야)|시간|일|개월|월|년|원|만|억|นาที|ชั่วโมง|วัน|เดือน|ปี|บาท"
)
"""What is measured, not listed, in scripts that write it right after the number: time, money, degrees."""
TENS = range(20, 100, 10)
"""Numbers that another word may add to: "twenty-five"."""
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
    ranged: bool = False
    """"5-10", "five to ten": at least the first."""


def split_tokens(title: str, language: Language) -> list[Token]:
    """Cut a title into words, numbers and signs; "four-step" into three."""
    tokens = []
    for found in TOKEN.finditer(title):
        word, start = found.group(), found.start()
        first, hyphen, rest = word.partition("-")
        while rest and (first.lower() in language.numbers or first.lower() in language.top):
            cut = start + len(first)
            tokens += [Token(first, start, cut), Token(hyphen, cut, cut + 1)]
            word, start = rest, cut + 1
            first, hyphen, rest = word.partition("-")
        tokens.append(Token(word, start, found.end()))
    return tokens


def may_promise(title: str, language: Language) -> bool:
    """Whether a title holds a number at all, in digits or as a word; cheap, and never wrong the other way."""
    if NUMBER_HINT.search(title):
        return True
    return not language.numbers.keys().isdisjoint(title.lower().replace("-", " ").replace(":", " ").split())


def find_mentions(title: str, tokens: list[Token], language: Language) -> list[Mention]:
    """Return the numbers of a title that could count something, in their order."""
    found: list[Mention] = []
    for place, token in enumerate(tokens):
        if found and place < found[-1].after:
            continue
        if token.word in language.numbers:
            found.append(_words_to_mention(tokens, place, language))
        elif COUNT.fullmatch(token.text) and (mention := _digits_to_mention(title, tokens, place, language)):
            found.append(mention)
    found = [mention for mention in found if LEAST <= mention.k <= MOST]
    return [_with_range(tokens, mention, language) for mention in found]


def _words_to_mention(tokens: list[Token], place: int, language: Language) -> Mention:
    """Read a number in words: "five", "five-step", "twenty-five"."""
    k, last = language.numbers[tokens[place].word], place
    following = place + 2 if _is_bound(tokens, place) else place + 1
    unit = language.numbers.get(tokens[following].word, 0) if following < len(tokens) else 0
    if k in TENS and 0 < unit < TENS.start:
        k, last = k + unit, following
    hyphen = _is_bound(tokens, last)
    return Mention(place, last + 2 if hyphen else last + 1, k, more=False, hyphen=hyphen, spelled=True)


def _is_bound(tokens: list[Token], place: int) -> bool:
    """Whether a hyphen binds a token to the next."""
    follows = tokens[place + 1 : place + 3]
    return len(follows) > 1 and follows[0].text == "-" and follows[0].start == tokens[place].end


def _with_range(tokens: list[Token], mention: Mention, language: Language) -> Mention:
    """Take in the second number of a range: "5-10 apples", "five to ten apples"."""
    follows = tokens[mention.after : mention.after + 2]
    if mention.hyphen or len(follows) < 2:  # noqa: PLR2004  # what joins them, and the second number
        return mention
    between, other = follows
    joined = between.word in language.ranges or (between.text in HYPHENS and between.start == tokens[mention.place].end)
    most = int(other.text) if other.text.isdecimal() else language.numbers.get(other.word, 0)
    return replace(mention, after=mention.after + 2, more=True, ranged=True) if joined and most > mention.k else mention


def _digits_to_mention(title: str, tokens: list[Token], place: int, language: Language) -> Mention | None:
    token = tokens[place]
    before = title[token.start - 1 : token.start]
    after = title[token.end : token.end + 1]
    topped = place > 1 and tokens[place - 2].word in language.top
    glued = before in HYPHENS and bool(before) and _is_glued(title, token.start - 1) and not topped
    if glued or (before and before in BEFORE_NO_COUNT) or MEASURED_UNSPACED.match(title, token.end):
        return None
    if after == ":" and title[token.end + 1 : token.end + 2].isspace():
        after = ""
    if after in {'"', "”", "'", "’"} and title[: token.start].count(after) % 2:
        after = ""
    if after and after in AFTER_NO_COUNT:
        return None
    hyphen = bool(after) and after in HYPHENS and title[token.end + 1 : token.end + 2].isalpha()
    follows = place + 2 if hyphen else place + 1
    return Mention(place, follows, int(token.text.rstrip("+")), more="+" in token.text, hyphen=hyphen, spelled=False)


def _is_glued(title: str, place: int) -> bool:
    """Whether a hyphen binds what stands before it to the number: "GLP-1", not "– 10 benefits"."""
    return place > 0 and not title[place - 1].isspace()
