"""Headings, and what only looks like one: by its class, or by the largest letters on the first screen."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind
from windrow.title.sections import SECTION

if TYPE_CHECKING:
    from windrow.nodes import Handle
    from windrow.title.markup import Markup

TAGS = frozenset({"h1", "h2", "h3", "body"})
HOME = "home"
"""What a heading stands in that leads to the front page: the name of the site."""
ASTRAY = frozenset({"aside", "footer", "hidden", "logo", HOME, SECTION})
"""What no heading of the main content stands in."""
STYLED = ("title", "titel", "headline")
STYLED_WORDS = frozenset({"h1", "name", "fn"})


@dataclass(frozen=True)
class HeadingLimits:
    """What bounds the work; ours, each well above what pages with known titles need."""

    most: int = 5  # not a decision: bounds the work
    """Headings of the first and of the second level."""
    most_low: int = 3  # not a decision: bounds the work
    """Headings of the third level."""
    divided: int = 2
    """Headings whose parts may be the title."""
    styled: int = 6  # not a decision: bounds the work
    """Elements that are styled like a heading."""
    small: int = 12  # not a decision: bounds the work
    """Nodes in such an element: a title, not the box around a whole section."""
    large: int = 3  # not a decision: bounds the work
    """Texts in the largest letters."""
    shortest: int = 3
    longest: int = 250
    """Letters of a heading."""


LIMITS = HeadingLimits()


@dataclass(frozen=True)
class Heading:
    """A heading with what stands around it."""

    level: int
    text: str
    node: Handle
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
    """Return the first headings of each of the upper three levels that are not empty.

    Lower ones are read only as far as they may matter: where one heading of the first level stands in the main content,
    just the first of the second level, and never those that stand astray.
    """
    found = _read_level(markup, 1, LIMITS.most)
    if sum(heading.is_clear for heading in found) == 1:
        return found + [heading for heading in _read_level(markup, 2, 1) if heading.is_clear]
    lower = _read_level(markup, 2, LIMITS.most) + _read_level(markup, 3, LIMITS.most_low)
    return found + [heading for heading in lower if heading.is_clear]


def _read_level(markup: Markup, level: int, most: int) -> list[Heading]:
    found: list[Heading] = []
    rank = 0
    for node in markup.named(f"h{level}")[: 3 * most]:
        text = markup.text(node)
        if not text or len(text) > LIMITS.longest:
            continue
        pieces = markup.pieces(node) if level == 1 and rank < LIMITS.divided else []
        around = markup.around(node) | ({HOME} if level == 1 and markup.leads_home(node) else set())
        found.append(Heading(level, text, node, rank, around, tuple(pieces) if len(pieces) > 1 else ()))
        rank += "hidden" not in around
        if rank >= most:
            break
    return found


def read_styled(markup: Markup, classes: dict[Handle, str]) -> list[str]:
    """Return the texts of the first elements that are no headings, but whose class says title, headline or name."""
    found: dict[str, None] = {}
    styled = {names for names in set(classes.values()) if _is_styled(names.lower())}
    for node, names in classes.items():
        if names in styled and markup.elements.tag(node) not in TAGS:
            text = markup.text(node) if _is_small(markup, node) else ""
            if LIMITS.shortest <= len(text) < LIMITS.longest and not markup.around(node) & ASTRAY:
                found[text] = None
                if len(found) >= LIMITS.styled:
                    break
    return list(found)


def _is_styled(names: str) -> bool:
    return any(word in names for word in STYLED) or not STYLED_WORDS.isdisjoint(names.split())


def _is_small(markup: Markup, node: Handle) -> bool:
    """Whether an element holds only a few nodes: a title, not the box around a whole section."""
    return next(islice(markup.elements.walk(node), LIMITS.small - 1, None), None) is None


def read_large(markup: Markup) -> list[str]:
    """Return the texts of the largest letters above the fold, the largest first; none without a layout."""
    layout = markup.nodes.layout
    if layout is None:
        return []
    with np.errstate(invalid="ignore"):
        shown = (markup.nodes.kind == Kind.TEXT) & layout.visible & (layout.box[:, 1] < layout.viewport[1])
    nodes = np.flatnonzero(shown)
    order = nodes[np.argsort(-layout.font_size[nodes], kind="stable")]
    found: dict[str, None] = {}
    size = 0.0
    for node in order[: 8 * LIMITS.large].tolist():
        # A line in large letters may be several text nodes: their element says all of it.
        text = markup.text(markup.elements.parent(node))
        if LIMITS.shortest <= len(text) <= LIMITS.longest:
            if found and layout.font_size[node] < size:
                break
            size = float(layout.font_size[node])
            found[text] = None
    return list(found)[: LIMITS.large]
