"""What the titles of a page promise (TOPK, first stage): how many of what, chosen how, when and where.

Weak labels come from the paper's four rules: "top CD", the same without "top", "CD JJS", "CD RBS JJ". A logistic
regression over the words and signs around each number generalises beyond them.
Departures: superlatives are told by word lists and endings, since taggers break on headlines in capitals; every
number of a title is judged by itself, and the best one is the promise. Titles are the title tag, the first headings and
the title for link previews; where they promise different numbers, the one that the title reader takes for the page's
title counts. What it does not say of time and place, another title that promises as many may say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind
from windrow.toplist.classifier import is_opening, read_features, score_features
from windrow.toplist.language import choose_language
from windrow.toplist.phrase import STOPS, Phrase, find_phrase, is_superlative
from windrow.toplist.tokens import Mention, Token, find_mentions, may_promise, split_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.nodes import Nodes
    from windrow.toplist.language import Language

YEAR = re.compile(r"(?<![\d.,$€£-])(?:19|20)\d\d(?:\s?[-–/]\s?(?:19|20)?\d\d)?(?![\d.,]\d|\d)")
ADDRESSES = frozenset("of the".split())
RULED_IN = frozenset({"hyphen step", "own"})
""""A five-step plan", "our top 5"."""
RULED_OUT = frozenset({"unit", "hyphen", "part of", "mention", "top of", "version"})
""""10 days", "a 24-week plan", "7 of the top 10", "in the top 10", "OrchardDB 7"."""
PLACE_WORD = re.compile(r"\w[\w'’.-]*")
ABBREVIATIONS = frozenset({"us", "usa", "uk", "eu", "uae", "nyc"})
"""Places that titles name by capital letters, wherever they stand."""
WORLD = "world"
"""The one place that is written small."""
PREVIEW = "og:title"
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Parameters:
    """When a title counts; set by principle, not fitted."""

    certain: float = 0.9
    """The least probability of what the rules rule in; what they rule out has none."""
    open: float = 0.45
    """The most of a number and one word, which may be a name: "7 Cups". The page must decide."""
    possible: float = 0.02
    """From here on the page is asked whether it holds the list."""
    likely: float = 0.5
    """From here on a title disagrees with another: more likely a promise than not."""
    longest: int = 300
    """Characters of a title that are read."""
    most_headings: int = 3
    """How many headings of the first level are read as titles: pages with more have one a section."""
    most_previews: int = 3
    most_words_of_concept: int = 9
    most_words_of_place: int = 3


PARAMETERS = Parameters()


@dataclass(frozen=True)
class Promise:
    """What a title says: how many of what, chosen how, when and where."""

    k: int
    score: float
    """Probability that the title promises a list."""
    title: str
    concept: str = ""
    head: str = ""
    """The noun that is counted."""
    criterion: str = ""
    time: str = ""
    more: bool = False
    """"35+", "5-10": so many or more."""
    titles: tuple[str, ...] = ()
    """All titles of the page that promise so many, this one first."""


def find_promise(nodes: Nodes, title: Callable[[], str]) -> Promise | None:
    """Return the promise of a page, be it doubtful; ``title`` is asked for the page's title where titles disagree."""
    promises = [promise for promise in read_titles(nodes) if promise.score >= PARAMETERS.possible]
    if not promises:
        return None
    chosen = promises[0]
    if len({promise.k for promise in promises if promise.score >= PARAMETERS.likely}) > 1:
        meant = title()
        chosen = next((promise for promise in promises if meant and _is_same(promise.title, meant)), chosen)
    alike = [chosen, *(promise for promise in promises if promise.k == chosen.k and promise is not chosen)]
    return replace(
        chosen,
        time=next((promise.time for promise in alike if promise.time), ""),
        titles=tuple(promise.title for promise in alike),
    )


def _is_same(title: str, meant: str) -> bool:
    """Whether the words of one of two titles stand in the other: titles carry the names of sites."""
    a, b = (f" {' '.join(WORD.findall(text.casefold()))} " for text in (title, meant))
    return a in b or b in a


def read_titles(nodes: Nodes) -> list[Promise]:
    """Return the promises that the page's titles make, the likeliest first; of equal ones the heading's."""
    declared = declared_language(nodes)
    texts = dict.fromkeys(filter(None, [*find_headings(nodes), *find_tags(nodes), *find_previews(nodes)]))
    promises = [promise for text in texts if (promise := read_promise(text, declared))]
    return sorted(promises, key=lambda promise: -round(promise.score, 1))


def declared_language(nodes: Nodes) -> str:
    """Return the language that the page says it is in; empty where it does not."""
    return next((nodes.attributes[node].get("lang", "") for node in nodes.tag.where("html").tolist()[:1]), "")


def find_headings(nodes: Nodes) -> list[str]:
    """Return the texts of the first headings of the first level; of the first heading where there is none of it."""
    first = nodes.tag.where("h1").tolist()[: PARAMETERS.most_headings] or nodes.tag.where("h2").tolist()[:1]
    return [_inner_text(nodes, node) for node in first]


def find_tags(nodes: Nodes) -> list[str]:
    """Return the text of the title tag."""
    return [_inner_text(nodes, node) for node in nodes.tag.where("title").tolist()[:1]]


def find_previews(nodes: Nodes) -> list[str]:
    """Return the titles that the page offers to those that link to it."""
    wanted = [node for node, name in nodes.attributes.having("property").items() if name.lower() == PREVIEW]
    return [
        " ".join(nodes.attributes[node].get("content", "").split())[: PARAMETERS.longest]
        for node in wanted[: PARAMETERS.most_previews]
    ]


def _inner_text(nodes: Nodes, node: int) -> str:
    """Return the text inside an element, white space collapsed."""
    inside = node + np.flatnonzero(nodes.kind[node : int(nodes.end[node])] == Kind.TEXT)
    return " ".join(" ".join(map(nodes.text.__getitem__, inside.tolist())).split())[: PARAMETERS.longest]


def read_promise(title: str, declared: str = "") -> Promise | None:
    """Return the likeliest promise of a title, be it unlikely; None where the title has no number that could count."""
    language = choose_language(title.split(), declared)
    if not may_promise(title, language):
        return None
    promises = read_promises(title, language)
    return max(promises, key=lambda promise: promise.score, default=None)


def read_promises(title: str, language: Language) -> list[Promise]:
    """Judge every number of a title."""
    tokens = split_tokens(title, language)
    found: list[Promise] = []
    parts = False
    for mention in find_mentions(title, tokens, language):
        phrase = find_phrase(tokens, mention.after, language)
        if mention.ranged and (phrase.head < 0 or not is_opening(tokens, mention.place, language)):
            continue  # the days of a week, the result of a game
        names = read_features(tokens, mention, phrase, language)
        parts = parts or "part of" in names
        score = _apply_rules(score_features(names), names)
        found.append(_write_promise(title, tokens, mention, phrase, language, score))
    # "7 of the top 10 books are …" speaks of both numbers.
    return found if not parts else [replace(promise, score=0.0) for promise in found]


def _apply_rules(score: float, names: list[str]) -> float:
    """Hold the model to what needs no learning and is too rare in headlines to be learned."""
    found = set(names)
    if found & RULED_OUT:
        return 0.0
    if "alone" in found:
        return min(score, PARAMETERS.open)
    ranking = "named top" in found and "plural" in found
    return max(score, PARAMETERS.certain) if ranking or found & RULED_IN else score


def _write_promise(  # noqa: PLR0913, PLR0917
    title: str, tokens: list[Token], mention: Mention, phrase: Phrase, language: Language, score: float
) -> Promise:
    promise = Promise(
        mention.k, score, title, more=mention.more, time=find_time(title, language, tokens[mention.place].end)
    )
    if mention.hyphen and mention.after < len(tokens):
        counted = tokens[mention.after].text
        return replace(promise, concept=counted, head=counted)
    start, end = phrase.criterion
    criterion = title[tokens[start].start : tokens[end - 1].end] if end > start else ""
    if not criterion:
        criterion = _criterion_before(tokens, mention, language)
    if phrase.head < 0:
        return replace(promise, criterion=criterion)
    first = phrase.start
    while first < phrase.head and not tokens[first].is_word:
        first += 1
    last = _concept_end(tokens, phrase.head, language)
    concept = title[tokens[first].start : tokens[last].end]
    return replace(promise, criterion=criterion, concept=concept, head=tokens[phrase.head].text)


def _criterion_before(tokens: list[Token], mention: Mention, language: Language) -> str:
    """Return the word before the number that says how things were chosen: "top 10", "the best 4"."""
    for token in reversed(tokens[max(mention.place - 2, 0) : mention.place]):
        if token.word in language.top or is_superlative(token.word, language):
            return token.text
    return ""


def _concept_end(tokens: list[Token], head: int, language: Language) -> int:
    """Take in what the counted things are of: "types *of plumbing pipes*"."""
    place = head + 1
    if place >= len(tokens) or tokens[place].word != "of":
        return head
    end = place
    for at in range(place + 1, min(len(tokens), place + PARAMETERS.most_words_of_concept)):
        token = tokens[at]
        if (
            token.text in STOPS
            or token.text == ","
            or (token.word in language.boundaries and token.word not in ADDRESSES)
        ):
            break
        if token.is_word:
            end = at
        elif token.text[0].isdigit():
            break
    return end if end > place and tokens[end].word not in ADDRESSES else head


def find_time(title: str, language: Language, after: int = 0) -> str:
    """Return the time that a title names, best after its number: years with a month or season, or "of all time"."""
    if found := YEAR.search(title, after) or YEAR.search(title):
        before = title[: found.start()].split()
        month = before[-1].strip("(,.").lower() if before else ""
        return f"{before[-1].strip('(,.')} {found.group()}" if month in language.times else found.group()
    lower = title.lower()
    return next((phrase for phrase in language.always if phrase in lower), "")


def find_location(title: str, language: Language) -> str:
    """Return the place that a title names behind "in" or its like, or by capital letters; empty where none is."""
    words = list(PLACE_WORD.finditer(title))
    for length in range(PARAMETERS.most_words_of_place, 0, -1):
        for start in range(len(words) - length + 1):
            given = title[words[start].start() : words[start + length - 1].end()]
            before = [word.group().lower() for word in words[max(start - 2, 0) : start]]
            if length == 1 and given.isupper() and given.lower().replace(".", "") in ABBREVIATIONS:
                return given
            if _leads_to_place(before, language) and _is_place(given, language):
                return given
    return ""


def _leads_to_place(before: list[str], language: Language) -> bool:
    if before[-1:] == ["the"]:
        before = before[:-1]
    return bool(before) and before[-1] in language.places_after


def _is_place(text: str, language: Language) -> bool:
    folded = text.lower().strip(".")
    return folded == WORLD or (text[0].isupper() and folded in language.places)
