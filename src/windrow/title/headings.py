"""Headings, and what is only styled like one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.title.markup import Markup

MOST = 5
MOST_LOW = 3
MOST_DIVIDED = 2
"""Headings whose parts may be the title."""
TAGS = frozenset({"h1", "h2", "h3", "body"})
SHORTEST = 3
LONGEST = 250
ASTRAY = frozenset({"aside", "footer", "hidden", "logo"})
"""What no heading of the main content stands in."""
STYLED = ("title", "titel", "headline")
STYLED_WORDS = frozenset({"h1", "name", "fn"})
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

    @property
    def is_clear(self) -> bool:
        """Whether it stands in the main content."""
        return not self.around & ASTRAY


def read_headings(markup: Markup) -> list[Heading]:
    """Give the first headings of each of the upper three levels that are not empty.

    Lower ones are read only as far as they may matter: where one heading of the first level stands in the main content,
    just the first of the second level, and never those that stand astray.
    """
    found = _read_level(markup, 1, MOST)
    if sum(heading.is_clear for heading in found) == 1:
        return found + [heading for heading in _read_level(markup, 2, 1) if heading.is_clear]
    lower = _read_level(markup, 2, MOST) + _read_level(markup, 3, MOST_LOW)
    return found + [heading for heading in lower if heading.is_clear]


def _read_level(markup: Markup, level: int, most: int) -> list[Heading]:
    found: list[Heading] = []
    rank = 0
    for node in markup.telling[f"h{level}"][: 3 * most]:
        text = markup.text(node)
        if not text or len(text) > LONGEST:
            continue
        pieces = markup.pieces(node) if level == 1 and rank < MOST_DIVIDED else []
        around = markup.around(node)
        found.append(Heading(level, text, rank, around, tuple(pieces) if len(pieces) > 1 else ()))
        rank += "hidden" not in around
        if rank >= most:
            break
    return found


def read_styled(markup: Markup, classes: dict[int, str]) -> list[str]:
    """Give the texts of the first elements that are no headings, but whose class says title, headline or name."""
    found: dict[str, None] = {}
    styled = {names for names in set(classes.values()) if _is_styled(names.lower())}
    for node, names in classes.items():
        if names in styled and markup.tags[node] not in TAGS:
            text = markup.text(node) if _is_small(markup, node) else ""
            if SHORTEST <= len(text) < LONGEST and not markup.around(node) & {"hidden", "logo", "aside", "footer"}:
                found[text] = None
                if len(found) >= MOST_STYLED:
                    break
    return list(found)


def _is_styled(names: str) -> bool:
    return any(word in names for word in STYLED) or not STYLED_WORDS.isdisjoint(names.split())


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
