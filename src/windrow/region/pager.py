"""The next page of a list: what the pager calls next, or the number after the one that is not a link."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from windrow.region.columns import Columns
    from windrow.region.links import Addresses

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


def find_next_url(columns: Columns, addresses: Addresses, after: int) -> str | None:
    """Give the address of the next page; ``after`` is the node at which the list begins."""
    declared = _declared(columns, addresses)
    if declared is not None:
        return declared
    visible = [int(node) for node in addresses.linking if columns.nodes.visible[node]]
    scores = {node: score for node in visible if (score := _score(columns, node))}
    if scores:
        # Below the list rather than above it; of two, the first.
        best = max(scores, key=lambda node: (scores[node], node > after, -node))
        return addresses.links[best]
    return _following_number(columns, addresses, visible)


def _declared(columns: Columns, addresses: Addresses) -> str | None:
    """Take what the page itself calls the next one, by ``rel``."""
    linking = [node for node, rel in columns.nodes.attributes.having("rel").items() if "next" in rel.lower().split()]
    return next((address for node in linking if (address := addresses.pages[node])), None)


def _score(columns: Columns, node: int) -> int:
    """Say how clearly a link leads to the next page: 3 by its words, 2 by its arrow, 1 by its class; 0 not at all."""
    attributes = columns.nodes.attributes[node]
    text = columns.nodes.visible_text(node)
    for words in (text, attributes.get("aria-label", ""), attributes.get("title", "")):
        if len(words) <= LONGEST and WORDS.fullmatch(words.strip(TRIMMED)):
            return 3
    if text.strip() in ARROWS and text:
        return 2
    names = f"{attributes.get('class', '')} {attributes.get('id', '')}"
    return 1 if len(text) <= LONGEST and NAMES.search(names) and "prev" not in names.lower() else 0


def _following_number(columns: Columns, addresses: Addresses, visible: list[int]) -> str | None:
    """Find a row of page numbers in which one is no link, and take the link after it."""
    nodes = columns.nodes
    numbers = {
        node: int(text)
        for node in visible
        if (text := nodes.visible_text(node)).isdecimal() and len(text) < LONG_NUMBER
    }
    links = nodes.inside(columns.is_link)
    plain = [
        node for node in columns.texts_in_order.tolist() if not links[node] and nodes.text[node].strip().isdecimal()
    ]
    places = np.array(sorted(numbers), dtype=np.int64)
    for node in plain:
        current = int(nodes.text[node].strip()[:LONG_NUMBER])
        rank = int(np.searchsorted(places, node))
        near = places[max(rank - CLOSE, 0) : rank + CLOSE].tolist()
        values = {numbers[each] for each in near}
        following: int | None = next((each for each in near if each > node and numbers[each] == current + 1), None)
        if following is not None and (current == 1 or current - 1 in values) and len(values) > 1:
            return addresses.links[following]
    return None
