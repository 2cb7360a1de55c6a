"""From pasted rows to what the records of their list could be: which elements, at which level, or which runs."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING

from windrow.wrapper.lists.pattern import (
    Kind,
    KindPath,
    RecordPattern,
    Run,
    choose_tails,
    cut_runs,
    find_records,
    kind_of,
    merge_kinds,
    merge_paths,
    path_to,
    shown_children,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windrow.wrapper.lists.pattern import RecordSpan
    from windrow.wrapper.lists.placing import PlacedRow
    from windrow.wrapper.lists.texts import PageTexts
    from windrow.wrapper.page_features import PageFeatures


@dataclass(frozen=True)
class LevelParameters:
    """How much is tried; set by principle."""

    most_bare: int = 2
    """How many elements around a record may have other names elsewhere in the list: a row and a column of a grid."""


PARAMETERS = LevelParameters()


def find_patterns(texts: PageTexts, rows: Sequence[PlacedRow]) -> Iterator[list[RecordPattern]]:
    """Yield what the records could be: levels of the tree, different ones, and where none will do, runs of siblings."""
    if len(rows) == 1:
        yield from ([pattern] for pattern in _from_one(texts, rows[0]))
        return
    ordered = sorted(rows, key=lambda row: row.first)[:2]
    around = texts.features.nodes.common_ancestor([ordered[0].first, ordered[1].last])
    chains = [_chain(texts.features, row, around) for row in ordered]
    yield list(_find_levels(texts, chains))
    yield list(_find_uneven(texts.features, chains))
    yield list(_find_run(texts.features, around, ordered))


def _find_levels(texts: PageTexts, chains: Sequence[Sequence[int]]) -> Iterator[RecordPattern]:
    """Yield elements that hold one row each: those of the page's regions, those called alike, those equally deep."""
    features = texts.features
    levels = [(one, other) for one in chains[0] for other in chains[1] if _are_alike(features, one, other)]
    known = {node for region in texts.page.regions() for record in region.records for node in record.nodes}
    levels.sort(key=lambda nodes: not known.issuperset(nodes))
    levels += zip(*chains, strict=False)
    for nodes in dict.fromkeys(levels):
        paths = [path_to(features, node) for node in nodes]
        if paths[0][-1].tag == paths[1][-1].tag:
            yield from _vary(features, _merge(paths))


def _find_uneven(features: PageFeatures, chains: Sequence[Sequence[int]]) -> Iterator[RecordPattern]:
    """Yield elements of one tag that hold one row each, one further in than the other: it is set apart."""
    for nodes in product(*chains):
        paths = [path_to(features, node) for node in nodes]
        if paths[0][-1].tag == paths[1][-1].tag and len(paths[0]) != len(paths[1]):
            yield from _vary(features, _merge(paths))


def _vary(features: PageFeatures, paths: Sequence[KindPath]) -> Iterator[RecordPattern]:
    """Yield patterns in which fewer names of the record and of what it stands in are needed.

    What they find more stands beside what the names find, not elsewhere on the page.
    """
    strict = _pattern(features, paths)
    beside = _around(features, strict)
    yield strict
    for bare in range(min(PARAMETERS.most_bare, len(paths[0]) - 1) + 1):
        for names in _name_sets(paths[0][-1].names):
            ways = [(*_bare(path[:-1], bare), Kind(path[-1].tag, names)) for path in paths]
            for tails in _tail_sets(features, ways):
                pattern = RecordPattern(tuple(ways), tails)
                if _around(features, pattern) >= beside and not _are_nested(find_records(features, pattern)):
                    yield pattern
        beside = int(features.up[beside])


def _around(features: PageFeatures, pattern: RecordPattern) -> int:
    """Return the innermost element around all records; the document where there are none."""
    records = [span.start for span in find_records(features, pattern)]
    return features.nodes.common_ancestor(features.nodes.parent[records]) if records else 0


def _are_nested(spans: Sequence[RecordSpan]) -> bool:
    """Whether a record stands in another one, as no row stands in a row."""
    return any(after.start < before.end for before, after in pairwise(spans))


def _tail_sets(features: PageFeatures, paths: Sequence[KindPath]) -> list[tuple[int, ...]]:
    """Return how far up the surroundings on each way may have to agree, the furthest first."""
    choices = [choose_tails(features, path) or [len(path)] for path in paths]
    most = max(map(len, choices))
    return [tuple(tails[min(number, len(tails) - 1)] for tails in choices) for number in range(most)]


def _pattern(features: PageFeatures, paths: Sequence[KindPath], run: Run | None = None) -> RecordPattern:
    """Return the pattern of what stands in the same surroundings as far as any on the page do."""
    tails = [next(iter(choose_tails(features, path)), len(path)) for path in paths]
    return RecordPattern(tuple(paths), tuple(tails), run)


def _bare(path: KindPath, count: int) -> KindPath:
    """Return a way whose last elements have no names."""
    kept = len(path) - count
    return (*path[:kept], *(Kind(kind.tag) for kind in path[kept:]))


def _name_sets(names: frozenset[str]) -> list[frozenset[str]]:
    """Return which of the names of both rows may be needed: all, each by itself, none; stripes and states are not."""
    single = [frozenset({name}) for name in sorted(names)] if len(names) > 1 else []
    return [names, *single, *([frozenset[str]()] if names else [])]


def _are_alike(features: PageFeatures, one: int, other: int) -> bool:
    """Whether two elements have the same tag and the same classes, and do have some."""
    kind = kind_of(features, one)
    return bool(kind.names) and kind == kind_of(features, other)


def _merge(paths: Sequence[KindPath]) -> list[KindPath]:
    """Return one way where two differ in classes only, else both, with only the classes of the last that both have."""
    tags = [[kind.tag for kind in path] for path in paths]
    if tags[0] == tags[1]:
        return [merge_paths(paths)]
    last = merge_kinds([path[-1] for path in paths])
    return [(*path[:-1], last) for path in paths]


def _chain(features: PageFeatures, row: PlacedRow, around: int) -> list[int]:
    """Return the elements below one that hold a row, the innermost last."""
    node, chain = features.nodes.common_ancestor([row.first, row.last]), []
    while node != around and node > 0:
        if features.is_element[node]:
            chain.append(node)
        node = int(features.up[node])
    return chain[::-1]


def _find_run(features: PageFeatures, around: int, rows: Sequence[PlacedRow]) -> Iterator[RecordPattern]:
    """Yield runs of siblings: the head is what the first label of both rows stands in."""
    children = shown_children(features, around)
    path = path_to(features, around)
    shared = [label for label in rows[0].nodes if all(label in row.nodes for row in rows)]
    options = []
    for label in shared:
        places = [bisect_right(children, row.nodes[label]) - 1 for row in rows]
        starts = [bisect_right(children, row.first) - 1 for row in rows]
        if min(places) < 0 or len(set(places)) < len(places):
            continue
        kinds = [kind_of(features, children[place]) for place in places]
        if len({kind.tag for kind in kinds}) > 1:
            continue
        lead = max(place - start for place, start in zip(places, starts, strict=True))
        ways = [tuple(kind.tag for kind in path_to(features, row.nodes[label])[len(path) + 1 :]) for row in rows]
        below = ways[0] if len(set(ways)) == 1 else ()
        options.append((lead, places[0], Run(merge_kinds(kinds), below, lead, len(children))))
    for _, _, run in sorted(options, key=lambda option: option[:2]):
        spans = cut_runs(features, around, run)
        if len(spans) < len(rows):
            continue
        sizes = [sum(span.start <= child < span.end for child in children) for span in spans[:-1]]
        longest = max(sizes, default=len(children))
        yield _pattern(features, [path], Run(run.head, run.below, run.lead, longest))


def _from_one(texts: PageTexts, row: PlacedRow) -> Iterator[RecordPattern]:
    """Yield the records that the page's regions, or repeated siblings around one row, make."""
    features = texts.features
    for region in texts.page.regions():
        spans = [(record.nodes[0], int(features.nodes.end[record.nodes[-1]])) for record in region.records]
        if any(start <= row.first and row.last < end for start, end in spans):
            yield from _from_region(features, [record.nodes for record in region.records], row)
    node = features.nodes.common_ancestor([row.first, row.last])
    while node > 0:
        path, parent = path_to(features, node), int(features.up[node])
        alike = [child for child in shown_children(features, parent) if kind_of(features, child) == path[-1]]
        if len(alike) > 1 and features.is_element[node]:
            yield _pattern(features, [path])
        node = parent


def _from_region(features: PageFeatures, records: Sequence[tuple[int, ...]], row: PlacedRow) -> Iterator[RecordPattern]:
    """Yield what the records of a region look like."""
    if all(len(record) == 1 for record in records):
        own = next(record[0] for record in records if record[0] <= row.first < features.nodes.end[record[0]])
        ways: dict[tuple[str, ...], list[KindPath]] = {}
        for record in records:
            path = path_to(features, record[0])
            ways.setdefault(tuple(kind.tag for kind in path), []).append(path)
        tag = features.nodes.tag[own]
        yield _pattern(features, [merge_paths(paths) for paths in ways.values() if paths[0][-1].tag == tag])
        yield _pattern(features, [path_to(features, own)])
        return
    heads = [kind_of(features, record[0]) for record in records]
    container = int(features.up[records[0][0]])
    if len({kind.tag for kind in heads}) == 1:
        longest = max(map(len, records))
        head: Kind = merge_kinds(heads)
        yield _pattern(features, [path_to(features, container)], Run(head, (), 0, longest))
