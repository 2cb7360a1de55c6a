"""What a user gets: the four stages of TOPK one after the other, and a sentence for every way out.

Title classifier, candidate picker, ranker, content processor. The first two decide what the page may be; a list is
given only where one candidate stands out, since a wrong list is worse than none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from windrow.toplist.candidates import LONG, Candidate, begins_amid_numbers, find_candidates
from windrow.toplist.content import Resolve, read_items
from windrow.toplist.evidence import Evidence, measure_candidates
from windrow.toplist.isa import find_place
from windrow.toplist.language import choose_language
from windrow.toplist.lines import Lines, read_lines
from windrow.toplist.ranker import PARAMETERS, Choice, choose_candidate, load_weights
from windrow.toplist.result import TopList, Verdict
from windrow.toplist.titles import find_promise
from windrow.toplist.tokens import LEAST, MOST

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.nodes import Nodes
    from windrow.toplist.promise import Promise


@dataclass(frozen=True, eq=False)
class Reading:
    """All that was found out about a page, stage by stage."""

    verdict: Verdict
    toplist: TopList | None = None
    promise: Promise | None = None
    lines: Lines | None = None
    evidence: Evidence | None = None
    choice: Choice | None = None

    @property
    def ranked(self) -> list[Candidate]:
        """The candidates, the chosen one first, the others by their scores."""
        if self.evidence is None or self.choice is None:
            return []
        scores, chosen = self.choice.scores, self.choice.place
        order = sorted(range(len(scores)), key=lambda place: (place != chosen, -scores[place]))
        return [self.evidence.candidates[place] for place in order]


def read_toplist(nodes: Nodes, resolve: Resolve, title: Callable[[], str]) -> Reading:
    """Read the ranked list of a page.

    ``resolve`` makes addresses absolute; ``title`` gives the page's title, and is asked only where titles disagree.
    """
    promise = find_promise(nodes, title)
    if promise is None:
        reason = f"No title of the page promises a number of things (from {LEAST} to {MOST})."
        return Reading(Verdict(is_topk=False, reason=reason))
    lines = read_lines(nodes, choose_language(promise.title.split()))
    evidence = measure_candidates(lines, find_candidates(lines, promise.k), promise)
    if not evidence.candidates:
        reason = f"The title promises {_what(promise)}, but no list on the page is near that long."
        return Reading(Verdict(is_topk=False, reason=reason, k=promise.k), None, promise, lines)
    choice = choose_candidate(evidence, load_weights())
    verdict = judge_page(promise, evidence, choice)
    toplist = None
    is_whole = not begins_amid_numbers(lines, evidence.candidates[choice.place])
    if verdict.is_topk and is_whole and is_certain(promise, evidence, choice):
        toplist = write_toplist(promise, lines, evidence, choice, resolve)
    elif verdict.is_topk:
        unsure = f"The title “{promise.title}” promises {_what(promise)}, but none of the page's lists stands out."
        verdict = replace(verdict, reason=unsure)
    return Reading(verdict, toplist, promise, lines, evidence, choice)


def _what(promise: Promise) -> str:
    return f"{promise.k}{' or more' if promise.more else ''} {promise.concept or 'things'}"


def judge_page(promise: Promise, evidence: Evidence, choice: Choice) -> Verdict:
    """Say whether the page keeps the promise of its title, and why or why not."""
    counted = bool(evidence.columns["counts to k"][choice.place])
    if promise.score < PARAMETERS.likely_title and not counted:
        reason = f"The title “{promise.title}” hardly promises a list, and the page does not count to {promise.k}."
        return Verdict(is_topk=False, reason=reason, k=promise.k)
    count = len(evidence.candidates[choice.place].lines)
    doubtful = promise.score < PARAMETERS.certain_title and count < promise.k / 2
    if choice.score < PARAMETERS.verdict_score or doubtful:
        reason = f"The title promises {_what(promise)}, but the page holds no such list."
        return Verdict(is_topk=False, reason=reason, k=promise.k)
    reason = f"The title “{promise.title}” promises {_what(promise)}, and the page lists them."
    return Verdict(is_topk=True, reason=reason, k=promise.k)


def is_certain(promise: Promise, evidence: Evidence, choice: Choice) -> bool:
    """Say whether the best candidate stands out enough to be given as the list, or as the first part of a long one."""
    goes_on = bool(evidence.columns["goes on"][choice.place])
    if choice.score < PARAMETERS.least_score or (promise.more and goes_on):
        return False
    count = len(evidence.candidates[choice.place].lines)
    begins = promise.k >= LONG and bool(evidence.columns["counts"][choice.place])
    if count == promise.k or begins or evidence.columns["reaches k"][choice.place]:
        return choice.share >= PARAMETERS.least_share
    return count > promise.k and choice.share >= PARAMETERS.least_share_off


def write_toplist(promise: Promise, lines: Lines, evidence: Evidence, choice: Choice, resolve: Resolve) -> TopList:
    """Put together what the title says and what the items hold."""
    items = read_items(lines, evidence.candidates[choice.place], evidence.names, resolve)
    places = (find_place(title, lines.language.places_after) for title in promise.titles)
    return TopList(
        k=promise.k,
        concept=promise.concept,
        criterion=promise.criterion,
        time=promise.time,
        location=next(filter(None, places), ""),
        items=items,
        title=promise.title,
        score=choice.share,
    )
