"""What columns are made of: kinds of nodes, columns of words, and the columns that only a browser can fill."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import IntEnum
from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from windrow.geometry import Boxes, Mask, Numbers
    from windrow.nodes.words import WordBoxes

Ids: TypeAlias = NDArray[np.int32]
Counts: TypeAlias = NDArray[np.int64]


class Kind(IntEnum):
    """What a node is, with the numbers of the DOM standard."""

    ELEMENT = 1
    TEXT = 3
    INSTRUCTION = 7
    COMMENT = 8
    DOCUMENT = 9
    DOCTYPE = 10
    FRAGMENT = 11
    """What is inside a template, or an open shadow tree in place."""


class Words:
    """A column of few distinct words, kept as one small number a node."""

    def __init__(self, codes: Ids, words: Sequence[str]) -> None:
        """Hold one code a node, an index into the words; -1 stands for no word."""
        self.codes = frozen(codes)
        self.words = tuple(words)

    @classmethod
    def of(cls, values: Sequence[str]) -> Words:
        """Return the column for a plain list, one word a node."""
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        return cls(np.fromiter(map(numbers.__getitem__, values), np.int32, len(values)), list(numbers))

    def __getitem__(self, node: int) -> str:
        """Return the word of one node, or an empty one."""
        code = self.codes[node]
        return self.words[code] if code >= 0 else ""

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.codes)

    def is_in(self, words: frozenset[str] | set[str]) -> Mask:
        """Whether the word of each node is one of these."""
        wanted = np.fromiter(map(words.__contains__, (*self.words, "")), bool, len(self.words) + 1)
        return np.asarray(wanted[self.codes])

    def where(self, *words: str) -> Ids:
        """Return the nodes whose word is one of these, in document order."""
        wanted = set(words)
        if wanted.isdisjoint(self.words):
            return np.zeros(0, dtype=np.int32)
        return np.flatnonzero(self.is_in(wanted)).astype(np.int32)

    def to_list(self) -> list[str]:
        """Return the words as a plain list, one a node."""
        words = (*self.words, "")
        return [words[code] for code in self.codes.tolist()]


class LateWords(Words):
    """A column of words that is computed when it is first asked for."""

    def __init__(self, make: Callable[[], Words]) -> None:
        """Keep the function that computes the column."""
        self._make = make

    def __getattr__(self, name: str) -> object:
        """Compute the column when a part of it is found missing."""
        if name not in {"codes", "words"}:
            raise AttributeError(name)
        made = self._make()
        self.codes, self.words = made.codes, made.words
        return getattr(made, name)


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines that the browser broke text nodes into: where each piece of text stands on the page."""

    node: Ids
    start: Ids
    """First character of the piece within the text as the browser shows it."""
    length: Ids
    box: Boxes

    def __post_init__(self) -> None:
        """Make the columns read-only."""
        freeze_columns(self)


@dataclass(frozen=True, eq=False)
class Layout:
    """What only a browser knows: one entry a node, as in ``Nodes``."""

    box: Boxes
    """Border box; for a text node the box around its lines. NaN for what is not laid out."""
    font_size: Numbers
    font_weight: NDArray[np.int16]
    color: NDArray[np.uint8]
    """Red, green, blue, alpha."""
    background: NDArray[np.uint8]
    display: Words
    position: Words
    preserved: Mask
    """Whether white space is shown as it stands in the source."""
    visible: Mask
    lines: Lines
    sources: Mapping[int, str]
    """The picture that the browser chose for a node that offers several."""
    viewport: tuple[int, int]
    words: WordBoxes | None = None
    """The boxes of single words, where they were asked for."""

    def __post_init__(self) -> None:
        """Make the columns read-only."""
        freeze_columns(self)
        object.__setattr__(self, "sources", MappingProxyType(self.sources))


def frozen(array: NDArray) -> NDArray:  # type: ignore[type-arg]
    """Make an array read-only, and return it."""
    array.flags.writeable = False
    return array


def freeze_columns(holder: object) -> None:
    """Make every array that an object holds read-only."""
    for value in vars(holder).values():
        if isinstance(value, np.ndarray):
            frozen(value)
