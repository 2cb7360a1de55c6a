"""What stands around the learned values: how a page of the template is told from a wall in the same frame.

Pages of one template differ in their contents, in optional parts, and in how often a part is repeated. What they share
is the record: elements and texts that stand around the values and nowhere else on the page. A log-in form or an error
in the site's frame shows the frame, but not these. A redesign leaves the texts that name the values ("Price:") and
moves them: they stand on the page, but no longer in the tags in which they stood.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress, count
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.wrapper.page_features import features_of
from windrow.wrapper.reference import choose_places
from windrow.wrapper.template.skeleton import ROOTS, find_paired, find_pairs, pairs_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from windrow.nodes import Nodes
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.text_search import TextIndex

KEPT = "_wrapper_traces"
HEADING = "h1"


@dataclass(frozen=True)
class SurroundingParameters:
    """How far the surroundings of a value reach; set by principle."""

    least_texts: int = 12
    """A record shows at least so many texts: of fewer, what stands around it belongs to it too."""
    near: int = 10
    """Texts before and after a value that are near it: a screen of a table of fields."""
    most_name: int = 60
    """Characters of a text that names something; longer ones are contents."""


PARAMETERS = SurroundingParameters()


@dataclass(frozen=True, eq=False)
class Traces:
    """What is compared of a page, each part made when first asked for; its numbers are the same in every process."""

    features: PageFeatures

    @cached_property
    def codes(self) -> list[int]:
        """One number for each shown text."""
        return [code_of(words) for words in self.features.words]

    def ways_to(self, nodes: Iterable[int]) -> list[int]:
        """Return the tags from the document down to the block at or around each of some nodes.

        Whether a value is a link, or set in bold, varies from page to page.
        """
        features, ways = self.features, []
        up, is_element, is_inline = features.up.item, features.is_element.item, features.is_inline.item
        for node in nodes:
            at = node
            while at > 0 and (is_inline(at) or not is_element(at)):
                at = up(at)
            ways.append(features.tag_path.item(at) >> 32)
        return ways

    def find_ways(self, texts: Container[str]) -> dict[str, set[int]]:
        """Return the ways in which each of some texts stands on the page; nothing for one that does not."""
        words = self.features.words
        ranks = list(compress(count(), map(texts.__contains__, words)))
        found: dict[str, set[int]] = {}
        for rank, way in zip(ranks, self.ways_to(self.features.texts[ranks].tolist()), strict=True):
            found.setdefault(words[rank], set()).add(way)
        return found

    @cached_property
    def pairs(self) -> frozenset[int]:
        """The pairs of the page's fingerprint."""
        return find_pairs(self.features)

    @cached_property
    def is_headed(self) -> bool:
        """Whether the page shows a main heading."""
        headings = self.features.nodes.tag.where(HEADING).astype(np.intp)
        return bool(len(headings)) and bool(len(self.features.showing(headings)))


def traces_of(nodes: Nodes) -> Traces:
    """Return the traces of a page; they are kept beside its columns, so that all verbs share them."""
    kept: dict[str, Traces] = vars(nodes)
    if KEPT not in kept:
        kept[KEPT] = Traces(features_of(nodes))
    return kept[KEPT]


def code_of(text: str) -> int:
    """Return the number of a text."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


FLAGS = ("is_listed", "is_rivalled")
"""What is written of a label only where it holds."""


@dataclass(frozen=True)
class LabelSurroundings:
    """Where the values of one label stood."""

    ways: frozenset[int]
    before: frozenset[str]
    """The texts right before them."""
    after: frozenset[str]
    """The texts right after them."""
    is_listed: bool = False
    """Whether they stood in an entry of a list that leads to other records."""
    is_rivalled: bool = False
    """Whether another text of their kind stood beside them."""

    @property
    def neighbours(self) -> frozenset[str]:
        """The texts on both sides."""
        return self.before | self.after


@dataclass(frozen=True)
class Surroundings:
    """What every example has around its values."""

    pairs: frozenset[int]
    """Of elements that stand in the record only."""
    texts: frozenset[int]
    """That stand in the record only, the values left out."""
    frame: frozenset[int]
    """The texts outside the record."""
    near: Mapping[str, frozenset[int]]
    """The short texts near the values, and the ways in which they stood."""
    labels: Mapping[str, LabelSurroundings]
    is_headed: bool

    def presence(self, page: Traces) -> float | None:
        """Return how much of the record is on a page, by elements or by texts, whichever is more; None if unknown."""
        shares = [
            len(own & there) / len(own)
            for own, there in ((self.pairs, page.pairs), (self.texts, frozenset(page.codes)))
            if own
        ]
        return max(shares, default=None)

    def find_moved(self, page: Traces) -> tuple[frozenset[str], int]:
        """Return the near texts that stand on a page, but in none of their ways, and how many stand on it at all."""
        there = page.find_ways(self.near)
        return frozenset(text for text, ways in there.items() if not self.near[text] & ways), len(there)

    def find_elsewhere(self, page: Traces, places: Mapping[str, Sequence[int]]) -> list[str]:
        """Return the labels whose every node on a page stands in elements in which no example showed a value."""
        known = {label: nodes for label, nodes in places.items() if nodes and label in self.labels}
        return [label for label, own in known.items() if self.labels[label].ways.isdisjoint(page.ways_to(own))]

    def having(self, listed: Container[str], rivalled: Container[str]) -> Surroundings:
        """Return the same, in which values of some labels stand among other records, or beside others of their kind."""
        known = {
            label: replace(found, is_listed=label in listed, is_rivalled=label in rivalled)
            for label, found in self.labels.items()
        }
        return replace(self, labels=known)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {
            "pairs": sorted(self.pairs),
            "texts": sorted(self.texts),
            "frame": sorted(self.frame),
            "near": {text: sorted(ways) for text, ways in sorted(self.near.items())},
            "labels": {
                label: {"ways": sorted(found.ways), "before": sorted(found.before), "after": sorted(found.after)}
                | {flag: True for flag in FLAGS if getattr(found, flag)}
                for label, found in self.labels.items()
            },
            "headed": self.is_headed,
        }

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Surroundings:
        """Return what ``to_dict`` wrote."""
        labels = {
            label: LabelSurroundings(
                whole(found["ways"]),
                frozenset(map(str, found["before"])),
                frozenset(map(str, found["after"])),
                **{flag: bool(found.get(flag)) for flag in FLAGS},
            )
            for label, found in plain["labels"].items()
        }
        near = {text: whole(ways) for text, ways in plain["near"].items()}
        pairs, texts, frame = (whole(plain[name]) for name in ("pairs", "texts", "frame"))
        return cls(pairs, texts, frame, near, labels, bool(plain["headed"]))


def whole(numbers: Iterable[Any]) -> frozenset[int]:
    """Return the set of some numbers."""
    return frozenset(map(int, numbers))


def describe_surroundings(index: TextIndex, wanted: Mapping[str, Sequence[str]]) -> Surroundings:
    """Return what stands around the pasted values of one example."""
    features, page = index.features, traces_of(index.features.nodes)
    places = choose_places(index, [text for texts in wanted.values() for text in texts], held=True)
    spans = {
        text: (int(features.first_text[place.node]), int(features.last_text[place.node]))
        for text, place in places.items()
    }
    values = {rank for first, last in spans.values() for rank in range(first, last)}
    record = find_record(features, [place.node for place in places.values()])
    paired = find_paired(features)
    inside = (paired > record) & (paired < features.nodes.end[record])
    pairs = pairs_of(features, paired)
    first, last = int(features.first_text[record]), int(features.last_text[record])
    frame = frozenset((*page.codes[:first], *page.codes[last:]))
    near = {text for span in spans.values() for side in beside(features, span, PARAMETERS.near) for text in side}
    near -= {features.words[rank] for rank in values}
    labels = {}
    for label, texts in wanted.items():
        nodes = [place.node for text in texts for place in index.find(text)]
        sides = [beside(features, spans[text], 1) for text in texts if text in spans]
        before, after = (near.intersection(text for side in sides for text in side[at]) for at in (0, 1))
        ways = frozenset(page.ways_to(nodes))
        labels[label] = LabelSurroundings(ways, frozenset(before), frozenset(after))
    return Surroundings(
        frozenset(pairs[inside].tolist()) - frozenset(pairs[~inside].tolist()),
        frozenset(page.codes[first:last]) - frame - {page.codes[rank] for rank in values},
        frame,
        {text: frozenset(ways) for text, ways in page.find_ways(near).items()},
        labels,
        page.is_headed,
    )


def beside(features: PageFeatures, span: tuple[int, int], count: int) -> tuple[list[str], list[str]]:
    """Return the short texts among those before and after some of a page, so many on each side."""
    words, (start, end) = features.words, span
    before, after = words[max(0, start - count) : start], words[end : end + count]
    return [text for text in before if is_short(text)], [text for text in after if is_short(text)]


def is_short(text: str) -> bool:
    """Whether a text may name what stands beside it."""
    return len(text) <= PARAMETERS.most_name


def find_record(features: PageFeatures, nodes: Sequence[int]) -> int:
    """Return the smallest element around all values that shows enough to be a record, the body at most."""
    around = int(features.nodes.common_ancestor(np.array([min(nodes), max(nodes)]))) if nodes else 0
    while around > 0:
        above = int(features.up[around])
        shown = int(features.last_text[around] - features.first_text[around])
        is_enough = shown >= PARAMETERS.least_texts or features.nodes.tag[above] in ROOTS
        if features.is_element[around] and is_enough:
            break
        around = above
    return around


def merge_surroundings(pages: Sequence[Surroundings]) -> Surroundings:
    """Return what all examples have in common; a label stands wherever one of them shows it."""
    first = pages[0]
    near = {
        text: frozenset[int]().union(*(page.near[text] for page in pages))
        for text in first.near
        if all(text in page.near for page in pages)
    }
    labels = {}
    for label in dict.fromkeys(label for page in pages for label in page.labels):
        found = [page.labels[label] for page in pages if label in page.labels]
        labels[label] = LabelSurroundings(
            frozenset[int]().union(*(each.ways for each in found)),
            frozenset.intersection(*(each.before for each in found)),
            frozenset.intersection(*(each.after for each in found)),
        )
    return Surroundings(
        frozenset.intersection(*(page.pairs for page in pages)),
        frozenset.intersection(*(page.texts for page in pages)),
        frozenset.intersection(*(page.frame for page in pages)),
        near,
        labels,
        all(page.is_headed for page in pages),
    )
