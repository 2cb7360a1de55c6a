"""``Wrapper``: what was learned of a site, as plain JSON, with the verbs extract, check and heal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from windrow.errors import HealUncertain, RegionGone, UsageError, WindrowError
from windrow.wrapper.bartree import VARIABLE_SETS
from windrow.wrapper.checking import Checked, check_by_paper, check_nowhere, check_other_address, check_same_address
from windrow.wrapper.consensus import learn_all, read_label, settle
from windrow.wrapper.extraction import PageReader, seek
from windrow.wrapper.healing import doubt_rules, find_again, places_in, report_on, verify
from windrow.wrapper.learning import Choice, Lesson, find_choices
from windrow.wrapper.reference import Example, Reference, address_of, describe_reference
from windrow.wrapper.result import Extraction, extraction_of
from windrow.wrapper.rule import Place, Rule
from windrow.wrapper.skeleton import Fingerprint, find_pairs, merge_fingerprints

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windrow.page import Page
    from windrow.wrapper.change import Change
    from windrow.wrapper.healing import HealReport
    from windrow.wrapper.matching import Sought

VERSION = 2


@dataclass(frozen=True, repr=False)
class Wrapper:
    """What was learned from example pages; it never changes, healing gives a new one."""

    reference: Reference
    rules: Mapping[str, tuple[Rule, ...]]
    fingerprint: Fingerprint
    examples: tuple[Example, ...]
    """The pages it was learned from."""
    choices: tuple[Choice, ...] = field(default=(), compare=False)
    """Which place was taken for each text of the examples that stands in several; known right after learning."""
    report: HealReport | None = field(default=None, compare=False)
    """How it was healed, where it was."""

    def __repr__(self) -> str:
        """Return what was learned, in a line."""
        return f"<Wrapper of {self.reference.url or 'a page without address'} ({', '.join(self.labels)})>"

    @property
    def labels(self) -> list[str]:
        """The labels that it reads."""
        return list(self.rules)

    def extract(self, page: Page) -> Extraction:
        """Read the values of a page; a label that is not surely found is missing."""
        reader = PageReader(page.nodes, self.is_home(page))
        reader.compare(self._sought_at_home if reader.is_home else self._sought_elsewhere)
        readings = {label: read_label(reader, rules) for label, rules in self.rules.items()}
        return extraction_of(reader, settle(reader, readings, self.rules, self.examples))

    @cached_property
    def _sought_at_home(self) -> list[Sought]:
        return seek(self._places, is_home=True)

    @cached_property
    def _sought_elsewhere(self) -> list[Sought]:
        return seek(self._places, is_home=False)

    @property
    def _places(self) -> list[Place]:
        return [place for rules in self.rules.values() for place in places_in(rules)]

    def check(self, page: Page, method: str = "best") -> Change:
        """Whether the template changed; ``method`` may name one of the paper's variable sets."""
        if method not in {"best", *VARIABLE_SETS}:
            raise UsageError(f"There is no check {method!r}; there are: best, {', '.join(VARIABLE_SETS)}.")
        checked = Checked(page.nodes, self.reference, self.fingerprint, page.status)
        if method != "best":
            change = check_by_paper(checked, method)
        elif self.is_home(page):
            change = check_same_address(checked)
        elif not self.reference.url and not page.url:
            change = check_nowhere(checked)
        else:
            change = check_other_address(checked)
        return change if change.old is not None else replace(change, old=self.reference.tree)

    def is_home(self, page: Page) -> bool:
        """Whether a page has the address that was learned."""
        return bool(self.reference.url) and address_of(page) == self.reference.url

    def heal(self, page: Page | Sequence[Page]) -> Wrapper:
        """Learn the new template by the old values; where that is not sure, an error carries the report.

        With several pages, those that show old values are learned, and what is read from the others must fit.
        """
        lessons, others, errors = [], [], list[WindrowError]()
        for one in page if isinstance(page, Sequence) else [page]:
            known = next((example for example in self.examples if example.is_of(one)), None)
            pasted = (known or self.examples[0]).values
            try:
                values = find_again(
                    one, {label: pasted[label] for label in pasted if label in self.rules}, is_home=known is not None
                )
                lessons.append((one, values))
            except (RegionGone, HealUncertain) as error:
                others.append(one)
                errors.append(error)
        if not lessons:
            raise errors[0] if errors else UsageError("There is no page to heal by. Give at least one.")
        learned = make_wrapper(lessons)
        healed = replace(learned, rules=doubt_rules(learned.rules, self.rules))
        readings = [healed.extract(one) for one in (*(one for one, _ in lessons), *others)]
        counts = verify(readings, [values for _, values in lessons])
        rules = {label: rules for label, rules in healed.rules.items() if counts.get(label)}
        return replace(healed, rules=rules, report=report_on(self.rules, rules, readings, counts))

    def to_json(self) -> str:
        """Write it as JSON that people can read: a line for each of its parts and for each label."""
        rules = ",\n  ".join(
            f"{one_line(label)}: {one_line([rule.to_dict() for rule in rules])}" for label, rules in self.rules.items()
        )
        fingerprint = {
            "always": sorted(self.fingerprint.always),
            "sometimes": sorted(self.fingerprint.ever - self.fingerprint.always),
        }
        parts = {
            "windrow": one_line("wrapper"),
            "version": one_line(VERSION),
            "examples": one_line([example.to_dict() for example in self.examples]),
            "rules": f"{{\n  {rules}\n }}",
            "reference": one_line(self.reference.to_dict()),
            "fingerprint": one_line(fingerprint),
        }
        return "{\n " + ",\n ".join(f"{one_line(name)}: {part}" for name, part in parts.items()) + "\n}"

    @classmethod
    def from_json(cls, text: str) -> Wrapper:
        """Read what ``to_json`` wrote."""
        try:
            plain: dict[str, Any] = json.loads(text)
            if plain["windrow"] == "wrapper" and int(plain["version"]) > VERSION:
                raise UsageError(
                    f"This wrapper has version {plain['version']}, and this Windrow reads version {VERSION}. Update "
                    "Windrow, or learn the site again."
                )
            if plain["windrow"] != "wrapper" or plain["version"] != VERSION:
                raise UsageError(f"This is no wrapper of version {VERSION}. Learn the site again.")
            always = frozenset(map(int, plain["fingerprint"]["always"]))
            return cls(
                Reference.from_dict(plain["reference"]),
                {
                    label: tuple(Rule.from_dict(label, rule) for rule in rules)
                    for label, rules in plain["rules"].items()
                },
                Fingerprint(always, always | frozenset(map(int, plain["fingerprint"]["sometimes"]))),
                tuple(map(Example.from_dict, plain["examples"])),
            )
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError) as error:
            raise UsageError("This is not a wrapper that Windrow wrote. Learn the site again.") from error


def learn(
    page: Page | Sequence[tuple[Page, Mapping[str, str | Sequence[str]]]],
    wanted: Mapping[str, str | Sequence[str]] | None = None,
    region: str | None = None,
) -> Wrapper:
    """Learn a site from text pasted as displayed, of one page or of several (page, texts) pairs.

    ``region`` is the text of the whole region of interest; without it the pasted values are the region.
    """
    if wanted is not None:
        return make_wrapper([(page, wanted)], region)  # type: ignore[list-item]
    if not isinstance(page, list | tuple) or not page:
        raise UsageError(
            "Nothing was pasted. Give the texts by label, as in learn(page, {'title': 'text on the page'})."
        )
    return make_wrapper(list(page), region)


def make_wrapper(
    examples: Sequence[tuple[Page, Mapping[str, str | Sequence[str]]]],
    region: str | None = None,
) -> Wrapper:
    """Learn rules, reference and fingerprint."""
    lessons = [
        Lesson.of(page.nodes, wanted, None if number else region) for number, (page, wanted) in enumerate(examples)
    ]
    if not all(any(lesson.wanted.values()) for lesson in lessons):
        raise UsageError("Nothing was pasted. Give at least one text for each example page.")
    pasted = {label for lesson in lessons for label in lesson.wanted}
    if empty := sorted({label for _, wanted in examples for label in wanted} - pasted):
        raise UsageError(f"No text was pasted for {', '.join(empty)}. Give one on some page, or leave the label out.")
    rules = learn_all(lessons)
    first = lessons[0]
    texts = [region] if region else [text for values in first.wanted.values() for text in values]
    reference = describe_reference(address_of(examples[0][0]), first.index, texts)
    fingerprint = merge_fingerprints([find_pairs(lesson.reader.features) for lesson in lessons])
    known = tuple(Example.of(page, lesson.wanted) for (page, _), lesson in zip(examples, lessons, strict=True))
    return Wrapper(
        reference, rules, fingerprint, known, tuple(choice for lesson in lessons for choice in find_choices(lesson))
    )


def one_line(value: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
    """Write JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
