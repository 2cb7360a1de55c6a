"""Dates as people write them, in the languages in which months are known here."""

from __future__ import annotations

import re
from datetime import date

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
WORD = "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True))
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
YEAR_FIRST = re.compile(
    r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?"
)
DAY_FIRST = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})")
SLASHES = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})")
DAY_MONTH = re.compile(
    rf"{WEEKDAY}(\d{{1,2}})(?:st|nd|rd|th|\.|er|º)?[\s-](?:de |of )?({WORD})\.?,?[\s-](?:de )?(\d{{4}})", re.IGNORECASE
)
MONTH_DAY = re.compile(rf"{WEEKDAY}({WORD})\.?\s(\d{{1,2}})(?:st|nd|rd|th)?,?\s(\d{{4}})", re.IGNORECASE)
PIVOT = 69
"""Two-digit years up to here are of this century, as in POSIX."""


def read_date(text: str) -> tuple[bool, date | None]:
    """Say whether a text is a date, and which one; none where day and month can't be told apart."""
    if found := YEAR_FIRST.fullmatch(text):
        return _known(int(found[1]), int(found[3]), int(found[4]))
    if found := DAY_FIRST.fullmatch(text):
        return _known(_year(found[3]), int(found[2]), int(found[1]))
    if found := DAY_MONTH.fullmatch(text):
        return _known(int(found[3]), MONTHS[found[2].lower()], int(found[1]))
    if found := MONTH_DAY.fullmatch(text):
        return _known(int(found[3]), MONTHS[found[1].lower()], int(found[2]))
    if found := SLASHES.fullmatch(text):
        return _slashed(int(found[1]), int(found[3]), _year(found[4]))
    return False, None


def _slashed(first: int, second: int, year: int) -> tuple[bool, date | None]:
    if first > 12:  # noqa: PLR2004 - no month
        return _known(year, second, first)
    if second > 12 or first == second:  # noqa: PLR2004
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
