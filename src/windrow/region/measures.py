"""What the search for records knows of every node: how much stands in it, what it is called, where it stands.

Everything is a column as long as the page. Highlighting (``em``, ``b`` …) is no structure, so it is looked through.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind
from windrow.nodes.boilerplate import find_boilerplate
from windrow.nodes.inline import FORMATTING_TAGS
from windrow.nodes.strikes import find_struck
from windrow.region.shapes import Shapes, read_shapes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.geometry import Mask
    from windrow.nodes import Nodes
    from windrow.nodes.columns import Counts, Ids

PICTURES = frozenset("img svg:svg picture video canvas object embed".split())
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
HIGHLIGHT_PARTS = ("hl", "hit", "hilite", "highlight", "match", "keyword", "search", "query")
HIGHLIGHT = re.compile(
    r"(?:^|[\s_-])(?:hl|hit-?text|hilite|highlight(?:ed)?|match(?:ed)?|keyword|search-?term|query)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""Classes of what was searched for; each holds one of the parts."""
STRIPES = frozenset("odd even alt alternate first last active selected row".split())
"""Classes of rows that are coloured by turns, or stand out: they say nothing of what a row is."""
DIGITS = re.compile(r"\d+")
ASIDE = ("navigation", "header", "footer", "sidebar", "filters")
"""The parts of a page in which lists are hardly ever what the page is about."""
NO_PAGES = re.compile(r"\s*(?:#(?![!/])|javascript:|mailto:|tel:)", re.IGNORECASE)
"""How addresses begin that are no other page's."""
MAIN_ROLES = frozenset({"main", "feed"})
LARGEST_ASIDE = 0.6
"""What holds more than this share of the page's text is the page, whatever it is called."""
LARGEST_DIALOG = 0.9
"""The same for dialogs: those that ask for consent may list more partners than the page has records."""


@dataclass(frozen=True, eq=False)
class PageMeasures:
    """The measures of one page; each is computed when first asked for."""

    nodes: Nodes

    @cached_property
    def chars(self) -> Counts:
        """Characters of visible text in each subtree."""
        spans = self.nodes.spans
        return (spans.end - spans.start).astype(np.int64)

    @cached_property
    def is_text(self) -> Mask:
        """Whether a node is a text that can be seen."""
        return np.asarray((self.nodes.kind == Kind.TEXT) & self.nodes.visible & (self.chars > 0))

    @cached_property
    def texts_in_order(self) -> NDArray[np.intp]:
        """The texts that can be seen, in document order."""
        return np.flatnonzero(self.is_text)

    @cached_property
    def is_picture(self) -> Mask:
        """Whether a node is a picture that can be seen."""
        return np.asarray(self.nodes.tag.is_in(PICTURES) & self.nodes.visible)

    @cached_property
    def is_link(self) -> Mask:
        """Whether a node is a link that leads somewhere."""
        found = np.zeros(len(self.nodes), dtype=bool)
        found[list(self.nodes.attributes.having("href"))] = True
        return found & self.nodes.tag.is_in({"a", "area"}) & self.nodes.visible

    @cached_property
    def content(self) -> Counts:
        """Texts and pictures in each subtree."""
        return self.nodes.sum_inside(self.is_text | self.is_picture)

    @cached_property
    def texts(self) -> Counts:
        """Texts in each subtree."""
        return self.nodes.sum_inside(self.is_text)

    @cached_property
    def pictures(self) -> Counts:
        """Pictures in each subtree."""
        return self.nodes.sum_inside(self.is_picture)

    @cached_property
    def links(self) -> Counts:
        """Links in each subtree."""
        return self.nodes.sum_inside(self.is_link)

    @cached_property
    def ways(self) -> Counts:
        """Links in each subtree that lead to another page: buttons, too, are written as links."""
        hrefs = self.nodes.attributes.having("href")
        leading = self.is_link.copy()
        leading[[node for node, href in hrefs.items() if NO_PAGES.match(href)]] = False
        return self.nodes.sum_inside(leading)

    @cached_property
    def linked_texts(self) -> Counts:
        """Texts in each subtree that stand in a link."""
        return self.nodes.sum_inside(self.is_text & self.nodes.inside(self.is_link))

    @cached_property
    def headings(self) -> Counts:
        """Headings in each subtree."""
        return self.nodes.sum_inside(self.nodes.tag.is_in(HEADINGS) & (self.content > 0))

    @cached_property
    def is_head(self) -> Mask:
        """Whether a node heads what stands behind it: a heading, or a term that is described."""
        return self.nodes.tag.is_in(HEADINGS | {"dt"})

    @cached_property
    def in_term(self) -> Mask:
        """Whether a node is a term that is described, or stands in one."""
        return self.nodes.inside(self.nodes.tag.is_in({"dt"}))

    @cached_property
    def in_heading(self) -> Mask:
        """Whether a node is a heading or stands in one."""
        return self.nodes.inside(self.nodes.tag.is_in(HEADINGS))

    @cached_property
    def aside(self) -> Mask:
        """Whether a node stands in navigation, a header, a footer, a sidebar, filters or a dialog."""
        dialogs = find_boilerplate(self.nodes, ["dialog"], LARGEST_DIALOG)
        return np.asarray(find_boilerplate(self.nodes, ASIDE, LARGEST_ASIDE) | dialogs)

    @cached_property
    def main(self) -> Mask:
        """Whether a node stands in what the page calls its main part."""
        return mark_main(self)

    @cached_property
    def is_formatting(self) -> Mask:
        """Whether a node only highlights: by its tag, as long as no class gives it a meaning, or by its class."""
        found = self.nodes.tag.is_in(FORMATTING_TAGS | {"br"})
        marked = self.nodes.classes.holding(HIGHLIGHT_PARTS, lambda name: bool(HIGHLIGHT.search(name)))
        by_class = found[marked] | self.nodes.tag.is_in({"span"})[marked]
        found[self.nodes.classes.nodes] = False
        found[marked] = by_class
        found[list(self.nodes.attributes.having("itemprop"))] = False
        return found

    @cached_property
    def holder(self) -> Ids:
        """The nearest ancestor that is no highlighting."""
        return np.asarray(self.nodes.nearest(~self.is_formatting)[np.maximum(self.nodes.parent, 0)])

    @cached_property
    def own_texts(self) -> Counts:
        """Texts that stand in each node directly, or in highlighting only."""
        return np.bincount(self.holder[self.texts_in_order], minlength=len(self.nodes))

    @cached_property
    def own_marks(self) -> Counts:
        """Highlighted parts that stand in each node directly."""
        marked = np.flatnonzero(self.is_formatting & (self.content > 0))
        return np.bincount(self.nodes.parent[marked], minlength=len(self.nodes))

    @cached_property
    def class_code(self) -> NDArray[np.int32]:
        """For each node, where its classes stand in ``class_names``."""
        return self._class_table[0]

    @cached_property
    def class_names(self) -> list[tuple[str, ...]]:
        """The classes that nodes have together, without numbers and stripes; the first is none at all."""
        return self._class_table[1]

    @cached_property
    def _class_table(self) -> tuple[NDArray[np.int32], list[tuple[str, ...]]]:
        lines = DIGITS.sub("", "\n".join(value.replace("\n", " ") for value in self.nodes.classes.distinct)).split("\n")
        numbers: dict[tuple[str, ...], int] = {(): 0}
        kept = (tuple(dict.fromkeys(name for name in line.split() if name not in STRIPES)) for line in lines)
        table = [numbers.setdefault(names, len(numbers)) for names in kept]
        code = np.zeros(len(self.nodes), dtype=np.int32)
        code[self.nodes.classes.nodes] = np.array(table, dtype=np.int32)[self.nodes.classes.codes]
        return code, list(numbers)

    @cached_property
    def struck(self) -> Mask:
        """Whether a node is struck through, by its tag or by the page's own styles."""
        return find_struck(self.nodes)

    @cached_property
    def roles(self) -> dict[int, str]:
        """The role of each node that has one."""
        return {node: value.strip().lower() for node, value in self.nodes.attributes.having("role").items()}

    @cached_property
    def cores(self) -> Ids:
        """For each node the first element from it down that holds more than one thing, or the last one there is."""
        return find_cores(self)

    @cached_property
    def shapes(self) -> Shapes:
        """The shape of every node."""
        return read_shapes(self)


def find_cores(measures: PageMeasures) -> Ids:
    """Follow each node down through elements that hold nothing else."""
    nodes = measures.nodes
    shown = np.flatnonzero((measures.content > 0) & ~measures.is_formatting)[1:]
    above = measures.holder[shown]
    core = np.arange(len(nodes), dtype=measures.holder.dtype)
    lone = (np.bincount(above, minlength=len(nodes))[above] == 1) & (nodes.kind[shown] == Kind.ELEMENT)
    core[above[lone]] = shown[lone]
    while True:
        further = core[core]
        if (further == core).all():
            return core
        core = further


def mark_main(measures: PageMeasures) -> Mask:
    """Mark everything that stands in the page's main part, where the page says which that is."""
    nodes = measures.nodes
    main = nodes.tag.is_in({"main"})
    main[[node for node, role in measures.roles.items() if role in MAIN_ROLES]] = True
    return nodes.inside(main)
