"""What speaks for the candidate lists of a page, measured: one row a candidate, one column a kind of evidence.

Facts of single lines become means over each candidate in one pass over the concatenated candidates.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow import geometry
from windrow.toplist.isa import match_instances, to_singular
from windrow.toplist.names import read_name
from windrow.toplist.phrase import is_superlative

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.toplist.candidates import Candidate
    from windrow.toplist.lines import Lines
    from windrow.toplist.promise import Promise

Column = NDArray[np.float64]
WORD = re.compile(r"\w+")
LETTERS = re.compile(r"[^\W\d_]{2}")
LEAST_DISTINCT = 0.8
FULL_BODY = 400.0
"""Characters of description that count as a full section."""
BARE_BODY = 5
LONG_NAME = 14
LONG_TEXT = 120
FONT = np.array([1.0, 2.0, 1.5, 1.17, 1.0, 0.83, 0.67])
"""Font sizes of headings by level, as multiples of the text's: what browsers do."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """The candidates of a page, the names of their items, and a matrix with one row each."""

    candidates: list[Candidate]
    names: dict[int, str]
    """The name that each line of any candidate gives."""
    columns: dict[str, Column]

    def matrix(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Give the named columns side by side."""
        return np.stack([self.columns[name] for name in names], axis=1)


def measure_candidates(lines: Lines, candidates: list[Candidate], promise: Promise) -> Evidence:
    """Measure everything that speaks for or against each candidate."""
    names = {place: read_name(lines, place) for place in {place for each in candidates for place in each.lines}}
    candidates = [candidate for candidate in candidates if _names_things(candidate, names)]
    if not candidates:
        return Evidence([], names, {})
    flat = np.concatenate([np.array(candidate.lines) for candidate in candidates])
    counts = np.array([len(candidate.lines) for candidate in candidates])
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    facts = _line_facts(lines, names, promise)
    means = np.add.reduceat(np.stack(list(facts.values()), axis=1)[flat], starts, axis=0) / counts[:, None]
    columns = dict(zip(facts, means.T, strict=True))
    columns |= _count_evidence(candidates, counts, promise.k)
    columns |= _label_evidence(lines, candidates, promise.k)
    columns |= _edge_evidence(lines, candidates)
    columns |= _likeness_evidence(lines, candidates, names)
    columns |= {"P-Score": _p_score(candidates, names, promise)}
    columns |= _uniform_evidence(lines, flat, starts)
    columns |= _place_evidence(lines, flat, starts, counts)
    return Evidence(candidates, names, columns)


def _names_things(candidate: Candidate, names: dict[int, str]) -> bool:
    """Say whether a candidate names different things in words: "Cons" ten times over or ten prices are no list."""
    given = {names[place] for place in candidate.lines if LETTERS.search(names[place])}
    return len(given) >= LEAST_DISTINCT * len(candidate.lines)


def _line_facts(lines: Lines, names: dict[int, str], promise: Promise) -> dict[str, Column]:
    """Give what can be said of each line alone; lines of no candidate stay 0."""
    heading, list_item = lines.level > 0, lines.item >= 0
    facts: dict[str, Column] = {
        "headings": heading.astype(float),
        "first level": (lines.level == 1).astype(float),
        "bold": (lines.bold & ~heading).astype(float),
        "items": (list_item & ~heading).astype(float),
        "cells": ((lines.row >= 0) & ~heading).astype(float),
        "links": ((lines.link >= 0) & ~heading).astype(float),
    }
    concept = {word.lower() for word in WORD.findall(promise.head)}
    concept |= {word.removesuffix("s") for word in concept}
    kinds = (
        "words",
        "long names",
        "empty names",
        "questions",
        "enders",
        "asks",
        "awards",
        "concept",
        "capital",
        "repeated",
    )
    made = {kind: np.zeros(len(lines)) for kind in kinds}
    text = lines.nodes.spans.text
    for place, name in names.items():
        words = WORD.findall(name.lower())
        made["words"][place] = min(len(words), 2 * LONG_NAME)
        made["long names"][place] = len(words) > LONG_NAME
        made["empty names"][place] = not words
        made["questions"][place] = name.endswith("?")
        made["enders"][place] = lines.ender[place]
        made["asks"][place] = bool(words) and words[0] in lines.language.asks
        made["awards"][place] = bool(words) and is_superlative(words[0], lines.language)
        made["concept"][place] = not concept.isdisjoint(words)
        made["capital"][place] = name[:1].isupper() or name[:1].isdigit()
        made["repeated"][place] = len(words) <= LONG_NAME and 0 <= text.find(name) < text.rfind(name)
    return facts | made


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
    names = (
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
    return dict(zip(names, np.array(rows, dtype=float).T, strict=True))


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


def _likeness_evidence(lines: Lines, candidates: list[Candidate], names: dict[int, str]) -> dict[str, Column]:
    """Measure how alike the names of a candidate are: items differ, but are of one length."""
    rows = []
    folded = {place: name.lower() for place, name in names.items()}
    first = {place: name.split(" ", 1)[0] for place, name in folded.items()}
    length = {place: len(name) for place, name in names.items()}
    for candidate in candidates:
        count = len(candidate.lines)
        lengths = [length[place] for place in candidate.lines]
        mean = sum(lengths) / count
        spread = (sum((each - mean) ** 2 for each in lengths) / count) ** 0.5
        common = Counter(first[place] for place in candidate.lines).most_common(1)[0][1]
        rows.append(
            (
                len({folded[place] for place in candidate.lines}) / count,
                common / count if common > 1 else 0.0,
                spread / (10 + mean),
                sum(lines.texts[place].endswith(":") for place in candidate.lines) / count,
            )
        )
    return dict(zip(("distinct", "same first word", "uneven names", "colons"), np.array(rows).T, strict=True))


def _p_score(candidates: list[Candidate], names: dict[int, str], promise: Promise) -> Column:
    """P-Score (TOPK): (1/k) Σ LMI(n)/Len(n), of lists of exactly k; 0 where the isA table knows none of the names."""
    concept = to_singular(promise.head)
    exact = {place for each in candidates if len(each.lines) == promise.k for place in each.lines}
    short = {place: names[place] for place in exact if len(names[place]) <= LONG_TEXT}
    shares = dict(zip(short, match_instances(list(short.values()), concept).tolist(), strict=True)) if concept else {}
    return np.array([sum(shares.get(place, 0.0) for place in each.lines) / len(each.lines) for each in candidates])


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
    highest = np.maximum.reduceat(np.where(level[flat] == 0, 9, level[flat]), starts)
    ends = flat[starts + counts - 1]
    over = np.zeros(len(starts))
    for own in range(1, 7):
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
