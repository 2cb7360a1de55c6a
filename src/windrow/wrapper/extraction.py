"""Reading a page by learned rules: the places of a value vote, and a vote that is not clear gives nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.wrapper.evidence import BASE, MASK, evidence_of, word_hash
from windrow.wrapper.matching import Candidates
from windrow.wrapper.pasting import without_affixes
from windrow.wrapper.spot import FEATURES
from windrow.wrapper.writing import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from windrow.nodes import Nodes
    from windrow.nodes.columns import Ids
    from windrow.wrapper.evidence import Evidence
    from windrow.wrapper.rule import Listing, Place, Rule, Way

BEFORE = FEATURES.index("before")
KEY_PATH = FEATURES.index("key path")
SEPARATOR = re.compile(r"(?:[,;/|&·•]|and|und|et|y)*", re.IGNORECASE)


NUMBERING = re.compile(r"^\W*\d+\s*[.):-]?\s*")
"""The number in front of an item."""


@dataclass(frozen=True)
class Certainty:
    """When a reading counts; tuned by hand on the detail pages of all 20 sites that we have, so optimistic there."""

    least_likeness: float = 0.5
    """Below this share of full agreement a place is not found."""
    least_lead: float = 0.04
    """By so much the best candidate must lead over the next one with another text."""
    clear_lead: float = 0.2
    """A lead from which on there is no doubt about the choice."""
    gain: float = 1.4
    """Agreement in so much less than everything, with a clear lead, is sure."""
    other_format: float = 0.8
    """What a value with digits is worth where the learned one has none, and the other way round."""
    sure_likeness: float = 0.97
    """A place that agrees in everything needs no lead."""
    least_confidence: float = 0.5
    """Below this a value is missing."""


CERTAINTY = Certainty()


@dataclass(frozen=True)
class Reading:
    """One value that was read: its text, its node, and how sure that is."""

    text: str
    node: int
    confidence: float
    runner_up: str = ""


@dataclass(frozen=True)
class Vote:
    """What one place found."""

    place: Place
    node: int
    sure: float
    rival: str
    """The next candidate's text."""


@dataclass(frozen=True)
class Winner:
    """What the places of a value agreed on: all votes for the same text, the strongest first."""

    votes: list[Vote]
    sure: float
    rival: str


@dataclass
class Reader:
    """One page being read; candidates are described once for all rules."""

    nodes: Nodes
    is_home: bool = True
    """Whether the page has the address that was learned."""

    @cached_property
    def evidence(self) -> Evidence:
        """The page's columns."""
        return evidence_of(self.nodes)

    @cached_property
    def texts(self) -> Candidates:
        """All shown texts."""
        return Candidates.of(self.evidence, self.evidence.texts)

    @cached_property
    def _elements(self) -> dict[str, Candidates]:
        return {}

    def elements(self, tag: str) -> Candidates:
        """All elements of a tag that show something."""
        if tag not in self._elements:
            found = self.nodes.tag.where(tag)
            found = found[self.evidence.first_text[found] < self.evidence.last_text[found]]
            self._elements[tag] = Candidates.of(self.evidence, found)
        return self._elements[tag]

    def read(self, rule: Rule) -> list[Reading]:
        """Read one label's values; nothing where it is not sure."""
        found = [reading for places in rule.values for reading in self.read_value(places)]
        if rule.listing is not None:
            found += self.read_list(rule.listing)
        return list({reading.text: reading for reading in reversed(found)}.values())[::-1]

    def find(self, places: Sequence[Place]) -> Winner | None:
        """Let the places vote for what they find; None where they find nothing."""
        votes: dict[str, list[Vote]] = {}
        for place in places:
            if not place.is_local or self.is_home:
                vote = self._locate(place)
                if vote is not None:
                    text = self.evidence.text_of(vote.node)
                    votes.setdefault(folded(without_affixes(text, place.spot.prefix, place.spot.suffix)), []).append(
                        vote
                    )
        if not votes:
            return None
        weights = {text: sum(vote.sure * vote.place.worth for vote in found) for text, found in votes.items()}
        best, *others = sorted(weights, key=lambda text: -weights[text])
        found = sorted(votes[best], key=lambda vote: -vote.sure * vote.place.worth)
        sure = found[0].sure * weights[best] / sum(weights.values())
        strongest = found[0].place.spot
        if strongest.is_text and has_digits(best) != ("9" in strongest.shape):
            sure *= CERTAINTY.other_format
        return Winner(found, round(sure, 3), others[0] if others else found[0].rival)

    def read_value(self, places: Sequence[Place]) -> list[Reading]:
        """Read one value, or the run of values that begins with it."""
        winner = self.find(places)
        if winner is None or winner.sure < CERTAINTY.least_confidence:
            return []
        runs = [[vote.node, *following(self.evidence, vote.node)] for vote in winner.votes]
        longest = max(range(len(runs)), key=lambda number: len(runs[number]))
        spot = winner.votes[longest].place.spot
        texts = [without_affixes(self.evidence.text_of(node), spot.prefix, spot.suffix) for node in runs[longest]]
        pairs = zip(texts, runs[longest], strict=True)
        return [Reading(text, node, winner.sure, winner.rival) for text, node in pairs if text]

    def _locate(self, place: Place) -> Vote | None:
        """Find the node most like a place; how sure that is depends on how like it is, and the next one."""
        spot = place.spot
        candidates = self.texts if spot.is_text else self.elements(spot.steps[-1].tag)
        if not len(candidates.nodes):
            return None
        scores = candidates.score(spot, np.array(place.trust) if place.trust else None)
        best = int(np.argmax(scores))
        node, likeness = int(candidates.nodes[best]), float(scores[best])
        if likeness < CERTAINTY.least_likeness:
            return None
        if place.is_labelled and candidates.rows[best, BEFORE] != word_hash(spot.before):
            return None
        rival, lead = self._rival(candidates, scores, best)
        if likeness >= CERTAINTY.sure_likeness:
            return Vote(place, node, 1.0, rival)
        if lead < CERTAINTY.least_lead:
            return None
        sure = likeness * CERTAINTY.gain * (1 + min(lead / CERTAINTY.clear_lead, 1)) / 2
        return Vote(place, node, min(1.0, sure), rival)

    def _rival(self, candidates: Candidates, scores: NDArray[np.float64], best: int) -> tuple[str, float]:
        """Give the next candidate with another text, and by how much it is behind."""
        text = folded(self.evidence.text_of(int(candidates.nodes[best])))
        for other in np.argsort(-scores, kind="stable")[1:6].tolist():
            if other != best:
                rival = folded(self.evidence.text_of(int(candidates.nodes[other])))
                if rival != text:
                    return rival, float(scores[best] - scores[other])
        return "", float(scores[best])

    def read_list(self, listing: Listing) -> list[Reading]:
        """Find the element around the list, and read its items."""
        winner = self.find(listing.around)
        if winner is None or winner.sure < CERTAINTY.least_confidence:
            return []
        around, sure = winner.votes[0].node, winner.sure
        items = [
            item
            for one in self._alike(around, listing)
            for item in items_below(self.evidence, one, listing.ways).tolist()
        ]
        texts = map(self.evidence.text_of, items)
        shown_items = [NUMBERING.sub("", text) for text in texts] if listing.is_numbered else list(texts)
        return [Reading(text, item, sure) for text, item in zip(shown_items, items, strict=True) if text]

    def _alike(self, around: int, listing: Listing) -> list[int]:
        """List the elements in the same tags and classes, where the learned one was the only one."""
        path = self.evidence.key_path
        if not listing.is_single or path[around] not in {place.spot.row[KEY_PATH] for place in listing.around}:
            return [around]
        return [int(node) for node in np.flatnonzero(path == path[around])]


def has_digits(text: str) -> bool:
    """Say whether a text holds a number."""
    return any(map(str.isdigit, text))


def following(evidence: Evidence, node: int) -> list[int]:
    """List the texts after a text that stand in siblings of its kind, parted by nothing but a comma or the like."""
    run: list[int] = []
    parent = int(evidence.up[node])
    home = int(evidence.up[parent])
    if not evidence.is_text[node] or evidence.nodes.tag[parent] not in {"a", "span", "em", "i", "b", "strong"}:
        return run
    words, texts, rank = evidence.words, evidence.texts, evidence.rank_of(node)
    while rank + 2 < len(words) and SEPARATOR.fullmatch("".join(words[rank + 1].split())):
        rank += 2
        item = int(texts[rank])
        above = int(evidence.up[item])
        if evidence.up[above] != home or evidence.key[above] != evidence.key[parent]:
            break
        run.append(item)
    return run


def items_below(evidence: Evidence, around: int, ways: Sequence[Way]) -> Ids:
    """List the nodes below an element that one of the ways leads to, in document order."""
    inside = np.arange(around + 1, int(evidence.nodes.end[around]), dtype=np.int32)
    below = evidence.nodes.depth[inside] - evidence.nodes.depth[around]
    chosen = np.zeros(len(inside), dtype=bool)
    for way in ways:
        by_tag = all(names == "*" for _, names in way)
        path = evidence.tag_path if by_tag else evidence.key_path
        wanted = 0
        for tag, names in way:
            key = word_hash(tag) if by_tag else word_hash(tag) + word_hash(names) * BASE
            wanted = (wanted * BASE + key) & MASK
        full = (wanted + int(path[around]) * pow(BASE, len(way), MASK + 1)) & MASK
        chosen |= (below == len(way)) & (path[inside] == np.uint64(full))
    found = inside[chosen]
    return found[evidence.first_text[found] < evidence.last_text[found]]
