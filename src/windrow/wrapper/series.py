"""Several values in one text ("Ada Rake, Ben Fork and Cleo Barn"): what parts them, and the text taken apart by it."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from windrow.wrapper.lists.selectors import AND
from windrow.wrapper.normalization import shown
from windrow.wrapper.text_search import Occurrence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.wrapper.page_features import PageFeatures

PARTING = re.compile(rf"\s*(?:([,;/|·•&]+)\s*)?(?:({'|'.join(sorted(AND))})\s)?\s*", re.IGNORECASE)
"""What may stand between two values: a mark, a word, or one after the other."""
LAST = AND | {"&"}
"""What stands before the last value only, where a comma stands before the others."""
SUFFIX = r"(?i:(?!\s*(?:jr|sr|esq|ph\.?d|m\.?d|inc|ltd|llc|gmbh)\b))"
"""A comma before one of these parts nothing: they belong to the name before it."""
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
    """Return what parts values, given the texts between them; nothing where anything else stands there.

    A mark that always had white space on both sides is returned with a space on both.
    """
    found: dict[str, bool] = {}
    for text in between:
        match = PARTING.fullmatch(text)
        groups = [group for group in (1, 2) if match and match[group]]
        if match is None or not groups:
            return ()
        for group in groups:
            mark, start, end = match[group].casefold(), match.start(group), match.end(group)
            is_spaced = mark not in AND and text[:start][-1:].isspace() and text[end : end + 1].isspace()
            found[mark] = is_spaced and found.get(mark, True)
    return tuple(sorted(f" {mark} " if is_spaced else mark for mark, is_spaced in found.items()))


def split_series(text: str, parting: Sequence[str]) -> list[str]:
    """Return the values of a text in which they stand in a row; the text itself where nothing parts it.

    Where only what stands before the last value was seen, a comma parts those before it; without that it does not.
    """
    pieces = _pattern(tuple(parting)).split(text.strip()) if parting else [text]
    if len(pieces) > 1 and LAST.issuperset(map(str.strip, parting)):
        pieces = [part for piece in pieces[:-1] for part in _pattern((COMMA,)).split(piece)] + pieces[-1:]
    return [piece for piece in map(shown, pieces) if piece]


@lru_cache(maxsize=256)
def _pattern(parting: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for any of what parts values, several in a row too."""
    return re.compile(rf"(?:\s*(?:{'|'.join(map(_option, parting))})\s*)+")


def _option(mark: str) -> str:
    """Return a pattern for one mark or word.

    A word stands between spaces, and has no capital letter of its own: a title may begin with it.
    """
    if mark.isalpha():
        forms = {mark, mark.upper()} if len(mark) > 1 else {mark}
        return rf"(?<=\s)(?:{'|'.join(sorted(forms))})(?=\s)"
    if mark != mark.strip():
        return rf"(?<=\s){re.escape(mark.strip())}(?=\s)"
    return rf"{re.escape(mark)}(?!\d){SUFFIX if mark == COMMA else ''}"
