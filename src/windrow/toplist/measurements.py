"""What speaks for and against each candidate list of a page: one row a candidate, one column a measurement.

Measurements of single lines become means over each candidate in one pass over the concatenated candidates. A column
is here because lists of sites left out are chosen worse without it; that holds neither for P-Score nor for V-Score.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.toplist.names import read_names
from windrow.toplist.phrase import is_superlative

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.geometry import Mask
    from windrow.toplist.candidates import Candidate
    from windrow.toplist.lines import Lines
    from windrow.toplist.promise import Promise

Column = NDArray[np.float64]
Places = NDArray[np.int64]
TWO_LETTERS = re.compile(r"[^\W\d_]{2}")
COUNTER = re.compile(r"\W*\b\d{1,3}\s*(?:/|of|out of|von|de|sur|di|из)\s*\d{1,3}\b\W*", re.IGNORECASE)
"""Where a reader is in a gallery: "3 / 12", "3 of 12"."""
PUNCTUATION = "\"'“”‘’([{¿¡.,:;!?)]}"  # noqa: RUF001  # the signs that pages use


@dataclass(frozen=True)
class Parameters:
    """Where measurements begin and end; set by what such lines look like, not fitted."""

    least_distinct: float = 0.8
    """Share of a candidate's lines that must name different things in words: "Cons" ten times over is no list."""
    full_body: float = 400.0
    """Characters of description that count as a full section: a paragraph."""
    usual_body: float = 50.0
    """Added to the mean length of descriptions, so that lists of bare names count as even."""
    usual_name: float = 10.0
    """The same for names."""
    most_uneven: float = 3.0
    """Descriptions that differ more than this count as differing so much."""
    most_words: int = 14
    """Words beyond which a name is a sentence, which is not looked for elsewhere."""
    near: int = 600
    """Characters below a name in which the text mentions it if it is one: a paragraph or two."""


PARAMETERS = Parameters()


@dataclass(frozen=True, eq=False)
class Measurements:
    """The candidates of a page, the names of their items, and one column a measurement."""

    candidates: list[Candidate]
    names: dict[int, str]
    """The name that each line of any candidate holds."""
    columns: dict[str, Column]

    def matrix(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Return the named columns side by side."""
        return np.array([self.columns[name] for name in names]).T


def measure_candidates(lines: Lines, candidates: list[Candidate], promise: Promise) -> Measurements:
    """Return everything that speaks for or against each candidate that names different things."""
    names = read_names(lines, {place for each in candidates for place in each.lines})
    worded = {place: name for place, name in names.items() if TWO_LETTERS.search(COUNTER.sub("", name))}
    beside = _find_beside(lines)
    candidates = [each for each in candidates if _names_things(each, worded) and not beside[list(each.lines)].all()]
    if not candidates:
        return Measurements([], names, {})
    names = {place: names[place] for place in {place for each in candidates for place in each.lines}}
    flat = np.concatenate([np.array(candidate.lines) for candidate in candidates])
    counts = np.array([len(candidate.lines) for candidate in candidates])
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    of_lines = _measure_lines(lines, names)
    means = np.add.reduceat(np.array(list(of_lines.values()))[:, flat], starts, axis=1) / counts
    columns = dict(zip(of_lines, means, strict=True))
    columns |= _measure_counts(candidates, counts, promise.k)
    columns |= _measure_numbers(lines, candidates, promise.k)
    columns["uneven names"] = _measure_names(names, flat, starts)
    columns["one path"] = np.asarray(
        np.minimum.reduceat(lines.path[flat], starts) == np.maximum.reduceat(lines.path[flat], starts), dtype=float
    )
    columns |= _measure_bodies(lines, flat, starts)
    return Measurements(candidates, names, columns)


def _names_things(candidate: Candidate, worded: dict[int, str]) -> bool:
    """Whether a candidate names different things in words: ten prices are no list."""
    given = {worded[place] for place in candidate.lines if place in worded}
    return len(given) >= PARAMETERS.least_distinct * len(candidate.lines)


def _measure_lines(lines: Lines, names: dict[int, str]) -> dict[str, Column]:
    """Return what can be said of each line alone; what is said of names is 0 for the lines of no candidate."""
    plain = lines.level == 0
    awards, questions, repeated = (np.zeros(len(lines)) for _ in range(3))
    again = _find_repeated(lines, names)
    for place, name in names.items():
        first = name.split(" ", 1)[0].strip(PUNCTUATION).lower()
        awards[place] = is_superlative(first, lines.language)
        questions[place] = name.endswith("?") or first in lines.language.asks
        repeated[place] = place in again
    return {
        "headings": (~plain).astype(float),
        "bold": (lines.bold & plain).astype(float),
        "awards": awards,
        "questions": questions,
        "repeated": repeated,
    }


def _find_beside(lines: Lines) -> Mask:
    """Return which lines are no headings and stand under one of the article's own: "More to read", "Conclusion"."""
    headings = np.flatnonzero(lines.level > 0)
    if not len(headings):
        return np.zeros(len(lines), dtype=bool)
    above = np.searchsorted(headings, np.arange(len(lines)), side="right") - 1
    return np.asarray(np.array(lines.article_heading)[headings][above] & (above >= 0) & (lines.level == 0))


def _find_repeated(lines: Lines, names: dict[int, str]) -> set[int]:
    """Return the lines whose names stand on the page again: as a line of an overview, or in the text right below."""
    text, texts, starts, labels = lines.nodes.spans.text, lines.texts, lines.start.tolist(), lines.labels
    seen = Counter(label.rest if label else line for line, label in zip(texts, labels, strict=True))
    repeated = set()
    for place, name in names.items():
        if len(name.split()) > PARAMETERS.most_words:
            continue
        label, below = labels[place], starts[place] + len(texts[place])
        own = name == (label.rest if label else texts[place])
        if seen.get(name, 0) > own or text.find(name, below, below + PARAMETERS.near) >= 0:
            repeated.add(place)
    return repeated


def _measure_counts(candidates: list[Candidate], counts: Places, k: int) -> dict[str, Column]:
    whole = np.array([candidate.whole for candidate in candidates])
    guessed = np.array([candidate.guessed for candidate in candidates])
    return {
        "exactly k": (counts == k).astype(float),
        "fewer than k": (counts < k - 1).astype(float),
        "share of group": counts / whole,
        "k in a row": (guessed & (counts < whole)).astype(float),
    }


def _measure_numbers(lines: Lines, candidates: list[Candidate], k: int) -> dict[str, Column]:
    """Return what the numbers before the items say."""
    rows = []
    paths = lines.path.tolist()
    followers = {(label.number, paths[place]): place for place, label in enumerate(lines.labels) if label}
    for candidate in candidates:
        numbers, count = [label.number for place in candidate.lines if (label := lines.labels[place])], len(candidate)
        counts = numbers in (list(range(1, count + 1)), list(range(count, 0, -1)))
        rows.append(
            (
                counts,
                counts and count == k,
                counts and _goes_on(lines, candidate, followers),
                bool(numbers) and max(numbers[0], numbers[-1]) >= k,
            )
        )
    return dict(zip(("counts", "counts to k", "goes on", "reaches k"), np.array(rows, dtype=float).T, strict=True))


def _goes_on(lines: Lines, candidate: Candidate, followers: dict[tuple[int, int], int]) -> bool:
    """Whether the numbers of a candidate go on, on the same path, after its last line."""
    last = candidate.lines[-1]
    follower = followers.get((len(candidate) + 1, int(lines.path[last])), -1)
    return follower > last and not lines.article_heading[follower]


def _measure_names(names: dict[int, str], flat: Places, starts: Places) -> Column:
    """Return how much the names of each candidate differ in length: items of one list hardly do."""
    length = np.array([len(names[place]) for place in flat.tolist()])
    mean, spread = _mean_and_spread(length, starts, np.diff(starts, append=len(flat)))
    return np.asarray(spread / (PARAMETERS.usual_name + mean))


def _measure_bodies(lines: Lines, flat: Places, starts: Places) -> dict[str, Column]:
    """Return how much is said between the items, and how much that differs from item to item."""
    total = np.concatenate([[0], np.cumsum(lines.lengths)])
    bodies = np.diff(total[flat], append=0) - lines.lengths[flat]
    bodies[np.append(starts[1:], len(flat)) - 1] = 0
    inner = np.maximum(np.diff(starts, append=len(flat)) - 1, 1)
    mean, spread = _mean_and_spread(bodies, starts, inner)
    full = np.minimum(bodies, PARAMETERS.full_body) / PARAMETERS.full_body
    return {
        "described": np.add.reduceat(full, starts) / inner,
        "uneven bodies": np.minimum(spread / (mean + PARAMETERS.usual_body), PARAMETERS.most_uneven),
    }


def _mean_and_spread(values: Places, starts: Places, counts: Places) -> tuple[Column, Column]:
    mean = np.add.reduceat(values, starts) / counts
    return mean, np.sqrt(np.maximum(np.add.reduceat(values**2, starts) / counts - mean**2, 0))
