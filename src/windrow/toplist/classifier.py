"""Title classifier (TOPK, first stage): how likely a number in a title is the promise of a list.

A logistic regression over the words, shapes and signs around the number, each of them a feature with a name.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from typing import TYPE_CHECKING

from windrow.toplist.phrase import STOPS, Phrase, is_superlative
from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windrow.toplist.language import Language
    from windrow.toplist.tokens import Mention, Token

FILE = "title_weights.json"
SIZES = (3, 5, 9, 10, 25, 60, 100, 500)  # not a decision: the buckets of a feature, whose weights decide
SIZE_NAMES = ("few", "to5", "to9", "ten", "to25", "to60", "to100", "many")
STARTS = frozenset(STOPS | set("\"“”‘’'-."))  # noqa: RUF001  # the signs that titles use
OWN = frozenset({"my", "our"})
NAMED = 3
"""Words of "IMDb's top 250": a name, an article and "top"."""


def score_features(names: Iterable[str]) -> float:
    """Return the probability of a promise; features that were never met count nothing."""
    weights = load_weights("toplist", FILE)
    return 1.0 / (1.0 + math.exp(-weights.bias - sum(weights.values.get(name, 0.0) for name in names)))


def read_features(tokens: list[Token], mention: Mention, phrase: Phrase, language: Language) -> list[str]:
    """Name everything that speaks for or against a number being the promise of a list."""
    names = [f"size={SIZE_NAMES[bisect_left(SIZES, mention.k)]}"]
    names += [f"form={'word' if mention.spelled else 'digits'}"]
    names += ["more"] * mention.more + ["round"] * (mention.k % 5 == 0)
    names += _before(tokens, mention, language)
    names += _after(tokens, mention, language)
    names += _counted(tokens, mention, phrase, language)
    return names


def _before(tokens: list[Token], mention: Mention, language: Language) -> list[str]:
    segment = find_segment(tokens, mention.place)
    words = [token.word for token in tokens[segment : mention.place]]
    opening = is_opening(tokens, mention.place, language)
    top = bool(words and words[-1] in language.top)
    names = [f"opening={opening}"]
    names += ["first segment"] * (segment == 0)
    names += ["after top"] * top + ["top opens"] * (top and opening)
    names += ["after superlative"] * any(is_superlative(word, language) for word in words[-2:])
    names += ["after mention"] * (
        is_mention(tokens, mention.place, language) and not _is_listed(tokens, mention, language)
    )
    names += ["named top"] * (top and not opening and len(words) <= NAMED)
    names += ["own"] * (len(words) > 1 and top and words[-2] in OWN)
    names += ["after name"] * (bool(words) and not opening and tokens[mention.place - 1].text[:1].isupper())
    return names


def _is_listed(tokens: list[Token], mention: Mention, language: Language) -> bool:
    return mention.after < len(tokens) and tokens[mention.after].word in language.listed


def find_segment(tokens: list[Token], place: int) -> int:
    """Return the first token of the part of the title that a token stands in."""
    while place > 0 and tokens[place - 1].text not in STARTS:
        place -= 1
    return place


def is_opening(tokens: list[Token], place: int, language: Language) -> bool:
    """Whether a segment of the title begins at the number, words that open promises not counted."""
    segment = find_segment(tokens, place)
    while place > segment and tokens[place - 1].word in language.openers:
        place -= 1
    return place == segment or tokens[place - 1].word.endswith(("'s", "s'"))


def is_mention(tokens: list[Token], place: int, language: Language) -> bool:
    """Whether something is only said to be among so many: "in the top 10"."""
    skipped = language.joins | language.top
    while place > 0 and tokens[place - 1].word in skipped and tokens[place - 1].word not in language.mentions:
        place -= 1
    return place > 0 and tokens[place - 1].word in language.mentions


def _after(tokens: list[Token], mention: Mention, language: Language) -> list[str]:
    following = tokens[mention.after].word if mention.after < len(tokens) else ""
    names = [f"after shape={_shape(tokens, mention.after)}"]
    names += ["unit"] * (following in language.units) + ["end"] * (not following)
    names += ["part of"] * (following == "of" and _names_top(tokens[mention.after + 1 : mention.after + 8], language))
    names += ["top of"] * (following == "of" and mention.place > 0 and tokens[mention.place - 1].word in language.top)
    if mention.hyphen:
        names.append("hyphen step" if following in language.steps else "hyphen")
    return names


def _names_top(tokens: list[Token], language: Language) -> bool:
    """Whether another "top 10" follows."""
    pairs = itertools.pairwise(tokens)
    return any(a.word in language.top and (b.text[0].isdigit() or b.word in language.numbers) for a, b in pairs)


def _shape(tokens: list[Token], place: int) -> str:
    if place >= len(tokens):
        return "none"
    text = tokens[place].text
    if not text[0].isalpha():
        return "number" if text[0].isdigit() else "sign"
    return "upper" if text.isupper() else "capital" if text[0].isupper() else "lower"


def _is_alone(tokens: list[Token], mention: Mention, phrase: Phrase) -> bool:
    """Whether a segment of the title is nothing but the number and one word: a name, hardly a promise."""
    ends = phrase.head + 1 >= len(tokens) or tokens[phrase.head + 1].text in STARTS
    return phrase.head == mention.after and ends and find_segment(tokens, mention.place) == mention.place


def _counted(tokens: list[Token], mention: Mention, phrase: Phrase, language: Language) -> list[str]:
    if phrase.head < 0:
        return ["no head"]
    head = tokens[phrase.head].word
    names = [f"plural={phrase.plural}"]
    names += ["head unit"] * (head in language.units) + ["head generic"] * (head in language.generic)
    names += ["head listed"] * (head in language.listed) + ["alone"] * _is_alone(tokens, mention, phrase)
    names += [f"distance={min(phrase.head - mention.after, 5)}"]
    start, end = phrase.criterion
    if end > start:
        word = tokens[start].word
        strong = is_superlative(word, language) or word in language.most or word in language.top
        names.append("superlative" if strong else "praise")
    following = tokens[phrase.head + 1].word if phrase.head + 1 < len(tokens) else "$"
    known = following in language.boundaries or not following[0].isalpha()
    names += [f"head then={following if known else 'word' + following[-2:]}"]
    names += [f"number and head={is_opening(tokens, mention.place, language)},{phrase.plural}"]
    return names
