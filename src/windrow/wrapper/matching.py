"""How like two places are: each feature in which they agree adds its weight, more where it singles the place out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.wrapper.evidence import words_hash
from windrow.wrapper.spot import FEATURES, candidate_rows
from windrow.wrapper.writing import shape

if TYPE_CHECKING:
    from windrow.nodes.columns import Ids
    from windrow.wrapper.evidence import Evidence, Hashes
    from windrow.wrapper.spot import Spot

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
SHAPE = FEATURES.index("shape")
NECESSARY = [FEATURES.index(name) for name in ("key", "tag path", "key path", "before", "id")]
"""A place that agrees in none of these is no candidate."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The nodes of one page that a spot may stand for, described once."""

    evidence: Evidence
    nodes: Ids
    rows: Hashes

    @classmethod
    def of(cls, evidence: Evidence, nodes: Ids) -> Candidates:
        """Describe the nodes."""
        return cls(evidence, nodes, candidate_rows(evidence, nodes))

    def score(self, spot: Spot, trust: Weights | None = None) -> NDArray[np.float64]:
        """Give each candidate its likeness with a spot, as a share of what full agreement would give."""
        agree = AGREE if trust is None else AGREE * trust
        alone = ALONE if trust is None else ALONE * trust
        known = spot.row != 0
        full = float((agree + alone)[known].sum())
        scores = np.zeros(len(self.nodes))
        if not full:
            return scores
        near = np.zeros(len(self.nodes), dtype=bool)
        for feature in NECESSARY if spot.has_class else NECESSARY[1:]:
            if known[feature]:
                near |= self.rows[:, feature] == spot.row[feature]
        chosen = np.flatnonzero(near)
        if known[SHAPE]:
            self._fill_shapes(chosen)
        agrees = (self.rows[chosen] == spot.row) & known
        scores[chosen] = (agrees @ agree + agrees @ (alone * (agrees.sum(axis=0) == 1))) / full
        return scores

    def _fill_shapes(self, chosen: NDArray[np.intp]) -> None:
        """Find the formats of some texts, once: it takes longer than all else. The candidates are all texts."""
        new = chosen[self.rows[chosen, SHAPE] == 0]
        words = self.evidence.words
        self.rows[new, SHAPE] = words_hash([shape(words[rank]) or "-" for rank in new.tolist()])
