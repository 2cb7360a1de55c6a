"""Numbers as people write them: 1,234.56 and 1.234,56, 1 234,56 and 1'234.56, 12,34,567, (5), -3."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

DecimalSeparator: TypeAlias = Literal[".", ","]

SPACES = "  \u2009\u202f'’"
SIGN = r"(?P<sign>[-+\u2212–±]?)\s?"
GROUPED = rf"[1-9]\d{{0,2}}(?:(?P<group>[{SPACES}.,])\d{{3}})(?:(?P=group)\d{{3}})*"
INDIAN = r"\d{1,2}(?:,\d{2})+,\d{3}"
NUMBER = re.compile(
    rf"(?P<open>\()?{SIGN}(?:(?P<whole>{GROUPED}|{INDIAN}|\d+)(?P<tail>[.,]\d+)?|(?P<bare>[.,]\d+))(?P<close>\))?"
)
IDENTIFIER = re.compile(r"0\d+")
"""Figures whose leading zeros count: an article number, a postcode; no quantity."""
MOST_DIGITS = 300


@dataclass(frozen=True, slots=True)
class Number:
    """A number; ``value`` is None where the text can be read in two ways."""

    value: int | float | None
    separator: DecimalSeparator | None = None
    """The decimal separator, where this number alone tells it."""


def read_number(text: str, separator: DecimalSeparator | None = None) -> Number | None:
    """Return the number that a text is, and None for a text that is anything else or more."""
    words = text.strip()
    if words.isascii() and words.isdecimal() and words[0] != "0" and len(words) <= MOST_DIGITS:
        return Number(int(words))  # as most numbers are
    found = NUMBER.fullmatch(words) if len(words) <= MOST_DIGITS else None
    if found is None or bool(found["open"]) != bool(found["close"]) or found["sign"] == "±":
        return None
    negative = found["sign"] in ("-", "\u2212", "–") if found["sign"] else bool(found["open"])
    return _signed(_unsigned(found, separator), negative=negative)


def find_decimal_separator(texts: Iterable[str]) -> DecimalSeparator | None:
    """Return the decimal separator of these texts, if those that tell it agree."""
    separators: set[DecimalSeparator] = set()
    for text in texts:
        if "." not in text and "," not in text:
            continue
        figures = re.search(r"\d[\d.,'’ \u202f]*\d", text)
        number = read_number(figures[0]) if figures else None
        if number is not None and number.separator is not None:
            separators.add(number.separator)
    return separators.pop() if len(separators) == 1 else None


def _unsigned(found: re.Match[str], separator: DecimalSeparator | None) -> Number:
    if found["bare"]:
        return Number(float("0." + found["bare"][1:]), "." if found["bare"][0] == "." else ",")
    whole, group, tail = found["whole"], found["group"], found["tail"]
    digits = re.sub(r"\D", "", whole)
    if tail is None and IDENTIFIER.fullmatch(whole):
        return Number(None)
    if tail:
        if tail[0] == group:
            return Number(None)
        return _with_tail(digits, tail, group)
    if group in (".", ",") and len(whole) - len(digits) == 1:
        return _read_group(whole, group, separator)
    other: DecimalSeparator | None = "." if group == "," else "," if group == "." else None
    return Number(int(digits), other)


def _with_tail(digits: str, tail: str, group: str | None) -> Number:
    own: DecimalSeparator = "." if tail[0] == "." else ","
    # Three digits behind a separator could be thousands; behind a lone 0 they can't.
    sure = group is not None or len(tail) != 4 or digits == "0"  # noqa: PLR2004
    if not sure and digits.startswith("0"):
        return Number(None)
    return Number(float(f"{digits}.{tail[1:]}"), own if sure else None)


def _read_group(whole: str, group: str, separator: DecimalSeparator | None) -> Number:
    """Read 1,234 or 1.234: decimals behind the decimal separator, else thousands; the point is it where unknown."""
    decimals = separator == group if separator is not None else group == "."
    if not decimals:
        return Number(int(whole.replace(group, "")))
    return Number(float(whole.replace(",", ".")))


def _signed(number: Number, *, negative: bool) -> Number:
    if number.value is None or not negative:
        return number
    return Number(-number.value, number.separator)
