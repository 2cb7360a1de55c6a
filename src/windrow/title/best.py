"""The title as a reader would say it: the candidate for which most of the page's evidence speaks.

Candidates are the title tag and its parts, meta tags, structured data, headings, names of the site, and texts of the
body that stand within the tag. Each gets named features, and its score is their weighted sum: nothing else decides, so
the terms of a candidate explain it fully. The front page of a site is called by whose it is instead, where that is
known: it wants the name of the business or place, where an article wants its headline and a record the name of the
thing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from windrow.title.agreement import find_agreed
from windrow.title.candidates import LIMITS, FoundText, find_candidates, trim
from windrow.title.confidence import state_confidence
from windrow.title.elsewhere import read_elsewhere
from windrow.title.evidence import TitleEvidence, gather, read_witnesses
from windrow.title.features import Features, prepare, read_features
from windrow.title.front import find_front_titles
from windrow.title.likeness import fold
from windrow.title.markup import find_tag
from windrow.title.result import Candidate, Title
from windrow.title.site import find_site, read_site_texts, score_names, tell_site
from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.nodes import Nodes
    from windrow.result import Box
    from windrow.title.elsewhere import PageNames
    from windrow.title.headings import Heading

AGREED = "agreed"
"""The calibration of titles that the page agrees on."""
NAMED = "named"
"""The calibration of front pages that are called by whose they are."""
BY_HAND: Mapping[str, float] = {"large": 0.5, "elsewhere": -6.0}
"""Weights of what no page with a known title has: a layout, other pages of its site.

Large letters weigh less than a heading, for banners have them too. What other pages have too is out.
"""
NO_NAME = f"No title tag, heading or other text of the page has letters and is at most {LIMITS.letters} long."


def find_best_title(nodes: Nodes, url: str = "", others: Sequence[PageNames] = ()) -> Title:
    """Return the title of a page; ``others`` is what other pages of the same site say, where there are any.

    The score of the title is the share of belief that it gets among all candidates, from 0 to 1; the scores of the
    candidates are the sums of their terms.
    """
    witnesses = read_witnesses(nodes, url, read_elsewhere(others))
    if not witnesses.is_home and (agreed := find_agreed(witnesses)):
        return _call_by_heading(witnesses, *agreed)
    evidence = gather(witnesses)
    if evidence.is_home and (names := score_names(read_site_texts(evidence))):
        return _call_by_name(evidence, names)
    found = _read_candidates(evidence)
    find_name = partial(find_site, read_site_texts(evidence))
    if not found:
        return Title("", 0.0, reason=NO_NAME).with_site(find_name)
    weights = read_weights()
    scored = [(each, features, _score(each, features, weights)) for each, features in found]
    # Sorting is stable: of equals, the one that was found first stays first.
    scored.sort(key=lambda one: -one[2].score)
    first, features, best = scored[0]
    candidates = tuple(candidate for _, _, candidate in scored)
    place = _find_place(best.text, evidence, is_tag=any(place.startswith("tag") for place in first.places))
    return Title(
        best.text,
        _share_belief(candidates),
        candidates,
        confidence=state_confidence("best", candidates, read_agreement(features)),
        nodes=(place,) if place else (),
        box=_box_of(nodes, place),
    ).with_site(find_name)


def _call_by_name(evidence: TitleEvidence, names: list[Candidate]) -> Title:
    """Return the title of a front page: whose it is, or the title that its owner declares."""
    candidates = tuple(find_front_titles(evidence, names))
    place = _find_place(candidates[0].text, evidence, is_tag="tag" in candidates[0].compared["found in"])
    return Title(
        candidates[0].text,
        _share_belief(candidates),
        candidates,
        site=tell_site(names),
        confidence=state_confidence(NAMED, candidates),
        nodes=(place,) if place else (),
        box=_box_of(evidence.markup.nodes, place),
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
        confidence=state_confidence(AGREED, candidates),
        nodes=(place,),
        box=_box_of(evidence.markup.nodes, place),
    ).with_site(partial(find_site, read_site_texts(evidence)))


@dataclass(frozen=True)
class Reading:
    """What weights and confidences are fitted on: whatever settles a title, and every candidate with its features."""

    agreed: str
    """The title that the page agrees on; empty where it does not."""
    named: tuple[Candidate, ...]
    """What a front page may be called by whose it is; empty on other pages, and where nothing tells it."""
    candidates: list[tuple[str, Features]]


def read_candidates(nodes: Nodes, url: str = "") -> Reading:
    """Read a page as its title is found, but weigh nothing."""
    witnesses = read_witnesses(nodes, url)
    agreed = None if witnesses.is_home else find_agreed(witnesses)
    evidence = gather(witnesses)
    names = score_names(read_site_texts(evidence)) if evidence.is_home else []
    named = tuple(find_front_titles(evidence, names)) if names else ()
    found = [(each.text, features) for each, features in _read_candidates(evidence)]
    return Reading(trim(agreed[0].text) if agreed else "", named, found)


def _read_candidates(evidence: TitleEvidence) -> list[tuple[FoundText, Features]]:
    context = prepare(evidence)
    return [(each, read_features(each, context)) for each in find_candidates(evidence)]


@cache
def read_weights() -> Mapping[str, float]:
    """Return the weight of each feature."""
    return {**load_weights("title").values, **BY_HAND}


def read_agreement(features: Features) -> dict[str, float]:
    """Return the signals of confidence that the features of the chosen candidate give."""
    return {
        "agreement": features["agreement"],
        "heading": features.get("h1 clear", 0.0),
        "like tag": features["like tag"],
    }


def _share_belief(candidates: Sequence[Candidate]) -> float:
    """Return the share of belief that the first of some candidates gets."""
    return 1 / sum(math.exp(candidate.score - candidates[0].score) for candidate in candidates)


def _score(found: FoundText, features: Features, weights: Mapping[str, float]) -> Candidate:
    """Weigh the features of a candidate."""
    terms = {name: weights[name] * value for name, value in features.items() if value and name in weights}
    return Candidate(found.text, sum(terms.values()), terms, {"found in": ", ".join(found.places)})


def _find_place(text: str, evidence: TitleEvidence, *, is_tag: bool) -> int:
    """Return the node where a title stands: a heading, a text of the body, or the title tag; 0 where it is no text."""
    markup, key = evidence.markup, fold(text)
    headings = (
        heading.node for heading in evidence.headings if fold(heading.text) == key and "hidden" not in heading.around
    )
    node = next(headings, None) or next(iter(evidence.texts.find(key)), None)
    if node is None and is_tag:
        node = find_tag(markup)
    return 0 if node is None else markup.elements.number(node)


def _box_of(nodes: Nodes, node: int) -> Box | None:
    if not node or nodes.layout is None or not nodes.layout.visible[node]:
        return None
    left, top, right, bottom = map(float, nodes.layout.box[node])
    return left, top, right, bottom
