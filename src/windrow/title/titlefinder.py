"""TitleFinder, one of the two methods that TTA is compared with.

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
from windrow.title.result import Candidate, Title
from windrow.title.tag import read_tag

if TYPE_CHECKING:
    from windrow.nodes import Nodes

WORD = re.compile(r"\w+")
UNREAD = frozenset(
    ["title", "script", "style", "noscript", "template", "textarea", "select", "option", "svg:title", "svg:style"]
)


@dataclass(frozen=True)
class Parameters:
    """What bounds the work; the paper names no values."""

    shown: int = 20
    """Candidates that are kept for explaining."""


DEFAULT = Parameters()


def find_titlefinder_title(nodes: Nodes, parameters: Parameters = DEFAULT) -> Title:
    """Give the text node that is nearest to the title tag."""
    tag = Counter(WORD.findall(read_tag(nodes).casefold()))
    if not tag:
        return Title("", 0.0, reason="The page has no title tag, or an empty one, so that nothing can be near it.")
    texts = read_texts(nodes)
    vectors = [Counter(WORD.findall(text.casefold())) for text in texts]
    rarity = score_rarity(vectors)
    candidates = []
    for text, vector in zip(texts, vectors, strict=True):
        if not tag.keys().isdisjoint(vector):
            terms = {"cosine": score_cosine(tag, vector, rarity), "overlap": score_overlap(tag, vector, rarity)}
            candidates.append(Candidate(text, terms["cosine"], terms))
    if not candidates:
        return Title("", 0.0, reason="No text of the page shares a word with its title tag.")
    candidates.sort(key=lambda candidate: (-candidate.terms["cosine"], -candidate.terms["overlap"]))
    return Title(candidates[0].text, candidates[0].score, tuple(candidates[: parameters.shown]))


def read_texts(nodes: Nodes) -> list[str]:
    """List the text nodes of the body, white space collapsed, in document order."""
    read = (nodes.kind == Kind.TEXT) & ~nodes.tag.is_in(UNREAD)[nodes.parent]
    texts = (" ".join(nodes.text[node].split()) for node in np.flatnonzero(read).tolist())
    return [text for text in texts if text]


def score_rarity(vectors: list[Counter[str]]) -> dict[str, float]:
    """Give each word its inverse document frequency over the text nodes; the tag itself counts as one of them."""
    frequency = Counter(word for vector in vectors for word in vector)
    return {word: math.log((1 + len(vectors)) / count) for word, count in frequency.items()}


def score_cosine(one: Counter[str], other: Counter[str], rarity: dict[str, float]) -> float:
    """Give the cosine of the angle between two vectors of TF-IDF weights."""
    unknown = max(rarity.values(), default=1.0)
    left = {word: count * rarity.get(word, unknown) for word, count in one.items()}
    right = {word: count * rarity[word] for word, count in other.items()}
    length = math.hypot(*left.values()) * math.hypot(*right.values())
    return sum(value * right.get(word, 0.0) for word, value in left.items()) / length if length else 0.0


def score_overlap(query: Counter[str], document: Counter[str], rarity: dict[str, float]) -> float:
    """Give the overlap score: the TF-IDF weights in a text node of the words that the tag has too."""
    return sum(document[word] * rarity[word] for word in query if word in document)
