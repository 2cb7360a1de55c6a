"""Whose page it is: the name of the site or business, chosen among all that may be it.

Every place that may name the site gives candidates and has a vote, which is a whole one where a candidate stands by
itself and half a one where it stands among other words: the name is what most places share. Beside that, a name counts
by how much it is the host's. No weight is fitted; the numbers are set by hand, some after comparing variants.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from windrow.title.address import to_letters
from windrow.title.candidates import trim
from windrow.title.features import WORD, count_words
from windrow.title.generic import is_generic, starts_generic
from windrow.title.host import HostName, read_host
from windrow.title.likeness import fold
from windrow.title.names import read_linked_names, spell_host
from windrow.title.result import Candidate
from windrow.title.segments import STRONG, cut_segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from windrow.title.address import Address
    from windrow.title.evidence import TitleEvidence
    from windrow.title.segments import Segments

VOTES = {
    "og:site_name": 3.0,
    "data": 1.5,
    "application-name": 1.5,
    "elsewhere": 1.5,
    "apple-mobile-web-app-title": 1.0,
    "link": 1.0,
    "copyright": 1.0,
    "tag": 1.0,
    "text": 1.0,
}
"""How plainly a place says that a text is the name of the site; headings say what a page is about."""
PLACES = {"home link": "link", "logo": "link", "dc.publisher": "data"}
"""Places that vote together with another one."""
TOLD = frozenset({"og:site_name", "data", "application-name"})
"""Places that tell it to machines; where there is none, links to the front page and logos are looked at."""


@dataclass(frozen=True)
class SiteParameters:
    """What a name of a site is; set by hand, ``within`` and ``least_front`` after comparing variants on known pages."""

    within: float = 0.25
    """The share of a vote that a place has which says the name among other words."""
    host: float = 2.0
    """What being the host's name counts."""
    covers: float = 0.8
    """How much a name is the host's that has all of it, and says more."""
    shortest_host: int = 4
    """Letters of a host that no other word has by chance."""
    generic: float = -4.0
    """What a word such as Home counts: it names no site."""
    generic_start: float = -2.0
    """What a text counts that begins with such a word."""
    slogan: float = -1.5
    """What a sentence counts, the less the more it is the host's name."""
    wordy: int = 5
    """Words beyond which a text is a sentence."""
    marks: float = -1.5
    """What a name counts that goes on behind a mark."""
    most: int = 24  # not a decision: bounds the work
    """Names that are compared with each other."""
    longest: int = 79
    """Letters of a name."""
    least: float = 2.0
    """The least that must speak for a name: one place that says it plainly, or two that agree."""
    least_front: float = 1.0
    """The same for a front page to be called by it: more than that one place says it."""


PARAMETERS = SiteParameters()


@dataclass(frozen=True)
class SiteTexts:
    """Everything on a page that may name its site, apart from the page itself, which can be let go."""

    places: Mapping[str, list[str]]
    """The texts of every place that has a vote."""
    tag: Segments
    spelled: list[str]
    """How the page writes the name of its host, where that was looked for."""
    address: Address
    is_home: bool


def find_site(texts: SiteTexts) -> str:
    """Return the name of the site or business that a page belongs to; empty where nothing tells it."""
    return tell_site(score_names(texts))


def tell_site(names: Sequence[Candidate]) -> str:
    """Return the first of some names, best first, where enough speaks for it; empty otherwise."""
    return names[0].text if names and names[0].score > PARAMETERS.least else ""


def score_names(texts: SiteTexts) -> list[Candidate]:
    """Return every text that may be the name of the site and has something for it, best first."""
    said = {place: _to_lines(lines if place == "text" else _with_parts(lines)) for place, lines in texts.places.items()}
    host = read_host(texts.address)
    found = [
        Candidate(text, sum(terms.values()), terms, {"found in": ", ".join(place for place in VOTES if place in terms)})
        for text in _find_names(texts)
        if (terms := _weigh(text, said, host))
    ]
    return sorted((each for each in found if each.score > PARAMETERS.least_front), key=lambda each: -each.score)


def _weigh(text: str, said: Mapping[str, str], host: HostName) -> dict[str, float]:
    """Return what speaks for and against a name; nothing where it has no words."""
    words = _to_words(text)
    if not words:
        return {}
    terms = {
        place: VOTES[place] * vote for place, lines in said.items() if (vote := _vote(words, lines, place == "text"))
    }
    letters, key = to_letters(text), fold(text)
    likeness = host.score(letters, text)
    if len(host.site) >= PARAMETERS.shortest_host and host.site in letters:
        likeness = max(likeness, PARAMETERS.covers)
    against = {
        "host": PARAMETERS.host * likeness,
        "generic": PARAMETERS.generic * is_generic(key),
        "generic start": PARAMETERS.generic_start * starts_generic(key),
        "slogan": PARAMETERS.slogan * (1 - likeness) * (count_words(text) > PARAMETERS.wordy),
        "goes on": PARAMETERS.marks * any(mark in STRONG for mark in cut_segments(text).marks),
    }
    return terms | {name: value for name, value in against.items() if value}


def _vote(words: str, lines: str, is_running: bool) -> float:  # noqa: FBT001 - which of two kinds of places it is
    """Return the vote of a place for a name; a running text says names only among other words, alone it is a menu's."""
    if words not in lines:
        return 0.0
    if is_running:
        return PARAMETERS.within * (lines.count(words) > lines.count(f"|{words}|"))
    return 1.0 if f"|{words}|" in lines else PARAMETERS.within


def read_site_texts(evidence: TitleEvidence) -> SiteTexts:
    """Read a page for what may name its site."""
    spelled = [text for kind, text in evidence.names if kind == "host"]
    return SiteTexts(_read_places(evidence), evidence.whole_tag, spelled, evidence.address, evidence.is_home)


def _read_places(evidence: TitleEvidence) -> dict[str, list[str]]:
    """Return the texts of every place that may name the site."""
    names = [(kind, text) for kind, text in evidence.names if kind != "author"]
    if not any(kind in TOLD for kind, _ in names) and not any(kind in ("home link", "logo") for kind, _ in names):
        names += read_linked_names(evidence.markup, evidence.address)
    places: dict[str, list[str]] = defaultdict(list)
    tag = evidence.whole_tag
    places["tag"] = [tag.text] if tag.text else []
    places["elsewhere"] = [text for text in tag.parts() if fold(text) in evidence.elsewhere]
    for kind, text in names[: PARAMETERS.most]:
        if (place := PLACES.get(kind, kind)) in VOTES:
            places[place].append(text)
    if evidence.is_home:
        known = {fold(tag.text), *(fold(heading.text) for heading in evidence.headings)}
        places["text"] = [key for key in evidence.texts.keys if key not in known]
    return places


def _find_names(texts: SiteTexts) -> list[str]:
    """Return every text that may be the name, each once; first as machines are told it, then as the tag spells it."""
    places = texts.places
    naming = [place for place in places if place not in ("tag", "text")]
    told = [text for place in naming if place in TOLD for text in _with_parts(places[place])]
    shown = [text for place in naming if place not in TOLD for text in _with_parts(places[place])]
    known = [texts.tag.text, *(text for place in naming for text in places[place])]
    spelled = texts.spelled or spell_host(texts.address.site, known)
    found: dict[str, str] = {}
    for text in map(trim, (*told, *_find_in_tag(texts), *shown, *spelled)):
        if text and len(text) <= PARAMETERS.longest:
            found.setdefault(fold(text), text)
    return list(found.values())


def _find_in_tag(texts: SiteTexts) -> Iterator[str]:
    """Yield what may be the name in the title tag: its ends behind a strong mark, and on a front page all parts."""
    tag = texts.tag
    if texts.is_home:
        yield from _with_parts([tag.text])
    elif len(tag) > 1:
        ends = ((tag.marks[0], 0), (tag.marks[-1], len(tag) - 1))
        yield from (tag.run(place, place) for mark, place in ends if mark in STRONG)


def _with_parts(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts, what strong marks cut them into, and what all marks do."""
    for text in texts:
        yield text
        segments = cut_segments(text)
        if len(segments) > 1:
            ends = [-1, *(place for place, mark in enumerate(segments.marks) if mark in STRONG), len(segments) - 1]
            yield from (segments.run(first + 1, last) for first, last in pairwise(ends))
            yield from segments.parts()


def _to_words(text: str) -> str:
    """Return the words of a text, folded, with a space around each; empty where it has none."""
    words = " ".join(WORD.findall(fold(text)))
    return f" {words} " if words else ""


def _to_lines(texts: Iterable[str]) -> str:
    """Return the words of texts in one string, with a bar before and after each text."""
    return "".join(f"|{words}|" for text in texts if (words := _to_words(text)))
