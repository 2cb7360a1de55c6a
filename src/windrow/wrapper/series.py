"""Several values in one text ("Ada Rake, Ben Fork and Cleo Barn"): what parts them, and the text taken apart by it."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from windrow.wrapper.normalization import shown
from windrow.wrapper.text_search import Occurrence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.wrapper.page_features import PageFeatures

PARTING = re.compile(r"\s*(?:([,;/|·•&]+)\s*)?(?:(and|und|et|y)\s)?\s*", re.IGNORECASE)
"""What may stand between two values: a mark, a word, or one after the other."""
LAST = frozenset({"&", "and", "und", "et", "y"})
"""What stands before the last value only, where a comma stands before the others."""
COMMA = ","


def find_series(
    features: PageFeatures, values: Sequence[Sequence[Occurrence]]
) -> tuple[Occurrence, tuple[str, ...]] | None:
    """Return the text that shows all values and nothing between them but what parts them, and what that is."""
    for first in values[0]:
        found = [next((place for place in places if place.node == first.node), None) for places in values]
        kept = [place for place in found if place is not None and not place.attribute]
        if len(kept) < len(values) or any(place.is_exact for place in kept):
            continue
        text = features.text_of(first.node)
        ordered = sorted(kept, key=lambda place: len(place.prefix))
        between = [text[len(text) - len(one.suffix) : len(other.prefix)] for one, other in pairwise(ordered)]
        if parting := find_parting(between):
            return Occurrence(first.node, ordered[0].prefix, ordered[-1].suffix), parting
    return None


def find_parting(between: Sequence[str]) -> tuple[str, ...]:
    """Return what parts values, given the texts between them; nothing where anything else stands there."""
    found: dict[str, None] = {}
    for text in between:
        match = PARTING.fullmatch(text)
        marks = [mark.casefold() for mark in match.groups() if mark] if match else []
        if not marks:
            return ()
        found |= dict.fromkeys(marks)
    if LAST.issuperset(found):
        found[COMMA] = None  # where there are more, that stands before the last of them only
    return tuple(sorted(found))


def split_series(text: str, parting: Sequence[str]) -> list[str]:
    """Return the values of a text in which they stand in a row; the text itself where nothing parts it."""
    pieces = _pattern(tuple(parting)).split(text) if parting else [text]
    return [piece for piece in map(shown, pieces) if piece]


@lru_cache(maxsize=256)
def _pattern(parting: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for any of what parts values, several in a row too; a word stands between spaces."""
    options = [rf"\b{mark}(?=\s)" if mark.isalpha() else rf"{re.escape(mark)}(?!\d)" for mark in parting]
    one = rf"\s*(?:{'|'.join(options)})\s*"
    return re.compile(f"(?:{one})+", re.IGNORECASE)
