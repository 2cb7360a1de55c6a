"""What the front page of a site is called: by whose it is, since whoever asks for the root of a site asks for that.

Nothing is weighed here that names of sites are not weighed by everywhere (see ``site``). Only where the owner tells
machines and readers the same title, and it has the name in it, that is the title (*Hayfield: bread of the valley*);
not so where machines are told the name as well, and the title begins with it and goes on behind a bar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.title.address import to_letters
from windrow.title.features import WORD
from windrow.title.generic import is_generic
from windrow.title.likeness import fold, grams, share
from windrow.title.result import Candidate
from windrow.title.segments import STRONG, cut_segments

if TYPE_CHECKING:
    from windrow.title.evidence import TitleEvidence

SHORTEST_WORD = 3
"""Letters of a word that can tell a name; shorter ones are in every title."""
MOSTLY = 0.5
"""The share of a name's pairs of letters from which on a text has it."""
DECLARED = "tag and og:title agree"
LEAD = 1.0
"""By how much a title that is declared wins over the name alone."""


def find_front_titles(evidence: TitleEvidence, names: list[Candidate]) -> list[Candidate]:
    """Return what a front page may be called, best first; ``names`` are those of the site, best first, one at least."""
    title = next(iter(evidence.metas.get("og:title", [])), "")
    is_declared = bool(title) and fold(title) == fold(evidence.whole_tag.text) and names_site(title, names[0].text)
    if not is_declared or _adds_slogan(title, names[0]):
        return names
    others = [name for name in names if fold(name.text) != fold(title)]
    return [
        Candidate(title, names[0].score + LEAD, {DECLARED: names[0].score + LEAD}, {"found in": "tag, og"}),
        *others,
    ]


def _adds_slogan(title: str, name: Candidate) -> bool:
    """Whether a title is the name that machines are told, and then more behind a strong mark."""
    segments = cut_segments(title)
    is_parted = segments.marks[:1] and segments.marks[0] in STRONG
    return bool(is_parted) and "og:site_name" in name.terms and fold(segments.run(0, 0)) == fold(name.text)


def names_site(text: str, site: str) -> bool:
    """Whether a title says whose page it is: it has a word of the site's name, or most of its letters."""
    if is_generic(fold(text)):
        return False
    words = {word for word in WORD.findall(fold(site)) if len(word) >= SHORTEST_WORD}
    letters, own = to_letters(site), to_letters(text)
    return not words.isdisjoint(WORD.findall(fold(text))) or share(grams(letters), grams(own)) >= MOSTLY
