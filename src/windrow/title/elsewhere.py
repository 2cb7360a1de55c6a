"""What other pages of the same site have in their titles and headings too: what does not change from page to page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from windrow.title.headings import read_headings
from windrow.title.likeness import fold
from windrow.title.markup import read_markup, read_tag
from windrow.title.segments import cut_segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.nodes import Nodes

PageNames: TypeAlias = tuple[str, ...]
"""The title tag of a page, then its headings of the first level."""
FEWEST = 3
"""Words that must end the tags of two pages to be their site's: fewer may end the names of two like things."""


@dataclass(frozen=True)
class Elsewhere:
    """What other pages say."""

    texts: frozenset[str] = frozenset()
    """The parts of their title tags and their first headings, folded."""
    tags: tuple[tuple[str, ...], ...] = ()
    """The words of their title tags, folded."""

    def __contains__(self, key: str) -> bool:
        """Return whether another page has a folded text."""
        return key in self.texts

    def own_part(self, tag: str) -> str:
        """Return a title tag without the parts that other pages begin with, and without the words that they end with.

        All of it where nothing would be left. Parts at the end stay: they are told as the site's by other means.
        """
        segments = cut_segments(tag)
        own = [place for place, part in enumerate(segments.parts()) if not self.texts or fold(part) not in self.texts]
        if not own:
            return tag
        rest = segments.run(own[0], len(segments) - 1)
        if not self.tags:
            return rest
        words = rest.split()
        keys = tuple(map(fold, words))
        shared = max(
            (_count_shared(keys, other) for other in self.tags if own[-1] == len(segments) - 1 and other != keys),
            default=0,
        )
        return " ".join(words[:-shared] if FEWEST <= shared < len(words) else words)


def find_page_names(nodes: Nodes) -> PageNames:
    """Return what a page tells the other pages of its site: its title tag, then its headings of the first level."""
    markup = read_markup(nodes)
    headings = (heading.text for heading in read_headings(markup) if heading.level == 1)
    return (read_tag(markup), *headings)


def read_elsewhere(others: Sequence[PageNames]) -> Elsewhere:
    """Return what other pages of a site have in their title tags and first headings."""
    found: set[str] = set()
    for tag, *headings in others:
        found.update(map(fold, cut_segments(tag).parts()))
        found.update(map(fold, headings))
    return Elsewhere(frozenset(found), tuple(tuple(map(fold, tag.split())) for tag, *_ in others))


def _count_shared(own: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words end both."""
    shared = 0
    for one, another in zip(reversed(own), reversed(other), strict=False):
        if one != another:
            break
        shared += 1
    return shared
