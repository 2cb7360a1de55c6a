"""How a page is built: its landmarks and headings as an outline, and how much of everything it has.

The outline is a flat list in document order with a depth at each entry, so that a page nested a thousand deep is no
different from any other.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.overlay import Mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.nodes import Nodes
    from windrow.page import Page

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
LANDMARKS = {"main": "main", "nav": "navigation", "aside": "complementary", "search": "search"}
PAGE_ENDS = {"header": "banner", "footer": "contentinfo"}
"""Landmarks only as long as they are the page's, not a part's."""
PARTS = frozenset({"article", "aside", "main", "nav", "section"})
ROLES = frozenset({*LANDMARKS.values(), *PAGE_ENDS.values(), "form", "region"})
DEFAULT_LEVEL = 2
"""Level of a heading that is one by its role only and does not say which."""
LONGEST_LABEL = 200
COUNTED = {
    "images": ("img",),
    "headings": HEADINGS,
    "tables": ("table",),
    "lists": ("ul", "ol", "dl"),
    "forms": ("form",),
}
MARKED = {
    "heading": HEADINGS,
    "table": ("table",),
    "list": ("ul", "ol", "dl"),
    "image": ("img", "svg:svg", "canvas", "video"),
    "form": ("form",),
}


@dataclass(frozen=True)
class Entry:
    """A landmark or a heading: how many landmarks it is in, its role, a heading's level, and its words."""

    depth: int
    role: str
    level: int | None
    text: str


def count_parts(page: Page) -> dict[str, int]:
    """Count nodes, and of some tags the elements."""
    counts = {name: len(page.nodes.tag.where(*tags)) for name, tags in COUNTED.items()}
    links = np.intersect1d(page.nodes.tag.where("a", "area"), list(page.nodes.attributes.having("href")))
    return {"nodes": len(page.nodes), "links": len(links), **counts}


def find_outline(page: Page) -> list[Entry]:
    """List the visible landmarks and headings in document order."""
    nodes = page.nodes
    found = list(_find_entries(nodes))
    landmarks = np.zeros(len(nodes), dtype=bool)
    landmarks[[node for node, _, level in found if level is None]] = True
    depth = nodes.count_around(landmarks) - landmarks
    labels = nodes.attributes.having("aria-label")
    return [
        Entry(int(depth[node]), role, level, _clip(labels.get(node, "") if level is None else nodes.visible_text(node)))
        for node, role, level in found
    ]


def structure_to_json(page: Page) -> dict[str, Any]:
    """Give counts and outline as plain values."""
    return {
        "rendered": page.rendered,
        "counts": count_parts(page),
        "outline": [asdict(entry) for entry in find_outline(page)],
    }


def find_marks(page: Page) -> list[Mark]:
    """Frame what structures the page: headings, tables, lists, images and forms, as far as they can be seen."""
    nodes, layout = page.nodes, page.nodes.layout
    if layout is None:
        return []
    marks = []
    for group, tags in MARKED.items():
        for node in nodes.tag.where(*tags).tolist():
            if nodes.visible[node]:
                left, top, right, bottom = layout.box[node].tolist()
                label = nodes.tag[node].removeprefix("svg:")
                marks.append(Mark((left, top, right, bottom), label, group, "dashed" if group == "list" else "solid"))
    return marks


def _find_entries(nodes: Nodes) -> Iterator[tuple[int, str, int | None]]:
    """Yield node, role and, for a heading, level."""
    roles = nodes.attributes.having("role")
    tagged = nodes.tag.is_in({*HEADINGS, *LANDMARKS, *PAGE_ENDS})
    in_part = nodes.inside(nodes.tag.is_in(PARTS))
    tagged[list(roles)] = True
    for node in np.flatnonzero(tagged & nodes.visible).tolist():
        tag, role = nodes.tag[node], roles.get(node, "").strip().lower()
        if role == "heading":
            said = nodes.attributes[node].get("aria-level", "")
            yield node, "heading", int(said) if said.isdecimal() and len(said) == 1 else DEFAULT_LEVEL
        elif role in ROLES:
            yield node, role, None
        elif role:
            continue
        elif tag in HEADINGS:
            yield node, "heading", int(tag[1])
        elif tag in LANDMARKS:
            yield node, LANDMARKS[tag], None
        elif not in_part[node]:
            yield node, PAGE_ENDS[tag], None


def _clip(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_LABEL else f"{words[: LONGEST_LABEL - 1]}…"
