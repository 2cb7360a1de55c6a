"""Our best: what is repeated in look and structure, ranked, each record cut into aligned fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.identifiers import words_of
from windrow.nodes.table_rows import CELLS
from windrow.region.builder import Builder
from windrow.region.groups import CONTAINERS, find_groups
from windrow.region.lines import Lines
from windrow.region.measures import PageMeasures
from windrow.region.ranking import read_features, score_groups
from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from windrow.nodes import Nodes
    from windrow.region.groups import Group
    from windrow.region.links import Addresses
    from windrow.region.result import Region


@dataclass(frozen=True)
class Parameters:
    """How many lists a page is said to have."""

    most: int = 4
    """Regions that are given: who reads further wants everything that is repeated."""
    least: float = 0.02
    """Confidence of further regions. Only one list of a page is the right one in the data, so that other lists have
    little, too; what is right less than one time in fifty is a menu more often than a list."""
    lead: float = 4.0
    """Score ahead of all others that leaves no doubt; more says nothing more."""
    row: int = 3
    """Records that fill a row: two that are alike, teams of a match or places of a journey, are one record."""


PARAMETERS = Parameters()


@dataclass(frozen=True)
class Choice:
    """A group that could be a region."""

    group: Group
    lead: float
    """How far it scores above the best group elsewhere on the page, or above none at all; below zero where that is
    better."""

    @property
    def confidence(self) -> float:
        """The share of such groups that are the list that the page is about."""
        return load_weights("region").calibrations["best"].confidence({"lead": self.lead})


def find_best_regions(nodes: Nodes, addresses: Addresses, most: int) -> list[Region]:
    """Find the lists of records on a page, best first, and read so many of their texts at most."""
    measures = PageMeasures(nodes)
    groups = find_candidates(measures)
    if not groups:
        return []
    scores, nothing = score_groups(read_features(measures, groups)), load_weights("region").thresholds["nothing"]
    choices = choose_groups(measures, groups, scores, nothing)
    builder = Builder(measures, addresses, most)
    return [
        builder.build(choice.group.records, choice.confidence)
        for rank, choice in enumerate(choices)
        if (choice.lead >= 0 if rank == 0 else choice.confidence >= PARAMETERS.least)
    ]


def find_candidates(measures: PageMeasures) -> list[Group]:
    """Return what is repeated on a page, but for prose, the cells of tables, and words in lines of other words."""
    groups = find_groups(measures)
    lines = Lines(measures)
    return [
        group
        for group in groups
        if not _is_prose(measures, group) and not _are_cells(measures, group) and not lines.are_parts(group)
    ]


def choose_groups(
    measures: PageMeasures, groups: Sequence[Group], scores: NDArray[np.float64], nothing: float
) -> list[Choice]:
    """Choose the groups with the highest scores that do not stand in or around a better one, best first.

    Beside the best, only what scores more than ``nothing``, a page without a list, is one.
    """
    taken = np.zeros(len(measures.nodes), dtype=np.bool_)
    chosen: list[int] = []
    for number in np.argsort(-scores, kind="stable").tolist():
        if len(chosen) == PARAMETERS.most or (chosen and scores[number] < nothing):
            break
        if not _meets(measures, groups[number], taken):
            chosen.append(number)
            for record in groups[number].records:
                taken[record[0] : measures.nodes.end[record[-1]]] = True
    best, second = scores[chosen[0]], scores[chosen[1]] if len(chosen) > 1 else nothing
    leads = np.clip([best - second, *(scores[chosen[1:]] - best)], -PARAMETERS.lead, PARAMETERS.lead)
    meant = [_find_filling(measures, groups, groups[number]) for number in chosen]
    return [Choice(group, lead) for group, lead in zip(meant, leads.tolist(), strict=True)]


def _find_filling(measures: PageMeasures, groups: Sequence[Group], outer: Group) -> Group:
    """Return a list whose records are all that another's hold, but for a heading; else that one.

    What is then left are rows or shelves. A record has a link or a picture of its own beside what is listed in it.
    """
    starts = np.array([record[0] for record in outer.records])
    ends = measures.nodes.end[starts]
    columns = (measures.texts, measures.links, measures.pictures)
    wanted = [measures.texts[starts] - np.minimum(measures.headings[starts], 1), *(c[starts] for c in columns[1:])]
    single = all(len(record) == 1 for record in outer.records)
    for group in groups if single else ():
        first, last = group.records[0][0], group.records[-1][0]
        if first < starts[0] or last > ends[-1] or any(len(record) > 1 for record in group.records):
            continue
        inner = np.array([record[0] for record in group.records])
        at = np.searchsorted(starts, inner) - 1
        if (inner >= ends[at]).any() or (at < 0).any():
            continue
        holds = np.bincount(at, minlength=len(starts))
        are_records = (measures.links[inner] > 0) & (measures.content[inner] > 1)
        if (holds[:-1] < PARAMETERS.row).any() or not are_records.all():
            continue
        sums = [np.bincount(at, column[inner], len(starts)) for column in columns]
        if all((found >= asked).all() for found, asked in zip(sums, wanted, strict=True)):
            return group
    return outer


def _are_cells(measures: PageMeasures, group: Group) -> bool:
    """Whether a group is nothing but cells of a table with a text each, which are fields of its rows."""
    firsts = [record[0] for record in group.records]
    plain = not (measures.links[firsts] + measures.pictures[firsts]).any() and (measures.texts[firsts] <= 1).all()
    return bool(plain and all(measures.nodes.tag[node] in CELLS for node in firsts))


def _is_prose(measures: PageMeasures, group: Group) -> bool:
    """Whether a group is paragraphs, most without link, picture, heading and class, in nothing called a list."""
    firsts = [record[0] for record in group.records]
    if any(len(record) > 1 for record in group.records) or any(measures.nodes.tag[node] != "p" for node in firsts):
        return False
    telling = (
        measures.links[firsts] + measures.pictures[firsts] + measures.headings[firsts] + measures.class_code[firsts]
    )
    if np.count_nonzero(telling) >= len(firsts) / 2:
        return False
    around = {measures.nodes.attributes[node].get("class", "") for node in set(measures.nodes.parent[firsts].tolist())}
    listed = any(not CONTAINERS.isdisjoint(words_of(name)) for name in around)
    return not listed and float(np.median(measures.texts[firsts])) <= 1


def _meets(measures: PageMeasures, group: Group, taken: NDArray[np.bool_]) -> bool:
    """Whether a group shares nodes with one that was taken."""
    return any(taken[record[0] : measures.nodes.end[record[-1]]].any() for record in group.records)
