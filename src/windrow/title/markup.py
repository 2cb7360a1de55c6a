"""A page's markup, read only where a title may stand: texts of single elements, and what surrounds them.

Columns over the whole page cost as much as parsing it, so texts and surroundings are looked up for the few elements
that matter, by walking down from them or up to the root.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from windrow.nodes.inline import INLINE_TAGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windrow.nodes import Elements, Handle, Nodes

UNSEEN = frozenset(
    ["title", "script", "style", "noscript", "template", "svg:title", "svg:desc", "svg:style", "svg:script"]
)
CONTROLS = frozenset({"button", "select", "textarea"})
"""What is seen, but is no part of the text around it."""
UNSAID = UNSEEN | CONTROLS
PERMALINKS = frozenset("#¶§🔗")
"""What a link to a heading says that stands in it."""
HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
NOTHING: frozenset[str] = frozenset()
WORDS_AROUND = {
    place: re.compile("|".join(words))
    for place, words in {
        "logo": ("logo", "brand", "site-title", "site_title", "sitetitle", "site-name", "sitename", "masthead"),
        "aside": (
            "sidebar",
            "widget",
            "related",
            "recommend",
            "comment",
            "modal",
            "popup",
            "cookie",
            "consent",
            "newsletter",
            "subscribe",
            "login",
            "signin",
            "promo",
            "advert",
            "overlay",
            "dialog",
            "toolbar",
            "menu",
            "social",
            "search",
        ),
        "hidden": ("sr-only", "visually-hidden", "visuallyhidden", "screen-reader", "screenreader", "d-none"),
        "title": ("title", "headline", "heading"),
    }.items()
}
MISLEADING = re.compile(
    r"(?:^|(?<=\s))(?:elementor|category-|tag-|\S*\[)\S*"
    r"|(?:has|with|without|no|non)[-_]?(?:sidebar|widget|comment|search|menu|newsletter|popup)\S*"
    r"|(?:^|(?<=\s))\S+-(?:enabled|disabled)\b"
)
"""Names that say of a whole page what it has, how it is filed or what it was built with."""
LONGEST_KEPT = 200
"""Characters of names up to which it is kept what they tell, beyond the page that has them."""
HIDDEN = frozenset({"hidden", "hide", "invisible"})
"""Classes that hide, where they stand alone."""
HIDING = frozenset({"hidden"})
TAGS_AROUND = {
    "nav": "aside",
    "aside": "aside",
    "footer": "footer",
    "dialog": "aside",
    "article": "article",
    "main": "article",
    "a": "link",
}
HOME = re.compile(r"(?:\.?/|(?:https?:)?//[^/?#]+/?)(?:(?:index|default|home)\.\w{3,5})?", re.IGNORECASE)
"""The address of a front page: a heading that leads there is the name of the site."""
LINKS_END = frozenset({"a", "body", "html"})
NEAR = 4
"""How many levels up attributes still say what an element is for."""


@dataclass(frozen=True, eq=False)
class Markup:
    """A page's elements one by one, and what was read of their attributes."""

    nodes: Nodes
    elements: Elements
    words: dict[Handle, frozenset[str]]
    """What the attributes of an element say, once they were looked at."""
    places: dict[Handle, frozenset[str]]
    """What an element stands in by tags alone, likewise."""

    def named(self, tag: str) -> list[Handle]:
        """Return the elements of a tag, in document order."""
        return self.elements.named(tag)

    def attributes(self, node: Handle) -> Mapping[str, str]:
        """Return the attributes of a node."""
        return self.elements.attributes(node)

    def text(self, node: Handle) -> str:
        """Return the text of an element, white space collapsed; what is no inline element parts words.

        It ends at a control, since what stands on both sides of one is not one text.
        """
        elements, begun = self.elements, False
        strings = list(map(elements.string, elements.children(node)))
        if None not in strings and elements.tag(node) != "a":  # nothing but text, as most headings are
            return " ".join("".join(strings).split())  # type: ignore[arg-type]
        parts: list[str] = []
        unseen: set[Handle] = set()
        for inner, parent in elements.walk(node):
            if parent in unseen:
                unseen.add(inner)
            elif (text := elements.string(inner)) is not None:
                if not (text.strip() in PERMALINKS and elements.tag(parent) == "a"):
                    parts.append(text)
                    begun = begun or not text.isspace()
            elif tag := elements.tag(inner):
                if tag in UNSEEN or (tag in CONTROLS and not begun):
                    unseen.add(inner)
                elif tag in CONTROLS:
                    break
                elif tag not in INLINE_TAGS:
                    parts.append(" ")
        return " ".join("".join(parts).split())

    def pieces(self, node: Handle) -> list[str]:
        """Return the texts of an element's children one by one."""
        elements = self.elements
        found: list[str] = []
        for inner in elements.children(node):
            if elements.tag(inner) not in UNSAID:
                words = elements.string(inner)
                text = self.text(inner) if words is None else " ".join(words.split())
                if text:
                    found.append(text)
        return found

    def around(self, node: Handle) -> frozenset[str]:
        """Return what an element stands in: aside, footer, article, link, logo, title, or hidden."""
        found, within, elements = set(self._places(node)), node, self.elements
        for level in range(NEAR):
            if within is None or elements.tag(within) == "body":
                break
            words = self._words(within)
            found |= words - {"title"} if level else words
            within = elements.parent(within)
        return frozenset(found)

    def _places(self, node: Handle | None) -> frozenset[str]:
        """Return what the tags of an element and of all around it say, up to the body."""
        way = []
        while node is not None and node not in self.places and (tag := self.elements.tag(node)) != "body":
            way.append((node, TAGS_AROUND.get(tag)))
            node = self.elements.parent(node)
        found = self.places.get(node, NOTHING)
        for each, place in reversed(way):
            found = self.places[each] = found | {place} if place else found
        return found

    def leads_home(self, node: Handle) -> bool:
        """Whether an element stands in a link to a front page, or holds nothing but one."""
        elements = self.elements
        inner = next((each for each, _ in elements.walk(node) if elements.tag(each) == "a"), None)
        around = inner if inner is not None and self.text(inner) == self.text(node) else node
        while around is not None and (tag := elements.tag(around)) not in LINKS_END:
            around = elements.parent(around)
        if around is None or tag != "a":
            return False
        return HOME.fullmatch(self.attributes(around).get("href", "").strip()) is not None

    def link_around(self, node: Handle) -> str:
        """Return where the link leads that a text stands in, directly or in one element of it; empty without one."""
        parent = self.elements.parent(node)
        for around in (parent, self.elements.parent(parent)):
            if self.elements.tag(around) == "a":
                return self.elements.attribute(around, "href")
        return ""

    def is_in_link(self, node: Handle) -> bool:
        """Whether a text stands in a link, directly or in one element of it."""
        parent = self.elements.parent(node)
        return "a" in (self.elements.tag(parent), self.elements.tag(self.elements.parent(parent)))

    def _words(self, node: Handle) -> frozenset[str]:
        known = self.words.get(node)
        if known is None:
            known = self.words[node] = _read_words(self.elements, node)
        return known


def read_markup(nodes: Nodes) -> Markup:
    """Look at a page's elements."""
    return Markup(nodes, nodes.elements, {}, {})


def _read_words(elements: Elements, node: Handle) -> frozenset[str]:
    """Return what the class, id and style of an element tell of its place."""
    names = f"{elements.attribute(node, 'class')} {elements.attribute(node, 'id')}"
    read = _read_names if len(names) <= LONGEST_KEPT else _read_names.__wrapped__
    found = read(names.lower()) if len(names) > 1 else NOTHING
    style = elements.attribute(node, "style")
    is_hidden = elements.has(node, "hidden") or (style and HIDING_STYLE.search(style))
    return found | HIDING if is_hidden else found


@lru_cache(maxsize=1024)  # most elements are named like others, of the same page or of another of the site
def _read_names(names: str) -> frozenset[str]:
    found = _find_words(names)
    if found - {"title"}:
        found = _find_words(MISLEADING.sub("", names))
    return found if HIDDEN.isdisjoint(names.split()) else found | HIDING


def _find_words(names: str) -> frozenset[str]:
    return frozenset(place for place, words in WORDS_AROUND.items() if words.search(names))


def read_tag(markup: Markup) -> str:
    """Return the text of the first title tag that is not empty; titles of drawings are no titles of pages."""
    node = find_tag(markup)
    return "" if node is None else " ".join((markup.elements.string(node) or "").split())


def find_tag(markup: Markup) -> Handle | None:
    """Return the text node in the first title tag that is not empty; None where there is none."""
    for node in markup.named("title"):
        for inner, _ in markup.elements.walk(node):
            # What a title holds is one text node, right behind it.
            if (markup.elements.string(inner) or "").split():
                return inner
            break
    return None
