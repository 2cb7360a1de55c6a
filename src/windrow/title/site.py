"""Whose page it is: the name of the site or business, chosen among all that may be it.

Every place that may name the site gives candidates. A candidate counts by how plainly its place says whose name it is,
by how many other places say the same, and by how much it is the host's name. Nothing here is fitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.title.address import to_letters
from windrow.title.candidates import trim
from windrow.title.generic import is_generic
from windrow.title.host import read_host
from windrow.title.likeness import alike, fold, grams
from windrow.title.names import read_linked_names, spell_host
from windrow.title.segments import STRONG, cut_segments

if TYPE_CHECKING:
    from windrow.title.evidence import TitleEvidence

PLAINLY = {
    "og:site_name": 3.0,
    "data": 1.5,
    "application-name": 1.5,
    "elsewhere": 1.5,
    "apple-mobile-web-app-title": 1.0,
    "home link": 1.0,
    "logo": 1.0,
    "copyright": 1.0,
    "tag": 1.0,
    "host": 1.0,
}
"""How plainly a place says that a text is the name of the site."""
TOLD = frozenset({"og:site_name", "data", "application-name"})
"""Places that tell it to machines; where there is none, links to the front page and logos are looked at."""

UNTOLD = frozenset({"host", "tag"})
"""Places that a page has whoever's it is: an address may be anybody's, and a tag has a name or a slogan."""


@dataclass(frozen=True)
class SiteParameters:
    """What a name of a site is; set by what names are like, none tuned."""

    agreed: float = 0.7
    """How alike two texts must be to say the same name."""
    host: float = 2.0
    """What being the host's name counts."""
    generic: float = -4.0
    """What a word such as Home counts: it names no site."""
    slogan: float = -1.5
    """What a sentence counts, and a name with a slogan behind a mark."""
    wordy: int = 5
    """Words beyond which a text is a sentence."""
    most: int = 24  # not a decision: bounds the work
    """Names that are compared with each other."""
    least: float = 2.0
    """The least that must speak for a name: one place that says it plainly, or two that agree."""


PARAMETERS = SiteParameters()


def find_site(evidence: TitleEvidence) -> str:
    """Return the name of the site or business that a page belongs to; empty where nothing tells it."""
    found, host = _find_names(evidence), read_host(evidence.address)
    keys = {text: grams(fold(text)) for _, text in found}
    best, most = "", PARAMETERS.least
    for kind, text in found:
        others = {other for other, name in found if other != kind and alike(keys[text], keys[name]) > PARAMETERS.agreed}
        score = PLAINLY.get(kind, 0.0) + len(others) + PARAMETERS.host * host.score(to_letters(text), text)
        score += PARAMETERS.generic * is_generic(fold(text)) + PARAMETERS.slogan * _is_wordy(text)
        if score > most:
            best, most = text, score
    return best


def is_told(site: str, evidence: TitleEvidence) -> bool:
    """Whether anything but the host and the title tag says that a text is the name of the site."""
    own = grams(fold(site))
    names = (text for kind, text in _find_names(evidence) if kind in PLAINLY and kind not in UNTOLD)
    return any(alike(own, grams(fold(text))) > PARAMETERS.agreed for text in names)


def _find_names(evidence: TitleEvidence) -> list[tuple[str, str]]:
    """Return every text that may name the site, with its place."""
    names = [(kind, text) for kind, text in evidence.names if kind != "author"]
    if not any(kind in TOLD for kind, _ in names):
        links = evidence.markup.elements.having("href")
        names += read_linked_names(evidence.markup, links, evidence.address)
    names = names[: PARAMETERS.most] + _find_in_tag(evidence)
    texts = [evidence.whole_tag.text, *(text for _, text in names)]
    names += [("host", text) for text in spell_host(evidence.address.site, texts)]
    for kind, text in tuple(names):
        segments = cut_segments(text)
        if len(segments) > 1:
            names += [(kind, segments.run(place, place)) for place in (0, len(segments) - 1)]
    return list(dict.fromkeys((kind, trimmed) for kind, text in names if (trimmed := trim(text))))


def _find_in_tag(evidence: TitleEvidence) -> list[tuple[str, str]]:
    """Return the ends of the title tag that a strong mark parts from the rest, and what other pages have in theirs."""
    tag = evidence.whole_tag
    found = [("elsewhere", text) for text in tag.parts() if fold(text) in evidence.elsewhere]
    if len(tag) > 1:
        ends = ((tag.marks[0], 0), (tag.marks[-1], len(tag) - 1))
        found += [("tag", tag.run(place, place)) for mark, place in ends if mark in STRONG]
    return found


def _is_wordy(text: str) -> bool:
    """Whether a text is longer than names are, or has a slogan behind a mark."""
    segments = cut_segments(text)
    return len(text.split()) > PARAMETERS.wordy or any(mark in STRONG for mark in segments.marks)
