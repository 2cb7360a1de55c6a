"""Two skeletons side by side: what is equal at both ends, and whether the ways to the values are the same.

What lies between the equal ends is what changed. Beside a way, an element more or less counts, and so do neighbours
that changed places. A hidden one right in the body does not: scripts and extensions hang style sheets, drawings to copy
from and closed dialogs there, which come and go without a trace in what a reader sees. Deeper down, the template hides
its parts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from windrow.wrapper.template.skeleton import Skeleton

Span: TypeAlias = "tuple[int, int]"
"""Where an element of a skeleton begins, and where what follows it does."""


@dataclass(frozen=True, eq=False)
class Alignment:
    """Two skeletons side by side: what is equal at the beginning and at the end."""

    old: Skeleton
    new: Skeleton
    prefix: int
    suffix: int
    """Each is counted by itself: what was added may look like what stood there."""

    @property
    def growth(self) -> int:
        """How many elements there are more."""
        return len(self.new.tags) - len(self.old.tags)

    def carry(self, element: int) -> int | None:
        """Return an element of the old skeleton in the new one, with all that is in it; None where it changed."""
        options = []
        if element >= len(self.old.tags) - self.suffix:
            options.append(element + self.growth)
        if element < self.prefix:
            options.append(element)
        inside = self.old.subtree(element)
        return next((other for other in options if np.array_equal(inside, self.new.subtree(other))), None)


def align(old: Skeleton, new: Skeleton) -> Alignment:
    """Align two skeletons from both ends."""
    shorter = min(len(old.tags), len(new.tags))
    prefix = equal_start(old.codes[:shorter], new.codes[:shorter])
    suffix = equal_start(old.codes[::-1][:shorter], new.codes[::-1][:shorter])
    return Alignment(old, new, prefix, suffix)


def equal_start(one: NDArray[np.int64], other: NDArray[np.int64]) -> int:
    """Return how many are equal from the beginning."""
    unlike = np.flatnonzero(one != other)
    return int(unlike[0]) if len(unlike) else len(one)


def is_same_around(old: Skeleton, new: Skeleton, elements: Iterable[int]) -> bool:
    """Whether the ways to some elements of a skeleton lead through the same siblings to the same in another one.

    What the siblings hold may differ, as contents do, but they may not have changed places.
    """
    if not old.tags or not new.tags:
        return False
    steps: dict[int, tuple[list[Span], list[Span]]] = {}
    for element in set(elements):
        here = there = 0
        while here != element:
            if here not in steps:
                steps[here] = match_siblings((old, old.children(here)), (new, new.children(there)))
            siblings, others = steps[here]
            step = next((number for number, (start, end) in enumerate(siblings) if start <= element < end), None)
            if step is None:
                return False
            here, there = siblings[step][0], others[step][0]
        if not np.array_equal(old.subtree(element), new.subtree(there)):
            return False
    return True


def match_siblings(
    one: tuple[Skeleton, list[Span]], other: tuple[Skeleton, list[Span]]
) -> tuple[list[Span], list[Span]]:
    """Return the siblings of two skeletons that are each other's, one by one; none where they are others.

    Where some came or went, those that do not count are left aside.
    """
    tags, there = ([skeleton.tags[start] for start, _ in spans] for skeleton, spans in (one, other))
    if tags == there:
        shapes, new = (
            [skeleton.codes[start:end].tobytes() for start, end in spans] for skeleton, spans in (one, other)
        )
        are_swapped = shapes != new and sorted(shapes) == sorted(new)
        return ([], []) if are_swapped else (one[1], other[1])
    if Counter(tags) == Counter(there):
        return [], []
    counting, others = find_counting(*one), find_counting(*other)
    if [one[0].tags[start] for start, _ in counting] != [other[0].tags[start] for start, _ in others]:
        return [], []
    return counting, others


def find_counting(skeleton: Skeleton, siblings: list[Span]) -> list[Span]:
    """Return the siblings that count: right in the body, those that are not hidden; elsewhere all."""
    return [span for span in siblings if skeleton.depth[span[0]] > 1 or not skeleton.hidden[span[0]]]
