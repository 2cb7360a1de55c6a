"""What speaks for and against a candidate, as numbers from 0 to about 1, each with a name that says what it is."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from windrow.title.address import to_letters
from windrow.title.generic import is_generic, starts_generic
from windrow.title.headings import HOME
from windrow.title.host import HostName, read_host
from windrow.title.likeness import Grams, alike, fold, grams, most_alike, share

if TYPE_CHECKING:
    from windrow.title.candidates import FoundText
    from windrow.title.evidence import TitleEvidence

WORD = re.compile(r"\w+")
UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
"""Letters of scripts that write no spaces: Thai, Lao, Japanese, Chinese."""
UNCOUNTED = frozenset({"hidden", HOME})
"""What a heading of the first level stands in that does not count as one of the page."""
FAMILIES = {"twitter": "og", "meta": "og", "name": "", "piece": "", "styled": "", "large": ""}
"""Places that count as another one for agreement, or as none."""

Features = dict[str, float]


@dataclass(frozen=True)
class FeatureParameters:
    """Where a likeness becomes a yes; all set by hand before the weights were fitted, none tuned."""

    site: float = 0.7
    """How much a text must be the site's name to count as it."""
    shared: float = 0.2
    """The share of pairs in common below which texts without spaces are strangers."""
    wordy: int = 4
    """Letters of a word that says something."""
    families: int = 4
    """Kinds of places that can agree: the tag, metas, structured data, headings."""


PARAMETERS = FeatureParameters()


@dataclass(frozen=True, eq=False)
class Context:
    """What is the same for all candidates of a page: its evidence, in the form in which it is compared."""

    evidence: TitleEvidence
    tag: str
    tag_grams: Grams
    og: str
    og_grams: Grams
    words: frozenset[str]
    """The longer words of the title tag and of og:title."""
    headings: int
    """How many headings of the first level can be seen."""
    h1: tuple[str, ...]
    lower: frozenset[str]
    """Headings of the lower levels."""
    names: tuple[Grams, ...]
    document: Grams
    queries: tuple[Grams, ...]
    program: Grams
    """The name of the program that makes the page, where one does."""
    host: HostName
    parts: tuple[float, ...] = ()
    """How much each part of the title tag is the name of the site."""

    def score_site(self, text: str) -> float:
        """Return how much a text is the name of the site; what other pages of the site have too counts as it."""
        if fold(text) in self.evidence.elsewhere:
            return 1.0
        return max(self.host.score(to_letters(text), text), most_alike(grams(fold(text)), self.names))


def prepare(evidence: TitleEvidence) -> Context:
    """Bring a page's evidence into the form in which it is compared."""
    seen = [heading for heading in evidence.headings if heading.level == 1 and not heading.around & UNCOUNTED]
    clear = [heading for heading in seen if heading.is_clear]
    tag, og = fold(evidence.tag.text), fold(next(iter(evidence.metas.get("og:title", [])), ""))
    address = evidence.address
    names = [(kind, grams(fold(text))) for kind, text in evidence.names]
    context = Context(
        evidence=evidence,
        tag=tag,
        tag_grams=grams(tag),
        og=og,
        og_grams=grams(og),
        words=frozenset(word for word in WORD.findall(f"{tag} {og}") if len(word) >= PARAMETERS.wordy),
        headings=len(seen),
        h1=tuple(fold(heading.text) for heading in (clear or seen)[:3]),
        lower=frozenset(fold(heading.text) for heading in evidence.headings if heading.level > 1),
        names=tuple(dict.fromkeys(name for kind, name in names if kind not in ("copyright", "author", "host"))),
        document=grams(_naming_part(evidence)),
        queries=tuple(grams(to_letters(value)) for value in address.query if len(value) >= PARAMETERS.wordy),
        program=grams(address.letters[2]) if address.is_program else frozenset(),
        host=read_host(address),
    )
    return replace(context, parts=tuple(map(context.score_site, evidence.tag.parts())))


def _naming_part(evidence: TitleEvidence) -> str:
    """Return the part of the path that names the page: the document, or the segment before one that is a number."""
    _, path, document = evidence.address.letters
    if evidence.address.is_program or (not document and any(evidence.address.query)):
        return ""  # the query says what is shown; the path is only a section
    if path and sum(map(str.isdigit, document)) * 2 >= len(document):
        return path[-1]
    return document


def read_features(found: FoundText, context: Context) -> Features:
    """Return the features of one candidate."""
    values: Features = dict(found.places)
    pairs, letter_pairs = grams(found.key), grams(to_letters(found.text))
    _read_tag(values, found, context)
    _read_agreement(values, found, context)
    values["like tag"] = alike(pairs, context.tag_grams)
    values["like og"] = alike(pairs, context.og_grams)
    values["document"] = alike(letter_pairs, context.document)
    values["query"] = most_alike(letter_pairs, context.queries)
    values["address covered"] = share(context.document, letter_pairs)
    values["within address"] = share(letter_pairs, context.document)
    values["program"] = alike(letter_pairs, context.program)
    values["name"] = most_alike(pairs, context.names)
    _read_words(values, found)
    return values


def _read_tag(values: Features, found: FoundText, context: Context) -> None:
    """Compare the parts of the title tag inside and outside of the candidate."""
    if found.run is None:
        values["not in tag"] = bool(context.tag) and found.key not in context.tag
        return
    first, last = found.run
    tag, end = context.evidence.tag, len(context.parts) - 1
    rest = context.parts[:first] + context.parts[last + 1 :]
    values["rest is other"] = math.log1p(sum(part <= PARAMETERS.site for part in rest))
    for cut in sorted(found.cuts):
        values[f"cut at {cut}"] = 1.0
    if (first == 0) != (last == end):
        other = fold(tag.run(last + 1, end) if first == 0 else tag.run(0, first - 1))
        values["other is h2"] = other in context.lower


def _read_agreement(values: Features, found: FoundText, context: Context) -> None:
    """Compare the candidate with what else on the page says the same, or more, or less."""
    key, places = found.key, found.places
    families = {FAMILIES.get(place.partition(" ")[0], place[0]) for place in places}
    values["agreement"] = len(families - {""}) / PARAMETERS.families
    if "h1" in places:
        values["h1 strange"] = _is_strange(key, context)
        values["h1 only"] = context.headings == 1
    if not context.h1:
        values["h2 for h1"] = places.get("h2 clear", 0.0)
    # The text of the title tag itself is one of them.
    standing = context.evidence.texts.find(key)["tag whole" in places :]
    values["stands free"] = any(not context.evidence.markup.is_in_link(node) for node in standing)
    values["elsewhere"] = _score_elsewhere(found, context)


def _is_strange(key: str, context: Context) -> bool:
    """Whether a heading has nothing in common with the title tag and og:title."""
    if not context.words or key in context.tag or key in context.og:
        return False
    if UNSPACED.search(key):
        own = grams(key)
        return share(own, context.tag_grams | context.og_grams) < PARAMETERS.shared
    return context.words.isdisjoint(WORD.findall(key))


def _score_elsewhere(found: FoundText, context: Context) -> float:
    """Return whether other pages of the site have the same (1), or a part of it (1/2)."""
    elsewhere = context.evidence.elsewhere
    if not elsewhere.tags or found.key in elsewhere:
        return float(found.key in elsewhere)
    first, last = found.run or (0, -1)
    tag = context.evidence.tag
    return 0.5 * any(fold(tag.run(place, place)) in elsewhere for place in range(first, last + 1))


def _read_words(values: Features, found: FoundText) -> None:
    """Judge the text by itself."""
    text = found.text
    values["generic"] = is_generic(found.key)
    values["generic start"] = starts_generic(found.key)
    values["one word"] = count_words(text) == 1
    values["lower"] = text[0].islower()


def count_words(text: str) -> int:
    """Count words; where a script writes no spaces, two characters make one."""
    count = len(text.split())
    return count if text.isascii() else count + len(UNSPACED.findall(text)) // 2
