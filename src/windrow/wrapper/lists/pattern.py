"""Which elements of a page are the records of a list: by what they are called, what they stand in, and their head.

A record is one element, or a run of siblings that begins with a head: a heading and its paragraph, a pair of rows.
On another page records are found by the same names in the same surroundings; where those are not there, there are none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from windrow.wrapper.page_features import TEXT, steady_class

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windrow.wrapper.page_features import PageFeatures

Names: TypeAlias = frozenset[str]


@dataclass(frozen=True)
class PatternParameters:
    """When an element is the learned one; set by principle."""

    shared: float = 0.5
    """Share of the learned names that an element around the records must have: states and pages come and go."""


PARAMETERS = PatternParameters()


@dataclass(frozen=True)
class RecordSpan:
    """A record on a page: the nodes from ``start`` up to ``end``, with paths counted from ``root``."""

    root: int
    """The record's element, or the one around the run of siblings that it is."""
    start: int
    end: int

    def holds(self, node: int) -> bool:
        """Whether a node stands in the record."""
        return self.start <= node < self.end


@dataclass(frozen=True)
class Kind:
    """What an element is called: its tag, its classes, and its id with a number sign before it."""

    tag: str
    names: Names = frozenset()

    def __str__(self) -> str:
        """Return it as a style sheet would have it."""
        return "".join([self.tag, *(name if name.startswith("#") else f".{name}" for name in sorted(self.names))])

    def fits(self, other: Kind) -> bool:
        """Whether an element is called enough like this."""
        shared = len(self.names & other.names)
        return self.tag == other.tag and shared >= PARAMETERS.shared * len(self.names)

    def to_list(self) -> list[str]:
        """Return what JSON can hold."""
        return [self.tag, *sorted(self.names)]

    @classmethod
    def from_list(cls, plain: Sequence[str]) -> Kind:
        """Return what ``to_list`` wrote."""
        return cls(str(plain[0]), frozenset(map(str, plain[1:])))


KindPath: TypeAlias = tuple[Kind, ...]


@dataclass(frozen=True)
class Run:
    """Records of several siblings: what the head of each is, where it begins, and how many siblings it has."""

    head: Kind
    below: tuple[str, ...]
    """The tags from the head down to the field by which it is known."""
    lead: int
    """How many siblings of the record stand before the head."""
    longest: int
    """How many siblings the longest record has; where the last one ends is not marked otherwise."""

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {"head": self.head.to_list(), "below": list(self.below), "lead": self.lead, "longest": self.longest}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Run:
        """Return what ``to_dict`` wrote."""
        below = tuple(map(str, plain["below"]))
        return cls(Kind.from_list(plain["head"]), below, int(plain["lead"]), int(plain["longest"]))


@dataclass(frozen=True)
class RecordPattern:
    """What the records of a list look like."""

    paths: tuple[KindPath, ...]
    """From the document down to a record, or to the element around runs; of the last, only names that all have.

    Several, where the pasted rows do not stand equally deep."""
    tails: tuple[int, ...]
    """How many elements from the record upwards must be called as learned, for each way.

    More than other lists of the learned page share with this one, so that they are not taken for it."""
    run: Run | None = None

    @property
    def place(self) -> str:
        """The way to a record as one line for people."""
        kinds = [*self.paths[0], *([self.run.head] if self.run else [])]
        return "/".join(map(str, kinds))

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        plain: dict[str, Any] = {
            "paths": [[kind.to_list() for kind in path] for path in self.paths],
            "tails": list(self.tails),
        }
        return plain | ({"run": self.run.to_dict()} if self.run else {})

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> RecordPattern:
        """Return what ``to_dict`` wrote."""
        run = Run.from_dict(plain["run"]) if "run" in plain else None
        paths = tuple(tuple(map(Kind.from_list, path)) for path in plain["paths"])
        return cls(paths, tuple(map(int, plain["tails"])), run)


def kind_of(features: PageFeatures, node: int) -> Kind:
    """Return what a node is called; ids with figures name one thing, not a kind."""
    if not features.is_element[node]:
        return Kind(TEXT)
    return Kind(features.nodes.tag[node], _names(features.classes.get(node, ""), features.ids.get(node, "")))


@lru_cache(maxsize=8192)
def _names(classes: str, own: str) -> Names:
    names = set(steady_class(classes).split())
    if own and not any(map(str.isdigit, own)):
        names.add(f"#{own}")
    return frozenset(names)


def path_to(features: PageFeatures, node: int) -> KindPath:
    """Return what the elements from the document down to a node are called."""
    path = []
    while node > 0:
        path.append(kind_of(features, node))
        node = int(features.up[node])
    return tuple(reversed(path))


def merge_kinds(kinds: Iterable[Kind]) -> Kind:
    """Return what several elements of one tag are called alike."""
    first, *others = kinds
    return Kind(first.tag, first.names.intersection(*(kind.names for kind in others)))


def merge_paths(paths: Sequence[KindPath]) -> KindPath:
    """Return what is alike on ways of the same length."""
    return tuple(merge_kinds(kinds) for kinds in zip(*paths, strict=True))


def find_records(features: PageFeatures, pattern: RecordPattern) -> list[RecordSpan]:
    """Return what on a page looks like the records, in document order."""
    found = sorted(
        {
            node
            for path, least in zip(pattern.paths, pattern.tails, strict=True)
            for node, tail in measure_tails(features, path).items()
            if tail >= least
        }
    )
    if pattern.run is not None:
        return [span for container in found for span in cut_runs(features, container, pattern.run)]
    end = features.nodes.end
    return [RecordSpan(node, node, int(end[node])) for node in found]


def has_container(features: PageFeatures, pattern: RecordPattern) -> bool:
    """Whether a page has the element around the records, be it without any: by its names, in the same surroundings."""
    for path, least in zip(pattern.paths, pattern.tails, strict=True):
        around, known = path if pattern.run else path[:-1], dict[tuple[int, int], int]()
        alike = features.nodes.tag.where(around[-1].tag).tolist() if around else []
        needed = max(1, least if pattern.run else least - 1)
        if any(_agreement(features, node, around, known) >= needed for node in alike):
            return True
    return False


def measure_tails(features: PageFeatures, path: KindPath) -> dict[int, int]:
    """Return the elements that are called like the last of a way, and how far up their surroundings agree with it."""
    last = path[-1]
    showing = features.showing(features.nodes.tag.where(last.tag).astype(np.intp)).tolist()
    alike = [node for node in showing if last.names <= kind_of(features, node).names]
    known: dict[tuple[int, int], int] = {}
    return {node: 1 + _agreement(features, int(features.up[node]), path[:-1], known) for node in alike}


def choose_tails(features: PageFeatures, path: KindPath) -> list[int]:
    """Return how far up surroundings may have to agree, the furthest first: a step wherever the page has others alike.

    At least up to the next element with a name, or up to the document where there is none.
    """
    around = reversed(path[:-1])
    least = next((number for number, kind in enumerate(around, 2) if kind.names), len(path))
    steps = sorted({tail for tail in measure_tails(features, path).values() if tail >= least}, reverse=True)
    return [lower + 1 for lower in steps[1:]] + [least] if steps else []


def _agreement(features: PageFeatures, node: int, path: KindPath, known: dict[tuple[int, int], int]) -> int:
    """Return how many elements from a node upwards are called as learned, without a gap."""
    chain: list[int] = []
    place = len(path)
    while node > 0 and place and (node, place) not in known:
        if not path[place - 1].fits(kind_of(features, node)):
            known[node, place] = 0
            break
        chain.append(node)
        node, place = int(features.up[node]), place - 1
    count = known.get((node, place), 0)
    for below in reversed(chain):
        place, count = place + 1, count + 1
        known[below, place] = count
    return count


def cut_runs(features: PageFeatures, container: int, run: Run) -> list[RecordSpan]:
    """Cut the children of an element into records, each from its head up to the next one."""
    children = shown_children(features, container)
    starts = [
        place - run.lead for place, child in enumerate(children) if place >= run.lead and _is_head(features, child, run)
    ]
    end = features.nodes.end
    if not starts:
        return []
    ends = [*starts[1:], min(len(children), starts[-1] + run.longest)]
    return [
        RecordSpan(container, children[start], int(end[children[stop - 1]]))
        for start, stop in zip(starts, ends, strict=True)
    ]


def _is_head(features: PageFeatures, child: int, run: Run) -> bool:
    kind = kind_of(features, child)
    return kind.tag == run.head.tag and run.head.names <= kind.names and holds_way(features, child, run.below)


def holds_way(features: PageFeatures, node: int, tags: Sequence[str]) -> bool:
    """Whether some tags lead from a node down to something that shows a text."""
    level = [node]
    for tag in tags:
        level = [
            int(child)
            for parent in level
            for child in features.nodes.children(parent).tolist()
            if (features.nodes.tag[child] if features.is_element[child] else TEXT) == tag
            and features.last_text[child] > features.first_text[child]
        ]
    return bool(level)


def shown_children(features: PageFeatures, node: int) -> list[int]:
    """Return the children of an element that show something: texts, and elements with texts or pictures."""
    children = features.nodes.children(node)
    shown = features.is_element[children] | features.is_text[children]
    return [int(child) for child in children[shown].tolist() if features.last_text[child] > features.first_text[child]]
