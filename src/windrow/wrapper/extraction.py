"""Reading a page by learned rules: the places of a value vote, and a vote that is not clear gives nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.wrapper.evidence import TEXT, evidence_of
from windrow.wrapper.lists import following, items_below
from windrow.wrapper.matching import Candidates, Ranking, Sought
from windrow.wrapper.pasting import without_affixes
from windrow.wrapper.spot import FEATURES
from windrow.wrapper.writing import folded, shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windrow.nodes import Nodes
    from windrow.wrapper.evidence import Evidence
    from windrow.wrapper.rule import Listing, Place, Rule
    from windrow.wrapper.spot import Spot

KEY_PATH = FEATURES.index("key path")
SIGNS = "9a"
"""What stands in a format for figures, and for words."""
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
    most_rivals: int = 6
    """So many of the best candidates are looked at, the best one included."""


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
    text: str
    rival: str
    """The next candidate's text."""

    @property
    def weight(self) -> float:
        """How much it counts."""
        return self.sure * self.place.worth


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
    def _candidates(self) -> dict[str, Candidates]:
        return {}

    @cached_property
    def _rankings(self) -> dict[int, tuple[Place, Ranking]]:
        return {}

    def candidates(self, tag: str) -> Candidates:
        """Give all shown texts, or all elements of a tag that show something."""
        if tag not in self._candidates:
            evidence = self.evidence
            found = evidence.texts if tag == TEXT else evidence.showing(self.nodes.tag.where(tag).astype(np.intp))
            self._candidates[tag] = Candidates(evidence, found)
        return self._candidates[tag]

    def compare(self, everything: Iterable[Sought]) -> None:
        """Compare places with the page, all at once: what is read later is then only looked up."""
        for sought in everything:
            candidates = self.candidates(sought.places[0].spot.steps[-1].tag)
            for place, ranking in zip(sought.places, candidates.rank(sought), strict=True):
                self._rankings[id(place)] = (place, ranking)

    def read(self, rule: Rule) -> list[Reading]:
        """Read one label's values; nothing where it is not sure."""
        found = [reading for places in rule.values for reading in self.read_value(places)]
        if rule.listing is not None:
            found += self.read_list(rule.listing)
        return list({reading.text: reading for reading in reversed(found)}.values())[::-1]

    def find(self, places: Sequence[Place]) -> Winner | None:
        """Let the places vote for what they find; None where they find nothing."""
        self.compare(seek([place for place in places if id(place) not in self._rankings], is_home=self.is_home))
        votes: dict[str, list[Vote]] = {}
        for place in places:
            if (vote := self._locate(place)) is not None:
                votes.setdefault(folded(vote.text), []).append(vote)
        if not votes:
            return None
        weights = {text: sum(vote.weight for vote in found) for text, found in votes.items()}
        best, *others = sorted(weights, key=lambda text: -weights[text])
        found = sorted(votes[best], key=lambda vote: -vote.weight)
        sure = found[0].sure * weights[best] / sum(weights.values())
        strongest = found[0].place.spot
        if strongest.is_text and has_digits(best) != ("9" in strongest.shape):
            sure *= CERTAINTY.other_format
        return Winner(found, round(sure, 3), votes[others[0]][0].text if others else found[0].rival)

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
        ranking = self._rankings[id(place)][1] if id(place) in self._rankings else None
        if ranking is None or not ranking.nodes:
            return None
        best = ranking.best(CERTAINTY.most_rivals)
        node, likeness = ranking.nodes[best[0]], ranking.scores[best[0]]
        if likeness < CERTAINTY.least_likeness or (place.is_labelled and not self._has_label(node, place)):
            return None
        if self._is_of_another(node, place.spot):
            return None
        text = self.evidence.text_of(node)
        rival, lead = self._rival(ranking, best)
        if likeness < CERTAINTY.sure_likeness and lead < CERTAINTY.least_lead:
            return None
        sure = likeness * CERTAINTY.gain * (1 + min(lead / CERTAINTY.clear_lead, 1)) / 2
        if likeness >= CERTAINTY.sure_likeness:
            sure = 1.0
        return Vote(place, node, min(1.0, sure), without_affixes(text, place.spot.prefix, place.spot.suffix), rival)

    def _has_label(self, node: int, place: Place) -> bool:
        """Say whether the learned label stands before a node."""
        rank = self.evidence.rank_of(node)
        return (self.evidence.words[rank - 1] if rank else "") == place.spot.before

    def _is_of_another(self, node: int, spot: Spot) -> bool:
        """Say whether a cell is headed by another name than the learned one, and figures or words are not as in it."""
        evidence, rank = self.evidence, self.evidence.rank_of(node)
        if not (rank and spot.before and spot.is_text) or evidence.words[rank - 1] == spot.before:
            return False
        format_here, learned = shape(evidence.words[rank]), spot.shape
        if all((sign in format_here) == (sign in learned) for sign in SIGNS):
            return False
        cell = self._around(node, {"td", "dd"})
        return cell > 0 and self._around(int(evidence.texts[rank - 1]), {"th", "dt"}, int(evidence.up[cell])) > 0

    def _around(self, node: int, tags: set[str], within: int | None = None) -> int:
        """Give the nearest element of certain tags around a node, or 0; where ``within`` is given, a child of that."""
        while node > 0 and self.nodes.tag[node] not in tags:
            node = int(self.nodes.parent[node])
        return node if within is None or (node > 0 and self.nodes.parent[node] == within) else 0

    def _rival(self, ranking: Ranking, best: list[int]) -> tuple[str, float]:
        """Give the next candidate with another text, and by how much it is behind."""
        first, *others = best
        own = folded(self.evidence.text_of(ranking.nodes[first]))
        for other in others:
            text = self.evidence.text_of(ranking.nodes[other])
            if folded(text) != own:
                return text, ranking.scores[first] - ranking.scores[other]
        return "", ranking.scores[first]

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
        alike = self.candidates(self.nodes.tag[around])
        paths = alike.rows[KEY_PATH]
        own = paths[alike.nodes == around]
        if not listing.is_single or own[0] not in {place.spot.row[KEY_PATH] for place in listing.around}:
            return [around]
        return [int(node) for node in alike.nodes[paths == own[0]]]


def seek(places: Iterable[Place], *, is_home: bool) -> list[Sought]:
    """Put together what can be looked for at once; doubtful places only on the page where they were learned."""
    by_tag: dict[str, list[Place]] = {}
    for place in places:
        if is_home or not place.is_local:
            by_tag.setdefault(place.spot.steps[-1].tag, []).append(place)
    return [Sought(alike) for alike in by_tag.values()]


def has_digits(text: str) -> bool:
    """Say whether a text holds a number."""
    return any(map(str.isdigit, text))
