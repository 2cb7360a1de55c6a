"""Where the items of a list lead: by the link of their name, by one that says it, or by their only one.

A link that is called as another item leads to that one. What the links of several items say alike ("Check price") is a
button, and words that most names of a list share tell none from another: with others beside them, they are another's.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.nodes import Nodes

Resolve = Callable[[str, int], str | None]
"""Makes an address absolute, given where it stands."""
NO_TARGET = ("#", "javascript:", "mailto:", "tel:")
WORD = re.compile(r"\w+")
MODEL = re.compile(r"[^\W\d]+\d+[^\W\d]*|\d+[^\W\d]+\d*")
"""A word of letters and figures, which says a lot however short it is."""


@dataclass(frozen=True)
class Parameters:
    """What calls an item; set by hand."""

    short_word: int = 3
    """Letters of words that say nothing beside longer ones."""
    called: float = 0.5
    """Share of another item's words from which on a link is called as that one."""


PARAMETERS = Parameters()


@dataclass(frozen=True, eq=False)
class ItemLinks:
    """The links of a list's items."""

    nodes: Nodes
    resolve: Resolve
    names: Sequence[str]
    reaches: Sequence[range]
    """The nodes of each item."""

    def find(self, item: int, line: range) -> str | None:
        """Return where an item leads, the line of its name being ``line``."""
        inside = self._find_inside(self.reaches[item])
        if found := [node for node in inside if node in line]:
            return self._lead(found[0])
        said = {node: self._say(node, item) for node in inside}
        best = max(inside, key=lambda node: said[node], default=None)
        if best is None:
            return None
        is_alone = len({self._links[node] for node in inside}) == 1
        return self._lead(best) if said[best] > 0 or (is_alone and min(said.values()) == 0) else None

    def _find_inside(self, reach: range) -> list[int]:
        return self._linking[bisect_left(self._linking, reach.start) : bisect_left(self._linking, reach.stop)]

    def _lead(self, node: int) -> str | None:
        return self.resolve(self._links[node], node)

    def _say(self, node: int, item: int) -> float:
        """Return the share of an item's words that a link says; less than nothing where it is called as another one."""
        text = _link_text(self.nodes, node)
        said = frozenset(_words(text))
        counts = Counter(each for word in said for each in self._called.get(word, ()))
        shares = {each: count / len(self._own[each]) for each, count in counts.items()}
        is_button = self._saying[text.casefold()] > 1
        if is_button:
            shares = {each: share for each, share in shares.items() if share == 1}
        own = shares.pop(item, 0.0)
        other = max(shares.values(), default=0.0)
        family = frozenset(filter(_is_telling, _words(self.names[item]))) - self._own[item]
        is_relative = not own and not is_button and bool(family) and family < said
        return -1.0 if is_relative or (other >= PARAMETERS.called and other > own) else own

    @cached_property
    def _links(self) -> dict[int, str]:
        """Where links lead to, by node, as far as out of the page."""
        anchors = self.nodes.tag.is_in({"a"})
        found = {node: href.strip() for node, href in self.nodes.attributes.having("href").items() if anchors[node]}
        return {node: href for node, href in found.items() if href and not href.lower().startswith(NO_TARGET)}

    @cached_property
    def _linking(self) -> list[int]:
        return sorted(self._links)

    @cached_property
    def _saying(self) -> Counter[str]:
        """In how many items links say each text."""
        return Counter(
            text
            for reach in self.reaches
            for text in {_link_text(self.nodes, node).casefold() for node in self._find_inside(reach)}
        )

    @cached_property
    def _own(self) -> list[frozenset[str]]:
        """The words that tell each item from the others; those that say something, where there are some."""
        words = [_words(name) for name in self.names]
        naming = Counter(word for each in words for word in set(each))
        own = [[word for word in each if 2 * naming[word] <= len(words)] or each for each in words]
        return [frozenset(filter(_is_telling, each)) or frozenset(each) for each in own]

    @cached_property
    def _called(self) -> Mapping[str, list[int]]:
        """The items that each word is one of."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for item, words in enumerate(self._own):
            for word in words:
                found[word].append(item)
        return found


def _words(text: str) -> list[str]:
    return WORD.findall(text.casefold())


def _is_telling(word: str) -> bool:
    return len(word) > PARAMETERS.short_word or MODEL.fullmatch(word) is not None


def _link_text(nodes: Nodes, node: int) -> str:
    spans = nodes.spans
    return spans.text[int(spans.start[node]) : int(spans.end[node])]
