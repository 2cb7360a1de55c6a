"""Learning rules from pasted text: where each value stands, what makes its place known, and what makes a list."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.errors import UsageError
from windrow.wrapper.captions import captions_of
from windrow.wrapper.extraction import PageReader
from windrow.wrapper.location import Location, locate
from windrow.wrapper.naming import is_called, is_label, is_named_outside, own_label
from windrow.wrapper.normalization import LETTERS, folded, shown
from windrow.wrapper.page_features import steady_class
from windrow.wrapper.reference import texts_of
from windrow.wrapper.rule import Listing, Place, Rule
from windrow.wrapper.series import find_series
from windrow.wrapper.spot import Spot
from windrow.wrapper.strikes import has_struck_part
from windrow.wrapper.text_search import Occurrence, TextIndex, address_in
from windrow.wrapper.value_lists import (
    count_kin_after,
    find_kin,
    following,
    goes_on,
    has_kin,
    items_below,
    showing_only,
    stands_alone,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.page import Page
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.rule import Way


@dataclass(frozen=True)
class LearningParameters:
    """What makes a list, and how much the word of a place counts beside others of the same value; set by principle.

    Only the order of places that disagree hangs on their worth.
    """

    least_items: int = 3
    """So many values in the same tags make a list; two may be neighbours by chance."""
    least_share: float = 0.6
    """Share of a list's values that must stand in the same tags: some items hold a link or are set in bold."""
    most_slots: int = 200
    """Values of a label that are looked for one by one, where they make no list: so many are a list that was not all
    pasted, and each would be sought among all others."""
    least_prose: int = 12
    """Words beside a text in its block that make it a part of running text; fields are shorter."""
    most_places: int = 4
    """Places of one value that vote."""
    labelled: float = 1.5
    """What a label before a place multiplies its worth by."""
    called: float = 2.0
    """What a text before it does that is called like the label: who says "director" means what is "Directed by"."""
    in_heading: float = 1.5
    """What the main heading around it does."""
    at_centre: float = 1.2
    """The worth of a place amid the other values; it falls by 1 up to the far end of the page, and stays above 0."""


PARAMETERS = LearningParameters()


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

    reader: PageReader
    index: TextIndex
    wanted: dict[str, list[str]]
    region: int | None = None
    """The element of the region of interest, where its text was pasted."""
    absent: set[str] = field(default_factory=set)
    """The labels that the page is said to lack; of one that is left out nothing is said."""
    names: dict[str, str] = field(default_factory=dict)
    """The names that were pasted along with values, and taken off, by label."""

    @classmethod
    def of(cls, page: Page, wanted: Mapping[str, str | Sequence[str]], region: str | None = None) -> Lesson:
        """Take a page and what was pasted from it."""
        reader = PageReader(page.nodes, resolve=page.resolve)
        index = TextIndex(reader.features, page.resolve)
        texts = {label: list(texts_of(label, text)) for label, text in wanted.items()}
        lesson = cls(reader, index, {})
        lesson.absent = {label for label, some in texts.items() if not some}
        for label, some in texts.items():
            if some:
                full = [lesson.in_full(text) for text in some]
                lesson.wanted[label] = full if len(full) > 1 else [lesson.without_name(label, full[0])]
        if region is not None:
            lesson.region = lesson.find("region", region)[0].node
        return lesson

    @cached_property
    def pasted(self) -> frozenset[str]:
        """All pasted texts, in the form in which they are compared."""
        return frozenset(folded(text) for texts in self.wanted.values() for text in texts)

    @cached_property
    def rules(self) -> list[Rule]:
        """What is learned from this example alone, one rule a label."""
        return learn_rules(self)

    def tells(self, label: str) -> bool:
        """Whether anything was said of a label on this page."""
        return label in self.wanted or label in self.absent

    def in_full(self, text: str) -> str:
        """Return a pasted address as it is read from a page: in full; any other text as it is."""
        if isinstance(text, Spot):
            return text
        held = next((place for place in self.index.find(text) if place.attribute), None)
        if held is None:
            return text
        value = self.reader.nodes.attributes[held.node][held.attribute]
        return address_in(held.attribute, value, held.node, self.reader.resolve)

    def without_name(self, label: str, text: str) -> str:
        """Take off the name that was pasted along with a value, where it stands in a text of its own before it."""
        exact = [place for place in self.index.find(text) if place.is_exact and not place.attribute]
        if len(exact) != 1 or self.reader.features.is_text[exact[0].node]:
            return text
        features = self.reader.features
        rank = int(features.first_text[exact[0].node])
        name = features.words[rank]
        value = shown(text).removeprefix(name).strip()
        is_named = is_label(name) or nearest(features, int(features.texts[rank]), {"th", "dt"}) > exact[0].node
        if not is_named or value == shown(text) or not value:
            return text
        self.names[label] = name
        return value

    def find(self, label: str, text: str) -> list[Occurrence]:
        """Return a pasted text; an error shows the closest text where it is not there."""
        places = self.index.find(text)
        if not places:
            closest = self.index.closest(text)
            nearest = f"; the closest is {closest[:80]!r}" if closest else ""
            raise UsageError(
                f"The text {shown(text)[:80]!r} of {label!r} is not on the page{nearest}. "
                "Paste it as the page displays it."
            )
        return places


def learn_rules(lesson: Lesson) -> list[Rule]:
    """Learn one rule a label from one example."""
    found = {label: find_values(lesson, label) for label in lesson.wanted}
    centre = find_centre(lesson.reader.features, found)
    return [learn_rule(lesson, label, places, centre) for label, places in found.items()]


def find_choices(lesson: Lesson) -> list[Choice]:
    """Return the texts that stand in several places, each with the places in the order in which they count."""
    choices = []
    for rule in lesson.rules:
        texts = list(dict.fromkeys(lesson.wanted[rule.label]))
        for text, places in zip(texts, rule.values, strict=False):
            paths = [place.location.path for place in places]
            if len(paths) > 1:
                choices.append(Choice(rule.label, text, paths[0], tuple(paths[1:])))
    return choices


def find_values(lesson: Lesson, label: str) -> list[list[Occurrence]]:
    """Return each pasted text of a label; one that was pasted twice comes twice."""
    return [lesson.index.within(lesson.region, lesson.find(label, text)) for text in lesson.wanted[label]]


def find_centre(features: PageFeatures, found: Mapping[str, list[list[Occurrence]]]) -> float:
    """Return the place in the text around which the values that stand only once are: the region of interest."""
    ranks = [
        int(features.first_text[places[0].node]) for values in found.values() for places in values if len(places) == 1
    ]
    return float(np.median(ranks)) if ranks else 0.0


def learn_rule(lesson: Lesson, label: str, values: list[list[Occurrence]], centre: float) -> Rule:
    """Learn a list where the values make one, else places for each value."""
    features = lesson.reader.features
    if len(values) > 1:
        run = find_run(features, values)
        if run is not None:
            return Rule(label, (tuple(places_of(lesson, label, [run], centre, is_run=True)),))
        if (series := find_series(features, values)) is not None:
            places = places_of(lesson, label, [series[0]], centre)
            rule = Rule(label, (tuple(replace(place, parting=series[1], single=()) for place in places),))
            if reads_back(lesson, rule):
                return rule
        listed = find_listing(lesson, label, values, centre)
        if listed is not None:
            return Rule(label, (), listed)
        if (siblings := learn_siblings(lesson, label, values, centre)) is not None:
            return siblings
    values = list({tuple(places): places for places in values}.values())
    if len(values) > PARAMETERS.most_slots:
        raise UsageError(
            f"{len(values)} texts were pasted for {label!r}, and they make no list. Paste all of one list, the region "
            "around it, or two of its rows."
        )
    rule = Rule(label, tuple(tuple(places_of(lesson, label, places, centre)) for places in values))
    return keep_local(rule) if is_broken_list(features, values) else rule


def learn_siblings(lesson: Lesson, label: str, values: list[list[Occurrence]], centre: float) -> Rule | None:
    """Learn values that are all siblings of one kind, however many another page has; None where they are not."""
    kin = find_kin(lesson.reader.features, values)
    if kin is None:
        return None
    places = places_of(lesson, label, [kin[0]], centre)
    rule = Rule(label, (tuple(replace(place, is_kin=True, single=(kin[1],)) for place in places),))
    return rule if reads_back(lesson, rule) else None


def reads_back(lesson: Lesson, rule: Rule) -> bool:
    """Whether a rule reads the pasted texts, and nothing else, from the page that it was learned from."""
    got = lesson.reader.read(rule)
    return got is not None and got.texts == set(map(folded, lesson.wanted[rule.label]))


def is_broken_list(features: PageFeatures, values: list[list[Occurrence]]) -> bool:
    """Whether values look like items of one list, which could not be told from what else stands there."""
    paths = Counter(int(features.tag_path[places[0].node]) for places in values)
    return max(paths.values()) >= PARAMETERS.least_items


def keep_local(rule: Rule) -> Rule:
    """Read the values on the learned address only: another page has another number of them."""
    values = tuple(tuple(replace(place, is_local=True) for place in places) for places in rule.values)
    listing = rule.listing
    if listing is not None:
        listing = replace(listing, around=tuple(replace(place, is_local=True) for place in listing.around))
    return replace(rule, values=values, listing=listing)


def places_of(
    lesson: Lesson, label: str, places: Sequence[Occurrence], centre: float, *, is_run: bool = False
) -> list[Place]:
    """Return the description of the places of one value, those near the region of interest and with a label first.

    What stands beside the page's own content, or in running text, is left to this page, where the value stands
    elsewhere too.
    """
    made = [replace(place_of(lesson, label, found, centre), is_run=is_run) for found in places]
    features = lesson.reader.features
    aside = [
        not place.is_labelled and (is_beside(features, found.node) or is_in_prose(features, found.node))
        for found, place in zip(places, made, strict=True)
    ]
    if not all(aside):
        made = [replace(place, is_local=place.is_local or is_out) for place, is_out in zip(made, aside, strict=True)]
    return sorted(made, key=lambda place: -place.worth)[: PARAMETERS.most_places]


def place_of(lesson: Lesson, label: str, found: Occurrence, centre: float) -> Place:
    """Return the description of one place."""
    features = lesson.reader.features
    location = locate(features, found.node, found.prefix, found.suffix, found.attribute)
    location = without_values(location, lesson.pasted)
    whole = found.is_exact and not found.attribute
    chain = showing_only(features, found.node) if whole else [found.node]
    distance = abs(int(features.first_text[found.node]) - centre) / max(1, len(features.words))
    alike = features.count_alike(found.node)
    in_heading = is_headline(features, found.node)
    captions = captions_of(features)
    place = Place(
        location,
        PARAMETERS.at_centre - distance,
        is_labelled=not in_heading
        and (
            is_label(location.before)
            or is_header(features, found.node)
            or is_named_outside(features.text_of(found.node), location.before)
            or (bool(location.before) and captions.is_named_in_row(found.node))
        ),
        is_local=runs_on(location),
        is_unique=alike == 1,
        is_filling=bool(features.is_text[found.node]) and len(chain) > 1,
        is_struck=features.is_struck(found.node),
        is_last=whole and count_kin_after(features, found.node) == 0,
        has_struck_part=has_struck_part(features, found.node),
        ends_block=whole and not goes_on(features, found.node),
        is_alone=whole and stands_alone(features, found.node),
        own_label=folded(own_label(features.text_of(found.node), label)) if whole else "",
        single=tuple(
            level
            for level, element in enumerate(chain)
            if not features.is_text[element] and not has_kin(features, element)
        ),
        caption=captions.describe(found.node, lesson.pasted),
    )
    return replace(place, worth=place.worth * trust_in(place, label, alike, in_heading=in_heading))


def trust_in(place: Place, label: str, alike: int, *, in_heading: bool) -> float:
    """Return what the worth of a place is multiplied by: more for one with a name, less for one of many of its kind."""
    trust = PARAMETERS.labelled if place.is_labelled else 1.0
    trust *= PARAMETERS.in_heading if in_heading else 1.0
    if is_called(place.location.before, label):
        return trust * PARAMETERS.called
    return trust if place.is_labelled else trust / math.sqrt(alike)


def without_values(location: Location, pasted: frozenset[str]) -> Location:
    """Forget what stands around a place where it is itself a value, another one on every page."""
    before, after = ("" if folded(text) in pasted else text for text in (location.before, location.after))
    return replace(location, before=before, after=after)


def runs_on(location: Location) -> bool:
    """Whether words go on after words, with no mark between them that would tell where the value ends elsewhere."""
    follows = location.suffix.lstrip()
    return location.suffix[:1].isspace() and follows[:1].isalpha() and LETTERS in location.part


def is_header(features: PageFeatures, node: int) -> bool:
    """Whether a value stands in a cell, and the text before it in the header of that cell."""
    before = features.before.item(features.first_text.item(node))
    cell = nearest(features, node, {"td", "dd"})
    if not before or not cell:
        return False
    header = nearest(features, int(features.texts[before - 1]), {"th", "dt"})
    return header > 0 and features.up[header] == features.up[cell]


def nearest(features: PageFeatures, node: int, tags: set[str]) -> int:
    """Return the nearest element of certain tags around a node, or 0."""
    while node > 0 and features.nodes.tag[node] not in tags:
        node = int(features.up[node])
    return node


def is_headline(features: PageFeatures, node: int) -> bool:
    """Whether a node stands in the page's main heading."""
    while node > 0:
        if features.nodes.tag[node] == "h1":
            return True
        node = int(features.up[node])
    return False


def is_beside(features: PageFeatures, node: int) -> bool:
    """Whether a node is one of several of its kind beside the page's own content: a teaser, a link to elsewhere."""
    if not features.boilerplate[node]:
        return False
    element = int(features.up[node]) if features.is_text[node] else node
    is_classed = bool(steady_class(features.classes.get(element, "")))
    # The answers to a comment stand deeper than the comment, but are called the same.
    return features.count_alike(node) > 1 or (is_classed and int((features.key == features.key[element]).sum()) > 1)


def is_in_prose(features: PageFeatures, node: int) -> bool:
    """Whether a node is a word or two within running text, as a link or bold words in a paragraph are."""
    if not features.is_text[node]:
        return False
    rank = features.rank_of(node)
    others = np.flatnonzero(features.block == features.block[rank]).tolist()
    return sum(len(features.words[one].split()) for one in others if one != rank) >= PARAMETERS.least_prose


def find_run(features: PageFeatures, values: list[list[Occurrence]]) -> Occurrence | None:
    """Return a place from which all values follow each other, parted by commas or the like."""
    wanted = [folded(features.text_of(places[0].node)) for places in values]
    for found in values[0]:
        run = [found.node, *following(features, found.node)]
        is_several = len(run) > 1  # one text that two values are written alike to is no run
        if found.is_exact and is_several and {folded(features.text_of(node)) for node in run} == set(wanted):
            return found
    return None


def find_listing(lesson: Lesson, label: str, values: list[list[Occurrence]], centre: float) -> Listing | None:
    """Return the element around all values, and ways from there that lead to them and to nothing else."""
    features = lesson.reader.features
    mark = find_mark(values)
    chains = [[chain for found in places for chain in find_item_chain(features, found, mark)] for places in values]
    paths = Counter(path for chain in chains for path in {int(features.tag_path[node]) for node in chain})
    if not paths:
        return None
    most = max(paths.values())
    if most < max(2, PARAMETERS.least_share * len(values)):
        return None
    depth = {int(features.tag_path[node]): int(features.nodes.depth[node]) for chain in chains for node in chain}
    path = min((path for path, count in paths.items() if count == most), key=depth.__getitem__)
    items = choose_items(features, chains, path)
    if len(items) < len(values):
        return None
    numbered = all(found.is_numbered for places in values for found in places)
    around = features.nodes.common_ancestor(features.nodes.parent[items])
    ways = find_ways(features, around, items, more=False)
    if ways is None and lesson.region is not None and lesson.region <= around:
        # With the whole region pasted, a few records stand for all that are in it.
        around = lesson.region
        ways = find_ways(features, around, items, more=True)
    if ways is None:
        return None
    single = features.count_alike(around) == 1
    return Listing(tuple(places_of(lesson, label, [Occurrence(around)], centre)), ways, single, numbered, mark)


def find_mark(values: list[list[Occurrence]]) -> str:
    """Return the mark that stands before every value, or before most where the others stand alone; nothing else."""
    marks = Counter(places[0].prefix.strip() for places in values if places[0].is_marked)
    plain = sum(places[0].is_exact for places in values)
    mark, count = max(marks.items(), key=lambda pair: pair[1], default=("", 0))
    return mark if len(marks) == 1 and count + plain == len(values) and count > plain else ""


def find_item_chain(features: PageFeatures, found: Occurrence, mark: str) -> list[int]:
    """Return the elements that show a value and nothing else but its number or the mark of its list."""
    if not found.is_exact and not found.is_numbered and not (mark and found.is_marked):
        return []
    chain = showing_only(features, found.node)
    if mark and found.is_exact:
        marked, above = folded(mark + features.text_of(found.node)), int(features.up[chain[-1]])
        if above > 0 and folded(features.text_of(above)) == marked:
            chain += showing_only(features, above)
    return chain


def find_ways(features: PageFeatures, around: int, items: list[int], *, more: bool) -> tuple[Way, ...] | None:
    """Return ways by tags, or also by classes, that lead to the items and, unless more are welcome, to nothing else."""
    for by_tag in (False, True) if more else (True, False):
        ways = tuple(dict.fromkeys(way_down(features, around, item, by_tag=by_tag) for item in items))
        reached = set(items_below(features, around, ways).tolist())
        if not more and reached > set(items):  # a text that comes twice may have been pasted once
            pasted = {folded(features.text_of(item)) for item in items}
            reached = {item for item in reached if item in items or folded(features.text_of(item)) not in pasted}
        if reached == set(items) or (more and reached > set(items)):
            return ways
    return None


def choose_items(features: PageFeatures, chains: list[list[int]], path: int) -> list[int]:
    """Take for each value the node with the common path; for one that has none, what stands among the others."""
    items: list[int] = []
    late = []
    for chain in chains:
        fitting = [node for node in chain if features.tag_path[node] == np.uint64(path) and node not in items]
        near = sorted(fitting, key=lambda node: abs(node - items[-1]) if items else node)
        if near:
            items.append(near[0])
        elif chain:
            late.append(chain)
    if not items:
        return items
    around = features.nodes.common_ancestor(features.nodes.parent[items])
    for chain in late:
        inside = [node for node in chain if around < node < features.nodes.end[around]]
        items += inside[-1:]
    return sorted(items)


def way_down(features: PageFeatures, around: int, node: int, *, by_tag: bool) -> Way:
    """Return the tags, and the classes unless only tags are wanted, from below an element down to a node."""
    location = locate(features, node)
    depth = int(features.nodes.depth[around])
    return tuple((step.tag, "*" if by_tag else step.names) for step in location.steps[depth:])
