"""Selectors: ways of saying which texts of a record are meant, by names, labels, ordinals or formats."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from windrow.wrapper.normalization import folded, shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from windrow.wrapper.lists.cuts import Cut
    from windrow.wrapper.lists.places import Place
    from windrow.wrapper.lists.texts import RecordView, Steps, Unit

BY_NAME = ("class", "prop")
AND = frozenset("and und et y e en och og dan i и".split())
"""What stands before the last of a series, in the languages that have a word for it."""
LONGEST_LABEL = 40
"""Characters of a text that says what the next one is: longer ones are prose."""


@dataclass(frozen=True)
class Selector:
    """One way of saying which texts of a record are meant."""

    base: str
    """What they are found by: the way by classes ("key"), by tags or by ordinals, a class, an ``itemprop``."""
    steps: Steps
    pick: str = "all"
    """Which of those found: all, the nth, those after a certain text, those beginning so, those of a format."""
    argument: str | int = ""
    is_line: bool = False
    takes: str = ""
    """What is read: the text, the address of the link or image, or what an attribute holds."""

    @property
    def is_strong(self) -> bool:
        """Whether a name or a label says what is meant, not a position alone."""
        named = self.base in BY_NAME or (self.base == "key" and any(names for _, names in self.steps))
        return self.is_labelled or (named and self.pick == "all")

    @property
    def is_labelled(self) -> bool:
        """Whether it goes by a text that stands before the value, or begins it."""
        return self.pick in {"before", "prefix"}

    @property
    def strength(self) -> float:
        """How much it says, to put selectors in order."""
        base = {"prop": 5.0, "key": 4.0, "class": 3.5, "tag": 2.0, "exact": 1.5}[self.base]
        pick = {"all": 1.0, "before": 0.9, "prefix": 0.9, "nth": 0.5, "shape": 0.4}[self.pick]
        return base * pick + (2.0 if self.is_strong else 0.0)

    @property
    def place(self) -> str:
        """What it goes by as one line for people, from the record on."""
        steps = [
            f"{tag}[{more + 1}]" if isinstance(more, int) else ".".join([tag, *more.split()])
            for tag, more in self.steps
        ]
        way = f"//{steps[0]}" if self.base in BY_NAME else "".join(f"/{step}" for step in steps)
        return way if self.pick == "all" else f"{way} ({self.pick} {self.argument!r})"

    def find(self, view: RecordView) -> list[Unit]:
        """Return what a record has of it, in document order."""
        return self._choose(view, self._base(view))

    def _base(self, view: RecordView) -> list[Unit]:
        if self.is_line:
            way = view.way(self.base, self.steps)
            paths = view.features.key_path if self.base == "key" else view.features.tag_path
            return [line for line in view.lines if int(paths[line.node]) == way]
        if self.base in BY_NAME:
            named = view.by_class if self.base == "class" else view.by_property
            nodes = named.get(str(self.steps[0][0]), [])
        else:
            nodes = view.at_path(self.base, view.way(self.base, self.steps), addresses=bool(self.takes))
        units = [view.texts.unit_of(node) for node in nodes]
        if self.takes:
            return [unit for unit in units if view.texts.held_by(unit.node, self.takes)]
        return [unit for unit in units if unit.first < unit.last]

    def _choose(self, view: RecordView, units: list[Unit]) -> list[Unit]:
        if self.pick == "nth":
            number = int(self.argument)
            return units[number:][:1] if -len(units) <= number < len(units) else []
        if self.pick == "before":
            return list(_after_label(view, units, str(self.argument)))
        if self.pick == "prefix":
            return [unit for unit in units if view.texts.text_of(unit).startswith(str(self.argument))]
        if self.pick == "shape":
            return [unit for unit in units if shape(view.texts.text_of(unit)) == self.argument]
        return units

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        plain: dict[str, Any] = {self.base: [list(step) if step[1] != "" else [step[0]] for step in self.steps]}
        if self.pick != "all":
            plain[self.pick] = self.argument
        if self.is_line:
            plain["line"] = True
        return plain | ({"takes": self.takes} if self.takes else {})

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Selector:
        """Return what ``to_dict`` wrote."""
        base = next(name for name in ("key", "tag", "exact", *BY_NAME) if name in plain)
        pick = next((name for name in ("nth", "before", "prefix", "shape") if name in plain), "all")
        steps = tuple((str(step[0]), step[1] if len(step) > 1 else "") for step in plain[base])
        takes = str(plain.get("takes", ""))
        return cls(base, steps, pick, plain.get(pick, ""), bool(plain.get("line")), takes)


@dataclass(frozen=True)
class Answer:
    """What a selector reads in a record."""

    texts: tuple[str, ...]
    nodes: tuple[int, ...]
    ranks: frozenset[int] = frozenset()
    """The ranks of the page's texts that it is read from."""

    @property
    def key(self) -> str:
        """The texts in the form in which they are compared."""
        return compared(self.texts)


def compared(texts: Iterable[str]) -> str:
    """Return the values of a cell in the form in which they are compared, one a line."""
    return "\n".join(map(folded, texts))


def ask(view: RecordView, selector: Selector, cut: Cut) -> Answer | None:
    """Return what a selector reads in a record; None where a text does not have what stood around the value."""
    read = view.texts.text_of if cut.keeps_struck else view.texts.text_that_holds
    texts, nodes, ranks = [], [], set[int]()
    for unit in selector.find(view):
        whole = view.texts.held_by(unit.node, selector.takes) if selector.takes else read(unit)
        value = whole if selector.takes or not whole else cut.apply(whole)
        if value is None:
            return None
        if value:
            texts.append(value)
            nodes.append(unit.node)
            ranks.update(range(unit.first, unit.last))
    return Answer(tuple(texts), tuple(nodes), frozenset(ranks))


def text_before(view: RecordView, unit: Unit) -> str:
    """Return the text of the record that stands before a unit; empty for the first."""
    return view.features.words[unit.first - 1] if unit.first > view.first else ""


def _after_label(view: RecordView, units: Sequence[Unit], label: str) -> Iterator[Unit]:
    """Yield the units right after a label, and those that go on from them, as in a series: commas stand between."""
    last = -1
    for unit in units:
        before = text_before(view, unit)
        is_next = last == unit.first - 1 and (before in AND or not any(map(str.isalnum, before)))
        if before == label or is_next:
            yield unit
            last = unit.last


def propose(view: RecordView, place: Place) -> Iterator[Selector]:
    """Yield the ways of saying where a place stands."""
    unit, features = place.unit, view.features
    bases: list[tuple[str, Steps]] = [(kind, view.steps_to(unit.node, kind)) for kind in ("key", "tag")]
    if not unit.is_line:
        tag = features.nodes.tag[unit.node]
        bases += [("class", ((f"{tag}.{name}", ""),)) for name in view.texts.classes.get(unit.node, ())]
        if unit.node in view.texts.properties:
            bases.append(("prop", ((view.texts.properties[unit.node], ""),)))
        if view.span.root == view.span.start:
            bases.append(("exact", view.steps_to(unit.node, "exact")))
    for base, steps in bases:
        if not steps and not view.is_cell:
            continue
        plain = Selector(base, steps, is_line=unit.is_line, takes=place.takes)
        yield plain
        units = plain.find(view)
        if base == "exact" or unit not in units:
            continue
        number = units.index(unit)
        yield replace(plain, pick="nth", argument=number)
        yield replace(plain, pick="nth", argument=number - len(units))
        before = text_before(view, unit)
        if is_label(before):
            yield replace(plain, pick="before", argument=before)
        if not place.takes:
            label = place.prefix or _own_label(view.texts.text_of(unit))
            if is_label(label):
                yield replace(plain, pick="prefix", argument=label)
            yield replace(plain, pick="shape", argument=shape(view.texts.text_of(unit)))


def is_label(text: str) -> bool:
    """Whether a text can be what a value is called: words, few of them, and no figures."""
    return signs_of(text) == "a" and len(text) <= LONGEST_LABEL


def _own_label(text: str) -> str:
    """Return what a text calls itself before a colon."""
    label, colon, rest = text.partition(":")
    return label + colon if colon and rest.strip() else ""


def signs_of(text: str) -> str:
    """Return which of figures and letters a text has, as in its format."""
    return "9" * any(map(str.isdigit, text)) + "a" * any(map(str.isalpha, text))
