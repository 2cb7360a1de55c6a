"""Dates as people write them, in the languages most met and in the page's own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from windrow.value.locales import month_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DateOrder: TypeAlias = Literal["day first", "month first"]

MONTH_NAMES = (
    "january jan januar janvier enero ene gennaio gen januari janeiro",
    "february feb februar février févr fevrier febrero febbraio februari fevereiro fev",
    "march mar märz mär maerz mars marzo maart mrt março",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio mag mei maio",
    "june jun juni juin junio giugno giu junho",
    "july jul juli juillet juil julio luglio lug julho",
    "august aug août aout agosto ago augustus",
    "september sep sept septembre septiembre settembre set setembro",
    "october oct oktober okt octobre octubre ottobre ott outubro out",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro",
)
MONTHS = {name: number for number, names in enumerate(MONTH_NAMES, 1) for name in names.split()}
WEEKDAY_NAMES = (
    "monday mon montag mo lundi lun lunes lunedì maandag ma segunda-feira segunda måndag mandag "
    "tuesday tue tues dienstag di mardi martes mar martedì dinsdag terça-feira terça tisdag tirsdag "
    "wednesday wed mittwoch mi mercredi mer miércoles mié mercoledì woensdag wo quarta-feira quarta onsdag "
    "thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedì gio donderdag quinta-feira quinta torsdag "
    "friday fri freitag fr vendredi ven viernes vie venerdì vrijdag vr sexta-feira sexta fredag "
    "saturday sat samstag sa sonnabend samedi sam sábado sáb sabato sab zaterdag za lördag lørdag "
    "sunday sun sonntag so dimanche dim domingo dom domenica zondag zo söndag søndag"
)
WEEKDAY = rf"(?:(?:{'|'.join(sorted(WEEKDAY_NAMES.split(), key=len, reverse=True))})\.?,?\s+)?"
YEAR_FIRST = re.compile(r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})")
MOMENT = re.compile(
    r"(?P<day>\d{4}([-/.])\d{2}\2\d{2})[T ](?P<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(?P<zone>Z|[+-]\d{2}:?\d{2})?"
)
DAY_FIRST = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})")
SLASHES = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})")
EAST_ASIAN = re.compile(r"(?P<year>\d{4})[年년]\s?(?P<month>\d{1,2})[月월]\s?(?P<day>\d{1,2})[日일]")
MONTHS_A_YEAR = 12
PIVOT = 69
"""Two-digit years up to here are of this century, as in POSIX."""


@dataclass(frozen=True)
class Named:
    """How dates with the name of the month are written in a language."""

    months: Mapping[str, int]
    day_month: re.Pattern[str]
    month_day: re.Pattern[str]


@cache
def named_dates(language: str = "") -> Named:
    """Return how dates with the name of the month are written, in the languages known here and in this one."""
    months = MONTHS | {name: number for name, number in month_names(language).items() if name not in MONTHS}
    word = "|".join(sorted(map(re.escape, months), key=len, reverse=True))
    day = rf"{WEEKDAY}(\d{{1,2}})(?:st|nd|rd|th|\.|er|º)?[\s-](?:de |of )?({word})\.?,?[\s-](?:de )?(\d{{4}})"
    month = rf"{WEEKDAY}({word})\.?\s(\d{{1,2}})(?:st|nd|rd|th)?,?\s(\d{{4}})"
    return Named(months, re.compile(day, re.IGNORECASE), re.compile(month, re.IGNORECASE))


def read_date(text: str, order: DateOrder | None = None, language: str = "") -> tuple[bool, date | None]:
    """Return whether a text is a date, and which one; None where day and month can't be told apart.

    ``order`` says which of the two comes first where both could be either, as in 3/4/2024.
    """
    for pattern in (YEAR_FIRST, EAST_ASIAN):
        if found := pattern.fullmatch(text):
            return _known(int(found["year"]), int(found["month"]), int(found["day"]))
    if (found := DAY_FIRST.fullmatch(text)) and _has_a_year(found, order):
        return _known(_year(found[3]), int(found[2]), int(found[1]))
    if text[-4:].isdecimal():  # such dates end with the year, and looking for names of months takes long
        named = named_dates(language)
        if found := named.day_month.fullmatch(text):
            return _known(int(found[3]), named.months[found[2].lower()], int(found[1]))
        if found := named.month_day.fullmatch(text):
            return _known(int(found[3]), named.months[found[1].lower()], int(found[2]))
    if found := SLASHES.fullmatch(text):
        return _slashed(int(found[1]), int(found[3]), _year(found[4]), order)
    return False, None


def _has_a_year(found: re.Match[str], order: DateOrder | None) -> bool:
    """Whether 3.11.10 is a date: one with a short year is as likely a version, unless it is written out otherwise."""
    return len(found[3]) > 2 or order == "day first" or len(found[1]) == len(found[2]) == 2  # noqa: PLR2004


def read_datetime(text: str) -> datetime | None:
    """Return the moment that a text is, year first and with the time of day; aware where it names its offset."""
    found = MOMENT.fullmatch(text)
    if found is None:
        return None
    day = found["day"].replace("/", "-").replace(".", "-")
    try:
        return datetime.fromisoformat(f"{day}T{found['time']}{found['zone'] or ''}")
    except ValueError:
        return None


def find_date_order(texts: Iterable[str]) -> DateOrder | Literal["mixed"] | None:
    """Return whether the day or the month comes first in these texts; "mixed" where those that tell it disagree."""
    orders: set[DateOrder] = set()
    for text in texts:
        found = SLASHES.fullmatch(text.strip())
        if found and int(found[1]) > MONTHS_A_YEAR >= int(found[3]):
            orders.add("day first")
        elif found and int(found[3]) > MONTHS_A_YEAR >= int(found[1]):
            orders.add("month first")
    return "mixed" if len(orders) > 1 else next(iter(orders), None)


def _slashed(first: int, second: int, year: int, order: DateOrder | None) -> tuple[bool, date | None]:
    if first > MONTHS_A_YEAR or (second <= MONTHS_A_YEAR and order == "day first"):
        return _known(year, second, first)
    if second > MONTHS_A_YEAR or first == second or order == "month first":
        return _known(year, first, second)
    return bool(first and second), None


def _year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) > 2 else year + (2000 if year < PIVOT else 1900)  # noqa: PLR2004


def _known(year: int, month: int, day: int) -> tuple[bool, date | None]:
    try:
        return True, date(year, month, day)
    except ValueError:
        return False, None
