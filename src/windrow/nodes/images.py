"""The address of the picture that a node shows, whether it is loaded at once, late, or chosen from several.

A picture that is loaded late has its address in an attribute of its own until a script moves it; meanwhile it shows a
placeholder, or nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windrow.nodes.tree import Nodes

SOURCES = {"xlink:href": ("svg:image",), "href": ("svg:image",), "src": ("img", "input"), "poster": ("video",)}
"""Which attribute names the picture, and on which elements."""
LATE = ("data-src", "data-lazy-src", "data-original", "data-lazy")
"""Where scripts that load pictures late find the address, the most usual first."""
LATE_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
"""Where several addresses stand, of which the browser or a script chooses one."""
PLACEHOLDER = re.compile(
    r"\s*(?:$|data:|about:|[^?#]*\b(?:blank|spacer|placeholder|transparent|pixel|loading|lazy|1x1)\b[^/?#]*\.\w+(?:[?#]|$))",
    re.IGNORECASE,
)
"""What stands in for a picture that is not loaded yet."""
ADDRESS = re.compile(r"\s*(?!data:)[^\s{}]+\s*$")
"""What can be an address; a template with braces is none."""
CANDIDATE = re.compile(r"[\s,]*(\S*[^\s,])(?:\s+(\d+(?:\.\d+)?)[wx])?\s*(?:,|$)")
"""An address in a set, with its width or density."""
REAL = re.compile(r"(?!https?://[^/]*\.invalid/)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
"""An absolute address, but not the made-up one under which a saved page is laid out."""


def find_images(nodes: Nodes) -> dict[int, str]:
    """Return the address of the picture that each node shows, as the page or the browser has it, in document order."""
    found: dict[int, str] = {}
    for name, tags in SOURCES.items():
        showing = nodes.tag.is_in(set(tags))
        found |= {
            node: source for node, source in nodes.attributes.having(name, *tags).items() if showing[node] and source
        }
    for node in nodes.tag.where("img").tolist():
        if PLACEHOLDER.match(found.get(node, "")) and (late := _find_late(nodes, node)):
            found[node] = late
    for node, source in nodes.layout.sources.items() if nodes.layout else ():
        if REAL.match(source) and not (node in found and PLACEHOLDER.match(source)):
            found[node] = source
    return dict(sorted(found.items()))


def _find_late(nodes: Nodes, node: int) -> str:
    """Return the address that will be shown in place of a placeholder; an empty one where there is none."""
    attributes = nodes.attributes[node]
    single = next((attributes[name] for name in LATE if ADDRESS.match(attributes.get(name, ""))), "")
    return single or _largest(attributes) or _find_in_picture(nodes, int(nodes.parent[node]))


def _find_in_picture(nodes: Nodes, around: int) -> str:
    """Return the first address that the sources of a ``picture`` offer."""
    if nodes.tag[around] != "picture":
        return ""
    offered = (_largest(nodes.attributes[child]) for child in nodes.children(around).tolist())
    return next(filter(None, offered), "")


def _largest(attributes: Mapping[str, str]) -> str:
    """Return the address of the largest picture in the first set that an element has."""
    for name in LATE_SETS:
        candidates = CANDIDATE.findall(attributes.get(name, ""))
        if usable := [(address, size) for address, size in candidates if ADDRESS.match(address)]:
            return str(max(usable, key=lambda candidate: float(candidate[1] or 1))[0])
    return ""
