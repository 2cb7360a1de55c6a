"""Healing: after a template change the old values are found on the new page, learned again, and verified before use.

Whether a page is still the learned one is told by the share of the old texts that it shows. A text that shows up on
another address proves little when it is short: a byline or an agency stands on many pages. Other pages of the new
template need not show any old text; what is read from them must look like it.

Every label is kept, or nothing is: a wrapper that lost a label is worse than one that a person looks at. A list stays a
list, with the items that it has now. A text that was one label's and now stands where another label is read, or behind
the other's name, is the other's. Where the old place still reads right on more pages than the new one, it stays.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from windrow.errors import HealUncertain, RegionGone, UsageError
from windrow.nodes import xpath
from windrow.wrapper.field import AS_IT_COMES
from windrow.wrapper.location import FEATURES
from windrow.wrapper.misplacement import is_misplaced
from windrow.wrapper.normalization import folded
from windrow.wrapper.page_features import features_of
from windrow.wrapper.template.surroundings import traces_of
from windrow.wrapper.template.walls import SENTENCES
from windrow.wrapper.text_search import TextIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from windrow.nodes.hashes import Hashes
    from windrow.page import Page
    from windrow.wrapper.reference import Example
    from windrow.wrapper.result import Extraction
    from windrow.wrapper.rule import Place, Rule
    from windrow.wrapper.text_search import Occurrence
    from windrow.wrapper.wrapper import Wrapper

Rules: TypeAlias = "Mapping[str, tuple[Rule, ...]]"
Values: TypeAlias = "Mapping[str, tuple[str, ...]]"
Lesson: TypeAlias = "tuple[Page, Mapping[str, tuple[str, ...]]]"
Learn: TypeAlias = "Callable[[Sequence[tuple[Page, Mapping[str, str | Sequence[str]]]]], Wrapper]"
NAMING = (":", "\uff1a")
"""How a text ends that names what follows it."""
MENU = "nav"
NO_PAGE = "There is no page to heal by. Give at least one."
GONE = "The text that was learned is no longer on the page. Paste another text from it and learn again."


@dataclass(frozen=True)
class HealParameters:
    """When a page counts as the learned one in a new dress; set by principle."""

    gone: float = 0.34
    """Share below which the text is gone: one label of three may be there by chance."""
    distinct: int = 20
    """Characters from which on a text is taken to stand on one page only: longer than names and dates are."""
    least_items: int = 3
    """So many old items in the same tags make a list that can be completed."""
    most_lessons: int = 5  # not a decision: a limit of the work
    """Pages that are learned; of more, what is learned is tried on the others."""
    least_contradictions: int = 2
    """Pages that must read something else than what is known of them to speak against a label that none supports: one
    value changes by itself."""
    least_share: float = 0.5
    """Share of a list's old items that must be there: a list changes, but not all of it at once."""


PARAMETERS = HealParameters()


@dataclass(frozen=True)
class Move:
    """Where a label was and where it is now, and what was read there."""

    old: str
    new: str
    confidence: float
    runner_up: str = ""
    pages: int = 1
    """On how many of the given pages it is read."""
    old_values: tuple[str, ...] = ()
    new_values: tuple[str, ...] = ()


@dataclass(frozen=True)
class HealReport:
    """What was found again and where, and what was not."""

    confidence: float
    moves: Mapping[str, Move]
    lost: tuple[str, ...] = ()
    """Labels that could not be kept."""
    doubtful: tuple[str, ...] = ()
    """Labels that are read on this address only, since their place may belong to something else."""
    sentence: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {
            "confidence": self.confidence,
            "moves": {
                label: vars(move) | {"old_values": list(move.old_values), "new_values": list(move.new_values)}
                for label, move in self.moves.items()
            },
            "lost": list(self.lost),
            "doubtful": list(self.doubtful),
            "sentence": self.sentence,
        }


def heal_wrapper(
    old: Wrapper, pages: Sequence[Page], learn: Learn, known: Sequence[Example] = (), *, partial: bool
) -> Wrapper:
    """Return a wrapper of the new template; an error carries the report where a label can't be kept.

    Pages that show the old values of an example or of a known record are learned; what is read from the others must
    fit.
    """
    records = (*known, *old.examples)
    lessons, others, errors = list[Lesson](), [], list[RegionGone | HealUncertain]()
    for page in pages:
        try:
            lessons.append((page, find_again(old, page, records)))
        except (RegionGone, HealUncertain) as error:
            others.append(page)
            errors.append(error)
    if not lessons:
        raise errors[0] if errors else UsageError(NO_PAGE)
    lessons = drop_coincidences(lessons, learn)
    learned = learn(lessons[: PARAMETERS.most_lessons])
    healed = replace(learned, rules=prefer_known(doubt_rules(learned.rules, old.rules), old.rules))
    trial = Trial(old, healed, [*(page for page, _ in lessons), *others], [values for _, values in lessons], records)
    rules = {label: rules for label in old.labels if (rules := trial.choose(label))}
    report = trial.report(rules)
    if report.lost and not (partial and rules):
        raise HealUncertain(
            f"Not every label could be kept: {', '.join(report.lost)}. The wrapper stays as it was. Look, and paste "
            "these anew, or heal without them (--partial, partial=True).",
            report,
        )
    kept = {example.url for example in healed.examples}
    examples = (
        *(example.lacking_too(old.examples) for example in healed.examples),
        *(example for example in old.examples if example.url not in kept),
    )
    return replace(healed, rules=rules, examples=examples, report=report)


def drop_coincidences(lessons: Sequence[Lesson], learn: Learn) -> list[Lesson]:
    """Leave out of the lessons the values that most others speak against.

    Where a value has changed, its old text may stand elsewhere on the page by chance. What one lesson teaches of a
    label is tried on the others; those that it does not read back are left out, where it reads back more than half.
    """
    taught = [(page, dict(values)) for page, values in lessons]
    single = list(learn_each(lessons[: PARAMETERS.most_lessons], learn)) if len(lessons) > 1 else []
    for label in dict.fromkeys(label for _, values in lessons for label in values):
        told = {number for number, (_, values) in enumerate(lessons) if label in values}
        agreed = [
            {number for number in told if is_read_back(one.read(lessons[number][0]), lessons[number][1], label)}
            for one in single
        ]
        most = max(agreed, key=len, default=told)
        for number in told - most if 2 * len(most) > len(told) else ():
            del taught[number][1][label]
    return [(page, values) for page, values in taught if values]


def learn_each(lessons: Sequence[Lesson], learn: Learn) -> Iterator[Wrapper]:
    """Yield what each lesson teaches by itself, where it teaches anything."""
    for lesson in lessons:
        try:
            yield learn([lesson])
        except UsageError:
            continue  # what it shows is not read back


def find_again(old: Wrapper, page: Page, records: Sequence[Example]) -> dict[str, tuple[str, ...]]:
    """Return the values to learn from a page: those of a record that it shows, or that stand where they stood.

    An error says that they are too few.
    """
    index = TextIndex(features_of(page.nodes), page.resolve)
    known = [example for example in records if example.is_of(page)]
    shares = [(shown_shares(old, index, example), example) for example in known or old.examples]
    best, example = max(shares, key=lambda pair: sum(pair[0].values()))
    found = {label: complete(old, index, label, example.values[label]) for label, share in best.items() if share}
    values = {label: texts for label, texts in found.items() if texts}
    share = sum(best.values()) / max(1, len(best))
    lost = tuple(label for label in best if label not in values)
    sentence = f"{len(values)} of {len(best)} labels show their old values."
    report = HealReport(round(share, 3), {}, lost, (), sentence)
    if share < PARAMETERS.gone or not values:
        raise RegionGone(SENTENCES["wall"] if old.find_kind(page) == "wall" else GONE, report)
    if not known and not any(len(folded(text)) >= PARAMETERS.distinct for texts in values.values() for text in texts):
        if page.url:
            raise RegionGone(GONE, report)
        raise HealUncertain(
            "The learned text is there, but it is so short that it may be another page's. Say where the page came "
            "from: with url=, on the command line with --url.",
            report,
        )
    return values | {label: texts for label in lost if (texts := read_by_name(old, page, label))}


def shown_shares(old: Wrapper, index: TextIndex, example: Example) -> dict[str, float]:
    """Return, for each label of an example, the share of its texts that a page shows."""
    return {
        label: sum(bool(find_standing(old, index, label, text)) for text in texts) / max(1, len(texts))
        for label, texts in example.values.items()
        if texts and label in old.rules
    }


def find_standing(old: Wrapper, index: TextIndex, label: str, text: str) -> list[Occurrence]:
    """Return where an old text stands and still holds: a struck price is a former one, unless it was struck before."""
    places, features = index.find(text), index.features
    if any(place.is_struck for place in places_in(old.rules[label])):
        return places
    return [place for place in places if not features.is_struck(place.node)]


def complete(old: Wrapper, index: TextIndex, label: str, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values that a label has now: the old ones, or of a list all that stand where they stand.

    Nothing is returned where an old value is gone, or most of a list.
    """
    found = {text: places for text in dict.fromkeys(texts) if (places := find_standing(old, index, label, text))}
    is_whole = len(found) == len(set(texts))
    if not is_list(old.rules[label]) or len(texts) < PARAMETERS.least_items:
        return texts if is_whole else ()
    features = index.features
    nodes = [place.node for places in found.values() for place in places if place.is_exact or place.is_numbered]
    ways = Counter(int(features.key_path[node]) for node in nodes)
    way, count = max(ways.items(), key=lambda pair: pair[1], default=(0, 0))
    if count < max(PARAMETERS.least_items, PARAMETERS.least_share * len(texts)):
        return texts if is_whole else ()
    alike = [node for node in nodes if int(features.key_path[node]) == way]
    around = int(features.nodes.common_ancestor(features.nodes.parent[alike]))
    inside = np.arange(around, int(features.nodes.end[around]))
    items = features.showing(inside[features.key_path[inside] == np.uint64(way)])
    if not set(map(folded, found)) <= {folded(features.text_of(int(node))) for node in items}:
        return texts if is_whole else ()
    return tuple(features.text_of(int(node)) for node in items)


def is_list(rules: tuple[Rule, ...]) -> bool:
    """Whether a label reads however many values there are."""
    return any(
        rule.listing is not None or any(place.is_run or place.is_kin or place.parting for place in places_in((rule,)))
        for rule in rules
    )


def read_in_place(old: Wrapper, page: Page, label: str) -> tuple[str, ...]:
    """Return what the old wrapper reads for a label, if it still stands in the same elements."""
    places, known = old.read(page).located.get(label, ()), old.surroundings.labels.get(label)
    if known is None or not places:
        return ()
    ways = traces_of(page.nodes).ways_to([place.node for place in places])
    return tuple(place.text for place in places) if known.ways.issuperset(ways) else ()


def read_by_name(old: Wrapper, page: Page, label: str) -> tuple[str, ...]:
    """Return the same, if the text that named its value still stands before it."""
    known = old.surroundings.labels.get(label)
    nodes = [place.node for place in old.read(page).located.get(label, ())]
    if known is None or not known.before & before_of(page, nodes):
        return ()
    return read_in_place(old, page, label)


def before_of(page: Page, nodes: Sequence[int]) -> set[str]:
    """Return the texts right before some nodes."""
    features = features_of(page.nodes)
    return {text for node in nodes for text in features.words[: int(features.first_text[node])][-1:]}


def doubt_rules(rules: Rules, old: Rules) -> Rules:
    """Keep to this address what was found only within a longer text, unless it stood within the same one before."""
    doubted = {}
    for label, alternatives in rules.items():
        known = {(place.location.prefix, place.location.suffix) for place in places_in(old.get(label, ()))}
        doubted[label] = tuple(
            replace(rule, values=tuple(tuple(doubt_place(place, known) for place in places) for places in rule.values))
            for rule in alternatives
        )
    return doubted


def doubt_place(place: Place, known: set[tuple[str, str]]) -> Place:
    """Mark a place whose text stands within a longer one that was not there before."""
    around = (place.location.prefix, place.location.suffix)
    return replace(place, is_local=True) if any(around) and around not in known else place


def prefer_known(rules: Rules, old: Rules) -> Rules:
    """Let a place count the more, the more of it a redesign has left as it was."""
    preferred = {}
    for label, alternatives in rules.items():
        known = [place.location.row[: len(FEATURES)] for place in places_in(old[label])]
        preferred[label] = tuple(
            replace(rule, values=tuple(tuple(weigh_place(place, known) for place in places) for places in rule.values))
            for rule in alternatives
        )
    return preferred


def weigh_place(place: Place, known: Sequence[Hashes]) -> Place:
    """Return a place that counts by its features that agree with the likest old one, as if that were an example."""
    row = place.location.row[: len(FEATURES)]
    shares = [float(np.mean((other == row) & (row != 0))) for other in known]
    return replace(place, worth=place.worth * ((1 + max(shares, default=0.0)) / 2) ** 2)


def places_in(rules: tuple[Rule, ...]) -> list[Place]:
    """Return all places of a label's rules."""
    found = [place for rule in rules for places in rule.values for place in places]
    return found + [place for rule in rules if rule.listing is not None for place in rule.listing.around]


@dataclass(frozen=True, eq=False)
class Trial:
    """What was learned again, tried on all given pages beside the old wrapper.

    The first pages show old values, which must be read back. The others must show something of the same kind, most of
    them at least.
    """

    old: Wrapper
    new: Wrapper
    pages: Sequence[Page]
    values: Sequence[Values]
    """Of the first pages."""
    records: Sequence[Example] = ()
    """What is known of pages, by their address."""

    def choose(self, label: str) -> tuple[Rule, ...]:
        """Return the rules of a label that read right on most pages, the new ones where both do; none if none do."""
        if self.is_taken(label) or self.is_in_menu(label):
            return ()
        if self.is_rivalled(label):
            others = self.pages[len(self.values) :]
            stays = bool(others) and all(read_in_place(self.old, page, label) for page in others)
            return self.old.rules[label] if stays else ()
        new = 0 if self.is_misplaced(label) else self.count(self.new, label)
        old = self.count(self.old, label)
        if not max(new, old):
            return ()
        return self.new.rules[label] if new >= old else self.old.rules[label]

    def is_contradicted(self, wrapper: Wrapper, label: str) -> bool:
        """Whether something else than the known value is read on several pages, and the known value on none."""
        readings = [(wrapper.read(page), self.known_of(page)) for page in self.pages]
        verdicts = [
            is_read_back(got, known, label) for got, known in readings if known.get(label) and got.values.get(label)
        ]
        return len(verdicts) >= PARAMETERS.least_contradictions and not any(verdicts)

    def known_of(self, page: Page) -> Values:
        """Return what is known of a page by its address."""
        return next((record.values for record in self.records if record.is_of(page)), {})

    def count(self, wrapper: Wrapper, label: str) -> int:
        """Count the pages on which the reading of a label fits; 0 where the pages do not agree on it."""
        texts = next((values[label] for values in self.values if label in values), None)
        if texts is None or label not in wrapper.rules:
            return 0
        if is_list(self.old.rules[label]) and not is_list(wrapper.rules[label]):
            return 0
        if self.is_contradicted(wrapper, label):
            return 0
        known, other = [], []
        is_required = self.old.fields.get(label, AS_IT_COMES).required
        nothing: list[Values] = [{}] * (len(self.pages) - len(self.values))
        for page, values in zip(self.pages, [*self.values, *nothing], strict=True):
            got = wrapper.read(page)
            if label in values:
                known.append(is_read_back(got, values, label))
            # That a page shows nothing refutes a place only where every page has the label.
            elif got.values.get(label) or (is_required and self.known_of(page).get(label, texts)):
                other.append(is_like(got.values.get(label, ()), texts))
        return sum(known) + sum(other) if all(known) and 2 * sum(other) >= len(other) else 0

    def is_rivalled(self, label: str) -> bool:
        """Whether the old place still shows a value, but another one than the text that was found elsewhere."""
        return any(
            (texts := read_in_place(self.old, page, label))
            and not {folded(text) for text in texts} & {folded(text) for text in values.get(label, ())}
            for page, values in zip(self.pages, self.values, strict=False)
        )

    def is_taken(self, label: str) -> bool:
        """Whether a label is found where another one is read by the old wrapper, or behind what named the other."""
        own = self.old.surroundings.labels.get(label)
        for page in self.pages[: len(self.values)]:
            nodes = {place.node for place in self.new.read(page).located.get(label, ())}
            names = {text for text in before_of(page, sorted(nodes)) if text.endswith(NAMING)}
            names -= own.before if own else frozenset()
            for other in self.old.labels:
                if other == label or overlap(label, other, self.old.examples):
                    continue
                named = self.old.surroundings.labels.get(other)
                places = {place.node for place in self.old.read(page).located.get(other, ())}
                if places & nodes or (named is not None and names & named.before):
                    return True
        return False

    def is_misplaced(self, label: str) -> bool:
        """Whether a label is found where something else stands: other records, or another field."""
        known, learned = (wrapper.surroundings.labels.get(label) for wrapper in (self.old, self.new))
        if known is None or learned is None:
            return False
        if (learned.is_listed and not known.is_listed) or (learned.is_rivalled and not known.is_rivalled):
            return True
        places = places_in(self.old.rules[label])
        return not is_list(self.old.rules[label]) and any(
            is_misplaced(page, label, value, places, known.before)
            for page in self.pages[: len(self.values)]
            for value in self.new.read(page).located.get(label, ())
        )

    def is_in_menu(self, label: str) -> bool:
        """Whether a label is found only in a menu, and stood in the content before."""
        if any(step.tag == MENU for place in places_in(self.old.rules[label]) for step in place.location.steps):
            return False
        pages = self.pages[: len(self.values)]
        nodes = [(page, place.node) for page in pages for place in self.new.read(page).located.get(label, ())]
        return bool(nodes) and all(f"/{MENU}" in xpath(page.nodes, node) for page, node in nodes)

    def report(self, rules: Rules) -> HealReport:
        """Return where each label was and is."""
        moves = {label: self.move(label, chosen) for label, chosen in rules.items()}
        lost = tuple(label for label in self.old.labels if label not in rules)
        doubtful = tuple(label for label, kept in rules.items() if all(place.is_local for place in places_in(kept)))
        total = len(self.old.labels)
        sentence = f"{len(rules)} of {total} labels were found, learned again, and read back."
        if lost:
            sentence += f" Not kept: {', '.join(lost)}."
        return HealReport(round(len(rules) / max(1, total), 3), moves, lost, doubtful, sentence)

    def move(self, label: str, chosen: tuple[Rule, ...]) -> Move:
        """Return where a label was and is, what it read and reads, and how sure that is."""
        wrapper = self.old if chosen is self.old.rules[label] else self.new
        got = next(got for page in self.pages if label in (got := wrapper.read(page)).confidence)
        rival = next((reading.runner_up for reading in got.located[label] if reading.runner_up), "")
        before, now = (places_in(rules) for rules in (self.old.rules[label], chosen))
        paths = [places[0].location.path if places else "" for places in (before, now)]
        old_values = next((each.values[label] for each in self.old.examples if each.values.get(label)), ())
        count = sum(bool(wrapper.read(page).values.get(label)) for page in self.pages)
        return Move(paths[0], paths[1], got.confidence[label], rival, count, old_values, tuple(got.values[label]))


def overlap(label: str, other: str, examples: Sequence[Example]) -> bool:
    """Whether a text of one label was the same as one of another, or part of it."""
    pasted = [[list(map(folded, example.values.get(name, ()))) for name in (label, other)] for example in examples]
    return any(text in rival or rival in text for one, two in pasted for text in one for rival in two)


def is_read_back(got: Extraction, values: Values, label: str) -> bool:
    """Whether exactly the wanted values of a label were read."""
    return {folded(text) for text in got.values.get(label, ())} == {folded(text) for text in values[label]}


def is_like(texts: Sequence[str], values: Sequence[str]) -> bool:
    """Whether something was read, and with numbers where the old values have some."""
    return bool(texts) and any(map(has_digits, texts)) == any(map(has_digits, values))


def has_digits(text: str) -> bool:
    """Whether a text holds a number."""
    return any(map(str.isdigit, text))
