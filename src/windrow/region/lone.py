"""A list of one: the only record in something that is called a list.

Nothing is repeated there, so the page's own words must say what it is: a container called results, products, list …,
or a list element, with one child that holds several texts and a link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from windrow.region.columns import Columns

CONTAINERS = frozenset(
    (
        "results items products list listing listings entries posts hits cards feed offers records jobs threads topics"
    ).split()
)
"""Words in classes and ids that call something a list."""
CONTAINER_ROLES = frozenset({"list", "feed"})
TEXTS = 2
"""How many texts a lone record must have."""
CHARS = 20
"""How many characters a lone record must have."""


def find_lone_records(columns: Columns) -> list[tuple[int, int]]:
    """List parents that say that they are lists and have one child to show, with that child."""
    nodes = columns.nodes
    called = nodes.tag.is_in({"ul", "ol"})
    called[[node for node, role in columns.roles.items() if role in CONTAINER_ROLES]] = True
    for names in (columns.classes, columns.ids):
        called[names.called(CONTAINERS)] = True
    shown = np.flatnonzero(columns.content > 0)[1:]
    parent = nodes.parent[shown]
    count = np.bincount(parent, minlength=len(nodes))
    only = np.zeros(len(nodes), dtype=np.int64)
    only[parent] = shown
    fit = (columns.texts[only] >= TEXTS) & (columns.chars[only] >= CHARS) & (columns.links > 0)
    found = np.flatnonzero(called & (count == 1) & fit)
    return list(zip(found.tolist(), only[found].tolist(), strict=True))
