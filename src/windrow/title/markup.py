"""A page's markup, read only where a title may stand: texts of single elements, and what surrounds them.

Columns over the whole page cost as much as parsing it, so texts and surroundings are looked up for the few elements
that matter, by walking down from them or up to the root.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind
from windrow.nodes.inline import INLINE_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windrow.nodes import Nodes

TEXT, COMMENT = int(Kind.TEXT), int(Kind.COMMENT)
UNSEEN = frozenset(
    ["title", "script", "style", "noscript", "template", "svg:title", "svg:desc", "svg:style", "svg:script"]
)
CONTROLS = frozenset({"button", "select", "textarea"})
"""What is seen, but is no part of the text around it."""
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
HIDDEN = frozenset({"hidden", "hide", "invisible"})
"""Classes that hide, where they stand alone."""
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
TELLING = frozenset({"title", "meta", "link", "script", "img", "h1", "h2", "h3", "h4", "h5", "h6"})
NEAR = 4
"""How many levels up attributes still say what an element is for."""


@dataclass(frozen=True, eq=False)
class Markup:
    """Plain lists of a page's tree, and attributes that are read once."""

    nodes: Nodes
    parent: list[int]
    kind: bytes
    tags: list[str]
    telling: dict[str, list[int]]
    """The elements that may tell a title, by tag, in document order."""
    words: dict[int, frozenset[str]]
    """What the attributes of an element say, once they were looked at."""

    def attributes(self, node: int) -> Mapping[str, str]:
        """Return the attributes of a node."""
        return self.nodes.attributes[node]

    def inside(self, node: int) -> Iterator[int]:
        """Yield the descendants of a node."""
        parent = self.parent
        for inner in range(node + 1, len(parent)):
            if parent[inner] < node:
                return
            yield inner

    def text(self, node: int) -> str:
        """Return the text of an element, white space collapsed; what is no inline element parts words.

        It ends at a control, since what stands on both sides of one is not one text.
        """
        parts, tags, parent, kind, text = [], self.tags, self.parent, self.kind, self.nodes.text
        unseen, begun = len(parent), False
        for inner in range(node + 1, len(parent)):
            if parent[inner] < node:
                break
            if parent[inner] >= unseen:
                continue
            unseen = len(parent)
            if tag := tags[inner]:
                if tag in UNSEEN or (tag in CONTROLS and not begun):
                    unseen = inner
                elif tag in CONTROLS:
                    break
                elif tag not in INLINE_TAGS:
                    parts.append(" ")
            elif kind[inner] == TEXT and not (tags[parent[inner]] == "a" and text[inner].strip() in PERMALINKS):
                parts.append(text[inner])
                begun = begun or not text[inner].isspace()
        return " ".join("".join(parts).split())

    def pieces(self, node: int) -> list[str]:
        """Return the texts of an element's children one by one."""
        found = []
        for inner in self.inside(node):
            if self.parent[inner] == node:
                text = self.text(inner) if self.tags[inner] else " ".join(self.nodes.text[inner].split())
                if text and self.tags[inner] not in UNSEEN | CONTROLS and self.kind[inner] != COMMENT:
                    found.append(text)
        return found

    def around(self, node: int) -> frozenset[str]:
        """Return what an element stands in: aside, footer, article, link, logo, title, or hidden."""
        found: set[str] = set()
        level = 0
        while node > 0 and (tag := self.tags[node]) != "body":
            if place := TAGS_AROUND.get(tag):
                found.add(place)
            if level < NEAR and (words := self._words(node)):
                found |= words - {"title"} if level else words
            node, level = self.parent[node], level + 1
        return frozenset(found)

    def leads_home(self, node: int) -> bool:
        """Whether an element stands in a link to a front page, or holds nothing but one."""
        inner = next((each for each in self.inside(node) if self.tags[each] == "a"), node)
        around = inner if self.tags[inner] == "a" and self.text(inner) == self.text(node) else node
        while around > 0 and self.tags[around] not in LINKS_END:
            around = self.parent[around]
        return self.tags[around] == "a" and HOME.fullmatch(self.attributes(around).get("href", "").strip()) is not None

    def _words(self, node: int) -> frozenset[str]:
        known = self.words.get(node)
        if known is None:
            known = self.words[node] = _read_words(self.attributes(node))
        return known


def read_markup(nodes: Nodes) -> Markup:
    """Lay a page's tree out in lists."""
    words = (*nodes.tag.words, "")
    tags = list(map(words.__getitem__, nodes.tag.codes.tolist()))
    telling: dict[str, list[int]] = {tag: [] for tag in TELLING}
    for node in np.flatnonzero(nodes.tag.is_in(TELLING)).tolist():
        telling[tags[node]].append(node)
    return Markup(nodes, nodes.parent.tolist(), nodes.kind.tobytes(), tags, telling, {})


def _read_words(attributes: Mapping[str, str]) -> frozenset[str]:
    """Return what the class, id and style of an element tell of its place."""
    if not attributes:
        return NOTHING
    names = f"{attributes.get('class', '')} {attributes.get('id', '')}".lower()
    found = set()
    if len(names) > 1:
        found = _read_names(names)
        if found - {"title"}:
            found = _read_names(MISLEADING.sub("", names))
        if not HIDDEN.isdisjoint(names.split()):
            found.add("hidden")
    style = attributes.get("style", "")
    if "hidden" in attributes or (style and HIDING_STYLE.search(style)):
        found.add("hidden")
    return frozenset(found)


def _read_names(names: str) -> set[str]:
    return {place for place, words in WORDS_AROUND.items() if words.search(names)}


def read_tag(nodes: Nodes) -> str:
    """Return the text of the first title tag that is not empty; titles of drawings are no titles of pages."""
    node = find_tag(nodes)
    return " ".join(nodes.text[node].split()) if node else ""


def find_tag(nodes: Nodes) -> int:
    """Return the text node in the first title tag that is not empty; 0 where there is none."""
    for node in nodes.tag.where("title").tolist():
        # What a title holds is one text node, right behind it.
        if node + 1 < len(nodes) and nodes.parent[node + 1] == node and nodes.text[node + 1].split():
            return int(node) + 1
    return 0
