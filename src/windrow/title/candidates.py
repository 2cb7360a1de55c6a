"""The texts that may be the title, each with all the places where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windrow.title.evidence import fold
from windrow.title.segments import Segments, cut_segments

if TYPE_CHECKING:
    from windrow.title.evidence import Evidence

LONGEST = 300
META_TITLES = ("title", "dc.title", "dcterms.title", "citation_title", "parsely-title", "sailthru.title", "headline", "hdl", "name")
MOST_RUNS = 8
MOST_TEXTS = 12


@dataclass(eq=False)
class Found:
    """One text with its places: what is known of each place, by name."""

    text: str
    key: str
    places: dict[str, float] = field(default_factory=dict)
    runs: list[tuple[int, int]] = field(default_factory=list)
    """First and last part of the title tag that it covers, where it is cut out of it."""
    cuts: set[str] = field(default_factory=set)


class Pool:
    """Candidates by folded text; the first spelling stays."""

    def __init__(self) -> None:
        self.found: dict[str, Found] = {}

    def add(self, text: str, place: str, value: float = 1.0) -> Found | None:
        text = text.replace("\u00ad", "").strip(" \t-|–—:,/·•»«>¶§#")
        key = fold(text)
        if not 1 < len(key) <= LONGEST:
            return None
        known = self.found.get(key)
        if known is None:
            known = self.found[key] = Found(text, key)
        known.places[place] = max(known.places.get(place, 0.0), value)
        return known


def find_candidates(evidence: Evidence) -> list[Found]:
    """List the candidates of a page, in a fixed order."""
    pool = Pool()
    _add_tag(pool, evidence.tag)
    _add_metas(pool, evidence)
    for thing in evidence.things[:30]:
        pool.add(thing.text, f"data {thing.kind}")
    _add_headings(pool, evidence)
    for kind, name in evidence.names[:12]:
        pool.add(name, f"name {kind}")
        parts = cut_segments(name)
        if len(parts) > 1:
            pool.add(parts.run(0, 0), "name part")
    for text in evidence.styled:
        pool.add(text, "styled")
    for text in evidence.crumbs:
        pool.add(text, "crumb")
    for text in evidence.own_links:
        pool.add(text, "own link")
    _add_texts(pool, evidence)
    return list(pool.found.values())


def _add_tag(pool: Pool, tag: Segments) -> None:
    count = len(tag)
    for first, last in _runs(count):
        place = "tag whole" if last - first == count - 1 else "tag first" if first == 0 else "tag last" if last == count - 1 else "tag middle"
        found = pool.add(tag.run(first, last), place)
        if found:
            found.runs.append((first, last))
            found.cuts |= {tag.marks[first - 1]} if first else set()
            found.cuts |= {tag.marks[last]} if last < count - 1 else set()


def _runs(count: int) -> list[tuple[int, int]]:
    if not count:
        return []
    ends = range(max(0, count - MOST_RUNS), count)
    starts = range(min(count, MOST_RUNS))
    runs = [(0, count - 1)] + [(0, last) for last in starts] + [(first, count - 1) for first in ends]
    runs += [(place, place) for place in range(min(count, 2 * MOST_RUNS))]
    return list(dict.fromkeys(runs))


def _add_metas(pool: Pool, evidence: Evidence) -> None:
    for place, names in (("og", ("og:title",)), ("twitter", ("twitter:title",)), ("meta", META_TITLES)):
        for name in names:
            for text in evidence.metas.get(name, [])[:2]:
                pool.add(text, place)
                parts = cut_segments(text)
                for first, last in _runs(len(parts)) if place == "og" or not evidence.tag.text else []:
                    if (first, last) != (0, len(parts) - 1):
                        pool.add(parts.run(first, last), f"{place} {'first' if first == 0 else 'last'}")


def _add_headings(pool: Pool, evidence: Evidence) -> None:
    for heading in evidence.headings:
        place = f"h{heading.level}"
        value = 1 / (1 + heading.rank)
        pool.add(heading.text, place, value)
        for mark in heading.around:
            pool.add(heading.text, f"{place} {mark}")
        if not heading.around & {"aside", "footer", "hidden", "logo"}:
            pool.add(heading.text, f"{place} clear", value)
        if heading.level == 1 and heading.rank < 2:
            for number, piece in enumerate(heading.pieces[:4]):
                pool.add(piece, "piece", 1 / (1 + number))
            parts = cut_segments(heading.text)
            for first, last in _runs(len(parts)) if 1 < len(parts) < 5 else []:
                pool.add(parts.run(first, last), "h1 part")


def _add_texts(pool: Pool, evidence: Evidence) -> None:
    """Take texts of the body that stand within the title tag, between word boundaries."""
    whole = f" {fold(evidence.tag.text)} "
    count = 0
    for key, node in evidence.first.items():
        if len(key) > 2 and key in whole and evidence.markup.tags[evidence.markup.parent[node]] not in ("title", "script", "style"):
            place = whole.find(key)
            before, after = whole[place - 1], whole[place + len(key)]
            if not before.isalnum() and not after.isalnum():
                text = " ".join(evidence.markup.nodes.text[node].split())
                pool.add(text, "text in tag")
                pool.add(text, "text starts tag" if place == 1 else "text ends tag" if place + len(key) + 1 == len(whole) else "text amid tag")
                count += 1
                if count >= MOST_TEXTS:
                    break
