"""From a text to what it says: a number, a share, an amount of money, a rating, a date, a duration."""

from windrow.value.dates import DateOrder, find_date_order
from windrow.value.locales import has_decimal_comma, is_day_first
from windrow.value.numbers import DecimalSeparator, find_decimal_separator
from windrow.value.reading import Conventions, Kind, Plain, Typed, is_conventional, read_value

__all__ = [
    "Conventions",
    "DateOrder",
    "DecimalSeparator",
    "Kind",
    "Plain",
    "Typed",
    "find_date_order",
    "find_decimal_separator",
    "has_decimal_comma",
    "is_conventional",
    "is_day_first",
    "read_value",
]
