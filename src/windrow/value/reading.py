"""``read_value``: one text, one value; ``read_values``: a column of them, where the others tell how to read each.

Which mark parts the decimals is clear from most texts alone (1,234.56), and from the other texts of a column for the
rest. Where those don't tell, a lone 1,234 is taken for a thousand and a lone 1.234 for one and a fraction; an amount of
money like € 1.234 rarely has three decimals, so it has no value. Nor has a date whose day and month could be either.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from windrow.value import dates, durations
from windrow.value.numbers import Mark, find_decimal_mark, read_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, timedelta

Kind: TypeAlias = Literal["empty", "number", "percent", "money", "date", "duration", "text"]

LONGEST = 60
"""Longer texts are words, whatever figures stand in them."""
FOOTNOTE = re.compile(r"(?:\s*(?:\[\s*\w{1,3}\s*\]|[*†‡§]))+$")
PERCENT = re.compile(r"(.+?)\s*(%|‰|per cent|percent|pct\.?|Prozent)", re.IGNORECASE)
SYMBOLS = "$€£¥₹₽₩₺₴₪₫฿₦₱₡₲₵₸¢円元원"
CODES = (
    "USD EUR GBP JPY CNY RMB CHF CAD AUD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN RUB UAH TRY INR BRL MXN ARS CLP COP "
    "PEN ZAR EGP NGN KES ILS AED SAR QAR SGD HKD TWD KRW THB MYR IDR PHP VND "
    "US\\$ A\\$ C\\$ CA\\$ AU\\$ NZ\\$ HK\\$ R\\$ S\\$ Rs\\.? kr\\.? zł Kč Ft"
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
EITHER = re.compile(r"\D*[1-9]\d{0,2}\.\d{3}\D*")
"""An amount of money that could be thousands or have three decimals."""
WITH_UNIT = re.compile(r"(.*\d[^\w°]*?)\s?([^\d\s.,+()-]{1,4}[²³23]?(?:/[a-z]{1,2})?)")


@dataclass(frozen=True)
class Value:
    """What a text says; ``value`` is None where it is words, or could be read in two ways."""

    kind: Kind
    value: int | float | date | timedelta | None
    unit: str
    raw: str


def read_value(text: str, mark: Mark | None = None) -> Value:
    """Read one text; ``mark`` says which mark parts the decimals, where that is known."""
    words = FOOTNOTE.sub("", " ".join(text.split()))
    if not words:
        return Value("empty" if not text.strip() else "text", None, "", text)
    if len(words) <= LONGEST and any(char.isdigit() for char in words):
        return _read_figures(words, text, mark) or Value("text", None, "", text)
    return Value("text", None, "", text)


def read_values(texts: Sequence[str]) -> list[Value]:
    """Read the texts of a column, so that the clear ones tell how to read the others."""
    mark = find_decimal_mark(texts)
    return [read_value(text, mark) for text in texts]


def _read_figures(words: str, raw: str, mark: Mark | None) -> Value | None:
    number = read_number(words, mark)
    if number is not None:
        return Value("number", number.value, "", raw)
    found, day = dates.read_date(words)
    if found:
        return Value("date", day, "", raw)
    duration = durations.read_duration(words)
    if duration is not None:
        return Value("duration", duration, "", raw)
    return _read_percent(words, raw, mark) or _read_money(words, raw, mark) or _read_measure(words, raw, mark)


def _read_percent(words: str, raw: str, mark: Mark | None) -> Value | None:
    found = PERCENT.fullmatch(words)
    number = read_number(found[1], mark) if found else None
    return Value("percent", number.value, "‰" if found[2] == "‰" else "%", raw) if found and number else None


def _read_money(words: str, raw: str, mark: Mark | None) -> Value | None:
    if found := MONEY_BEFORE.fullmatch(words):
        sign, unit, amount = found[1], found[2], found[3]
        figures = f"{sign}{amount}"
    elif found := MONEY_AFTER.fullmatch(words):
        unit, figures = found[2], found[1] + found[3]
    else:
        return None
    scaled = SCALED.fullmatch(figures)
    number = read_number(scaled[1] if scaled else figures.removesuffix(".-").removesuffix(",-"), mark)
    if number is None:
        return None
    if scaled is None and mark is None and EITHER.fullmatch(figures):
        return Value("money", None, unit, raw)
    if scaled is None or number.value is None:
        return Value("money", number.value, unit, raw)
    return Value("money", number.value * SCALE[scaled[2].lower().rstrip(".")], unit, raw)


def _read_measure(words: str, raw: str, mark: Mark | None) -> Value | None:
    found = WITH_UNIT.fullmatch(words)
    if found is None or found[2] not in UNITS:
        return None
    number = read_number(found[1], mark)
    return Value("number", number.value, found[2], raw) if number else None
