"""How alike two places are: each feature in which they agree adds its weight.

All learned places are compared with all candidates of a page at once. Most candidates agree in nothing that matters;
only for the others is everything worked out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress, pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.nodes.hashes import BASE
from windrow.weights import load_weights
from windrow.wrapper.location import COLUMNS, FEATURES, FORGIVING
from windrow.wrapper.normalization import shape
from windrow.wrapper.page_features import RANK, hash_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.geometry import Mask
    from windrow.nodes.hashes import Hashes
    from windrow.wrapper.location import Location
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.rule import Place

Gains = NDArray[np.float64]

AGREE = np.array([load_weights("wrapper").values[name] for name in FEATURES])
"""For each feature, what it adds where the two agree."""
NECESSARY = ("key", "tag path", "before")
"""A place that agrees in none of these is no candidate; of an element without classes the key says nothing."""
NEEDED = [FEATURES.index(name) for name in NECESSARY]
KEY, BEFORE, SHAPE = map(FEATURES.index, ("key", "before", "shape"))
BLOCKS = [COLUMNS.index(name) for name in ("exact block path", "named block")]
STRICT, LOOSE = [[COLUMNS.index(name) for name in names] for names in (FORGIVING, FORGIVING.values())]
NEVER = np.uint64(1)  # not a decision: any number that is no hash would do
"""A hash that nothing has."""
DIGITS = 9
"""Of a likeness, so that the order of a sum decides nothing."""
KEPT = "_forgiving"
MOST_PAIRS = 1 << 17
"""So many pairs of a place and a candidate are worked out at once, so that no page takes much memory."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """The candidates for one place in document order, and how like it each is, as a share of full agreement."""

    nodes: list[int]
    scores: list[float]

    def where(self, kept: Sequence[bool]) -> Ranking:
        """Return the same with some of the nodes only."""
        return Ranking(list(compress(self.nodes, kept)), list(compress(self.scores, kept)))

    def best(self, most: int) -> list[int]:
        """Return the places of the likest ones in this ranking, the best first; of equals the earlier one."""
        return sorted(range(len(self.scores)), key=self.scores.__getitem__, reverse=True)[:most]


@dataclass(frozen=True, eq=False)
class Sought:
    """Learned places that are looked for together, all texts or all elements of one tag: one column a place."""

    places: Sequence[Place]
    forgives: bool = False
    """Whether inline elements around a text may be others than the learned ones."""

    @cached_property
    def locations(self) -> Hashes:
        """One row a feature."""
        return np.stack([place.location.row for place in self.places], axis=1)

    @cached_property
    def known(self) -> Mask:
        """Which features the places have."""
        return np.asarray(self.locations != 0)

    @cached_property
    def asked(self) -> list[tuple[int, Hashes]]:
        """What makes a candidate: for each feature of which it may be one, the places' own, each on a line."""
        asked = []
        for feature in NEEDED:
            locations = self.locations[feature].copy()
            if feature == KEY:
                locations[[not place.location.has_class for place in self.places]] = 0
            if locations.any():
                asked.append((feature, np.where(locations != 0, locations, NEVER)[:, None]))
        if self.forgives:
            asked += [(block, self.locations[block][:, None]) for block in BLOCKS]
        return asked

    @cached_property
    def agree(self) -> Gains:
        """What agreement adds, as a share of what full agreement would add."""
        gains = AGREE[:, None] * np.stack([place.weights for place in self.places], axis=1)
        known = self.known[: len(FEATURES)]
        return np.asarray(gains / np.maximum((gains * known).sum(axis=0), np.finfo(float).tiny))

    def likeness_to(self, location: Location) -> float:
        """Return how like the one place sought another is that is called as it was, as a share of full agreement."""
        agrees = self.known[: len(FEATURES), 0] & (location.row == self.locations[:, 0])[: len(FEATURES)]
        agrees[BEFORE] = self.known[BEFORE, 0]  # the name says what the text before it would
        return float((self.agree[:, 0] * agrees).sum())


def forgiving(place: Place) -> Sought:
    """Return what is looked for where a place is not found: its text in other inline elements; made once."""
    kept: dict[str, Sought] = vars(place)
    if KEPT not in kept:
        kept[KEPT] = Sought([place], forgives=True)
    return kept[KEPT]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Nodes of one page that a place may stand for."""

    features: PageFeatures
    nodes: NDArray[np.intp]

    def rank(self, sought: Sought) -> list[Ranking]:
        """Compare places with the candidates."""
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
                replace(sought, places=sought.places[first:last]),
                which[ends[first] : ends[last]] - first,
                at[ends[first] : ends[last]],
            )
        ]

    def _compare(self, sought: Sought, which: NDArray[np.intp], at: NDArray[np.intp]) -> list[Ranking]:
        """Compare places with the candidates near them, one pair of both after the other."""
        rows = np.concatenate([self.rows, self.block_rows]) if sought.forgives else self.rows
        agrees = (rows[:, at] == sought.locations[: len(rows), which]) & sought.known[: len(rows), which]
        agrees = forgive(agrees) if sought.forgives else agrees
        ends = np.searchsorted(which, np.arange(len(sought.places) + 1))
        gain = sought.agree[:, which] * agrees
        nodes, scores, marks = self.nodes[at].tolist(), gain.sum(axis=0).round(DIGITS).tolist(), ends.tolist()
        return [Ranking(nodes[start:end], scores[start:end]) for start, end in pairwise(marks)]

    def agreements(self, sought: Sought) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """Return in what the candidates near one place agree with it, one row a feature, and their nodes."""
        self.rank(sought)  # fills in the formats
        at = np.flatnonzero(self._find_near(sought)[0])
        asked = slice(len(FEATURES))
        return (self.rows[:, at] == sought.locations[asked]) & sought.known[asked], self.nodes[at]

    def _find_near(self, sought: Sought) -> Mask:
        """Return, for each place, which candidates agree with it in anything that is asked."""
        near = np.zeros((len(sought.places), len(self.nodes)), dtype=bool)
        for feature, locations in sought.asked:
            rows, first = (self.rows, 0) if feature < len(FEATURES) else (self.block_rows, len(FEATURES))
            near |= rows[feature - first] == locations
        return near

    @cached_property
    def rows(self) -> Hashes:
        """One row a feature, in the order of ``FEATURES``, one column a node; formats are left to fill in."""
        features, nodes, ranks = self.features, self.nodes, self._ranks
        behind = ranks + 1 if self._are_texts else np.searchsorted(features.texts, features.nodes.end[nodes])
        rows = np.zeros((len(FEATURES), len(nodes)), dtype=np.uint64)
        rows[0] = features.key[self._elements]
        rows[1], rows[2] = features.tag_path[nodes], features.exact_path[nodes]
        rows[3], rows[4] = features.word_hash[features.before[ranks]], features.word_hash[features.after[behind] + 1]
        return rows

    @cached_property
    def block_rows(self) -> Hashes:
        """The rows of the other ``COLUMNS``, which are looked at only where inline elements are forgiven."""
        features, nodes, ranks = self.features, self.nodes, self._ranks
        blocks = features.block[ranks] if self._are_texts else nodes
        inside = features.rank_in_block(ranks) if self._are_texts else np.zeros(len(nodes), np.int64)
        ranked = (inside + 1).view(np.uint64) * np.uint64(RANK)
        key, around = features.key[blocks], features.around
        named_block = around[blocks] + key * np.uint64(BASE) + ranked
        exact_path = features.exact_path[blocks] + ranked
        return np.stack([around[self._elements], key, features.tag_path[blocks], exact_path, named_block])

    @cached_property
    def _ranks(self) -> NDArray[np.intp]:
        """The rank of the first text that each candidate shows."""
        return np.searchsorted(self.features.texts, self.nodes)

    @property
    def _elements(self) -> NDArray[np.intp]:
        """The elements that they are, or stand in."""
        return self.features.up[self.nodes] if self._are_texts else self.nodes

    @cached_property
    def _are_texts(self) -> bool:
        return bool(len(self.nodes)) and bool(self.features.is_text[self.nodes[0]])

    def shapes(self, at: NDArray[np.intp]) -> Hashes:
        """Return the formats of some of the texts; elements have none."""
        if not self._are_texts:
            return np.zeros(len(at), dtype=np.uint64)
        words = self.features.words
        ranks = np.searchsorted(self.features.texts, self.nodes[at]).tolist()
        return hash_texts([shape(words[rank]) or "-" for rank in ranks])


def forgive(columns: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return in which features places agree; inline elements are forgiven after the same text or in the same block."""
    columns[STRICT] |= columns[LOOSE] & (columns[BEFORE] | columns[BLOCKS].any(axis=0))
    return columns[: len(FEATURES)]


def find_parts(ends: Sequence[int]) -> list[tuple[int, int]]:
    """Cut places into runs of at most so many pairs, or of one place; ``ends`` are the pairs before each place."""
    bounds = [0]
    for place in range(1, len(ends)):
        if ends[place] - ends[bounds[-1]] > MOST_PAIRS and place - 1 > bounds[-1]:
            bounds.append(place - 1)
    return list(pairwise([*bounds, len(ends) - 1]))
