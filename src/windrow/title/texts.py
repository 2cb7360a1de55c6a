"""The short texts of a page, folded, and where each of them stands.

A page has a thousand texts and a title asks for a few of them, so what is done for every text is done in C.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from windrow.title.likeness import fold_marks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windrow.nodes import Handle
    from windrow.title.markup import Markup

CODE = frozenset({"script", "style"})


@dataclass(frozen=True)
class TextLimits:
    """Letters of the texts of the body that are looked at."""

    shortest: int = 2
    longest: int = 219  # not a decision: bounds the work


LIMITS = TextLimits()


@dataclass(frozen=True, eq=False)
class StandingTexts:
    """Texts in document order, folded, each with its node."""

    keys: Sequence[str] = ()
    nodes: Sequence[Handle] = ()

    def find(self, key: str) -> list[Handle]:
        """Return the nodes where a folded text stands, in document order."""
        if not key or key not in self._first:
            return []
        return [node for each, node in zip(self.keys, self.nodes, strict=False) if each == key]

    def find_within(self, whole: str) -> Iterator[tuple[str, Handle]]:
        """Yield the texts that a folded text has in it, each once with the first node where it stands."""
        first = self._first
        return ((key, first[key]) for key in dict.fromkeys(self.keys) if key and key in whole)

    @cached_property
    def _first(self) -> dict[str, Handle]:
        """The first node of each text: of equal keys a dictionary keeps the last, so it is filled from the end."""
        return dict(zip(reversed(self.keys), reversed(self.nodes), strict=True))


def read_texts(markup: Markup) -> tuple[list[str], StandingTexts]:
    """Return the short texts as the page has them, and where they stand, folded."""
    short, nodes = markup.elements.texts(range(LIMITS.shortest, LIMITS.longest + 1), CODE)
    return short, StandingTexts([fold_marks(text).casefold().strip() for text in short], nodes)
