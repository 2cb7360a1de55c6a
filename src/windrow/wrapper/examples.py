"""More examples, better rules: what the others agree in is trusted, and a rule that they refute has less say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from windrow.wrapper.matching import Candidates, Sought
from windrow.wrapper.spot import FEATURES, spot_at
from windrow.wrapper.writing import folded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.wrapper.example import Example
    from windrow.wrapper.extraction import Reader, Reading
    from windrow.wrapper.learning import Lesson
    from windrow.wrapper.rule import Place, Rule

BEFORE = FEATURES.index("before")


@dataclass(frozen=True)
class Record:
    """How a rule did on the examples it was not learned from."""

    right: int = 0
    wrong: int = 0


def learn_all(lessons: Sequence[Lesson]) -> dict[str, tuple[Rule, ...]]:
    """Learn the rules of all labels: for each the rules of the single examples, the best first."""
    alternatives: dict[str, list[tuple[Record, Rule]]] = {}
    for number, lesson in enumerate(lessons):
        others = [other for place, other in enumerate(lessons) if place != number]
        for rule in lesson.rules:
            trusted = trust_rule(rule, others) if others else rule
            alternatives.setdefault(rule.label, []).append((record_of(trusted, others), trusted))
    return {label: keep_best(rules) for label, rules in alternatives.items()}


def keep_best(rules: list[tuple[Record, Rule]]) -> tuple[Rule, ...]:
    """Leave out the rules that were wrong more often than the best, and sort the rest."""
    fewest = min(record.wrong for record, _ in rules)
    kept = [(record, rule) for record, rule in rules if record.wrong == fewest]
    kept.sort(key=lambda pair: -pair[0].right)
    return tuple(dict.fromkeys(rule for _, rule in kept))


def record_of(rule: Rule, lessons: Sequence[Lesson]) -> Record:
    """Try a rule on examples; one that does not show the label counts against a rule that finds something there."""
    right = wrong = 0
    for lesson in lessons:
        got = {folded(reading.text) for reading in lesson.reader.read(rule)}
        wanted = {folded(text) for text in lesson.wanted.get(rule.label, ())}
        right += bool(wanted) and got == wanted
        wrong += bool(got) and got != wanted
    return Record(right, wrong)


def trust_rule(rule: Rule, lessons: Sequence[Lesson]) -> Rule:
    """Measure for each place of a rule in which features the other examples agree."""
    values = tuple(tuple(trust_place(place, rule.label, lessons) for place in places) for places in rule.values)
    return replace(rule, values=values)


def trust_place(place: Place, label: str, lessons: Sequence[Lesson]) -> Place:
    """Compare a place with the likest one that shows the label's value on each other example."""
    agreed, seen = np.ones(len(FEATURES)), 1
    labelled = []
    for lesson in lessons:
        nodes = [found.node for text in lesson.wanted.get(label, ()) for found in lesson.writing.find(text)]
        fitting = [node for node in nodes if lesson.reader.evidence.is_text[node] == place.spot.is_text]
        if not fitting:
            continue
        ranking = Candidates(lesson.reader.evidence, np.array(fitting)).rank(Sought([place]))[0]
        likest = ranking.nodes[ranking.best(1)[0]] if ranking.nodes else fitting[0]
        agrees = spot_at(lesson.reader.evidence, likest).row == place.spot.row
        agreed += agrees
        seen += 1
        labelled.append(bool(agrees[BEFORE]) and bool(place.spot.before))
    if not labelled:
        return place
    trust = tuple(float(share) for share in agreed / seen)
    worth = place.worth * float(np.mean(trust)) ** 2
    return replace(place, trust=trust, worth=worth, is_labelled=all(labelled))


def read_label(reader: Reader, rules: Sequence[Rule]) -> list[Reading]:
    """Read a label by all its rules; where they differ the majority has it, and without one nobody."""
    readings = [found for rule in rules if (found := reader.read(rule))]
    if len(readings) <= 1:
        return readings[0] if readings else []
    sets = [frozenset(folded(reading.text) for reading in found) for found in readings]
    (best, count), *rest = Counter(sets).most_common()
    if rest and rest[0][1] == count:
        return []
    return readings[sets.index(best)]


def settle(
    reader: Reader,
    readings: Mapping[str, list[Reading]],
    rules: Mapping[str, Sequence[Rule]],
    examples: Sequence[Example],
) -> dict[str, list[Reading]]:
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


def is_named(reader: Reader, node: int, rules: Sequence[Rule]) -> bool:
    """Say whether the text before a node is the one before a learned place."""
    rank = reader.evidence.rank_of(node)
    before = reader.evidence.words[rank - 1] if rank else ""
    return any(place.spot.before == before for rule in rules for places in rule.values for place in places)


def share_text(label: str, other: str, examples: Sequence[Example]) -> bool:
    """Say whether the same text was pasted for two labels."""
    pasted = [[set(map(folded, example.values.get(name, ()))) for name in (label, other)] for example in examples]
    return any(one & two for one, two in pasted)
