"""Plain values on their way into JSON, piece by piece: a large page has more of them than there should be at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, TypeAlias

Plain: TypeAlias = Any
"""Whatever JSON can hold, or ``Members``, or an iterator over such values, which stands for a list of them."""

PLAIN = (str, int, float, list, dict, tuple)
"""What is no iterator, which takes longer to find out."""
AT_ONCE = 2_000
"""Values that are written together."""
FEW = 100
"""Values of a list that is written together with what stands around it."""


class Members:
    """The names and values of an object, each made when its turn comes."""

    def __init__(self, members: Iterable[tuple[str, Plain]]) -> None:
        """Take the members, which are gone through once."""
        self._members = members

    def __iter__(self) -> Iterator[tuple[str, Plain]]:
        """Go through the members."""
        return iter(self._members)


def gather(value: Plain) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Return a value with everything that it is made of."""
    if isinstance(value, Members):
        return {name: gather(each) for name, each in value}
    return list(map(gather, value)) if isinstance(value, Iterator) else value


def to_pieces(value: Plain) -> Iterator[str]:
    """Yield the JSON of a value, piece by piece, as ``json.dumps`` writes it."""
    if isinstance(value, Members):
        yield from _object_to_pieces(value)
    elif isinstance(value, Iterator):
        yield from _list_to_pieces(value)
    else:
        yield _dumps(value)


def _object_to_pieces(members: Members) -> Iterator[str]:
    before, few = "{", dict[str, Plain]()
    for name, given in members:
        value = _gather_few(given)
        if isinstance(value, PLAIN) or not isinstance(value, Members | Iterator):
            few[name] = value
            continue
        if few:
            yield f"{before}{_dumps(few)[1:-1]}"
            before, few = ", ", {}
        yield f"{before}{_dumps(name)}: "
        yield from to_pieces(value)
        before = ", "
    if few:
        yield f"{before}{_dumps(few)[1:-1]}"
        before = ", "
    yield "}" if before == ", " else "{}"


def _list_to_pieces(values: Iterator[Plain]) -> Iterator[str]:
    before = "["
    for some in _divide(values):
        if not isinstance(some[0], Members):
            yield f"{before}{_dumps(some)[1:-1]}"
            before = ", "
            continue
        for each in some:
            yield before
            yield from to_pieces(each)
            before = ", "
    yield "]" if before == ", " else "[]"


def _divide(values: Iterator[Plain]) -> Iterator[list[Plain]]:
    """Yield the values, so many at a time that about as much is written at once, be they long or short."""
    some, size = list[Plain](), 0
    for each in values:
        some.append(each)
        size += len(each) if isinstance(each, list | dict) else 1
        if size >= AT_ONCE:
            yield some
            some, size = [], 0
    if some:
        yield some


def _gather_few(value: Plain) -> Plain:
    """Return the list that an iterator stands for where it is a short one, which need not be written apart."""
    if isinstance(value, PLAIN) or not isinstance(value, Iterator):
        return value
    some = list(islice(value, FEW))
    is_short = len(some) < FEW and not (some and isinstance(some[0], Members))
    return some if is_short else chain(some, value)


def _dumps(value: Plain) -> str:
    return json.dumps(value, ensure_ascii=False)
