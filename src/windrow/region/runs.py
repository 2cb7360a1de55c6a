"""Records that are several siblings in a row: a heading and its paragraph, a term and its description, pairs of rows.

The children of one parent are a sequence of kinds. A kind that comes again and again at the start of a line and is
followed by others is a head, and a record lasts until the next head. Of two kinds that could be the head, the one
with the larger gap above it is, since gaps between records are larger than gaps inside them (EMINE, section 2a);
without boxes, the one that comes first.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from windrow.geometry import BOTTOM, TOP
from windrow.nodes import Kind

if TYPE_CHECKING:
    from windrow.region.columns import Columns
    from windrow.region.siblings import Cluster

COMPANY = 0.6
"""Share of the records that must have something beside their head."""
RARE = 0.3
"""What stands at the end of fewer records than this share of them is no part of the record."""
HEADS = 4
"""How many kinds are tried as heads."""
LONGEST_TURN = 3
"""How many siblings can take turns."""
SHORTEST = 4
"""How many siblings it takes to see that they take turns."""
STRIPES = frozenset("odd even alt alternate first last active selected row".split())

BEGIN = re.compile(r"[\n\t]|.\s*[\n\t]")

Kinds: TypeAlias = list[tuple[int, str]]
Run: TypeAlias = tuple[int, ...]


def find_runs(columns: Columns, parent: int, clusters: list[Cluster]) -> list[tuple[Run, ...]]:
    """Cut the children of one parent into records of several siblings, where they repeat so."""
    if not _could_repeat(columns, parent, clusters):
        return []
    sequence = _read_sequence(columns, parent, clusters)
    times = Counter(kind for _, kind in sequence)
    heads = [kind for kind, count in times.items() if count > 1 and kind != "text"][:HEADS]
    found: list[tuple[Run, ...]] = []
    for head in heads:
        runs = _cut(columns, sequence, head)
        if runs and not any(_shifted(runs, other) for other in found):
            found.append(runs)
        elif runs:
            found = [
                runs if _shifted(runs, other) and _gap(columns, runs) > _gap(columns, other) else other
                for other in found
            ]
    return found


def _could_repeat(columns: Columns, parent: int, clusters: list[Cluster]) -> bool:
    """Say whether something comes twice among the children, and something else beside it."""
    twice = any(len(cluster.members) > 1 for cluster in clusters) or columns.own_marks[parent] > 1
    return bool(twice and (len(clusters) > 1 or columns.own_texts[parent]))


def find_alternating(columns: Columns, members: list[int]) -> tuple[Run, ...]:
    """Cut like siblings into pairs or triples where their classes take turns without exception: heads and details.

    Stripes, where every second row is ``odd``, are no such turns.
    """
    codes = columns.class_code[members].tolist() if len(members) >= SHORTEST else []
    if len(set(codes)) < 2:  # noqa: PLR2004 -- nothing takes turns with itself
        return ()
    told = {code: frozenset(columns.class_names[code]) - STRIPES for code in set(codes)}
    classes = [told[code] for code in codes]
    period = len(set(classes))
    if not 1 < period <= LONGEST_TURN or len(members) < 2 * period or len(members) % period:
        return ()
    turns = [tuple(classes[k : k + period]) for k in range(0, len(members), period)]
    if len(set(turns)) > 1 or len(set(turns[0])) < period or not all(turns[0]):
        return ()
    parents = columns.nodes.parent[members]
    return (
        tuple(tuple(members[k : k + period]) for k in range(0, len(members), period))
        if (parents == parents[0]).all()
        else ()
    )


def _read_sequence(columns: Columns, parent: int, clusters: list[Cluster]) -> Kinds:
    """Name the kind of each child that shows something: its cluster, its tag where it is highlighting, or text."""
    kinds = {node: f"like {number}" for number, cluster in enumerate(clusters) for node in cluster.members}
    sequence: Kinds = []
    nodes = columns.nodes
    for node in nodes.children(parent).tolist():
        if node in kinds:
            sequence.append((node, kinds[node]))
        elif not columns.content[node]:
            continue
        elif nodes.kind[node] == Kind.ELEMENT:
            sequence.append((node, nodes.tag[node]))
        elif any(char.isalnum() for char in nodes.text[node]):
            sequence.append((node, "text"))
    return sequence


def _cut(columns: Columns, sequence: Kinds, head: str) -> tuple[Run, ...]:
    starts = [place for place, (_, kind) in enumerate(sequence) if kind == head]
    if not all(_begins_line(columns, sequence[place][0]) for place in starts):
        return ()
    pieces = [sequence[a:b] for a, b in zip(starts, [*starts[1:], len(sequence)], strict=True)]
    known = Counter(kind for piece in pieces[:-1] for kind in {kind for _, kind in piece})
    longest = max(len(piece) for piece in pieces[:-1])
    runs = []
    for piece in pieces:
        kept = piece[:longest]
        while len(kept) > 1 and known[kept[-1][1]] < RARE * len(pieces):
            kept = kept[:-1]
        runs.append(tuple(node for node, _ in kept))
    together = sum(len(run) > 1 for run in runs)
    return tuple(runs) if together >= COMPANY * len(runs) else ()


def _begins_line(columns: Columns, node: int) -> bool:
    spans = columns.nodes.spans
    start, end = int(spans.start[node]), int(spans.end[node])
    # A node may begin with white space that is not shown, so that the line end stands inside of it.
    return start in {0, end} or BEGIN.match(spans.text, start - 1, end) is not None


def _shifted(one: tuple[Run, ...], other: tuple[Run, ...]) -> bool:
    """Say whether two ways to cut give about the same number of records."""
    return abs(len(one) - len(other)) <= 1


def _gap(columns: Columns, runs: tuple[Run, ...]) -> float:
    """Measure the usual gap above a record; 0 without boxes."""
    layout = columns.nodes.layout
    if layout is None:
        return 0.0
    tops = layout.box[[run[0] for run in runs[1:]], TOP]
    bottoms = layout.box[[run[-1] for run in runs[:-1]], BOTTOM]
    gaps = (tops - bottoms)[~np.isnan(tops - bottoms)]
    return float(np.median(gaps)) if len(gaps) else 0.0
