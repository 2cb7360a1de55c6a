"""Learning a list from pasted rows: what the records could be, what each label is in them, and which explains most.

What was learned reads the pasted rows back; where it reads something else, it is not learned.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from itertools import accumulate, combinations, pairwise
from typing import TYPE_CHECKING, TypeAlias

from windrow.errors import UsageError
from windrow.wrapper.lists.candidates import find_patterns
from windrow.wrapper.lists.doubts import find_rivalled_cells
from windrow.wrapper.lists.fields import Pasted, learn_field
from windrow.wrapper.lists.headings import learn_heading
from windrow.wrapper.lists.pattern import RecordPattern, find_records, kind_of, path_to
from windrow.wrapper.lists.places import bare_text
from windrow.wrapper.lists.placing import place_rows
from windrow.wrapper.lists.rule import ListRule, find_views, read_records
from windrow.wrapper.lists.selectors import compared
from windrow.wrapper.lists.texts import PageTexts, RecordView
from windrow.wrapper.normalization import folded
from windrow.wrapper.page_features import features_of
from windrow.wrapper.reference import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windrow.page import Page
    from windrow.wrapper.lists.pattern import KindPath, RecordSpan
    from windrow.wrapper.lists.placing import Placing

MOST_TRIED = 400  # not a decision: a limit of the work
"""Of a long list, so many records are tried, as far apart as they can be."""
Row: TypeAlias = "Mapping[str, str | Sequence[str]]"
"""Texts by label, as they were pasted."""


@dataclass
class Lesson:
    """One page with its pasted rows."""

    page: Page
    rows: list[dict[str, tuple[str, ...]]]
    texts: PageTexts = field(init=False)

    def __post_init__(self) -> None:
        """Take the page's texts."""
        self.texts = PageTexts(self.page, features_of(self.page.nodes))

    @classmethod
    def of(cls, page: Page, rows: Sequence[Row]) -> Lesson:
        """Take rows as they were pasted; a label without text is said to be absent."""
        texts = [{label: texts_of(label, one) for label, one in row.items()} for row in rows]
        lesson = cls(page, [{label: tuple(filter(str.strip, some)) for label, some in row.items()} for row in texts])
        in_full = lesson.texts.in_full
        lesson.rows = [{label: tuple(map(in_full, some)) for label, some in row.items()} for row in lesson.rows]
        return lesson


def learn_list(lessons: Sequence[Lesson]) -> ListRule:
    """Learn a list from pasted rows; an error says what was not found, or read back otherwise."""
    if not all(lesson.rows for lesson in lessons):
        raise UsageError("Nothing was pasted. Give at least one row for each example page.")
    labels = dict.fromkeys(label for lesson in lessons for row in lesson.rows for label in row)
    if empty := [label for label in labels if not any(row.get(label) for lesson in lessons for row in lesson.rows)]:
        raise UsageError(f"No text was pasted for {', '.join(empty)}. Give one in some row, or leave the label out.")
    failures: list[UsageError] = []
    best: ListRule | None = None
    for placing in place_rows(lessons[0].texts, lessons[0].rows):
        if best is not None and not best.is_grouped:
            break
        found = _learn_placed(placing, lessons, failures)
        if found is not None and (best is None or _explains_more(found, best, lessons)):
            best = found
    if best is None:
        raise (
            failures[0]
            if failures
            else UsageError(
                "The pasted rows are not two records of one list. Paste one row, or two rows of the same list."
            )
        )
    return widen(best, lessons)


def _explains_more(rule: ListRule, other: ListRule, lessons: Sequence[Lesson]) -> bool:
    """Whether there are more records by one rule than by another, and they explain the list better."""
    texts = lessons[0].texts
    records, others = (find_records(texts.features, each.pattern) for each in (rule, other))
    is_more = len(records) > len(others) and not _share_lines(texts, records)
    return is_more and score_rule(rule, lessons) > score_rule(other, lessons)


def _share_lines(texts: PageTexts, records: Sequence[RecordSpan]) -> bool:
    """Whether a record goes on in the line of the one before: such are the values of a label, as authors of a book."""
    views = [RecordView(texts, span) for span in records]
    return any(not texts.begins_line[one.last : other.first + 1].any() for one, other in pairwise(views))


def _learn_placed(placing: Placing, lessons: Sequence[Lesson], failures: list[UsageError]) -> ListRule | None:
    """Return what explains most with the rows in their places; why the rest can't be learned is added to failures."""
    for patterns in find_patterns(lessons[0].texts, placing.rows):
        rules = list(_learn_all(patterns, lessons, placing, failures))
        if rules:
            return max(rules, key=lambda rule: score_rule(rule, lessons))
    return None


def _learn_all(
    patterns: Sequence[RecordPattern], lessons: Sequence[Lesson], placing: Placing, failures: list[UsageError]
) -> Iterator[ListRule]:
    features = lessons[0].texts.features
    learned: set[tuple[int, ...]] = set()
    known: set[tuple[int, ...]] = set()
    for pattern in patterns:
        records = tuple(span.start for span in find_records(features, pattern))
        begins = tuple(features.first_text[list(records)].tolist())
        if records in known or begins in learned:
            continue  # the same records, maybe one element further in
        known.add(records)
        try:
            rule = learn_with(pattern, lessons, placing)
        except UsageError as error:
            failures.append(error)
        else:
            learned.add(begins)
            yield rule


def learn_with(pattern: RecordPattern, lessons: Sequence[Lesson], placing: Placing) -> ListRule:
    """Learn the labels of records that look so; an error where one can't be learned or is not read back."""
    rows: list[Pasted] = []
    views: list[RecordView] = []
    for number, lesson in enumerate(lessons):
        found = find_views(lesson.texts, pattern)
        views += spread(found)
        rows += assign_rows(lesson, found, placing if number == 0 else replace(placing, rows=()))
    labels = dict.fromkeys(label for row in rows for label in row.values)
    rule = ListRule(
        pattern,
        tuple(learn_field(label, rows, views) for label in labels if label not in placing.above),
        tuple(learn_heading(label, rows, views) for label in labels if label in placing.above),
    )
    _tell_apart(rule, rows)
    _read_back(rule, rows)
    read = [(row.view.features, got.cells) for row in rows for got in read_records([row.view], rule)]
    rivalled = {label for features, cells in read for label in find_rivalled_cells(features, cells)}
    return replace(rule, fields=tuple(replace(field, is_rivalled=field.label in rivalled) for field in rule.fields))


def spread(views: Sequence[RecordView]) -> Sequence[RecordView]:
    """Return the records that are tried."""
    return views[:: -(-len(views) // MOST_TRIED) or 1]


def _tell_apart(rule: ListRule, rows: Sequence[Pasted]) -> None:
    """Raise an error where two labels have the same texts, rows show them twice, and nothing says which is whose."""
    for one, other in combinations(rule.fields, 2):
        texts = [(row, row.values.get(one.label), row.values.get(other.label)) for row in rows]
        if one.selectors != other.selectors or any(first != second for _, first, second in texts):
            continue
        if any(row.view.folded[0].count(folded(first[0])) > 1 for row, first, _ in texts if first):
            raise UsageError(
                f"{other.label}: it has the same text as {one.label}, which the row shows more than once. Paste "
                "another row, in which they differ."
            )


def assign_rows(lesson: Lesson, views: Sequence[RecordView], placing: Placing) -> list[Pasted]:
    """Find each pasted row in a record of its own: the one where it was placed, or else the first that has it all."""
    rows = []
    taken: set[int] = set()
    for number, row in enumerate(lesson.rows):
        wanted = [text for label, texts in row.items() if label not in placing.above for text in texts]
        at = placing.rows[number].first if number < len(placing.rows) else -1
        order = sorted(range(len(views)), key=lambda n: not views[n].span.holds(at))
        found = next((n for n in order if n not in taken and _has_all(views[n], wanted)), None)
        if found is None:
            told = ", ".join(map(repr, wanted))
            raise UsageError(f"No record of the list has all of {told}. Paste texts of one row only.")
        taken.add(found)
        own = views[found]
        rows.append(Pasted(own, {label: tuple(bare_text(own, text) for text in texts) for label, texts in row.items()}))
    return rows


def _has_all(view: RecordView, wanted: Sequence[str]) -> bool:
    return all(
        folded(text) in view.folded[0] or any(view.span.holds(node) for node, _ in view.texts.holding(text))
        for text in wanted
    )


def score_rule(rule: ListRule, lessons: Sequence[Lesson]) -> float:
    """Return how well records explain a list: how many have what all pasted rows have, less where many lack it."""
    common = [label for label in rule.labels if all(row.get(label) for lesson in lessons for row in lesson.rows)]
    views = find_views(lessons[0].texts, rule.pattern)
    tried = spread(views)
    rows = [row.cells for row in read_records(tried, rule)]
    filled = sum(bool(cells[label].texts) and cells[label].is_sure for cells in rows for label in common)
    share = filled / max(1, len(common) * len(tried))
    return share**2 * len(views)


def widen(rule: ListRule, lessons: Sequence[Lesson]) -> ListRule:
    """Add records that are called alike and stand beside the list, further in or out, where they have its labels."""
    features, pattern = lessons[0].texts.features, rule.pattern
    ways = _ways_beside(rule, lessons[0])
    if not ways:
        return rule
    tails = tuple(len(way) for way in ways)
    wider = replace(pattern, paths=(*pattern.paths, *ways), tails=(*pattern.tails, *tails))
    grown = replace(rule, pattern=wider)
    is_more = len(find_records(features, wider)) > len(find_records(features, pattern))
    return grown if is_more and score_rule(grown, lessons) > score_rule(rule, lessons) else rule


def _ways_beside(rule: ListRule, lesson: Lesson) -> list[KindPath]:
    """Return the ways to elements beside the list that are called like its records and are in none of them."""
    features, last = lesson.texts.features, rule.pattern.paths[0][-1]
    spans = find_records(features, rule.pattern)
    if rule.pattern.run is not None or not last.names or not spans:
        return []
    around = int(features.up[features.nodes.common_ancestor([int(features.up[span.root]) for span in spans])])
    starts = [span.start for span in spans]
    ends = list(accumulate((span.end for span in spans), max))  # a record may hold another one
    ways: dict[KindPath, None] = {}
    for node in features.nodes.tag.where(last.tag).tolist():
        is_beside = around < node < features.nodes.end[around]
        if not is_beside or not last.names <= kind_of(features, node).names:
            continue
        before, within = bisect_right(starts, node), bisect_left(starts, int(features.nodes.end[node]))
        is_held = before > 0 and node < ends[before - 1]
        if not is_held and bisect_left(starts, node) == within:
            ways[*path_to(features, node)[:-1], last] = None
    return list(ways)


def _read_back(rule: ListRule, rows: Sequence[Pasted]) -> None:
    """Raise an error where what was pasted is not what is read from its row."""
    for pasted in rows:
        got = next(iter(read_records([pasted.view], rule)), None)
        for label, texts in pasted.values.items():
            cell = got.cells[label] if got else None
            own = cell.texts if cell and cell.is_sure else ()
            if compared(own) != compared(texts):
                was, now = (", ".join(some) or "nothing" for some in (texts, own))
                raise UsageError(
                    f"{label}: {was!r} was pasted, but {now!r} is read back. Paste the text as the page shows it, or "
                    "another row."
                )
