"""The children of each parent, sorted by likeness: what could be records of one list."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from windrow.nodes import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.region.columns import Columns

ALIKE = 0.6
"""Likeness from which two siblings show the same kind of thing."""
COMPARED = 8
"""A node is compared with the latest clusters only, so that no page takes quadratic time."""

Places: TypeAlias = tuple[list[int], list[int]]
"""Which children are in a cluster, and one of each shape in it, by their place in the family."""


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
        self._known: dict[tuple[tuple[int, int], ...], list[Places]] = {}

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

    def _find_places(self, family: Family) -> list[Places]:
        same: dict[tuple[int, int], list[int]] = defaultdict(list)
        for place, kind in enumerate(family.kinds):
            same[kind].append(place)
        clusters: dict[int, list[Places]] = defaultdict(list)
        for (tag, _), places in same.items():
            members, looks = self._choose(family.kids, clusters[tag], places[0])
            members += places
            looks.append(places[0])
        return sorted((sorted(members), looks) for found in clusters.values() for members, looks in found)

    def _choose(self, kids: list[int], clusters: list[Places], place: int) -> Places:
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
