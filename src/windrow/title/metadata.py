"""What a page says of itself to machines: meta tags, JSON-LD and microdata."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windrow.title.markup import Markup

SITE_TYPES = frozenset(
    ["website", "organization", "corporation", "newsmediaorganization", "onlinestore", "onlinebusiness"]
)
PAGE_TYPES = frozenset(
    [
        "webpage",
        "collectionpage",
        "aboutpage",
        "contactpage",
        "itempage",
        "faqpage",
        "profilepage",
        "searchresultspage",
        "checkoutpage",
        "qapage",
        "realestatelisting",
        "medicalwebpage",
    ]
)
HELPER_TYPES = frozenset(
    [
        "breadcrumblist",
        "listitem",
        "itemlist",
        "imageobject",
        "searchaction",
        "person",
        "review",
        "rating",
        "aggregaterating",
        "offer",
        "comment",
        "sitenavigationelement",
        "postaladdress",
        "question",
        "answer",
        "videoobject",
        "brand",
        "propertyvalue",
        "contactpoint",
        "howtostep",
        "speakablespecification",
        "readaction",
        "entrypoint",
        "place",
        "country",
    ]
)
WITHIN = frozenset({"@graph", "mainentity", "mainentityofpage", "itemreviewed", "about"})
OWNERS = frozenset({"publisher", "ispartof", "provider", "sourceorganization", "copyrightholder"})
LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
NAMING = frozenset({"name", "headline"})
"""Properties of an item that name it."""


@dataclass(frozen=True)
class MetadataLimits:
    """What bounds the work; ours, each far above what pages have."""

    depth: int = 6  # not a decision: bounds the work
    """Levels of JSON-LD."""
    items: int = 200  # not a decision: bounds the work
    """Names in microdata that are looked at."""


LIMITS = MetadataLimits()


@dataclass(frozen=True)
class Thing:
    """Something that structured data names."""

    kind: str
    """``article``, ``page``, ``site`` or ``thing``."""
    text: str


def read_metas(markup: Markup) -> dict[str, list[str]]:
    """Return the contents of the meta tags by name, property or itemprop in lower case, empty ones left out."""
    found: dict[str, list[str]] = {}
    attribute = markup.elements.attribute
    for node in markup.named("meta"):
        content = " ".join(attribute(node, "content").split())
        if content:
            for name in ("property", "name", "itemprop"):
                if key := attribute(node, name):
                    found.setdefault(key.strip().lower(), []).append(content)
    return found


def read_json(markup: Markup) -> list[Thing]:
    """Return what the page's JSON-LD names, in document order."""
    found: list[Thing] = []
    elements = markup.elements
    for node in markup.named("script"):
        if elements.attribute(node, "type").lower().strip() == "application/ld+json":
            body = next((elements.string(inner) or "" for inner, _ in elements.walk(node)), "")
            found += _walk(_load(body), 0) if "@type" in body else []
    return found


def read_items(markup: Markup) -> list[Thing]:
    """Return what microdata names: headlines, and names of items that stand in no other item."""
    properties = markup.elements.having("itemprop")
    named = [
        node
        for node, names in properties.items()
        if not NAMING.isdisjoint(names.lower().split()) and markup.elements.tag(node) != "meta"
    ]
    scopes = markup.elements.having("itemscope") if named else {}
    found: list[Thing] = []
    for node in named[: LIMITS.items]:
        scope = markup.elements.parent(node)
        while scope is not None and scope not in scopes:
            scope = markup.elements.parent(scope)
        if scope is not None and scope in properties:
            continue  # the item is a part of another
        kind = "" if scope is None else _kind_of(markup.attributes(scope).get("itemtype", ""))
        kind = "article" if "headline" in properties[node].lower() else kind
        if kind and (text := markup.text(node)):
            found.append(Thing(kind, text))
    return found


def _load(body: str) -> object:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(body.strip().removeprefix("<!--").removesuffix("-->"), strict=False)
    except (ValueError, RecursionError):
        return None


def _walk(value: object, depth: int) -> Iterator[Thing]:
    """Yield the things of a JSON-LD value, those of its graph and its main entity included."""
    if isinstance(value, list):
        for part in value:
            yield from _walk(part, depth + 1)
    if not isinstance(value, dict) or depth > LIMITS.depth:
        return
    yield from _own_names(value)
    for key, inner in value.items():
        if key.lower() in WITHIN:
            yield from _walk(inner, depth + 1)
        elif key.lower() in OWNERS and isinstance(inner, dict):
            yield from (Thing("site", text) for text in _texts(inner, "name"))


def _own_names(value: Mapping[str, Any]) -> Iterator[Thing]:
    types = value.get("@type", "")
    types = [kind for kind in (types if isinstance(types, list) else [types]) if isinstance(kind, str)]
    kind = next(filter(None, map(_kind_of, types)), "")
    if kind:
        for text in _texts(value, "headline"):
            yield Thing("article" if kind != "page" else "page", text)
        for text in _texts(value, "name"):
            yield Thing(kind, text)


def _kind_of(name: str) -> str:
    """Sort a schema type into the few kinds that matter here."""
    name = name.rpartition("/")[2].lower()
    if not name or name in HELPER_TYPES:
        return ""
    if name.endswith(("article", "posting", "report")):
        return "article"
    return "site" if name in SITE_TYPES else "page" if name in PAGE_TYPES else "thing"


def _texts(value: Mapping[str, Any], key: str) -> list[str]:
    text = value.get(key)
    if not isinstance(text, str) or not text.strip():
        return []
    # JSON can escape half a surrogate pair, which is no character and can't be written anywhere.
    return [" ".join(LONE_SURROGATE.sub("\ufffd", unescape(text)).split())]
