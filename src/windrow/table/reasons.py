"""Whether there is a reason to look for tables, asked of single elements before the columns of a page are made.

Most pages have nothing of which a grid could be made without boxes, and columns cost as much as parsing. There may be
a reason and no table, but no table without a reason: elements that can't be seen count, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.table.markup import DEFINITIONS, ROLES, TABLE
from windrow.table.preformatted import DRAWN
from windrow.table.repetition import may_repeat

if TYPE_CHECKING:
    from windrow.nodes.elements import Elements

MARKED = ("table", DEFINITIONS, *DRAWN)
IN_PLACE = "shadowrootmode"
"""What marks a template that is shown, in which no search finds anything."""
PLACING = ("table", "grid")
"""What a style attribute says that makes a table of an element: its display, or the columns of a grid."""


def has_reason(elements: Elements, calling: set[str]) -> bool:
    """Whether anything on a page that was not laid out may be a table; ``calling`` are classes of rows and cells."""
    return bool(
        any(map(elements.named, MARKED))  # one by one, for the parser has a list of each
        or any(elements.has(node, IN_PLACE) for node in elements.named("template"))
        or any(ROLES.get(role.strip().lower()) == TABLE for role in elements.having("role").values())
        or _is_placed(" ".join(set(elements.having("style").values())).lower())
        or (calling and may_repeat(elements, calling))
    )


def _is_placed(styles: str) -> bool:
    return any(word in styles for word in PLACING)
