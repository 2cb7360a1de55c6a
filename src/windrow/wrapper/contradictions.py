"""Values that say themselves that they are another field's: of another kind than the learned ones, or two in one.

Beside ``kinds``, which compares texts that surely say of what kind they are, this looks at bare numbers and words, of
which only what was declared, or what the other labels are, tells anything.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from windrow.wrapper.kinds import MOMENTS, is_bare, is_telling, read_once
from windrow.wrapper.naming import name_of_figure, name_within

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.value import Typed
    from windrow.wrapper.field import Field
    from windrow.wrapper.result import Located
    from windrow.wrapper.rule import Place

Texts: TypeAlias = "Mapping[str, Sequence[str]]"
DECLARED = {
    "number": frozenset({"number", "percent", "rating"}),
    "money": frozenset({"money", "number"}),
    "date": MOMENTS | {"number"},
}
"""The kinds that a text may be of, where its field's type was declared; a bare number may be a year or an amount."""
BETWEEN_AMOUNTS = re.compile(r"[\s()/–—]+|-(?=\D)")
FIGURE = re.compile(r"\d")


def find_contradicted(values: Texts, learned: Texts, fields: Mapping[str, Field]) -> set[str]:
    """Return the labels of which a text was read that is of another kind than they have; texts by label come in."""
    return {
        label
        for label, texts in values.items()
        for text in texts
        if is_declared_otherwise(text, fields.get(label))
        or is_of_other_kind(text, learned[label])
        or is_of_other_label(text, label, learned)
        or has_more_amounts(text, learned[label])
        or is_named_otherwise(text, learned[label])
        or is_named_as_another(text, label, learned)
    }


def is_declared_otherwise(text: str, field: Field | None) -> bool:
    """Whether a text surely is of another kind than was declared."""
    allowed = DECLARED.get(field.type or "") if field is not None else None
    typed = read_once(text)
    return allowed is not None and is_telling(typed) and typed.kind not in allowed


def is_of_other_kind(text: str, learned: Sequence[str]) -> bool:
    """Whether a text is an amount of money where bare numbers were learned: a year, a count."""
    return read_once(text).kind == "money" and bool(learned) and all(is_bare(read_once(one)) for one in learned)


def is_of_other_label(text: str, label: str, learned: Texts) -> bool:
    """Whether a text is of the kind of another label, a number or more, where words without a figure were learned."""
    if not learned[label] or any(FIGURE.search(one) for one in learned[label]) or not FIGURE.search(text):
        return False
    typed = read_once(text)
    others = [texts for other, texts in learned.items() if other != label and texts]
    return _says_kind(typed) and any(all(_are_of_kind(typed, read_once(one)) for one in texts) for texts in others)


def _says_kind(typed: Typed) -> bool:
    return is_telling(typed) or is_bare(typed)


def _are_of_kind(one: Typed, other: Typed) -> bool:
    return one.kind == other.kind and is_bare(one) == is_bare(other)


def is_named_otherwise(text: str, learned: Sequence[str]) -> bool:
    """Whether a figure follows another name in its text than in each learned one ("Invoice: $9" for "MSRP: $9")."""
    name, names = name_of_figure(text), {name_of_figure(one) for one in learned}
    return bool(name) and len(names) == 1 and names.isdisjoint({"", name})


def is_named_as_another(text: str, label: str, learned: Texts) -> bool:
    """Whether a text begins with the name that another label's learned texts begin with, and this one's do not."""
    name = name_within(text)
    return (
        bool(name)
        and any(set(map(name_within, texts)) == {name} for other, texts in learned.items() if other != label)
        and name not in map(name_within, learned[label])
    )


def has_more_amounts(text: str, learned: Sequence[str]) -> bool:
    """Whether a text shows several amounts of money, where each learned one shows a single one."""
    if not learned or not all(read_once(one).kind == "money" for one in learned):
        return False
    return read_once(text).kind != "money" and len(find_amounts(text)) > 1


@lru_cache(maxsize=1024)
def find_amounts(text: str) -> frozenset[object]:
    """Return the different amounts of money in a text."""
    words = [word for word in BETWEEN_AMOUNTS.split(text) if word]
    found, at = set[object](), 0
    while at < len(words):
        for size in (1, 2):
            typed = read_once(" ".join(words[at : at + size]))
            if typed.kind == "money":
                found.add(typed.value)
                at += size - 1
                break
        at += 1
    return frozenset(found)


def find_overlaid(located: Mapping[str, Sequence[Located]], places: Mapping[str, Sequence[Place]]) -> set[str]:
    """Return the labels that read the whole of a text of which another label reads a part, behind its name.

    They were learned from different texts: here the other label's has moved up.
    """
    named = {label: {place.location.steps for place in some if place.inner_name} for label, some in places.items()}
    return {
        label
        for label, own in located.items()
        for other, values in located.items()
        if other != label and named[other] and not named[other] & {place.location.steps for place in places[label]}
        for one in own
        for value in values
        if one.node == value.node and one.text != value.text and one.text.endswith(value.text)
    }
