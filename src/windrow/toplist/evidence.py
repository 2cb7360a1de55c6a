"""What speaks for the candidate lists of a page, measured: one row a candidate, one column a kind of evidence.

Facts of single lines become means over each candidate in one pass over the concatenated candidates.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow import geometry
from windrow.toplist.facts import Column, read_facts
from windrow.toplist.isa import match_instances, to_singular
from windrow.toplist.lines import TEXT_LEVEL
from windrow.toplist.names import read_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from windrow.toplist.candidates import Candidate
    from windrow.toplist.lines import Lines
    from windrow.toplist.promise import Promise

LETTERS = re.compile(r"[^\W\d_]{2}")
LEAST_DISTINCT = 0.8
FULL_BODY = 400.0
"""Characters of description that count as a full section."""
BARE_BODY = 5
LONG_TEXT = 120
FONT = np.array([1.0, 2.0, 1.5, 1.17, 1.0, 0.83, 0.67])
"""Font sizes of headings by level, as multiples of the text's: what browsers do."""
NUMBER_TERMS = (
    "numbered",
    "counts",
    "counts to k",
    "counts nearly",
    "some numbered",
    "odd one out",
    "word labels",
    "goes on",
    "ends at k",
    "reaches k",
)
"""What the numbers before the items say."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """The candidates of a page, the names of their items, and a matrix with one row each."""

    candidates: list[Candidate]
    names: dict[int, str]
    """The name that each line of any candidate gives."""
    columns: dict[str, Column]

    def matrix(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Give the named columns side by side."""
        return np.array([self.columns[name] for name in names]).T


def measure_candidates(lines: Lines, candidates: list[Candidate], promise: Promise) -> Evidence:
    """Measure everything that speaks for or against each candidate."""
    names = read_names(lines, {place for each in candidates for place in each.lines})
    worded = {place: name for place, name in names.items() if LETTERS.search(name)}
    candidates = [candidate for candidate in candidates if _names_things(candidate, worded)]
    if not candidates:
        return Evidence([], names, {})
    names = {place: names[place] for place in {place for each in candidates for place in each.lines}}
    flat = np.concatenate([np.array(candidate.lines) for candidate in candidates])
    counts = np.array([len(candidate.lines) for candidate in candidates])
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    facts = read_facts(lines, names)
    facts["P-Score"] = _p_score(candidates, lines, names, promise)
    means = np.add.reduceat(np.array(list(facts.values()))[:, flat], starts, axis=1) / counts
    columns = dict(zip(facts, means, strict=True))
    columns |= _count_evidence(candidates, counts, promise.k)
    columns |= _label_evidence(lines, candidates, promise.k)
    columns |= _edge_evidence(lines, candidates)
    columns |= _likeness_evidence(lines, names, flat, starts)
    columns |= _uniform_evidence(lines, flat, starts)
    columns |= _place_evidence(lines, flat, starts, counts)
    return Evidence(candidates, names, columns)


def _names_things(candidate: Candidate, worded: dict[int, str]) -> bool:
    """Say whether a candidate names different things in words: "Cons" ten times over or ten prices are no list."""
    given = {worded[place] for place in candidate.lines if place in worded}
    return len(given) >= LEAST_DISTINCT * len(candidate.lines)


def _count_evidence(candidates: list[Candidate], counts: NDArray[np.int64], k: int) -> dict[str, Column]:
    whole = np.array([candidate.whole for candidate in candidates])
    ways = {
        way: np.array([float(way in each.way) for each in candidates]) for way in ("first", "last", "second", "before")
    }
    return {
        "exactly k": (counts == k).astype(float),
        "one off": (np.abs(counts - k) == 1).astype(float),
        "more than k": (counts > k + 1).astype(float),
        "fewer than k": (counts < k - 1).astype(float),
        "far from k": np.minimum(np.abs(counts - k) / k, 2.0),
        "share of group": counts / whole,
        "cut first": ways["first"] * (counts < whole),
        "cut last": ways["last"] * (counts < whole),
        "cut second": ways["second"] * (counts < whole),
        "cut before": ways["before"] * (counts < whole),
    }


def _label_evidence(lines: Lines, candidates: list[Candidate], k: int) -> dict[str, Column]:
    rows = []
    followers = {label.number: place for place, label in enumerate(lines.labels) if label}
    for candidate in candidates:
        labels = [label for place in candidate.lines if (label := lines.labels[place])]
        numbers, count = [label.number for label in labels], len(candidate.lines)
        counts = numbers in (list(range(1, count + 1)), list(range(count, 0, -1)))
        steps = [abs(b - a) <= 2 for a, b in itertools.pairwise(numbers)]  # noqa: PLR2004  # one may be missing
        nearly = len(numbers) == count and not counts and sum(steps) >= count - 2
        goes_on = counts and _goes_on(lines, candidate, followers)
        rows.append(
            (
                len(numbers) / count,
                counts,
                counts and count == k,
                nearly,
                0 < len(numbers) < count,
                count / 2 < len(numbers) < count,
                sum(bool(label.word) for label in labels) / count,
                goes_on,
                bool(numbers) and max(numbers[0], numbers[-1]) == k,
                bool(numbers) and max(numbers[0], numbers[-1]) >= k,
            )
        )
    return dict(zip(NUMBER_TERMS, np.array(rows, dtype=float).T, strict=True))


def _edge_evidence(lines: Lines, candidates: list[Candidate]) -> dict[str, Column]:
    """Say what stands next to the candidates in their groups: nothing, what is no item, or what could be one."""
    closed = {-1: 1.0}
    for place in {edge for candidate in candidates for edge in candidate.edges if edge >= 0}:
        text = lines.texts[place]
        asks = text.rstrip().endswith("?") or text.split(" ", 1)[0].lower() in lines.language.asks
        closed[place] = float(asks or lines.ender[place] or len(text) > LONG_TEXT)
    before = np.array([closed[candidate.edges[0]] for candidate in candidates])
    after = np.array([closed[candidate.edges[1]] for candidate in candidates])
    return {"closed before": before, "closed after": after, "closed": before * after}


def _goes_on(lines: Lines, candidate: Candidate, followers: dict[int, int]) -> bool:
    """Say whether the numbers of a candidate go on, on the same path, after its last line."""
    last = candidate.lines[-1]
    follower = followers.get(len(candidate.lines) + 1, -1)
    return follower > last and bool(lines.path[follower] == lines.path[last]) and not bool(lines.ender[follower])


def _likeness_evidence(
    lines: Lines, names: dict[int, str], flat: NDArray[np.int64], starts: NDArray[np.int64]
) -> dict[str, Column]:
    """Measure how alike the names of a candidate are: items differ, but are of one length."""
    counts = np.diff(starts, append=len(flat))
    folded = [name.lower() for name in names.values()]
    of_names = np.zeros((4, len(lines)), dtype=np.int64)
    of_names[:, list(names)] = (
        [len(name) for name in folded],
        [lines.texts[place].endswith(":") for place in names],
        _number_values(folded),
        _number_values([name.split(" ", 1)[0] for name in folded]),
    )
    length, colons, name, first = of_names[:, flat]
    mean = np.add.reduceat(length, starts) / counts
    spread = np.sqrt(np.maximum(np.add.reduceat(length**2, starts) / counts - mean**2, 0))
    common = _count_values(first, counts)[1]
    return {
        "distinct": _count_values(name, counts)[0] / counts,
        "same first word": np.where(common > 1, common / counts, 0.0),
        "uneven names": spread / (10 + mean),
        "colons": np.add.reduceat(colons, starts) / counts,
    }


def _number_values(values: list[str]) -> list[int]:
    """Give equal values the same number."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(value, len(numbers)) for value in values]


def _count_values(numbers: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give for each candidate how many different numbers its lines have, and how often the commonest stands there."""
    owner, apart = np.repeat(np.arange(len(counts)), counts), int(numbers.max()) + 1
    pairs, seen = np.unique(owner * apart + numbers, return_counts=True)
    distinct = np.bincount(pairs // apart, minlength=len(counts))
    return distinct, np.maximum.reduceat(seen, np.cumsum(distinct) - distinct)


def _p_score(candidates: list[Candidate], lines: Lines, names: dict[int, str], promise: Promise) -> Column:
    """P-Score (TOPK), (1/k) Σ LMI(n)/Len(n), before it is summed: the share of each line, of lists of exactly k.

    It is 0 where the isA table knows no name. Nothing is an instance of a tip or a reason: of such nothing is asked.
    """
    shares, counted = np.zeros(len(lines)), promise.head.lower()
    exact = {place for each in candidates if len(each.lines) == promise.k for place in each.lines}
    short = [place for place in exact if len(names[place]) <= LONG_TEXT]
    if counted and counted not in lines.language.listed:
        shares[short] = match_instances([names[place] for place in short], to_singular(counted))
    return shares


def _uniform_evidence(lines: Lines, flat: NDArray[np.int64], starts: NDArray[np.int64]) -> dict[str, Column]:
    """Say which candidates are reached by one path, of one level, in one parent."""
    parent = lines.nodes.parent[lines.block]
    columns: dict[str, NDArray[np.integer[Any]]] = {
        "one path": lines.path,
        "one level": lines.level,
        "one parent": parent,
    }
    return {
        name: (np.minimum.reduceat(column[flat], starts) == np.maximum.reduceat(column[flat], starts)).astype(float)
        for name, column in columns.items()
    }


def _place_evidence(
    lines: Lines, flat: NDArray[np.int64], starts: NDArray[np.int64], counts: NDArray[np.int64]
) -> dict[str, Column]:
    """Measure where the items stand and how much is said of each: V-Score, and the sections between items."""
    total = np.concatenate([[0], np.cumsum(lines.lengths)])
    ends = starts + counts - 1
    bodies = np.diff(total[flat], append=0) - lines.lengths[flat]
    bodies[ends] = 0
    inner = np.maximum(counts - 1, 1)
    mean = np.add.reduceat(bodies, starts) / inner
    spread = np.sqrt(np.maximum(np.add.reduceat(bodies**2, starts) / inner - mean**2, 0))
    bare = (np.add.reduceat((bodies < BARE_BODY).astype(float), starts) - 1) / inner
    whole = max(int(total[-1]), 1)
    titles = np.flatnonzero(lines.level == 1)
    area = np.add.reduceat(visual_area(lines)[flat], starts)
    return {
        "described": np.add.reduceat(np.minimum(bodies, FULL_BODY) / FULL_BODY, starts) / inner,
        "bare": bare,
        "uneven bodies": np.minimum(spread / (mean + 50), 3.0),
        "spanned": (total[flat[ends]] - total[flat[starts]]) / whole,
        "starts": total[flat[starts]] / whole,
        "after title": (flat[starts] > (titles[0] if len(titles) else -1)).astype(float),
        "area": area / max(float(area.max()), 1.0),
        "passed over": _passed_over(lines, flat, starts, counts),
    }


def _passed_over(lines: Lines, flat: NDArray[np.int64], starts: NDArray[np.int64], counts: NDArray[np.int64]) -> Column:
    """Count the headings of the same or a higher level between the items that are none of them."""
    level = lines.level.astype(np.int64)
    highest = np.maximum.reduceat(np.where(level[flat] == 0, TEXT_LEVEL, level[flat]), starts)
    ends = flat[starts + counts - 1]
    over = np.zeros(len(starts))
    for own in set(highest.tolist()) - {TEXT_LEVEL}:
        upto = np.concatenate([[0], np.cumsum((level > 0) & (level <= own))])
        mine = highest == own
        over[mine] = (upto[ends + 1] - upto[flat[starts]])[mine] / counts[mine] - 1
    return np.clip(over, 0.0, 3.0)


def visual_area(lines: Lines) -> Column:
    """Give the visual area of each line: its box, or the estimate of TOPK, text length times font size squared."""
    layout = lines.nodes.layout
    if layout is not None:
        return np.asarray(geometry.area(layout.box[lines.first]), dtype=float)
    return np.asarray(lines.lengths * FONT[lines.level] ** 2, dtype=float)
