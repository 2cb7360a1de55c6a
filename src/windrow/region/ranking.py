"""Which of the groups is the list that the page is about: a weighted sum of what is known of each.

All groups are measured at once: their records are laid end to end, and every feature is a sum or a median over them.

Lists of lists, rows of cards, shelves of books, have fewer records than the lists that they hold, and offers within a
product have fewer texts than the product: no rule is needed for either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.geometry import Mask
    from windrow.region.groups import Group
    from windrow.region.measures import PageMeasures

Numbers: TypeAlias = NDArray[np.float64]
Features: TypeAlias = dict[str, Numbers]
"""By the name that the weight has, one number a group."""


@dataclass(frozen=True)
class Parameters:
    """What is set by hand; the weights are fitted, by ``make weights-region``."""

    many: int = 6
    """Records from which on a list is long: with more, menus are taken for the list of a page that has few records."""
    rich: int = 12
    """Texts from which on a record says a lot: likewise."""


PARAMETERS = Parameters()


def score_groups(features: Features) -> Numbers:
    """Return the score of each group, a logarithm of odds; only differences on one page mean something."""
    return np.asarray(sum(weight * features[name] for name, weight in load_weights("region").values.items()))


def read_features(measures: PageMeasures, groups: Sequence[Group]) -> Features:
    """Return what the ranking asks of each group."""
    listed = _list_records(groups)
    chars, links, texts = (listed.per_record(each) for each in (measures.chars, measures.links, measures.texts))
    mean = listed.mean(chars)
    spread = np.sqrt(np.maximum(listed.mean(chars**2) - mean**2, 0))
    total = np.maximum(mean * listed.size, 1)
    return {
        # Share of the page's text that is in the records.
        "share": np.log(total / max(int(measures.chars[0]), 1)),
        "count": np.log(np.minimum(listed.size, PARAMETERS.many)),
        # Records have several fields, entries of menus one.
        "texts": np.log(np.clip(listed.median(texts), 1, PARAMETERS.rich)),
        # What is full of links is a menu; but records lead somewhere.
        "links": np.log1p(listed.median(links)),
        "linked": listed.mean(listed.per_record(measures.ways) > 0),
        "pictures": listed.mean(listed.per_record(measures.pictures) > 0),
        "headings": listed.mean(listed.per_record(measures.headings) > 0),
        # Spread of the records' length.
        "uneven": spread / np.maximum(mean, 1),
        # Navigation, headers, footers, sidebars and filters, and what the page calls its main part.
        "aside": listed.mean(measures.aside[listed.first]),
        "main": listed.mean(measures.main[listed.first]),
    }


@dataclass(frozen=True, eq=False)
class _ListedRecords:
    """The records of all groups end to end: which group each belongs to, and its nodes."""

    group: NDArray[np.intp]
    nodes: NDArray[np.intp]
    start: NDArray[np.intp]
    """Where each record's nodes begin."""
    first: NDArray[np.intp]
    size: Numbers
    """Records in each group."""

    def per_record(self, column: NDArray[np.int64]) -> Numbers:
        """Return the sum of a column over the nodes of each record."""
        return np.add.reduceat(column[self.nodes], self.start).astype(np.float64)

    def mean(self, values: Numbers | Mask) -> Numbers:
        """Return the mean over the records of each group."""
        return np.asarray(np.bincount(self.group, values, len(self.size)) / self.size)

    def median(self, values: Numbers) -> Numbers:
        """Return the middle value of each group."""
        order = np.lexsort((values, self.group))
        begin = np.concatenate([[0], np.cumsum(self.size)[:-1]]).astype(np.intp)
        return np.asarray(values[order][begin + (self.size.astype(np.intp) - 1) // 2])


def _list_records(groups: Sequence[Group]) -> _ListedRecords:
    lengths = np.array([len(record) for group in groups for record in group.records])
    nodes = np.array([node for group in groups for record in group.records for node in record])
    start = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    size = np.array([len(group.records) for group in groups])
    return _ListedRecords(np.repeat(np.arange(len(groups)), size), nodes, start, nodes[start], size.astype(np.float64))
