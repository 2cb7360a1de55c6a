"""More examples, better rules: what the others agree in is trusted, and a rule that they refute has less say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from windrow.wrapper.extraction import PARAMETERS
from windrow.wrapper.location import FEATURES, locate
from windrow.wrapper.matching import Candidates, Sought
from windrow.wrapper.normalization import folded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.wrapper.extraction import PageReader, ReadValue
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
    """Learn the rules of all labels: for each the rules of the single examples, the best first."""
    alternatives: dict[str, list[tuple[Trials, Rule]]] = {}
    for number, lesson in enumerate(lessons):
        others = [other for place, other in enumerate(lessons) if place != number]
        for rule in lesson.rules:
            trusted = trust_rule(rule, others) if others else rule
            alternatives.setdefault(rule.label, []).append((try_rule(trusted, others), trusted))
    return {label: keep_best(rules) for label, rules in alternatives.items()}


def keep_best(rules: list[tuple[Trials, Rule]]) -> tuple[Rule, ...]:
    """Leave out the rules that were wrong more often than the best, and sort the rest."""
    fewest = min(trials.wrong for trials, _ in rules)
    kept = [(trials, rule) for trials, rule in rules if trials.wrong == fewest]
    kept.sort(key=lambda pair: -pair[0].right)
    return tuple(dict.fromkeys(rule for _, rule in kept))


def try_rule(rule: Rule, lessons: Sequence[Lesson]) -> Trials:
    """Try a rule on examples; one that does not show the label counts against a rule that finds something there."""
    right = wrong = 0
    for lesson in lessons:
        got = {folded(reading.text) for reading in lesson.reader.read(rule)}
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
        agrees = locate(lesson.reader.features, likest).row == place.location.row
        agreed += agrees
        seen += 1
        labelled.append(bool(agrees[BEFORE]) and bool(place.location.before))
    if not labelled:
        return place
    trust = tuple(float(share) for share in agreed / seen)
    worth = place.worth * float(np.mean(trust)) ** 2
    return replace(place, trust=trust, worth=worth, is_labelled=all(labelled))


def read_label(
    reader: PageReader, rules: Sequence[Rule], least: float = PARAMETERS.least_confidence
) -> list[ReadValue]:
    """Return a label's values by the majority of its rules that are sure enough; nothing where there is none."""
    readings = [found for rule in rules if (found := reader.read(rule, least))]
    if not readings:
        return []
    texts = [frozenset(folded(reading.text) for reading in found) for found in readings]
    (best, count), *rest = Counter(texts).most_common()
    if rest and rest[0][1] == count:
        return []
    return readings[texts.index(best)]


def settle(
    reader: PageReader,
    readings: Mapping[str, list[ReadValue]],
    rules: Mapping[str, Sequence[Rule]],
    examples: Sequence[Example],
) -> dict[str, list[ReadValue]]:
    """Leave a text that several labels claim to the best of them; labels that were learned from one text share it."""
    claims: dict[tuple[int, str], dict[str, float]] = {}
    for label, found in readings.items():
        for reading in found:
            claims.setdefault((reading.node, folded(reading.text)), {})[label] = reading.confidence
    lost: set[tuple[str, int, str]] = set()
    for (node, text), rivals in claims.items():
        # The learned text before a place tells more than how like it is, which is often full for several labels.
        worth = {label: (len(rivals) > 1 and is_named(reader, node, rules[label]), rivals[label]) for label in rivals}
        lost |= {
            (label, node, text)
            for label, other in permutations(worth, 2)
            if worth[other] >= worth[label] and not share_text(label, other, examples)
        }
    return {
        label: [reading for reading in found if (label, reading.node, folded(reading.text)) not in lost]
        for label, found in readings.items()
    }


def is_named(reader: PageReader, node: int, rules: Sequence[Rule]) -> bool:
    """Whether the text before a node is the one before a learned place."""
    rank = reader.features.rank_of(node)
    before = reader.features.words[rank - 1] if rank else ""
    return any(place.location.before == before for rule in rules for places in rule.values for place in places)


def share_text(label: str, other: str, examples: Sequence[Example]) -> bool:
    """Whether the same text was pasted for two labels."""
    pasted = [[set(map(folded, example.values.get(name, ()))) for name in (label, other)] for example in examples]
    return any(one & two for one, two in pasted)
