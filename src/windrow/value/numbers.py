"""Numbers as people write them: 1,234.56 and 1.234,56, 1 234,56 and 1'234.56, 12,34,567, (5), -3."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Mark: TypeAlias = Literal[".", ","]

SPACES = "  \u2009\u202f'’"
SIGN = r"(?P<sign>[-+\u2212–±]?)\s?"
GROUPED = rf"[1-9]\d{{0,2}}(?:(?P<group>[{SPACES}.,])\d{{3}})(?:(?P=group)\d{{3}})*"
INDIAN = r"\d{1,2}(?:,\d{2})+,\d{3}"
NUMBER = re.compile(
    rf"(?P<open>\()?{SIGN}(?:(?P<whole>{GROUPED}|{INDIAN}|\d+)(?P<tail>[.,]\d+)?|(?P<bare>[.,]\d+))(?P<close>\))?"
)
MOST_DIGITS = 300


@dataclass(frozen=True)
class Number:
    """A number; ``value`` is None where the text can be read in two ways."""

    value: int | float | None
    mark: Mark | None = None
    """The mark that surely parts decimals here."""


def read_number(text: str, mark: Mark | None = None) -> Number | None:
    """Read a text that is a number and nothing else; None where it is none."""
    words = text.strip()
    found = NUMBER.fullmatch(words) if len(words) <= MOST_DIGITS else None
    if found is None or bool(found["open"]) != bool(found["close"]) or found["sign"] == "±":
        return None
    negative = found["sign"] in ("-", "\u2212", "–") if found["sign"] else bool(found["open"])
    return _signed(_unsigned(found, mark), negative=negative)


def find_decimal_mark(texts: Iterable[str]) -> Mark | None:
    """Give the mark that parts decimals in these texts, if those that are clear agree."""
    marks: set[Mark] = set()
    for text in texts:
        figures = re.search(r"\d[\d.,'’ \u202f]*\d", text)
        number = read_number(figures[0]) if figures else None
        if number is not None and number.mark is not None:
            marks.add(number.mark)
    return marks.pop() if len(marks) == 1 else None


def _unsigned(found: re.Match[str], mark: Mark | None) -> Number:
    if found["bare"]:
        return Number(float("0." + found["bare"][1:]), "." if found["bare"][0] == "." else ",")
    whole, group, tail = found["whole"], found["group"], found["tail"]
    digits = re.sub(r"\D", "", whole)
    if tail:
        if tail[0] == group:
            return Number(None)
        return _with_tail(digits, tail, group)
    if group in (".", ",") and len(whole) - len(digits) == 1:
        return _one_mark(whole, group, mark)
    other: Mark | None = "." if group == "," else "," if group == "." else None
    return Number(int(digits), other)


def _with_tail(digits: str, tail: str, group: str | None) -> Number:
    own: Mark = "." if tail[0] == "." else ","
    # Three digits behind a mark could be thousands; behind a lone 0 they can't.
    sure = group is not None or len(tail) != 4 or digits == "0"  # noqa: PLR2004
    if not sure and digits.startswith("0"):
        return Number(None)
    return Number(float(f"{digits}.{tail[1:]}"), own if sure else None)


def _one_mark(whole: str, group: str, mark: Mark | None) -> Number:
    """Read 1,234 or 1.234: thousands or decimals, as the mark says; alone, the comma is taken for thousands."""
    decimals = mark == group if mark is not None else group == "."
    if not decimals:
        return Number(int(whole.replace(group, "")))
    return Number(float(whole.replace(",", ".")))


def _signed(number: Number, *, negative: bool) -> Number:
    if number.value is None or not negative:
        return number
    return Number(-number.value, number.mark)
