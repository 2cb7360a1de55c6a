"""What was learned of a label of a list: every selector that the pasted rows allow, the surest first.

Selectors that read something else in any pasted row are dropped. Where two that say much disagree in a record, nothing
tells which text is meant there, and what they read is doubtful.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from windrow.errors import UsageError
from windrow.wrapper.lists.columns import Column, find_columns
from windrow.wrapper.lists.cuts import Cut, learn_cut
from windrow.wrapper.lists.places import find_places
from windrow.wrapper.lists.selectors import Answer, Selector, ask, compared, propose, signs_of
from windrow.wrapper.normalization import folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windrow.wrapper.lists.places import Place
    from windrow.wrapper.lists.texts import RecordView


@dataclass(frozen=True)
class FieldParameters:
    """How much is kept and asked for; set by principle."""

    most_selectors: int = 12  # not a decision: a limit of the work
    """Selectors that are kept for a label: what the surest ones leave open, the others do not tell."""
    prose: int = 5
    """Words from which on a text is prose: names, dates and measures have fewer."""
    least_labels: int = 3
    """Records that must have the text before a value for it to be a label: two may have it by chance."""


PARAMETERS = FieldParameters()


@dataclass(frozen=True)
class Cell:
    """What a label has in a row: its texts and their nodes, and whether nothing speaks against them."""

    texts: tuple[str, ...]
    nodes: tuple[int, ...]
    is_sure: bool
    runner_up: str = ""
    is_disputed: bool = False
    """Whether something says that another text is meant, or none: then it is doubtful however often that is right."""
    is_named: bool = True
    """Whether a name or a label says what is meant, not a position alone."""
    support: float = 1.0
    """Share of the label's selectors that read the same."""
    ranks: frozenset[int] = frozenset()
    """The ranks of the page's texts that it is read from."""
    options: tuple[Answer, ...] = ()
    """What positions read where they disagree and no name says more, the surest first."""


@dataclass(frozen=True)
class FieldRule:
    """What was learned of one label of a list."""

    label: str
    selectors: tuple[Selector, ...]
    """The surest first."""
    cut: Cut = field(default_factory=Cut)
    signs: frozenset[str] = frozenset()
    """Whether figures ("9"), letters ("a") or both stand in its values, as all records of the learned page have it."""
    is_rivalled: bool = False
    """Whether a pasted row has another text of its kind beside it."""
    column: Column | None = None
    """The column of the table in whose cells it is looked for; None where the record is no row, or names say more."""

    @property
    def place(self) -> str:
        """Where it stands as one line for people, from the record on."""
        return f"{self.column.place if self.column else ''}{self.selectors[0].place}"

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        plain: dict[str, Any] = {"places": [selector.to_dict() for selector in self.selectors]}
        if self.cut != Cut():
            plain["cut"] = self.cut.to_dict()
        plain |= {"signs": sorted(self.signs)} | ({"rivalled": True} if self.is_rivalled else {})
        return plain | ({"column": self.column.to_dict()} if self.column else {})

    @classmethod
    def from_dict(cls, label: str, plain: dict[str, Any]) -> FieldRule:
        """Return what ``to_dict`` wrote."""
        cut = Cut.from_dict(plain["cut"]) if "cut" in plain else Cut()
        selectors = tuple(map(Selector.from_dict, plain["places"]))
        column = Column.from_dict(plain["column"]) if "column" in plain else None
        return cls(label, selectors, cut, frozenset(map(str, plain["signs"])), bool(plain.get("rivalled")), column)


def read_cell(view: RecordView, rule: FieldRule) -> Cell:
    """Return what the selectors of a label agree on in a record, or in its cell of the label's column."""
    if rule.column is None:
        return _read_within(view, rule)
    cell, is_sure = rule.column.find(view)
    found = _read_within(cell, rule) if cell else Cell((), (), is_sure=True)
    return found if is_sure or not found.texts else replace(found, is_sure=False, is_disputed=True)


def _read_within(view: RecordView, rule: FieldRule) -> Cell:
    strong: list[Answer] = []
    weak: list[Answer] = []
    garbled = False
    is_named = rule.column is not None and rule.column.is_named
    for selector in rule.selectors:
        answer = ask(view, selector, rule.cut)
        if answer is None:
            garbled = True
        elif answer.texts and (len(answer.texts) == 1 or _is_run(view, answer)):
            (strong if selector.is_strong or is_named else weak).append(answer)
    cell = _choose(rule, strong, weak, garbled=garbled)
    agreeing = sum(answer.texts == cell.texts for answer in (*strong, *weak))
    return replace(cell, is_named=bool(strong), support=agreeing / len(rule.selectors))


def _choose(rule: FieldRule, strong: Sequence[Answer], weak: Sequence[Answer], *, garbled: bool) -> Cell:
    """Return the answer that counts: the first by a name, or where the label has none, the first of its format."""
    if strong:
        return _agree(strong, is_named=True)
    if not weak or any(selector.is_strong for selector in rule.selectors):
        found = weak[0] if weak else Answer((), ())
        return Cell(found.texts, found.nodes, is_sure=not found.texts and not garbled)
    fitting = [answer for answer in weak if all(is_like(text, rule.signs) for text in answer.texts)]
    return _agree(fitting or weak, is_sure=bool(fitting))


def _is_run(view: RecordView, answer: Answer) -> bool:
    """Whether several values stand in one element, or each in one of its like children, as those of a label do."""
    up, key = view.features.up, view.features.key
    parents = {int(up[node]) for node in answer.nodes}
    alike = {(int(up[node]), int(key[node])) for node in parents}
    return len(parents) == 1 or len(alike) == 1


def _agree(answers: Sequence[Answer], *, is_sure: bool = True, is_named: bool = False) -> Cell:
    """Return the first answer; not surely, where another one says something else."""
    first = answers[0]
    other = next((answer for answer in answers[1:] if not _is_same(answer, first, is_named=is_named)), None)
    runner_up = ", ".join(other.texts) if other else ""
    is_disputed = other is not None and not is_named
    options = tuple(answers) if is_disputed else ()
    return Cell(
        first.texts,
        first.nodes,
        is_sure and other is None,
        runner_up,
        is_disputed=is_disputed,
        ranks=first.ranks,
        options=options,
    )


def settle_cell(cell: Cell, others: Sequence[Cell]) -> Cell:
    """Return a cell on which positions disagree without the texts that are surely another's, where one is left."""
    taken = [other.ranks for other in others if other.is_sure and other.texts]
    left = [option for option in cell.options if option.ranks not in taken]
    if len(left) == len(cell.options) or not left:
        return cell
    settled = _agree(left)
    return cell if settled.is_disputed else replace(settled, is_named=cell.is_named, support=cell.support)


def _is_same(one: Answer, other: Answer, *, is_named: bool) -> bool:
    """Whether two answers say the same, or one is a part of the other; where no name says so, it must stand in it."""
    plain, whole = ("".join(filter(str.isalnum, answer.key)) or answer.key for answer in (one, other))
    is_within = is_named or one.ranks <= other.ranks or other.ranks <= one.ranks
    return plain == whole or (is_within and (plain in whole or whole in plain))


def is_like(text: str, signs: frozenset[str]) -> bool:
    """Whether a text has figures and letters as others have; in prose, figures may come and go."""
    own = signs_of(text)
    is_prose = len(text.split()) >= PARAMETERS.prose and "a" in own
    return own in signs or (is_prose and any("a" in sign for sign in signs))


@dataclass(frozen=True)
class Pasted:
    """A pasted row in its record: what each label has there, nothing where it was said to be absent."""

    view: RecordView
    values: dict[str, tuple[str, ...]]

    def shows(self, label: str) -> bool:
        """Whether a text is a part of a pasted one: then it is not what another one is called."""
        return any(folded(label) in folded(text) for texts in self.values.values() for text in texts)


def learn_field(label: str, rows: Sequence[Pasted], views: Sequence[RecordView]) -> FieldRule:
    """Return what the pasted rows say of a label, tried on all records of the page; an error where nothing fits.

    In a table it is looked for in its column, unless that has no header and the label's elements have names.
    """
    columns = _shared_columns([row for row in rows if row.values.get(label)], label)
    if len(columns) == 1 and (rule := _learn_in_column(columns[0], label, rows, views)):
        return rule
    return _learn_within(label, rows, views)


def _shared_columns(rows: Sequence[Pasted], label: str) -> list[Column]:
    """Return the columns that have a label's text in all pasted rows."""
    found: list[dict[Column, None]] = []
    for row in rows:
        places = find_places(row.view, row.values[label][0])
        found.append(dict.fromkeys(find_columns(row.view, [place.unit.node for place in places])))
    return [column for column in found[0] if all(column in columns for columns in found)] if found else []


def _learn_in_column(
    column: Column, label: str, rows: Sequence[Pasted], views: Sequence[RecordView]
) -> FieldRule | None:
    """Return what is learned of a label in the cells of a column; None where that does not read it back."""
    cells = [(cell, replace(row, view=cell)) for row in rows if (cell := column.find(row.view)[0]) is not None]
    tried = [cell for view in views if (found := column.find(view))[1] and (cell := found[0]) is not None]
    try:
        rule = _learn_within(label, [row for _, row in cells], tried)
        whole = None if column.header is not None else _learn_within(label, rows, views)
    except UsageError:
        return None
    first = whole.selectors[0] if whole else None
    is_called = first is not None and first.is_strong and not first.is_labelled
    return None if is_called else replace(rule, column=column)


def _learn_within(label: str, rows: Sequence[Pasted], views: Sequence[RecordView]) -> FieldRule:
    told = [row for row in rows if label in row.values]
    filled = {number: row for number, row in enumerate(told) if row.values[label]}
    values = [text for row in filled.values() for text in row.values[label]]
    places = [find_places(row.view, row.values[label][0]) for row in filled.values()]
    cuts = list(_cuts(places, values)) if all(places) else []
    for cut in (*cuts, *(replace(cut, keeps_struck=True) for cut in cuts)):
        proposed = dict.fromkeys(
            selector
            for row, found in zip(filled.values(), places, strict=True)
            for place in found
            for selector in propose(row.view, place)
            if not (selector.pick == "before" and row.shows(str(selector.argument)))
        )
        tried = (Tried.of(selector, cut, told, label, views) for selector in proposed)
        kept = _without_needless([each for each in tried if each.is_kept])
        kept = [each for each in kept if each.rows == set(filled)] or kept
        if set().union(*(each.rows for each in kept)) == set(filled):
            ordered = _order(kept)
            texts = [*values, *(text for answer in ordered[0].answers for text in answer.split("\n") if text)]
            return FieldRule(label, tuple(each.selector for each in ordered), cut, frozenset(map(signs_of, texts)))
    raise UsageError(
        f"{label}: nothing in the records tells where {values[0]!r} stands, so that it can't be read in other rows. "
        "Paste the whole text of its line, or leave the label out."
    )


def _without_needless(kept: Sequence[Tried]) -> list[Tried]:
    """Leave out the choice among several where there is mostly one: what makes it is then no more than chance."""
    plain = {each.selector: 2 * each.single > each.filled for each in kept if each.selector.pick == "all"}
    return [
        each
        for each in kept
        if each.selector.pick == "all" or not plain.get(replace(each.selector, pick="all", argument=""))
    ]


@dataclass(frozen=True)
class Tried:
    """A selector with what it reads: which of the pasted rows right, none of them wrong, and what in all records."""

    selector: Selector
    rows: frozenset[int]
    answers: tuple[str, ...] = ()

    @classmethod
    def of(cls, selector: Selector, cut: Cut, rows: Sequence[Pasted], label: str, views: Sequence[RecordView]) -> Tried:
        """Try a selector; one that reads something else in any pasted row is refuted."""
        right = set()
        for number, row in enumerate(rows):
            answer = ask(row.view, selector, cut)
            if answer is None or (answer.texts and answer.key != compared(row.values[label])):
                return cls(selector, frozenset())
            if answer.texts:
                right.add(number)
        answers = (ask(view, selector, cut) for view in views)
        return cls(selector, frozenset(right), tuple(answer.key if answer else "" for answer in answers))

    @property
    def filled(self) -> int:
        """In how many records it reads something."""
        return sum(map(bool, self.answers))

    @property
    def single(self) -> int:
        """In how many records it reads one text."""
        return sum(bool(answer) and "\n" not in answer for answer in self.answers)

    @property
    def is_kept(self) -> bool:
        """Whether it is right in some pasted row; where it goes by a text, that comes again as only labels do."""
        is_label = self.filled >= min(PARAMETERS.least_labels, len(self.answers))
        return bool(self.rows) and (is_label or not self.selector.is_labelled)

    @property
    def order(self) -> tuple[bool, float]:
        """Saying more, filled in more records."""
        share = self.filled / max(1, len(self.answers))
        return self.selector.is_strong, self.selector.strength * (0.5 + share)


def _cuts(places: Sequence[Sequence[Place]], values: Sequence[str]) -> Iterator[Cut]:
    """Yield how the value may be a part of a text: not at all, or within what its text or its line always has."""
    if any(place.is_exact for found in places for place in found):
        yield Cut()
    for chosen in ([found[0] for found in places], [found[-1] for found in places]):
        prefixes, suffixes = [place.prefix for place in chosen], [place.suffix for place in chosen]
        cut = learn_cut(prefixes, suffixes, values)
        if cut is not None and cut != Cut():
            yield cut


def _order(kept: Sequence[Tried]) -> list[Tried]:
    """Put selectors in order, and leave out those that read the same in all records as a better one of their kind."""
    ordered: dict[tuple[bool, tuple[str, ...]], Tried] = {}
    for each in sorted(kept, key=lambda each: each.order, reverse=True):
        ordered.setdefault((each.selector.is_strong, each.answers), each)
    return list(ordered.values())[: PARAMETERS.most_selectors]
