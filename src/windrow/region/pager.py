"""The next page of a list: what the pager calls next, or the number after the one that is not a link."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from windrow.region.links import Links

WORDS = re.compile(
    r"(?:go to |show |view )?(?:the )?(?:next(?: page| results?| \d+)?|older(?: posts| entries)?|more results|"
    r"weiter|nächste(?: seite)?|suivante?s?|page suivante|siguiente|próxim[ao]|seguinte|successiv[ao]|avanti|volgende|"
    r"nästa|neste|næste|seuraava|następn[ay]|další|далее|следующая|вперед|次へ?|下一[页頁]|다음)",
    re.IGNORECASE,
)
ARROWS = frozenset("\u203a » > → \u276f ≫ ⟩ ▶ ►".split())
TRIMMED = "".join(ARROWS) + " \t\n\u00a0.:|"
NAMES = re.compile(
    r"(?:^|[^a-z])next(?:$|[^a-z])|(?:pager|pagination|page)[-_]?next|next[-_]?(?:page|link)", re.IGNORECASE
)
LONGEST = 40
"""A link with more characters is no pager's."""
LONG_NUMBER = 6
"""A number with so many digits is no page's."""
CLOSE = 12
"""How many links away from the next number the current one may stand."""


@dataclass(frozen=True, eq=False)
class Pager:
    """What could lead to the next page, for all lists of a page."""

    links: Links

    def find_next(self, after: int) -> str | None:
        """Give the address of the next page; ``after`` is the node at which the list begins."""
        if self.declared is not None:
            return self.declared
        if self.scores:
            # Below the list rather than above it; of two, the first.
            best = max(self.scores, key=lambda node: (self.scores[node], node > after, -node))
            return self.links.pages[best]
        return self.following

    @cached_property
    def declared(self) -> str | None:
        """What the page itself calls the next one, by ``rel``."""
        relations = self.links.columns.nodes.attributes.having("rel")
        linking = [node for node, rel in relations.items() if "next" in rel.lower().split()]
        return next((self.links.pages[node] for node in linking if node in self.links.pages), None)

    @cached_property
    def short(self) -> dict[int, str]:
        """The links that can be seen and say little, with what they say."""
        columns = self.links.columns
        linking = np.array(self.links.linking, dtype=np.intp)
        seen = linking[columns.nodes.visible[linking] & (columns.chars[linking] <= 2 * LONGEST)]
        texts = ((node, columns.nodes.visible_text(node)) for node in seen.tolist())
        return {node: text for node, text in texts if len(text) <= LONGEST}

    @cached_property
    def scores(self) -> dict[int, int]:
        """How clearly links lead to the next page: 3 by their words, 2 by their arrow, 1 by their class."""
        visible, attributes = self.links.columns.nodes.visible, self.links.columns.nodes.attributes
        found = self._named()
        found |= {node: 2 for node, text in self.short.items() if text.strip() in ARROWS}
        said = [*self.short.items()]
        for name in ("aria-label", "title"):
            labels = attributes.having(name).items()
            said += [(node, text) for node, text in labels if node in self.links.pages and visible[node]]
        found |= {node: 3 for node, text in said if len(text) <= LONGEST and WORDS.fullmatch(text.strip(TRIMMED))}
        return found

    def _named(self) -> dict[int, int]:
        called = (self.links.columns.classes, self.links.columns.ids)
        earlier = {node for names in called for node in names.holding(["prev"], bool).tolist()}
        found = [node for names in called for node in names.holding(["next"], _is_next).tolist()]
        return {node: 1 for node in found if node in self.short and node not in earlier}

    @cached_property
    def following(self) -> str | None:
        """The link after the number that is no link, in a row of page numbers."""
        numbers = {node: int(text) for node, text in self.short.items() if text.isdecimal() and len(text) < LONG_NUMBER}
        places = list(numbers)
        for node, current in self._plain_numbers() if numbers else []:
            rank = bisect_left(places, node)
            near = places[max(rank - CLOSE, 0) : rank + CLOSE]
            values = {numbers[each] for each in near}
            after = next((each for each in near if each > node and numbers[each] == current + 1), None)
            if after is not None and (current == 1 or current - 1 in values) and len(values) > 1:
                return self.links.pages[after]
        return None

    def _plain_numbers(self) -> list[tuple[int, int]]:
        """List the texts that are a number and no link."""
        columns = self.links.columns
        texts = columns.texts_in_order
        plain = texts[(columns.chars[texts] < LONG_NUMBER) & ~columns.nodes.inside(columns.is_link)[texts]]
        said = ((node, columns.nodes.text[node].strip()) for node in plain.tolist())
        return [(node, int(text)) for node, text in said if text.isdecimal()]


def _is_next(name: str) -> bool:
    return NAMES.search(name) is not None
