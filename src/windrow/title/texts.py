"""The short texts of a page, folded, and where each of them stands.

A page has a thousand texts and a title asks for a few of them, so what is done for every text is done in C.
"""

from __future__ import annotations

from collections import defaultdict
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
        return self._places.get(key, [])

    def find_within(self, whole: str) -> Iterator[tuple[str, Handle]]:
        """Yield the texts that a folded text has in it, each once with the first node where it stands."""
        return ((key, nodes[0]) for key, nodes in self._places.items() if key in whole)

    @cached_property
    def _places(self) -> dict[str, list[Handle]]:
        """The nodes where each text stands that is not empty."""
        places = defaultdict[str, list["Handle"]](list)
        for key, node in zip(self.keys, self.nodes, strict=True):
            places[key].append(node)
        places.pop("", None)
        return dict(places)


def read_texts(markup: Markup) -> tuple[list[str], StandingTexts]:
    """Return the short texts as the page has them, and where they stand, folded."""
    short, nodes = markup.elements.texts(range(LIMITS.shortest, LIMITS.longest + 1), CODE)
    return short, StandingTexts([fold_marks(text).casefold().strip() for text in short], nodes)
