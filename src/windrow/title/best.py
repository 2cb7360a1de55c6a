"""The title as a reader would say it: the candidate for which most of the page's evidence speaks.

Candidates are the title tag and its parts, meta tags, structured data, headings, names of the site, and texts of the
body that stand within the tag. Each gets named features, and its score is their weighted sum: nothing else decides, so
the terms of a candidate explain it fully. The front page of a site has weights of its own, because it wants the name of
the business or place, where an article wants its headline and a record the name of the thing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from windrow.title.candidates import LONGEST, Found, find_candidates
from windrow.title.context import prepare
from windrow.title.evidence import fold, gather
from windrow.title.features import read_features
from windrow.title.headings import read_headings
from windrow.title.markup import read_markup
from windrow.title.result import Candidate, Title
from windrow.title.segments import cut_segments
from windrow.title.tag import read_tag
from windrow.title.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.nodes import Nodes

ELSEWHERE = {name: always for name, (always, _) in WEIGHTS.items() if always}
ON_FRONT = {name: always + front for name, (always, front) in WEIGHTS.items() if always + front}
NO_NAME = f"No title tag, heading or other text of the page has letters and is at most {LONGEST} long."


def find_best_title(nodes: Nodes, url: str = "", others: Sequence[Nodes] = ()) -> Title:
    """Choose the title of a page; ``others`` are other pages of the same site, where there are any.

    The score of the title is the share of belief that it gets among all candidates, from 0 to 1; the scores of the
    candidates are the sums of their terms.
    """
    evidence = gather(nodes, url, read_elsewhere(others))
    context = prepare(evidence)
    parts = [context.score_site(part) for part in evidence.tag.parts()]
    found = find_candidates(evidence)
    if not found:
        return Title("", 0.0, reason=NO_NAME)
    scored = [_score(one, read_features(one, context, parts), is_front=context.is_front) for one in found]
    # Sorting is stable: of equals, the one that was found first stays first.
    scored.sort(key=lambda candidate: -candidate.score)
    best = scored[0]
    belief = 1 / sum(math.exp(candidate.score - best.score) for candidate in scored)
    return Title(best.text, belief, tuple(scored))


def read_candidates(nodes: Nodes, url: str = "") -> tuple[bool, list[tuple[str, dict[str, float]]]]:
    """Give every candidate with its features, as weights are tuned on them, and whether this is a front page."""
    evidence = gather(nodes, url)
    context = prepare(evidence)
    parts = [context.score_site(part) for part in evidence.tag.parts()]
    return context.is_front, [(one.text, read_features(one, context, parts)) for one in find_candidates(evidence)]


def read_elsewhere(others: Sequence[Nodes]) -> frozenset[str]:
    """Collect what other pages of a site have in their title tags and first headings: what does not change."""
    found: set[str] = set()
    for nodes in others:
        found.update(map(fold, cut_segments(read_tag(nodes)).parts()))
        found.update(fold(heading.text) for heading in read_headings(read_markup(nodes)) if heading.level == 1)
    return frozenset(found)


def _score(found: Found, features: dict[str, float], *, is_front: bool) -> Candidate:
    """Weigh the features of a candidate."""
    weights = ON_FRONT if is_front else ELSEWHERE
    terms = {name: weights[name] * value for name, value in features.items() if value and name in weights}
    return Candidate(found.text, sum(terms.values()), terms, {"found in": ", ".join(found.places)})
