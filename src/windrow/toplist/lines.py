"""The page as lines of text, one entry a block: what list items are looked for in.

A line is what stands between two breaks of the visible text. Its columns say which block holds it, by which tag path
it is reached, how it is set off, whether a number leads it, and whether it stands beside the content.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.nodes import Kind
from windrow.toplist.labels import Label, read_label

if TYPE_CHECKING:
    from windrow.geometry import Mask
    from windrow.nodes import Nodes
    from windrow.toplist.language import Language

INLINE = frozenset({"", "inline", "inline-block", "inline-flex", "inline-grid", "contents", "none"})
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BOLD = frozenset({"b", "strong"})
BOLD_WEIGHT = 600
BESIDE_TAGS = frozenset({"nav", "footer", "aside", "form", "button", "select", "dialog"})
NEUTRAL = frozenset({"div", "span", "section", "article", "figure", "header", "main", "center"})
CONTAINERS = frozenset({"div", "section", "ul", "ol", "li", "table", "article"})
LONGEST_ENDER = 200
FIRST_WORD = re.compile(r"[\s:,.!?]")
LARGE = 0.2
"""Share of the text beyond which a part is content, whatever its name says."""
BESIDE_ROLES = frozenset({"navigation", "contentinfo", "complementary", "search", "dialog", "menu", "banner"})
BESIDE = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|footer|sidebar|side-bar|menu|breadcrumbs?|toc|ez-toc|related|comments?|"
    r"respond|share|sharing|social|newsletter|subscribe|cookie|modal|popup|promo|recirc|recommended|"
    r"recommendations|outbrain|taboola|pagination|author-box|post-nav|mega-menu|you-may-like|read-next|more-stories|"
    r"latest|popular|trending|tags|banner)(?:$|[\s_-])|(?:^|\s)widget(?:$|\s)|table-of-contents|tableofcontents|lwptoc|rank-math-toc",
    re.IGNORECASE,
)
LABEL_BELOW = re.compile(r"(?:#|№|[Nn]o\.?\s?)(\d{1,3})\s+(?:of|out of)\s+\d{1,3}\b")
""""#3 of 21" under a name."""
Ids = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Lines:
    """Columns, one entry a line, in the order of the page."""

    nodes: Nodes
    texts: list[str]
    start: Ids
    """Where the line begins in the page's visible text."""
    first: Ids
    """The first text node of each line."""
    last: Ids
    """The last text node of each line."""
    language: Language

    def __len__(self) -> int:
        """Count the lines."""
        return len(self.texts)

    @cached_property
    def block(self) -> Ids:
        """The block element that each line stands in."""
        return nearest(self.nodes, ~self.nodes.display.is_in(INLINE), self.first)

    @cached_property
    def path(self) -> Ids:
        """The tag path of each line's block, as a number."""
        return self._paths[0]

    @cached_property
    def similar_path(self) -> Ids:
        """The tag path of each line's block without the tags that only group, as a number."""
        return self._paths[1]

    @cached_property
    def _paths(self) -> tuple[Ids, Ids]:
        return _tag_paths(self.nodes, self.block)

    @cached_property
    def heading(self) -> Ids:
        """The heading element around each line; -1 for lines that are none."""
        return nearest(self.nodes, self.nodes.tag.is_in(frozenset(HEADINGS)), self.first)

    @cached_property
    def level(self) -> NDArray[np.int8]:
        """The level of each line's heading; 0 for lines that are none."""
        of_word = np.array(
            [HEADINGS.index(word) + 1 if word in HEADINGS else 0 for word in self.nodes.tag.words] + [0], dtype=np.int8
        )
        return np.where(self.heading >= 0, of_word[self.nodes.tag.codes[self.heading]], 0).astype(np.int8)

    @cached_property
    def item(self) -> Ids:
        """The list item around each line; -1 where there is none."""
        return nearest(self.nodes, self.nodes.tag.is_in(frozenset({"li", "dt"})), self.first)

    @cached_property
    def row(self) -> Ids:
        """The table row around each line; -1 where there is none."""
        return nearest(self.nodes, self.nodes.tag.is_in(frozenset({"tr"})), self.first)

    @cached_property
    def link(self) -> Ids:
        """The link around each line's first text; -1 where there is none."""
        return nearest(self.nodes, self.nodes.tag.is_in(frozenset({"a"})), self.first)

    @cached_property
    def bold_nodes(self) -> Mask:
        """Which nodes stand in bold."""
        if self.nodes.layout:
            return np.asarray(self.nodes.layout.font_weight >= BOLD_WEIGHT)
        return self.nodes.inside(self.nodes.tag.is_in(BOLD))

    @cached_property
    def bold(self) -> Mask:
        """Which lines begin in bold."""
        return np.asarray(self.bold_nodes[self.first])

    @cached_property
    def beside(self) -> Mask:
        """Which lines stand in what surrounds the content: navigation, footers, comments, promotion."""
        nodes = self.nodes
        mask = nodes.tag.is_in(BESIDE_TAGS)
        container = nodes.tag.is_in(CONTAINERS)
        for name in ("class", "id"):
            marked = {node: words for node, words in nodes.attributes.having(name).items() if container[node]}
            found = {words for words in set(marked.values()) if BESIDE.search(words)}
            mask[[node for node, words in marked.items() if words in found]] = True
        roles = nodes.attributes.having("role")
        mask[[node for node, role in roles.items() if role in BESIDE_ROLES]] = True
        # A wrapper that holds much of the page or its heading is no sidebar, whatever it is called.
        spans = nodes.spans
        mask &= (spans.end - spans.start) < LARGE * len(spans.text)
        for heading in nodes.tag.where("h1").tolist():
            mask &= ~((np.arange(len(nodes)) < heading) & (nodes.end > heading))
        return np.asarray(nodes.inside(mask)[self.first])

    @cached_property
    def labels(self) -> list[Label | None]:
        """The number that leads each line, be it alone on the line before."""
        found = [read_label(text, self.language) for text in self.texts]
        for place, label in enumerate(found[:-1]):
            if label and not label.rest and found[place + 1] is None:
                found[place + 1] = Label(label.number, 0, self.texts[place + 1], label.word)
        for place, text in enumerate(self.texts[1:]):
            if (later := LABEL_BELOW.match(text)) and found[place] is None:
                found[place], found[place + 1] = Label(int(later[1]), 2, self.texts[place]), None
        return [label if label and label.rest else None for label in found]

    @cached_property
    def ender(self) -> list[bool]:
        """Which lines are headings of the article and no items: a conclusion, a question, a promotion, a bonus."""
        enders, bonus = self.language.enders, self.language.bonus
        first_words = {ender.split(" ", 1)[0] for ender in (*enders, *bonus)}
        pattern = re.compile(rf"(?P<bonus>{_any_of(bonus)})|(?P<ender>{_any_of(enders)})(?!\w)")
        found = []
        for text, label in zip(self.texts, self.labels, strict=True):
            folded = (label.rest if label else text)[:LONGEST_ENDER].lower()
            match = pattern.match(folded) if FIRST_WORD.split(folded, maxsplit=1)[0] in first_words else None
            # What is numbered like the items is one, but for a bonus, or a conclusion and nothing else.
            whole = match is not None and (match["bonus"] or not label or match.end() == len(folded.rstrip(" :.!")))
            found.append(bool(whole))
        return found

    @cached_property
    def headings_before(self) -> list[list[int]]:
        """For each level, how many headings above that level stand before each line; 9 stands for all of them."""
        levels = self.level.astype(np.int64)
        above = [(levels > 0) & (levels < own) for own in range(10)]
        return [np.concatenate([[0], np.cumsum(mask)]).tolist() for mask in above]

    @cached_property
    def lengths(self) -> Ids:
        """Characters of each line."""
        return np.fromiter(map(len, self.texts), np.int64, len(self.texts))


def read_lines(nodes: Nodes, language: Language) -> Lines:
    """Cut the visible text into lines and find the text nodes of each."""
    text = nodes.spans.text
    texts = text.split("\n")
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    start = np.concatenate([[0], np.cumsum(lengths + 1)[:-1]])
    kept = lengths > 0
    shown = np.flatnonzero((nodes.kind == Kind.TEXT) & nodes.visible & (nodes.spans.end > nodes.spans.start))
    begins = nodes.spans.start[shown]
    start, lengths = start[kept], lengths[kept]
    first = np.minimum(np.searchsorted(begins, start), max(len(shown) - 1, 0))
    last = np.searchsorted(begins, start + lengths) - 1
    if not len(shown):
        none = np.zeros(0, dtype=np.int64)
        return Lines(nodes, [], none, none, none, language)
    texts = [line for line in texts if line]
    return Lines(nodes, texts, start, shown[first], shown[np.maximum(last, first)], language)


def _any_of(phrases: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))


def nearest(nodes: Nodes, mask: Mask, starts: Ids) -> Ids:
    """Give for each of some nodes itself or its nearest ancestor that is in the mask; -1 where none is."""
    found = starts.astype(np.int64)
    open_ = np.flatnonzero(~mask[found])
    while len(open_):
        found[open_] = nodes.parent[found[open_]]
        open_ = open_[found[open_] >= 0]
        open_ = open_[~mask[found[open_]]]
    return found


def _tag_paths(nodes: Nodes, blocks: Ids) -> tuple[Ids, Ids]:
    """Give every block the number of its tag path, and of its path without the tags that only group.

    This is the one walk of TOPK's Algorithm 1: a node's path is its parent's and its own tag.
    """
    seen: dict[tuple[int, int], int] = {}
    alike: dict[tuple[int, int], int] = {}
    paths: dict[int, tuple[int, int]] = {-1: (-1, -1)}
    neutral = {code for code, word in enumerate(nodes.tag.words) if word in NEUTRAL}
    for node in _with_ancestors(nodes, blocks).tolist():
        code = int(nodes.tag.codes[node])
        above, beyond = paths[int(nodes.parent[node])]
        same = seen.setdefault((above, code), len(seen))
        paths[node] = same, beyond if code in neutral else alike.setdefault((beyond, code), len(alike))
    both = np.array([paths[block] for block in blocks.tolist()], dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _with_ancestors(nodes: Nodes, starts: Ids) -> Ids:
    """Give nodes and all their ancestors, in document order."""
    wanted = np.zeros(len(nodes), dtype=bool)
    level = np.unique(starts)
    while len(level):
        wanted[level] = True
        level = np.unique(nodes.parent[level])
        level = level[level >= 0]
        level = level[~wanted[level]]
    return np.flatnonzero(wanted)
