"""``Wrapper``: what was learned of a site, as plain JSON, with the verbs extract, check and heal."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from windrow.errors import UsageError
from windrow.wrapper.bartree import VARIABLE_SETS
from windrow.wrapper.checking import Checked, check_by_paper, check_other_address, check_same_address
from windrow.wrapper.examples import learn_all, read_label
from windrow.wrapper.extraction import Reader, seek
from windrow.wrapper.frame import Frame, find_pairs, merge_frames
from windrow.wrapper.healing import doubt_rules, find_again, places_in, report_on, verify
from windrow.wrapper.learning import Lesson
from windrow.wrapper.result import Extraction, extraction_of
from windrow.wrapper.rule import Place, Rule
from windrow.wrapper.setup import Setup, set_up

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.page import Page
    from windrow.wrapper.change import Change
    from windrow.wrapper.healing import HealReport
    from windrow.wrapper.matching import Sought

VERSION = 1


@dataclass(frozen=True)
class Wrapper:
    """What was learned from example pages; it never changes, healing gives a new one."""

    setup: Setup
    rules: Mapping[str, tuple[Rule, ...]]
    frame: Frame
    values: Mapping[str, tuple[str, ...]]
    """What was pasted from the first example."""
    report: HealReport | None = field(default=None, compare=False)
    """How it was healed, where it was."""

    @property
    def labels(self) -> list[str]:
        """The labels that it reads."""
        return list(self.rules)

    def extract(self, page: Page) -> Extraction:
        """Read the values of a page; a label that is not surely found is missing."""
        reader = Reader(page.nodes, self.is_home(page))
        reader.compare(self._sought_at_home if reader.is_home else self._sought_elsewhere)
        return extraction_of(reader, {label: read_label(reader, rules) for label, rules in self.rules.items()})

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
        """Say whether the template changed; ``method`` may name one of the paper's variable sets."""
        checked = Checked(page.nodes, self.setup, self.frame, page.status)
        if method in VARIABLE_SETS:
            return check_by_paper(checked, method)
        if method != "best":
            raise UsageError(f"There is no check {method!r}; there are: best, {', '.join(VARIABLE_SETS)}.")
        return check_same_address(checked) if self.is_home(page) else check_other_address(checked)

    def is_home(self, page: Page) -> bool:
        """Say whether a page has the address that was learned."""
        return bool(self.setup.url) and without_fragment(page.url) == self.setup.url

    def heal(self, page: Page) -> Wrapper:
        """Learn the new template by the old values; where that is not sure, an error carries the report."""
        values = find_again(page.nodes, self.values, is_home=self.is_home(page))
        learned = make_wrapper([(page, values)])
        healed = replace(learned, rules=doubt_rules(learned.rules, self.rules))
        got = healed.extract(page)
        verified = verify(got, values)
        rules = {label: rules for label, rules in healed.rules.items() if verified[label]}
        return replace(healed, rules=rules, report=report_on(self.rules, rules, got))

    def to_json(self) -> str:
        """Write it as JSON."""
        plain = {
            "windrow": "wrapper",
            "version": VERSION,
            "values": {label: list(values) for label, values in self.values.items()},
            "rules": {label: [rule.to_plain() for rule in rules] for label, rules in self.rules.items()},
            "setup": self.setup.to_plain(),
            "frame": {"always": sorted(self.frame.always), "sometimes": sorted(self.frame.ever - self.frame.always)},
        }
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Wrapper:
        """Read what ``to_json`` wrote."""
        try:
            plain: dict[str, Any] = json.loads(text)
            if plain["windrow"] != "wrapper" or plain["version"] != VERSION:
                raise UsageError(f"This is no wrapper of version {VERSION}. Learn the site again.")
            always = frozenset(map(int, plain["frame"]["always"]))
            return cls(
                Setup.from_plain(plain["setup"]),
                {
                    label: tuple(Rule.from_plain(label, rule) for rule in rules)
                    for label, rules in plain["rules"].items()
                },
                Frame(always, always | frozenset(map(int, plain["frame"]["sometimes"]))),
                {label: tuple(values) for label, values in plain["values"].items()},
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
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
    examples: list[tuple[Page, Mapping[str, str | Sequence[str]]]],
    region: str | None = None,
) -> Wrapper:
    """Learn rules, setup and frame."""
    lessons = [
        Lesson.of(page.nodes, wanted, None if number else region) for number, (page, wanted) in enumerate(examples)
    ]
    if not all(any(lesson.wanted.values()) for lesson in lessons):
        raise UsageError("Nothing was pasted. Give at least one text for each example page.")
    rules = learn_all(lessons)
    first = lessons[0]
    texts = [region] if region else [text for values in first.wanted.values() for text in values]
    setup = set_up(without_fragment(examples[0][0].url), first.writing, texts)
    frame = merge_frames([find_pairs(lesson.reader.evidence) for lesson in lessons])
    values = {label: tuple(texts) for label, texts in first.wanted.items()}
    return Wrapper(setup, rules, frame, values)


def without_fragment(url: str) -> str:
    """Give an address without the part that never reaches a server."""
    return url.partition("#")[0]
