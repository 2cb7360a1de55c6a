"""Which of the groups is the list that the page is about: a weighted sum of what is known of each.

All groups are measured at once: their records are laid end to end, and every feature is a sum or a median over them.

Lists of lists, rows of cards, shelves of books, give way to what they hold: what is nothing but several like things,
each with a link and something to say, is no record but a part of the page. Offers within a product stay a part of it,
since the product has words of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from statistics import median
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from windrow.nodes.inline import INLINE_DISPLAYS
from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.geometry import Mask
    from windrow.region.groups import Group
    from windrow.region.measures import PageMeasures

Numbers: TypeAlias = NDArray[np.float64]
Features: TypeAlias = dict[str, Numbers]
"""By the name that the weight has, one number a group."""


@dataclass(frozen=True)
class Parameters:
    """What is set by hand; the weights are fitted, by ``make weights-region``."""

    many: int = 20
    """Records from which on a list is long: half of it, and no limit, reach less on sites left out, twice as much."""
    rich: int = 12
    """Texts from which on a record says a lot: likewise."""
    compared: int = 10
    """How many of the best groups are looked at as parts of each other; the others stand far behind."""
    cover: float = 0.75
    """Share of the outer records' text that the inner ones must hold for the outer ones to be lists of them."""
    each: float = 2.0
    """How many inner records an outer one must hold, on average: less is no list."""
    part: float = 0.5
    """Share of the outer records' text below which the inner ones are parts of them: less than they say themselves."""
    several: int = 3
    """How many outer records of which the inner ones are parts there must be: two may be the columns of the page."""
    things: int = 2
    """How many texts and pictures an inner record must have: one is a field."""
    chars: int = 20
    """How many characters an inner record without a picture must have: fewer are a label."""
    linked: float = 0.9
    """Share of the inner records that must have a link; nearly all, but for one that is sold out."""


PARAMETERS = Parameters()


def score_groups(features: Features, weights: Mapping[str, float] | None = None) -> Numbers:
    """Return the score of each group, a logarithm of odds; only differences on one page mean something."""
    weights = load_weights("region").values if weights is None else weights
    return np.asarray(sum(weight * features[name] for name, weight in weights.items()))


def read_features(measures: PageMeasures, groups: Sequence[Group]) -> Features:
    """Return what the ranking asks of each group."""
    listed = _list_records(groups)
    chars, links = listed.per_record(measures.chars), listed.per_record(measures.links)
    mean = listed.mean(chars)
    spread = np.sqrt(np.maximum(listed.mean(chars**2) - mean**2, 0))
    total = np.maximum(mean * listed.size, 1)
    return {
        # Share of the page's text that is in the records.
        "share": np.log(total / max(int(measures.chars[0]), 1)),
        "count": np.log(np.minimum(listed.size, PARAMETERS.many)),
        # Records have several fields, entries of menus one.
        "texts": np.log(np.clip(listed.median(listed.per_record(measures.texts)), 1, PARAMETERS.rich)),
        # What is full of links is a menu; but records lead somewhere.
        "links": np.log1p(listed.median(links)),
        "linked": listed.mean(links > 0),
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


@dataclass(frozen=True, eq=False)
class _Extent:
    """The nodes of a group's records: the first of each, where each ends, and all of them."""

    start: NDArray[np.intp]
    end: NDArray[np.int32]
    every: NDArray[np.intp]


def settle_nesting(measures: PageMeasures, groups: Sequence[Group], scores: Numbers) -> Numbers:
    """Return the scores, with groups right above those that consist of them or that are parts of their records."""
    scores = scores.copy()
    best = np.argsort(-scores, kind="stable")[: PARAMETERS.compared].tolist()
    extents = {number: _find_extent(measures, groups[number]) for number in best}
    for outer, around in extents.items():
        for inner, within in extents.items():
            if inner == outer or not _holds(around, within):
                continue
            share = measures.chars[within.every].sum() / max(measures.chars[around.every].sum(), 1)
            if share < PARAMETERS.part and len(around.start) >= PARAMETERS.several:
                scores[outer] = max(scores[outer], np.nextafter(scores[inner], np.inf))
            elif share >= PARAMETERS.cover and _could_be_records(measures, within):
                scores[inner] = max(scores[inner], np.nextafter(scores[outer], np.inf))
    return scores


def _find_extent(measures: PageMeasures, group: Group) -> _Extent:
    end = measures.nodes.end[[record[-1] for record in group.records]]
    return _Extent(
        np.array([record[0] for record in group.records]), end, np.array(list(chain.from_iterable(group.records)))
    )


def _could_be_records(measures: PageMeasures, inner: _Extent) -> bool:
    """Whether each has a link and something to say, and is more than a word in a line."""
    firsts = inner.start
    first = int(firsts[0])
    if (measures.links[firsts] > 0).mean() < PARAMETERS.linked:
        return False
    if measures.nodes.display[first] in INLINE_DISPLAYS and measures.nodes.tag[first] != "a":
        return False
    said = median(measures.chars[firsts].tolist()) >= PARAMETERS.chars or median(measures.pictures[firsts].tolist()) > 0
    return bool(said and median(measures.content[firsts].tolist()) >= PARAMETERS.things)


def _holds(outer: _Extent, inner: _Extent) -> bool:
    """Whether every record of one group holds some of another, several of them on average, and they all stand there."""
    firsts = inner.start
    if len(firsts) < PARAMETERS.each * len(outer.start) or firsts[0] <= outer.start[0] or firsts[-1] >= outer.end[-1]:
        return False
    place = np.searchsorted(outer.start, firsts, side="right") - 1
    inside = (firsts > outer.start[place]) & (firsts < outer.end[place])
    return bool(inside.all() and len(np.unique(place)) == len(outer.start))
