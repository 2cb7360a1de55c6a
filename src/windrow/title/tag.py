"""The title tag as it is: what a browser shows on the page's tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.title.result import Candidate, Title

if TYPE_CHECKING:
    from windrow.nodes import Nodes


def find_tag_title(nodes: Nodes) -> Title:
    """Give the text of the first ``<title>`` of the page that is not empty, white space collapsed."""
    if text := read_tag(nodes):
        return Title(text, 1.0, (Candidate(text, 1.0, {"tag": 1.0}),))
    return Title("", 0.0, reason="The page has no title tag, or an empty one.")


def read_tag(nodes: Nodes) -> str:
    """Give the text of the first title tag that is not empty; titles of drawings are no titles of pages."""
    for node in nodes.tag.where("title").tolist():
        # What a title holds is one text node, right behind it.
        inside = node + 1 < len(nodes) and nodes.parent[node + 1] == node
        if inside and (text := " ".join(nodes.text[node + 1].split())):
            return text
    return ""
