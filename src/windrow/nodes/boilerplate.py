"""What stands beside the content: navigation, header, footer, sidebars, filters, forms, dialogs, comments, promotion.

Pages say it by tags, by roles, and by words in classes and ids. Readers choose which parts are none of theirs: a menu
is no list of records, but a list that is called latest may well be one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from windrow.nodes.inline import INLINE_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windrow.geometry import Mask
    from windrow.nodes.tree import Nodes


class Part(NamedTuple):
    """The tags, roles, and words in classes or ids by which a part of a page is known."""

    tags: str = ""
    roles: str = ""
    words: str = ""


PARTS = {
    "navigation": Part("nav", "navigation menu menubar", "nav navbar navigation menu breadcrumb breadcrumbs"),
    "header": Part("header", "banner"),
    "footer": Part("footer", "contentinfo", "footer"),
    "sidebar": Part("aside", "complementary", "sidebar side-bar"),
    "filters": Part("", "search", "filter filters facet facets refine"),
    "form": Part("form", "search"),
    "controls": Part("button select", words="modal popup newsletter subscribe"),
    "dialog": Part("dialog", "dialog alertdialog", "cookie cookies consent gdpr"),
    "contents": Part(words="toc lwptoc table-of-contents tableofcontents pagination"),
    "comments": Part(words="comment comments respond"),
    "promotion": Part(
        words="related share sharing social promo recirc recommended recommendations outbrain taboola latest popular "
        "trending tags banner author-box may-like read-next more-stories"
    ),
}
TELLS_OF_ITSELF = INLINE_TAGS | frozenset("h1 h2 h3 h4 h5 h6 p img svg:svg input body html".split())
"""Elements whose classes and ids say what they are themselves, not what stands in them."""


def find_landmarks(nodes: Nodes, parts: Iterable[str]) -> Mask:
    """Return which nodes stand in one of these parts of the page, by tags alone, whatever the part holds."""
    return nodes.inside(nodes.tag.is_in(frozenset(" ".join(PARTS[part].tags for part in parts).split())))


def find_boilerplate(nodes: Nodes, parts: Iterable[str], largest: float) -> Mask:
    """Return which nodes stand in one of these parts of the page.

    What holds the page's main heading, or as much of its text as the share ``largest``, is content, whatever it is
    called.
    """
    chosen = [PARTS[part] for part in parts]
    tags, roles, words = (frozenset(" ".join(each).split()) for each in zip(*chosen, strict=True))
    named = np.zeros(len(nodes), dtype=bool)
    for identifiers in (nodes.classes, nodes.ids):
        named[identifiers.called(words)] = True
    mask = nodes.tag.is_in(tags) | (named & ~nodes.tag.is_in(TELLS_OF_ITSELF))
    mask[[node for node, role in nodes.attributes.having("role").items() if role.strip().lower() in roles]] = True
    spans = nodes.spans
    mask &= (spans.end - spans.start) < largest * len(spans.text)
    mask &= nodes.sum_inside(nodes.tag.is_in({"h1"})) == 0
    return nodes.inside(mask)
