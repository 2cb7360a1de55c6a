"""Which of the groups is the list that the page is about: a weighted sum of what can be measured of each.

All groups are measured at once: their records are laid end to end, and every measure is a sum or a median over them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.geometry import LEFT, TOP, has_box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.geometry import Mask
    from windrow.region.columns import Columns
    from windrow.region.groups import Group

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """How much each measure counts, in natural logarithms of the odds.

    Tuned on the 86 search-result pages by a conditional logit over the groups of each page, with and without boxes,
    rounded; over six folds of sites the first region scored 0.97 with boxes and 0.93 without.
    """

    share: float = 0.6
    """Logarithm of the share of the page's text that is in the records."""
    count: float = 1.6
    """Logarithm of the number of records, up to ``many``."""
    length: float = 0.5
    """Logarithm of the characters in a record, up to ``long``."""
    prose: float = 0.3
    """Logarithm of the characters of a record that are in no link, up to ``wordy``."""
    texts: float = 1.0
    """Logarithm of the texts in a record, up to ``rich``: records have several fields, entries of menus one."""
    links: float = -0.5
    """Logarithm of the links in a record: what is full of links is a menu."""
    linked: float = 0.5
    """Share of the records with a link."""
    pictures: float = 0.6
    """Share of the records with a picture."""
    headings: float = 1.2
    """Share of the records with a heading."""
    coherent: float = 1.0
    """Likeness of neighbouring records."""
    uneven: float = -1.2
    """Spread of the records' length, up to twice the mean."""
    aside: float = -2.5
    """Share of the records in navigation, headers, footers, sidebars, filters."""
    main: float = 0.6
    """Share of the records in the part that the page calls its main one."""
    down: float = -0.1
    """How far down the region begins, in thousand pixels, up to three."""
    ragged: float = -0.6
    """Different left edges among the records, as a share of their number."""
    many: int = 20
    long: int = 300
    wordy: int = 200
    rich: int = 12


@dataclass(frozen=True, eq=False)
class Measured:
    """The records of all groups end to end: which group each belongs to, and its nodes."""

    group: NDArray[np.intp]
    nodes: NDArray[np.intp]
    start: NDArray[np.intp]
    """Where each record's nodes begin."""
    first: NDArray[np.intp]
    size: Numbers
    """Records in each group."""

    def per_record(self, column: NDArray[np.int64]) -> Numbers:
        """Add a column up over the nodes of each record."""
        return np.add.reduceat(column[self.nodes], self.start).astype(np.float64)

    def mean(self, values: Numbers | Mask) -> Numbers:
        """Average over the records of each group."""
        return np.asarray(np.bincount(self.group, values, len(self.size)) / self.size)

    def median(self, values: Numbers) -> Numbers:
        """Take the middle value of each group."""
        order = np.lexsort((values, self.group))
        begin = np.concatenate([[0], np.cumsum(self.size)[:-1]]).astype(np.intp)
        return np.asarray(values[order][begin + (self.size.astype(np.intp) - 1) // 2])


def score_groups(columns: Columns, groups: Sequence[Group], weights: Weights | None = None) -> Numbers:
    """Give each group its score; only differences on one page mean something."""
    w = weights or Weights()
    measured = _lay_out(groups)
    chars, links = measured.per_record(columns.chars), measured.per_record(columns.links)
    prose = chars - measured.per_record(columns.link_chars)
    mean = measured.mean(chars)
    spread = np.sqrt(np.maximum(measured.mean(chars**2) - mean**2, 0))
    total = np.maximum(mean * measured.size, 1)
    score = w.share * np.log(total / max(int(columns.chars[0]), 1))
    score += w.count * np.log(np.minimum(measured.size, w.many))
    score += w.length * np.log(np.clip(measured.median(chars), 1, w.long))
    score += w.prose * np.log1p(np.clip(measured.median(prose), 0, w.wordy))
    score += w.texts * np.log(np.clip(measured.median(measured.per_record(columns.texts)), 1, w.rich))
    score += w.links * np.log1p(measured.median(links)) + w.linked * measured.mean(links > 0)
    score += w.pictures * measured.mean(measured.per_record(columns.pictures) > 0)
    score += w.headings * measured.mean(measured.per_record(columns.headings) > 0)
    score += w.uneven * np.minimum(spread / np.maximum(mean, 1), 2)
    score += w.aside * measured.mean(columns.aside[measured.first])
    score += w.main * measured.mean(columns.main[measured.first])
    score += w.coherent * np.array([_coherence(columns, group) for group in groups])
    return score + _score_places(columns, measured, w)


def _lay_out(groups: Sequence[Group]) -> Measured:
    lengths = np.array([len(record) for group in groups for record in group.records])
    nodes = np.array([node for group in groups for record in group.records for node in record])
    start = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    size = np.array([len(group.records) for group in groups])
    return Measured(np.repeat(np.arange(len(groups)), size), nodes, start, nodes[start], size.astype(np.float64))


def _coherence(columns: Columns, group: Group, compared: int = 12) -> float:
    """Compare the first records of a group, each with the one before."""
    firsts = [record[0] for record in group.records[: compared + 1]]
    if len(set(columns.shapes.digest[firsts].tolist())) == 1:
        return 1.0
    return sum(map(columns.shapes.likeness, firsts, firsts[1:])) / (len(firsts) - 1)


def _score_places(columns: Columns, measured: Measured, w: Weights) -> Numbers:
    """Say what the place on screen speaks for; nothing without boxes."""
    layout = columns.nodes.layout
    if layout is None:
        return np.zeros(len(measured.size))
    boxes = layout.box[measured.first]
    placed = has_box(boxes)
    top = np.full(len(measured.size), np.inf)
    np.minimum.at(top, measured.group[placed], boxes[placed, TOP])
    # One number for a group and an edge: groups 2³² apart, edges far less.
    edges = np.unique((measured.group[placed] << 32) + np.round(boxes[placed, LEFT] / 4).astype(np.int64) + (1 << 31))
    different = np.bincount(edges >> 32, minlength=len(measured.size))
    return np.asarray(w.down * np.clip(top / 1000, 0, 3) + w.ragged * different / measured.size)
