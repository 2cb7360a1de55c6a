"""How a language writes numbers and dates, from the Unicode locale data.

A page says its language, not its country: ``en`` alone says nothing of the order of day and month. Most pages that say
nothing else say ``en``, so that a decimal point is what is assumed anyway; only a comma is news.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from babel import Locale

NO_LANGUAGE = frozenset({"und", "mul", "zxx"})
"""Tags that say that nothing is said."""
TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")


@cache
def has_decimal_comma(language: str) -> bool:
    """Whether a language is known to write a comma before decimals."""
    locale = _locale(language)
    return locale is not None and locale.number_symbols["latn"].get("decimal") == ","


@cache
def is_day_first(language: str) -> bool | None:
    """Whether a language writes the day before the month, and None where it is not known to write either."""
    locale = _locale(language)
    if locale is None or (locale.language == "en" and locale.territory is None):
        return None
    pattern = str(locale.date_formats["short"].pattern)
    if pattern.lstrip("'").startswith("y"):
        return None
    return pattern.index("d") < pattern.index("M")


@cache
def month_names(language: str) -> Mapping[str, int]:
    """Return the names of the months in a language, in lower case and without full stops."""
    locale = _locale(language)
    if locale is None:
        return {}
    return {
        name.lower().strip("."): number
        for context in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for number, name in locale.months[context][width].items()
        if not name.strip(".").isdecimal() and len(name) > 1
    }


@cache
def _locale(language: str) -> Locale | None:
    """Return what is known of a language, for whatever stands in a page's ``lang``."""
    if not TAG.fullmatch(language) or language.lower()[:3] in NO_LANGUAGE:
        return None
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 - a tenth of a second, for those who read values

    for tag in (language, language.replace("_", "-").split("-")[0]):
        try:
            return Locale.parse(tag.replace("_", "-"), sep="-")
        except (UnknownLocaleError, ValueError):
            continue
    return None
