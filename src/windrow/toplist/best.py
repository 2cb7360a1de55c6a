"""What a user gets: the four stages of TOPK one after the other, and a sentence for every way out.

Title classifier, candidate picker, ranker, content processor. The first two decide what the page may be; a list is
returned only where it is likely enough to be right, since a wrong list is worse than none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from windrow import geometry
from windrow.nodes import find_language
from windrow.toplist.candidates import PARAMETERS, Candidate, begins_amid_numbers, find_candidates
from windrow.toplist.content import read_items
from windrow.toplist.language import choose_language
from windrow.toplist.lines import Lines, read_lines
from windrow.toplist.measurements import Measurements, measure_candidates
from windrow.toplist.promise import declared_language, find_location, find_promise
from windrow.toplist.ranker import Choice, choose_candidate
from windrow.toplist.result import TopList, Verdict
from windrow.toplist.tokens import LEAST, MOST
from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.nodes import Nodes
    from windrow.result import Box
    from windrow.toplist.item_links import Resolve
    from windrow.toplist.promise import Promise


@dataclass(frozen=True, eq=False)
class TopListReading:
    """All that was found out about a page, stage by stage."""

    verdict: Verdict
    toplist: TopList | None = None
    promise: Promise | None = None
    lines: Lines | None = None
    measured: Measurements | None = None
    choice: Choice | None = None

    @property
    def ranked(self) -> list[Candidate]:
        """The candidates, the chosen one first, the others by their scores."""
        if self.measured is None or self.choice is None:
            return []
        scores, chosen = self.choice.scores, self.choice.place
        order = sorted(range(len(scores)), key=lambda place: (place != chosen, -scores[place]))
        return [self.measured.candidates[place] for place in order]


def read_toplist(nodes: Nodes, resolve: Resolve, title: Callable[[], str]) -> TopListReading:
    """Read the ranked list of a page.

    ``resolve`` makes addresses absolute; ``title`` returns the page's title, and is asked only where titles disagree.
    """
    promise = find_promise(nodes, title)
    if promise is None:
        reason = f"No title of the page promises a number of things (from {LEAST} to {MOST})."
        return TopListReading(Verdict(is_topk=False, reason=reason))
    lines = read_lines(nodes, choose_language(promise.title.split(), declared_language(nodes)))
    measured = measure_candidates(lines, find_candidates(lines, promise.k), promise)
    if not measured.candidates:
        reason = f"The title promises {_what(promise)}, but no list on the page is near that long."
        return TopListReading(Verdict(is_topk=False, reason=reason, k=promise.k), None, promise, lines)
    choice = choose_candidate(measured, load_weights("toplist").values)
    verdict, toplist = judge_page(promise, choice), None
    if verdict.is_topk and stands_out(promise, choice) and may_be_given(promise, lines, measured, choice.place):
        toplist = write_toplist(promise, lines, measured, choice, resolve)
    elif verdict.is_topk:
        unsure = f"The title “{promise.title}” promises {_what(promise)}, but none of the page's lists stands out."
        verdict = replace(verdict, reason=unsure)
    return TopListReading(verdict, toplist, promise, lines, measured, choice)


def _what(promise: Promise) -> str:
    return f"{promise.k}{' or more' if promise.more else ''} {promise.concept or 'things'}"


def judge_page(promise: Promise, choice: Choice) -> Verdict:
    """Return whether the page keeps the promise of its title, and why or why not."""
    weights = load_weights("toplist")
    chance = weights.calibrations["verdict"].confidence(choice.signals(promise))
    if chance < weights.thresholds["verdict"]:
        reason = f"The title “{promise.title}” may promise {_what(promise)}, but the page holds no such list."
        return Verdict(is_topk=False, reason=reason, k=promise.k)
    reason = f"The title “{promise.title}” promises {_what(promise)}, and the page lists them."
    return Verdict(is_topk=True, reason=reason, k=promise.k)


def stands_out(promise: Promise, choice: Choice) -> bool:
    """Whether the chosen list is likely enough to be right, and others of the page are not nearly as likely."""
    thresholds = load_weights("toplist").thresholds
    return choice.share >= thresholds["share"] and find_confidence(promise, choice) >= thresholds["list"]


def find_confidence(promise: Promise, choice: Choice) -> float:
    """Return the share of such choices that are right."""
    return load_weights("toplist").calibrations["list"].confidence(choice.signals(promise))


def may_be_given(promise: Promise, lines: Lines, measured: Measurements, place: int) -> bool:
    """Whether nothing says that a candidate is only a part of the list.

    The first part of a long list is given, and a list whose numbers reach k although one is missing.
    """
    candidate = measured.candidates[place]
    counts, goes_on, reaches = (bool(measured.columns[name][place]) for name in ("counts", "goes on", "reaches k"))
    if begins_amid_numbers(lines, candidate) or (promise.more and goes_on):
        return False
    return len(candidate) >= promise.k or reaches or (promise.k >= PARAMETERS.long and counts)


def write_toplist(promise: Promise, lines: Lines, measured: Measurements, choice: Choice, resolve: Resolve) -> TopList:
    """Return what the title says and what the items hold, put together."""
    nodes, items = lines.nodes, read_items(lines, measured.candidates[choice.place], measured.names, resolve)
    places = (find_location(title, lines.language) for title in promise.titles)
    return TopList(
        k=promise.k,
        concept=promise.concept,
        criterion=promise.criterion,
        time=promise.time,
        location=next(filter(None, places), ""),
        items=items,
        title=promise.title,
        score=choice.share,
        confidence=find_confidence(promise, choice),
        box=_find_box(nodes, [item.node for item in items]),
        language=find_language(nodes, items[0].node),
    )


def _find_box(nodes: Nodes, places: list[int]) -> Box | None:
    if nodes.layout is None:
        return None
    left, top, right, bottom = geometry.hull(nodes.layout.box[places]).tolist()
    return left, top, right, bottom
