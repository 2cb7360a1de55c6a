"""Near duplicates: rows of a collection that are alike, proposed as pairs for a person to look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.errors import UsageError
from windrow.store.matching import normalise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windrow.store.collections import Gathering, Merged
    from windrow.store.rows import Key

USUAL_LIKENESS = 0.9
"""Where the collection says nothing."""
MOST_ROWS = 50_000
"""Beyond this, comparing each with each takes longer than anybody waits."""
AT_ONCE = 256
"""How many rows are compared with all others together."""
PER_CENT = 100


@dataclass(frozen=True)
class Pair:
    """Two rows of a collection, of different sources, that may be the same thing."""

    collection: str
    likeness: float
    first: Key | None
    second: Key | None
    first_values: dict[str, Any]
    second_values: dict[str, Any]
    first_sources: list[str]
    second_sources: list[str]
    records: tuple[dict[str, Key], dict[str, Key]] = field(default=({}, {}), compare=False)
    """The keys of the records of each side, by source."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        sides = [
            {"key": key, "values": values, "sources": sources}
            for key, values, sources in (
                (self.first, self.first_values, self.first_sources),
                (self.second, self.second_values, self.second_sources),
            )
        ]
        return {"collection": self.collection, "likeness": self.likeness, "pair": sides}


def find_alike(gathering: Gathering, likeness: float | None = None) -> Iterator[Pair]:
    """Yield pairs of rows whose texts are alike and that no source has both of, but for those that were refused.

    Rows are compared by the labels that the collection names for it, or by its key; the order of words does not count.
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - only who asks for pairs pays for it

    collection = gathering.collection
    least = likeness if likeness is not None else collection.likeness or USUAL_LIKENESS
    if not 0 < least <= 1:
        raise UsageError(f"A likeness of {least:g} can't be meant. Write one above 0 and up to 1, as in 0.9.")
    if len(gathering) > MOST_ROWS:
        raise UsageError(
            f"{collection.name} has {len(gathering):,} rows, too many to compare each with each; {MOST_ROWS:,} can be. "
            "Compare fewer sources at a time."
        )
    labels = collection.compare or collection.key
    rows = [(text, row) for row in gathering if (text := _text_of(row, labels))]
    # The ratio of two texts is at most that of their lengths, so that only those of about the same length can be alike.
    rows.sort(key=lambda each: len(each[0]))
    texts = [text for text, _ in rows]
    lengths = np.array([len(text) for text in texts])
    found: list[tuple[int, int, float]] = []
    for start in range(0, len(texts), AT_ONCE):
        some = texts[start : start + AT_ONCE]
        longest = len(some[-1]) * (2 - least) / least
        end = int(np.searchsorted(lengths, longest, "right"))
        scores = process.cdist(
            some, texts[start:end], scorer=fuzz.ratio, score_cutoff=least * PER_CENT, dtype=np.float32, workers=1
        )
        for one, other in zip(*np.nonzero(scores), strict=True):
            pair = rows[start + one][1], rows[start + other][1]
            if other > one and _are_of_different_sources(*pair) and not gathering.verdicts.tells_apart(*pair):
                found.append((start + int(one), start + int(other), float(scores[one, other]) / PER_CENT))
    for one, other, score in sorted(found, key=lambda each: (-each[2], each[:2])):
        yield _pair(collection.name, score, rows[one][1], rows[other][1])


def _text_of(row: Merged, labels: Sequence[str]) -> str:
    """Return what a row is compared by, its words in the order of the alphabet."""
    texts = [row.values.get(label) for label in labels]
    words = " ".join(" ".join(text) if isinstance(text, list) else text or "" for text in texts).split()
    return " ".join(sorted(normalise(word) for word in words))


def _are_of_different_sources(one: Merged, other: Merged) -> bool:
    return not one.sources.keys() & other.sources.keys()


def _pair(collection: str, score: float, one: Merged, other: Merged) -> Pair:
    sources = list(one.sources), list(other.sources)
    records = one.records, other.records
    return Pair(collection, round(score, 3), one.key, other.key, one.values, other.values, *sources, records)
