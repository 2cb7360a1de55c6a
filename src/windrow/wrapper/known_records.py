"""A known record on a page of a new template: at which of their places its values are its own, and what they are now.

A page shows other records as well, often with the same texts. Most values of a record stand together: of several places
that show a text, its own is the one that has the others nearest. A redesign leaves the texts that name values ("Price")
and moves them; so a number, an amount or a date that stands alone behind its old name, there where the record is, is
the label's value now. Words are not looked for: whatever stands behind a name may be words.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.value import read_value
from windrow.wrapper.healing import find_standing, has_digits, places_in
from windrow.wrapper.kinds import SAYING
from windrow.wrapper.normalization import COLONS, folded
from windrow.wrapper.page_features import features_of
from windrow.wrapper.result import Located, box_of
from windrow.wrapper.spot import Spot
from windrow.wrapper.text_search import TextIndex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.page import Page
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.result import Extraction
    from windrow.wrapper.wrapper import Wrapper

VOID = frozenset({"br", "wbr"})
"""Elements that never hold a text."""
LEAST_STANDING = 2
"""Labels whose known values must be on the page, so that they say where the record is."""


@dataclass(frozen=True, eq=False)
class KnownRecord:
    """A record as it was stored, on a page that shows it."""

    wrapper: Wrapper
    page: Page
    values: Mapping[str, Sequence[str]]
    features: PageFeatures = field(init=False)

    def __post_init__(self) -> None:
        """Take the columns of the page."""
        object.__setattr__(self, "features", features_of(self.page.nodes))

    @cached_property
    def standing(self) -> dict[str, list[int]]:
        """By label, the nodes that show its known text and nothing else; of labels with one text."""
        found = {
            label: self._find(label, texts[0])
            for label, texts in self.values.items()
            if label in self.wrapper.rules and len(texts) == 1
        }
        return {label: nodes for label, nodes in found.items() if nodes}

    @cached_property
    def _index(self) -> TextIndex:
        return TextIndex(self.features, self.page.resolve)

    def _find(self, label: str, text: str) -> list[int]:
        places = find_standing(self.wrapper, self._index, label, text)
        return [place.node for place in places if place.is_exact and not place.attribute]

    def placed(self) -> dict[str, Spot]:
        """Return the known texts at their own places, where one of several is nearest to the others."""
        found = {label: self._nearest(nodes, label) for label, nodes in self.standing.items()}
        return {
            label: self._spot(str(self.values[label][0]), node)
            for label, node in found.items()
            if node is not None and self.features.nodes.visible[node]
        }

    def renewed(self) -> dict[str, Spot]:
        """Return the new texts of labels whose known text is not on the page any more, as far as their names tell."""
        lost = [label for label, texts in self.values.items() if len(texts) == 1 and label not in self.standing]
        found = {label: self._find_behind_name(label) for label in lost if label in self.wrapper.rules}
        return {
            label: self._spot(self.features.text_of(node), node) for label, node in found.items() if node is not None
        }

    def is_stray(self, label: str, text: str) -> bool:
        """Whether a text that was read for a label is another's: the known one stands nearer to the record's others."""
        if label not in self.standing or folded(text) == folded(self.values[label][0]):
            return False
        return self._nearest([*self.standing[label], *self._find(label, text)], label) in self.standing[label]

    def settle(self, found: Extraction) -> Extraction:
        """Return what was read of the page without values that are another's, and with those that their names tell.

        The latter are as sure as the least sure of the others.
        """
        strays = {label for label, texts in found.values.items() if len(texts) == 1 and self.is_stray(label, texts[0])}
        sure = {label: places for label, places in found.located.items() if places and label not in strays}
        least = min((place.confidence for places in sure.values() for place in places), default=0.0)
        sought = [label for label in found.missing if len(self.values.get(label, ())) == 1]
        told = {label: node for label in sought if (node := self._find_behind_name(label)) is not None}
        if not strays and not told:
            return found
        located = {**dict.fromkeys(found.located, ()), **sure}
        located |= {label: (self._locate(node, least),) for label, node in told.items()}
        return replace(
            found,
            located=located,
            values={label: [place.text for place in located.get(label, ())] for label in found.values},
            confidence={label: min(place.confidence for place in some) for label, some in located.items() if some},
            missing=[label for label in found.values if not located.get(label)],
        )

    def _locate(self, node: int, confidence: float) -> Located:
        box = box_of(self.page.nodes, node)
        return Located(self.features.text_of(node), node, self.page.xpath(node), box, confidence)

    def _spot(self, text: str, node: int) -> Spot:
        spans = self.page.nodes.spans
        return Spot(text, int(spans.start[node]), int(spans.end[node]))

    def _find_behind_name(self, label: str) -> int | None:
        """Return the text behind the name of a label, where the record is; None if in doubt.

        It must be a number, an amount or a date, as the known one is, or else the known one itself.
        """
        features, name = self.features, self._name_of(label)
        ranks = {
            int(features.texts[rank]): rank
            for rank, text in enumerate(features.words)
            if name and _plain(text) == name and self._is_shown(int(features.texts[rank]))
        }
        node = self._nearest(list(ranks), label)
        if node is None:
            return None
        named = rank = ranks[node]
        while (rank := rank + 1) < len(features.words) and features.is_struck(int(features.texts[rank])):
            pass
        if rank == len(features.words) or not self._is_value_of(named, rank, label):
            return None
        known, text = str(self.values[label][0]), features.words[rank]
        is_one_of_two = _are_alike(text, "".join(features.words[rank + 1 : rank + 2]))
        is_new = _are_alike(text, known) and not is_one_of_two
        return int(features.texts[rank]) if is_new or folded(text) == folded(known) else None

    def _is_shown(self, node: int) -> bool:
        """Whether a node can be seen, and not in a footer, a menu or the like."""
        return bool(self.features.nodes.visible[node]) and not self.features.boilerplate[node]

    def _name_of(self, label: str) -> str:
        """Return the one text that named the values of a label; empty where there was none, or more than one."""
        before = {place.location.before for place in places_in(self.wrapper.rules[label])}
        # A price that is struck out stands before the one that holds.
        names = {_plain(text) for text in before if text and not has_digits(text)}
        learned = {folded(text) for each in self.wrapper.examples for some in each.values.values() for text in some}
        return names.pop() if len(names) == 1 and not names & learned else ""

    def _nearest(self, nodes: Sequence[int], label: str) -> int | None:
        """Return the node around which the smallest element shows most of the other labels; None if in doubt."""
        others = [some for other, some in self.standing.items() if other != label]
        if len(others) < LEAST_STANDING:
            return None
        sizes = {node: self._size_around(node, others) for node in nodes}
        nearest = [node for node, size in sizes.items() if size == min(sizes.values())]
        return nearest[0] if len(nearest) == 1 else None

    def _size_around(self, node: int, others: Sequence[Sequence[int]]) -> int:
        record = self._record_around(node, others)
        return int(self.features.nodes.end[record]) - record

    def _record_around(self, node: int, others: Sequence[Sequence[int]]) -> int:
        """Return the smallest element around a node that shows most of some values."""
        end = self.features.nodes.end
        while node > 0 and 2 * sum(any(node <= each < end[node] for each in some) for some in others) <= len(others):
            node = int(self.features.nodes.parent[node])
        return node

    def _is_value_of(self, named: int, rank: int, label: str) -> bool:
        """Whether a text that follows a name, by their ranks, surely is its value, and one of this record.

        In their parts of the record stands nothing else than the two and, beside the value, what is struck out. Where
        there is more, or a link, it may be a box of another record, a row of names above a row of values, or
        one of several values; and an element between them that shows nothing is where the value would stand.
        """
        features, nodes = self.features, self.features.nodes
        name, value = int(features.texts[named]), int(features.texts[rank])
        record = self._record_around(name, [some for other, some in self.standing.items() if other != label])
        if not nodes.visible[value] or not record < value < nodes.end[record]:
            return False
        part, other = self._part_towards(record, name), self._part_towards(record, value)
        both = set(range(named, rank + 1))
        is_alone = self._shows_only(part, both if part == other else {named})
        around = other, int(features.block[rank])
        return is_alone and all(self._shows_only(each, both) for each in around) and not self._has_gap(name, value)

    def _part_towards(self, record: int, node: int) -> int:
        while (parent := int(self.features.nodes.parent[node])) != record:
            node = parent
        return node

    def _shows_only(self, part: int, ranks: set[int]) -> bool:
        """Whether all texts of a part of the page that can be seen are some of these, and none of it is a link."""
        features, end = self.features, int(self.features.nodes.end[part])
        shown = range(int(features.first_text[part]), int(features.last_text[part]))
        links = any(part <= node < end for node in features.nodes.attributes.having("href"))
        return not links and all(rank in ranks or not features.nodes.visible[features.texts[rank]] for rank in shown)

    def _has_gap(self, name: int, value: int) -> bool:
        """Whether an element between two texts is there for something that is not."""
        features, nodes = self.features, self.features.nodes
        between = np.arange(name + 1, value)
        is_empty = features.is_element[between] & (features.first_text[between] == features.last_text[between])
        return any(nodes.tag[node] not in VOID for node in between[is_empty].tolist())


def _are_alike(text: str, known: str) -> bool:
    """Whether two texts are both numbers, amounts or dates, in the same unit."""
    one, other = read_value(text), read_value(known)
    return one.kind in SAYING and (one.kind, one.unit) == (other.kind, other.unit)


def _plain(name: str) -> str:
    return folded(name).rstrip("".join(COLONS)).rstrip()
