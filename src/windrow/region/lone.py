"""A list of one: the only record in something that is called a list.

Nothing is repeated there, so the page's own words must say what it is: a container called results, products, list …,
or a list element, with one child that holds several texts and a link.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.region.columns import Columns

CONTAINER = re.compile(
    r"\b(?:results|items|products|list|listings?|entries|posts|hits|cards|feed|offers|records|jobs|threads|topics)\b"
)
CONTAINER_ROLES = frozenset({"list", "feed"})
NAME_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+")
TEXTS = 2
"""How many texts a lone record must have."""
CHARS = 20
"""How many characters a lone record must have."""


def find_lone_records(columns: Columns) -> list[tuple[int, int]]:
    """List parents that say that they are lists and have one child to show, with that child."""
    nodes = columns.nodes
    named = {value for value in set(columns.class_values.values()) if is_container_name(value)}
    parents = {node for node, value in columns.class_values.items() if value in named}
    parents |= {node for node, value in nodes.attributes.having("id").items() if is_container_name(value)}
    parents |= {node for node, role in columns.roles.items() if role in CONTAINER_ROLES}
    parents |= set(nodes.tag.where("ul", "ol").tolist())
    found = []
    for parent in sorted(parents):
        if columns.texts[parent] < TEXTS or not columns.links[parent]:
            continue
        shown = [child for child in nodes.children(parent).tolist() if columns.content[child]]
        if len(shown) == 1 and columns.texts[shown[0]] >= TEXTS and columns.chars[shown[0]] >= CHARS:
            found.append((parent, shown[0]))
    return found


def is_container_name(value: str) -> bool:
    """Say whether a class or id calls something a list."""
    return CONTAINER.search(NAME_PARTS.sub(" ", value).lower()) is not None
