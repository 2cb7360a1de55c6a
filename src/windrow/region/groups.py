"""Where the same thing is repeated: like siblings, runs of siblings, and like nodes under several parents.

A group is a list of records, each one or several sibling nodes. Groups are candidates; which of them is a list of
records and not a menu, and which of two that stand inside each other is meant, is decided later.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from windrow.geometry import width
from windrow.nodes import Kind
from windrow.region.lone import find_lone_records
from windrow.region.runs import find_alternating, find_runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.region.columns import Columns

ALIKE = 0.6
"""Likeness from which two siblings show the same kind of thing."""
COMPARED = 8
"""A node is compared with the latest clusters only, so that no page takes quadratic time."""
NEARBY = 3
"""With how many groups before it a cluster is compared, where they have several parents."""
TOGETHER = 0.5
"""Share of the text between the first and the last record that must be in records, where they have several parents."""
LONE = 0.3
"""Share of the page's text that must be in like nodes, where each of them is alone in its parent."""
WIDTH = 0.75
"""How much narrower than the others records under another parent may be."""

RecordNodes = tuple[int, ...]


@dataclass(frozen=True)
class Group:
    """Things that are repeated; each record is one node, or several siblings."""

    records: tuple[RecordNodes, ...]
    parents: tuple[int, ...]
    how: str = "siblings"


class Extent(NamedTuple):
    """What part of the page's text a cluster takes: characters, where they begin and end, and how wide it stands."""

    chars: int
    start: int
    end: int
    width: float


NOWHERE = Extent(0, 0, 0, 0.0)


@dataclass
class Cluster:
    """Like children of one parent."""

    parent: int
    members: list[int]
    looks: list[int]
    """A member of each shape in it."""
    extent: Extent = NOWHERE


class Family(NamedTuple):
    """A parent, those of its children that show something, and the tag and shape of each."""

    parent: int
    kids: list[int]
    kinds: list[tuple[int, int]]


def find_groups(columns: Columns) -> list[Group]:
    """List everything that is repeated on the page."""
    groups: list[Group] = []
    clusters: list[Cluster] = []
    sorter = Sorter(columns)
    for family in find_families(columns):
        found = sorter.sort(family)
        clusters += found
        runs = find_runs(columns, family.parent, found)
        pairs = [pair for cluster in found if (pair := find_alternating(columns, cluster.members))]
        groups += [Group(run, (family.parent,), "runs") for run in runs + pairs]
        inside = {run[0] for pair in pairs for run in pair}
        groups += [
            Group(tuple((node,) for node in cluster.members), (family.parent,))
            for cluster in found
            if len(cluster.members) > 1 and cluster.members[0] not in inside
        ]
    spread = spread_groups(columns, clusters)
    joined = {record for group in spread for record in group.records}
    lone = [Group(((node,),), (parent,), "lone") for parent, node in find_lone_records(columns)]
    return [group for group in groups if group.how != "siblings" or group.records[0] not in joined] + spread + lone


def find_families(columns: Columns) -> Iterator[Family]:
    """Give every parent with several children that show something."""
    nodes = columns.nodes
    kids = np.flatnonzero((nodes.kind == Kind.ELEMENT) & (columns.content > 0) & ~columns.is_formatting)
    kids = kids[np.argsort(columns.holder[kids], kind="stable")]
    parents = columns.holder[kids]
    bounds = np.flatnonzero(np.diff(parents, prepend=-1, append=-1))
    several = np.flatnonzero(np.diff(bounds) > 1)
    listed = kids.tolist()
    kinds = list(zip(nodes.tag.codes[kids].tolist(), columns.shapes.digest[kids].tolist(), strict=True))
    starts, ends = bounds[several].tolist(), bounds[several + 1].tolist()
    for parent, start, end in zip(parents[bounds[several]].tolist(), starts, ends, strict=True):
        yield Family(parent, listed[start:end], kinds[start:end])


class Sorter:
    """Sorts the children of each parent by likeness; families of the same kinds, like records, are sorted alike."""

    def __init__(self, columns: Columns) -> None:
        """Begin with no family known."""
        self._columns = columns
        self._known: dict[tuple[tuple[int, int], ...], list[tuple[list[int], list[int]]]] = {}

    def sort(self, family: Family) -> list[Cluster]:
        """Give the clusters of one family, in order of appearance."""
        kinds, kids = tuple(family.kinds), family.kids
        places = self._known.get(kinds)
        if places is None:
            places = self._known[kinds] = self._find_places(family)
        return [
            Cluster(family.parent, [kids[place] for place in members], [kids[place] for place in looks])
            for members, looks in places
        ]

    def _find_places(self, family: Family) -> list[tuple[list[int], list[int]]]:
        same: dict[tuple[int, int], list[int]] = defaultdict(list)
        for place, kind in enumerate(family.kinds):
            same[kind].append(place)
        clusters: dict[int, list[tuple[list[int], list[int]]]] = defaultdict(list)
        for (tag, _), places in same.items():
            members, looks = self._choose(family.kids, clusters[tag], places[0])
            members += places
            looks.append(places[0])
        return sorted((sorted(members), looks) for found in clusters.values() for members, looks in found)

    def _choose(
        self, kids: list[int], clusters: list[tuple[list[int], list[int]]], place: int
    ) -> tuple[list[int], list[int]]:
        """Find the cluster whose first or latest look is most like a child, or begin one."""
        compare, best, most = self._columns.shapes.likeness, None, ALIKE
        for cluster in clusters[-COMPARED:]:
            first, latest = kids[cluster[1][0]], kids[cluster[1][-1]]
            if (found := max(compare(kids[place], first), compare(kids[place], latest))) >= most:
                best, most = cluster, found
        if best is None:
            best = ([], [])
            clusters.append(best)
        return best


def spread_groups(columns: Columns, clusters: list[Cluster]) -> list[Group]:
    """Join clusters of the same look under different parents, as long as they stand together."""
    if not clusters:
        return []
    for cluster, extent in zip(clusters, _measure_extents(columns, clusters), strict=True):
        cluster.extent = extent
    buckets: dict[tuple[int, ...], list[Cluster]] = defaultdict(list)
    for cluster, kind in zip(clusters, _read_kinds(columns, clusters), strict=True):
        buckets[kind].append(cluster)
    groups = []
    for bucket in buckets.values():
        alone = all(len(cluster.members) == 1 for cluster in bucket)
        # Parts of records repeat as often as the records do, each alone in its parent; few of them are records.
        enough = LONE * int(columns.chars[0]) if alone else 0
        if len(bucket) > 1 and sum(cluster.extent.chars for cluster in bucket) >= enough:
            groups += _join(columns, bucket)
    return groups


def _read_kinds(columns: Columns, clusters: list[Cluster]) -> list[tuple[int, ...]]:
    """Say what the members of each cluster are; without a class, what they stand in says so, too."""
    tags, classes = columns.nodes.tag.codes, columns.class_code
    first = np.array([cluster.members[0] for cluster in clusters])
    parent = np.array([cluster.parent for cluster in clusters])
    above = columns.holder[parent]
    own = [tags[first], classes[first], columns.aside[first]]
    place = [columns.nodes.depth[first], tags[parent], classes[parent], tags[above], classes[above]]
    unnamed = classes[first] == 0
    return list(map(tuple, np.stack([*own, *(np.where(unnamed, column, -2) for column in place)], axis=1).tolist()))


def _join(columns: Columns, bucket: list[Cluster]) -> list[Group]:
    chains: list[list[Cluster]] = []
    for cluster in sorted(bucket, key=lambda c: c.members[0]):
        for chain in reversed(chains[-NEARBY:]):
            if _stand_together(chain[-1].extent, cluster.extent) and _is_like(columns, cluster, chain[-1]):
                chain.append(cluster)
                break
        else:
            chains.append([cluster])
    groups = []
    for chain in chains:
        if len(chain) > 1:
            members = sorted(node for c in chain for node in c.members)
            groups.append(Group(tuple((m,) for m in members), tuple(c.parent for c in chain), "spread"))
    return groups


def _is_like(columns: Columns, one: Cluster, other: Cluster) -> bool:
    """Compare the first look of a cluster with the first and the latest of another."""
    return any(columns.shapes.likeness(one.looks[0], look) >= ALIKE for look in (other.looks[0], other.looks[-1]))


def _stand_together(one: Extent, other: Extent) -> bool:
    """Say whether two clusters follow each other without much else between them, and are about as wide."""
    if min(one.width, other.width) < WIDTH * max(one.width, other.width):
        return False
    return one.chars + other.chars >= TOGETHER * (max(one.end, other.end) - min(one.start, other.start))


def _measure_extents(columns: Columns, clusters: list[Cluster]) -> list[Extent]:
    """Measure all clusters at once; without boxes all are equally wide."""
    spans, layout = columns.nodes.spans, columns.nodes.layout
    sizes = np.array([len(cluster.members) for cluster in clusters])
    nodes = np.array([node for cluster in clusters for node in cluster.members])
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    chars = np.add.reduceat(columns.chars[nodes], first)
    last = nodes[first + sizes - 1]
    wide = np.nan_to_num(width(layout.box[nodes[first]])) if layout else np.ones(len(clusters))
    measures = (chars, spans.start[nodes[first]], spans.end[last], wide)
    return [Extent(*each) for each in zip(*(column.tolist() for column in measures), strict=True)]
