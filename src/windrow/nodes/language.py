"""The language that a page says its text is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.nodes.tree import Nodes


def find_language(nodes: Nodes, node: int) -> str:
    """Return the language tag of the nearest element around a node that has one, or an empty text."""
    said = nodes.attributes.having("lang")
    while node > 0:
        if node in said:
            return said[node].strip()
        node = int(nodes.parent[node])
    return ""
