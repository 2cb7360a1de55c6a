"""``Wrapper``: what was learned of a site from pasted text, with the verbs extract, check and heal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from dataclasses import fields as fields_of
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.errors import UsageError
from windrow.wrapper.belonging import Entries
from windrow.wrapper.consensus import learn_all, read_label, settle
from windrow.wrapper.contradictions import find_contradicted, find_overlaid
from windrow.wrapper.extraction import EXACT_PATH, PageReader, seek
from windrow.wrapper.fetch import Fetch
from windrow.wrapper.field import Field, check_fields
from windrow.wrapper.healing import heal_wrapper, places_in
from windrow.wrapper.kinds import find_rivalled, is_contradicted
from windrow.wrapper.learning import Choice, Lesson, find_choices, keep_local
from windrow.wrapper.lists.extraction import extract_rows
from windrow.wrapper.lists.healing import heal_list
from windrow.wrapper.lists.learning import Lesson as RowLesson
from windrow.wrapper.lists.learning import learn_list
from windrow.wrapper.lists.rule import read_frame
from windrow.wrapper.naming import own_label
from windrow.wrapper.normalization import folded
from windrow.wrapper.page_features import features_of
from windrow.wrapper.reference import Example, Reference, address_of, describe_reference, expect_page
from windrow.wrapper.result import Extraction, extraction_of, refused_extraction
from windrow.wrapper.template.bartree import VARIABLE_SETS
from windrow.wrapper.template.checking import (
    Checked,
    check_by_paper,
    check_nowhere,
    check_other_address,
    check_same_address,
    grade,
)
from windrow.wrapper.template.skeleton import Fingerprint, merge_fingerprints
from windrow.wrapper.template.surroundings import Surroundings, describe_surroundings, merge_surroundings, traces_of
from windrow.wrapper.template.walls import find_kind
from windrow.wrapper.text_search import TextIndex
from windrow.wrapper.value_lists import has_another_line
from windrow.wrapper.wrapper_json import wrapper_from_json, wrapper_to_json

if TYPE_CHECKING:
    from datetime import datetime

    from windrow.page import Page
    from windrow.wrapper.healing import HealReport
    from windrow.wrapper.lists.rule import ListRule
    from windrow.wrapper.matching import Sought
    from windrow.wrapper.reading import Reading
    from windrow.wrapper.rule import Place, Rule
    from windrow.wrapper.template.change import Change
    from windrow.wrapper.template.walls import PageKind

KEPT = "_wrapper_reading"


@dataclass(frozen=True, repr=False)
class Wrapper:
    """What was learned from example pages; it never changes, healing gives a new one."""

    reference: Reference
    rules: Mapping[str, tuple[Rule, ...]]
    fingerprint: Fingerprint
    surroundings: Surroundings
    """What stands around the values."""
    examples: tuple[Example, ...]
    """The pages it was learned from."""
    list_rule: ListRule | None = None
    """The list that it reads, where rows were pasted; it has no rules then."""
    name: str = ""
    """What people call it."""
    learned_at: datetime | None = None
    """When the newest of those pages was fetched; None where all came from memory."""
    fields: Mapping[str, Field] = field(default_factory=dict)
    """What was said of the labels; one of which nothing was said is not among them."""
    fetch: Fetch = field(default_factory=Fetch)
    """How its pages are fetched and laid out."""
    version: int = 1
    """Which version it is; whatever changes it makes the next one."""
    previous: Wrapper | None = field(default=None, compare=False)
    """The version before this one; None for the first."""
    choices: tuple[Choice, ...] = field(default=(), compare=False)
    """Which place was taken for each text of the examples that stands in several; known right after learning."""
    names_taken_off: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The names that were pasted along with values, by label; known right after learning."""
    report: HealReport | None = field(default=None, compare=False)
    """How it was healed, where it was."""

    def __repr__(self) -> str:
        """Return what was learned, in a line."""
        name = f"{self.name!r} " if self.name else ""
        return f"<Wrapper {name}of {self.reference.url or 'a page without address'} ({', '.join(self.labels)})>"

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process can use, as its locations do."""
        return {each.name: getattr(self, each.name) for each in fields_of(self)}

    @property
    def labels(self) -> list[str]:
        """The labels that it reads."""
        return list(self.rules) if self.list_rule is None else self.list_rule.labels

    @property
    def local_labels(self) -> list[str]:
        """The labels that are read on the learned address only: nothing tells their place on another page."""
        places = {label: places_in(rules) for label, rules in self.rules.items()}
        return [label for label, found in places.items() if found and all(place.is_local for place in found)]

    @property
    def remarks(self) -> list[str]:
        """What a person should know right after learning: names taken off or read along, parts, choices."""
        said = [
            f"{name!r} was pasted along with {label}, and was taken off: only what follows it is the value."
            for label, name in self.names_taken_off.items()
        ]
        said += [
            f"{name!r} stands in one text with the value of {label}, and is read with it: paste "
            f"{text.removeprefix(name).strip()!r} alone to leave it off."
            for label, texts in self.examples[0].values.items()
            for text in texts[:1]
            if (name := own_label(text, label))
        ]
        said += [
            f"The value of {label} is a part of a text: on other pages it is read where {' and '.join(around)} stand "
            "beside it, too."
            for label, rules in self.rules.items()
            for place in places_in(rules)[:1]
            if not place.is_local and (around := [repr(words) for words in place.location.words_around])
        ]
        return said + [
            f"{choice.text!r} of {choice.label} stands in {len(choice.others) + 1} places; the first of these counts "
            f"most: {', '.join([choice.chosen, *choice.others])}."
            for choice in self.choices
        ]

    def extract(self, page: Page) -> Extraction:
        """Read the values of a page; a label that is not surely found is missing, and what was found is doubtful.

        A page that is none of the template gives no values, and says what it is.
        """
        expect_page(page)
        kind = self.find_kind(page)
        if self.list_rule is not None and kind != "wall":
            return self.read(page)
        return self.read(page) if kind == "page" else refused_extraction(self.labels, kind, self.fields)

    def read(self, page: Page) -> Extraction:
        """Read a page whatever it is; the reading is kept beside its columns, so that all verbs share it."""
        kept: dict[str, tuple[Wrapper, bool, Extraction]] = vars(page.nodes)
        is_home = self.is_home(page)
        wrapper, was_home, reading = kept.get(KEPT, (None, False, None))
        if wrapper is not self or was_home != is_home or reading is None:
            if self.list_rule is not None:
                reading = extract_rows(page, self.list_rule, self.examples).with_fields(self.fields, by_row=True)
            else:
                reader = PageReader(page.nodes, is_home, page.resolve)
                found = extraction_of(reader, self.labels, self.read_labels(reader))
                reading = found.doubting(self._find_others(page, found)).with_fields(self.fields)
            kept[KEPT] = (self, is_home, reading)
        return reading

    def read_labels(self, reader: PageReader) -> dict[str, Reading]:
        """Return what was found of each label, sure or not."""
        reader.compare(self._sought_at_home if reader.is_home else self._sought_elsewhere)
        readings = {
            label: reading
            for label, rules in self.rules.items()
            if (reading := read_label(reader, rules, self._known[label])) is not None
        }
        return settle(reader, readings, self.rules, self.examples)

    def _find_others(self, page: Page, found: Extraction) -> set[str]:
        """Return the labels of which something else was read, or may have been.

        That is another record's value, one of another kind, and one of two of its kind where examples show one.
        """
        nodes = {label: [place.node for place in places] for label, places in found.located.items() if places}
        known = self.surroundings.labels.items()
        listed = {label for label, around in known if around.is_listed}
        rivalled = {label for label, around in known if around.is_rivalled}
        other = {label for label in nodes if is_contradicted(found.values[label], self._texts[label])}
        other |= find_contradicted({label: found.values[label] for label in nodes}, self._texts, self.fields)
        other |= find_overlaid(found.located, self._places_by_label)
        other |= self._find_going_on(page, nodes)
        here = find_rivalled(features_of(page.nodes), nodes, self._classes)
        other |= here - rivalled
        # Of two prices in a row, the one that is left may be either.
        other |= {label for label in rivalled - here if self._is_moved(page, nodes.get(label, ()))}
        strayed = self.surroundings.find_elsewhere(traces_of(page.nodes), nodes)
        return other | (Entries(page.nodes, page.url, page.resolve).find_foreign(nodes, strayed) - listed)

    def _find_going_on(self, page: Page, nodes: Mapping[str, Sequence[int]]) -> set[str]:
        """Return the labels of which a value has another line below it, where the learned ones had none."""
        features = features_of(page.nodes)
        taken = {features.rank_of(node) for own in nodes.values() for node in own if features.is_text[node]}
        return {
            label
            for label, own in nodes.items()
            for node in own
            if has_another_line(features, node) and int(features.last_text[node]) not in taken
            if self._ended_block(label, int(features.key_path[node]))
        }

    def _ended_block(self, label: str, key_path: int) -> bool:
        """Whether no text followed a label's values in their blocks, in these tags and classes where it had such."""
        places = self._places_by_label[label]
        alike = [place for place in places if place.location.key_path == key_path]
        return all(place.ends_block for place in alike or places)

    def _is_moved(self, page: Page, nodes: Sequence[int]) -> bool:
        """Whether none of some nodes stands at the very place of a learned value."""
        return bool(nodes) and self._exact_paths.isdisjoint(features_of(page.nodes).exact_path[list(nodes)].tolist())

    @cached_property
    def _exact_paths(self) -> frozenset[int]:
        """The ways to the learned places, as hashes."""
        return frozenset(int(place.location.row[EXACT_PATH]) for place in self.places)

    @cached_property
    def _classes(self) -> dict[str, frozenset[str]]:
        """The classes of the elements that each label was learned in."""
        return {
            label: frozenset(place.location.element.names for place in places_in(rules))
            for label, rules in self.rules.items()
        }

    def find_kind(self, page: Page) -> PageKind:
        """Return whether a page is one of the template, a wall in front of it, another one, or an empty one."""
        return find_kind(traces_of(page.nodes), self.surroundings, self.read(page).values, page.status)

    @cached_property
    def _texts(self) -> dict[str, list[str]]:
        """The pasted texts of each label."""
        return {
            label: [text for example in self.examples for text in example.values.get(label, ())] for label in self.rules
        }

    @cached_property
    def _known(self) -> dict[str, frozenset[str]]:
        """The same in the form in which they are compared."""
        return {label: frozenset(map(folded, texts)) for label, texts in self._texts.items()}

    @cached_property
    def _places_by_label(self) -> dict[str, list[Place]]:
        return {label: places_in(rules) for label, rules in self.rules.items()}

    @cached_property
    def _sought_at_home(self) -> list[Sought]:
        return seek(self.places, is_home=True)

    @cached_property
    def _sought_elsewhere(self) -> list[Sought]:
        return seek(self.places, is_home=False)

    @property
    def places(self) -> list[Place]:
        """All places from which it reads values of a page."""
        return [place for rules in self.rules.values() for place in places_in(rules)]

    def check(self, page: Page, method: str = "best") -> Change:
        """Whether the template changed; ``method`` may name one of the paper's variable sets."""
        if method not in {"best", *VARIABLE_SETS}:
            raise UsageError(f"There is no check {method!r}; there are: best, {', '.join(VARIABLE_SETS)}.")
        expect_page(page)
        checked = Checked(page, self)
        if method != "best":
            change = check_by_paper(checked, method)
        elif self.is_home(page):
            change = check_same_address(checked)
        elif not self.reference.url and not page.url:
            change = check_nowhere(checked)
        else:
            change = check_other_address(checked)
        change = grade(checked, change)
        return change if change.old is not None else replace(change, old=self.reference.tree)

    def is_home(self, page: Page) -> bool:
        """Whether a page has the address that was learned."""
        return bool(self.reference.url) and address_of(page) == self.reference.url

    def heal(self, page: Page | Sequence[Page], *, known: Sequence[Example] = (), partial: bool = False) -> Wrapper:
        """Learn the new template by the old values; where a label can't be kept, an error carries the report.

        With several pages, those that show old values are learned, and what is read from the others must fit.
        ``known`` are further records as they were stored, with the addresses of their pages: evidence beside the
        examples.
        ``partial`` heals what can be healed and leaves the other labels out. The result keeps this version.
        """
        pages = list(page) if isinstance(page, Sequence) and not isinstance(page, str) else [page]
        for one in pages:
            expect_page(one)
        if self.list_rule is not None:
            return self.succeeded_by(heal_list(self, pages, make_list_wrapper, known))
        return self.succeeded_by(heal_wrapper(self, pages, make_wrapper, known, partial=partial))

    def succeeded_by(self, newer: Wrapper) -> Wrapper:
        """Return what was learned anew as the next version of this: with its name, its fields and its way to fetch."""
        fields = {label: self.fields[label] for label in newer.labels if label in self.fields}
        before = replace(self, choices=(), names_taken_off={}, report=None)
        number = self.version + 1
        return replace(newer, name=self.name, fields=fields, fetch=self.fetch, version=number, previous=before)

    def undo(self) -> Wrapper:
        """Return the version before this one."""
        if self.previous is None:
            raise UsageError("This is the first version of the wrapper, and there is none before it.")
        return self.previous

    def rename_label(self, old: str, new: str) -> Wrapper:
        """Return the next version, in which a label has another name."""
        if old not in self.labels:
            raise UsageError(f"There is no label {old!r}; there are: {', '.join(self.labels)}.")
        if not new.strip() or new in self.labels:
            why = "is taken" if new.strip() else "is empty"
            raise UsageError(f"The new name {new!r} {why}. Choose another one.")
        names = {label: new if label == old else label for label in self.labels}
        around = {names.get(label, label): place for label, place in self.surroundings.labels.items()}
        return replace(
            self.succeeded_by(self),
            rules={
                names[label]: tuple(replace(rule, label=names[label]) for rule in rules)
                for label, rules in self.rules.items()
            },
            list_rule=None if self.list_rule is None else self.list_rule.renamed(names),
            examples=tuple(example.renamed(names) for example in self.examples),
            fields={names[label]: field for label, field in self.fields.items()},
            surroundings=replace(self.surroundings, labels=around),
        )

    def to_json(self) -> str:
        """Write it as JSON that people can read: a line for each of its parts, for each example and each label."""
        return wrapper_to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Wrapper:
        """Read what ``to_json`` wrote."""
        return wrapper_from_json(cls, text)


Values: TypeAlias = "Mapping[str, str | Sequence[str]]"
Wanted: TypeAlias = "Values | Sequence[Values]"
"""Texts by label; or several of these, each a row of a list."""


def learn(  # noqa: PLR0913 - by name: what a person says beside the texts
    page: Page | Sequence[tuple[Page, Wanted]],
    wanted: Wanted | None = None,
    region: str | None = None,
    *,
    name: str = "",
    fields: Mapping[str, Field] | None = None,
    fetch: Fetch | None = None,
) -> Wrapper:
    """Learn a site from text pasted as displayed, of one page or of several (page, texts) pairs.

    ``region`` is the text of the whole region of interest; without it the pasted values are the region. A list of
    texts by label is one row or, better, two of a list, every row of which the wrapper then reads. A label that is left
    out of a row is not looked for in it; one without text is absent there. ``name`` is what people call the wrapper,
    ``fields`` what they say of its labels, ``fetch`` how its pages are fetched.
    """
    several = page if isinstance(page, Sequence) and not isinstance(page, str) else ()
    examples: list[Any] = [(page, wanted)] if wanted is not None else list(several)
    if not examples:
        raise UsageError(
            "Nothing was pasted. Give the texts by label, as in learn(page, {'title': 'text on the page'})."
        )
    for one, _ in examples:
        expect_page(one)
    rows = [not isinstance(texts, Mapping) for _, texts in examples]
    if not all(isinstance(texts, Mapping) or are_rows(texts) for _, texts in examples):
        raise UsageError("The texts come without labels. Give them by label, as in {'title': 'text on the page'}.")
    if any(rows) and (not all(rows) or region is not None):
        raise UsageError("Rows of a list are learned by themselves. Give rows for every page, and no region.")
    learned = make_list_wrapper(examples) if any(rows) else make_wrapper(examples, region)
    known = check_fields(fields or {}, learned.labels)
    return replace(learned, name=name, fields=known, fetch=fetch or Fetch())


def are_rows(texts: object) -> bool:
    """Whether some texts are rows of a list."""
    return isinstance(texts, Sequence) and all(isinstance(row, Mapping) for row in texts)


def make_list_wrapper(examples: Sequence[tuple[Page, Sequence[Values]]]) -> Wrapper:
    """Learn a list, with the reference, fingerprint and surroundings of its pages."""
    lessons = [RowLesson.of(page, rows) for page, rows in examples]
    rule = learn_list(lessons)
    rule = replace(rule, frame=read_frame(lessons[0].page.nodes, rule.pattern))
    pages = [page for page, _ in examples]
    known = tuple(Example.of_rows(lesson.page, lesson.rows) for lesson in lessons)
    indexes = [TextIndex(features_of(page.nodes), page.resolve) for page in pages]
    texts = [text for values in known[0].values.values() for text in values]
    return Wrapper(
        describe_reference(address_of(pages[0]), indexes[0], texts),
        {},
        merge_fingerprints([traces_of(page.nodes).pairs for page in pages]),
        merge_surroundings(
            [describe_surroundings(index, example.values) for index, example in zip(indexes, known, strict=True)]
        ),
        known,
        rule,
        learned_at=newest(pages),
    )


def newest(pages: Sequence[Page]) -> datetime | None:
    """Return when the newest of some pages was fetched; None where all came from memory."""
    return max((page.provenance.fetched for page in pages if page.provenance.fetched is not None), default=None)


def make_wrapper(
    examples: Sequence[tuple[Page, Mapping[str, str | Sequence[str]]]],
    region: str | None = None,
) -> Wrapper:
    """Learn rules, reference and fingerprint."""
    lessons = [Lesson.of(page, wanted, None if number else region) for number, (page, wanted) in enumerate(examples)]
    if not all(any(lesson.wanted.values()) for lesson in lessons):
        raise UsageError("Nothing was pasted. Give at least one text for each example page.")
    pasted = {label for lesson in lessons for label in lesson.wanted}
    if empty := sorted({label for _, wanted in examples for label in wanted} - pasted):
        raise UsageError(f"No text was pasted for {', '.join(empty)}. Give one on some page, or leave the label out.")
    rules = learn_all(lessons)
    first = lessons[0]
    texts = [region] if region else [text for values in first.wanted.values() for text in values]
    reference = describe_reference(address_of(examples[0][0]), first.index, texts)
    fingerprint = merge_fingerprints([traces_of(lesson.reader.nodes).pairs for lesson in lessons])
    surroundings = merge_surroundings([describe_surroundings(lesson.index, lesson.wanted) for lesson in lessons])
    known = tuple(
        Example.of(page, lesson.wanted | dict.fromkeys(sorted(lesson.absent), ()), "" if number else region or "")
        for number, ((page, _), lesson) in enumerate(zip(examples, lessons, strict=True))
    )
    learned = Wrapper(
        reference,
        rules,
        fingerprint,
        surroundings,
        known,
        learned_at=newest([page for page, _ in examples]),
        choices=tuple(choice for lesson in lessons for choice in find_choices(lesson)),
        names_taken_off={label: name for lesson in lessons for label, name in lesson.names.items()},
    )
    learned = read_back(learned, lessons)
    listed, rivalled = set[str](), set[str]()
    for (page, _), lesson in zip(examples, lessons, strict=True):
        readings = learned.read_labels(lesson.reader)
        nodes = {label: [value.node for value in reading.values] for label, reading in readings.items()}
        listed |= find_listed(nodes, page, lesson)
        rivalled |= find_rivalled(lesson.reader.features, nodes)
    return replace(learned, surroundings=learned.surroundings.having(listed, rivalled))


def find_listed(nodes: Mapping[str, Sequence[int]], page: Page, lesson: Lesson) -> set[str]:
    """Return the labels that an example itself shows among other records, and nowhere else: there they are meant."""
    entries = Entries(page.nodes, page.url, page.resolve)
    listed = set()
    for label in entries.find_foreign(nodes) & lesson.wanted.keys():
        others = [node for other, some in nodes.items() if other != label for node in some]
        shown = [place.node for text in lesson.wanted[label] for place in lesson.index.find(text)]
        if all(entries.is_foreign(node, others) for node in shown):
            listed.add(label)
    return listed


def read_back(learned: Wrapper, lessons: Sequence[Lesson]) -> Wrapper:
    """Read every example by what was learned; a label that another example contradicts is kept to the first page.

    An error shows both texts where the first page itself reads otherwise.
    """
    rules = dict(learned.rules)
    for number, lesson in enumerate(lessons):
        readings = learned.read_labels(lesson.reader)
        for label, texts in lesson.wanted.items():
            got, wanted = readings.get(label), {folded(text) for text in texts}
            if got is None or got.texts == wanted or (lesson.region is not None and got.texts > wanted):
                continue
            if {folded(lesson.reader.features.seen_text_of(value.node)) for value in got.values} == wanted:
                continue
            own = [rule for rule in lessons[0].rules if rule.label == label]
            if not number or not own:
                read = ", ".join(value.text for value in got.values)
                raise UsageError(
                    f"The text {', '.join(texts)[:80]!r} of {label!r} would be read as {read[:80]!r}. Paste more of "
                    "it or less, paste the region around it, or leave the label out."
                )
            rules[label] = tuple(map(keep_local, own))
    return replace(learned, rules=rules)
