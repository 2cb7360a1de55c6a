"""Learning rules from pasted text: where each value stands, what makes its place known, and what makes a list."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.errors import UsageError
from windrow.wrapper.extraction import Reader
from windrow.wrapper.lists import following, items_below
from windrow.wrapper.pasting import Found, Writing
from windrow.wrapper.rule import Listing, Place, Rule
from windrow.wrapper.spot import spot_at
from windrow.wrapper.writing import folded, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.nodes import Nodes
    from windrow.wrapper.evidence import Evidence
    from windrow.wrapper.rule import Way

LABEL = re.compile(r".*[^\W\d].*:\s*", re.DOTALL)
MOST_LABEL = 40
"""Characters of a label at most."""
BESIDE = frozenset({"aside", "nav", "footer"})
LEAST_ITEMS = 3
"""So many values in the same tags make a list."""
MOST_PLACES = 4
"""Places of one value that vote."""


@dataclass(frozen=True)
class Choice:
    """A pasted text that the page shows in several places, and the place that fits the region and the others best.

    The others have less say when a page is read.
    """

    label: str
    text: str
    chosen: str
    others: tuple[str, ...]


@dataclass
class Lesson:
    """One example page with its pasted texts."""

    reader: Reader
    writing: Writing
    wanted: dict[str, list[str]]
    region: int | None = None
    """The element of the region of interest, where its text was pasted."""

    @classmethod
    def of(cls, nodes: Nodes, wanted: Mapping[str, str | Sequence[str]], region: str | None = None) -> Lesson:
        """Take a page and what was pasted from it."""
        reader = Reader(nodes)
        texts = {label: [text] if isinstance(text, str) else list(text) for label, text in wanted.items()}
        values = {label: some for label, some in texts.items() if some}  # a page may lack what others show
        lesson = cls(reader, Writing(reader.evidence), values)
        if region is not None:
            lesson.region = lesson.find("region", region)[0].node
        return lesson

    @cached_property
    def rules(self) -> list[Rule]:
        """What is learned from this example alone, one rule a label."""
        return learn_rules(self)

    def find(self, label: str, text: str) -> list[Found]:
        """Find a pasted text; an error shows the closest text where it is not there."""
        places = self.writing.find(text)
        if not places:
            closest = self.writing.closest(text)
            nearest = f"; the closest is {closest[:80]!r}" if closest else ""
            raise UsageError(
                f"The text {shown(text)[:80]!r} of {label!r} is not on the page{nearest}. "
                "Paste it as the page displays it."
            )
        return places


def learn_rules(lesson: Lesson) -> list[Rule]:
    """Learn one rule a label from one example."""
    found = {label: find_values(lesson, label) for label in lesson.wanted}
    centre = find_centre(lesson.reader.evidence, found)
    return [learn_rule(lesson, label, places, centre) for label, places in found.items()]


def find_choices(lesson: Lesson) -> list[Choice]:
    """List the texts that stand in several places, each with the places in the order in which they count."""
    choices = []
    for rule in lesson.rules:
        texts = list(dict.fromkeys(lesson.wanted[rule.label]))
        for text, places in zip(texts, rule.values, strict=False):
            paths = [place.spot.path for place in places]
            if len(paths) > 1:
                choices.append(Choice(rule.label, text, paths[0], tuple(paths[1:])))
    return choices


def find_values(lesson: Lesson, label: str) -> list[list[Found]]:
    """Find each pasted text of a label."""
    return [in_region(lesson, lesson.find(label, text)) for text in dict.fromkeys(lesson.wanted[label])]


def in_region(lesson: Lesson, places: list[Found]) -> list[Found]:
    """Keep to the places in the region of interest, where there are any."""
    if lesson.region is None:
        return places
    end = int(lesson.reader.evidence.nodes.end[lesson.region])
    return [found for found in places if lesson.region <= found.node < end] or places


def find_centre(evidence: Evidence, found: Mapping[str, list[list[Found]]]) -> float:
    """Give the place in the text around which the values that stand only once are: the region of interest."""
    ranks = [
        int(evidence.first_text[places[0].node]) for values in found.values() for places in values if len(places) == 1
    ]
    return float(np.median(ranks)) if ranks else 0.0


def learn_rule(lesson: Lesson, label: str, values: list[list[Found]], centre: float) -> Rule:
    """Learn a list where the values make one, else places for each value."""
    evidence = lesson.reader.evidence
    if len(values) > 1:
        run = find_run(evidence, values)
        if run is not None:
            return Rule(label, (tuple(places_of(lesson, [run], centre, is_run=True)),))
        listed = find_listing(lesson, values, centre)
        if listed is not None:
            return Rule(label, (), listed)
    rule = Rule(label, tuple(tuple(places_of(lesson, places, centre)) for places in values))
    return keep_local(rule) if is_broken_list(evidence, values) else rule


def is_broken_list(evidence: Evidence, values: list[list[Found]]) -> bool:
    """Say whether values look like items of one list, which could not be told from what else stands there."""
    paths = Counter(int(evidence.tag_path[places[0].node]) for places in values)
    return max(paths.values()) >= LEAST_ITEMS


def keep_local(rule: Rule) -> Rule:
    """Read the values on the learned address only: another page has another number of them."""
    return replace(
        rule, values=tuple(tuple(replace(place, is_local=True) for place in places) for places in rule.values)
    )


def places_of(lesson: Lesson, places: Sequence[Found], centre: float, *, is_run: bool = False) -> list[Place]:
    """Describe the places of one value, those near the region of interest and with a label first."""
    evidence = lesson.reader.evidence
    made = []
    for found in places:
        spot = spot_at(evidence, found.node, found.prefix, found.suffix)
        labelled = is_label(spot.before)
        distance = abs(int(evidence.first_text[found.node]) - centre) / max(1, len(evidence.words))
        worth = (1.5 if labelled else 1.0) * (1.2 - distance) * (1.0 + 0.5 * is_headline(evidence, found.node))
        local = found.is_doubtful or (is_beside(evidence, found.node) and not labelled)
        made.append(Place(spot, worth, (), labelled, is_run, local))
    return sorted(made, key=lambda place: -place.worth)[:MOST_PLACES]


def is_label(text: str) -> bool:
    """Say whether a text names what follows it."""
    return len(text) <= MOST_LABEL and LABEL.fullmatch(text) is not None


def is_headline(evidence: Evidence, node: int) -> bool:
    """Say whether a node stands in the page's main heading."""
    while node > 0:
        if evidence.nodes.tag[node] == "h1":
            return True
        node = int(evidence.up[node])
    return False


def is_beside(evidence: Evidence, node: int) -> bool:
    """Say whether a node is one of several of its kind beside the page's own content: a teaser, a link to elsewhere."""
    if (evidence.key_path == evidence.key_path[node]).sum() <= 1:
        return False
    while node > 0:
        if evidence.nodes.tag[node] in BESIDE:
            return True
        node = int(evidence.up[node])
    return False


def find_run(evidence: Evidence, values: list[list[Found]]) -> Found | None:
    """Find a place from which all values follow each other, parted by commas or the like."""
    wanted = [folded(evidence.text_of(places[0].node)) for places in values]
    for found in values[0]:
        run = [found.node, *following(evidence, found.node)]
        if found.is_exact and sorted({folded(evidence.text_of(node)) for node in run}) == sorted(set(wanted)):
            return found
    return None


def find_listing(lesson: Lesson, values: list[list[Found]], centre: float) -> Listing | None:
    """Find the element around all values, and ways from there that lead to them and to nothing else."""
    evidence = lesson.reader.evidence
    chains = [
        [chain for found in places if found.is_exact or found.is_numbered for chain in chain_of(evidence, found.node)]
        for places in values
    ]
    paths = Counter(path for chain in chains for path in {int(evidence.tag_path[node]) for node in chain})
    if not paths:
        return None
    most = max(paths.values())
    if most < max(2, 0.6 * len(values)):
        return None
    depth = {int(evidence.tag_path[node]): int(evidence.nodes.depth[node]) for chain in chains for node in chain}
    path = min((path for path, count in paths.items() if count == most), key=depth.__getitem__)
    items = choose_items(evidence, chains, path)
    if len(items) < len(values):
        return None
    numbered = all(found.is_numbered for places in values for found in places)
    around = evidence.nodes.common_ancestor(evidence.nodes.parent[items])
    ways = find_ways(evidence, around, items, more=False)
    if ways is None and lesson.region is not None and lesson.region <= around:
        # With the whole region pasted, a few records stand for all that are in it.
        around = lesson.region
        ways = find_ways(evidence, around, items, more=True)
    if ways is None:
        return None
    single = int((evidence.key_path == evidence.key_path[around]).sum()) == 1
    return Listing(tuple(places_of(lesson, [Found(around)], centre)), ways, single, numbered)


def find_ways(evidence: Evidence, around: int, items: list[int], *, more: bool) -> tuple[Way, ...] | None:
    """Find ways by tags, or also by classes, that lead to the items and, unless more are welcome, to nothing else."""
    for by_tag in (False, True) if more else (True, False):
        ways = tuple(dict.fromkeys(way_down(evidence, around, item, by_tag=by_tag) for item in items))
        reached = set(items_below(evidence, around, ways).tolist())
        if reached == set(items) or (more and reached > set(items)):
            return ways
    return None


def chain_of(evidence: Evidence, node: int) -> list[int]:
    """List a node and the ancestors that show the same and nothing else."""
    chain = [node]
    first, last = int(evidence.first_text[node]), int(evidence.last_text[node])
    node = int(evidence.up[node])
    while node > 0 and evidence.first_text[node] == first and evidence.last_text[node] == last:
        chain.append(node)
        node = int(evidence.up[node])
    return chain


def choose_items(evidence: Evidence, chains: list[list[int]], path: int) -> list[int]:
    """Take for each value the node with the common path; for one that has none, what stands among the others."""
    items: list[int] = []
    late = []
    for chain in chains:
        fitting = [node for node in chain if evidence.tag_path[node] == np.uint64(path) and node not in items]
        near = sorted(fitting, key=lambda node: abs(node - items[-1]) if items else node)
        if near:
            items.append(near[0])
        elif chain:
            late.append(chain)
    if not items:
        return items
    around = evidence.nodes.common_ancestor(evidence.nodes.parent[items])
    for chain in late:
        inside = [node for node in chain if around < node < evidence.nodes.end[around]]
        items += inside[-1:]
    return sorted(items)


def way_down(evidence: Evidence, around: int, node: int, *, by_tag: bool) -> Way:
    """Give the tags, and the classes unless only tags are wanted, from below an element down to a node."""
    spot = spot_at(evidence, node)
    depth = int(evidence.nodes.depth[around])
    return tuple((step.tag, "*" if by_tag else step.names) for step in spot.steps[depth:])
