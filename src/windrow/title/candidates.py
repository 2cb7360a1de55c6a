"""The texts that may be the title, each with all the places where it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windrow.nodes.inline import INLINE_TAGS
from windrow.title.headings import LIMITS as HEADINGS
from windrow.title.likeness import fold
from windrow.title.segments import Segments, cut_segments

if TYPE_CHECKING:
    from windrow.title.evidence import TitleEvidence
    from windrow.title.headings import Heading

META_TITLES = (
    "title",
    "dc.title",
    "dcterms.title",
    "citation_title",
    "parsely-title",
    "sailthru.title",
    "headline",
    "name",
)
INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
LEADING = re.compile(rf"(?:[\s|\uff5c·•¶§,{INVISIBLE}]|[-–—:/>]+(?=\s))+")
TRAILING = re.compile(rf"(?:[\s|\uff5c·•¶§:,{INVISIBLE}]|(?<=\s)[-–—/>]+)+$")
"""Marks that are left over at the ends of a text; those that may begin or end a name go only beside a space."""
ARROWS = " »«"
BRACKETS = (("\u3010", "\u3011"), ("\u3014", "\u3015"), ("\u300c", "\u300d"), ("\u300e", "\u300f"))
"""Brackets that also part a tag; what holds only half of a pair was cut at the wrong place."""
SOFT_HYPHEN = "\u00ad"
NO_PLACE = frozenset({"title", "script", "style", "noscript"})


@dataclass(frozen=True)
class CandidateLimits:
    """What bounds the work; ours, each well above what pages with known titles need."""

    letters: int = 300  # not a decision: bounds the work
    """Letters of a candidate."""
    runs: int = 8  # not a decision: bounds the work
    """Runs of parts that start, or end, a tag; twice as many single parts."""
    texts: int = 12  # not a decision: bounds the work
    """Texts of the body that stand within the title tag."""
    shortest_text: int = 3
    """Letters of such a text; shorter ones stand in every tag."""
    things: int = 30  # not a decision: bounds the work
    """Names in structured data."""
    names: int = 12  # not a decision: bounds the work
    """Names of the site."""
    pieces: int = 4  # not a decision: bounds the work
    """Pieces and parts of a heading."""


LIMITS = CandidateLimits()


@dataclass(eq=False)
class FoundText:
    """One text with the places where it stands; a place nearer the top counts more, up to 1."""

    text: str
    key: str
    places: dict[str, float] = field(default_factory=dict)
    run: tuple[int, int] | None = None
    """The first and last part of the title tag that it covers, where it is cut out of the tag."""
    cuts: frozenset[str] = frozenset()
    """The marks at which it was cut out."""


class CandidateTexts:
    """Candidates by folded text; the first spelling stays."""

    def __init__(self) -> None:
        """Start with none."""
        self.found: dict[str, FoundText] = {}

    def add(self, text: str, place: str, value: float = 1.0) -> FoundText | None:
        """Add a text, or one more place of a text that is known; None where it can be no title."""
        text = trim(text)
        key = fold(text)
        if not key or len(key) > LIMITS.letters or (len(key) == 1 and not key.isalnum()):
            return None
        if not key.isascii() and any(key.count(opening) != key.count(closing) for opening, closing in BRACKETS):
            return None
        known = self.found.get(key)
        if known is None:
            known = self.found[key] = FoundText(text, key)
        known.places[place] = max(known.places.get(place, 0.0), value)
        return known


def trim(text: str) -> str:
    """Take soft hyphens out of a text, and marks off its ends; a pair of guillemets is quotation marks and stays."""
    text = text.replace(SOFT_HYPHEN, "")
    if text.count("»") != text.count("«"):
        text = text.strip(ARROWS)
    if text[:1].isalnum() and text[-1:].isalnum():
        return text
    if leading := LEADING.match(text):
        text = text[leading.end() :]
    trailing = TRAILING.search(text)
    return text[: trailing.start()] if trailing else text


def find_candidates(evidence: TitleEvidence) -> list[FoundText]:
    """Return the candidates of a page, in a fixed order."""
    pool = CandidateTexts()
    _add_tag(pool, evidence.tag)
    _add_metas(pool, evidence)
    for thing in evidence.things[: LIMITS.things]:
        pool.add(thing.text, f"data {thing.kind}")
    for heading in evidence.headings:
        _add_heading(pool, heading)
    for kind, name in evidence.names[: LIMITS.names]:
        pool.add(name, f"name {kind}")
        parts = cut_segments(name)
        if len(parts) > 1:
            pool.add(parts.run(0, 0), "name part")
    for place, texts in (("styled", evidence.styled), ("large", evidence.large)):
        for text in texts:
            pool.add(text, place)
    _add_texts(pool, evidence)
    return list(pool.found.values())


def _add_tag(pool: CandidateTexts, tag: Segments) -> None:
    last_part = len(tag) - 1
    for first, last in _runs(len(tag)):
        if (first, last) == (0, last_part):
            place = "tag whole"
        else:
            place = "tag first" if first == 0 else "tag last" if last == last_part else "tag middle"
        found = pool.add(tag.text if place == "tag whole" else tag.run(first, last), place)
        if found:
            before = {tag.marks[first - 1]} if first else set()
            after = {tag.marks[last]} if last < last_part else set()
            found.run = found.run or (first, last)
            found.cuts |= before | after


def _runs(count: int) -> list[tuple[int, int]]:
    """Return which neighbouring parts to take together: all, those from the start, those to the end, each alone."""
    if not count:
        return []
    runs = [(0, count - 1)]
    runs += [(0, last) for last in range(min(count, LIMITS.runs))]
    runs += [(first, count - 1) for first in range(max(0, count - LIMITS.runs), count)]
    runs += [(place, place) for place in range(min(count, 2 * LIMITS.runs))]
    return list(dict.fromkeys(runs))


def _add_metas(pool: CandidateTexts, evidence: TitleEvidence) -> None:
    for place, names in (("og", ("og:title",)), ("twitter", ("twitter:title",)), ("meta", META_TITLES)):
        for text in [text for name in names for text in evidence.metas.get(name, [])[:2]]:
            pool.add(text, place)
            if place == "og" or not evidence.tag.text:
                _add_parts(pool, text, place)


def _add_parts(pool: CandidateTexts, text: str, place: str) -> None:
    parts = cut_segments(text)
    for first, last in _runs(len(parts))[1:]:
        if (first, last) != (0, len(parts) - 1):
            pool.add(parts.run(first, last), f"{place} {'first' if first == 0 else 'last'}")


def _add_heading(pool: CandidateTexts, heading: Heading) -> None:
    place = f"h{heading.level}"
    value = 1 / (1 + heading.rank)
    pool.add(heading.text, place, value)
    for word in sorted(heading.around):
        pool.add(heading.text, f"{place} {word}")
    if heading.is_clear:
        pool.add(heading.text, f"{place} clear", value)
    if heading.level == 1 and heading.rank < HEADINGS.divided:
        for number, piece in enumerate(heading.pieces[: LIMITS.pieces]):
            pool.add(piece, "piece", 1 / (1 + number))
        parts = cut_segments(heading.text)
        for first, last in _runs(len(parts)) if 1 < len(parts) <= LIMITS.pieces else []:
            pool.add(parts.run(first, last), "h1 part")


def _add_texts(pool: CandidateTexts, evidence: TitleEvidence) -> None:
    """Add texts of the body that stand within the title tag, between word boundaries."""
    whole = f" {fold(evidence.tag.text)} "
    elements = evidence.markup.elements
    count = 0
    for key, node in evidence.texts.find_within(whole):
        if len(key) < LIMITS.shortest_text:
            continue
        if elements.tag(elements.parent(node)) in NO_PLACE:
            continue
        text = elements.string(node) or ""
        if text[-1:].isspace() and elements.tag(elements.after(node)) in INLINE_TAGS:
            continue  # the line goes on in an element of its own
        start = whole.find(key)
        end = start + len(key)
        if not whole[start - 1].isalnum() and not whole[end].isalnum():
            words = " ".join(text.split())
            pool.add(words, "text in tag")
            if start > 1 and end < len(whole) - 1:
                pool.add(words, "text amid tag")
            count += 1
            if count == LIMITS.texts:
                return
