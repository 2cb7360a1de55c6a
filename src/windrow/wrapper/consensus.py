"""More examples, better rules: what the others agree in is trusted, and a rule that they refute has less say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from windrow.wrapper.captions import NO_CAPTION, captions_of
from windrow.wrapper.learning import keep_local
from windrow.wrapper.location import FEATURES, locate
from windrow.wrapper.matching import Candidates, Sought
from windrow.wrapper.normalization import folded
from windrow.wrapper.reading import Reading
from windrow.wrapper.value_lists import count_kin_after

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from windrow.wrapper.extraction import PageReader
    from windrow.wrapper.learning import Lesson
    from windrow.wrapper.reference import Example
    from windrow.wrapper.rule import Place, Rule

BEFORE = FEATURES.index("before")


@dataclass(frozen=True)
class Trials:
    """How a rule did on the examples it was not learned from."""

    right: int
    wrong: int


def learn_all(lessons: Sequence[Lesson]) -> dict[str, tuple[Rule, ...]]:
    """Learn the rules of all labels: for each the rules of the single examples that no other example refutes."""
    learned: dict[str, list[Rule]] = {}
    for number, lesson in enumerate(lessons):
        for rule in lesson.rules:
            others = [other for place, other in enumerate(lessons) if place != number and other.tells(rule.label)]
            learned.setdefault(rule.label, []).append(prove_rule(rule, others) if others else rule)
    return {label: keep_proved(rules) for label, rules in learned.items()}


def keep_proved(rules: list[Rule]) -> tuple[Rule, ...]:
    """Sort the rules by how often they were right; those that were refuted are for the learned page only."""
    kept = [rule for rule in rules if not is_local(rule)] or rules[:1]
    return tuple(dict.fromkeys(sorted(kept, key=lambda rule: -rule.proved)))


def is_local(rule: Rule) -> bool:
    """Whether no place of a rule may be read on other pages."""
    places = [place for places in rule.values for place in places]
    if rule.listing is not None:
        places += rule.listing.around
    return all(place.is_local for place in places)


def prove_rule(rule: Rule, lessons: Sequence[Lesson]) -> Rule:
    """Try a rule on the other examples: places that they refute go, and a rule that still is wrong is kept local."""
    trusted = trust_rule(rule, lessons)
    sound = replace(trusted, values=tuple(drop_refuted(places, rule.label, lessons) for places in trusted.values))
    if not all(sound.values):
        return keep_local(trusted)
    trials = try_rule(sound, lessons)
    return keep_local(trusted) if trials.wrong else replace(sound, proved=trials.right / len(lessons))


def drop_refuted(places: tuple[Place, ...], label: str, lessons: Sequence[Lesson]) -> tuple[Place, ...]:
    """Leave out the places that show something else than what was pasted from another example."""
    return tuple(place for place in places if not any(is_refuted(place, label, lesson) for lesson in lessons))


def is_refuted(place: Place, label: str, lesson: Lesson) -> bool:
    """Whether a place shows a text on an example that is not among those pasted there."""
    wanted = {folded(text) for text in lesson.wanted.get(label, ())}
    votes = lesson.reader.votes([place])
    return any(folded(text) not in wanted for vote in votes for text in place.values_in(vote.text))


def try_rule(rule: Rule, lessons: Sequence[Lesson]) -> Trials:
    """Try a rule on examples; one that does not show the label counts against a rule that finds something there."""
    right = wrong = 0
    for lesson in lessons:
        reading = lesson.reader.read(rule)
        got = reading.texts if reading is not None else frozenset()
        wanted = {folded(text) for text in lesson.wanted.get(rule.label, ())}
        right += bool(wanted) and got == wanted
        wrong += bool(got) and got != wanted
    return Trials(right, wrong)


def trust_rule(rule: Rule, lessons: Sequence[Lesson]) -> Rule:
    """Measure for each place of a rule in which features the other examples agree."""
    values = tuple(tuple(trust_place(place, rule.label, lessons) for place in places) for places in rule.values)
    return replace(rule, values=values)


def trust_place(place: Place, label: str, lessons: Sequence[Lesson]) -> Place:
    """Compare a place with the likest one that shows the label's value on each other example."""
    agreed, seen = np.ones(len(FEATURES)), 1
    labelled = []
    for lesson in lessons:
        nodes = [found.node for text in lesson.wanted.get(label, ()) for found in lesson.index.find(text)]
        fitting = [node for node in nodes if lesson.reader.features.is_text[node] == place.location.is_text]
        if not fitting:
            continue
        ranking = Candidates(lesson.reader.features, np.array(fitting)).rank(Sought([place]))[0]
        likest = ranking.nodes[ranking.best(1)[0]] if ranking.nodes else fitting[0]
        agrees = (locate(lesson.reader.features, likest).row == place.location.row)[: len(FEATURES)]
        agreed += agrees
        seen += 1
        labelled.append(bool(agrees[BEFORE]) and bool(place.location.before))
        if place.is_last and count_kin_after(lesson.reader.features, likest):
            place = replace(place, is_last=False)
        if not captions_of(lesson.reader.features).fits(place.caption, likest):
            place = replace(place, caption=NO_CAPTION)
    if not labelled:
        return place
    trust = tuple(float(share) for share in agreed / seen)
    worth = place.worth * float(np.mean(trust)) ** 2
    return replace(place, trust=trust, worth=worth, is_labelled=place.is_labelled and all(labelled))


def read_label(reader: PageReader, rules: Sequence[Rule], known: Collection[str] = ()) -> Reading | None:
    """Return what most of a label's rules read; None where they find nothing, or nothing tells whom to believe."""
    readings = [found for rule in rules if (found := reader.read(rule, known)) is not None]
    if not readings:
        return None
    counts = Counter(reading.texts for reading in readings)
    (best, count), *rest = counts.most_common()
    alike = [reading for reading in readings if reading.texts == best]
    surest = max(alike, key=lambda reading: reading.confidence)
    agreement = count / len(readings) if not rest or rest[0][1] < count else 0.0
    return Reading(surest.values, {**surest.signals, "agreement": agreement})


def settle(
    reader: PageReader,
    readings: Mapping[str, Reading],
    rules: Mapping[str, Sequence[Rule]],
    examples: Sequence[Example],
) -> dict[str, Reading]:
    """Leave a text that several labels claim to the best of them; labels that were learned from one text share it.

    Where the places of that text show different texts here, nothing tells which label has which: all are doubtful.
    """
    claims: dict[tuple[int, str], dict[str, float]] = {}
    for label, reading in readings.items():
        for value in reading.values:
            claims.setdefault((value.node, folded(value.text)), {})[label] = reading.confidence
    lost: set[tuple[str, int, str]] = set()
    undecided: set[str] = set()
    for (node, text), rivals in claims.items():
        if len(rivals) == 1:
            continue
        worth = {label: (kinship(reader, node, rules[label]), rivals[label]) for label in rivals}
        lost |= {
            (label, node, text)
            for label, other in permutations(worth, 2)
            if worth[other] >= worth[label] and not share_text(label, other, examples)
        }
        undecided |= {
            label
            for label, other in permutations(rivals, 2)
            if readings[label].signals["share"] < 1 and share_text(label, other, examples)
        }
    kept = {
        label: tuple(value for value in reading.values if (label, value.node, folded(value.text)) not in lost)
        for label, reading in readings.items()
    }
    settled = {label: replace(readings[label], values=values) for label, values in kept.items() if values}
    return {label: undecided_reading(found) if label in undecided else found for label, found in settled.items()}


def undecided_reading(reading: Reading) -> Reading:
    """Return a reading of which nothing tells whether it is this label's."""
    return replace(reading, signals={**reading.signals, "agreement": 0.0})


def kinship(reader: PageReader, node: int, rules: Sequence[Rule]) -> tuple[bool, bool, bool]:
    """Whether a text begins with the name in a learned one, stands behind the same text, and in the same elements.

    All tell more than how sure a label is, which is often full for several. An element that is left out moves the next
    one into its place, but changes neither its classes nor the name that it begins with.
    """
    rank, text = reader.features.rank_of(node), folded(reader.features.text_of(node))
    before, path = reader.features.text_before(rank), int(reader.features.key_path[node])
    places = [place for rule in rules for some in rule.values for place in some]
    return (
        any(place.own_label and text.startswith(place.own_label) for place in places),
        any(place.location.before == before for place in places),
        any(place.location.key_path == path for place in places),
    )


def share_text(label: str, other: str, examples: Sequence[Example]) -> bool:
    """Whether the same text was pasted for two labels."""
    pasted = [[set(map(folded, example.values.get(name, ()))) for name in (label, other)] for example in examples]
    return any(one & two for one, two in pasted)
