"""The two methods that TTA is compared with: the title tag as it is, and TitleFinder.

H. Mohammadzadeh, T. Gottron, F. Schweiggert and G. Heyer, "TitleFinder: extracting the headline of news web pages
based on cosine similarity and overlap scoring similarity", WIDM 2012; as section 1 of TTA describes it.

Every text node is a vector of words weighted by TF-IDF, the text nodes of the page being the collection. The node that
is nearest to the text of the title tag is the title.

Departures: the nodes are ordered by cosine similarity first and by the overlap score where that is the same; of equals
the earlier node wins. Where no node shares a word with the tag, or there is no tag, there is no title.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind
from windrow.title.confidence import state_confidence
from windrow.title.markup import read_markup, read_tag
from windrow.title.result import Candidate, Title

if TYPE_CHECKING:
    from windrow.nodes import Nodes

WORD = re.compile(r"\w+")
UNREAD = frozenset(
    ["title", "script", "style", "noscript", "template", "textarea", "select", "option", "svg:title", "svg:style"]
)


@dataclass(frozen=True)
class TitleFinderParameters:
    """What bounds the work; the paper names no values."""

    shown: int = 20  # not a decision: bounds the work
    """Candidates that are kept for explaining."""


DEFAULT = TitleFinderParameters()


def find_tag_title(nodes: Nodes) -> Title:
    """Return the text of the first title tag that is not empty: what a browser shows on the page's tab."""
    if text := read_tag(read_markup(nodes)):
        candidates = (Candidate(text, 1.0, {"tag": 1.0}),)
        return Title(text, 1.0, candidates, confidence=state_confidence("tag", candidates))
    return Title("", 0.0, reason="The page has no title tag, or an empty one.")


def find_titlefinder_title(nodes: Nodes, parameters: TitleFinderParameters = DEFAULT) -> Title:
    """Return the text node that is nearest to the title tag."""
    tag = Counter(WORD.findall(read_tag(read_markup(nodes)).casefold()))
    if not tag:
        return Title("", 0.0, reason="The page has no title tag, or an empty one, so that nothing can be near it.")
    texts = read_texts(nodes)
    vectors = [Counter(WORD.findall(text.casefold())) for text in texts]
    rarity = score_rarity(vectors, tag)
    query = weigh(tag, rarity)
    length = math.hypot(*query.values())
    candidates = []
    for text, vector in zip(texts, vectors, strict=True):
        if not query.keys().isdisjoint(vector):
            terms = score_nearness(query, length, weigh(vector, rarity))
            shared = " ".join(word for word in vector if word in query)
            candidates.append(Candidate(text, terms["cosine"], terms, {"words of the title tag": shared}))
    if not candidates:
        return Title("", 0.0, reason="No text of the page shares a word with its title tag.")
    candidates.sort(key=lambda candidate: (-candidate.terms["cosine"], -candidate.terms["overlap"]))
    shown = tuple(candidates[: parameters.shown])
    return Title(shown[0].text, shown[0].score, shown, confidence=state_confidence("titlefinder", shown))


def read_texts(nodes: Nodes) -> list[str]:
    """Return the text nodes of the body, white space collapsed, in document order."""
    read = (nodes.kind == Kind.TEXT) & ~nodes.tag.is_in(UNREAD)[nodes.parent]
    texts = (" ".join(nodes.text[node].split()) for node in np.flatnonzero(read).tolist())
    return [text for text in texts if text]


def score_rarity(vectors: list[Counter[str]], tag: Counter[str]) -> dict[str, float]:
    """Return the inverse document frequency over the text nodes; the tag itself counts as one of them.

    A word that only the tag has is as rare as the rarest of the others.
    """
    frequency = Counter(word for vector in vectors for word in vector)
    rarity = {word: math.log((1 + len(vectors)) / count) for word, count in frequency.items()}
    return dict.fromkeys(tag, max(rarity.values(), default=1.0)) | rarity


def weigh(words: Counter[str], rarity: dict[str, float]) -> dict[str, float]:
    """Return the TF-IDF weight of each word of a text."""
    return {word: count * rarity[word] for word, count in words.items()}


def score_nearness(query: dict[str, float], length: float, node: dict[str, float]) -> dict[str, float]:
    """Score how near a text node is to the tag, whose vector has this length.

    The cosine is that of the angle between the two vectors, the overlap the sum of the weights in the text node of the
    words that the tag has too.
    """
    shared = {word: weight for word, weight in node.items() if word in query}
    lengths = length * math.hypot(*node.values())
    cosine = sum(query[word] * weight for word, weight in shared.items()) / lengths if lengths else 0.0
    return {"cosine": cosine, "overlap": sum(shared.values())}
