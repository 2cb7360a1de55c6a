"""Healing a list: the pasted rows are found on a page of the new template, learned again, and tried on the other pages.

It stays a list with every label, or the wrapper stays as it was and a person must paste other rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from windrow.errors import HealUncertain, RegionGone, UsageError
from windrow.wrapper.field import AS_IT_COMES
from windrow.wrapper.healing import NO_PAGE, HealReport, Move, is_like

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from windrow.page import Page
    from windrow.wrapper.reference import Example
    from windrow.wrapper.result import Extraction
    from windrow.wrapper.wrapper import Wrapper

Learn: TypeAlias = "Callable[[Sequence[tuple[Page, Sequence[Mapping[str, Sequence[str]]]]]], Wrapper]"
Lesson: TypeAlias = "tuple[Page, Example]"


def heal_list(old: Wrapper, pages: Sequence[Page], learn: Learn, known: Sequence[Example] = ()) -> Wrapper:
    """Return a wrapper of the list's new template, learned from the rows that were pasted, or are known of a page.

    What was learned from all pages that show such rows comes first, then what each of them taught; the first that reads
    every label on the other pages too is taken. An error carries the report where none does.
    """
    if not pages:
        raise UsageError(NO_PAGE)
    lessons = find_lessons(old, pages, learn, [example for example in (*known, *old.examples) if example.rows])
    trials = [ListTrial(old, learned, pages, taught) for taught, learned in learn_each(lessons, learn)]
    best = min(trials, key=lambda trial: len(trial.lost))
    report = best.report()
    if report.lost:
        raise HealUncertain(
            f"{report.sentence} The wrapper stays as it was. Paste rows of the page that have every label.", report
        )
    learned = {example.url for example in best.new.examples}
    kept = [example for example in old.examples if example.url not in learned]
    return replace(best.new, examples=(*best.new.examples, *kept), report=report)


def find_lessons(old: Wrapper, pages: Sequence[Page], learn: Learn, records: Sequence[Example]) -> list[Lesson]:
    """Return the pages that show known rows, each with their record; an error where none shows all labels."""
    found, lost, why = list[tuple["Page", "Example"]](), tuple(old.labels), ""
    for page in pages:
        own = [example for example in records if example.is_of(page)]
        for example in own or old.examples:
            try:
                learned = learn([(page, example.rows)])
            except UsageError as error:
                why = why or str(error)
                continue
            if left := tuple(label for label in old.labels if label not in learned.labels):
                lost, why = left, f"The rows that are found again do not tell where {', '.join(left)} stands."
                continue
            found.append((page, example))
            break
    if found:
        return found
    report = HealReport(round(1 - len(lost) / max(1, len(old.labels)), 3), {}, lost, (), why)
    if len(lost) < len(old.labels):
        raise HealUncertain(f"{why} The wrapper stays as it was. Paste rows of the page that have every label.", report)
    raise RegionGone(f"The rows that were learned are no longer on the page. {why}", report)


def learn_each(lessons: Sequence[Lesson], learn: Learn) -> Iterator[tuple[Sequence[Lesson], Wrapper]]:
    """Yield what all lessons teach together, where they can be learned together, then what each one does."""
    together = [lessons] if len(lessons) > 1 else []
    for taught in (*together, *([lesson] for lesson in lessons)):
        try:
            yield taught, learn([(page, example.rows) for page, example in taught])
        except UsageError:
            continue  # their rows do not look alike


@dataclass(frozen=True, eq=False)
class ListTrial:
    """A list that was learned again, tried on all given pages."""

    old: Wrapper
    new: Wrapper
    pages: Sequence[Page]
    taught: Sequence[Lesson]

    @property
    def lost(self) -> tuple[str, ...]:
        """The labels that are not read on every second of the other pages, or read without the numbers they had."""
        own = {id(page) for page, _ in self.taught}
        others = [self.new.extract(page) for page in self.pages if id(page) not in own]
        return tuple(label for label in self.old.labels if not self._is_read(label, others))

    def _is_read(self, label: str, readings: Sequence[Extraction]) -> bool:
        pasted = [row[label] for example in self.old.examples for row in example.rows if label in row]
        is_expected = all(map(any, pasted)) and self.old.fields.get(label, AS_IT_COMES).required
        texts = [text for some in pasted for text in some]
        fits = [is_like(read, texts) for got in readings if (read := got.values[label]) or is_expected]
        return 2 * sum(fits) >= len(fits)

    def report(self) -> HealReport:
        """Return where each label was and is, and what is read there."""
        lost, total = self.lost, len(self.old.labels)
        moves = {label: self._move(label) for label in self.old.labels if label not in lost}
        sentence = f"{total - len(lost)} of {total} labels were found by the pasted rows, learned again, and read back."
        if lost:
            sentence += f" The other pages do not show {', '.join(lost)} in the same place."
        return HealReport(round(1 - len(lost) / max(1, total), 3), moves, lost, (), sentence)

    def _move(self, label: str) -> Move:
        readings = [self.new.extract(page) for page in self.pages]
        page, example = self.taught[0]
        first = self.new.extract(page)
        places = first.located[label]
        old, new = (wrapper.list_rule.place_of(label) if wrapper.list_rule else "" for wrapper in (self.old, self.new))
        return Move(
            old,
            new,
            first.confidence.get(label, 0.0),
            next((place.runner_up for place in places if place.runner_up), ""),
            sum(bool(got.values[label]) for got in readings),
            tuple(text for row in example.rows for text in row.get(label, ()) if text.strip()),
            tuple(first.values[label]),
        )
