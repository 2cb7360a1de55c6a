"""The children of each parent, sorted by likeness, and cut into runs: what could be records of one list.

Records may be several siblings in a row: a heading and its paragraph, a term and its description, pairs of rows. The
children of one parent are then a sequence of kinds. A kind that comes again and again at the start of a line and is
followed by others is a head, and a record lasts until the next head. Of two kinds that could be the head, the one
with the larger gap above it is, since gaps between records are larger than gaps inside them (EMINE, section 2a);
without boxes, the one that comes first.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from windrow.geometry import BOTTOM, TOP
from windrow.nodes import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from windrow.region.measures import PageMeasures


@dataclass(frozen=True)
class Parameters:
    """When siblings show the same kind of thing, and when several are one record; set by hand."""

    alike: float = 0.6
    """Likeness from which two siblings show the same kind of thing."""
    compared: int = 8  # not a decision: a limit against attacks
    """A node is compared with the latest clusters only, so that no page takes quadratic time."""
    company: float = 0.6
    """Share of the records that must have something beside their head."""
    rare: float = 0.3
    """What stands at the end of fewer records than this share of them is no part of the record."""
    heads: int = 4  # not a decision: a limit of the work for one parent
    """How many kinds are tried as heads."""
    longest_turn: int = 3
    """How many siblings can take turns."""


PARAMETERS = Parameters()

LINE_START = re.compile(r"[\n\t]|.\s*[\n\t]")

KindSequence: TypeAlias = list[tuple[int, str]]
"""Siblings with what kind of thing each is."""
Run: TypeAlias = tuple[int, ...]
Places: TypeAlias = tuple[list[int], list[int]]
"""Which children are in a cluster, and one of each shape in it, by their place in the family."""


class Extent(NamedTuple):
    """What part of the page's text a cluster takes: characters, where they begin and end, and how wide it stands."""

    chars: int
    start: int
    end: int
    width: float


NOWHERE = Extent(0, 0, 0, 0.0)  # not a decision: measured before it is read


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


def find_families(measures: PageMeasures) -> Iterator[Family]:
    """Yield every parent with several children that show something."""
    nodes = measures.nodes
    kids = _find_showing(measures)
    kids = kids[np.argsort(measures.holder[kids], kind="stable")]
    parents = measures.holder[kids]
    bounds = np.flatnonzero(np.diff(parents, prepend=-1, append=-1))
    several = np.flatnonzero(np.diff(bounds) > 1)
    listed = kids.tolist()
    kinds = list(zip(nodes.tag.codes[kids].tolist(), measures.shapes.digest[kids].tolist(), strict=True))
    starts, ends = bounds[several].tolist(), bounds[several + 1].tolist()
    for parent, start, end in zip(parents[bounds[several]].tolist(), starts, ends, strict=True):
        yield Family(parent, listed[start:end], kinds[start:end])


def find_lone_children(measures: PageMeasures) -> NDArray[np.intp]:
    """Return the elements that alone show something in their parents."""
    kids = _find_showing(measures)
    count = np.bincount(measures.holder[kids], minlength=len(measures.nodes))
    return np.asarray(kids[count[measures.holder[kids]] == 1])


def _find_showing(measures: PageMeasures) -> NDArray[np.intp]:
    """Return the elements that show something and do not only highlight it."""
    return np.flatnonzero((measures.nodes.kind == Kind.ELEMENT) & (measures.content > 0) & ~measures.is_formatting)


class Sorter:
    """Sorts the children of each parent by likeness; families of the same kinds, like records, are sorted alike."""

    def __init__(self, measures: PageMeasures) -> None:
        """Begin with no family known."""
        self._measures = measures
        self._known: dict[tuple[tuple[int, int], ...], list[Places]] = {}

    def sort(self, family: Family) -> list[Cluster]:
        """Return the clusters of one family, in order of appearance."""
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
        best, most = None, PARAMETERS.alike
        for cluster in clusters[-PARAMETERS.compared :]:
            first, latest = kids[cluster[1][0]], kids[cluster[1][-1]]
            if (found := max(self._compare(kids[place], first), self._compare(kids[place], latest))) >= most:
                best, most = cluster, found
        if best is None:
            best = ([], [])
            clusters.append(best)
        return best

    def _compare(self, one: int, other: int) -> float:
        """Return how alike two nodes are, or what is wrapped in them where their author calls both the same."""
        measures = self._measures
        found = measures.shapes.likeness(one, other)
        names, others = (set(measures.class_names[measures.class_code[node]]) for node in (one, other))
        if found >= PARAMETERS.alike or names.isdisjoint(others):
            return found
        wrapped = int(measures.cores[one]), int(measures.cores[other])
        same_tag = measures.nodes.tag.codes[wrapped[0]] == measures.nodes.tag.codes[wrapped[1]]
        return measures.shapes.likeness(*wrapped) if same_tag and (measures.content[[*wrapped]] > 1).all() else found


def find_runs(measures: PageMeasures, parent: int, clusters: list[Cluster]) -> list[tuple[Run, ...]]:
    """Cut the children of one parent into records of several siblings, where they repeat so."""
    if not _could_repeat(measures, parent, clusters):
        return []
    sequence = _read_sequence(measures, parent, clusters)
    times = Counter(kind for _, kind in sequence)
    heads = [kind for kind, count in times.items() if count > 1 and kind != "text"][: PARAMETERS.heads]
    found: list[tuple[Run, ...]] = []
    for head in heads:
        runs = _cut(measures, sequence, head)
        if runs and not any(_shifted(runs, other) for other in found):
            found.append(runs)
        elif runs:
            found = [
                runs if _shifted(runs, other) and _gap(measures, runs) > _gap(measures, other) else other
                for other in found
            ]
    return found


def _could_repeat(measures: PageMeasures, parent: int, clusters: list[Cluster]) -> bool:
    """Whether something comes twice among the children, and something else beside it."""
    twice = any(len(cluster.members) > 1 for cluster in clusters) or measures.own_marks[parent] > 1
    return bool(twice and (len(clusters) > 1 or measures.own_texts[parent]))


def find_alternating(measures: PageMeasures, members: list[int]) -> tuple[Run, ...]:
    """Cut like siblings into pairs or triples where their classes take turns without exception: heads and details.

    Stripes, where every second row is ``odd``, are no such turns.
    """
    codes = measures.class_code[members].tolist()
    if len(set(codes)) < 2:  # noqa: PLR2004 -- nothing takes turns with itself
        return ()
    told = {code: frozenset(measures.class_names[code]) for code in set(codes)}
    classes = [told[code] for code in codes]
    period = len(set(classes))
    if not 1 < period <= PARAMETERS.longest_turn or len(members) < 2 * period or len(members) % period:
        return ()
    turns = [tuple(classes[k : k + period]) for k in range(0, len(members), period)]
    if len(set(turns)) > 1 or len(set(turns[0])) < period or not all(turns[0]):
        return ()
    parents = measures.nodes.parent[members]
    return (
        tuple(tuple(members[k : k + period]) for k in range(0, len(members), period))
        if (parents == parents[0]).all()
        else ()
    )


def _read_sequence(measures: PageMeasures, parent: int, clusters: list[Cluster]) -> KindSequence:
    """Return the kind of each child that shows something: its cluster, its tag where it is highlighting, or text."""
    kinds = {node: f"like {number}" for number, cluster in enumerate(clusters) for node in cluster.members}
    sequence: KindSequence = []
    nodes = measures.nodes
    for node in nodes.children(parent).tolist():
        if node in kinds:
            sequence.append((node, kinds[node]))
        elif not measures.content[node]:
            continue
        elif nodes.kind[node] == Kind.ELEMENT:
            sequence.append((node, nodes.tag[node]))
        elif any(char.isalnum() for char in nodes.text[node]):
            sequence.append((node, "text"))
    return sequence


def _cut(measures: PageMeasures, sequence: KindSequence, head: str) -> tuple[Run, ...]:
    starts = [place for place, (_, kind) in enumerate(sequence) if kind == head]
    if not all(_begins_line(measures, sequence[place][0]) for place in starts):
        return ()
    pieces = [sequence[a:b] for a, b in zip(starts, [*starts[1:], len(sequence)], strict=True)]
    if sum(_holds_records(measures, piece) for piece in pieces) > len(pieces) / 2:
        return ()
    known = Counter(kind for piece in pieces[:-1] for kind in {kind for _, kind in piece})
    longest = max(len(piece) for piece in pieces[:-1])
    runs = []
    for piece in pieces:
        kept = piece[:longest]
        while len(kept) > 1 and known[kept[-1][1]] < PARAMETERS.rare * len(pieces):
            kept = kept[:-1]
        runs.append(tuple(node for node, _ in kept))
    together = [run for run in runs if len(run) > 1]
    ends_in_heads = sum(measures.is_head[run[-1]] for run in together) > len(together) / 2
    return tuple(runs) if len(together) >= PARAMETERS.company * len(runs) and not ends_in_heads else ()


def _holds_records(measures: PageMeasures, piece: KindSequence) -> bool:
    """Whether things of one kind, each with a link and something else, come again: then the head is over all."""
    several = [node for node, _ in piece[1:] if measures.links[node] and measures.content[node] > 1]
    kinds = dict(piece)
    return len({kinds[node] for node in several}) < len(several)


def _begins_line(measures: PageMeasures, node: int) -> bool:
    spans = measures.nodes.spans
    start, end = int(spans.start[node]), int(spans.end[node])
    # A node may begin with white space that is not shown, so that the line end stands inside of it.
    return start in {0, end} or LINE_START.match(spans.text, start - 1, end) is not None


def _shifted(one: tuple[Run, ...], other: tuple[Run, ...]) -> bool:
    """Whether two ways to cut give about the same number of records."""
    return abs(len(one) - len(other)) <= 1


def _gap(measures: PageMeasures, runs: tuple[Run, ...]) -> float:
    """Return the usual gap above a record; 0 without boxes."""
    layout = measures.nodes.layout
    if layout is None:
        return 0.0
    tops = layout.box[[run[0] for run in runs[1:]], TOP]
    bottoms = layout.box[[run[-1] for run in runs[:-1]], BOTTOM]
    gaps = (tops - bottoms)[~np.isnan(tops - bottoms)]
    return float(np.median(gaps)) if len(gaps) else 0.0
