"""The title as a reader would say it: the candidate for which most of the page's evidence speaks.

Candidates are the title tag and its parts, meta tags, structured data, headings, names of the site, and texts of the
body that stand within the tag. Each gets named features, and its score is their weighted sum: nothing else decides, so
the terms of a candidate explain it fully. The front page of a site has some weights of its own, because it wants the
name of the business or place, where an article wants its headline and a record the name of the thing.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from windrow.title.address import read_address, to_letters
from windrow.title.agreement import find_agreed
from windrow.title.candidates import LIMITS, FoundText, find_candidates, trim
from windrow.title.confidence import state_confidence
from windrow.title.elsewhere import read_elsewhere
from windrow.title.evidence import TitleEvidence, gather, read_witnesses
from windrow.title.features import WORD, Context, Features, prepare, read_features
from windrow.title.generic import is_generic
from windrow.title.likeness import fold, grams, share
from windrow.title.markup import find_tag
from windrow.title.result import Candidate, Title
from windrow.title.site import find_site, is_told
from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.nodes import Nodes
    from windrow.result import Box
    from windrow.title.elsewhere import PageNames
    from windrow.title.headings import Heading

AGREED = "agreed"
"""The calibration of titles that the page agrees on."""
FRONT = " on a front page"
"""What follows the name of a feature where it counts differently there."""
BY_HAND: Mapping[str, float] = {"large": 0.5, "elsewhere": -6.0, f"elsewhere{FRONT}": 6.0}
"""Weights of what no page with a known title has: a layout, other pages of its site.

Large letters weigh less than a heading, for banners have them too. What other pages have too is out, but for the name
on a front page.
"""
SHORTEST_WORD = 3
"""Letters of a word that can tell a name; shorter ones are in every title."""
MOSTLY = 0.5
"""The share of a name's pairs of letters from which on a text has it."""
LEAD = 1.0
"""By how much the name of the site wins where it wins."""
NO_NAME = f"No title tag, heading or other text of the page has letters and is at most {LIMITS.letters} long."


def find_best_title(nodes: Nodes, url: str = "", others: Sequence[PageNames] = ()) -> Title:
    """Return the title of a page; ``others`` is what other pages of the same site say, where there are any.

    The score of the title is the share of belief that it gets among all candidates, from 0 to 1; the scores of the
    candidates are the sums of their terms.
    """
    witnesses = read_witnesses(nodes, url, read_elsewhere(others))
    is_root = read_address(url).is_home
    if not is_root and (agreed := find_agreed(witnesses)):
        return _call_by_heading(witnesses, *agreed)
    evidence = gather(witnesses)
    context = prepare(evidence)
    is_front, found = context.is_front, _read_candidates(evidence, context)
    site = find_site(evidence)
    # Whoever asks for the root of a site asks for the site, whatever the page says of its own address.
    is_home = bool(site) and (is_front or is_root)
    if is_home and all(each.key != fold(site) for each, _ in found):
        named = FoundText(site, fold(site), {"name site": 1.0})
        found.append((named, read_features(named, context)))
    if not found:
        return Title("", 0.0, reason=NO_NAME, site=site)
    weights = read_weights(is_front=is_front)
    scored = [(each, features, _score(each, features, weights)) for each, features in found]
    # Sorting is stable: of equals, the one that was found first stays first.
    scored.sort(key=lambda one: -one[2].score)
    text = scored[0][2].text
    if is_home and not names_site(text, site) and (is_generic(fold(text)) or is_told(site, evidence)):
        scored.sort(key=lambda one: one[0].key != fold(site))
        scored[0] = (*scored[0][:2], _call_by_site(scored[0][2], scored[1][2].score if scored[1:] else 0.0))
    first, features, best = scored[0]
    candidates = tuple(candidate for _, _, candidate in scored)
    place = _find_place(first, evidence)
    return Title(
        best.text,
        1 / sum(math.exp(candidate.score - best.score) for candidate in candidates),
        candidates,
        site=site,
        confidence=state_confidence("best", candidates, read_agreement(features, is_front=is_front)),
        nodes=(place,) if place else (),
        box=_box_of(nodes, place),
    )


def _call_by_heading(evidence: TitleEvidence, heading: Heading, agreeing: Sequence[str]) -> Title:
    """Return the title of a page whose heading nothing contradicts, with all that says the same as its only terms."""
    text, terms = trim(heading.text), dict.fromkeys((f"h{heading.level}", *agreeing), 1.0)
    candidates = (Candidate(text, float(len(terms)), terms, {"found in": ", ".join(terms)}),)
    place = evidence.markup.elements.number(heading.node)
    return Title(
        text,
        1.0,
        candidates,
        site=find_site(evidence),
        confidence=state_confidence(AGREED, candidates),
        nodes=(place,),
        box=_box_of(evidence.markup.nodes, place),
    )


def read_candidates(nodes: Nodes, url: str = "") -> tuple[bool, str, list[tuple[str, Features]]]:
    """Return whether this is a front page, the title that it agrees on, and every candidate with its features.

    That is what weights are fitted on. The title is empty where the page does not agree.
    """
    witnesses = read_witnesses(nodes, url)
    agreed = None if read_address(url).is_home else find_agreed(witnesses)
    evidence = gather(witnesses)
    context = prepare(evidence)
    found = [(each.text, features) for each, features in _read_candidates(evidence, context)]
    return context.is_front, trim(agreed[0].text) if agreed else "", found


def _read_candidates(evidence: TitleEvidence, context: Context) -> list[tuple[FoundText, Features]]:
    return [(each, read_features(each, context)) for each in find_candidates(evidence)]


@cache
def read_weights(*, is_front: bool) -> Mapping[str, float]:
    """Return the weight of each feature on front pages, or on all others."""
    given = {**load_weights("title").values, **BY_HAND}
    weights = {name: weight for name, weight in given.items() if not name.endswith(FRONT)}
    if is_front:
        for name, weight in given.items():
            if name.endswith(FRONT):
                plain = name.removesuffix(FRONT)
                weights[plain] = weights.get(plain, 0.0) + weight
    return weights


def read_agreement(features: Features, *, is_front: bool) -> dict[str, float]:
    """Return the signals of confidence that the features of the chosen candidate give."""
    return {
        "agreement": features["agreement"],
        "heading": features.get("h1 clear", 0.0),
        "like tag": features["like tag"],
        "front": float(is_front),
    }


def _score(found: FoundText, features: Features, weights: Mapping[str, float]) -> Candidate:
    """Weigh the features of a candidate."""
    terms = {name: weights[name] * value for name, value in features.items() if value and name in weights}
    return Candidate(found.text, sum(terms.values()), terms, {"found in": ", ".join(found.places)})


def names_site(text: str, site: str) -> bool:
    """Whether a title says whose page it is: it has a word of the site's name, or most of its letters."""
    if is_generic(fold(text)):
        return False
    words = {word for word in WORD.findall(fold(site)) if len(word) >= SHORTEST_WORD}
    letters, own = to_letters(site), to_letters(text)
    return not words.isdisjoint(WORD.findall(fold(text))) or share(grams(letters), grams(own)) >= MOSTLY


def _call_by_site(candidate: Candidate, best: float) -> Candidate:
    """Give the name of the site what it lacks: a front page that only advertises is called by whose it is."""
    lead = max(best - candidate.score, 0.0) + LEAD
    return replace(candidate, score=candidate.score + lead, terms={**candidate.terms, "whose page it is": lead})


def _find_place(found: FoundText, evidence: TitleEvidence) -> int:
    """Return the node where a title stands: a heading, a text of the body, or the title tag; 0 where it is no text."""
    markup = evidence.markup
    headings = (
        heading.node
        for heading in evidence.headings
        if fold(heading.text) == found.key and "hidden" not in heading.around
    )
    node = next(headings, None) or next(iter(evidence.texts.find(found.key)), None)
    if node is None and any(place.startswith("tag") for place in found.places):
        node = find_tag(markup)
    return 0 if node is None else markup.elements.number(node)


def _box_of(nodes: Nodes, node: int) -> Box | None:
    if not node or nodes.layout is None or not nodes.layout.visible[node]:
        return None
    left, top, right, bottom = map(float, nodes.layout.box[node])
    return left, top, right, bottom
