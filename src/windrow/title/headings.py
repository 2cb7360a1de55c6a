"""Headings, and what is only styled like one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.title.markup import Markup

MOST = {"h1": 6, "h2": 6, "h3": 5}
LONGEST = 250
STYLED = re.compile(r"title|headline|titel|(?:^|[\s_-])(?:h1|name|fn)(?:$|[\s_-])", re.IGNORECASE)
MOST_STYLED = 6


@dataclass(frozen=True)
class Heading:
    """A heading with what stands around it."""

    level: int
    text: str
    rank: int
    """Which of its level it is; hidden ones are not counted."""
    around: frozenset[str]
    pieces: tuple[str, ...] = ()
    """The texts of its children, where there are several."""


def read_headings(markup: Markup) -> list[Heading]:
    """Give the first headings of each of the upper three levels that are not empty."""
    return [heading for level, tag in enumerate(MOST, 1) for heading in _read_level(markup, level, tag)]


def _read_level(markup: Markup, level: int, tag: str) -> list[Heading]:
    found: list[Heading] = []
    rank = 0
    for node in markup.nodes.tag.where(tag).tolist()[: 3 * MOST[tag]]:
        text = markup.text(node)
        if not text or len(text) > LONGEST:
            continue
        pieces = markup.pieces(node) if level == 1 else []
        around = markup.around(node)
        found.append(Heading(level, text, rank, around, tuple(pieces) if len(pieces) > 1 else ()))
        rank += "hidden" not in around
        if rank >= MOST[tag]:
            break
    return found


def read_styled(markup: Markup, classes: dict[int, str]) -> list[str]:
    """Give the texts of the first elements that are no headings, but whose class says title, headline or name."""
    found: dict[str, None] = {}
    styled = {names for names in set(classes.values()) if STYLED.search(names)}
    for node, names in classes.items():
        if names in styled and markup.tags[node] not in MOST and markup.tags[node] != "body":
            text = markup.text(node) if _is_small(markup, node) else ""
            if 2 < len(text) < LONGEST and not markup.around(node) & {"hidden", "logo", "aside", "footer"}:
                found[text] = None
                if len(found) >= MOST_STYLED:
                    break
    return list(found)


def _is_small(markup: Markup, node: int) -> bool:
    """Say whether an element holds only a few nodes: a title, not the box around a whole section."""
    reach = node + 12
    return reach >= len(markup.parent) or markup.parent[reach] < node


def read_crumbs(markup: Markup, classes: dict[int, str]) -> list[str]:
    """Give the last text of the first trail of breadcrumbs."""
    trails = {names for names in set(classes.values()) if "crumb" in names.lower()}
    for node, names in classes.items() if trails else ():
        if names in trails:
            texts = [markup.nodes.text[inner].strip() for inner in markup.inside(node) if not markup.tags[inner]]
            texts = [text for text in texts if len(text) > 1]
            if texts:
                return texts[-1:]
    return []
