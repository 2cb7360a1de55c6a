"""From a pasted text to the units of its record that show it: elements, texts and lines, or parts of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.wrapper.normalization import folded
from windrow.wrapper.text_search import unfolded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.wrapper.lists.texts import RecordView, Unit

MOST_PLACES = 6
"""Places of a text in one record that are looked at: a text that comes again and again tells nothing."""
SEPARATORS = re.compile(r"^(?:[,;:|·•/–—-]\s+)+|(?:\s*[,;:|·•]|\s+[/–—-])+$")
"""What stands between two values of a line and is of neither: people copy it with one of them. A dash right at a figure
is its sign."""


@dataclass(frozen=True)
class Place:
    """A unit that shows a pasted text, and what else it shows around it."""

    unit: Unit
    prefix: str = ""
    suffix: str = ""
    takes: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether nothing else is shown."""
        return not self.prefix and not self.suffix


def find_places(view: RecordView, text: str) -> list[Place]:
    """Return the units of a record that show a text and nothing else, or have it in whole words, or hold it."""
    found = [
        place for start in _occurrences(view, folded(text)) for place in _places_at(view, start, len(folded(text)))
    ]
    exact = [place for place in found if place.is_exact]
    whole = [place for place in found if not place.prefix[-1:].isalnum() and not place.suffix[:1].isalnum()]
    return exact or whole or find_held(view, text)


def bare_text(view: RecordView, text: str) -> str:
    """Return a pasted text, without separators at its ends where only what is between them has a unit of its own."""
    bare = SEPARATORS.sub("", text)
    return bare if bare != text and not _has_unit(view, text) and _has_unit(view, bare) else text


def _has_unit(view: RecordView, text: str) -> bool:
    return any(place.is_exact for place in find_places(view, text))


def find_held(view: RecordView, text: str) -> list[Place]:
    """Return the elements of a record that hold a text without displaying it."""
    held = [(node, what) for node, what in view.texts.holding(text) if view.span.holds(node)]
    return [Place(view.texts.unit_of(node), takes=what) for node, what in held]


def _occurrences(view: RecordView, wanted: str) -> list[int]:
    whole, starts = view.folded
    found: list[int] = []
    at = whole.find(wanted) if wanted else -1
    while at >= 0:
        found.append(at)
        at = whole.find(wanted, at + 1)
    begins = set(starts)
    aligned = [start for start in found if start in begins and start + len(wanted) in begins]
    return (aligned or found)[:MOST_PLACES]


def _places_at(view: RecordView, start: int, length: int) -> Iterator[Place]:
    """Yield the units around a stretch of the record's text: exact ones, else the text and the line around it."""
    _, starts = view.folded
    first, last = bisect_right(starts, start) - 1, bisect_right(starts, start + length - 1)
    low, high = view.first + first, view.first + last
    if starts[first] == start and starts[last] == start + length:
        exact = list(_exact_units(view, low, high))
        if exact:
            yield from map(Place, exact)
            return
    elif high - low == 1:
        yield _cut_place(view, view.texts.unit_of(int(view.features.texts[low])), start, length)
    for begin, end in view.texts.lines(view.first, view.last):
        if begin <= low and high <= end and end - begin > 1:
            yield _cut_place(view, _line(view, begin, end), start, length)


def _exact_units(view: RecordView, first: int, last: int) -> Iterator[Unit]:
    """Yield the elements that show some texts and nothing else, the smallest first, or the text or line that does."""
    features, root = view.features, view.span.root
    node = _smallest(view, first, last)
    if features.is_text[node]:
        above = int(features.up[node])
        if above == root or not _shows(view, above, first, last):
            yield view.texts.unit_of(node)
        node = above
    yield from (line for line in view.lines if (line.first, line.last) == (first, last))
    while view.span.start <= node and (node != root or view.is_cell) and _shows(view, node, first, last):
        yield view.texts.unit_of(node)
        node = int(features.up[node])


def _smallest(view: RecordView, first: int, last: int) -> int:
    """Return the smallest element around some texts, or the only text."""
    features = view.features
    node, final = int(features.texts[first]), int(features.texts[last - 1])
    while features.nodes.end[node] <= final:
        node = int(features.up[node])
    return node


def _shows(view: RecordView, node: int, first: int, last: int) -> bool:
    """Whether a node shows some texts and nothing else."""
    return bool(view.features.first_text[node] == first and view.features.last_text[node] == last)


def _line(view: RecordView, first: int, last: int) -> Unit:
    """Return a line: one that is no element of its own, or the element that it is."""
    own = next((line for line in view.lines if line.first == first), None)
    return own or view.texts.unit_of(_smallest(view, first, last))


def _cut_place(view: RecordView, unit: Unit, start: int, length: int) -> Place:
    """Return a unit with what it shows before and after a stretch of the record's text."""
    words = view.texts.text_of(unit)
    before = start - view.folded[1][unit.first - view.first]
    begin, end = unfolded(words, before), unfolded(words, before + length)
    while words[begin : begin + 1].isspace():
        begin += 1
    return Place(unit, words[:begin], words[end:])
