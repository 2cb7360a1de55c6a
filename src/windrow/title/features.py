"""What speaks for and against a candidate, in numbers between 0 and 1 (a few reach a little further)."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from windrow.title.address import to_letters
from windrow.title.evidence import fold

if TYPE_CHECKING:
    from windrow.title.candidates import Found
    from windrow.title.evidence import Evidence

GENERIC = frozenset(
    fold(word)
    for word in (
        "home|homepage|home page|welcome|index|main|main page|start|startseite|accueil|inicio|главная|首页|ホーム|トップページ|"
        "contact|contact us|contacts|contact information|contact info|kontakt|contacto|contactez-nous|our location|locations|location|"
        "about|about us|über uns|who we are|company|our company|company overview|overview|our team|team|history|"
        "menu|navigation|search|suche|news|blog|faq|services|our services|products|our products|testimonials|gallery|"
        "login|log in|sign in|register|sitemap|privacy policy|privacy|terms|404|error|untitled|untitled document|new page|"
        "article|page|details|profile|official site|official website|official web site|online shop|shop|store|reviews|review|"
        "comments|related|related articles|share|newsletter|subscribe|skip to content|main menu|categories|archives|tags|"
        "impressum|datenschutz|imprint|information|info|resources|support|help|directions|map|events|calendar|careers|jobs"
    ).split("|")
)
DIGITS = re.compile(r"\d")
DOMAIN = re.compile(r"\.(?:com|net|org|de|co\.uk|ca|info|biz)\b", re.IGNORECASE)
SITE = 0.7


def grams(text: str) -> frozenset[str]:
    return frozenset(map("".join, zip(text, text[1:], strict=False)))


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


class Context:
    """What is the same for all candidates of a page."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.address = evidence.address
        self.home = float(self.address.is_home)
        self.article = float("article" in evidence.kinds)
        self.thing = float("thing" in evidence.kinds and not self.article)
        self.plain = float(not self.home and not self.article and not self.thing)
        self.modern = float(not self.home and "og:title" in evidence.metas)
        self.classic = float(not self.home and "og:title" not in evidence.metas)
        self.names = [grams(fold(text)) for kind, text in evidence.names if kind not in ("copyright", "author", "host")]
        self.copy = [grams(fold(text)) for kind, text in evidence.names if kind == "copyright"]
        self.host, path, document = self.address.letters
        self.site = to_letters(self.address.site)
        self.document, self.path = document, path
        if self.address.is_program:
            self.document = ""
        elif (not document or sum(map(str.isdigit, document)) > len(document) / 2) and path:
            self.document, self.path = path[-1], path[:-1]
        self.queries = [grams(to_letters(value)) for value in self.address.query if len(value) > 3]
        self.documents = grams(self.document)
        self.paths = [grams(part) for part in self.path]
        self.h1 = [h for h in evidence.headings if h.level == 1 and not h.around & {"hidden"}]
        self.clear = [h for h in self.h1 if not h.around & {"logo", "aside", "footer"}]
        self.h1s = [fold(h.text) for h in (self.clear or self.h1)[:3]]
        self.h2s = {fold(h.text) for h in evidence.headings if h.level > 1}
        self.h1grams = [grams(k) for k in self.h1s]
        self.og = fold(next(iter(evidence.metas.get("og:title", [])), ""))
        self.oggrams = grams(self.og)
        self.tag = fold(evidence.tag.text)
        self.words = {w for w in (self.tag + " " + self.og).replace(",", " ").replace(":", " ").split() if len(w) > 3}
        self.taggrams = grams(self.tag)
        self.parts = [self.siteness(part) for part in evidence.tag.parts()]
        self.families = ("tag", "og", "data", "h", "text")

    def siteness(self, text: str) -> float:
        return max(self.host_like(to_letters(text), text), self.name_like(grams(fold(text))))

    def name_like(self, pairs: frozenset[str]) -> float:
        return max((alike(pairs, name) for name in self.names), default=0.0)

    def host_like(self, letters: str, text: str) -> float:
        """How much a text is the host's name: the same letters, a part of them, or its initials."""
        if not letters or not self.site:
            return 0.0
        best = 0.0
        for name in (self.site, self.host, to_letters(self.address.domain)):
            if letters == name:
                return 1.0
            if len(letters) > 2 and len(name) > 2 and (letters in name or name in letters):
                best = max(best, min(len(letters), len(name)) / max(len(letters), len(name)))
        initials = "".join(word[0] for word in re.findall(r"\w+", text.lower()))
        if len(initials) > 2 and self.site in (initials, to_letters(initials)):
            best = max(best, 0.8)
        return max(best, alike(grams(letters), grams(self.site)))


def read_features(found: Found, context: Context) -> dict[str, float]:
    """Give the features of one candidate that are not zero."""
    places, evidence = found.places, context.evidence
    values: dict[str, float] = dict(places)
    pairs, letters = grams(found.key), to_letters(found.text)
    lettergrams = grams(letters)
    # the tag
    if found.runs:
        first, last = found.runs[0]
        rest = [s for place, s in enumerate(context.parts) if not first <= place <= last]
        inside = context.parts[first : last + 1]
        values["rest is site"] = float(any(s > SITE for s in rest))
        values["rest is other"] = math.log1p(sum(s <= SITE for s in rest))
        if last > first:
            values["keeps site"] = float(any(s > SITE for s in inside))
        values["tag first clean"] = float(first == 0 and bool(rest) and min(rest) > SITE)
        values["tag last clean"] = float(last == len(context.parts) - 1 and bool(rest) and min(rest) > SITE)
        values["tag undivided"] = float(len(evidence.tag) == 1)
        if first == 0 or last == len(context.parts) - 1:
            other = ""
            if first == 0 and last < len(context.parts) - 1:
                other = fold(evidence.tag.run(last + 1, len(context.parts) - 1))
            elif first > 0:
                other = fold(evidence.tag.run(0, first - 1))
            if other:
                values["other is h1"] = float(other in context.h1s)
                values["other is h2"] = float(other in context.h2s)
                values["other stands alone"] = float(other in evidence.first)
        for cut in found.cuts:
            values[f"cut at {cut}"] = 1.0
    elif context.tag:
        values["within tag"] = float(found.key in context.tag)
        values["not in tag"] = float(found.key not in context.tag)
    # agreement
    families = {"og" if p.split()[0] in ("twitter", "meta") else "h" if p[0] == "h" else p.split()[0] for p in places}
    values["agreement"] = len(families - {"name", "piece"}) / 4
    values["like tag"] = alike(pairs, context.taggrams)
    values["like og"] = alike(pairs, context.oggrams)
    values["like h1"] = max((alike(pairs, h) for h in context.h1grams), default=0.0)
    if context.h1s:
        values["within h1"] = float(any(found.key in h and found.key != h for h in context.h1s))
        values["contains h1"] = float(any(h in found.key and found.key != h for h in context.h1s if len(h) > 3))
        if "h1" in places:
            values["h1 strange"] = float(bool(context.tag) and not set(found.key.split()) & context.words)
            values["h1 only"] = float(len(context.h1) == 1)
            values["h1 only clear"] = float(len(context.clear) == 1 and "h1 clear" in places)
    elif "h2 clear" in places:
        values["h2 for h1"] = places["h2 clear"]
    if context.og:
        values["within og"] = float(found.key in context.og and found.key != context.og)
        values["contains og"] = float(context.og in found.key and found.key != context.og)
    count = evidence.texts.get(found.key, 0) - ("tag whole" in places)
    values["stands alone"] = float(count > 0)
    values["stands often"] = min(math.log1p(max(count, 0)), 3) / 3
    # the address
    slug = alike(lettergrams, context.documents)
    values["document"] = slug
    values["document exact"] = float(bool(letters) and letters == context.document)
    if letters and context.document and len(letters) > 3:
        values["in document"] = float(letters in context.document)
    values["query"] = max((alike(lettergrams, p) for p in context.queries), default=0.0)
    values["path"] = max((alike(lettergrams, p) for p in context.paths), default=0.0)
    host, name = context.host_like(letters, found.text), context.name_like(pairs)
    copy = max((alike(pairs, c) for c in context.copy), default=0.0)
    values["host"] = host
    values["host same"] = float(host > 0.95)
    values["name"] = name
    values["name same"] = float(name > 0.95)
    values["copyright"] = copy
    values["site"] = float(max(host, name) > SITE)
    values["@home"] = context.home
    if "h1" in places:
        values["h1 is name"] = float(host > 0.95 or name > 0.9)
    for kind, on in (("article", context.article), ("thing", context.thing), ("plain", context.plain), ("modern", context.modern), ("classic", context.classic)):
        if on:
            for place in ("tag first clean", "og first", "text starts tag", "text ends tag", "text amid tag", "piece", "within h1", "contains h1", "like og", "like tag", "like h1", "document", "styled", "crumb", "own link", "keeps site", "tag whole", "tag first", "tag last", "tag middle", "og", "h1 clear", "h1 only clear", "data article", "data thing", "h2 clear", "h2 for h1"):
                if place in values:
                    values[f"{place}: {kind}"] = values[place]
    # the words
    words = len(found.text.split())
    length = len(found.text)
    values["generic"] = float(found.key in GENERIC)
    values["generic start"] = float(any(found.key.startswith(w + " ") for w in ("contact", "about", "welcome to", "home")))
    values["one word"] = float(words == 1)
    values["words"] = math.log1p(words) / 3
    values["short"] = float(length < 4)
    values["long"] = float(length > 100)
    values["very long"] = float(length > 160)
    values["digits"] = len(DIGITS.findall(found.text)) / length
    values["cut off"] = float(found.text.endswith(("…", "...")))
    values["commas"] = min(found.text.count(","), 4) / 4
    values["domain"] = float(bool(DOMAIN.search(found.text)))
    values["lower"] = float(found.text[:1].islower())
    return {name: value for name, value in values.items() if value}
