"""ReadValue a page by learned rules: the places of a value vote, and a vote that is not clear gives nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.weights import load_weights
from windrow.wrapper.matching import Candidates, Ranking, Sought
from windrow.wrapper.normalization import folded, shape
from windrow.wrapper.page_features import TEXT, features_of
from windrow.wrapper.text_search import without_affixes
from windrow.wrapper.value_lists import following, items_below

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windrow.nodes import Nodes
    from windrow.wrapper.location import Location
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.rule import Listing, Place, Rule

SIGNS = "9a"
"""What stands in a format for figures, and for words."""
NUMBERING = re.compile(r"^\W*\d+\s*[.):-]?\s*")
"""The number in front of an item."""


@dataclass(frozen=True)
class ExtractionParameters:
    """What is set by principle; how sure a value is, is fitted."""

    least_confidence: float = 0.6
    """Below this a value is missing: a wrong one costs half as much again as one that is not there."""
    least_likeness: float = 0.33
    """Share of full agreement below which a place is not found: one that has a third in common is another one."""
    most_rivals: int = 6
    """So many of the best candidates are looked at for one with another text: neighbours often repeat the best one."""


PARAMETERS = ExtractionParameters()
WEIGHTS = load_weights("wrapper")


@dataclass(frozen=True)
class ReadValue:
    """One value that was read: its text, its node, and how sure that is."""

    text: str
    node: int
    vote: float
    """How sure the strongest of its places is, times the share of all votes that it got."""
    runner_up: str = ""

    @property
    def signals(self) -> dict[str, float]:
        """What the confidence is worked out from."""
        return {"vote": self.vote}

    @cached_property
    def confidence(self) -> float:
        """The probability that it is right."""
        return round(WEIGHTS.calibrations["value"].confidence(self.signals), 3)


@dataclass(frozen=True)
class Vote:
    """What one place found."""

    place: Place
    node: int
    text: str
    lead: float
    """By how much less the next candidate with another text agrees."""
    rival: str
    """That candidate's text."""

    @property
    def signals(self) -> dict[str, float]:
        """What its probability is worked out from."""
        return {"lead": self.lead}

    @cached_property
    def probability(self) -> float:
        """The probability that it is right, by itself."""
        return WEIGHTS.calibrations["place"].confidence(self.signals)

    @property
    def weight(self) -> float:
        """How much it counts."""
        return self.probability * self.place.worth


@dataclass(frozen=True)
class Winner:
    """What the places of a value agreed on: all votes for the same text, the strongest first."""

    votes: list[Vote]
    share: float
    """Of the weight of all votes."""
    rival: str

    @property
    def strength(self) -> float:
        """How sure the strongest vote is, and how much the others agree."""
        return self.votes[0].probability * self.share


@dataclass
class PageReader:
    """One page being read; candidates are described once for all rules."""

    nodes: Nodes
    is_home: bool = True
    """Whether the page has the address that was learned."""

    @cached_property
    def features(self) -> PageFeatures:
        """The page's columns."""
        return features_of(self.nodes)

    @cached_property
    def _candidates(self) -> dict[str, Candidates]:
        return {}

    @cached_property
    def _rankings(self) -> dict[int, tuple[Place, Ranking]]:
        return {}

    def candidates(self, tag: str) -> Candidates:
        """Return all shown texts, or all elements of a tag that show something."""
        if tag not in self._candidates:
            features = self.features
            found = features.texts if tag == TEXT else features.showing(self.nodes.tag.where(tag).astype(np.intp))
            self._candidates[tag] = Candidates(features, found)
        return self._candidates[tag]

    def compare(self, everything: Iterable[Sought]) -> None:
        """Compare places with the page, all at once: what is read later is then only looked up."""
        for sought in everything:
            candidates = self.candidates(sought.places[0].location.steps[-1].tag)
            for place, ranking in zip(sought.places, candidates.rank(sought), strict=True):
                self._rankings[id(place)] = (place, ranking)

    def read(self, rule: Rule, least: float = PARAMETERS.least_confidence) -> list[ReadValue]:
        """Return one label's values that are at least so sure."""
        found = [reading for places in rule.values for reading in self.read_value(places)]
        if rule.listing is not None:
            found += self.read_list(rule.listing)
        sure = [reading for reading in found if reading.confidence >= least]
        return list({reading.text: reading for reading in reversed(sure)}.values())[::-1]

    def find(self, places: Sequence[Place]) -> Winner | None:
        """Let the places vote for what they find; None where they find nothing."""
        votes: dict[str, list[Vote]] = {}
        for vote in self.votes(places):
            votes.setdefault(folded(vote.text), []).append(vote)
        if not votes:
            return None
        weights = {text: sum(vote.weight for vote in found) for text, found in votes.items()}
        best, *others = sorted(weights, key=lambda text: -weights[text])
        found = sorted(votes[best], key=lambda vote: -vote.weight)
        share = weights[best] / (sum(weights.values()) or 1.0)
        return Winner(found, share, votes[others[0]][0].text if others else found[0].rival)

    def votes(self, places: Sequence[Place]) -> list[Vote]:
        """Return what each of some places finds; nothing for one that finds nothing."""
        self.compare(seek([place for place in places if id(place) not in self._rankings], is_home=self.is_home))
        return [vote for place in places if (vote := self._locate(place)) is not None]

    def read_value(self, places: Sequence[Place]) -> list[ReadValue]:
        """Return one value, or the run of values that begins with it."""
        winner = self.find(places)
        if winner is None:
            return []
        runs = [[vote.node, *following(self.features, vote.node)] for vote in winner.votes]
        longest = max(range(len(runs)), key=lambda number: len(runs[number]))
        location = winner.votes[longest].place.location
        texts = [
            without_affixes(self.features.text_of(node), location.prefix, location.suffix) for node in runs[longest]
        ]
        pairs = zip(texts, runs[longest], strict=True)
        return [ReadValue(text, node, winner.strength, winner.rival) for text, node in pairs if text]

    def _locate(self, place: Place) -> Vote | None:
        """Return the node most like a place, unless it lacks the learned label or is headed by another one."""
        ranking = self._rankings[id(place)][1] if id(place) in self._rankings else None
        if ranking is None or not ranking.nodes:
            return None
        best = ranking.best(PARAMETERS.most_rivals)
        node, likeness = ranking.nodes[best[0]], ranking.scores[best[0]]
        if likeness < PARAMETERS.least_likeness:
            return None
        if (place.is_labelled and not self._has_label(node, place)) or self._is_of_another(node, place.location):
            return None
        text = without_affixes(self.features.text_of(node), place.location.prefix, place.location.suffix)
        rival, lead = self._rival(ranking, best)
        # Where another text agrees as well, nothing tells which of them is meant.
        return Vote(place, node, text, lead, rival) if lead > 0 else None

    def _has_label(self, node: int, place: Place) -> bool:
        """Whether the learned label stands before a node."""
        rank = self.features.rank_of(node)
        return (self.features.words[rank - 1] if rank else "") == place.location.before

    def _is_of_another(self, node: int, location: Location) -> bool:
        """Whether a cell is headed by another name than the learned one, and figures or words are not as in it."""
        features, rank = self.features, self.features.rank_of(node)
        if not (rank and location.before and location.is_text) or features.words[rank - 1] == location.before:
            return False
        format_here, learned = shape(features.words[rank]), location.shape
        if all((sign in format_here) == (sign in learned) for sign in SIGNS):
            return False
        cell = self._around(node, {"td", "dd"})
        return cell > 0 and self._around(int(features.texts[rank - 1]), {"th", "dt"}, int(features.up[cell])) > 0

    def _around(self, node: int, tags: set[str], within: int | None = None) -> int:
        """Return the nearest element of certain tags around a node, or 0; with ``within``, a child of that."""
        while node > 0 and self.nodes.tag[node] not in tags:
            node = int(self.nodes.parent[node])
        return node if within is None or (node > 0 and self.nodes.parent[node] == within) else 0

    def _rival(self, ranking: Ranking, best: list[int]) -> tuple[str, float]:
        """Return the next candidate with another text, and by how much it is behind."""
        first, *others = best
        own = folded(self.features.text_of(ranking.nodes[first]))
        for other in others:
            text = self.features.text_of(ranking.nodes[other])
            if folded(text) != own:
                return text, ranking.scores[first] - ranking.scores[other]
        return "", ranking.scores[first]

    def read_list(self, listing: Listing) -> list[ReadValue]:
        """Return the element around the list, and read its items."""
        winner = self.find(listing.around)
        if winner is None:
            return []
        around = winner.votes[0].node
        items = [
            item
            for one in self._alike(around, listing)
            for item in items_below(self.features, one, listing.ways).tolist()
        ]
        texts = map(self.features.text_of, items)
        shown_items = [NUMBERING.sub("", text) for text in texts] if listing.is_numbered else list(texts)
        return [ReadValue(text, item, winner.strength) for text, item in zip(shown_items, items, strict=True) if text]

    def _alike(self, around: int, listing: Listing) -> list[int]:
        """Return the elements in the same tags and classes, where the learned one was the only one."""
        alike = self.candidates(self.nodes.tag[around])
        paths = self.features.key_path
        if not listing.is_single or int(paths[around]) not in {place.location.key_path for place in listing.around}:
            return [around]
        return [int(node) for node in alike.nodes[paths[alike.nodes] == paths[around]]]


def seek(places: Iterable[Place], *, is_home: bool) -> list[Sought]:
    """Put together what can be looked for at once; doubtful places only on the page where they were learned."""
    by_tag: dict[str, list[Place]] = {}
    for place in places:
        if is_home or not place.is_local:
            by_tag.setdefault(place.location.steps[-1].tag, []).append(place)
    return [Sought(alike) for alike in by_tag.values()]
