"""Candidate picker (TOPK, second stage): every list that a page might mean, as runs of lines.

Algorithm 1 groups the texts of one tag path and keeps the groups of exactly k. Real pages need more, so that a group is
also cut where sections end, cleared of what belongs to the article, followed by its numbers over several paths, and
joined with its like. Every candidate says which way it was found.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from windrow.toplist.lines import SHORT
from windrow.toplist.numbering import find_runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.toplist.lines import Lines

PLAIN = frozenset({"path", "similar path"})
"""Groups of any lines, paragraphs too."""
SENTENCE_ENDS = (".", "!", "?", ",", ";", "…", ":")
GUESSES = frozenset({"before an end", "first", "last", "second on"})
"""How k lines in a row of a longer group are chosen."""


@dataclass(frozen=True)
class Parameters:
    """How long candidates may be; set so that pages that drop or add a few items keep their list, not fitted."""

    fewest: int = 2
    least_share: float = 0.6
    """The least length of a list, as a share of k: pages drop items."""
    most_share: float = 1.4
    """The most: pages add items."""
    more: int = 2
    """How many more items than that a short list may have."""
    long: int = 50
    """The k from which on a page may show the first part of a list only."""
    least_of_long: int = 10
    """The least length of such a part: pages that show a long ranking in parts show at least ten at a time."""
    most_ends: int = 4
    """How many headings of the article are tried as the end of a list."""


PARAMETERS = Parameters()
Cut: TypeAlias = tuple[Sequence[int], str]
"""Some lines of a group, and how they were chosen."""


@dataclass(frozen=True)
class Candidate:
    """A list that the page might mean."""

    lines: tuple[int, ...]
    """Which line names each item."""
    way: str
    """How it was found."""
    whole: int
    """How many lines the group had before it was cut."""
    edges: tuple[int, int]
    """The lines of the group right before and after, where it was cut; -1 where none is."""

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.lines)

    @property
    def guessed(self) -> bool:
        """Whether nothing but the number k said where to cut."""
        return self.way.rpartition(", ")[2] in GUESSES


def find_candidates(lines: Lines, k: int) -> list[Candidate]:
    """Return all candidates of a page, each set of lines once, the simplest way of finding it first."""
    fewest, most = _count_range(k)
    groups: dict[tuple[int, ...], str] = {}
    found_groups = find_groups(lines)
    for members in _joined([tuple(group) for way, group in found_groups if way == "list"], k):
        groups.setdefault(members, "lists in a row")
    for way, group in found_groups:
        if len(group) >= fewest:
            groups.setdefault(tuple(group), way)
    found: dict[tuple[int, ...], Candidate] = {}
    for members, way in groups.items():
        for kept, cut in find_cuts(lines, members, k, set_off=way not in PLAIN):
            if fewest <= len(kept) <= most and (places := tuple(kept)) not in found:
                found[places] = Candidate(places, way + cut, len(members), _edges(places, members))
    return list(found.values())


def _joined(lists: list[tuple[int, ...]], k: int) -> Iterator[tuple[int, ...]]:
    """Join lists that follow each other and together have k items: one list under several headings."""
    for first in range(len(lists)):
        together: tuple[int, ...] = ()
        for following in lists[first:]:
            if (together and following[0] <= together[-1]) or len(together) + len(following) > k:
                break
            together += following
            if len(together) == k and together != following:
                yield together


def _edges(places: tuple[int, ...], members: tuple[int, ...]) -> tuple[int, int]:
    """Return the lines of a group that stand right before and after a part of it; -1 where none does."""
    if len(places) == len(members):
        return -1, -1
    first, last = bisect_left(members, places[0]), bisect_right(members, places[-1])
    return members[first - 1] if first else -1, members[last] if last < len(members) else -1


def begins_amid_numbers(lines: Lines, candidate: Candidate) -> bool:
    """Whether a candidate was cut off where its numbers go on from the line before: "2." after "1."."""
    before = candidate.edges[0]
    earlier, first = lines.labels[before] if before >= 0 else None, lines.labels[candidate.lines[0]]
    return earlier is not None and first is not None and 0 < earlier.number == first.number - 1


def _count_range(k: int) -> tuple[float, float]:
    """Return how few and how many items the promised list may have: pages drop and add, or show a part."""
    least = PARAMETERS.least_share * k if k < PARAMETERS.long else PARAMETERS.least_of_long
    return max(PARAMETERS.fewest, least), PARAMETERS.most_share * k + PARAMETERS.more


def find_groups(lines: Lines) -> list[tuple[str, list[int]]]:
    """Group lines that are alike: by tag path, by heading level, in bold, in lists, in tables."""
    inside = lines.in_content
    headings = np.flatnonzero((lines.level > 0) & _first_of(lines.heading) & inside)
    items = np.flatnonzero((lines.item >= 0) & _first_of(lines.item) & inside)
    bold = np.flatnonzero(lines.bold & (lines.level == 0) & inside)
    everywhere = np.flatnonzero(inside)
    set_off = [
        *((f"h{level}", headings[lines.level[headings] == level].tolist()) for level in range(1, 7)),
        ("headings", headings[lines.level[headings] > 1].tolist()),
        *(("heading path", members) for members in _by(lines.path, headings)),
    ]
    return [
        *set_off,
        *(("below", _below(lines, members)) for _, members in set_off),
        *(("list", members) for members in _by(lines.nodes.parent[lines.item], items)),
        *(("lists", members) for members in _by(lines.path, items)),
        *(("bold path", members) for members in _by(lines.path, bold)),
        ("bold", bold.tolist()),
        *(("path", members) for members in _by(lines.path, everywhere)),
        *(("similar path", members) for members in _by(lines.similar_path, everywhere)),
        *(("short", members) for members in _by(lines.path, np.flatnonzero(inside & _leads(lines)))),
        ("numbered", [place for place in everywhere.tolist() if lines.labels[place]]),
    ]


def _leads(lines: Lines) -> np.ndarray:
    """Return which plain lines may name what the longer line after them describes: short, and no sentence."""
    longer = np.zeros(len(lines), dtype=bool)
    longer[:-1] = lines.lengths[1:] > np.maximum(lines.lengths[:-1], SHORT)
    closed = np.fromiter((text.endswith(SENTENCE_ENDS) for text in lines.texts), bool, len(lines))
    return np.asarray(longer & ~closed & (lines.level == 0) & (lines.item < 0) & (lines.lengths <= SHORT))


def _below(lines: Lines, members: list[int]) -> list[int]:
    """Return the short lines right below headings: products under the award that they won."""
    below = np.array(members, dtype=np.int64) + 1
    below = below[below < len(lines)]
    short: list[int] = below[(lines.level[below] == 0) & (lines.lengths[below] <= SHORT)].tolist()
    return short


def _first_of(holder: np.ndarray) -> np.ndarray:
    """Return which lines are the first of what holds them."""
    change = np.ones(len(holder), dtype=bool)
    change[1:] = holder[1:] != holder[:-1]
    return change


def _by(key: np.ndarray, places: np.ndarray) -> Iterator[list[int]]:
    """Return the places that share a key, group by group in the order of their first."""
    groups: dict[int, list[int]] = {}
    for place, value in zip(places.tolist(), key[places].tolist(), strict=True):
        groups.setdefault(value, []).append(place)
    return (members for members in groups.values() if len(members) >= PARAMETERS.fewest)


def find_cuts(lines: Lines, members: tuple[int, ...], k: int, *, set_off: bool) -> Iterator[Cut]:
    """Cut one group in all the ways that real pages ask for; k in a row of lines that are set off from others."""
    yield members, ""
    labelled = [place for place in members if lines.labels[place]]
    if len(labelled) >= PARAMETERS.fewest:
        yield from _numbered(lines, labelled)
    kept = [place for place in members if not lines.article_heading[place]]
    yield kept, ", cleared"
    if len(members) > k:
        yield from _sections(lines, kept)
    if len(members) > k and set_off:
        yield from _windows(lines, members, kept, k)


def _numbered(lines: Lines, labelled: list[int]) -> Iterator[Cut]:
    """Follow the numbers of a group, with and without the headings of the article among them."""
    for run in find_runs([(place, label.number) for place in labelled if (label := lines.labels[place])]):
        yield run, ", numbered"
        yield [place for place in run if not lines.article_heading[place]], ", numbered"
    yield labelled, ", labelled"


def _sections(lines: Lines, members: list[int]) -> Iterator[Cut]:
    """Cut a group where a heading of a higher level, or another container, comes between."""
    above, containers = lines.headings_above, lines.container
    sections: list[list[int]] = []
    contained: dict[int, list[int]] = {}
    for place in members:
        if not sections or above[place][place] > above[place][sections[-1][-1] + 1]:
            sections.append([])
        sections[-1].append(place)
        contained.setdefault(containers[place], []).append(place)
    yield from ((run, ", section") for run in sections if len(run) >= PARAMETERS.fewest)
    yield from ((run, ", container") for run in contained.values() if len(run) >= PARAMETERS.fewest)


def _windows(lines: Lines, members: tuple[int, ...], kept: list[int], k: int) -> Iterator[Cut]:
    """Take k in a row: up to the first heading that ends the list, or from the first that could begin it."""
    ends = [at for at, place in enumerate(members) if lines.article_heading[place]]
    for end in (*ends[: PARAMETERS.most_ends], len(members)):
        if end >= k:
            yield members[end - k : end], ", before an end"
    if len(kept) > k:
        yield kept[:k], ", first"
        yield kept[-k:], ", last"
        if len(kept) > k + 1:
            yield kept[1 : k + 1], ", second on"
