"""Patterns for addresses: braces that stand for many start addresses, globs that choose among links."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.crawl.addresses import Address, unescape
from windrow.errors import UsageError
from windrow.source.guard import shown_url

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class PatternParameters:
    """How much a pattern may stand for."""

    most: int = 100_000
    """Addresses; who wants more than that wants a sitemap, or a file."""


PARAMETERS = PatternParameters()

_BRACES = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(\d{1,12})\.\.(\d{1,12})(?:\.\.(\d{1,12}))?")


def expand(start: str) -> list[str]:
    """Return the addresses that a start address stands for: ``{1..20}``, ``{01..20}``, ``{1..100..5}``, ``{a,b,c}``.

    Several patterns in one address stand for all combinations, the last one changing first. Leading zeros are kept as
    wide as they are written.
    """
    pieces = _BRACES.split(start)
    if any(brace in piece for piece in pieces[::2] for brace in "{}"):
        raise UsageError(f"The braces in {shown_url(start)} do not match. Write them as in {{1..20}} or {{a,b,c}}.")
    choices = [[piece] if place % 2 == 0 else _choices(piece, start) for place, piece in enumerate(pieces)]
    if math.prod(map(len, choices)) > PARAMETERS.most:
        raise UsageError(
            f"{shown_url(start)} stands for more than {PARAMETERS.most:,} addresses. Use a sitemap or a file."
        )
    return list(dict.fromkeys(map("".join, itertools.product(*choices))))


def _choices(inside: str, start: str) -> Sequence[str]:
    if found := _RANGE.fullmatch(inside):
        return _numbers(*found.groups())
    if "," in inside:
        return inside.split(",")
    raise UsageError(
        f"{{{inside}}} in {shown_url(start)} is not understood. "
        "Write {1..20}, {01..20}, {1..100..5} or {a,b,c}."
    )


def _numbers(first: str, last: str, step: str | None) -> list[str]:
    """Return the numbers of a range, as many of them as may be and one more."""
    low, high, by = int(first), int(last), max(int(step or 1), 1)
    is_padded = any(text.startswith("0") and len(text) > 1 for text in (first, last))
    width = max(len(first), len(last)) if is_padded else 0
    numbers = range(low, high + 1, by) if low <= high else range(low, high - 1, -by)
    return [f"{number:0{width}d}" for number in numbers[: PARAMETERS.most + 1]]


def matches(url: str, glob: str) -> bool:
    """Whether a glob matches all of an address's path; ``*`` stands for any characters, slashes included.

    Everything else stands for itself. A glob with a ``?`` is matched with path and query, one that begins with a scheme
    with the whole address but for the fragment; in both, ``*`` covers the rest of the query as well.
    """
    address = Address.parse(url)
    if address is None:
        return False
    text = address.path
    if "://" in glob:
        text = f"{address.scheme}://{address.host}{text}"
    elif not glob.startswith(("/", "*")):
        glob = f"/{glob}"
    if "?" in glob and address.query:
        text += f"?{address.query}"
    return _matches(unescape(text), [unescape(part) for part in glob.split("*")])


def _matches(text: str, parts: list[str]) -> bool:
    """Whether a text is the parts in order with anything between them; each is taken where it first occurs."""
    first, *rest = parts
    if not rest:
        return text == first
    last = rest.pop()
    at, end = len(first), len(text) - len(last)
    if end < at or not text.startswith(first) or not text.endswith(last):
        return False
    for part in rest:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True
