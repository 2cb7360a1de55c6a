"""What a page strikes through by its own styles: an old price, which stands beside the one that holds.

Without a browser only the page itself is read: the styles of its elements, and its style sheets that stand in it. Of
these the rules for a class count, wherever elements of that class stand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.nodes import Nodes

STRIKING = "line-through"
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
CLASSED = re.compile(r"[\w-]*\.([\w-]+)")
"""A selector's last part: a class, of any elements or of those of a tag."""


def find_struck_classes(nodes: Nodes) -> set[str]:
    """Return the classes that the style sheets in a page strike through."""
    names = set[str]()
    for sheet in nodes.tag.where("style").tolist():
        text = "".join(nodes.text[node] for node in range(sheet, int(nodes.end[sheet])))
        if STRIKING not in text:
            continue
        for selectors, declarations in RULE.findall(text):
            if STRIKING in declarations:
                last = [selector.split()[-1] for selector in selectors.split(",") if selector.strip()]
                names.update(found[1] for selector in last if (found := CLASSED.fullmatch(selector)))
    return names
