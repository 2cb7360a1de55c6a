"""Where the same thing is repeated: like siblings, runs of siblings, and like nodes under several parents.

A list of one is taken from what the page itself calls a list, since nothing is repeated there: a container called
results, products, list …, or a list element, with one child that holds several texts and a link.

A group is a list of records, each one or several sibling nodes. Groups are candidates; which of them is a list of
records and not a menu, and which of two that stand inside each other is meant, is decided later.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import width
from windrow.region.siblings import PARAMETERS as SIBLINGS
from windrow.region.siblings import (
    Cluster,
    Extent,
    Sorter,
    find_alternating,
    find_families,
    find_lone_children,
    find_runs,
)
from windrow.region.templates import join_sections

if TYPE_CHECKING:
    from windrow.region.fields import RecordNodes
    from windrow.region.measures import PageMeasures


@dataclass(frozen=True)
class Parameters:
    """When like nodes under several parents are one list, and when one node is; set by hand."""

    nearby: int = 3  # not a decision: a limit of the work for one look
    """With how many groups before it a cluster is compared, where they have several parents."""
    together: float = 0.5
    """Share of the text from the first record to the last that must be in records, where they have several parents."""
    lone: float = 0.3
    """Share of the page's text that must be in like nodes, where each of them is alone in its parent."""
    width: float = 0.75
    """How much narrower than the others records under another parent may be."""
    lone_texts: int = 2
    """How many texts a lone record must have."""
    lone_chars: int = 20
    """How many characters a lone record must have."""


PARAMETERS = Parameters()

CONTAINERS = frozenset(
    (
        "results items products list listing listings entries posts hits cards feed offers records jobs threads topics"
    ).split()
)
"""Words in classes and ids that call something a list."""
CONTAINER_ROLES = frozenset({"list", "feed"})


@dataclass(frozen=True)
class Group:
    """Things that are repeated; each record is one node, or several siblings."""

    records: tuple[RecordNodes, ...]
    how: str = "siblings"


def find_groups(measures: PageMeasures) -> list[Group]:
    """Return everything that is repeated on the page."""
    groups: list[Group] = []
    clusters: list[Cluster] = []
    sorter = Sorter(measures)
    for family in find_families(measures):
        found = sorter.sort(family)
        clusters += found
        runs = find_runs(measures, family.parent, found)
        pairs = [pair for cluster in found if (pair := find_alternating(measures, cluster.members))]
        groups += [Group(run, "runs") for run in runs + pairs]
        # What is said of terms is no list without them.
        described = [run for run in runs if measures.nodes.tag[run[0][0]] == "dt"]
        inside = {run[0] for pair in pairs for run in pair} | {node for cut in described for run in cut for node in run}
        groups += [
            Group(tuple((node,) for node in cluster.members))
            for cluster in found
            if len(cluster.members) > 1 and cluster.members[0] not in inside
        ]
    spread = spread_groups(measures, clusters)
    joined = {record for group in spread for record in group.records}
    lone = [Group(((node,),), "lone") for node in find_lone_records(measures)]
    kept = [group for group in groups if group.how != "siblings" or group.records[0] not in joined] + spread
    return [*kept, *join_sections(measures, kept), *lone]


def spread_groups(measures: PageMeasures, clusters: list[Cluster]) -> list[Group]:
    """Join clusters of the same look under different parents, as long as they stand together."""
    if not clusters:
        return []
    clusters = clusters + _find_remainders(measures, clusters)
    for cluster, extent in zip(clusters, _measure_extents(measures, clusters), strict=True):
        cluster.extent = extent
    buckets: dict[tuple[int, ...], list[Cluster]] = defaultdict(list)
    for cluster, kind in zip(clusters, _read_kinds(measures, clusters), strict=True):
        buckets[kind].append(cluster)
    groups = []
    for bucket in buckets.values():
        alone = all(len(cluster.members) == 1 for cluster in bucket)
        # Parts of records repeat as often as the records do, each alone in its parent; few of them are records.
        enough = PARAMETERS.lone * int(measures.chars[0]) if alone else 0
        if len(bucket) > 1 and sum(cluster.extent.chars for cluster in bucket) >= enough:
            groups += _join(measures, bucket)
    return groups


def _find_remainders(measures: PageMeasures, clusters: list[Cluster]) -> list[Cluster]:
    """Return what stands alone in its row behind rows of one and the same number of its kind: the rest of a grid."""
    tags, classes, parent = measures.nodes.tag.codes, measures.class_code, measures.nodes.parent
    kind = np.stack([tags, classes, tags[parent], classes[parent], parent[parent]], axis=1)
    rows: dict[tuple[int, ...], list[Cluster]] = defaultdict(list)
    for cluster, each in zip(clusters, kind[[cluster.members[0] for cluster in clusters]].tolist(), strict=True):
        rows[tuple(each)].append(cluster)
    alone = find_lone_children(measures)
    return [
        Cluster(int(parent[node]), [node], [node])
        for node, each in zip(alone.tolist(), map(tuple, kind[alone].tolist()), strict=True)
        if _are_full(rows.get(each, []), before=node)
    ]


def _are_full(rows: list[Cluster], before: int) -> bool:
    """Whether there are several rows, all before a node and each with as many members."""
    return len(rows) > 1 and rows[-1].members[-1] < before and len({len(row.members) for row in rows}) == 1


def _read_kinds(measures: PageMeasures, clusters: list[Cluster]) -> list[tuple[int, ...]]:
    """Return what the members of each cluster are; without a class, what they stand in says so, too."""
    tags, classes = measures.nodes.tag.codes, measures.class_code
    first = np.array([cluster.members[0] for cluster in clusters])
    parent = np.array([cluster.parent for cluster in clusters])
    above = measures.holder[parent]
    own = [tags[first], classes[first], measures.aside[first]]
    place = [measures.nodes.depth[first], tags[parent], classes[parent], tags[above], classes[above]]
    unnamed = classes[first] == 0
    return list(map(tuple, np.stack([*own, *(np.where(unnamed, column, -2) for column in place)], axis=1).tolist()))


def _join(measures: PageMeasures, bucket: list[Cluster]) -> list[Group]:
    chains: list[list[Cluster]] = []
    for cluster in sorted(bucket, key=lambda c: c.members[0]):
        for chain in reversed(chains[-PARAMETERS.nearby :]):
            if _stand_together(chain[-1].extent, cluster.extent) and _is_like(measures, cluster, chain[-1]):
                chain.append(cluster)
                break
        else:
            chains.append([cluster])
    groups = []
    for chain in chains:
        if len(chain) > 1:
            members = sorted(node for c in chain for node in c.members)
            groups.append(Group(tuple((m,) for m in members), "spread"))
    return groups


def _is_like(measures: PageMeasures, one: Cluster, other: Cluster) -> bool:
    """Compare the first look of a cluster with the first and the latest of another."""
    return any(
        measures.shapes.likeness(one.looks[0], look) >= SIBLINGS.alike for look in (other.looks[0], other.looks[-1])
    )


def _stand_together(one: Extent, other: Extent) -> bool:
    """Whether two clusters follow each other without much else between them, and are about as wide."""
    if min(one.width, other.width) < PARAMETERS.width * max(one.width, other.width):
        return False
    return one.chars + other.chars >= PARAMETERS.together * (max(one.end, other.end) - min(one.start, other.start))


def _measure_extents(measures: PageMeasures, clusters: list[Cluster]) -> list[Extent]:
    """Measure all clusters at once; without boxes all are equally wide."""
    spans, layout = measures.nodes.spans, measures.nodes.layout
    sizes = np.array([len(cluster.members) for cluster in clusters])
    nodes = np.array([node for cluster in clusters for node in cluster.members])
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    chars = np.add.reduceat(measures.chars[nodes], first)
    last = nodes[first + sizes - 1]
    wide = np.nan_to_num(width(layout.box[nodes[first]])) if layout else np.ones(len(clusters))
    told = (chars, spans.start[nodes[first]], spans.end[last], wide)
    return [Extent(*each) for each in zip(*(column.tolist() for column in told), strict=True)]


def find_lone_records(measures: PageMeasures) -> list[int]:
    """Return the only children to show of parents that say that they are lists."""
    nodes = measures.nodes
    called = nodes.tag.is_in({"ul", "ol"})
    called[[node for node, role in measures.roles.items() if role in CONTAINER_ROLES]] = True
    for names in (measures.nodes.classes, measures.nodes.ids):
        called[names.called(CONTAINERS)] = True
    shown = np.flatnonzero(measures.content > 0)[1:]
    parent = nodes.parent[shown]
    count = np.bincount(parent, minlength=len(nodes))
    only = np.zeros(len(nodes), dtype=np.int64)
    only[parent] = shown
    fit = (
        (measures.texts[only] >= PARAMETERS.lone_texts)
        & (measures.chars[only] >= PARAMETERS.lone_chars)
        & (measures.links > 0)
    )
    found = np.flatnonzero(called & (count == 1) & fit)
    records: list[int] = only[found].tolist()
    return records
