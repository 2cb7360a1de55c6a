"""How a page is built: its landmarks and headings, and how much of everything it has.

The outline is a flat list in document order with a depth at each entry, so that a page nested a thousand deep is no
different from any other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.result import WRITTEN_BY_NEED, Box, Column, Data, Result, Source, SourceRows, read_data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.nodes import Nodes

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


@dataclass(frozen=True, slots=True)
class Entry:
    """A landmark or a heading: how many landmarks it is in, its role, a heading's level, and its words."""

    depth: int
    role: str
    level: int | None
    text: str
    node: int = -1


@dataclass(frozen=True, repr=False)
class Outline(Result, name="outline"):
    """The visible landmarks and headings in document order, and how much of everything there is."""

    entries: tuple[Entry, ...]
    counts: dict[str, int] = field(default_factory=dict)
    """Nodes, links, and of some kinds the elements."""
    rendered: bool = False
    confidence: float = 1.0
    """Always 1: the markup says it."""
    box: Box | None = None
    left_out: int = field(default=0, metadata=WRITTEN_BY_NEED)
    """Entries that go on behind these and were not read, since the page has more than may be read of it."""

    @property
    def lack(self) -> str:
        """What was left out, in a sentence; empty where nothing was. ``Limits.nodes`` says how much is read."""
        if not self.left_out:
            return ""
        return f"The outline has {self.left_out:,} more entries than the {len(self.entries):,} that were read."

    def __repr__(self) -> str:
        """Return the size of the outline in a line."""
        return f"<Outline of {len(self.entries):,} landmarks and headings>"

    @property
    def nodes(self) -> tuple[int, ...]:  # type: ignore[override] # follows from the entries
        """The landmarks and headings."""
        return tuple(entry.node for entry in self.entries)

    @cached_property
    def data(self) -> Data:
        """One row an entry."""
        columns = [
            Column("depth", "number", counted=True),
            Column("role", wordy=True),
            Column("level", "number", counted=True),
            Column("text", wordy=True),
        ]
        return read_data(columns, SourceRows(lambda: map(_to_sources, self.entries)))


def _to_sources(entry: Entry) -> list[tuple[Source, ...]]:
    return [
        (Source(str(entry.depth)),),
        (Source(entry.role),),
        (Source(str(entry.level)),) if entry.level is not None else (),
        (Source(entry.text, node=entry.node),),
    ]


def find_outline(nodes: Nodes, most: int) -> Outline:
    """Return the outline of a page, with so many entries at most."""
    all_found = list(_find_entries(nodes))
    found = all_found[:most]
    change = np.zeros(len(nodes) + 1, dtype=np.int32)
    for node, _, level in found:
        if level is None:
            change[node + 1] += 1
            change[nodes.end[node]] -= 1
    depth = np.cumsum(change)
    labels = nodes.attributes.having("aria-label")
    entries = tuple(
        Entry(
            int(depth[node]),
            role,
            level,
            _clip(labels.get(node, "") if level is None else nodes.visible_text(node)),
            node,
        )
        for node, role, level in found
    )
    left_out = len(all_found) - len(found)
    return Outline(entries, _count_parts(nodes), nodes.layout is not None, left_out=left_out)


def _count_parts(nodes: Nodes) -> dict[str, int]:
    counts = {name: len(nodes.tag.where(*tags)) for name, tags in COUNTED.items()}
    links = np.intersect1d(nodes.tag.where("a", "area"), list(nodes.attributes.having("href")))
    return {"nodes": len(nodes), "links": len(links), **counts}


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
