"""Title classifier (TOPK, first stage): how likely a number in a title is the promise of a list.

A logistic regression over a few things that hold of titles of any subject: how the number stands in its title, and what
shape the words beside it have. Which noun is counted says nothing: there is no end to what lists are made of.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from windrow.toplist.phrase import STOPS, Phrase, is_superlative
from windrow.toplist.tokens import UNSPACED
from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windrow.toplist.language import Language
    from windrow.toplist.tokens import Mention, Token

FILE = "title_weights.json"
STARTS = frozenset(STOPS | set("\"“”‘’'-."))  # noqa: RUF001  # the signs that titles use
OWN = frozenset({"my", "our"})
NAMED = 3
"""Words of "IMDb's top 250": a name, an article and "top"."""


def score_features(names: Iterable[str]) -> float:
    """Return the probability of a promise; what only rules read counts nothing here."""
    weights = load_weights("toplist", FILE)
    return 1.0 / (1.0 + math.exp(-weights.bias - sum(weights.values.get(name, 0.0) for name in set(names))))


def read_features(tokens: list[Token], mention: Mention, phrase: Phrase, language: Language) -> list[str]:
    """Name everything that speaks for or against a number being the promise of a list."""
    names = _before(tokens, mention, language)
    names += _after(tokens, mention, language)
    names += _counted(tokens, mention, phrase, language)
    return names


def _before(tokens: list[Token], mention: Mention, language: Language) -> list[str]:
    segment = find_segment(tokens, mention.place)
    words = [token.word for token in tokens[segment : mention.place]]
    opening = is_opening(tokens, mention.place, language)
    top = bool(words and words[-1] in language.top)
    names = ["opening"] * opening + ["top"] * top
    names += ["superlative"] * any(is_superlative(word, language) for word in words[-2:])
    names += ["mention"] * is_mention(tokens, mention.place, language)
    names += ["named top"] * (top and not opening and len(words) <= NAMED)
    names += ["own"] * (len(words) > 1 and top and words[-2] in OWN)
    names += ["version"] * (bool(words) and not opening and not top and _is_name(tokens[mention.place - 1].text))
    return names


def _is_name(text: str) -> bool:
    """Whether a word has capital letters amid others, as names of products have: "OrchardDB", "iPhone"."""
    return text[1:].lower() != text[1:] and not text.isupper()


def find_segment(tokens: list[Token], place: int) -> int:
    """Return the first token of the part of the title that a token stands in."""
    while place > 0 and tokens[place - 1].text not in STARTS:
        place -= 1
    return place


def is_opening(tokens: list[Token], place: int, language: Language) -> bool:
    """Whether a segment of the title begins at the number, words that open promises not counted."""
    if any(UNSPACED.match(token.text) for token in tokens[max(place - 1, 0) : place + 2]):
        return True  # where such scripts put their numbers is not known
    segment = find_segment(tokens, place)
    while place > segment and tokens[place - 1].word in language.openers:
        place -= 1
    return place == segment or tokens[place - 1].word.endswith(("'s", "s'"))


def is_mention(tokens: list[Token], place: int, language: Language) -> bool:
    """Whether something is only said to be among so many: "in the top 10"."""
    skipped = language.joins | language.top
    top = False
    while place > 0 and tokens[place - 1].word in skipped and tokens[place - 1].word not in language.mentions:
        top = top or tokens[place - 1].word in language.top
        place -= 1
    return top and place > 0 and tokens[place - 1].word in language.mentions


def _after(tokens: list[Token], mention: Mention, language: Language) -> list[str]:
    following = tokens[mention.after].word if mention.after < len(tokens) else ""
    names = ["unit"] * (following in language.units)
    names += ["part of"] * (following == "of" and _names_top(tokens[mention.after + 1 : mention.after + 8], language))
    names += ["top of"] * (following == "of" and mention.place > 0 and tokens[mention.place - 1].word in language.top)
    if mention.hyphen:
        names.append("hyphen step" if following in language.steps else "hyphen")
    return names


def _names_top(tokens: list[Token], language: Language) -> bool:
    """Whether another "top 10" follows."""
    pairs = itertools.pairwise(tokens)
    return any(a.word in language.top and (b.text[0].isdigit() or b.word in language.numbers) for a, b in pairs)


def _is_alone(tokens: list[Token], mention: Mention, phrase: Phrase) -> bool:
    """Whether a segment of the title is nothing but the number and one word: a name, hardly a promise."""
    ends = phrase.head + 1 >= len(tokens) or tokens[phrase.head + 1].text in STARTS
    return phrase.head == mention.after and ends and find_segment(tokens, mention.place) == mention.place


def _counted(tokens: list[Token], mention: Mention, phrase: Phrase, language: Language) -> list[str]:
    if phrase.head < 0:
        return ["no noun"]
    names = ["plural"] * phrase.plural + ["alone"] * _is_alone(tokens, mention, phrase)
    names += ["head unit"] * (tokens[phrase.head].word in language.units)
    start, end = phrase.criterion
    if end > start:
        word = tokens[start].word
        strong = is_superlative(word, language) or word in language.most or word in language.top
        names += ["superlative"] * strong
    return names
