"""Reading a page by learned rules: the places of a value vote, and a vote that is not clear gives nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.wrapper.evidence import BASE, MASK, Evidence, word_hash
from windrow.wrapper.matching import Candidates
from windrow.wrapper.pasting import without_affixes
from windrow.wrapper.spot import FEATURES
from windrow.wrapper.writing import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from windrow.nodes import Nodes
    from windrow.nodes.columns import Ids
    from windrow.wrapper.rule import Listing, Place, Rule

KEY_PATH = FEATURES.index("key path")
SEPARATOR = re.compile(r"(?:[,;/|&·•]|and|und|et|y)*", re.IGNORECASE)


NUMBERING = re.compile(r"^\W*\d+\s*[.):-]?\s*")
"""The number in front of an item."""


@dataclass(frozen=True)
class Certainty:
    """When a reading counts; tuned on detail pages of half of the sites, held against the other half."""

    least_likeness: float = 0.5
    """Below this share of full agreement a place is not found."""
    least_lead: float = 0.04
    """By so much the best candidate must lead over the next one with another text."""
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


@dataclass
class Reader:
    """One page being read; candidates are described once for all rules."""

    nodes: Nodes
    is_home: bool = True
    """Whether the page has the address that was learned."""

    @cached_property
    def evidence(self) -> Evidence:
        """The page's columns."""
        return Evidence(self.nodes)

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

    def find(self, places: Sequence[Place]) -> tuple[int, float, str, Place] | None:
        """Let the places vote; give the node that won, how sure that is, the runner-up's text, and who found it."""
        votes: dict[str, list[tuple[float, int, Place]]] = {}
        others: dict[str, float] = {}
        for place in places:
            found = None if place.is_local and not self.is_home else self._locate(place)
            if found is None:
                continue
            node, sure, runner_up = found
            text = folded(without_affixes(self.evidence.text_of(node), place.spot.prefix, place.spot.suffix))
            votes.setdefault(text, []).append((sure * place.worth, node, place))
            if runner_up:
                others[runner_up] = max(others.get(runner_up, 0), sure)
        if not votes:
            return None
        ranked = sorted(votes.items(), key=lambda vote: -sum(weight for weight, _, _ in vote[1]))
        weights = [sum(weight for weight, _, _ in vote[1]) for vote in ranked]
        best = max(ranked[0][1], key=lambda vote: vote[0])
        share = weights[0] / sum(weights)
        sure = best[0] / best[2].worth * share
        runner_up = ranked[1][0] if len(ranked) > 1 else next(iter(others), "")
        return best[1], sure, runner_up, best[2]

    def read_value(self, places: Sequence[Place]) -> list[Reading]:
        """Read one value, or the run of values that begins with it."""
        found = self.find(places)
        if found is None or found[1] < CERTAINTY.least_confidence:
            return []
        node, sure, runner_up, place = found
        nodes = [node, *following(self.evidence, node)] if place.spot.is_text or place.is_run else [node]
        spot = place.spot
        readings = []
        for item in nodes:
            text = without_affixes(self.evidence.text_of(item), spot.prefix, spot.suffix)
            if text:
                readings.append(Reading(text, item, round(sure, 3), runner_up))
        return readings

    def _locate(self, place: Place) -> tuple[int, float, str] | None:
        """Find the node most like a place; how sure that is depends on how like it is, and the next one."""
        candidates = self.texts if place.spot.is_text else self.elements(place.spot.steps[-1].tag)
        if not len(candidates.nodes):
            return None
        scores = candidates.score(place.spot, np.array(place.trust) if place.trust else None)
        best = int(np.argmax(scores))
        if scores[best] < CERTAINTY.least_likeness:
            return None
        if place.is_labelled and self.evidence.before[candidates.nodes[best]] != word_hash(place.spot.before):
            return None
        node = int(candidates.nodes[best])
        rival, lead = self._rival(candidates, scores, best)
        sure = float(min(1.0, scores[best] * (0.5 + min(lead, 0.2) / 0.2 * 0.5) * 1.4))
        if scores[best] >= CERTAINTY.sure_likeness:
            sure = 1.0
        known = lead >= CERTAINTY.least_lead or scores[best] >= CERTAINTY.sure_likeness
        return (node, sure, rival) if known else None

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
        found = self.find(listing.around)
        if found is None or found[1] < CERTAINTY.least_confidence:
            return []
        around, sure, _, _ = found
        items = [item for one in self._alike(around, listing) for item in items_below(self.evidence, one, listing.ways).tolist()]
        texts = map(self.evidence.text_of, items)
        shown_items = [NUMBERING.sub("", text) for text in texts] if listing.is_numbered else list(texts)
        return [Reading(text, item, round(sure, 3)) for text, item in zip(shown_items, items, strict=True) if text]

    def _alike(self, around: int, listing: Listing) -> list[int]:
        """List the elements in the same tags and classes, where the learned one was the only one."""
        path = self.evidence.key_path
        if not listing.is_single or path[around] not in {place.spot.row[KEY_PATH] for place in listing.around}:
            return [around]
        return [int(node) for node in np.flatnonzero(path == path[around])]


def following(evidence: Evidence, node: int) -> list[int]:
    """List the texts after a text that stand in siblings of the same kind, parted by nothing but a comma or the like."""
    rank = int(evidence.first_text[node])
    run: list[int] = []
    parent = int(evidence.up[node])
    home = int(evidence.up[parent])
    if not evidence.is_text[node] or evidence.nodes.tag[parent] not in {"a", "span", "em", "i", "b", "strong"}:
        return run
    words, texts = evidence.words, evidence.texts
    while rank + 2 < len(words) and SEPARATOR.fullmatch("".join(words[rank + 1].split())):
        rank += 2
        item = int(texts[rank])
        above = int(evidence.up[item])
        if evidence.up[above] != home or evidence.key[above] != evidence.key[parent]:
            break
        run.append(item)
    return run


def items_below(evidence: Evidence, around: int, ways: Sequence[tuple[tuple[str, str], ...]]) -> Ids:
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
