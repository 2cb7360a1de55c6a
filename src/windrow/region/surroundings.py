"""Where on a page something stands: in its main part, or in navigation, headers, footers, sidebars and filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.geometry import Mask
    from windrow.region.columns import Columns

ASIDE_TAGS = frozenset({"nav", "header", "footer", "aside"})
ASIDE_ROLES = frozenset("navigation banner contentinfo complementary menu menubar search".split())
ASIDE_NAMES = frozenset(
    "nav navbar navigation menu footer sidebar breadcrumb breadcrumbs filter filters facet facets refine".split()
)
MAIN_ROLES = frozenset({"main", "feed"})
MOST = 0.6
"""What holds more than this share of the page's text is the page, whatever it is called."""


def mark_aside(columns: Columns) -> Mask:
    """Mark everything that stands beside the main part, by its tag, role, class or id."""
    nodes = columns.nodes
    aside = nodes.tag.is_in(ASIDE_TAGS)
    aside[[node for node, role in columns.roles.items() if role in ASIDE_ROLES]] = True
    for names in (columns.classes, columns.ids):
        aside[names.called(ASIDE_NAMES)] = True
    aside &= columns.chars < MOST * columns.chars[0]
    return nodes.inside(aside)


def mark_main(columns: Columns) -> Mask:
    """Mark everything that stands in the page's main part, where the page says which that is."""
    nodes = columns.nodes
    main = nodes.tag.is_in({"main"})
    main[[node for node, role in columns.roles.items() if role in MAIN_ROLES]] = True
    return nodes.inside(main)
