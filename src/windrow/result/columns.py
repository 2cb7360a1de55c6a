"""``Column``: what the values of a column are, decided once for a whole result, for all who type or export it.

A column tells how its numbers and dates are written; where it does not, the page's language does, and where that says
nothing, the other columns of the result. A column has a type where nearly all of its values have it; the others stay
text.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, get_args

from windrow.value import (
    Conventions,
    DateOrder,
    DecimalSeparator,
    Kind,
    Typed,
    find_date_order,
    find_decimal_separator,
    has_decimal_comma,
    is_conventional,
    is_day_first,
    read_value,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

Told = TypeVar("Told")

UNIT = re.compile(r"[(\[]\s*([^()\[\]\d]{1,12})\s*[)\]]|,\s*in\s+([^\s,]{1,12})$|\bin\s+(%|[A-Z€$£]{1,4})$")
"""Where a heading names the unit: "Area (km²)", "Weight, in kg", "Sales in €"."""
LONGEST = 60
"""Longer texts are words and tell nothing of how numbers are written."""
NEARLY_ALL = 0.8
"""Share of a column's values that must have one kind and one unit for the column to have them: one stray remark in
five rows does not turn prices into text, and a column that is half words is one of words."""
LARGEST_INTEGER = 2**63 - 1
"""Beyond this, databases and data frames lose digits."""
LARGEST_EXACT = 2**53
"""Beyond this, an integer beside fractions loses digits."""
TELLING = frozenset({"number", "percent", "money", "date", "datetime", "duration"})
"""Kinds of texts that tell how numbers and dates are written."""
UNTYPED = frozenset({"text", "empty", "missing"})
DeclaredType: TypeAlias = Literal["number", "money", "date", "address", "text"]
TYPES: tuple[str, ...] = get_args(DeclaredType)
"""The types that somebody can declare."""
UNKNOWN = Conventions()
DECLARED: Mapping[str, tuple[Kind, ...]] = {
    "number": ("number", "percent", "rating"),
    "money": ("money", "number"),
    "date": ("date", "datetime"),
    "address": ("link",),
}
"""The kinds of values that each type takes which somebody can declare; a price may stand without its currency."""
ADDRESS = re.compile(r"(?:https?://|mailto:|tel:|www\.)\S+")
"""What a column that was declared to hold addresses takes for one."""


@dataclass(frozen=True)
class Column:
    """One column of a result: its name, what its values are, and how they are written."""

    name: str
    kind: Kind = "text"
    unit: str = ""
    """What all its values are counted in; values with another unit do not fit."""
    unit_in_heading: bool = False
    """Whether the heading names the unit, so that the values are bare numbers."""
    separator: DecimalSeparator | None = None
    """The decimal separator, where something tells it."""
    order: DateOrder | None = None
    """Whether the day or the month comes first in its dates, where something tells it."""
    language: str = ""
    bracketed: bool = False
    """Whether brackets around its values mean nothing, where they would otherwise be the sign of a loss."""
    counted: bool = False
    """Whether its values are counted by Windrow (ranks, levels) and no text of the page."""
    wordy: bool = False
    """Whether its texts are words whatever they look like: titles, names, "1917"."""
    declared: tuple[Kind, ...] = ()
    """The kinds that somebody said its values have: the most common of them is the column's, however few have it."""

    @cached_property
    def conventions(self) -> Conventions:
        """How numbers and dates are written in it."""
        return Conventions(self.separator, self.order, self.language)

    def read(self, text: str) -> Typed:
        """Return what a text of this column says, whether that fits the column or not."""
        if self.kind in ("link", "image"):
            is_address = not self.declared or ADDRESS.fullmatch(text.strip()) is not None
            return Typed("empty" if not text else self.kind if is_address else "text")
        if self.wordy:
            return Typed("text" if text.strip() else "empty")
        is_bracketed = self.bracketed and text[:1] + text[-1:] == "()"
        return read_value(text[1:-1] if is_bracketed else text, self.conventions)

    def reader(self, known: KnownTexts) -> Callable[[str], Typed]:
        """Return ``read`` for many texts; what is known already is not read again."""
        if self.wordy or self.bracketed or self.kind in ("link", "image"):
            return self.read
        return known.reader(self.conventions)

    def fits(self, typed: Typed) -> bool:
        """Whether a value has the column's kind and unit; what is empty or missing fits everywhere."""
        if typed.kind in ("empty", "missing") or self.kind == "text":
            return True
        if self.kind in ("link", "image"):
            return typed.kind == self.kind
        unit = "" if self.unit_in_heading else self.unit
        return (typed.kind, typed.unit) == (self.kind, unit) and is_storable(typed)


class KnownTexts:
    """What texts say, each read once for all who ask by the same conventions: reading is what exports take longest."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._readers: dict[Conventions, Callable[[str], Typed]] = {}

    def reader(self, conventions: Conventions) -> Callable[[str], Typed]:
        """Return what reads a text by these conventions; a table of many columns has few."""
        if conventions not in self._readers:
            self._readers[conventions] = self._make_reader(conventions)
        return self._readers[conventions]

    def _make_reader(self, conventions: Conventions) -> Callable[[str], Typed]:
        known: dict[str, Typed] = {}
        as_it_is = self.reader(UNKNOWN) if conventions != UNKNOWN else read_value

        def read(text: str) -> Typed:
            found = known.get(text)
            if found is None:
                found = known[text] = read_value(text, conventions) if is_conventional(text) else as_it_is(text)
            return found

        return read


def declared_column(name: str, type_: str | None, language: str = "") -> Column:
    """Return the column of values of a type that somebody declared, or of none, before the values are known."""
    if type_ == "text":
        return Column(name, language=language, wordy=True)
    declared = DECLARED.get(type_ or "", ())
    return Column(name, "link" if declared == ("link",) else "text", language=language, declared=declared)


def is_storable(typed: Typed) -> bool:
    """Whether a value is known, and no integer that others can't hold."""
    return typed.value is not None and not (isinstance(typed.value, int) and abs(typed.value) > LARGEST_INTEGER)


def decide_columns(
    columns: Sequence[Column], texts: Sequence[Sequence[str]], headings: Sequence[str], known: KnownTexts | None = None
) -> list[Column]:
    """Decide what columns are from all their texts; what a column already says of itself stays.

    ``headings`` are the words above each column, which may name its unit; ``columns`` bring the page's language.
    """
    known = known or KnownTexts()
    read = known.reader(UNKNOWN)
    # A value and nothing else: the figures in "iOS 17.4" tell nothing of how prices are written.
    telling = [
        [] if column.wordy else [text for text in each if len(text) <= LONGEST and read(text).kind in TELLING]
        for column, each in zip(columns, texts, strict=True)
    ]
    separators = [find_decimal_separator(column) for column in telling]
    orders = [find_date_order(column) for column in telling]
    separator: DecimalSeparator | None = _agreed(separators)
    agreed: DateOrder | None = _agreed([order for order in orders if order != "mixed"])
    found = []
    for number, column in enumerate(columns):
        comma: DecimalSeparator | None = "," if has_decimal_comma(column.language) else None
        told = replace(
            column,
            separator=separators[number] or comma or separator,
            # A column that contradicts itself is written in no order, whatever the page's language.
            order=None if (own := orders[number]) == "mixed" else own or _order_of(column.language) or agreed,
            bracketed=column.bracketed and _are_bracketed(texts[number]),
        )
        is_typed = column.kind == "text" and not column.wordy
        found.append(_typed(told, texts[number], headings[number], known) if is_typed else told)
    return found


def _agreed(told: Sequence[Told | None]) -> Told | None:
    """Return what the columns that tell anything agree in."""
    known = {each for each in told if each is not None}
    return known.pop() if len(known) == 1 else None


def _order_of(language: str) -> DateOrder | None:
    day_first = is_day_first(language)
    return None if day_first is None else "day first" if day_first else "month first"


def _are_bracketed(texts: Sequence[str]) -> bool:
    return all(text[:1] + text[-1:] == "()" for text in texts if text)


def _are_identifiers(read: Sequence[Typed]) -> bool:
    """Whether some figures have zeros in front or could be read in two ways: postcodes and the like, no quantities."""
    return any(typed.kind == "number" and typed.value is None for typed in read)


def _are_too_mixed(read: Sequence[Typed]) -> bool:
    """Whether there are fractions beside integers that a floating-point column would round."""
    values = [typed.value for typed in read]
    return any(isinstance(value, float) for value in values) and any(
        isinstance(value, int) and abs(value) > LARGEST_EXACT for value in values
    )


def free_name(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken: the name itself, or numbered."""
    found, again = name, 2
    while found in taken:
        found, again = f"{name} ({again})", again + 1
    return found


def number_names(names: Iterable[str]) -> list[str]:
    """Return the names, those numbered that come again."""
    found: dict[str, None] = {}
    following: dict[str, int] = {}
    for base in names:
        name, again = base, following.get(base, 2)
        while name in found:
            name, again = f"{base} ({again})", again + 1
        following[base] = again
        found[name] = None
    return list(found)


def _typed(column: Column, texts: Sequence[str], heading: str, known: KnownTexts) -> Column:
    """Return a column with the kind and unit that nearly all of its values have, or that it was declared to have."""
    read = [typed for typed in map(column.reader(known), texts) if typed.kind not in ("empty", "missing")]
    times = Counter(
        (typed.kind, typed.unit)
        for typed in read
        if (typed.kind in column.declared if column.declared else typed.kind not in UNTYPED) and is_storable(typed)
    )
    if not times:
        return replace(column, kind=column.declared[0]) if column.declared else column
    (kind, unit), count = times.most_common(1)[0]
    is_clear = bool(column.declared) or (count >= NEARLY_ALL * len(read) and not _are_identifiers(read))
    if not is_clear or _are_too_mixed(read):
        return column
    named = UNIT.search(heading) if not unit and kind == "number" else None
    if named is None:
        return replace(column, kind=kind, unit=unit)
    return replace(column, kind=kind, unit=next(filter(None, named.groups()), "").strip(), unit_in_heading=True)
