"""``read_value``: from one text to what it says.

The decimal separator is clear from most texts alone (1,234.56); for the rest, ``Conventions`` says what the texts
around it, or the page's language, tell. Where nothing tells, a lone 1,234 is taken for a thousand and a lone 1.234 for
one and a fraction; an amount of money like € 1.234 rarely has three decimals, so it has no value, unless its currency
has none at all (Rp 62.000). Nor has a date whose day and month could be either.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, TypeAlias

from windrow.value.dates import read_date, read_datetime
from windrow.value.durations import read_duration
from windrow.value.numbers import read_number

if TYPE_CHECKING:
    from windrow.value.dates import DateOrder
    from windrow.value.numbers import DecimalSeparator

Kind: TypeAlias = Literal[
    "empty", "missing", "number", "percent", "money", "rating", "date", "datetime", "duration", "link", "image", "text"
]
Plain: TypeAlias = int | float | date | timedelta

LONGEST = 60
"""Longer texts are words, whatever figures stand in them."""
MISSING = frozenset({"-", "–", "—", "\u2212", "--", "n/a", "n.a.", "k.a.", "k. a."})
"""What stands where there is nothing to say."""
FOOTNOTE = re.compile(r"(?:\s*(?:\[\s*\w{1,3}\s*\]|[*†‡§]))+$")
FOOTNOTE_ENDS = ("]", "*", "†", "‡", "§")
PERCENT = re.compile(r"(.+?)\s*(%|‰|per cent|percent|pct\.?|Prozent)", re.IGNORECASE)
SYMBOLS = "$€£¥₹₽₩₺₴₪₫฿₦₱₡₲₵₸¢円元원"
CODES = (
    "USD EUR GBP JPY CNY RMB CHF CAD AUD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN RUB UAH TRY INR BRL MXN ARS CLP COP "
    "PEN ZAR EGP NGN KES ILS AED SAR QAR SGD HKD TWD KRW THB MYR IDR PHP VND "
    "Rp\\.? US\\$ A\\$ C\\$ CA\\$ AU\\$ NZ\\$ HK\\$ R\\$ S\\$ Rs\\.? kr\\.? zł Kč Ft"
)
CURRENCY = rf"(?:[{SYMBOLS}]|(?:{'|'.join(CODES.split())})(?![A-Za-z]))"
MONEY_BEFORE = re.compile(rf"([-\u2212–+(]?)\s*({CURRENCY})\s*(.+)")
MONEY_AFTER = re.compile(rf"(.+?)\s*({CURRENCY})(\)?)")
SCALE = {
    "k": 10**3,
    "thousand": 10**3,
    "m": 10**6,
    "mn": 10**6,
    "mio": 10**6,
    "million": 10**6,
    "b": 10**9,
    "bn": 10**9,
    "billion": 10**9,
}
SCALED = re.compile(r"(.*\d)\s*(k|thousand|mn?|mio\.?|million|bn?|billion)", re.IGNORECASE)
UNITS = frozenset(
    "km m cm mm µm nm mi ft in yd kg g mg t lb lbs oz l ml dl cl gal ha m² m2 m³ m3 km² km2 ft² mph km/h kph kn m/s "
    "kW MW GW kWh MWh W V A mA mAh Hz kHz MHz GHz bit kB KB MB GB TB PB MiB GiB px MP dpi °C °F K ° bar Pa kPa hPa psi "
    "N Nm J kJ cal kcal dB lm lx cd rpm hp PS bhp pt pts".split()
)
RATING = re.compile(r"(\d(?:[.,]\d+)?)\s*(?:(?:/|out of)\s*(5|10)(?:\s*stars?)?|stars?)", re.IGNORECASE)
DECIMAL = re.compile(r"\d")
EITHER = re.compile(r"\D*[1-9]\d{0,2}\.\d{3}\D*")
"""An amount of money that could be thousands or have three decimals."""
WHOLE = frozenset("Rp Rp. IDR ₫ VND ₩ 원 KRW 円 JPY Ft HUF CLP COP ISK ₲ ₡".split())
"""Currencies of which nobody writes three decimals, since the smallest amounts are whole ones, or nearly so."""
OPEN = re.compile(r"(?<=\d)\s[-\u2013\u2014]$")
"""The dash behind an amount whose other end the page does not show, or shows elsewhere."""
THOUSANDS = re.compile(r"([-+\u2212–(]?\s?[1-9]\d{0,2})[.,](\d{3}\)?)")
WITH_UNIT = re.compile(r"(.*\d[^\w°]*?)\s?([^\d\s.,+()-]{1,4}[²³23]?(?:/[a-z]{1,2})?)")


CONVENTIONAL = re.compile(r"[.,]|\d[/-]\d|[^\W\d_].*\d{4}|\d{4}.*[^\W\d_]", re.DOTALL)
"""What conventions are about: separators, the order of figures in dates, names of months beside a year."""


@dataclass(frozen=True)
class Conventions:
    """How numbers and dates are written, as far as something tells."""

    separator: DecimalSeparator | None = None
    """The decimal separator."""
    order: DateOrder | None = None
    """Whether the day or the month comes first, as in 3/4/2024."""
    language: str = ""
    """Whose names of months to know beside those that are always known."""


UNKNOWN = Conventions()


@dataclass(frozen=True, slots=True)
class Typed:
    """What a text says; ``value`` is None where it is words, or could be read in two ways."""

    kind: Kind
    value: Plain | None = None
    unit: str = ""


TEXT = Typed("text")


def is_conventional(text: str) -> bool:
    """Whether conventions may have a say in what a text says."""
    return len(text) > LONGEST or CONVENTIONAL.search(text) is not None


def read_value(text: str, conventions: Conventions = UNKNOWN) -> Typed:
    """Return what one text says."""
    words = " ".join(text.split())
    if words.endswith(FOOTNOTE_ENDS):
        words = FOOTNOTE.sub("", words)
    if not words:
        return TEXT if text.strip() else Typed("empty")
    if len(words) > LONGEST:
        return TEXT
    if words.lower() in MISSING:
        return Typed("missing")
    if DECIMAL.search(words) or (not words.isascii() and any(map(str.isdigit, words))):
        return _read_figures(words, conventions) or TEXT
    return _read_stars(words) or TEXT


def _read_figures(words: str, conventions: Conventions) -> Typed | None:
    separator = conventions.separator
    number = read_number(words, separator)
    if number is not None:
        return Typed("number", number.value)
    moment = read_datetime(words)
    if moment is not None:
        return Typed("datetime", moment, "UTC" if moment.tzinfo else "")
    found, day = read_date(words, conventions.order, conventions.language)
    if found:
        return Typed("date", day)
    duration = read_duration(words, separator)
    if duration is not None:
        return Typed("duration", duration)
    return (
        _read_rating(words)
        or _read_percent(words, separator)
        or _read_money(words, separator)
        or _read_measure(words, separator)
    )


def _read_rating(words: str) -> Typed | None:
    """Read "4.5 out of 5" as 4.5 of "/5", "3 stars" as 3 "stars"."""
    found = RATING.fullmatch(words)
    if found is None:
        return None
    return Typed("rating", float(found[1].replace(",", ".")), f"/{found[2]}" if found[2] else "stars")


def _read_stars(words: str) -> Typed | None:
    """Count stars; five full ones alone may be coloured by a style sheet, so that their number says nothing."""
    full, hollow = words.count("★"), words.count("☆")
    return Typed("rating", full, f"/{full + hollow}") if full and hollow and full + hollow == len(words) else None


def _read_percent(words: str, separator: DecimalSeparator | None) -> Typed | None:
    found = None if words[-1].isdecimal() else PERCENT.fullmatch(words)
    number = read_number(found[1], separator) if found else None
    return Typed("percent", number.value, "‰" if found[2] == "‰" else "%") if found and number else None


def _read_money(words: str, separator: DecimalSeparator | None) -> Typed | None:
    words = OPEN.sub("", words)
    if found := MONEY_BEFORE.fullmatch(words):
        sign, unit, amount = found[1], found[2], found[3]
        figures = f"{sign}{amount}"
    elif not words[-1].isdecimal() and (found := MONEY_AFTER.fullmatch(words)):
        unit, figures = found[2], found[1] + found[3]
    else:
        return None
    figures = figures.strip().removesuffix(".-").removesuffix(",-")
    if unit in WHOLE and (grouped := THOUSANDS.fullmatch(figures)):
        figures = grouped[1] + grouped[2]
    scaled = SCALED.fullmatch(figures)
    number = read_number(scaled[1] if scaled else figures, separator)
    if number is None:
        return None
    if scaled is None and separator is None and EITHER.fullmatch(figures):
        return Typed("money", None, unit)
    if scaled is None or number.value is None:
        return Typed("money", number.value, unit)
    return Typed("money", _times(number.value, SCALE[scaled[2].lower().rstrip(".")]), unit)


def _times(number: float, scale: int) -> int | float:
    """Multiply as in decimals: 1.001 million is 1001000, not 1000999.9999999999."""
    return number * scale if isinstance(number, int) else float(Decimal(str(number)) * scale)


def _read_measure(words: str, separator: DecimalSeparator | None) -> Typed | None:
    found = WITH_UNIT.fullmatch(words)
    if found is None or found[2] not in UNITS:
        return None
    number = read_number(found[1], separator)
    return Typed("number", number.value, found[2]) if number else None
