"""Our best: what is repeated in look and structure, ranked, each record cut into aligned fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from windrow.region.columns import Columns
from windrow.region.groups import find_groups
from windrow.region.identifiers import words_of
from windrow.region.levels import prefer_inner
from windrow.region.lone import CONTAINERS
from windrow.region.ranking import score_groups
from windrow.region.table import Builder

if TYPE_CHECKING:
    from windrow.nodes import Nodes
    from windrow.region.groups import Group
    from windrow.region.links import Addresses
    from windrow.region.result import Region

MARGIN = 4.0
"""How far below the best region another may score and still be one."""
MOST = 4
"""How many regions are looked for."""


def find_best_regions(nodes: Nodes, addresses: Addresses) -> list[Region]:
    """Find the lists of records on a page, best first."""
    columns = Columns(nodes)
    builder = Builder(columns, addresses)
    return [builder.build(group.records, confidence) for group, confidence in choose_groups(columns)]


def choose_groups(columns: Columns) -> list[tuple[Group, float]]:
    """Rank the groups and keep the clear ones that do not stand in or around a better one."""
    groups = [group for group in find_groups(columns) if not _is_prose(columns, group)]
    if not groups:
        return []
    scores = prefer_inner(columns, groups, score_groups(columns, groups))
    order = np.argsort(-scores, kind="stable")
    best = scores[order[0]]
    taken = np.zeros(len(columns.nodes) + 1, dtype=np.int64)
    chosen: list[tuple[Group, float]] = []
    for number in order.tolist():
        if scores[number] < best - MARGIN or len(chosen) == MOST:
            break
        if not _meets(columns, groups[number], taken):
            chosen.append((groups[number], float(np.exp(scores[number] - best))))
            for record in groups[number].records:
                taken[record[0] : columns.nodes.end[record[-1]]] = 1
    return chosen


def _is_prose(columns: Columns, group: Group) -> bool:
    """Say whether a group is nothing but paragraphs: no link, picture, heading or class, in nothing called a list."""
    firsts = [record[0] for record in group.records]
    if any(len(record) > 1 for record in group.records) or any(columns.nodes.tag[node] != "p" for node in firsts):
        return False
    if (columns.links[firsts] + columns.pictures[firsts] + columns.headings[firsts]).any():
        return False
    around = {columns.nodes.attributes[node].get("class", "") for node in set(columns.nodes.parent[firsts].tolist())}
    listed = any(not CONTAINERS.isdisjoint(words_of(name)) for name in around)
    return not listed and not columns.class_code[firsts].any() and float(np.median(columns.texts[firsts])) <= 1


def _meets(columns: Columns, group: Group, taken: np.ndarray) -> bool:
    """Say whether a group shares nodes with one that was taken."""
    return any(taken[record[0] : columns.nodes.end[record[-1]]].any() for record in group.records)
