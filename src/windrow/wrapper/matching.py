"""How like two places are: each feature in which they agree adds its weight, more where it singles the place out.

All learned places are compared with all candidates of a page at once. Most candidates agree in nothing that matters;
only for the others is everything worked out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.wrapper.hashes import hash_texts
from windrow.wrapper.spot import FEATURES
from windrow.wrapper.writing import shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.geometry import Mask
    from windrow.nodes.hashes import Hashes
    from windrow.wrapper.evidence import Evidence
    from windrow.wrapper.rule import Place

Weights = NDArray[np.float64]


@dataclass(frozen=True)
class Likeness:
    """Weights of agreement; fitted on pairs of pages of 20 sites as a choice among all texts, then rounded by hand."""

    agree: tuple[float, ...] = (0.5, 1.5, 0.3, 2.7, 0.3, 0.5, 2.3, 0.8, 2.0, 1.3, 1.0, 1.4, 0.7)
    """For each feature, what it adds where the two agree."""
    alone: tuple[float, ...] = (0.8, 0.3, 0.3, 0.7, 1.5, 0.5, 0.0, 0.0, 0.5, 0.3, 0.0, 0.0, 1.0)
    """What it adds besides where no other candidate agrees."""


LIKENESS = Likeness()
AGREE = np.array(LIKENESS.agree)
ALONE = np.array(LIKENESS.alone)
NECESSARY = ("key", "tag path", "key path", "before", "id")
"""A place that agrees in none of these is no candidate; of an element without classes the key says nothing."""
NEEDED = [FEATURES.index(name) for name in NECESSARY]
KEY, IDENT, SHAPE = map(FEATURES.index, ("key", "id", "shape"))
NEVER = np.uint64(1)
"""A hash that nothing has."""
DIGITS = 9
"""Of a likeness, so that the order of a sum decides nothing."""
MOST_PAIRS = 1 << 17
"""So many pairs of a place and a candidate are worked out at once, so that no page takes much memory."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """The candidates for one place in document order, and how like it each is, as a share of full agreement."""

    nodes: list[int]
    scores: list[float]

    def best(self, most: int) -> list[int]:
        """List the places of the likest ones in this ranking, the best first; of equals the earlier one."""
        return sorted(range(len(self.scores)), key=self.scores.__getitem__, reverse=True)[:most]


@dataclass(frozen=True, eq=False)
class Sought:
    """Learned places that are looked for together, all texts or all elements of one tag: one column a place."""

    places: Sequence[Place]

    @cached_property
    def spots(self) -> Hashes:
        """One row a feature."""
        return np.stack([place.spot.row for place in self.places], axis=1)

    @cached_property
    def known(self) -> Mask:
        """Which features the places have."""
        return np.asarray(self.spots != 0)

    @cached_property
    def asked(self) -> list[tuple[int, Hashes]]:
        """What makes a candidate: for each feature of which it may be one, the places' own, each on a line."""
        asked = []
        for feature in NEEDED:
            spots = self.spots[feature].copy()
            if feature == KEY:
                spots[[not place.spot.has_class for place in self.places]] = 0
            if spots.any():
                asked.append((feature, np.where(spots != 0, spots, NEVER)[:, None]))
        return asked

    @cached_property
    def agree(self) -> Weights:
        """What agreement adds, as a share of what full agreement would add."""
        return AGREE[:, None] * self._share

    @cached_property
    def alone(self) -> Weights:
        """What it adds besides where no other candidate agrees."""
        return ALONE[:, None] * self._share

    @cached_property
    def _share(self) -> Weights:
        trust = np.stack([place.weights for place in self.places], axis=1)
        full = ((AGREE + ALONE)[:, None] * trust * self.known).sum(axis=0)
        return np.asarray(trust / np.maximum(full, np.finfo(float).tiny))


@dataclass(frozen=True, eq=False)
class Candidates:
    """Nodes of one page that a place may stand for."""

    evidence: Evidence
    nodes: NDArray[np.intp]

    def rank(self, sought: Sought) -> list[Ranking]:
        """Compare places with the candidates."""
        if sought.known[IDENT].any():
            self.rows[IDENT] = self.idents
        which, at = np.nonzero(self._find_near(sought))
        if sought.known[SHAPE].any():
            is_near = np.zeros(len(self.nodes), dtype=bool)
            is_near[at] = True
            near = np.flatnonzero(is_near)
            self.rows[SHAPE, near] = self.shapes(near)
        if len(which) <= MOST_PAIRS:
            return self._compare(sought, which, at)
        ends = np.searchsorted(which, np.arange(len(sought.places) + 1)).tolist()
        return [
            ranking
            for first, last in find_parts(ends)
            for ranking in self._compare(
                Sought(sought.places[first:last]), which[ends[first] : ends[last]] - first, at[ends[first] : ends[last]]
            )
        ]

    def _compare(self, sought: Sought, which: NDArray[np.intp], at: NDArray[np.intp]) -> list[Ranking]:
        """Compare places with the candidates near them, one pair of both after the other."""
        agrees = (self.rows[:, at] == sought.spots[:, which]) & sought.known[:, which]
        ends = np.searchsorted(which, np.arange(len(sought.places) + 1))
        counts = np.zeros((len(FEATURES), len(which) + 1), dtype=np.intp)
        agrees.cumsum(axis=1, out=counts[:, 1:])
        alone = np.diff(counts[:, ends]) == 1
        gain = (sought.agree + sought.alone * alone)[:, which] * agrees
        nodes, scores, marks = self.nodes[at].tolist(), gain.sum(axis=0).round(DIGITS).tolist(), ends.tolist()
        return [Ranking(nodes[start:end], scores[start:end]) for start, end in pairwise(marks)]

    def _find_near(self, sought: Sought) -> Mask:
        """Say for each place which candidates agree with it in anything that is asked."""
        near = np.zeros((len(sought.places), len(self.nodes)), dtype=bool)
        for feature, spots in sought.asked:
            near |= self.rows[feature] == spots
        return near

    @cached_property
    def rows(self) -> Hashes:
        """One row a feature, in the order of ``FEATURES``, one column a node; ids and formats are left to fill in."""
        evidence, nodes, up = self.evidence, self.nodes, self.evidence.up
        one = np.uint64(1)
        ranks = np.searchsorted(evidence.texts, nodes)
        behind = ranks + 1 if self._are_texts else np.searchsorted(evidence.texts, evidence.nodes.end[nodes])
        element = self._elements
        parent = up[element]
        rows = np.zeros((len(FEATURES), len(nodes)), dtype=np.uint64)
        rows[0] = evidence.key[element]
        rows[1] = evidence.key[parent]
        rows[2] = evidence.key[up[parent]]
        rows[3:6] = evidence.paths[:, nodes]
        rows[6] = evidence.word_hash[ranks]
        rows[7] = evidence.word_hash[behind + 1]
        if self._are_texts:
            rows[8] = evidence.ordinal[nodes] + one
        rows[9] = evidence.ordinal[element] + one
        rows[10] = evidence.ordinal[parent] + one
        return rows

    @cached_property
    def _are_texts(self) -> bool:
        return bool(len(self.nodes)) and bool(self.evidence.is_text[self.nodes[0]])

    @cached_property
    def _elements(self) -> NDArray[np.intp]:
        """The elements themselves, or those in which the texts stand."""
        return self.evidence.up[self.nodes] if self._are_texts else self.nodes

    @cached_property
    def idents(self) -> Hashes:
        """The id of each element, or of the one around."""
        own = self.evidence.ident[self._elements]
        return np.where(own != 0, own, self.evidence.ident[self.evidence.up[self._elements]])

    def shapes(self, at: NDArray[np.intp]) -> Hashes:
        """Give the formats of some of the texts; elements have none."""
        if not self._are_texts:
            return np.zeros(len(at), dtype=np.uint64)
        words = self.evidence.words
        ranks = np.searchsorted(self.evidence.texts, self.nodes[at]).tolist()
        return hash_texts([shape(words[rank]) or "-" for rank in ranks])


def find_parts(ends: Sequence[int]) -> list[tuple[int, int]]:
    """Cut places into runs of at most so many pairs, or of one place; ``ends`` are the pairs before each place."""
    bounds = [0]
    for place in range(1, len(ends)):
        if ends[place] - ends[bounds[-1]] > MOST_PAIRS and place - 1 > bounds[-1]:
            bounds.append(place - 1)
    return list(pairwise([*bounds, len(ends) - 1]))
