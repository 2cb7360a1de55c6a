"""From a text to what it says: a number, a share, an amount of money, a date, a duration; the text stays beside it."""

from windrow.value.numbers import Mark, find_decimal_mark
from windrow.value.reading import Value, read_value, read_values

__all__ = ["Mark", "Value", "find_decimal_mark", "read_value", "read_values"]
