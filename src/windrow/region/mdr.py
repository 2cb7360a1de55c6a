"""MDR: mining data records by generalised nodes and the edit distance of their tag strings.

B. Liu, R. Grossman, Y. Zhai: "Mining Data Records in Web Pages" (KDD 2003), the method that EMINE compares itself
with (section 4). Runs of up to ten siblings are compared with the run after them; the longest stretch of like runs
under a parent is a data region, and what stands inside a region is not looked at again. Records are then cut out of
each run.

The tag tree is that of the source, all of its elements, and every comparison is an edit distance, as the paper has it.

Departures. Any tag can make up records, not only those of tables and forms. The paper gives regions in document order;
here the one with the most text comes first, and those of which nothing can be seen are left out. Its last step,
records whose parts lie apart, is kept for equal numbers of children only. Columns are read as for our best; the paper
has none. Nor has it a confidence: here it is the share of such regions that were right, of the first ones and of the
others.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from windrow.nodes import Kind
from windrow.region.builder import Builder
from windrow.region.measures import PageMeasures
from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from windrow.nodes import Nodes
    from windrow.region.links import Addresses
    from windrow.region.result import Region

Run: TypeAlias = tuple[int, ...]
"""A generalised node: siblings next to each other."""
Alike: TypeAlias = dict[int, list[bool]]
"""By the size of runs: for each place among siblings, whether the run there is like the one after it."""


@dataclass(frozen=True)
class Parameters:
    """The numbers of the paper."""

    most: int = 10
    """Tag nodes in a generalised node (section 3.1; EMINE, section 4.3: k < 10)."""
    threshold: float = 0.3
    """Normalised edit distance up to which two are alike (section 3.2)."""
    depth: int = 2
    """Levels that a parent must have below it for its children to be compared (section 3.2)."""


def find_mdr_regions(nodes: Nodes, addresses: Addresses, most: int) -> list[Region]:
    """Find all data regions of a page, the one with the most text first."""
    measures = PageMeasures(nodes)
    builder, calibration = Builder(measures, addresses, most, "mdr"), load_weights("region").calibrations["mdr"]
    return [
        builder.build(records, calibration.confidence({"first": rank == 0}))
        for rank, records in enumerate(find_mdr_records(measures))
    ]


def find_mdr_records(measures: PageMeasures, parameters: Parameters | None = None) -> list[list[Run]]:
    """Return the records of each data region, the region with the most text first."""
    miner = Miner(measures.nodes, parameters or Parameters())
    found = [miner.find_records(region) for region in miner.find_regions()]
    chars = [int(measures.chars[list(chain.from_iterable(records))].sum()) for records in found]
    order = sorted(range(len(found)), key=lambda number: -chars[number])
    return [found[number] for number in order if chars[number]]


class Miner:
    """The tag tree of a page, and what is alike in it."""

    def __init__(self, nodes: Nodes, parameters: Parameters) -> None:
        """Keep the elements; their tags in document order are the page's tag string."""
        self._nodes = nodes
        self._parameters = parameters
        self._is_element = nodes.kind == Kind.ELEMENT
        self._elements = np.flatnonzero(self._is_element)
        self._tags = nodes.tag.codes[self._elements]
        self._levels = _levels_below(nodes)

    def find_regions(self) -> list[list[Run]]:
        """Find the data regions, each a list of generalised nodes that are alike (step 1: MDR and FindDRs)."""
        compared = {
            node: self._compare(children)
            for node in self._elements.tolist()
            if self._levels[node] >= self._parameters.depth and len(children := self._children(node)) > 1
        }
        regions: list[list[Run]] = []
        covered = np.zeros(len(self._nodes), dtype=bool)
        for node, alike in compared.items():
            if covered[node]:
                continue
            for region in self._identify(self._children(node), alike):
                regions.append(region)
                for run in region:
                    covered[run[0] : self._nodes.end[run[-1]]] = True
        return regions

    def _compare(self, children: list[int]) -> Alike:
        """Compare every run of siblings, of every size, with the run after it (the paper's CombComp)."""
        starts = np.searchsorted(self._elements, children)
        ends = np.searchsorted(self._elements, self._nodes.end[children])
        return {
            size: [
                self._near(
                    self._tags[starts[k] : ends[k + size - 1]], self._tags[starts[k + size] : ends[k + 2 * size - 1]]
                )
                for k in range(len(children) - 2 * size + 1)
            ]
            for size in range(1, min(self._parameters.most, len(children) // 2) + 1)
        }

    def find_records(self, region: list[Run]) -> list[Run]:
        """Cut the records out of each generalised node (step 2: FindRecords-1 and FindRecords-n)."""
        inner = [self._children(run[0]) if len(run) == 1 else [] for run in region]
        if all(len(children) > 1 and self._all_alike(children) for children in inner):
            if not all(self._nodes.tag[run[0]] == "tr" for run in region):
                return [(child,) for children in inner for child in children]
        elif len(region[0]) > 1:
            apart = [self._records_apart(run) for run in region]
            if all(apart):
                return [record for records in apart for record in records]
        return region

    def _records_apart(self, run: Run) -> list[Run]:
        """Return records whose parts lie in the parts of a generalised node: a row of names over a row of prices."""
        parts = [self._children(node) for node in run]
        even = len({len(part) for part in parts}) == 1 and len(parts[0]) > 1
        if even and all(self._all_alike(part) for part in parts):
            return [tuple(record) for record in zip(*parts, strict=True)]
        return []

    def _all_alike(self, children: list[int]) -> bool:
        return all(self._alike((one,), (other,)) for one, other in pairwise(children))

    def _identify(self, children: list[int], alike: Alike) -> list[list[Run]]:
        """Find the longest stretches of like runs among siblings (the paper's IdentDRs), from left to right."""
        regions: list[list[Run]] = []
        start = 0
        while start < len(children) - 1:
            size, first, count = _longest(alike, start)
            if not count:
                break
            regions.append([tuple(children[k : k + size]) for k in range(first, first + size * count, size)])
            start = first + size * count
        return regions

    def _alike(self, one: Run, other: Run) -> bool:
        return self._near(self._tag_string(one), self._tag_string(other))

    def _near(self, one: NDArray[np.int32], other: NDArray[np.int32]) -> bool:
        """Compare by edit distance over the mean length."""
        return edit_distance(one, other) <= self._parameters.threshold * (len(one) + len(other)) / 2

    def _tag_string(self, run: Run) -> NDArray[np.int32]:
        first, last = np.searchsorted(self._elements, (run[0], self._nodes.end[run[-1]]))
        return np.asarray(self._tags[first:last])

    def _children(self, node: int) -> list[int]:
        children = self._nodes.children(node)
        found: list[int] = children[self._is_element[children]].tolist()
        return found


def _longest(alike: Alike, start: int) -> tuple[int, int, int]:
    """Return size, first place and number of the like runs that cover the most siblings; smaller runs before larger."""
    best = (0, 0, 0)
    for size, found in alike.items():
        for offset in range(start, min(start + size, len(found))):
            first, count = _first_stretch(found, offset, size)
            if size * count > best[0] * best[2] and (not best[2] or first <= best[1]):
                best = (size, first, count)
    return best


def _first_stretch(found: list[bool], offset: int, size: int) -> tuple[int, int]:
    """Take the first runs from an offset on that are each like the next: where they begin, and how many they are."""
    first = next((k for k in range(offset, len(found), size) if found[k]), None)
    if first is None:
        return 0, 0
    end = next((k for k in range(first, len(found), size) if not found[k]), None)
    following = range(first, len(found), size)
    return first, (len(following) if end is None else (end - first) // size) + 1


def edit_distance(one: Sequence[int] | NDArray[np.int32], other: Sequence[int] | NDArray[np.int32]) -> int:
    """Count the tags to insert, delete or replace, a row of the table at a time."""
    row = np.arange(len(other) + 1)
    steps = np.arange(len(other) + 1)
    right = np.asarray(other)
    for number, tag in enumerate(one, 1):
        kept = np.minimum(row[:-1] + (right != tag), row[1:] + 1)
        row = np.concatenate([[number], kept])
        row = np.minimum.accumulate(row - steps) + steps
    return int(row[-1])


def _levels_below(nodes: Nodes) -> NDArray[np.int32]:
    """Count the levels of elements below each node."""
    element = nodes.kind == Kind.ELEMENT
    deepest = np.where(element, nodes.depth, 0).astype(np.int32)
    for level in range(int(nodes.depth.max()), 0, -1):
        at = np.flatnonzero(nodes.depth == level)
        np.maximum.at(deepest, nodes.parent[at], deepest[at])
    return np.asarray(deepest - nodes.depth, dtype=np.int32)
