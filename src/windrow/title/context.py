"""What is the same for all candidates of a page: tag, headings and address, in the form in which they are compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from windrow.title.address import to_letters
from windrow.title.evidence import fold

if TYPE_CHECKING:
    from windrow.title.evidence import Evidence

Grams: TypeAlias = frozenset[tuple[str, str]]

WORD = re.compile(r"\w+")
SHORTEST = 3
"""Letters of a name that may be a part of another."""
INITIALS = 0.8
"""How much a name is its initials."""
LONGEST_INITIALS = 6
WORDY = 4
"""Letters of a word that says something."""


@dataclass(frozen=True, eq=False)
class Context:
    """A page's evidence, prepared for comparing."""

    evidence: Evidence
    is_front: bool
    tag: str
    tag_grams: Grams
    og: str
    og_grams: Grams
    words: frozenset[str]
    """The longer words of the title tag and of og:title."""
    headings: int
    """How many headings of the first level can be seen."""
    clear: int
    """How many of them stand in the main content."""
    h1: tuple[str, ...]
    h1_grams: tuple[Grams, ...]
    lower: frozenset[str]
    """Headings of the lower levels."""
    names: tuple[Grams, ...]
    owners: tuple[Grams, ...]
    document: Grams
    queries: tuple[Grams, ...]
    program: Grams
    """The name of the program that makes the page, where one does."""
    hosts: tuple[str, ...]
    site: str
    site_grams: Grams

    def score_site(self, text: str) -> float:
        """Say how much a text is the name of the site; what other pages of the site have too counts as it."""
        if fold(text) in self.evidence.elsewhere:
            return 1.0
        return max(self.score_host(to_letters(text), text), most_alike(grams(fold(text)), self.names))

    def score_host(self, letters: str, text: str) -> float:
        """Say how much a text is the host's name: the same letters, a part of them, or its initials."""
        if not letters or not self.site:
            return 0.0
        if letters in self.hosts:
            return 1.0
        best = alike(grams(letters), self.site_grams)
        for host in self.hosts:
            if min(len(letters), len(host)) >= SHORTEST and (letters in host or host in letters):
                best = max(best, min(len(letters), len(host)) / max(len(letters), len(host)))
        if len(self.site) > LONGEST_INITIALS:
            return best
        initials = "".join(word[0] for word in WORD.findall(text.lower()))
        return max(best, INITIALS) if len(initials) >= SHORTEST and initials == self.site else best


def prepare(evidence: Evidence) -> Context:
    """Bring a page's evidence into the form in which it is compared."""
    seen = [heading for heading in evidence.headings if heading.level == 1 and "hidden" not in heading.around]
    clear = [heading for heading in seen if heading.is_clear]
    h1 = tuple(fold(heading.text) for heading in (clear or seen)[:3])
    tag, og = fold(evidence.tag.text), fold(next(iter(evidence.metas.get("og:title", [])), ""))
    address = evidence.address
    site = to_letters(address.site)
    names = [(kind, grams(fold(text))) for kind, text in evidence.names]
    return Context(
        evidence=evidence,
        is_front=address.is_home,
        tag=tag,
        tag_grams=grams(tag),
        og=og,
        og_grams=grams(og),
        words=frozenset(word for word in WORD.findall(f"{tag} {og}") if len(word) >= WORDY),
        headings=len(seen),
        clear=len(clear),
        h1=h1,
        h1_grams=tuple(map(grams, h1)),
        lower=frozenset(fold(heading.text) for heading in evidence.headings if heading.level > 1),
        names=tuple(dict.fromkeys(name for kind, name in names if kind not in ("copyright", "author", "host"))),
        owners=tuple(name for kind, name in names if kind == "copyright"),
        document=grams(_telling_part(evidence)),
        queries=tuple(grams(to_letters(value)) for value in address.query if len(value) >= WORDY),
        program=grams(address.letters[2]) if address.is_program else frozenset(),
        hosts=tuple(filter(None, dict.fromkeys((site, address.letters[0], to_letters(address.domain))))),
        site=site,
        site_grams=grams(site),
    )


def _telling_part(evidence: Evidence) -> str:
    """Give the part of the path that names the page: the document, or the segment before one that is only a number."""
    _, path, document = evidence.address.letters
    if evidence.address.is_program:
        return ""
    if path and sum(map(str.isdigit, document)) * 2 >= len(document):
        return path[-1]
    return document


def grams(text: str) -> Grams:
    """Give the set of character pairs of a text."""
    return frozenset(pairwise(text))


def alike(one: Grams, other: Grams) -> float:
    """Give the share of pairs that two sets have in common."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


def most_alike(one: Grams, others: tuple[Grams, ...]) -> float:
    """Give the largest likeness to any of several sets; 0 where there is none."""
    return max((alike(one, other) for other in others), default=0.0)
